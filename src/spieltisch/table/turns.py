"""Takes the turns of bots and clocks. They are ordinary log entries, marked `by`.

A process claims a table before it takes a turn there, so of several processes on one store only one thinks. The log
decides, as for people: a process that was suspended and answers after its claim ended is refused.
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

import msgspec
from msgspec import Struct

from spieltisch import games
from spieltisch.bounded import TooMuchError, Worker, apart
from spieltisch.dice import FastDice
from spieltisch.game import GameView, Illegal, Stale
from spieltisch.package import Bot
from spieltisch.table.durations import Times
from spieltisch.table.host import Host, Missing, Table
from spieltisch.table.log import tag
from spieltisch.table.schedule import DueTurn, unanswered
from spieltisch.table.store import Unsaved
from spieltisch.table.tasks import end

RANDOM = Bot()  # plays if a game's own bot fails

log = logging.getLogger(__name__)

POLL = 1.0  # seconds between looks into the store for tables that no process has in memory
SLOW = 0.005  # a bot that thinks for more seconds gets a process of its own
LONGEST = 60.0  # seconds that a bot of a game from elsewhere may think
LEASE = 10.0  # seconds until other processes take over from one that died unnoticed
RENEWED = 3.0  # seconds between renewals of a claim
IDLE = 3600.0  # seconds until the next look at a table that cannot continue
AT_ONCE = 64  # tables
GIVE_BACK = 0.5  # seconds for giving claims back at the end


class TurnRunner:
    """Takes the turns at one host's tables. `await run()` never ends; cancel it to stop.

    It takes turns at tables in memory when they are due. It leaves other tables for `patience` seconds to the process
    that has them in memory.
    """

    def __init__(self, host: Host, *, patience: float = POLL) -> None:
        self._host = host
        self._patience = patience
        self._dice = FastDice()  # for bots that think in this process
        self._slow: dict[tuple[str, int, str], bool] = {}  # by game, version of its rules, and level
        self._process = Worker()
        self._playing: dict[str, asyncio.Task[None]] = {}
        self.thinking: defaultdict[str, Times] = defaultdict(Times)  # by game: how long bots took to choose
        self._held: dict[str, float] = {}  # claims, with the time at which they end
        self._unused: dict[str, float] = {}  # claims whose turns the store could not take
        self._stopped = False

    @property
    def running(self) -> int:
        """The number of tables at which a turn is being taken."""
        return len(self._playing)

    def stop(self) -> None:
        """Begin no more turns. Those in progress continue until `run` is cancelled."""
        self._stopped = True

    async def run(self) -> None:
        """Take all turns when they are due, first those that became due while no host ran."""
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
            busy = [*self._playing]  # a turn may be due where the last one is just ending
            claimed = await host.store.claim(AT_ONCE, LEASE, host.clock(), mine, self._patience, busy)
        except Unsaved:  # the store has reported it
            for table in mine:
                host.agenda.put(host.clock() + POLL, table)
            return
        except Exception:
            log.exception("cannot look for due turns")
            return
        self._held |= claimed
        if len(claimed) == AT_ONCE:
            for table in mine - claimed.keys():
                host.agenda.put(host.clock(), table)
        for table in claimed:
            task = self._playing[table] = asyncio.create_task(self._play(table))
            task.add_done_callback(lambda task, id_=table: self._over(id_, task))

    async def _renew(self) -> None:
        """Renew the claims on turns in progress."""
        held = {table: until for table, until in self._held.items() if table in self._playing}
        for table, until in (await self._prolong(held, LEASE) or {}).items():
            if self._held.get(table) == held[table]:
                self._held[table] = until
            elif table not in self._held:  # this turn has ended
                self._unused[table] = until

    async def _give_up(self) -> None:
        """Give back unusable claims, once the store answers again."""
        unused = dict(self._unused)
        if await self._prolong(unused, 0.0) is not None:
            self._unused = {table: until for table, until in self._unused.items() if unused.get(table) != until}

    async def _prolong(self, held: dict[str, float], seconds: float) -> dict[str, float] | None:
        """Like the store's `renew`; None if the store cannot do it now."""
        try:
            return await self._host.store.renew(held, seconds, self._host.clock())
        except Unsaved:  # the store has reported it
            return None
        except Exception:
            log.exception("what has been claimed can neither be held on to nor given back")
            return None

    async def _play(self, id_: str) -> None:
        """Take what is due at a table. Errors end here; the table continues when the claim ends."""
        host, agenda = self._host, self._host.agenda
        try:
            table = await host.table(id_)
            seq, rev, now = table.seq, table.setup.rev, host.clock()
            took = (until := table.setup.begins) is not None and until <= now
            if took:
                await host.begin(id_)
            elif due := [turn for turn in table.turns if turn.at <= now] or await self._due_elsewhere(table):
                took = await self._take(table, due[0])
            for turn in table.turns:  # also turns that became due in the meantime
                agenda.put(turn.at, id_)
            if not took:
                now_there = await host.table(id_)  # another object if it had to be read again
                changed = now_there is not table or (seq, rev) != (table.seq, table.setup.rev)
                await self._leave(now_there, changed=changed)
        except Missing:
            return
        except Unsaved:  # the store has reported it
            if id_ in self._held:
                self._unused[id_] = self._held[id_]
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):  # otherwise it ends by itself
                async with asyncio.timeout(GIVE_BACK):
                    await self._give_back(id_, 0.0)
            raise
        except Exception:
            log.exception("table %s: a turn failed", tag(id_))
        finally:
            self._over(id_, asyncio.current_task())

    async def _due_elsewhere(self, table: Table) -> list[DueTurn]:
        """Bots' turns whose pauses another process has drawn. They are due if the table has not changed since it was
        claimed; otherwise it may ask new questions.
        """
        bots = [turn for turn in table.turns if turn.by == "bot"]
        if not bots or (until := self._held.get(table.id)) is None:
            return []
        still = await self._prolong({table.id: until}, LEASE) or {}
        self._held |= still
        return bots if still else []

    async def _leave(self, table: Table, *, changed: bool) -> None:
        """Nothing was written, so the claim stays until something is due here, as this process sees it."""
        rest = min((turn.at for turn in table.turns), default=inf) - self._host.clock()
        if changed or rest > 0:  # otherwise something is wrong, and the claim ends by itself
            await self._give_back(table.id, 0.0 if changed else min(rest, IDLE))

    async def _give_back(self, id_: str, seconds: float) -> None:
        """Let a claim end in so many seconds. It counts as held no longer, so that a renewal under way gives back what
        it gets, too.
        """
        if (until := self._held.pop(id_, None)) is None:
            return
        self._unused[id_] = until
        if await self._host.store.renew({id_: until}, seconds, self._host.clock()) and self._unused.get(id_) == until:
            del self._unused[id_]

    def _over(self, id_: str, task: asyncio.Task[Any] | None) -> None:
        """Note that this task has ended; another one may already have begun at the table."""
        if self._playing.get(id_) is task:
            del self._playing[id_]
            self._held.pop(id_, None)

    async def _take(self, table: Table, turn: DueTurn) -> bool:
        """Whether the turn was taken here. This entry ends the claim; an entry of others has ended theirs."""
        legal = table.legal(turn.seat)
        if not legal or table.question(turn.seat) != turn.question:
            return False  # somebody has answered
        action = unanswered(table.package, legal) if turn.by == "clock" else None
        if action is None:
            action = await self._choose(table, turn.seat, legal)
        try:
            return await self._answer(table, turn, action)
        except Illegal:
            log.exception("table %s: %r by the %s on seat %d is refused", tag(table.id), action, turn.by, turn.seat)
            return await self._answer(table, turn, RANDOM.choose(table.view(turn.seat), legal, self._dice))

    async def _answer(self, table: Table, turn: DueTurn, action: Struct) -> bool:
        """Whether it was taken here; not if the table has changed, or the store has lost entries."""
        try:
            return await self._host.answer(table.id, turn.seat, turn.question, action, turn.by) == "taken"
        except Stale:
            return False

    async def _choose(self, table: Table, seat: int, legal: Sequence[Struct]) -> Struct:
        """The choice of the game's bot; a random action if it fails, since no bot may block a table."""
        view, package = table.view(seat), table.package
        try:
            with self.thinking[package.name].timed():
                return await self._thought_of(table, seat, view, legal)
        except BrokenProcessPool:
            log.exception("table %s: the process of the bot of %s has died", tag(table.id), package.name)
            return RANDOM.choose(view, legal, self._dice)
        except Exception:
            log.exception("table %s: the bot of %s failed on seat %d", tag(table.id), package.name, seat)
            return RANDOM.choose(view, legal, self._dice)

    async def _thought_of(self, table: Table, seat: int, view: GameView, legal: Sequence[Struct]) -> Struct:
        """The choice of the game's bot; its errors reach the caller. Slow bots think in another process."""
        package, beliefs = table.package, await self._host.beliefs(table.id, seat)
        game = (package.name, package.rules.version)
        kind = (*game, package.level(table.setup.chairs[seat].level))
        slow = self._slow.get(kind, kind[-1] in package.bot.slow_levels or None)
        foreign = games.is_foreign(package) and type(package.bot) is not Bot
        if slow is False and not foreign:
            action, seconds = _think(game, view, legal, self._dice, beliefs)
        else:  # slow, not measured yet, or from elsewhere: it may never choose, and nothing else may wait for that
            thinks, most = self._process.do if slow else apart, LONGEST if foreign else None
            try:
                action, seconds = await thinks(_think, game, view, legal, FastDice(), beliefs, seconds=most)
            except TooMuchError:
                self._slow[kind] = True  # from now on it can be stopped
                raise
        self._slow[kind] = slow or seconds > SLOW  # once slow, always slow: not every choice takes thought
        return action


def _think(
    game: tuple[str, int], view: GameView, legal: Sequence[Struct], dice: FastDice, beliefs: object
) -> tuple[Struct, float]:
    package = games.package(*game)
    begun = time.thread_time()
    action = package.bot.choose(view, legal, dice, beliefs)
    spent = time.thread_time() - begun
    msgspec.convert(msgspec.to_builtins(action), package.rules.Action)  # else the rules would stumble over it
    return action, spent
