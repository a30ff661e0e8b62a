"""The daily puzzle: six cards on one board, alone (README, "The puzzle of the day").

Each of the six rows takes one stone, so every card gets its own period and row; then all are revealed. An answer is
written `4.6-0.1-…`: for each card in order, its column (from 0) and its row (from 1). Missing choices are left out.
"""

import re
from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.decks.text import Text
from spieltisch.decks.things import in_play
from spieltisch.dice import CommittedDice
from spieltisch.game import Illegal, Shuffle
from spieltisch.games.trailblaze.board import FULL, ROWS
from spieltisch.games.trailblaze.firsts import First, Firsts, Period
from spieltisch.package import PuzzleView

CARDS = len(ROWS)
ENOUGH = 11
"""Points that solve it: more than half of the stones' 21."""

_FIELD = re.compile(r"([0-9]{0,2})\.([1-6]?)")


class Front(Struct, frozen=True):
    """The front of a card."""

    text: Text
    field: str
    joker: bool


class Back(Struct, frozen=True):
    """The back of a card, seen once all are revealed."""

    year: int | None
    who: str
    comment: Text
    source: str
    corrected: str
    column: int
    right: bool


class View(PuzzleView, frozen=True, kw_only=True):
    """The public view: backs only after the end."""

    periods: tuple[Period, ...]
    fronts: tuple[Front, ...]
    fields: tuple[tuple[int | None, int | None], ...]  # by card: the chosen column and row
    doubled: tuple[int, ...] = ()  # rows chosen for two cards
    lacking: int = 0  # cards without a period or a row
    backs: tuple[Back, ...] = ()


def cards_of(deck: Firsts, of_day: Collection[str], seed: bytes) -> tuple[First, ...]:
    """The six cards in order: no two of the day's cards about one woman."""
    wanted = {*of_day}
    few = in_play(replace(deck, cards=tuple(card for card in deck.cards if card.id in wanted)), seed).cards
    order = CommittedDice(seed, "puzzle").throw(Shuffle(tuple(range(len(few)))), 0)
    assert isinstance(order, tuple)
    return tuple(few[place] for place in order[:CARDS])


def column(periods: Sequence[Period], year: int | None) -> int:
    """The column of a year; for a joker the last one, the future."""
    found = (at for at, one in enumerate(periods) if one.end is not None and year is not None and year <= one.end)
    return next(found, len(periods) - 1)


def play(deck: Firsts, of_day: Collection[str], seed: bytes, moves: str) -> View:
    """The puzzle with this answer. Raises Illegal for anything else."""
    cards, periods = cards_of(deck, of_day, seed), deck.periods
    fronts = tuple(Front(card.front, "" if card.year is None else card.field, card.year is None) for card in cards)
    fields = _fields(moves, len(periods))
    rows = [row for _, row in fields if row]
    view = View(
        moves=moves,
        periods=periods,
        fronts=fronts,
        fields=fields,
        doubled=tuple(row for row in ROWS if rows.count(row) > 1),
        lacking=sum(None in field for field in fields),
    )
    if view.lacking or view.doubled:
        return view
    right = [column(periods, card.year) == chosen for card, (chosen, _) in zip(cards, fields, strict=True)]
    by_row = sorted(zip(rows, right, strict=True), reverse=True)
    score = sum(row for row, hit in by_row if hit) + (FULL if all(right) else 0)
    return replace(
        view,
        over=True,
        won=score >= ENOUGH,
        score=score,
        marks="".join("✓" if hit else "✗" for _, hit in by_row),
        backs=tuple(
            Back(card.year, card.who, card.comment, card.source, card.corrected, column(periods, card.year), hit)
            for card, hit in zip(cards, right, strict=True)
        ),
    )


def _fields(moves: str, columns: int) -> tuple[tuple[int | None, int | None], ...]:
    if not moves:
        return ((None, None),) * CARDS
    found = [_FIELD.fullmatch(one) for one in moves.split("-")]
    fields = tuple((int(one[1]) if one[1] else None, int(one[2]) if one[2] else None) for one in found if one)
    if len(fields) != CARDS or any(chosen is not None and chosen >= columns for chosen, _ in fields):
        raise Illegal("There is no such move here.")
    return fields
