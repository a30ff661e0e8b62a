"""Corrections travel from one server to another, and running games keep their cards."""

import asyncio
import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from decks.test_deck_command import run  # noqa: F401 - a fixture
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.check import open_deck
from spieltisch.decks.errata import corrected, errata, read_errata
from spieltisch.decks.library import Library, shipped
from spieltisch.decks.table import Row, hash_of
from spieltisch.game import Invalid
from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub

DAY = "2031-05-06"


def first(deck, n):
    """The deck with its first cards alone."""
    return replace(deck, table=replace(deck.table, rows=deck.table.rows[:n]))


@functools.cache
def short(name):
    """The first cards of a shipped deck: read when a test asks, since each process imports this file."""
    return first(open_deck(shipped()[name]), 20)


DECKS = st.sampled_from(["events", "firsts"]).map(short)


def changed(deck, **cards):
    """The deck with these cells of these cards changed; None takes a card out."""
    rows = [
        row if row["id"] not in cards else Row(row.line, row.cells | cards[row["id"]])
        for row in deck.table.rows
        if cards.get(row["id"], {}) is not None
    ]
    return replace(deck, table=replace(deck.table, rows=rows))


def changes(deck):
    """Some cards of a deck with their changes; None removes the card."""
    texts = st.text('abc ä„,\n"', min_size=1).map(str.strip)
    cells = st.dictionaries(st.sampled_from(["de", "comment_en", "source"]), texts, max_size=3)
    ids = st.sampled_from([row["id"] for row in deck.table.rows])
    return st.tuples(st.just(deck), st.dictionaries(ids, st.none() | cells, max_size=6))


@given(DECKS.flatmap(changes))
def test_errata_of_any_changes_lead_from_one_version_to_the_other(drawn):
    deck, cards = drawn
    new = changed(deck, **cards)
    found = read_errata(errata(deck, new, DAY).text())
    if not found.rows:
        assert found.before == found.after
        return
    done = corrected(deck, found)
    assert hash_of(done.table) == hash_of(new.table)
    assert {row["id"] for row in done.table.rows if row["corrected"] == DAY} == {
        one["card"] for one in found.rows if one["column"] != "id" or one["new"]
    }


def test_corrected_twice_or_from_another_version_is_refused():
    deck = short("events")
    card = deck.table.rows[0]["id"]
    new = changed(deck, **{card: {"date": "1001"}})
    found = errata(deck, new, DAY)
    with pytest.raises(Invalid, match="already"):
        corrected(corrected(deck, found), found)
    other = changed(deck, **{deck.table.rows[1]["id"]: {"en": "Something else happens."}})
    with pytest.raises(Invalid, match="for version"):
        corrected(other, found)
    with pytest.raises(Invalid, match="damaged"):
        corrected(deck, replace(found, rows=(found.rows[0] | {"new": "1002"},)))


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "#errata,events\ncard,column,old,new,source,date\n"])
def test_other_files_are_no_errata(text):
    with pytest.raises(Invalid):
        read_errata(text)


@pytest.mark.anyio
async def test_a_wrong_year_is_right_on_a_second_server_and_running_games_keep_it(tmp_path, run):  # noqa: F811
    decks = tmp_path / "data" / "spieltisch" / "decks"
    decks.mkdir(parents=True)
    good = open_deck(shipped()["events"])
    card = next(row for row in good.table.rows if row["series"] == "welt")
    bad = changed(good, **{card["id"]: {"date": "1234"}})
    for file in (decks / "mine.csv", tmp_path / "before.csv"):
        file.write_text(bad.text(), "utf-8")
    host = Host(SQLite(tmp_path / "tables.sqlite"), Hub(), library=Library(decks))
    running = await begun(host)
    before = await seen(host, running)
    assert b'"written":"1234"' in before

    (tmp_path / "mine.csv").write_text(good.text(), "utf-8")  # on the first server, where somebody has mended it
    written = await asyncio.to_thread(
        run, "errata", "./mine.csv", "--since", "./before.csv", "--to", "e.csv", "--day", DAY
    )
    assert (written[0], written[2]) == (0, "")
    status, out, err = await asyncio.to_thread(run, "apply-errata", "e.csv", "--language", "en")
    assert (status, err) == (0, "")
    assert "corrected cards: 1" in out
    [now] = [row for row in open_deck(decks / "mine.csv").table.rows if row["id"] == card["id"]]
    assert (now["date"], now["corrected"]) == (card["date"], DAY)

    assert await seen(host, running) == before
    await host.store.close()
    host = Host(SQLite(tmp_path / "tables.sqlite"), Hub(), library=Library(decks))  # started anew
    assert await seen(host, running) == before
    assert b'"written":"1234"' not in await seen(host, await begun(host))
    await host.store.close()
    status, _, err = await asyncio.to_thread(run, "apply-errata", "e.csv", "--language", "en")
    assert status == 1
    assert "already" in err


async def begun(host):
    """A game with the deck `mine`."""
    setup = await host.open("anno-domini", 2, {"options": {}, "deck": "mine"}, "", "en")
    bots = (Chair(kind="bot", name="A"), Chair(kind="bot", name="B"))
    await host.change(setup.id, lambda old: replace(old, chairs=bots))
    await host.start(setup.id, bytes(16))
    return setup.id


async def seen(host, table):
    """All that is kept of a game: its deck and its log."""
    setup = await host.store.setup(table)
    return b"".join([await host.store.deck(setup.header.deck), *await host.store.log(table)])


def test_a_corrected_copy_of_a_shipped_deck_counts_until_another_one_is_shipped(tmp_path, run, monkeypatch):  # noqa: F811
    decks = tmp_path / "data" / "spieltisch" / "decks"
    deck = open_deck(shipped()["firsts"])
    card = deck.table.rows[0]
    new = changed(deck, **{card["id"]: {"comment_en": f"{card['comment_en']} Really."}})
    (tmp_path / "e.csv").write_text(errata(deck, new, DAY).text(), "utf-8")
    assert run("apply-errata", "e.csv")[0] == 0
    assert Library(decks).path("firsts") == decks / "firsts.csv"
    assert Library(decks).deck("firsts", kind_of("firsts")).cards[0].comment["en"].endswith("Really.")
    (tmp_path / "firsts.csv").write_text("nothing", "utf-8")  # a name is no file of the folder where one works
    assert "Really." in run("export", "firsts")[1]
    text = (decks / "firsts.csv").read_text("utf-8")
    (decks / "firsts.csv").write_text(text.replace("#amends,", "#amends,0"), "utf-8")  # made of another release's deck
    assert Library(decks).path("firsts") == shipped()["firsts"]
    assert not Library(decks).deck("firsts", kind_of("firsts")).cards[0].comment["en"].endswith("Really.")
