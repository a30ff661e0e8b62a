"""A class is dealt to tables without a web server: one seat a pupil, whatever happens."""

import contextlib
import random

import pytest
from msgspec.structs import replace

from spieltisch import games
from spieltisch.classroom import classroom
from spieltisch.classroom.classroom import Plan
from spieltisch.classroom.classrooms import Classrooms
from spieltisch.classroom.counts import decided
from spieltisch.classroom.desk import Desk, seats_of_pupil
from spieltisch.classroom.figures import report
from spieltisch.classroom.keys import ClassKeys
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.table.host import Host
from spieltisch.table.log import key_of
from spieltisch.table.signing import Signer
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub

pytestmark = pytest.mark.anyio

GAME = "hic-haec-hoc"


@contextlib.asynccontextmanager
async def school(folder, **more):
    host = Host(SQLite(folder / "tables.sqlite"), Hub())
    classes, keys = Classrooms(host, 24.0), ClassKeys(Signer(b"secret"))
    yield Desk(host, classes, keys, **more), classes, keys, host
    await host.store.close()


async def with_pupils(classes, n, **plan):
    top = dict(games.package(GAME).record.default)
    room = await classes.make("7b", "en", Plan(GAME, top, level="discipula", **plan), 0)
    return await more_pupils(classes, room, n)


async def more_pupils(classes, room, n):
    for _ in range(n):
        room = await classes.change(room.id, lambda old: classroom.came(old, None, random.Random(1))[0])
    return room


async def seats(desk, room):
    """The number of seats that each pupil's present key opens, over all tables."""
    tables = await desk.tables(room)
    return {one.number: sum(len(seats_of_pupil(table.setup, one.number)) for table in tables) for one in room.pupils}


async def test_deal_seven_pupils_gives_each_one_seat(tmp_path):
    async with school(tmp_path) as (desk, classes, keys, _):
        room = await desk.deal(await with_pupils(classes, 7), "random", "")
        assert await seats(desk, room) == dict.fromkeys(range(1, 8), 1)
        for table in await desk.tables(room):
            for chair in table.setup.chairs:
                assert (chair.kind == "bot") == (chair.pupil == 0)
                assert not chair.pupil or chair.key == key_of(keys.pupil_key(room, chair.pupil))


async def test_deal_twice_from_the_same_page_refuses_and_leaves_no_table(tmp_path):
    async with school(tmp_path) as (desk, classes, _, host):
        before = await with_pupils(classes, 4)
        room = await desk.deal(before, "number", "")
        with pytest.raises(Illegal, match="already"):
            await desk.deal(before, "number", "")
        with pytest.raises(Illegal, match="already"):
            await desk.deal(room, "number", "")
        assert [table.id for table in (await classes.get(room.id)).tables] == [table.id for table in room.tables]
        assert len([one async for one in host.store.playing()]) == len(room.tables)


async def test_deal_in_an_unknown_way_is_refused(tmp_path):
    async with school(tmp_path) as (desk, classes, _, _host):
        with pytest.raises(Illegal, match="Nobody is here"):
            await desk.deal(await with_pupils(classes, 0), "random", "")
        with pytest.raises(Invalid):
            await desk.deal(await with_pupils(classes, 4), "by height", "")


async def test_deal_beyond_what_is_allowed_opens_nothing(tmp_path):
    asked = []

    def refuse(tables):
        asked.append(tables)
        raise Illegal("Not so many.")

    async with school(tmp_path, require_tables=refuse) as (desk, classes, _, host):
        with pytest.raises(Illegal, match="Not so many"):
            await desk.deal(await with_pupils(classes, 8), "random", "")
        assert asked == [2]
        assert [one async for one in host.store.playing()] == []


async def test_played_hears_of_each_dealt_deck(tmp_path):
    heard = []

    async def played(decks):
        heard.append(tuple(decks))

    async with school(tmp_path, played=played) as (desk, classes, _, _host):
        room = await desk.deal(await with_pupils(classes, 8), "random", "")
        assert heard == [tuple(table.setup.decks) for table in await desk.tables(room)]


@pytest.mark.parametrize("seed", range(6))
async def test_any_moves_swaps_and_latecomers_leave_one_seat_each(tmp_path, seed):
    dice = random.Random(seed)
    async with school(tmp_path) as (desk, classes, keys, _):
        room = await desk.deal(await with_pupils(classes, 9, size=3), "random", "")
        gone = set()
        for _ in range(12):
            pupils = [one.number for one in room.pupils if one.number not in gone]
            one, other = dice.sample(pupils, 2)
            with contextlib.suppress(Refused):
                match dice.choice(["move", "swap", "late", "away"]):
                    case "move":
                        room = await desk.move(room, one, dice.randint(1, len(room.tables)))
                    case "swap":
                        room = await desk.swap(room, one, other)
                    case "late":
                        room = await desk.seat_waiting(await more_pupils(classes, room, 1))
                    case "away":
                        await desk.give_up(room, one, room.table_of(one))
                        room = await classes.change(room.id, lambda old, one=one: classroom.moved(old, one, ""))
                        gone.add(one)
            room = await classes.get(room.id)
            await desk.settle(room, room.tables)
            found = await seats(desk, room)
            assert found == {number: int(room.table_of(number) != "") for number in found}
            for table in await desk.tables(room):
                held = {chair.key for chair in table.setup.chairs if chair.key}
                assert held == {key_of(keys.pupil_key(room, c.pupil)) for c in table.setup.chairs if c.pupil}


async def test_report_of_a_stopped_lesson_counts_its_claims(tmp_path):
    async with school(tmp_path) as (desk, classes, _, host):
        room = await desk.deal(await with_pupils(classes, 4), "number", "")
        [table] = await desk.tables(room)
        await host.change(table.id, begun)
        dice = random.Random(1)
        for _ in range(120):
            table = await host.table(table.id)
            if not table.to_act:
                break
            seat = table.to_act[0]
            with contextlib.suppress(Refused):
                await host.answer(table.id, seat, table.question(seat), dice.choice(list(table.legal(seat))))
        await host.close(table.id)
        count = await decided(host, [one.id for one in room.tables])
        found = report(room, count, host.library, whole=False)
        assert found.rows
        assert found.all.claims == sum(row.deed != "passed" for row in found.rows)
        assert sum(figures.claims for _, figures in found.pupils) == found.all.claims
        assert {name for name, _ in found.pupils} <= {one.name for one in room.pupils}
        assert sum(goal.figures.claims for goal in found.goals) >= found.all.claims


def begun(setup):
    """All begin to play."""

    return replace(setup, paused=False, waits=False)
