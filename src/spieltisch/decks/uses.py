"""Until when decks that were made in the browser are kept: those that nobody uses any more go.

Only decks of this list go: what somebody put into the folder by hand stays.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from spieltisch import paths
from spieltisch.decks.files import Files, read_json, version

DAY = 24 * 3600


class Uses:
    """By the decks' names the last days (since 1970) on which they are kept, in a file of this folder, written by
    `files`.
    """

    def __init__(self, folder: Path, files: Files) -> None:
        self._file = folder / paths.USES
        self._files = files
        self._read: tuple[int, dict[str, int]] = (0, {})

    async def keep(self, names: Iterable[str], until: float, *, new: bool = False) -> None:
        """Keep these decks until then, or longer; `new`: they have just been made. Written once a day at most."""
        day, names = int(until // DAY), tuple(names)
        await self._change(lambda old: {name: max(day, old.get(name, 0)) for name in names if new or name in old})

    def until(self, name: str) -> float | None:
        """The end of the last day on which this deck is kept; None if it is not in the list."""
        day = self._days().get(name)
        return None if day is None else float((day + 1) * DAY)

    def unused(self, now: float) -> list[str]:
        """The decks that nobody has used for so long that they go."""
        return [name for name, day in self._days().items() if (day + 1) * DAY <= now]

    async def drop(self, names: Iterable[str]) -> None:
        """These decks are gone."""
        await self._change(lambda old: dict.fromkeys((name for name in names if name in old), -1))

    async def _change(self, change: Callable[[Mapping[str, int]], Mapping[str, int]]) -> None:
        """Set some days; -1 takes a deck out. Once more if somebody else was first, perhaps at another server."""
        while True:
            old = self._days()
            new = {name: day for name, day in {**old, **change(old)}.items() if day >= 0}
            if new == old or await self._files.put(self._file, msgspec.json.encode(new), self._read[0]):
                return

    def _days(self) -> dict[str, int]:
        if (now := version(self._file)) != self._read[0]:
            self._read = (now, read_json(self._file, dict[str, int], {}))
        return self._read[1]
