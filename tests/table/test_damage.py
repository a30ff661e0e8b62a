"""What is damaged in a stored table: told apart from rules that changed, told once, and the table as it was before."""

import logging
import os

import pytest
from spieltisch.games.bids.rules import Accept, Name  # ty: ignore[import-not-found] - tests/table/conftest.py

from clock import Clock
from spieltisch.game import Stale
from spieltisch.table.host import Host
from spieltisch.table.log import Damaged, tag
from spieltisch.table.upgrade import judge
from spieltisch.table.wake import Hub
from spieltisch.web.server import logs

pytestmark = pytest.mark.anyio

PEOPLE = ["person"] * 4
MOVES = ((0, Name(3)), (1, Accept()), (2, Accept()))  # entries 2 to 4
ENTRY = "update log set entry = ? where id = ? and seq = ?"


async def played(host, sit):
    """A game with four entries; its code, and what seat 1 saw after each of them."""
    id_ = await sit(host, "bids", PEOPLE)
    table = await host.table(id_)
    seen = [table.view(1)]
    for seat, action in MOVES:
        await host.answer(id_, seat, table.question(seat), action)
        seen.append(table.view(1))
    return id_, seen


async def reopened(again, id_):
    other = Host(again(), Hub())
    return other, await other.table(id_)


BODIES = {
    "noise": os.urandom(60),
    "zeros": bytes(60),
    "nothing": b"",
    "no UTF-8": b'{"seat":0,"by":"\xff"}',
    "cut off": b'{"seat":1,"action":{"ty',
    "another shape": b"[1, 2]",
    "an object": b"{}",
    "no such seat": b'{"seat":9,"action":{"type":"Accept"}}',
    "no such action": b'{"seat":1,"action":{"type":"Dance"}}',
    "no action": b'{"seat":1}',
}


@pytest.mark.parametrize("seq", [2, 3, 4])
@pytest.mark.parametrize("what", BODIES)
async def test_a_damaged_entry_leaves_the_table_as_before(host, sit, again, place, what, seq):
    id_, seen = await played(host, sit)
    place.do(ENTRY, BODIES[what], id_, seq)
    other, table = await reopened(again, id_)
    assert (table.seq, table.view(1), table.to_act, table.setup.stage) == (seq - 1, seen[seq - 2], (), "playing")
    with pytest.raises(Damaged, match="restore this table from a backup"):
        await other.answer(id_, 1, table.question(1), Accept())
    assert (await judge(other.store, table.setup)).outlook == "damaged"
    assert len(place.ask("select seq from log where id = ?", id_)) == 4  # nothing is written over


@pytest.mark.parametrize("seq", [1, 2, 3])
async def test_a_missing_entry_is_damage(host, sit, again, place, seq):
    id_, seen = await played(host, sit)
    place.do("delete from log where id = ? and seq = ?", id_, seq)
    other, table = await reopened(again, id_)
    assert table.seq == seq - 1
    assert isinstance(table.halt, Damaged)
    if seq > 1:
        assert table.view(1) == seen[seq - 2]
    judged = await judge(other.store, table.setup)
    assert (judged.outlook, judged.entry) == ("damaged", seq)


@pytest.mark.parametrize("number", [0, -1, 7])
async def test_an_entry_with_a_wrong_number_is_damage(host, sit, again, place, number):
    id_, _ = await played(host, sit)
    place.do("update log set seq = ? where id = ? and seq = 4", number, id_)
    table = (await reopened(again, id_))[1]
    assert (isinstance(table.halt, Damaged), table.seq) == ((True, 3) if number > 0 else (False, 3))


@pytest.mark.parametrize(
    "statement",
    ["update plan set seed = ? where id = ?", "update deck set body = ? where ? = ?", "delete from deck where ? <> ?"],
)
async def test_a_damaged_seed_or_deck_stops_the_table_alone(host, sit, again, place, statement):
    id_, _ = await played(host, sit)
    values = (os.urandom(16), id_)
    if "deck" in statement:
        values = (os.urandom(99), id_, id_) if "body" in statement else (id_, "x")
    place.do(statement, *values)
    other, table = await reopened(again, id_)
    with pytest.raises(Damaged):
        await other.answer(id_, 1, 2, Accept())
    assert (await judge(other.store, table.setup)).entry == 0


async def test_a_damaged_setup_is_told(host, sit, again, place):
    id_, _ = await played(host, sit)
    place.do("update plan set body = ? where id = ?", os.urandom(80), id_)
    other = Host(again(), Hub())
    with pytest.raises(Damaged):
        await other.table(id_)
    assert [one async for one in other.store.playing()] == []
    assert list(await other.store.touched_last(5)) == []


async def test_rules_that_refuse_are_not_damage(host, sit, again, place):
    id_, seen = await played(host, sit)
    place.do(ENTRY, b'{"seat":0,"action":{"type":"Accept"}}', id_, 3)  # not asked: it was their own bid
    other, table = await reopened(again, id_)
    assert (table.seq, table.view(1)) == (2, seen[1])
    with pytest.raises(Stale, match="under different rules"):
        await other.answer(id_, 1, table.question(1), Accept())
    assert not isinstance(table.halt, Damaged)
    assert (await judge(other.store, table.setup)).outlook == "stuck"


async def test_each_damaged_table_is_logged(host, sit, again, place, caplog):
    """Of other lines of a kind, a few a minute are written."""
    tables = [await sit(host, "bids", PEOPLE) for _ in range(logs.EACH + 2)]
    for id_ in tables:
        place.do(ENTRY, b"", id_, 1)
    other = Host(again(), Hub())
    with caplog.filtering(logs.OftenEnough()):
        for id_ in tables:
            await other.table(id_)
    assert [tag(id_) in one.message for id_, one in zip(tables, caplog.records, strict=True)] == [True] * len(tables)


async def test_damage_is_logged_once_an_hour_and_table(host, sit, again, place, caplog):
    ids = [(await played(host, sit))[0] for _ in range(2)]
    for id_ in ids:
        place.do(ENTRY, b"\xff", id_, 4)
    clock = Clock(1000.0)
    other = Host(again(), Hub(), clock=clock, idle=0.0)

    def told():
        return [one.message for one in caplog.records if one.levelno == logging.ERROR]

    async def look():
        for id_ in ids * 5:
            await other.table(id_)
            await other.latest(id_)
            clock.time += 1
            other.sweep()

    await look()
    assert len(told()) == 2
    assert all("is damaged from entry 4 on" in one for one in told())
    assert not any(id_ in one for id_ in ids for one in told())
    clock.time += 3600
    await look()
    assert len(told()) == 4


async def test_a_finished_game_that_is_damaged_stays_finished(host, sit, again, place):
    id_, _ = await played(host, sit)
    table = await host.table(id_)
    while table.to_act:
        seat = table.to_act[-1]
        await host.answer(id_, seat, table.question(seat), table.legal(seat)[-1])
    place.do(ENTRY, b"\x00", id_, 3)
    with pytest.raises(Damaged):  # it is in memory, whole
        await host.record(id_)
    other, table = await reopened(again, id_)
    assert (table.setup.stage, table.seq) == ("over", 2)
    assert (await other.store.setup(id_)).stage == "over"
