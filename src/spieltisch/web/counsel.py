"""What studies know of a table's game, asked in the background: a process of its own finds it out, with a limit.

The game's `Analysis` is asked there; its engines are loaded in that process only. What was found out is remembered for
a while: it is never part of a state, nor of a table's drawing.
"""

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from spieltisch import games
from spieltisch import record as records
from spieltisch.dice import numbered_pile, resolve
from spieltisch.games import GamePackage
from spieltisch.table.thinking import ThinkingProcess

log = logging.getLogger(__name__)

REMEMBERED = 500  # answers
WAITING = 12  # questions at most that are open at a time
PATIENCE = 20.0  # seconds that a page waits for an answer; after that it says that it is on its way


class Unknown:
    """No answer yet, or none to be had."""


UNKNOWN = Unknown()


class Counsel:
    """Asks, and remembers the answers."""

    def __init__(self) -> None:
        self._thinking = ThinkingProcess()
        self._asked: OrderedDict[tuple[str, ...], asyncio.Task[Any]] = OrderedDict()

    async def label(self, package: GamePackage, top: dict[str, Any], number: int, seconds: float = PATIENCE) -> Any:
        """Whether the deal of this number can be won, None where that is not decided; UNKNOWN as yet."""
        if not top.get("options") and package.analysis.proven(number):
            return True
        key = (package.name, "label", json.dumps(top, sort_keys=True), str(number))
        return await self._ask(key, package, _label, package.name, top, number, seconds=seconds)

    async def look_back(self, package: GamePackage, record: dict[str, Any], seconds: float = PATIENCE) -> Any:
        """What can be said of every move of a finished game; UNKNOWN as yet."""
        key = (package.name, "look_back", json.dumps(record["log"], sort_keys=True))
        return await self._ask(key, package, _look_back, record, seconds=seconds)

    async def _ask(
        self, key: tuple[str, ...], package: GamePackage, question: Callable[..., Any], *given: Any, seconds: float
    ) -> Any:
        task = self._asked.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            if sum(not one.done() for one in self._asked.values()) >= WAITING:
                return UNKNOWN
            task = self._asked[key] = asyncio.create_task(self._thinking.think(question, *given))
            while len(self._asked) > REMEMBERED:
                self._asked.popitem(last=False)
        self._asked.move_to_end(key)
        try:
            return await asyncio.wait_for(asyncio.shield(task), seconds)
        except TimeoutError:
            return UNKNOWN
        except asyncio.CancelledError:
            if task.cancelled():  # the server stops; else whoever asked has gone
                return UNKNOWN
            raise
        except Exception:
            log.exception("the counsel of %s has no answer", package.name)
            return UNKNOWN

    def end(self) -> None:
        """Nothing more is asked."""
        for task in self._asked.values():
            task.cancel()
        self._thinking.end()


def _label(game: str, top: dict[str, Any], number: int) -> bool | None:
    package = games.package(game)
    options, deck = package.record.load(top, 1)
    pile = numbered_pile(game, number, len(deck.cards))
    dealt, resolved = resolve(package.rules, package.rules.setup(1, options, deck), lambda _: pile)
    return package.analysis.label(dealt, [outcome for _, outcome in resolved])


def _look_back(raw: dict[str, Any]) -> Any:
    played = records.replay(raw)
    head, deal = played.top, [entry for entry in played.top.log if "chance" in entry]
    rules, codec, deck = head.package.rules, head.package.record, head.deck
    states, outcomes = played.states[len(deal) :], []
    for state, entry in zip(played.states, deal, strict=False):
        chance = rules.pending_chance(state)
        assert chance is not None
        outcomes.append(codec.read_outcome(deck, state, chance, entry))
    actions = [codec.read_action(deck, states[0], 0, entry["action"])[0] for entry in head.log[len(deal) :]]
    return head.package.analysis.look_back(outcomes, states, actions)
