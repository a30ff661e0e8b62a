"""Bots and clocks: their turns are logged actions, and nobody's breakdown holds up a table."""

import asyncio
import contextlib
import logging
import threading
import time
from typing import Literal

import msgspec
import pytest
from spieltisch.games.bids.rules import Accept, Doubt, Name  # ty: ignore[import-not-found] - tests/table/conftest.py

from spieltisch import games
from spieltisch.bots import beliefs_of
from spieltisch.bounded import TooMuchError
from spieltisch.dice import FastDice
from spieltisch.table import schedule, turns
from spieltisch.table.host import Host
from spieltisch.table.log import Chair, read_entry
from spieltisch.table.store import Unsaved
from spieltisch.table.turns import TurnRunner
from spieltisch.table.wake import Hub

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def running(host, **more):
    task = asyncio.create_task(TurnRunner(host, **more).run())
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.wait((task,))


async def until(host, id_, met, seconds=60):
    table = await host.table(id_)
    with host.hub.listen(id_) as news:
        async with asyncio.timeout(seconds):
            while not met(table):
                await news.wait()
    return table


async def entries(host, id_):
    return [read_entry(body) for body in await host.store.log(id_)]


async def test_bots_play_whole_games_even_on_bad_days(host, sit, caplog):
    caplog.set_level(logging.CRITICAL, "spieltisch.table.turns")  # their breakdowns are logged; we know
    async with running(host):
        tables = [await sit(host, "bids", ["bot"] * n, rounds=3) for n in (2, 3, 4)]
        tables.append(await sit(host, "climb", ["bot"]))  # a room without a bot: any legal action
        for id_ in tables:
            await until(host, id_, lambda table: table.setup.stage == "over")
            assert {entry.by for entry in (await entries(host, id_))[1:]} == {"bot"}


@pytest.mark.parametrize("chosen", [7, None, Name("x")])
async def test_a_bot_that_never_chooses_an_action_blocks_no_table(host, sit, caplog, monkeypatch, chosen):
    caplog.set_level(logging.CRITICAL, "spieltisch.table.turns")
    monkeypatch.setattr(type(games.package("bids").bot), "choose", lambda *_: chosen)
    async with running(host):
        id_ = await sit(host, "bids", ["bot"] * 3, rounds=2)
        await until(host, id_, lambda table: table.setup.stage == "over")


async def test_a_bot_from_elsewhere_that_never_ends_blocks_no_table(host, sit, caplog, monkeypatch):
    ends = threading.Event()
    monkeypatch.setattr(turns, "LONGEST", 0.2)
    monkeypatch.setattr(turns, "Worker", Unused)
    monkeypatch.setattr(type(games.package("bids").bot), "choose", lambda *_: ends.wait())
    try:
        async with running(host):
            endless = await sit(host, "bids", ["bot"] * 2, rounds=1)
            other = await sit(host, "climb", ["bot"])
            await until(host, other, lambda table: table.setup.stage == "over")
            await until(host, endless, lambda table: table.setup.stage == "over")
    finally:
        ends.set()
    assert "the bot of bids failed on seat" in caplog.text


class Unused:
    """Stands in for the process of slow bots, which would not find the toys."""

    async def do(self, *_given, seconds):
        assert seconds == turns.LONGEST
        raise TooMuchError

    def end(self):
        pass


async def test_a_turn_that_the_store_could_not_take_is_taken_as_soon_as_it_can(store, hub, sit, monkeypatch):
    monkeypatch.setattr(turns, "LEASE", 3600.0)
    append, failed = store.append, []

    async def fails(*given):
        monkeypatch.setattr(store, "append", append)
        failed.append(given)
        raise Unsaved

    host = Host(store, hub, pause=lambda: 0.0)
    id_ = await sit(host, "bids", ["bot", "bot"], rounds=3)
    monkeypatch.setattr(store, "append", fails)
    async with running(host):
        await until(host, id_, lambda table: table.setup.stage == "over")
    assert len(failed) == 1


async def test_a_claim_that_cannot_be_given_back_is_given_back_later(store, hub, sit, monkeypatch, caplog):
    monkeypatch.setattr(turns, "LEASE", 3600.0)
    append, renew = store.append, store.renew

    async def fails(*_):
        monkeypatch.setattr(store, "append", append)
        raise Unsaved

    async def breaks(held, lease, now):
        if held and not lease:
            monkeypatch.setattr(store, "renew", renew)
            raise RuntimeError
        return await renew(held, lease, now)

    host = Host(store, hub, pause=lambda: 0.0)
    id_ = await sit(host, "bids", ["bot", "bot"], rounds=3)
    monkeypatch.setattr(store, "append", fails)
    monkeypatch.setattr(store, "renew", breaks)
    async with running(host):
        await until(host, id_, lambda table: table.setup.stage == "over")
    assert "can neither be held on to nor given back" in caplog.text


async def test_a_claim_that_is_renewed_while_it_is_given_back_ends(store, again, hub, sit, monkeypatch):
    """Nobody would take the turn before that claim ends."""
    monkeypatch.setattr(turns, "LEASE", 3600.0)
    monkeypatch.setattr(turns, "RENEWED", 0.0)
    monkeypatch.setattr(turns, "POLL", 0.01)
    here, other = Host(store, hub), Host(again() if store.shared else store, Hub())
    id_ = await sit(here, "bids", ["person", "person"])
    await change(here, id_, turn_seconds=0.3)  # begins anew for whoever reads the table later
    table, renew, crossing, crossed = other.table, other.store.renew, asyncio.Event(), []
    waits = iter((0.1,))  # for a renewal to begin

    async def slow(asked):
        await asyncio.sleep(next(waits, 0))
        return await table(asked)

    async def crosses(held, seconds, now):
        done = await renew(held, seconds, now)
        if done and seconds == turns.LEASE:
            await crossing.wait()  # so the answer is under way while the claim is given back
        elif held and not crossed:
            crossed.append(held)
            crossing.set()
            await asyncio.sleep(0.02)
        return done

    monkeypatch.setattr(other, "table", slow)
    monkeypatch.setattr(other.store, "renew", crosses)
    async with running(other, patience=0.0), asyncio.timeout(10):
        while len(await entries(here, id_)) == 1:  # noqa: ASYNC110 - another process's
            await asyncio.sleep(0.01)
    assert crossed


async def test_a_turn_that_is_due_while_the_last_one_is_being_ended_is_not_claimed_twice(host, sit, monkeypatch):
    """Nobody would take it before that claim ends."""
    monkeypatch.setattr(turns, "LEASE", 3600.0)
    monkeypatch.setattr(turns, "POLL", 0.01)
    answer = host.answer

    async def slow(*given):
        verdict = await answer(*given)
        await asyncio.sleep(0.1)  # the entry is there, and so is the next turn
        return verdict

    monkeypatch.setattr(host, "answer", slow)
    id_ = await sit(host, "bids", ["bot", "bot"], rounds=2)
    async with running(host, patience=0.0):
        await until(host, id_, lambda table: table.setup.stage == "over")


async def test_a_bot_is_not_hurried_by_a_claim_for_an_earlier_question(store, again, hub, sit, monkeypatch):
    """A process that seemed gone has meanwhile answered what another one claimed, and the game went on."""
    here = Host(store, hub, pause=lambda: 0.0)
    other = Host(again() if store.shared else store, Hub(), pause=lambda: 3600.0)
    id_ = await sit(here, "bids", ["person", "bot", "person"])
    await here.answer(id_, 0, 1, Name(3))
    table, left = other.table, []

    async def late(asked):
        if not left:  # claimed, and not yet loaded
            left.append(asked)
            monkeypatch.setattr(here, "_pause", lambda: 3600.0)
            await here.answer(id_, 1, 2, Accept(), "bot")
            await here.answer(id_, 2, 2, Accept())  # now it is the bot that is to name a number, after an hour
        return await table(asked)

    monkeypatch.setattr(other, "table", late)
    async with running(other, patience=0.0):
        async with asyncio.timeout(10):
            while not left:  # noqa: ASYNC110 - another process's
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
    assert len(await entries(here, id_)) == 4


async def test_a_turn_that_another_process_has_taken_in_the_same_way_leaves_the_next_one_free(
    store, again, hub, sit, monkeypatch
):
    monkeypatch.setattr(turns, "LEASE", 3600.0)
    here = Host(store, hub, pause=lambda: 0.0)
    other = Host(again() if store.shared else store, Hub(), pause=lambda: 0.0)
    id_ = await sit(here, "bids", ["person", "bot", "bot"])
    await here.answer(id_, 0, 1, Name(3))
    table = await other.table(id_)
    for seat in (1, 2):  # what the other one does not hear
        await here.answer(id_, seat, 2, Accept(), "bot")

    async def accepts(_self, _table, _seat, legal):
        return legal[0]

    monkeypatch.setattr(TurnRunner, "_choose", accepts)
    async with running(other, patience=0.0):
        await until(other, id_, lambda table: table.seq > 4, 10)
    assert table.seq > 4


async def test_a_bots_pause_is_drawn_for_each_alone_and_kept_while_the_question_is(store, hub, sit):
    pauses = iter([1.0, 2.0, 3.0, 4.0, 5.0])
    host = Host(store, hub, clock=lambda: 100.0, pause=lambda: next(pauses))
    table = await host.table(id_ := await sit(host, "bids", ["person", "bot", "bot", "person"]))
    await host.answer(id_, 0, 1, Name(3))
    assert {turn.seat: turn.at for turn in table.turns} == {1: 101.0, 2: 102.0, 3: 115.0}
    await host.answer(id_, 3, 2, Accept())
    assert {turn.seat: turn.at for turn in table.turns} == {1: 101.0, 2: 102.0}
    assert store.shared or await store.claim(9, 1.0, 100.9) == {}  # a database has a clock of its own
    assert set(await store.claim(9, 1.0, 101.0)) == {id_}


@pytest.mark.parametrize("screened", [True, False])
@pytest.mark.parametrize(("game", "reveal"), [("anno-domini", "Doubt"), ("trailblaze", "Place")])
async def test_bots_wait_until_a_screen_for_all_has_shown_a_reveal(store, hub, screened, game, reveal):
    """For a fixed time, and only after a reveal."""
    host = Host(store, hub, clock=lambda: 100.0, pause=lambda: 1.0)
    id_ = (await host.open(game, 3)).id
    if screened:
        host.screens.add(id_)
    kinds: tuple[Literal["person", "bot"], ...] = ("person", "bot", "bot")
    for seat, kind in enumerate(kinds):
        await host.replace(id_, seat, Chair(f"{seat}", kind))
    table = await host.start(id_)
    dice, reveals = FastDice(3), 0
    while reveals < 3 and table.result is None:
        seat, seq = table.to_act[0], table.seq
        legal = table.legal(seat)
        wanted = [one for one in legal if type(one).__name__ == reveal] if seq > 3 else []
        await host.answer(id_, seat, table.question(seat), dice.choice(wanted or legal))
        shown = table.package.page.reveal_seconds(table.view(None).public)
        reveals += shown > 0
        rest = shown + schedule.SCREEN if shown and screened else 0.0
        asked = [turn.at for turn in table.turns if turn.by == "bot" and turn.question > seq]
        assert asked == [pytest.approx(101.0 + rest)] * len(asked)
    assert reveals


async def change(host, id_, **more):
    await host.change(id_, lambda setup: msgspec.structs.replace(setup, **more))


async def test_the_clock_enters_silence(host, sit):
    table = await host.table(id_ := await sit(host, "bids", ["person"] * 3))
    await change(host, id_, answer_seconds=600.0)  # until those who answer have done so, however slow the machine is
    async with running(host):
        await host.answer(id_, 0, 1, Name(3))
        await host.answer(id_, 1, 2, Accept())
        assert [(turn.seat, turn.by) for turn in table.turns] == [(2, "clock")]
        await change(host, id_, answer_seconds=0.3)
        await until(host, id_, lambda table: table.to_act == (1,))
    last = (await entries(host, id_))[-1]
    assert (last.seat, last.by, last.action) == (2, "clock", {"type": "Accept"})
    assert await host.answer(id_, 2, 2, Accept()) == "taken"  # what the player meant, a moment too late
    with pytest.raises(Exception, match="time to answer has run out"):
        await host.answer(id_, 2, 2, Doubt())
    assert not table.turns  # a turn of one's own has no clock


@pytest.mark.parametrize(
    ("kinds", "patience", "seconds", "clocks"),
    [
        (("person", "person", "person"), 1.0, 15.0, [115.0, 115.0]),
        (("person", "person", "person"), 2.5, 15.0, [115.0, 137.5]),
        (("person", "person", "person"), 0.0, 15.0, [115.0]),
        (("person", "person", "person"), 1.0, None, []),
        (("bot", "bot", "person"), 1.0, 15.0, []),
    ],
)
async def test_who_has_a_clock(store, hub, sit, kinds, patience, seconds, clocks):
    host = Host(store, hub, clock=lambda: 100.0)
    table = await host.table(id_ := await sit(host, "bids", kinds))
    await host.replace(id_, 2, Chair("slow", "person", patience=patience))
    await change(host, id_, answer_seconds=seconds)
    await host.answer(id_, 0, 1, Name(3))
    assert sorted(turn.at for turn in table.turns if turn.by == "clock") == clocks


async def test_who_shares_a_device_has_no_clock(store, hub, sit):
    host = Host(store, hub, clock=lambda: 100.0)
    table = await host.table(id_ := await sit(host, "bids", ["person"] * 3))
    for seat in (1, 2):
        await host.replace(id_, seat, Chair(f"{seat}", "person", "key of both"))
    await change(host, id_, turn_seconds=30.0)
    assert [(turn.seat, turn.at) for turn in table.turns] == [(0, 130.0)]
    await host.answer(id_, 0, 1, Name(3))
    assert not table.turns
    await host.replace(id_, 0, Chair("gone", "person", away=True))
    await host.answer(id_, 1, 2, Accept())
    await host.answer(id_, 2, 2, Accept())
    assert not table.turns  # only one device is left


async def test_the_clock_of_a_turn_is_off_by_default_and_a_bot_moves_where_nothing_can_be_passed(host, sit):
    table = await host.table(id_ := await sit(host, "bids", ["person"] * 2))
    assert not table.turns
    await change(host, id_, turn_seconds=0.2)
    clock = table.clock(0)
    assert (clock.seconds, table.clock(1)) == (0.2, None)
    await change(host, id_, turn_seconds=0.4)  # more time is given at once
    assert table.clock(0).at > clock.at
    async with running(host):
        await until(host, id_, lambda table: table.to_act == (1,))
    last = (await entries(host, id_))[-1]
    assert (last.seat, last.by, last.action["type"]) == (0, "clock", "Name")


async def test_the_clock_passes_a_turn_where_that_is_a_move(host, sit):
    id_ = await sit(host, "hic-haec-hoc", ["person"] * 2)
    await change(host, id_, turn_seconds=0.1, answer_seconds=None)
    async with running(host):
        await until(host, id_, lambda table: table.to_act == (1,))
    said = [(entry.seat, entry.by, entry.action["type"]) for entry in (await entries(host, id_))[1:3]]
    assert said == [(0, "clock", "Draw"), (0, "clock", "Pass")]


async def test_a_bot_goes_on_where_a_person_has_left_and_the_person_comes_back(host, sit):
    table = await host.table(id_ := await sit(host, "bids", ["person", "person"], rounds=100))
    chair = Chair("Livia", "person", "key")
    async with running(host):
        await host.replace(id_, 0, msgspec.structs.replace(chair, away=True))
        await until(host, id_, lambda table: table.to_act == (1,))
        assert (await entries(host, id_))[-1].by == "bot"
        await host.replace(id_, 0, chair)
        await host.answer(id_, 1, table.question(1), Accept())
        await host.answer(id_, 1, table.question(1), Name(3))
        await asyncio.sleep(0.1)
        assert table.to_act == (0,)
    assert [turn.by for turn in table.turns] == ["clock"]


async def test_after_a_restart_bots_go_on_though_nobody_opens_the_page(store, host, sit, again, caplog):
    caplog.set_level(logging.CRITICAL, "spieltisch.table.turns")
    id_ = await sit(host, "bids", ["bot", "bot"])
    other = Host(again(), Hub(), pause=lambda: 0.01)
    async with running(other):
        async with asyncio.timeout(60):
            while (await store.setup(id_)).stage != "over":  # noqa: ASYNC110 - from outside, as another process
                await asyncio.sleep(0.05)
    await other.store.close()


async def test_what_a_bot_believes_is_the_same_after_a_restart(host, sit, again):
    id_ = await sit(host, "bids", ["bot", "bot"])
    other = Host(again(), Hub())
    known = [await host.beliefs(id_, seat) for seat in (0, 1)]
    assert known == [await other.beliefs(id_, seat) for seat in (0, 1)]
    assert known[0] != known[1]
    climb = games.package("climb")
    assert beliefs_of(climb, climb.rules.setup(1, *climb.record.load(climb.record.default, 1)).hidden, b"", 0) is None
    await other.store.close()


async def test_a_broken_turn_is_tried_again_and_holds_up_no_other_table(host, sit, caplog, monkeypatch):
    monkeypatch.setattr("spieltisch.table.turns.LEASE", 0.05)
    caplog.set_level(logging.CRITICAL, "spieltisch.table")
    broken = await sit(host, "bids", ["bot", "bot"])
    whole = await sit(host, "bids", ["bot", "bot"])
    right = host.answer
    failures = []

    async def answer(table, *more):
        if table == broken and len(failures) < 3:
            failures.append(table)
            raise OSError("the disk is full")
        return await right(table, *more)

    monkeypatch.setattr(host, "answer", answer)
    async with running(host):
        await until(host, whole, lambda table: table.result)
        await until(host, broken, lambda table: table.result)
    assert len(failures) == 3


async def test_a_turn_at_a_table_of_which_the_store_has_less_is_soon_taken_anew(host, sit, caplog, monkeypatch):
    bots = await sit(host, "bids", ["bot", "bot"])
    bot = games.package("bids").bot  # which has bad days
    monkeypatch.setattr(
        bot, "choose", lambda view, legal, dice, _: turns.RANDOM.choose(view, legal, dice)
    )  # no bad days
    right = host.store.append
    losses = []

    async def append(table, *more):
        if len(losses) < 3:  # a standby has been promoted while this was on its way
            losses.append(table)
            host.memory.turn()
            return False
        return await right(table, *more)

    monkeypatch.setattr(host.store, "append", append)
    monkeypatch.setattr("spieltisch.table.turns.LEASE", 3600.0)  # only what is given back is soon taken
    async with running(host):
        while not (await host.table(bots)).result:  # noqa: ASYNC110 - it is another table each time
            await asyncio.sleep(0.01)
    assert len(losses) == 3
    assert not caplog.records


async def test_a_bot_that_thinks_long_thinks_in_a_process_of_its_own(host, sit, caplog):
    turns = TurnRunner(host)
    id_ = await sit(host, "hic-haec-hoc", ["bot", "bot"], mode="assisted")
    for seat in (0, 1):
        await host.replace(id_, seat, Chair(f"bot {seat}", "bot", level="grammaticus"))
    task = asyncio.create_task(turns.run())
    try:
        table = await until(host, id_, lambda table: table.seq >= 8 or table.result, 120)  # the kernel is compiled
        assert turns._process._pool is not None
        assert {entry.by for entry in (await entries(host, id_))[1:]} == {"bot"}
        assert not caplog.records  # it was the bot that chose
        for process in turns._process._pool._processes.values():
            process.kill()  # its death holds up nobody
        seen = table.seq
        await until(host, id_, lambda table: table.seq >= seen + 3 or table.result)
    finally:
        task.cancel()
        await asyncio.wait((task,))
    assert any("has died" in record.message for record in caplog.records) or table.result


@pytest.mark.parametrize("days", [1, -1])
async def test_a_clock_that_is_set_anew_ends_nothing_and_stops_nobody(store, hub, sit, monkeypatch, days):
    host = Host(store, hub, pause=lambda: 0.3)
    await host.table(id_ := await sit(host, "bids", ["person", "bot", "person"]))
    async with running(host):
        await host.answer(id_, 0, 1, Name(3))
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() + days * 86_400)
        await until(host, id_, lambda table: table.seq > 2)  # the bot has answered
        assert "clock" not in {entry.by for entry in await entries(host, id_)}
