"""What a game's `Analysis` says about deals and finished games, computed in the background, with a limit.

A separate process computes it, and only that process loads engines. Answers are cached for a while. They are never part
of a state or of a table's page.
"""

import asyncio
import json
import logging
import random
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from spieltisch import games
from spieltisch import record as records
from spieltisch.bounded import Worker
from spieltisch.decks.tasks import Task
from spieltisch.dice import after, numbered_pile, resolve
from spieltisch.game import GameView
from spieltisch.package import Package
from spieltisch.table.patience import uncounted

log = logging.getLogger(__name__)

REMEMBERED = 500  # answers
OPEN = 12  # questions at a time
PATIENCE = 20.0  # seconds that a page waits for an answer before it says that the server is still computing


T = TypeVar("T")


class Unknown:
    """There is no answer yet, or none can be computed."""


UNKNOWN = Unknown()


class AnalysisService:
    """Asks the analyses of games and caches their answers."""

    def __init__(self) -> None:
        self._process = Worker()
        self._asked: OrderedDict[tuple[str, ...], asyncio.Task[Any]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """The number of open questions."""
        return sum(not one.done() for one in self._asked.values())

    async def label(
        self, package: Package, top: dict[str, object], number: int, seconds: float = PATIENCE
    ) -> bool | Unknown | None:
        """Whether the deal with this number can be won; None if that is undecided, UNKNOWN without an answer yet."""
        if not top.get("options") and package.analysis.proven(number):
            return True
        key = (package.name, "label", json.dumps(top, sort_keys=True), str(number))
        return await self._ask(key, package, _label, package.name, top, number, seconds=seconds)

    async def look_back(
        self, package: Package, record: dict[str, object], seconds: float = PATIENCE
    ) -> Sequence[object] | Unknown:
        """The analysis of every move of a finished game; UNKNOWN without an answer yet."""
        key = (package.name, "look_back", json.dumps(record["log"], sort_keys=True))
        return await self._ask(key, package, _look_back, record, seconds=seconds)

    async def advise(self, package: Package, view: GameView, seconds: float = PATIENCE) -> Struct | Unknown | None:
        """What the analysis recommends with the seat's knowledge; None for no advice, UNKNOWN without an answer yet."""
        if not package.analysis.available:
            return None
        key = (package.name, "advise", json.dumps(msgspec.to_builtins(view), sort_keys=True))
        return await self._ask(key, package, _advise, package.name, view, seconds=seconds)

    async def task(self, package: Package, card: str, seed: str, seconds: float = PATIENCE) -> Task | Unknown | None:
        """A task about a moment of a finished game, always the same for a seed; UNKNOWN as yet."""
        if not package.analysis.available:
            return None
        key = (package.name, "task", card, seed)
        return await self._ask(key, package, _task, package.name, card, seed, seconds=seconds)

    async def _ask(
        self, key: tuple[str, ...], package: Package, question: Callable[..., T], *given: object, seconds: float
    ) -> T | Unknown:
        task = self._asked.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            if self.waiting >= OPEN:
                return UNKNOWN
            task = self._asked[key] = asyncio.create_task(self._process.do(question, *given))
            while len(self._asked) > REMEMBERED:
                self._asked.popitem(last=False)
        self._asked.move_to_end(key)
        try:
            with uncounted():
                return await asyncio.wait_for(asyncio.shield(task), seconds)
        except TimeoutError:
            return UNKNOWN
        except asyncio.CancelledError:
            if task.cancelled():  # the server stops; otherwise the caller has gone
                return UNKNOWN
            raise
        except Exception:
            log.exception("the analysis of %s failed", package.name)
            return UNKNOWN

    def close(self) -> None:
        """Accept no more questions."""
        for task in self._asked.values():
            task.cancel()
        self._process.end()


def _label(game: str, top: dict[str, object], number: int) -> bool | None:
    package = games.package(game)
    options, deck = package.record.load(top, 1)
    pile = numbered_pile(game, number, len(deck.cards))
    dealt, resolved = resolve(package.rules, package.rules.setup(1, options, deck), lambda _: pile)
    return package.analysis.label(dealt, [outcome for _, outcome in resolved])


def _advise(game: str, view: GameView) -> Struct | None:
    return games.package(game).analysis.advise(view)


def _task(game: str, card: str, seed: str) -> Task | None:
    return games.package(game).analysis.task(card, random.Random(seed))  # noqa: S311 - no secret


def _look_back(raw: dict[str, object]) -> Sequence[object]:
    played = records.replay(raw)
    package, state = played.top.package, played.states[0]
    dealt, states, actions = [], [], []
    for who, what in played.steps:
        if isinstance(what, Struct):
            states.append(state)
            actions.append(what)
        elif not actions:
            dealt.append(what)
        state = after(package.rules, state, (who, what))
    return package.analysis.look_back(dealt, [*states, state], actions)
