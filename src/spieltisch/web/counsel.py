"""What studies know of a table's game, asked in the background: a process of its own finds it out, with a limit.

A room's study may have a module `counsel` (`spieltisch.study.<room>.counsel`) with the functions `label(top, number)`
and `look_back(record)`. Its code is loaded in that process only. What was found out is remembered for a while: it is
never part of a state, nor of a table's drawing.
"""

import asyncio
import contextlib
import functools
import importlib
import importlib.util
import json
import logging
from collections import OrderedDict
from typing import Any

from spieltisch.games import Room
from spieltisch.table.mind import Mind

log = logging.getLogger(__name__)

REMEMBERED = 500  # answers
WAITING = 12  # questions at most that are open at a time
PATIENCE = 20.0  # seconds that a page waits for an answer; after that it says that it is on its way


class Unknown:
    """No answer yet, or none to be had."""


UNKNOWN = Unknown()


@functools.cache
def module_of(room: Room) -> str:
    """The name of the room's counsel; "" if it has none."""
    name = f"spieltisch.study.{room.folder.name}"
    with contextlib.suppress(ModuleNotFoundError):
        if importlib.util.find_spec(f"{name}.counsel"):
            return f"{name}.counsel"
    return ""


class Counsel:
    """Asks, and remembers the answers."""

    def __init__(self) -> None:
        self._mind = Mind()
        self._asked: OrderedDict[tuple[str, ...], asyncio.Task[Any]] = OrderedDict()

    async def label(self, room: Room, top: dict[str, Any], number: int, seconds: float = PATIENCE) -> Any:
        """Whether the deal of this number can be won, None where that is not decided; UNKNOWN as yet."""
        if room.daily is not None and not top.get("options") and room.daily.proven(number):
            return True
        key = (room.name, "label", json.dumps(top, sort_keys=True), str(number))
        return await self._ask(key, room, top, number, seconds=seconds)

    async def look_back(self, room: Room, record: dict[str, Any], seconds: float = PATIENCE) -> Any:
        """What can be said of every move of a finished game; UNKNOWN as yet."""
        key = (room.name, "look_back", json.dumps(record["log"], sort_keys=True))
        return await self._ask(key, room, record, seconds=seconds)

    async def _ask(self, key: tuple[str, ...], room: Room, *given: Any, seconds: float) -> Any:
        task = self._asked.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            if sum(not one.done() for one in self._asked.values()) >= WAITING:
                return UNKNOWN
            task = self._asked[key] = asyncio.create_task(self._mind.think(_answer, module_of(room), key[1], *given))
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
            log.exception("the counsel of %s has no answer", room.name)
            return UNKNOWN

    def end(self) -> None:
        """Nothing more is asked."""
        for task in self._asked.values():
            task.cancel()
        self._mind.end()


def _answer(module: str, question: str, *given: Any) -> Any:
    return getattr(importlib.import_module(module), question)(*given)
