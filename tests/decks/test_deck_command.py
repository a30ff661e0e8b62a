"""`spieltisch deck check|stats|export|import`, as somebody types it."""

import asyncio
import csv
import io
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from decks.workbooks import ods, xlsx
from spieltisch import games
from spieltisch.cli.decks import app
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import parse, years
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.files import put
from spieltisch.decks.importing.columns import taken_in
from spieltisch.decks.importing.headings import column_of
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import read_sheet
from spieltisch.decks.library import Library, shipped, slug
from spieltisch.decks.table import ADDED, read_table
from spieltisch.games.annodomini.events import COLUMNS, read_events
from spieltisch.paths import TABLES
from spieltisch.table import lobby
from spieltisch.table.store.sqlite import SQLite

SHEET = (
    "Datum;Ereignis;Quelle\n"
    "44 v. Chr.;Ein Feldherr wird im Senat erstochen.;Q1048\n"
    "um 1450;In Mainz druckt jemand mit beweglichen Lettern.;Q8958\n"
    "1969;Zwei Menschen spazieren auf dem Mond.;Q43653\n"
)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in a folder of its own. Returns the exit status and the output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def type_(*words):
        status = app([*words], exit_on_error=False, print_error=False, result_action="return_value")
        out, err = capsys.readouterr()
        return status, out, err

    return type_


def cards(path):
    return [(card.id, card.written, card.front["de"]) for card in read_events(path.read_text("utf-8"), "x").cards]


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


# -- check ---------------------------------------------------------------------------------------------------


@pytest.mark.whole  # in `make test` test_lint.py finds them clean, and docs/decks.md checks them
def test_all_shipped_decks_are_checked_and_clean(run):
    status, out, err = run("check")
    assert (status, err) == (0, "")
    assert [line.partition(":")[0] for line in out.splitlines() if not line.startswith(" ")] == [*shipped()]


def test_what_is_wrong_is_told_with_line_card_and_what_would_be_right(run, tmp_path):
    (tmp_path / "rom.csv").write_text(SHEET.replace("44 v. Chr.", "-44"), "utf-8")
    status, out, _ = run("check", "rom.csv")
    assert status == 1
    line = next(line for line in out.splitlines() if "minus" in line)
    assert line.startswith("  line 2: ")
    assert ": error: -44: do not write years BC with a minus → Write: 44\u00a0BC" in line
    _, out, _ = run("check", "rom.csv", "--language", "de")
    assert "  Zeile 2: " in out
    assert "nicht mit Minus → Schreib: 44\u00a0v.\u00a0u.\u00a0Z." in out


def test_notes_are_shown_on_request(run, tmp_path):
    (tmp_path / "rom.csv").write_text(SHEET.replace("um 1450", "79"), "utf-8")
    assert "has no era" not in run("check", "rom.csv")[1]
    assert "has no era" in run("check", "rom.csv", "--notes")[1]


def test_findings_as_json(run, tmp_path):
    (tmp_path / "rom.csv").write_text(SHEET.replace("um 1450", "ungefähr 1450"), "utf-8")
    status, out, _ = run("check", "rom.csv", "--json")
    found = [one for one in json.loads(out)["rom"] if one["severity"] == "error"]
    assert status == 1
    assert [(one["line"], one["rule"], one["right"]) for one in found] == [(3, "date", "Write: around 1450")]


def test_a_structure_that_is_wrong(run, tmp_path):
    text = shipped()["hic"].read_text("utf-8")
    (tmp_path / "hic.csv").write_text(text.replace("nom,sg,m,", "nom,sg,f,"), "utf-8")
    status, out, _ = run("check", "hic.csv")
    assert status == 1
    assert "nom.sg.f is there twice" in out


def test_a_finding_cannot_steer_the_terminal(run, tmp_path):
    (tmp_path / "x.csv").write_text("date,event\n\x1b[2J1903,A flight.\n", "utf-8")
    assert "\x1b" not in run("check", "x.csv")[1]


@pytest.mark.parametrize(("name", "reason"), [("nowhere", "there is no deck nowhere"), ("no.csv", "cannot be read: ")])
def test_a_deck_that_is_not_there(run, name, reason):
    status, _, err = run("check", name)
    assert status == 1
    assert err.startswith(f"{name}: {reason}")


# -- stats ---------------------------------------------------------------------------------------------------


def test_stats_count_every_card(run):
    status, out, _ = run("stats", "events", "firsts", "is", "--json")
    counted = json.loads(out)
    n = len(Library().deck("events", kind_of("events")).cards)
    assert status == 0
    assert counted["events"]["cards"] == n
    for column in ("century", "notation", "level", "language", "series"):
        assert sum(counted["events"][column].values()) == n
    goals = [goal for card in Library().deck("events", kind_of("events")).cards for goal in card.goals]
    assert sum(counted["events"]["goal"].values()) == len(goals) > 0
    assert "goal" not in counted["firsts"]
    spans = [card.span for card in Library().deck("events", kind_of("events")).cards]
    assert counted["events"]["before_1500"] == sum(span.end < 1500 for span in spans)
    assert counted["events"]["before_our_era"] == sum(span.start < 1 for span in spans)
    assert sum(counted["firsts"]["period"].values()) == counted["firsts"]["cards"]
    assert counted["is"] == counted["is"] | {"cards": 30, "number": {"sg": 15, "pl": 15}}


def test_stats_in_words(run, tmp_path):
    (tmp_path / "rom.csv").write_text(SHEET, "utf-8")
    _, out, _ = run("stats", "rom.csv", "--language", "de")
    assert "rom: Karten: 3\n" in out
    assert "  Jahrhundert: 1. Jh. v.\u00a0u.\u00a0Z. (1), 15. Jh. (1), 20. Jh. (1)\n" in out
    assert "  Schreibweise: Jahr (2), um (1)\n" in out
    assert "  Sprache: Deutsch (3)\n" in out


def test_who_hands_out_a_deck_is_told_of_games_that_run_with_it(run, tmp_path):
    async def table(stage):
        store = SQLite(tmp_path / TABLES)
        setup = lobby.new_setup(games.package("anno-domini"), 2, None, 0.0, Library(tmp_path / "decks"))
        assert await store.create(replace(setup, stage=stage, top=setup.top | {"deck": ["firsts", "events"]}))
        await store.close()

    def told():
        status, out, err = run("export", "events", "--data", str(tmp_path))
        assert status == 0
        assert out.startswith("#")
        return err

    assert told() == ""
    asyncio.run(table("waiting"))
    assert told() == ""
    asyncio.run(table("playing"))
    assert told() == "events is in use in a running game. Its players should not see the backs.\n"
    assert "in einer laufenden Partie" in run("export", "events", "--data", str(tmp_path), "--language", "de")[2]
    assert run("export", "hic", "--data", str(tmp_path))[2] == ""


# -- import --------------------------------------------------------------------------------------------------


def test_two_columns_become_a_deck_among_ones_own(run, tmp_path):
    (tmp_path / "Rom & Co.csv").write_text(SHEET, "utf-8")
    status, out, _ = run("import", "Rom & Co.csv", "--title", "Rom und so")
    assert status == 0
    assert [line.split()[2:] for line in out.splitlines()[:3]] == [
        ["44", "v.", "Chr.", "44", "BC"],
        ["um", "1450", "1445–1455"],
        ["1969", "1969"],
    ]
    file = tmp_path / "data/spieltisch/decks/rom-co.csv"
    assert [card[1:] for card in cards(file)] == [tuple(line.split(";")[:2]) for line in SHEET.splitlines()[1:]]
    assert read_events(file.read_text("utf-8"), "x").title["de"] == "Rom und so"
    assert run("check", "rom-co")[0] == 0
    assert "cards: 3" in run("stats", "rom-co")[1]


@pytest.mark.parametrize("make", [xlsx, ods])
def test_workbooks_become_the_same_deck(run, tmp_path, make):
    (tmp_path / "a.csv").write_text(SHEET, "utf-8")
    rows = [line.split(";") for line in SHEET.splitlines()]
    (tmp_path / "a.bin").write_bytes(make(*[[int(c) if c.isdigit() else c for c in row] for row in rows]))
    assert run("import", "a.csv", "--to", "x/a.csv")[0] == 0
    assert run("import", "a.bin", "--to", "y/a.csv")[0] == 0
    assert (tmp_path / "x/a.csv").read_bytes() == (tmp_path / "y/a.csv").read_bytes()


@pytest.mark.parametrize(
    "broken",
    [
        SHEET.replace("1969", "-1969"),
        SHEET.replace("1969", "1969-07"),
        SHEET.replace("Zwei Menschen", "<script>x</script>"),
        SHEET.replace("Zwei Menschen", "=1+1"),
        SHEET.replace("1969;", "1969;;"),
        SHEET.replace("Datum;Ereignis", "Ereignis;Datum"),
        SHEET.replace("Zwei", "1969 gehen zwei"),
    ],
)
def test_nothing_is_half_imported(run, tmp_path, broken):
    (tmp_path / "a.csv").write_text(SHEET, "utf-8")
    run("import", "a.csv", "--to", "deck.csv")
    before, there = (tmp_path / "deck.csv").read_bytes(), files(tmp_path)
    (tmp_path / "a.csv").write_text(broken, "utf-8")
    status, out, _ = run("import", "a.csv", "--to", "deck.csv")
    assert status == 1
    assert "Nothing was taken in." in out
    assert (tmp_path / "deck.csv").read_bytes() == before
    run("import", "a.csv")
    assert files(tmp_path) == there


def test_a_sheet_without_cards_empties_no_deck(run, tmp_path):
    (tmp_path / "a.csv").write_text(SHEET, "utf-8")
    run("import", "a.csv", "--to", "deck.csv")
    before = (tmp_path / "deck.csv").read_bytes()
    (tmp_path / "a.csv").write_text("Datum;Ereignis\n", "utf-8")
    status, _, err = run("import", "a.csv", "--to", "deck.csv", "--replace")
    assert (status, err) == (1, "a.csv: the table has no cards\n")
    assert (tmp_path / "deck.csv").read_bytes() == before


def test_what_is_asked_is_neither_refused_nor_taken_silently(run, tmp_path):
    (tmp_path / "a.csv").write_text(SHEET + "1000–1500;Eine Seuche kommt und geht.\n", "utf-8")
    status, out, _ = run("import", "a.csv", "--to", "deck.csv")
    assert status == 1
    assert "is a span of 501 years, 1000–1500" in out
    assert files(tmp_path) == ["a.csv"]
    assert run("import", "a.csv", "--to", "deck.csv", "--sure")[0] == 0
    assert run("import", "a.csv", "--to", "deck.csv")[0] == 0  # it has been said, and stands there


def test_a_file_that_is_no_sheet(run, tmp_path):
    (tmp_path / "a.csv").write_bytes(SHEET.replace("Mond", "M\x81ndchen").encode("latin-1"))
    status, out, err = run("import", "a.csv")
    assert (status, out) == (1, "")
    assert err.startswith("a.csv: line 4: the file is not in UTF-8")
    assert files(tmp_path) == ["a.csv"]


def test_importing_again_renews_and_never_doubles(run, tmp_path):
    (tmp_path / "a.csv").write_text(SHEET, "utf-8")
    file = tmp_path / "deck.csv"
    run("import", "a.csv", "--to", "deck.csv")
    first = cards(file)
    assert "new: 0, changed: 0, unchanged: 3, not in the sheet: 0" in run("import", "a.csv", "--to", "deck.csv")[1]
    assert cards(file) == first
    reworded = SHEET.replace("spazieren auf dem Mond", "spazieren langsam auf dem Mond").replace("um 1450", "1450")
    (tmp_path / "a.csv").write_text(reworded, "utf-8")
    assert "new: 0, changed: 2, unchanged: 1" in run("import", "a.csv", "--to", "deck.csv")[1]
    assert [card[0] for card in cards(file)] == [card[0] for card in first]
    assert cards(file)[1][1] == "1450"


def test_cards_that_are_not_in_the_sheet_stay_unless_replaced(run, tmp_path):
    (tmp_path / "a.csv").write_text(SHEET, "utf-8")
    run("import", "a.csv", "--to", "deck.csv")
    (tmp_path / "a.csv").write_text("Datum;Ereignis\n1903;Zwei Brüder fliegen über den Sand.\n", "utf-8")
    out = run("import", "a.csv", "--to", "deck.csv")[1]
    assert "new: 1, changed: 0, unchanged: 0, not in the sheet: 3" in out
    assert len(cards(tmp_path / "deck.csv")) == 4
    run("import", "a.csv", "--to", "deck.csv", "--replace")
    assert [card[1] for card in cards(tmp_path / "deck.csv")] == ["1903"]


def test_what_the_sheet_does_not_have_the_deck_keeps(run, tmp_path):
    (tmp_path / "a.csv").write_text(SHEET, "utf-8")
    run("import", "a.csv", "--to", "deck.csv")
    (tmp_path / "a.csv").write_text("\n".join(";".join(x.split(";")[:2]) for x in SHEET.splitlines()), "utf-8")
    run("import", "a.csv", "--to", "deck.csv")
    assert [card.source for card in read_events((tmp_path / "deck.csv").read_text("utf-8"), "x").cards] == [
        "Q1048",
        "Q8958",
        "Q43653",
    ]


def test_a_dry_run_writes_nothing(run, tmp_path):
    (tmp_path / "a.csv").write_text(SHEET, "utf-8")
    assert run("import", "a.csv", "--dry-run")[0] == 0
    assert files(tmp_path) == ["a.csv"]


def test_a_shipped_name_is_taken(run, tmp_path):
    (tmp_path / "events.csv").write_text(SHEET, "utf-8")
    status, _, err = run("import", "events.csv")
    assert status == 1
    assert "choose another name" in err
    assert run("import", "events.csv", "--name", "mine")[0] == 0


def test_a_deck_does_not_change_its_kind(run, tmp_path):
    (tmp_path / "a.csv").write_text(SHEET, "utf-8")
    run("import", "a.csv", "--to", "deck.csv")
    status, _, err = run("import", "a.csv", "--to", "deck.csv", "--kind", "firsts")
    assert status == 1
    assert "another kind" in err


def test_firsts_are_taken_in_with_the_periods_that_come_along(run, tmp_path):
    (tmp_path / "a.csv").write_text(
        "year,de,en,who,source,checked\n"
        "1903,Erste Frau mit einem Nobelpreis,First woman with a Nobel Prize,Marie Curie,Q7186,\n"
        "joker,Erste Frau auf dem Mars,First woman on Mars,,Q111,2026-11\n",
        "utf-8",
    )
    assert run("import", "a.csv", "--to", "deck.csv")[0] == 0
    assert run("check", "deck.csv")[0] == 0
    assert "#period,Zukunft,Future,2027" in (tmp_path / "deck.csv").read_text("utf-8")


# -- export --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["events", "firsts", "hic", "decktet"])
def test_a_deck_goes_out_as_it_is_kept(run, name):
    status, out, _ = run("export", name)
    assert status == 0
    printed, kept = (csv.reader(io.StringIO(text)) for text in (out, shipped()[name].read_text("utf-8")))
    assert [",".join(line).rstrip(",") for line in printed] == [",".join(line).rstrip(",") for line in kept if line]


@pytest.mark.parametrize("form", EXPORTS)
@pytest.mark.parametrize("name", ["events", "firsts", "hic", "decktet"])
def test_each_kind_of_deck_goes_out_in_every_way(run, tmp_path, name, form):
    told = run("export", name, "--format", form, "--to", "out")
    if form == "anki" and name in {"hic", "decktet"}:
        assert told == (1, "", f"{name}: only decks for Anno Domini, Trailblaze can be learnt with Anki\n")
        assert files(tmp_path) == []
    elif form in {"gift", "moodle"} and name == "decktet":
        assert told == (1, "", f"{name}: there is nothing to ask about the cards of the Decktet\n")
        assert files(tmp_path) == []
    else:
        assert told == (0, "written: out\n", "")
        assert (tmp_path / "out").stat().st_size > 500


def test_a_deck_for_spreadsheets_comes_back_unchanged(run, tmp_path):
    run("export", "events", "--format", "excel", "--to", "out.csv")
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbf#title;")
    assert run("import", "out.csv", "--name", "mine", "--sure")[0] == 0
    mine = read_events((tmp_path / "data/spieltisch/decks/mine.csv").read_text("utf-8"), "events")
    assert mine == Library().deck("events", kind_of("events"))


def test_a_deck_for_programs(run):
    whole = json.loads(run("export", "events", "--format", "json")[1])
    n = len(Library().deck("events", kind_of("events")).cards)
    assert (whole["deck"], whole["kind"], len(whole["cards"])) == ("events", "events", n)
    card = next(card for card in whole["cards"] if "v.u.Z." in card["date"])
    assert card["first_year"] < 0
    assert all(card["first_year"] <= card["last_year"] and card["first_year"] for card in whole["cards"])


def test_what_a_spreadsheet_would_compute_goes_out_harmless(run, tmp_path):
    run("export", "events", "--to", "deck.csv")
    text = (
        (tmp_path / "deck.csv")
        .read_text("utf-8")
        .replace(Library().deck("events", kind_of("events")).cards[0].id, "=1+1", 1)
    )
    (tmp_path / "deck.csv").write_text(text, "utf-8")
    assert "\n'=1+1;" in run("export", "deck.csv", "--format", "excel")[1].replace("\r", "")


def test_a_deck_that_is_not_there_does_not_go_out(run):
    assert run("export", "nothing")[0] == 1


# -- around --------------------------------------------------------------------------------------------------


def test_the_command_is_there():
    said = [sys.executable, "-m", "spieltisch", "deck", "check", "is", "--language", "en"]
    done = subprocess.run(said, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "is: cards: 30, errors: 0, warnings: 0, notes: 0\n")
    assert subprocess.run([*said[:5], "--nonsense"], capture_output=True, check=False).returncode == 2


DOC = (Path(__file__).parents[2] / "docs/decks.md").read_text("utf-8")


def test_the_dates_in_the_documentation_are_read_so():
    section = DOC.partition("## Dates")[2].partition("Not read")[0]
    rows = re.findall(r"^\| (`.+`) \| (.+) \|$", section, re.MULTILINE)
    assert len(rows) >= 10
    for written, read in rows:
        for date in re.findall("`(.+?)`", written):
            assert years(parse(date))["en"].replace("\u00a0", " ") == read


def test_the_columns_in_the_documentation_are_known():
    section = DOC.partition("## The columns")[2].partition("## Dates")[0]
    first, *others = zip(*re.findall(r"^\| (`.+?) \| (.*?) \| (.*?) \|$", section, re.MULTILINE), strict=True)
    named = {column for cell in first for column in re.findall("`(.+?)`", cell)}
    assert named == {*COLUMNS} - ADDED
    for name in re.findall(r"\w+", " ".join(others[0])):
        assert column_of(name), name


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    put(tmp_path / "a.csv", "one")
    with pytest.raises(UnicodeEncodeError):
        put(tmp_path / "a.csv", "two\udcff")
    assert (tmp_path / "a.csv").read_text() == "one"
    (tmp_path / "a.csv").chmod(0o600)
    put(tmp_path / "a.csv", "three")
    assert (tmp_path / "a.csv").stat().st_mode & 0o777 == 0o600
    assert files(tmp_path) == ["a.csv"]


def test_names_of_decks():
    assert [slug(name) for name in ("Große Reise", "../../etc", "Ägypten 2", "…", "a" * 99)] == [
        "grosse-reise", "etc", "aegypten-2", "deck", "a" * 60
    ]  # fmt: skip


events = st.sampled_from(
    ["Ein Flug gelingt.", "Ein Mord geschieht.", "Ein Buch erscheint.", "Ein Schiff fährt weit weg."]
)
sheets = st.lists(
    st.tuples(st.sampled_from(["1903", "44 BC", "um 1450"]), events), unique_by=lambda row: row[1], min_size=1
)


@given(sheets, sheets, st.booleans())
def test_renewing_twice_is_renewing_once(before, after, replace):
    old, new = (
        taken_in(read_sheet(("Datum;Ereignis\n" + "\n".join(map(";".join, rows))).encode())) for rows in (before, after)
    )
    first = renewed(old, "d")
    once = renewed(new, "d", first.table, replace=replace)
    twice = renewed(new, "d", once.table, replace=replace)
    assert [row.cells for row in twice.table.rows] == [row.cells for row in once.table.rows]
    assert (twice.new, twice.changed) == ((), ())
    ids = [row["id"] for row in once.table.rows]
    assert len({*ids}) == len(ids)
    assert {row["de"] for row in once.table.rows} >= {event for _, event in after}
    assert len(ids) == len({event for _, event in (after if replace else [*before, *after])})


# -- print ---------------------------------------------------------------------------------------------------


def test_a_deck_is_printed(run, tmp_path):
    (tmp_path / "rom.csv").write_text(SHEET, "utf-8")
    assert run("print", "rom.csv", "--paper", "letter", "-o", "out.pdf") == (0, "written: out.pdf\n", "")
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")
    status, out, err = run("print", "rom.csv", "--series", "mond")
    assert (status, out) == (1, "")
    assert "there is no series mond" in err
    assert run("print", "nowhere")[0] == 1
    assert files(tmp_path) == ["out.pdf", "rom.csv"]


def test_a_deck_is_learned_with_anki(run, tmp_path):
    (tmp_path / "rom.csv").write_text(SHEET, "utf-8")
    assert run("export", "rom.csv", "--format", "anki", "--to", "rom.apkg") == (0, "written: rom.apkg\n", "")
    assert (tmp_path / "rom.apkg").read_bytes().startswith(b"PK")
    status, out, err = run("export", "rom.csv", "--format", "anki")
    assert (status, out) == (1, "")
    assert "--to" in err


def test_two_decks_whose_names_have_no_latin_letters_stay_two(run, tmp_path):
    (tmp_path / "Ελλάδα.csv").write_text("date;en\n1969;Two people hop over the moon.\n1896;A man outruns everybody.\n")
    (tmp_path / "Москва.csv").write_text("date;en\n1450;Somebody prints with letters.\n")
    for name in ("Ελλάδα", "Москва", "Ελλάδα"):
        assert run("import", str(tmp_path / f"{name}.csv"), "--data", str(tmp_path))[0] == 0
    decks = sorted((tmp_path / "decks").glob("*.csv"))
    assert sorted(len(read_table(file.read_text("utf-8"), ()).rows) for file in decks) == [1, 2]


@pytest.mark.parametrize(
    ("name", "other"),
    [("Ελλάδα", "Москва"), ("東京 1", "京都 1"), ("Deck α", "Deck β"), ("Łódź", "Ódź"), ("ابن", "בן")],
)
def test_names_that_differ_make_files_that_differ(name, other):
    assert slug(name) != slug(other)
    assert slug(name) == slug(unicodedata.normalize("NFD", name))
    assert re.fullmatch("[a-z0-9-]{1,60}", slug(name))


def test_a_deck_is_renamed_by_taking_it_in_again(run, tmp_path):
    sheet = tmp_path / "rom.csv"
    sheet.write_text("date;en\n1969;Two people hop over the moon.\n")
    for title in ("Rome", "Rome and more"):
        assert run("import", str(sheet), "--title", title, "--data", str(tmp_path))[0] == 0
    assert "#title,Rome and more,Rome and more" in (tmp_path / "decks" / "rom.csv").read_text("utf-8")


def test_a_column_that_is_not_used_is_said_before_a_deck_is_written(run, tmp_path):
    sheet = tmp_path / "rom.csv"
    sheet.write_text("date;en;colour\n1969;Two people hop over the moon.;red\n")
    status, out, _ = run("import", str(sheet), "--dry-run", "--language", "en", "--data", str(tmp_path))
    assert (status, "not used: the column “colour”" in out) == (0, True)
