"""Runs the deck lab in a process of its own and caches what it finds.

The lab belongs to `study`, which the server never imports: only that process does.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from spieltisch.bounded import TooMuchError, within
from spieltisch.game import Invalid, Refused
from spieltisch.web.core.http.queues import OneAtATime
from spieltisch.web.core.optional import examine_deck

PATIENCE = 90.0  # seconds in which a deck has to be examined
GAMES = 40  # of each level
KEPT = 20  # decks

Key = tuple[str, int, int]


class Laboratory:
    """Examines each version of a deck once."""

    def __init__(self, turns: OneAtATime) -> None:
        self._turns = turns
        self._asked: OrderedDict[Key, asyncio.Task[dict[str, str]]] = OrderedDict()
        self._done: dict[Key, int] = {}  # per cent, of what the lab is at

    def examine(self, path: Path, links: Mapping[str, str], address: str) -> None:
        """Examine the deck in this file, unless that was done: one at a time for each address."""
        key = _key(path)
        known = self._asked.get(key)
        if known is None or (known.done() and (known.cancelled() or known.exception() is not None)):
            self._asked[key] = asyncio.create_task(self._examined(key, dict(links), address))
        self._asked.move_to_end(key)
        while len(self._asked) > KEPT:
            self._asked.popitem(last=False)[1].cancel()

    def findings(self, path: Path) -> dict[str, str] | Refused | int | None:
        """Return what was found, by language; the refusal; the progress in per cent while it runs; None if nobody has
        asked.
        """
        key = _key(path)
        task = self._asked.get(key)
        if task is None or task.cancelled():
            return None
        if not task.done():
            return self._done.get(key, 0)
        error = task.exception()
        if error is None:
            return task.result()
        return error if isinstance(error, Refused) else Invalid("The lab could not examine this deck.")

    def close(self) -> None:
        """Cancel what runs."""
        for task in self._asked.values():
            task.cancel()

    async def _examined(self, key: Key, links: dict[str, str], address: str) -> dict[str, str]:
        def hear(done: int) -> None:
            self._done[key] = done

        try:
            async with self._turns.turn(address):
                return await within(PATIENCE, examine_deck, Path(key[0]), GAMES, links, hear=hear)
        except TooMuchError:
            raise Invalid(
                "The lab took too long for this deck. On your own computer it can take its time: {command}",
                command="spieltisch deck lab",
            ) from None
        finally:
            self._done.pop(key, None)


def _key(path: Path) -> Key:
    stat = path.stat()
    return str(path), stat.st_mtime_ns, stat.st_size
