"""Lets bots and clocks have their turns. What they do are ordinary logged actions, marked `by`.

Whoever is to take a turn claims it: of several processes on one store one thinks. What counts is the log, as for
people: whoever held a claim, stood still and comes back too late with an answer is refused as they are.
"""

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from math import inf
from typing import Any

from msgspec import Struct

from spieltisch import games
from spieltisch.bounded import Worker
from spieltisch.dice import FastDice
from spieltisch.game import GameView, Illegal, Stale
from spieltisch.package import Bot
from spieltisch.table.host import Host, Missing, Table
from spieltisch.table.log import tag
from spieltisch.table.schedule import DueTurn, unanswered
from spieltisch.table.store import Unsaved
from spieltisch.table.tasks import end
from spieltisch.table.timing import Times

RANDOM = Bot()  # plays where a game's own bot fails

log = logging.getLogger(__name__)

POLL = 1.0  # seconds between looks into the store: for tables that nobody has in memory
SLOW = 0.005  # seconds of thinking from which on a game's bot of a level thinks in a process of its own
LEASE = 10.0  # seconds after which others take over from a process of which they do not know that it is gone
RENEWED = 3.0  # seconds after which what is still being thought about is claimed anew
IDLE = 3600.0  # seconds until somebody looks again at a table that cannot go on
AT_ONCE = 64  # tables
GIVE_BACK = 0.5  # seconds that it may take at the end


class TurnRunner:
    """The turns of one host's tables. `await run()` never ends; cancel it to stop.

    Turns at tables that are in memory are taken when they are due, others `patience` seconds later: until then it is
    left to whoever has them in memory.
    """

    def __init__(self, host: Host, *, patience: float = POLL) -> None:
        self._host = host
        self._patience = patience
        self._dice = FastDice()  # for bots that think one after the other
        self._slow: dict[tuple[str, int, str], bool] = {}  # by game, version of its rules, and level
        self._process = Worker()
        self._playing: dict[str, asyncio.Task[None]] = {}
        self.thinking: defaultdict[str, Times] = defaultdict(Times)  # by game, until a bot has chosen
        self._held: dict[str, float] = {}  # what has been claimed, until when
        self._unused: dict[str, float] = {}  # the same of turns that the store could not take
        self._stopped = False

    @property
    def running(self) -> int:
        """At how many tables a turn is being taken."""
        return len(self._playing)

    def stop(self) -> None:
        """Begin no more turns; those that are being taken go on until `run` is cancelled."""
        self._stopped = True

    async def run(self) -> None:
        """Take all turns when they are due, those first that were due while no host ran."""
        host, looked, renewed = self._host, float("-inf"), float("-inf")
        try:
            while True:
                now = host.clock()
                mine = {id_ for id_ in host.agenda.take(now) - self._playing.keys() if host.memory.is_due(id_, now)}
                if look := now - looked >= POLL:
                    looked = now
                    host.sweep()
                    await self._give_up()
                if not self._stopped and (look or mine):
                    await self._begin(mine)
                if now - renewed >= RENEWED:
                    renewed = now
                    await self._renew()
                await host.agenda.wait(host.clock(), POLL)
        finally:
            await end(self._playing.values())
            self._process.end()

    async def _begin(self, mine: set[str]) -> None:
        """Claim what is due, and play there."""
        host = self._host
        try:
            busy = [*self._playing]  # a turn may be due there whose last one is only just being ended
            claimed = await host.store.claim(AT_ONCE, LEASE, host.clock(), mine, self._patience, busy)
        except Unsaved:  # the store has told it
            for table in mine:
                host.agenda.put(host.clock() + POLL, table)
            return
        except Exception:
            log.exception("what is due cannot be looked for")
            return
        self._held |= claimed
        if len(claimed) == AT_ONCE:
            for table in mine - claimed.keys():
                host.agenda.put(host.clock(), table)
        for table in claimed:
            task = self._playing[table] = asyncio.create_task(self._play(table))
            task.add_done_callback(lambda task, id_=table: self._over(id_, task))

    async def _renew(self) -> None:
        """Hold on to what is being thought about."""
        held = {table: until for table, until in self._held.items() if table in self._playing}
        for table, until in (await self._prolong(held, LEASE) or {}).items():
            if self._held.get(table) == held[table]:
                self._held[table] = until
            elif table not in self._held:  # nobody thinks there any more
                self._unused[table] = until

    async def _give_up(self) -> None:
        """Give back what could not be used, once the store answers again."""
        unused = dict(self._unused)
        if await self._prolong(unused, 0.0) is not None:
            self._unused = {table: until for table, until in self._unused.items() if unused.get(table) != until}

    async def _prolong(self, held: dict[str, float], seconds: float) -> dict[str, float] | None:
        """As the store's `renew`; None where that cannot be done just now."""
        try:
            return await self._host.store.renew(held, seconds, self._host.clock())
        except Unsaved:  # the store has told it
            return None
        except Exception:
            log.exception("what has been claimed can neither be held on to nor given back")
            return None

    async def _play(self, id_: str) -> None:
        """Take what is due at a table. Whatever goes wrong here, the table goes on when the claim has ended."""
        host, agenda = self._host, self._host.agenda
        try:
            table = await host.table(id_)
            seq, rev, now = table.seq, table.setup.rev, host.clock()
            took = (until := table.setup.begins) is not None and until <= now
            if took:
                await host.begin(id_)
            elif due := [turn for turn in table.turns if turn.at <= now] or await self._due_elsewhere(table):
                took = await self._take(table, due[0])
            for turn in table.turns:  # the next ones, and what came onto the agenda while we were busy here
                agenda.put(turn.at, id_)
            if not took:
                now_there = await host.table(id_)  # another one where it had to be read anew
                changed = now_there is not table or (seq, rev) != (table.seq, table.setup.rev)
                await self._leave(now_there, changed=changed)
        except Missing:
            return
        except Unsaved:  # which the store has told
            if id_ in self._held:
                self._unused[id_] = self._held[id_]
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):  # else it ends by itself
                async with asyncio.timeout(GIVE_BACK):
                    await self._give_back(id_, 0.0)
            raise
        except Exception:
            log.exception("table %s: a turn failed", tag(id_))
        finally:
            self._over(id_, asyncio.current_task())

    async def _due_elsewhere(self, table: Table) -> list[DueTurn]:
        """The turns of bots whose pauses another process has drawn. They are due if the table still is as it was when
        it was claimed: it may have come to new questions since.
        """
        bots = [turn for turn in table.turns if turn.by == "bot"]
        if not bots or (until := self._held.get(table.id)) is None:
            return []
        still = await self._prolong({table.id: until}, LEASE) or {}
        self._held |= still
        return bots if still else []

    async def _leave(self, table: Table, *, changed: bool) -> None:
        """Nothing was written, so the claim stands still: until something is due here, as this process sees it."""
        rest = min((turn.at for turn in table.turns), default=inf) - self._host.clock()
        if changed or rest > 0:  # else something is wrong here, and the claim ends by itself
            await self._give_back(table.id, 0.0 if changed else min(rest, IDLE))

    async def _give_back(self, id_: str, seconds: float) -> None:
        if id_ in self._held:
            await self._host.store.renew({id_: self._held[id_]}, seconds, self._host.clock())

    def _over(self, id_: str, task: asyncio.Task[Any] | None) -> None:
        """A task plays no more at the table; another one may have begun there already."""
        if self._playing.get(id_) is task:
            del self._playing[id_]
            self._held.pop(id_, None)

    async def _take(self, table: Table, turn: DueTurn) -> bool:
        """Whether the turn was taken here: what has been written ends the claim, what others wrote ended theirs."""
        legal = table.legal(turn.seat)
        if not legal or table.question(turn.seat) != turn.question:
            return False  # answered meanwhile
        action = unanswered(table.package, legal) if turn.by == "clock" else None
        if action is None:
            action = await self._choose(table, turn.seat, legal)
        try:
            return await self._answer(table, turn, action)
        except Illegal:
            log.exception("table %s: %r by the %s on seat %d is refused", tag(table.id), action, turn.by, turn.seat)
            return await self._answer(table, turn, RANDOM.choose(table.view(turn.seat), legal, self._dice))

    async def _answer(self, table: Table, turn: DueTurn, action: Struct) -> bool:
        """Whether it was taken here. It is not where the table has moved on meanwhile, or the store has less of it."""
        try:
            return await self._host.answer(table.id, turn.seat, turn.question, action, turn.by) == "taken"
        except Stale:
            return False

    async def _choose(self, table: Table, seat: int, legal: Sequence[Struct]) -> Struct:
        """What the game's bot does; a random action where it fails: no bot may hold up a table."""
        view, package = table.view(seat), table.package
        try:
            with self.thinking[package.name].timed():
                return await self._thought_of(table, seat, view, legal)
        except BrokenProcessPool:
            log.exception("table %s: the process in which the bot of %s thinks has died", tag(table.id), package.name)
            return RANDOM.choose(view, legal, self._dice)
        except Exception:
            log.exception("table %s: the bot of %s failed on seat %d", tag(table.id), package.name, seat)
            return RANDOM.choose(view, legal, self._dice)

    async def _thought_of(self, table: Table, seat: int, view: GameView, legal: Sequence[Struct]) -> Struct:
        """What the game's bot chooses; whatever it raises reaches the caller. Slow bots think in another process."""
        package, beliefs = table.package, await self._host.beliefs(table.id, seat)
        game = (package.name, package.rules.version)
        kind = (*game, package.level(table.setup.chairs[seat].level))
        slow = self._slow.get(kind, kind[-1] in package.bot.slow_levels or None)
        if slow is None:  # nobody knows yet
            action, seconds = await asyncio.to_thread(_think, game, view, legal, FastDice(), beliefs)
        elif slow:
            action, seconds = await self._process.do(_think, game, view, legal, FastDice(), beliefs)
        else:
            action, seconds = _think(game, view, legal, self._dice, beliefs)
        self._slow[kind] = slow or seconds > SLOW  # once slow, for good: not every choice takes thought
        return action


def _think(
    game: tuple[str, int], view: GameView, legal: Sequence[Struct], dice: FastDice, beliefs: object
) -> tuple[Struct, float]:
    bot = games.package(*game).bot
    begun = time.thread_time()
    action = bot.choose(view, legal, dice, beliefs)
    return action, time.thread_time() - begun
