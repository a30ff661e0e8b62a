"""Each turn is announced once, whichever process dies or looks; failures are repeated; idle tables cost little."""

import asyncio

import pytest

from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.reminders import PREFIX, Hook, Reminder, ReminderService
from spieltisch.table.wake import Hub

pytestmark = pytest.mark.anyio
NAMES = ("Ada", "Ben", "Cleo")
DAY = 86_400.0


class Teller:
    """Notes who is told of which turn, and fails as often as it should."""

    def __init__(self):
        self.told = []
        self.begun, self.goes = asyncio.Event(), asyncio.Event()
        self.goes.set()
        self.fails = 0

    async def send(self, one, _table, _seats, turn):
        self.told.append((one.key, turn.rpartition(".")[2]))
        self.begun.set()
        await self.goes.wait()
        if self.fails:
            self.fails -= 1
            raise OSError


@pytest.fixture
def process(again, clock):
    """Another process on the same store: its host, and its service with the teller."""

    def begin(teller):
        host = Host(again(), Hub(), clock=clock)
        return host, ReminderService(host, teller.send)

    return begin


async def reminded(host, service):
    """A table at which everybody is told."""
    setup = await host.open("bids", len(NAMES), {"options": {"rounds": 3}})
    for seat, name in enumerate(NAMES):
        await host.replace(setup.id, seat, Chair(name, "person", name))
        await service.change(setup.id, lambda old, name=name: old.having(Reminder(name, "en", Hook("u", "s"))))
    return await host.start(setup.id)


async def move(host, id_):
    table = await host.latest(id_)
    seat = table.to_act[0]
    await host.answer(id_, seat, table.question(seat), table.legal(seat)[0])
    return (await host.table(id_)).to_act


async def test_each_turn_is_told_once_also_after_a_restart(process, clock):
    teller = Teller()
    host, service = process(teller)
    table = await reminded(host, service)
    for _ in range(3):
        await service.look(table.id)
        clock.time += 60
    assert teller.told == [(NAMES[table.to_act[0]], "1")]
    to_act = await move(host, table.id)  # and the process dies
    _, service = process(teller)
    for _ in range(3):
        await service.look(table.id)
        clock.time += 60
    assert {key for key, _ in teller.told[1:]} == {NAMES[seat] for seat in to_act}
    assert len({*teller.told}) == len(teller.told)


async def test_of_several_processes_one_tells(process, clock):
    teller = Teller()
    host, service = process(teller)
    table = await reminded(host, service)
    others = [process(teller) for _ in range(3)]
    for _ in range(6):
        await asyncio.gather(*(one.look(table.id) for one in (service, *(other for _, other in others))))
        table = await host.table(table.id)
        assert {(NAMES[seat], str(table.question(seat))) for seat in table.to_act} <= {*teller.told}
        assert len({*teller.told}) == len(teller.told)
        await move(host, table.id)
        for other, _ in others:  # they hear of it
            await other.refresh([table.id])
        clock.time += 60


async def test_a_process_that_dies_while_it_sends_leaves_it_to_another(process, clock):
    teller = Teller()
    host, service = process(teller)
    table = await reminded(host, service)
    teller.goes.clear()
    looking = asyncio.create_task(service.look(table.id))
    await teller.begun.wait()
    _, other = process(teller)
    await other.look(table.id)
    assert len(teller.told) == 1
    looking.cancel()
    teller.goes.set()
    assert not await host.store.due_documents(clock.time, PREFIX)
    clock.time += 60
    assert await host.store.due_documents(clock.time, PREFIX)
    await other.look(table.id)
    assert len(teller.told) == 2
    assert len({*teller.told}) == 1  # whoever is told twice can see that it is the same


async def test_what_fails_is_tried_again_and_given_up(process, clock):
    teller = Teller()
    host, service = process(teller)
    teller.fails = 1000
    table = await reminded(host, service)
    begun, tried = clock.time, []
    while clock.time < begun + DAY:
        if await host.store.due_documents(clock.time, PREFIX):
            before = len(teller.told)
            await service.look(table.id)
            tried += [clock.time - begun] * (len(teller.told) - before)
        clock.time += 30
    assert tried == pytest.approx([0, 60, 360, 2160, 9360, 30_960], abs=180)
    assert len({*teller.told}) == 1


async def test_one_that_fails_keeps_nobody_from_hearing_once(process, clock):
    teller = Teller()
    host, service = process(teller)
    table = await reminded(host, service)
    await service.change(table.id, lambda old: old.having(Reminder("Ada", "en", Hook("v", "s"))))
    teller.fails = 1
    for _ in range(4):
        await service.look(table.id)
        clock.time += 60
    assert teller.told == 2 * [("Ada", "1")]  # the first time failed


async def test_a_table_that_rests_is_looked_at_seldom(process, clock):
    host, service = process(Teller())
    table = await reminded(host, service)

    async def until_next():
        await service.look(table.id)
        begun = clock.time
        while not await host.store.due_documents(clock.time, PREFIX):
            clock.time += 30
        return clock.time - begun

    assert await until_next() == pytest.approx(60, abs=30)
    clock.time += DAY
    assert await until_next() == pytest.approx(DAY / 60, abs=60)
    clock.time += 30 * DAY
    assert await until_next() == pytest.approx(3600, abs=60)
    await move(host, table.id)
    assert await until_next() == pytest.approx(60, abs=30)


async def test_people_are_forgotten_with_their_seat_their_name_and_the_table(process, clock):
    teller = Teller()
    host, service = process(teller)
    table = await reminded(host, service)

    async def people():
        await service.look(table.id)
        clock.time += 60
        return [one.key for one in (await service.get(table.id)).people]

    assert await people() == [*NAMES]
    await host.replace(table.id, 1, Chair("Ben's bot", "bot"))
    assert await people() == ["Ada", "Cleo"]
    await host.forget(clock.time + 1)  # names alone, since the game is not over
    assert await people() == []
    assert await host.store.document(PREFIX + table.id) is None
    await service.change(table.id, lambda old: old.having(Reminder("Ada", "en", Hook("u", "s"))))
    await host.delete(table.id)
    assert await people() == []
    assert await host.store.document(PREFIX + table.id) is None


async def test_what_a_player_changes_while_others_are_told_stays(process):
    teller = Teller()
    host, service = process(teller)
    table = await reminded(host, service)
    teller.goes.clear()
    looking = asyncio.create_task(service.look(table.id))
    await teller.begun.wait()
    await service.forget(table.id, "Cleo")
    await service.change(table.id, lambda old: old.having(Reminder("Ada", "de", Hook("w", "s"))))
    teller.goes.set()
    await looking
    assert {one.key: one.to.url for one in (await service.get(table.id)).people} == {"Ben": "u", "Ada": "w"}
