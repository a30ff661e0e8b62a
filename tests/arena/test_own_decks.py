"""Decks of one's own in simulations, the arena and the environments: one reader, and no card in what is published."""

import sys
from functools import partial

import msgspec
import pytest

from arena.test_served import HTTP, program
from spieltisch import new
from spieltisch.arena import arena, contest
from spieltisch.arena.play import play
from spieltisch.cli import app as cli
from spieltisch.decks.library import shipped
from spieltisch.game import Invalid
from spieltisch.study import simulate
from spieltisch.study.environments.setting import setting

SECRET = "A secret meeting of number"


def sheet(folder, words, name="mine.csv", first=1500):
    file = folder / name
    cards = [f"{first + 11 * n};{words} {n}." for n in range(40)]
    file.write_text("\n".join(["date;event", *cards]) + "\n", "utf-8")
    return file


def run(*words):
    return cli.app([*words], exit_on_error=False, result_action="return_value")


def test_same_dates_and_other_words_give_bots_the_same_figures(tmp_path):
    found = []
    for folder, words in (("one", SECRET), ("two", "Something else is opened as number")):
        (tmp_path / folder).mkdir()
        deck = sheet(tmp_path / folder, words)
        games = simulate("anno-domini", "novice,connoisseur,chronicler", 6, deck=deck)
        duels = arena("anno-domini", ["novice", "random"], 2, deck=deck)
        found.append((games.played, msgspec.structs.replace(games.figures, match=None), duels.played, duels.rows))
    assert found[0] == found[1]
    other = simulate("anno-domini", "novice,connoisseur,chronicler", 6)
    assert other.played != found[0][0]


def test_results_name_the_deck_and_its_hash_but_no_card(tmp_path):
    deck = sheet(tmp_path, SECRET)
    out, kept = tmp_path / "out.json", tmp_path / "kept"
    for command in (("simulate", "anno-domini", "--bots", "novice,random", "--games", "2"),
                    ("arena", "anno-domini", "novice", "random", "--deals", "1")):  # fmt: skip
        assert run(*command, "--deck", str(deck), "--json", str(out), "--keep", str(kept)) == 0
        assert run(*command, "--deck", str(deck), "--json", str(out), "--keep", str(kept)) == 0
        written = msgspec.json.decode(out.read_bytes())
        told = (written.get("match") or written["contest"])["deck"]
        assert told.keys() == {"name", "kind", "sha256"}
        assert told["name"] == "mine"
        assert SECRET not in out.read_text() + kept.read_text()
        sheet(tmp_path, "Another gathering of number")
        assert run(*command, "--deck", str(deck), "--keep", str(kept)) != 0, "results of another deck are mixed in"
        sheet(tmp_path, SECRET)
        kept.unlink()


def test_environments_play_with_a_file_too(tmp_path):
    found = setting("anno-domini", 2, deck=str(sheet(tmp_path, SECRET)))
    assert {card.front["en"] for card in found.deck.cards} == {f"{SECRET} {n}." for n in range(40)}


def test_a_deck_of_firsts_and_a_shipped_name_are_played_too(tmp_path, capsys):

    text = shipped()["firsts"].read_text("utf-8")
    (tmp_path / "firsts.csv").write_text(text, "utf-8")
    own = simulate("trailblaze", "novice,random", 2, deck=tmp_path / "firsts.csv")
    by_name = simulate("trailblaze", "novice,random", 2, deck="firsts")
    assert own.played == by_name.played == simulate("trailblaze", "novice,random", 2).played
    assert (own.series.deck is None, by_name.series.deck) == (False, None)


@pytest.mark.parametrize(
    ("game", "name", "said"),
    [
        ("adaman", "mine", "Adaman is played with the Decktet; the option extra adds cards to it"),
        ("adaman", "mine.csv", "mine.csv is a deck for Anno Domini, not for Adaman"),
        ("trailblaze", "mine.csv", "mine.csv is a deck for Anno Domini, not for Trailblaze"),
        ("hic-haec-hoc", "mine.csv", "mine.csv is a deck for Anno Domini, not for hic – haec – hoc"),
        ("hic-haec-hoc", "gone.csv", "gone.csv cannot be read: No such file or directory"),
        ("hic-haec-hoc", "nowhere", "there is no paradigm nowhere, only "),
        ("anno-domini", "gone.csv", "gone.csv cannot be read: No such file or directory"),
        ("anno-domini", "nowhere", "there is no deck nowhere, only "),
        ("anno-domini", "few.csv", "need a deck of at least 20 cards"),
    ],
)
def test_a_deck_that_cannot_be_played_is_refused_in_words(game, name, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sheet(tmp_path, SECRET)
    (tmp_path / "few.csv").write_text("date;event\n1500;One.\n1600;Two.\n", "utf-8")
    bots = ["random"] if game == "adaman" else ["random", "other=random"]
    for ask in (partial(contest, players=bots), partial(simulate, bots=["random"] * len(bots)), setting, new):
        if name != "nowhere" or game != "anno-domini" or ask not in (setting, new):  # these list their own kind only
            with pytest.raises(Invalid) as refused:
                ask(game, deck=name)
            assert said in str(refused.value)


def test_a_deck_of_forms_is_played_by_its_name_and_as_a_file(tmp_path):
    (tmp_path / "mine.csv").write_text(shipped()["ille"].read_text("utf-8"), "utf-8")
    found = []
    for deck in ("ille", tmp_path / "mine.csv"):
        done = simulate("hic-haec-hoc", "random,random", 2, deck=deck, options={"mode": "assisted"})
        duels = arena("hic-haec-hoc", ["random", "other=random"], 1, deck=deck, options={"mode": "assisted"})
        dealt = new("hic-haec-hoc", deck=deck, seed=1), setting("hic-haec-hoc", deck=deck)
        found.append((done.played, duels.played, *({card.form for card in one.deck.cards} for one in dealt)))
        assert "illīus" not in str(msgspec.json.encode(done.figures)) + duels.json()
    assert found[0] == found[1]
    assert found[0][0] != simulate("hic-haec-hoc", "random,random", 2, options={"mode": "assisted"}).played


BROKEN = {
    "date;event\n1500;One.\nsome day;Two.\n": "mine.csv, line 3: some day is not a date such as",
    "a;b\n1;2\n": "mine.csv cannot be read: line 1: there is no column for the date",
    "": "mine.csv cannot be read: the file is empty",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_sheet_is_told_by_its_name_and_its_own_line(text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text(text, "utf-8")
    for ask in (partial(contest, players=["random", "other=random"]), partial(setting, seats=2), new):
        with pytest.raises(Invalid) as refused:
            ask("anno-domini", deck="mine.csv")
        assert str(refused.value).startswith(BROKEN[text])
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    words = ["simulate", "anno-domini", "--bots", "random,random", "--deck", "mine.csv"]
    assert cli.app(words, exit_on_error=False, result_action="return_value") == 1
    said = capsys.readouterr().err
    assert not any(word in said for word in ("line", "cannot", "there is", "not a date", "the file"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
def test_programs_by_http_play_with_the_deck(tmp_path):
    player = program(tmp_path, "http", HTTP + "bot.play(table)")
    found = contest("anno-domini", [player, "novice"], seconds=100, deck=sheet(tmp_path, SECRET))
    (one,) = play(found, [next(found.placings(0))])
    assert one.why == ""
