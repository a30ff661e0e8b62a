"""The people of a run: at tables of whispers, the game for faults, or at others with bots."""

import asyncio
import contextlib
import secrets

from msgspec.structs import replace

from chaos import checker
from chaos.clients import REST, WAIT, Page, Program
from spieltisch.game import Stale
from spieltisch.table.host import Host, Missing
from spieltisch.table.log import Chair, key_of
from spieltisch.table.store import Unsaved
from spieltisch.table.wake import Hub

ROUNDS = 20  # of a game, about 150 entries, which a restarted server replays
RESTS = 6.0  # seconds for which somebody keeps the clock waiting, longer than it may be late
CLOCK = 1.5  # seconds; not a whole number, so that questions come at any moment of a second
OPENED = 20.0  # seconds until a table is open, for which a new process may have to read the deck first
STAND = checker.STAND + 5.0


class Tables:
    """Tables and their people. `doors` are the servers that people ask, `store` is this process's own access to the
    tables, `opened` are all tables ever, `people` those present.
    """

    patience: tuple[float, ...] = (1.0, 2.0, WAIT)  # seconds, for people of different patience

    def __init__(self, asked, dice, history):
        self.asked, self.dice, self.history = asked, dice, history
        self.doors, self.store = [], None
        self.opened: list[str] = []
        self.people: list[Program | Page] = []
        self.stopped = asyncio.Event()  # nobody sits down any more
        self.losses = 0  # how often the store has lost entries
        self.odd: list[str] = []  # wrong in any case
        self.broken: list[str] = []  # requests without an answer, as faults may cause

    @property
    def pages(self):
        return [one for one in self.people if isinstance(one, Page)]

    async def _seat(self, n):
        """A table of whispers with two people of both kinds, sometimes a bot, and sometimes a clock that one of them
        keeps waiting.
        """
        bots, clock = {2} if n % 4 == 2 else set(), CLOCK if n % 4 == 1 else None
        losses = self.losses
        table, tokens = await open_table(self.store, bots=bots, clock=clock)
        if self.losses != losses:  # what there is of it, nobody knows
            raise Missing("there may be less of it")
        self.opened.append(table)
        people = []
        for seat in sorted({0, 1, 2} - bots):
            kind = Program if seat == n % 3 or seat == 0 else Page
            rest = 0.0 if clock is None else RESTS if seat == 2 else 0.1
            people.append(self._come(kind, table, seat, tokens[seat], rest + self.asked.rest))
        return people

    def _come(self, kind, table, seat, token, rest):
        """Let somebody take a seat."""
        more = {"name": f"{table}-{seat}", "rest": rest, "again": self.asked.again, "patience": self.patience}
        more["sticky"] = self.asked.sticky
        one = kind(self.history, self.doors, table, seat, token, **more)
        self.people.append(one)
        return one

    async def _evening(self, n, people):
        """One game after another, each when everybody has seen the end of the last."""
        while people:
            playing = {one: asyncio.create_task(one.play()) for one in people}
            try:
                for one in people:
                    if isinstance(one, Program):  # it leaves when the game is over or pauses
                        await playing[one]
                await asyncio.gather(*(one.stand(people[0].seen) for one in people))
                if self.stopped.is_set():
                    await asyncio.gather(*playing.values())
            finally:
                await ended(playing.values())
            await self._leave(people)
            people = await self._next(n)

    async def _next(self, n):
        """The people of the next game; none if everything has stopped."""
        while not self.stopped.is_set():
            with contextlib.suppress(Unsaved, Missing, Stale):  # two of them: a standby lacks the new table
                people = await self._seat(n)
                if not self.stopped.is_set():
                    return people
                await self._leave(people)
            await asyncio.sleep(REST)
        return []

    async def _leave(self, people):
        for one in people:
            self.people.remove(one)
            await one.close()
            self.odd += one.errors
            self.broken += one.broken

    def halt(self, table):
        """Note that a table is damaged: until people leave they see the moment before its damaged entry."""
        for one in self.people:
            if one.table == table:
                one.lossy = one.halted = True

    def give_up(self, table):
        """People leave a damaged table, and those of the evening open another one."""
        for one in self.people:
            one.gone = one.gone or one.table == table

    async def _solo(self, game):
        """Somebody opens tables with bots and plays there to the end."""
        number = 0
        while not self.stopped.is_set():
            number += 1
            losses = self.losses
            opener = Program(self.history, self.doors, "", 0, "", name=f"{game}-{number}", rest=0.1)
            opened = await opener.ask(opener.server(), "POST", "/play", {"game": game}, seconds=OPENED)
            await opener.close()
            if opened is None or opened.status != 201 or self.losses != losses:
                await asyncio.sleep(0.3)
                continue
            said = opened.json()
            name = f"{game}-{number}"
            one = Program(
                self.history, self.doors, said["table"], said["seat"], said["token"], name=name, rest=0.1, changes=True
            )
            if self.stopped.is_set():
                return
            self.people.append(one)
            self.opened.append(said["table"])
            await one.play()

    async def _answered(self):
        """Wait until everybody's last move has been answered or given up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(40):
                while any(one.waits for one in self.people):
                    await asyncio.sleep(0.05)

    async def _stand(self):
        """Owners pause their tables, so that nothing moves; then everybody looks until they see the newest entry."""
        here = [one for one in self.people if not one.gone]
        owners = {one.table: one for one in here if isinstance(one, Program) and one.seat == 0}
        await asyncio.gather(*(one.pause() for one in owners.values()))
        tables = {one.table for one in here}
        newest = {table: len(await self.store.log(table)) for table in tables}

        async def stand(one):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STAND):
                    await one.stand(newest[one.table])
                    return
            one.note("picture", seat=one.seat, seq=one.seen, after=one.seen, final=True)

        await asyncio.gather(*(stand(one) for one in here))


async def open_table(store, *, bots=(), clock=None):
    """A running game for three: its table, and the tokens of the seats. `clock`: seconds for each answer.

    Raises Unsaved if it cannot be written now; that table is then forgotten.
    """
    host = Host(store, Hub())
    tokens = [secrets.token_urlsafe(16) for _ in range(3)]
    setup = await host.open("whispers", 3, {"options": {"rounds": ROUNDS}}, key_of(tokens[0]))
    chairs = tuple(
        Chair("Nova", "bot") if seat in bots else Chair(f"P{seat}", "person", key_of(token))
        for seat, token in enumerate(tokens)
    )
    await host.change(setup.id, lambda old: replace(old, chairs=chairs, turn_seconds=clock, answer_seconds=clock))
    await host.start(setup.id)
    return setup.id, tokens


async def ended(tasks):
    """Wait until these end; an error reaches the caller."""
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
