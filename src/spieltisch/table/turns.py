"""Lets bots and clocks have their turns. What they do are ordinary logged actions, marked `by`."""

import asyncio
import logging
import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from spieltisch import games
from spieltisch.defaults import DefaultBot
from spieltisch.dice import FastDice
from spieltisch.game import Refused, View
from spieltisch.table.host import Host, Missing, Table
from spieltisch.table.log import tag
from spieltisch.table.schedule import DueTurn, unanswered
from spieltisch.table.store import Unsaved
from spieltisch.table.thinking import ThinkingProcess

RANDOM = DefaultBot()  # plays where a game's own bot fails

log = logging.getLogger(__name__)

POLL = 1.0  # seconds between looks into the store: for tables that nobody has opened since a restart
SLOW = 0.005  # seconds of thinking from which on a game's bot of a level thinks in a process of its own
RETRY = 5.0  # seconds until a turn that failed is tried again


class TurnRunner:
    """The turns of one host's tables. `await run()` never ends; cancel it to stop."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._dice = FastDice()  # for bots that think one after the other
        self._slow: dict[tuple[str, int, str], bool] = {}  # by game, version of its rules, and level
        self._process = ThinkingProcess()
        self._playing: dict[str, asyncio.Task[None]] = {}
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
        host, looked = self._host, float("-inf")
        try:
            while True:
                now = host.clock()
                if now - looked >= POLL and not self._stopped:
                    looked = now
                    await self._look(now)
                    host.sweep()
                for table in host.agenda.take(now):
                    if table not in self._playing and not self._stopped:
                        task = self._playing[table] = asyncio.create_task(self._play(table))
                        task.add_done_callback(lambda task, id_=table: self._over(id_, task))
                await host.agenda.wait(host.clock(), POLL)
        finally:
            left = list(self._playing.values())
            for task in left:
                task.cancel()
            if left:
                await asyncio.wait(left)
            self._process.end()

    async def _look(self, now: float) -> None:
        for table in await self._host.store.due(now):
            try:
                await self._host.table(table)  # once in memory, its turns are on the agenda
            except (Missing, Unsaved):
                continue
            except Exception:
                log.exception("table %s cannot be loaded", tag(table))

    async def _play(self, id_: str) -> None:
        """Take what is due at a table. Whatever goes wrong here, the table goes on later."""
        try:
            table = await self._host.table(id_)
            if (until := table.setup.begins) is not None and until <= self._host.clock():
                await self._host.begin(id_)
            while due := [turn for turn in table.turns if turn.at <= self._host.clock() and not self._stopped]:
                for turn in due:
                    await self._take(table, turn)
            for turn in table.turns:  # what came onto the agenda while we were busy here
                self._host.agenda.put(turn.at, id_)
        except Missing:
            return
        except Unsaved:  # the store has told it
            self._host.agenda.put(self._host.clock() + RETRY, id_)
        except Exception:
            log.exception("table %s: a turn failed", tag(id_))
            self._host.agenda.put(self._host.clock() + RETRY, id_)
        finally:
            self._over(id_, asyncio.current_task())

    def _over(self, id_: str, task: Any) -> None:
        """A task plays no more at the table; another one may have begun there already."""
        if self._playing.get(id_) is task:
            del self._playing[id_]

    async def _take(self, table: Table, turn: DueTurn) -> None:
        legal = table.legal(turn.seat)
        if not legal or table.question(turn.seat) != turn.question:
            return  # answered meanwhile
        action = unanswered(table.package, legal) if turn.by == "clock" else None
        if action is None:
            action = await self._choose(table, turn.seat, legal)
        try:
            await self._host.answer(table.id, turn.seat, turn.question, action, turn.by)
        except Unsaved:
            raise
        except Refused:
            if table.question(turn.seat) != turn.question or turn not in table.turns:
                return
            log.exception("table %s: %r by the %s on seat %d is refused", tag(table.id), action, turn.by, turn.seat)
            action = RANDOM.choose(table.view(turn.seat), legal, self._dice)
            await self._host.answer(table.id, turn.seat, turn.question, action, turn.by)

    async def _choose(self, table: Table, seat: int, legal: Sequence[Any]) -> Any:
        """What the game's bot does; a random action where it fails: no bot may hold up a table."""
        view, package = table.view(seat), table.package
        game = (package.name, package.rules.version)
        kind = (*game, package.level(table.setup.chairs[seat].level))
        try:
            beliefs = await self._host.beliefs(table.id, seat)
            slow = self._slow.get(kind, kind[-1] in package.bot.slow_levels or None)
            if slow is None:  # nobody knows yet
                action, seconds = await asyncio.to_thread(_think, game, view, legal, FastDice(), beliefs)
            elif slow:
                action, seconds = await self._process.think(_think, game, view, legal, FastDice(), beliefs)
            else:
                action, seconds = _think(game, view, legal, self._dice, beliefs)
            self._slow[kind] = slow or seconds > SLOW  # once slow, for good: not every choice takes thought
        except BrokenProcessPool:
            log.exception("table %s: the process in which the bot of %s thinks has died", tag(table.id), package.name)
            return RANDOM.choose(view, legal, self._dice)
        except Exception:
            log.exception("table %s: the bot of %s failed on seat %d", tag(table.id), package.name, seat)
            return RANDOM.choose(view, legal, self._dice)
        return action


def _think(
    game: tuple[str, int], view: View[Any, Any], legal: Sequence[Any], dice: FastDice, beliefs: Any
) -> tuple[Any, float]:
    bot = games.package(*game).bot
    begun = time.thread_time()
    action = bot.choose(view, legal, dice, beliefs)
    return action, time.thread_time() - begun
