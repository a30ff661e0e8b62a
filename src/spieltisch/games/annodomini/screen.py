"""Further content of the public screen: the chain in columns, the reveal in rows."""

import itertools
from collections.abc import Sequence
from typing import Any

from spieltisch.games.annodomini.state import GameView
from spieltisch.i18n import Translator

WINDOW = 14  # cards of a chain shown at once, around the newest
ROWS = 7  # rows of a reveal that fit in one column
MANY = 16  # in two columns
# Type sizes to try, by the number of cards; see `fit.js`.
SIZES = (
    (3, "48 44 40 36 34:dense"),
    (5, "42 39 36 34:dense 32:dense 30:dense 28:dense"),
    (6, "37:dense 35:dense 33:dense 32:dense 30:dense 28:dense"),
    (8, "34 32 30 30:dense 28:dense"),
    (10, "32 30 30:dense 28:dense"),
    (WINDOW, "28:dense"),
)
# The same for a class, whose smallest type is larger.
FAR_WINDOW, FAR_ROWS, FAR_MANY = 8, 5, 10
FAR_SIZES = ((3, "48 44 42 42:dense"), (FAR_WINDOW, "42 42:dense"))


def screen(view: GameView, shown: dict[str, Any], tr: Translator) -> dict[str, object]:
    """Further context for `screen.html`; `shown` is that of the page."""
    reveal, far = shown["reveal"], bool(shown["desk"])
    window, tried = (FAR_WINDOW, FAR_SIZES) if far else (WINDOW, SIZES)
    return {
        "columns": _columns(shown["chain"], shown["newest"], window, 4 if far else 7, tr),
        "fit": next(sizes for most, sizes in tried if min(len(shown["chain"]), window) <= most),
        "rows": _rows(reveal, *((FAR_ROWS, FAR_MANY) if far else (ROWS, MANY))) if reveal else None,
        "key": f"{view.public.round} {view.public.end}",
    }


def _columns(
    chain: Sequence[dict[str, Any]], newest: int | None, window: int, two: int, tr: Translator
) -> dict[str, Any] | None:
    """The chain in columns, from `two` cards on. A chain longer than `window` shows the part around the newest card."""
    if not chain:
        return None
    cards = [card | {"place": place, "new": card["number"] == newest} for place, card in enumerate(chain, 1)]
    middle = next((card["place"] for card in cards if card["new"]), len(cards))
    first = max(0, min(middle - window // 2, len(cards) - window))
    seen = cards[first : first + window]
    half = len(seen) if len(seen) < two else (len(seen) + 1) // 2
    return {
        "lists": [part for part in (seen[:half], seen[half:]) if part],
        "all": len(cards),
        "before": _folded(1, first, tr._("earlier"), tr),
        "after": _folded(first + len(seen) + 1, len(cards), tr._("later"), tr),
    }


def _folded(first: int, last: int, words: str, tr: Translator) -> str:
    """A folded end of the chain, with the numbers of its cards."""
    if last < first:
        return words
    return tr.labelled(words, first if first == last else f"{first}–{last}")


def _rows(reveal: dict[str, Any], most: int, many: int) -> dict[str, Any]:
    """The rows of a reveal as they fit: all up to `most`; beyond that with right ones folded, or in two columns; from
    `many` on, folded as well. While they turn, rows that do not fit scroll past as a `film`.
    """
    rows = reveal["rows"]
    if len(rows) <= most:
        return {"lists": [rows], "pairs": reveal["pairs"], "film": None}
    folded, at = _fold(rows, most)
    if reveal["wrong"] and _height(folded) <= most * 102:
        pairs = [pair | {"from": at[pair["from"] - 1] + 1, "to": at[pair["to"] - 2] + 2} for pair in reveal["pairs"]]
        return {"lists": [folded], "pairs": pairs, "film": rows}
    few = rows if len(rows) <= many else folded
    half = (len(few) + 1) // 2
    return {"lists": [few[:half], few[half:]], "pairs": [], "film": rows}


def _fold(rows: Sequence[dict[str, Any]], room: int) -> tuple[list[dict[str, Any]], list[int]]:
    """Fold the longest runs of right rows until they fit. Also returns the new place of each row."""
    runs = [list(run) for _, run in itertools.groupby(rows, key=_stays)]
    longest = sorted((run for run in runs if len(run) > 1 and not _stays(run[0])), key=len, reverse=True)
    for most in range(len(longest) + 1):
        away = {id(run) for run in longest[:most]}
        folded: list[dict[str, Any]] = []
        at: list[int] = []
        for run in runs:
            shown = [{"fold": len(run), "bad": False}] if id(run) in away else run
            at += [len(folded)] * len(run) if id(run) in away else range(len(folded), len(folded) + len(run))
            folded += shown
        if _height(folded) <= room * 102:
            break
    return folded, at


def _stays(row: dict[str, Any]) -> bool:
    """Whether a row belongs to the error: it has to move, or is wrong relative to one that has."""
    return row["bad"] or row["beside"]


def _height(rows: Sequence[dict[str, Any]]) -> int:
    """The height of rows, in pixels of 1080."""
    return sum(56 if "fold" in row else 102 for row in rows)
