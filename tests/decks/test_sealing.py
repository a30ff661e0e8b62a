"""Decks that are held out, and control decks."""

import hashlib
import json
import shlex
from pathlib import Path

import pytest

from spieltisch.cli import app as cli
from spieltisch.decks.carried import carried
from spieltisch.decks.check import open_deck
from spieltisch.decks.control import control
from spieltisch.decks.library import shipped
from spieltisch.game import Invalid
from spieltisch.study import simulate


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Types a command in a folder with the deck mine.csv; gives the exit status and what was printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    things = ["Rome", "Rome", *[""] * 38]
    cards = [f"{1500 + 11 * n};Meeting number {n} begins.;It was {1500 + 11 * n}.;{things[n]}" for n in range(40)]
    (tmp_path / "mine.csv").write_text("\n".join(["date;event;comment;thing", *cards]) + "\n", "utf-8")

    def type_(*words):
        status = cli.app([*words], exit_on_error=False, result_action="return_value")
        return status, capsys.readouterr()

    return type_


def test_an_opened_deck_matches_its_seal_which_shows_no_card(run, tmp_path):
    assert run("deck", "hold-out", "mine.csv")[0] == 0
    seal, opened = tmp_path / "mine.seal.json", tmp_path / "mine.held-out.csv"
    assert "Meeting" not in seal.read_text()
    assert json.loads(seal.read_text())["sha256"] == hashlib.sha256(opened.read_bytes()).hexdigest()
    status, said = run("verify", "mine.seal.json")
    assert (status, "these are the 40 cards sealed on" in said.out) == (0, True)
    # results of the sealed deck name the same hash
    assert carried(str(opened), "events").sha256 == json.loads(seal.read_text())["sha256"]
    opened.rename(tmp_path / "elsewhere.csv")
    status, said = run("verify", "mine.seal.json")
    assert (status, "mine.held-out.csv: cannot be read" in said.err) == (1, True)  # which file is missing
    assert run("verify", "mine.seal.json", "--deck", "elsewhere.csv")[0] == 0


def test_a_hyphen_is_standard_output_and_no_other_option_a_file(run, tmp_path):
    status, said = run("deck", "control", "mine.csv", "shifted")
    assert (status, run("deck", "control", "mine.csv", "shifted", "--to", "-")[1].out) == (0, said.out)
    with pytest.raises(Exception, match="There is no option --sed here"):
        run("deck", "control", "mine.csv", "shifted", "--to", "--sed")
    assert [file.name for file in tmp_path.iterdir()] == ["mine.csv"]


def test_a_changed_card_breaks_the_seal(run, tmp_path):
    run("deck", "hold-out", "mine.csv")
    opened = tmp_path / "mine.held-out.csv"
    opened.write_text(opened.read_text("utf-8").replace("number 7 ", "number 70 "), "utf-8")
    status, said = run("verify", "mine.seal.json")
    assert status == 1
    assert "This is not the deck that was sealed" in said.err


def test_two_seals_of_one_deck_differ_and_none_is_overwritten(run, tmp_path):
    seals = []
    for name in ("one", "two"):
        assert run("deck", "hold-out", "mine.csv", "--to", name)[0] == 0
        seals.append(json.loads((tmp_path / name / "mine.seal.json").read_text())["sha256"])
    assert seals[0] != seals[1]
    status, said = run("deck", "hold-out", "mine.csv", "--to", "one")
    assert (status, "is there already" in said.err) == (1, True)
    status, said = run("deck", "hold-out", "one/mine.held-out.csv")
    assert (status, "is sealed already" in said.err) == (1, True)


def test_a_deck_with_errors_is_not_sealed(run, tmp_path):
    (tmp_path / "bad.csv").write_text("date;event\n-44;A general is stabbed.\n1500;Something begins.\n", "utf-8")
    status, said = run("deck", "hold-out", "bad.csv")
    assert (status, "has errors" in said.err) == (1, True)
    (tmp_path / "bad.csv").rename(tmp_path / "my bad.csv")
    _, said = run("deck", "hold-out", "my bad.csv")
    _, hint = " ".join(said.err.split()).rsplit("spieltisch ", 1)
    status, said = run(*shlex.split(hint))  # what it says to type
    assert (status, "line 2" in said.out) == (1, True)


def test_a_damaged_seal_is_refused(run, tmp_path):
    (tmp_path / "old.json").write_text('{"format": "spieltisch-seal/9"}')
    status, said = run("verify", "old.json")
    assert (status, "This seal cannot be read" in said.err) == (1, True)


def test_a_renamed_deck_gives_bots_the_same_figures_and_has_no_word_of_it(run, tmp_path):
    assert run("deck", "control", "mine.csv", "renamed", "--to", "renamed.csv")[0] == 0
    assert "Meeting" not in (tmp_path / "renamed.csv").read_text("utf-8")
    played = [simulate("anno-domini", "novice,chronicler", 6, deck=deck).played for deck in ("mine.csv", "renamed.csv")]
    assert played[0] == played[1]


def test_in_a_shifted_deck_every_card_has_another_date_and_no_comment(run):
    deck = open_deck(Path("mine.csv"))
    shifted = control(deck, "shifted", 3)
    pairs = [*zip(deck.table.rows, shifted.table.rows, strict=True)]
    assert all(old["en"] == new["en"] and old["date"] != new["date"] for old, new in pairs)
    assert sorted(old["date"] for old, _ in pairs) == sorted(new["date"] for _, new in pairs)
    assert not any(new["comment_en"] or new["comment_de"] for _, new in pairs)
    assert control(deck, "shifted", 3) == shifted != control(deck, "shifted", 4)


def test_decks_without_events_have_no_control_deck(run):

    with pytest.raises(Invalid, match="Only decks of events"):
        control(open_deck(shipped()["firsts"]), "shifted", 1)
