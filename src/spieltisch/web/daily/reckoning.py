"""How a day went on this server: how many have played it, and the middle one of their figures. Nobody is named.

A figure is counted when a device has ended the day for the first time. Of a table the server works it out from the log,
of a puzzle from its moves; so nothing is taken on trust but that it was the first time.
"""

from statistics import median

import msgspec
from msgspec import Struct

from spieltisch.table.store import Store

LEAST = 5  # people, before anything is told
MOST = 2_000  # figures of a day that are kept
TRIES = 10  # against other processes that count at the same moment


class Day(Struct):
    """What is kept of a day: a figure for each who has played it, in order of size."""

    figures: list[int] = []
    rev: int = 0


async def count(store: Store, game: str, day: str, figure: int) -> None:
    """Count somebody's figure; not if too many have been counted, or too many count at once."""
    for _ in range(TRIES):
        old = await _kept(store, game, day)
        if len(old.figures) >= MOST:
            return
        new = Day(sorted((*old.figures, figure)), old.rev + 1)
        if await store.put_document(_id(game, day), new.rev, msgspec.json.encode(new), None):
            return


async def told(store: Store, game: str, day: str) -> tuple[int, int] | None:
    """Return how many have played, and the middle figure; None until there are enough."""
    figures = (await _kept(store, game, day)).figures
    return (len(figures), round(median(figures))) if len(figures) >= LEAST else None


async def _kept(store: Store, game: str, day: str) -> Day:
    body = await store.document(_id(game, day))
    return Day() if body is None else msgspec.json.decode(body, type=Day)


def _id(game: str, day: str) -> str:
    return f"daily/{game}/{day}"
