"""Decks where there are two languages more: run by `test_more_languages`, in a process that has them."""

from msgspec import json

from spieltisch.decks.dates import day_text, read_date, read_recorded, recorded
from spieltisch.decks.deck import Deck
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.exporting.stats import stats
from spieltisch.decks.importing.columns import taken_in
from spieltisch.decks.importing.making import renamed, replaced, replacing
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import read_sheet
from spieltisch.decks.lint.cards import lint
from spieltisch.decks.table import Row, Table, is_same, read_table
from spieltisch.decks.text import text_of
from spieltisch.game import Invalid
from spieltisch.games.annodomini.events import COLUMNS, OPTIONAL, mix, read_events
from spieltisch.study.figures import percent


def test_a_card_falls_back_by_itself():
    head = "#title,Klein,Small\n#title_qq,Parvo\n#series,a,Alt,Old\n#series_qq,a,Antiqua\n"
    names = [*(c for c in COLUMNS if c not in OPTIONAL), "text_qq", "comment_qq", "text_art-lojban"]

    def line(**cells):
        return ",".join(cells.get(name, "") for name in names) + "\n"

    text = head + ",".join(names) + "\n"
    text += line(
        id="e1", series="a", date="44 BC", de="Ein Mord.", en="A murder.", text_qq="Un morte.", comment_de="Im März."
    )
    text += line(id="e2", series="a", date="1903", de="Ein Flug.")
    text += line(id="e3", series="a", date="1904", **{"text_art-lojban": "Ul volo."})
    deck = read_events(text, "small")
    murder, flight, other = deck.cards
    assert deck.title["qq"] == "Parvo"
    assert deck.series[0].title["qq"] == "Antiqua"
    assert [card.front["qq"] for card in deck.cards] == ["Un morte.", "Ein Flug.", "Ul volo."]
    assert [card.front.given("qq") for card in deck.cards] == ["qq", "de", "art-lojban"]
    assert [card.front["art-lojban"] for card in deck.cards] == ["A murder.", "Ein Flug.", "Ul volo."]
    assert murder.front["art-lojban-x-qq"] == "Un morte."
    assert murder.comment["qq"] == "Im März."
    assert murder.comment.given("qq") == "de"
    assert murder.date["qq"] == "44\u00a0aE"
    assert flight.date["qq"] == "1903"
    assert json.decode(json.encode(other.front)) == {"de": "", "en": "", "art-lojban": "Ul volo."}
    assert json.decode(json.encode(deck), type=type(deck)) == deck
    assert json.decode(json.encode(flight.date)) == {"de": "1903", "en": "1903"}
    assert mix([deck], ["a"]).title["qq"] == "Parvo"


def test_a_deck_needs_no_language_of_ours():
    columns = "id,series,date,text_qq,source,fact,field,region,level,review"
    deck = read_events(f"#series,a\n{columns}\ne1,a,1903,Ili flugas.,,,,,,\n", "small")
    assert deck.cards[0].front["de"] == "Ili flugas."


def test_a_sheet_keeps_its_language_there_and_back():
    sheet = "Quando;Fatto;Nota;Ereignis\n1903;Ili flugas.;Longe.;Zwei fliegen.\n"
    sheet += "1848/49;Ili batalas.;;\nantaŭ 1500 aE;Nenio.;;\n"
    taken = taken_in(read_sheet(sheet.encode()))
    assert taken.columns == ("date", "text_qq", "comment_qq", "de"), taken.columns
    deck = Deck("q", "events", renewed(taken, "q").table)
    assert [row.told("qq") for row in deck.table.rows] == ["Ili flugas.", "Ili batalas.", "Nenio."]
    assert [row.told("en") for row in deck.table.rows] == ["Zwei fliegen.", "Ili batalas.", "Nenio."]
    assert deck.table.languages == ("de", "qq")
    assert "text_qq" in deck.columns
    assert "en" in deck.columns
    assert "text_art-lojban" not in deck.columns
    again = read_table(deck.text(), ())
    assert all(is_same(one, other) for one, other in zip(again.rows, deck.table.rows, strict=True))
    excel = taken_in(read_sheet(EXPORTS["excel"].made(deck, "qq").encode()))
    assert renewed(excel, "q", deck.table).same == tuple(row["id"] for row in deck.table.rows)
    assert "Ili flugas." in EXPORTS["moodle"].made(deck, "qq")
    assert EXPORTS["anki"].made(deck, "qq")
    assert '"text_qq": "Ili flugas."' in EXPORTS["json"].made(deck, "qq")
    assert {name["en"]: n for name, n in stats(deck.table, "events").counts["language"]} == {
        "Lingua": 2,
        "German + Lingua": 1,
    }
    found = {(one.severity, one.rule) for one in lint(deck.table, "events")}
    assert ("error", "date") not in found
    assert ("warning", "language") in found
    new = renamed(deck, text_of({"qq": "Ludo"}))
    assert new.title["qq"] == new.title["de"] == "Ludo"
    assert new.title.given("de") == "de"
    row = deck.table.rows[0]
    changed = Table(deck.table.about, [Row(row.line, row.cells | {"text_qq": "Ne."}), *deck.table.rows[1:]])
    kept = replacing(deck, Deck("q", "events", changed), row["id"])
    assert replaced(kept)[row["id"]]["text_qq"] == "Ili flugas."
    assert replaced(Deck("q", "events", read_table(kept.text(), ())))[row["id"]]["de"] == "Zwei fliegen."


def test_dates_and_figures_are_written_as_the_language_does():
    assert read_date("XIX jc.").span == read_date("19. Jh.").span
    assert read_date("19. Jh.").text["qq"] == "XIX jc."
    assert read_date("fino de XIX jarcento").text["de"] == "Ende des 19. Jahrhunderts"
    assert read_date("ĉirkaŭ 1900").text["en"] == "around 1900"
    assert read_date("5 kvin 1949").text["de"] == "5. Mai 1949"
    assert day_text("2026-11-29")["qq"] == "29 undek 2026"
    assert recorded("44 aE") == "44\u00a0BC"
    try:
        read_recorded("44 aE")
    except Invalid:
        pass
    else:
        raise AssertionError("records have the words of the first languages alone")
    assert percent(0.125, "qq", 1) == "12·5 pc"
