"""How a day went on this server: the number of players and the median of their figures, without names.

A device's first finish of a day counts. The server computes the figure from the table's log or the puzzle's moves. It
trusts the device only that this was the first time.
"""

from statistics import median

import msgspec
from msgspec import Struct

from spieltisch.table.store import Store

LEAST = 5  # people before anything is shown
MOST = 2_000  # figures stored for a day
TRIES = 10  # while other processes count at the same moment


class Day(Struct):
    """What is stored for a day: one figure for each player, sorted."""

    figures: list[int] = []
    rev: int = 0


async def count(store: Store, game: str, day: str, figure: int) -> None:
    """Count a figure, unless `MOST` are stored or every retry meets another writer."""
    for _ in range(TRIES):
        old = await _kept(store, game, day)
        if len(old.figures) >= MOST:
            return
        new = Day(sorted((*old.figures, figure)), old.rev + 1)
        if await store.put_document(_id(game, day), new.rev, msgspec.json.encode(new), None):
            return


async def summary(store: Store, game: str, day: str) -> tuple[int, int] | None:
    """Return the number of players and the median figure; None below `LEAST` players."""
    figures = (await _kept(store, game, day)).figures
    return (len(figures), round(median(figures))) if len(figures) >= LEAST else None


async def _kept(store: Store, game: str, day: str) -> Day:
    body = await store.document(_id(game, day))
    return Day() if body is None else msgspec.json.decode(body, type=Day)


def _id(game: str, day: str) -> str:
    return f"daily/{game}/{day}"
