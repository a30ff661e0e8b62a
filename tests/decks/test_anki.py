"""Packages for Anki: every card once, its texts nothing but texts, the same numbers each time."""

import io
import json
import sqlite3
import zipfile

import pytest

from spieltisch.decks.check import open_deck
from spieltisch.decks.exporting.anki import Note, package, packed
from spieltisch.decks.library import shipped
from spieltisch.game import Invalid


def read(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert sorted(archive.namelist()) == ["collection.anki2", "media"]
        base = sqlite3.connect(":memory:")
        base.deserialize(archive.read("collection.anki2"))
    return base


@pytest.mark.parametrize("name", ["events", "firsts"])
def test_every_card_is_there_once(name):
    deck = open_deck(shipped()[name])
    base = read(package(deck, "de"))
    n = len(deck.table.rows)
    counts = "select count(*), count(distinct id), count(distinct guid) from notes"
    assert base.execute(counts).fetchone() == (n, n, n)
    assert base.execute("select count(*) from cards join notes on notes.id = nid").fetchone() == (n,)
    fronts = {row["de"] for row in deck.table.rows}
    assert {fields.split("\x1f")[0] for (fields,) in base.execute("select flds from notes")} == fronts
    models, decks = map(json.loads, base.execute("select models, decks from col").fetchone())
    assert len(next(iter(models.values()))["flds"]) == 4
    assert {str(did) for (did,) in base.execute("select distinct did from cards")} < {*decks}
    base.close()


def test_cards_of_a_series_and_of_a_goal_can_be_asked_for_in_anki():
    deck = open_deck(shipped()["events"])
    base = read(package(deck, "de"))
    goals = [row["goal"] for row in deck.table.rows if "rome" in row["goal"].split(";")]
    asked = "select count(*) from notes where tags like '% schule %' and tags like '% rome %'"
    (tagged,) = base.execute(asked).fetchone()
    assert tagged == len(goals) > 0
    base.close()


def test_a_package_made_again_has_the_same_numbers():
    notes = [Note("a", ("<b>x</b> & y", "44 BC", "c", "s"), ("two words",))]
    one, other = read(packed("T", "t", notes)), read(packed("Title", "t", notes))
    rows = [base.execute("select id, guid, mid, tags, flds from notes").fetchall() for base in (one, other)]
    assert rows[0] == rows[1]
    assert rows[0][0][3:] == (" two-words ", "&lt;b&gt;x&lt;/b&gt; &amp; y\x1f44 BC\x1fc\x1fs")
    one.close()
    other.close()


def test_brackets_play_no_sound_and_run_no_tex():
    evil = "[sound:a.mp3] [latex]x[/latex] [$]y[/$] {{c1::z}}"
    base = read(packed("T", "t", [Note("a", (evil, evil, evil, evil))]))
    (fields,) = base.execute("select flds from notes").fetchone()
    assert not {*"[]{}"} & {*fields}
    assert fields.startswith("&#91;sound:a.mp3&#93; ")
    base.close()


def test_a_package_made_later_is_newer_so_that_anki_renews_its_cards(monkeypatch):
    mods = []
    for now in (1_700_000_000.5, 1_700_000_002.0):
        monkeypatch.setattr("time.time", lambda now=now: now)
        base = read(packed("T", "t", [Note("a", ("front", "44 BC", "", ""))]))
        mods += base.execute("select notes.mod, cards.mod from notes join cards on nid = notes.id")
        base.close()
    assert mods == [(1_700_000_000, 1_700_000_000), (1_700_000_002, 1_700_000_002)]


def test_forms_are_not_learned_so():
    with pytest.raises(Invalid, match="Anki"):
        package(open_deck(shipped()["hic"]), "de")


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Rom", ["Rom"]),
        ("Geschichte::Rom", ["Geschichte", "Geschichte::Rom"]),
        (" Latein :: Formen::hic ", ["Latein", "Latein::Formen", "Latein::Formen::hic"]),
        ("Rom::", ["Rom"]),
        ("::", ["Spieltisch"]),
        ("C++: Grundlagen", ["C++: Grundlagen"]),
    ],
)
def test_colons_in_a_title_put_the_deck_into_another(title, names):
    base = read(packed(title, "t", [Note("a", ("x", "44 BC", "c", "s"))]))
    (decks,) = base.execute("select decks from col").fetchone()
    own = {number: one["name"] for number, one in json.loads(decks).items() if number != "1"}
    assert sorted(own.values()) == sorted(names)
    (of,) = base.execute("select did from cards").fetchone()
    assert own[str(of)] == names[-1]
    assert all(int(number) == one["id"] for number, one in json.loads(decks).items())
    base.close()
