"""The daily puzzle: shed a hand alone in the fewest moves (README, "The puzzle of the day").

Seven cards in the hand, one in the middle, five in an open row: 13 of the thirty, determined by the seed. A move is
written `3.12` (lay the fourth card as reading 12) or `t` (take the next card of the row). A hyphen separates moves.
Cards are numbered in order: 0 to 6 the hand, 7 to 11 the row.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from spieltisch.dice import CommittedDice
from spieltisch.game import Illegal, Shuffle
from spieltisch.games.hichaechoc.agreement import (
    BITS,
    FITTING,
    READINGS,
    Table,
    fitting_on_any,
    readings_of_all,
)
from spieltisch.games.hichaechoc.forms import Paradigm
from spieltisch.package import PuzzleView

HAND, ROW = 7, 5
SPARE = 3
"""Moves allowed beyond the fewest."""

_MOVE = re.compile(r"t|([0-9]{1,2})\.([0-9]{1,2})")


class Layout(Struct, frozen=True):
    """A whole puzzle. Forms are numbers; `table` has the form of each reading."""

    forms: tuple[str, ...]
    table: Table
    middle: int
    cards: tuple[int, ...]  # the hand, then the row
    best: int


class Wrong(Struct, frozen=True):
    """A wrong card: what it was laid on, and as what. `possible`: its form can have that reading."""

    form: str
    top: str
    reading: int
    said: int | None
    possible: bool


class View(PuzzleView, frozen=True, kw_only=True):
    """The public view after some moves. It has no reading but those that were declared."""

    hand: tuple[tuple[int, str], ...]  # numbers and forms of the cards in the hand
    row: tuple[str, ...]
    middle: str
    said: int | None = None  # declared reading of the card in the middle; None: the undeclared first one
    best: int = 0
    made: int = 0
    left: int = 0
    wrong: Wrong | None = None  # the last move, if it was wrong
    line: tuple[tuple[str, int | None], ...] = ()  # after the end: a shortest way; reading None: taken


def layout(deck: Paradigm, seed: bytes) -> Layout:
    """The puzzle of this seed: the first shuffle with a solution."""
    forms = tuple(dict.fromkeys(deck.forms()))
    table = bytes(forms.index(form) for form in deck.forms())
    dice = CommittedDice(seed, "puzzle")
    for number in range(1000):
        order = dice.throw(Shuffle(tuple(table)), number)
        assert isinstance(order, tuple)
        middle, cards = order[0], order[1 : 1 + HAND + ROW]
        best = fewest(table, middle, cards, HAND)
        if best is not None:
            return Layout(forms, table, middle, cards, best)
    raise ValueError(seed)


def fewest(table: Table, middle: int, cards: Sequence[int], hand: int) -> int | None:
    """In how few moves a hand, the first so many of these cards, can be shed; None if it cannot.

    To take a card early only adds to what can be laid, so what counts is how many are taken: each costs a move, and
    another one to lay it.
    """
    for taken in range(len(cards) - hand + 1):
        if _reached(table, middle, cards[: hand + taken])[-1]:
            return hand + 2 * taken
    return None


def _reached(table: Table, middle: int, cards: Sequence[int]) -> list[int]:
    """By set of laid cards, as bits: all possible readings of the top card, as bits; 0 if the set cannot be reached."""
    readings = readings_of_all(table)
    found = [0] * (1 << len(cards))
    found[0] = readings[middle]
    for laid, on_top in enumerate(found):
        if not on_top:
            continue
        fitting = fitting_on_any(on_top)
        for place, card in enumerate(cards):
            if not laid >> place & 1:
                found[laid | 1 << place] |= readings[card] & fitting
    return found


def way(whole: Layout) -> list[tuple[int, int]]:
    """A shortest solution: cards in the order they are laid, with their readings."""
    cards = whole.cards[: HAND + (whole.best - HAND) // 2]
    found, readings = _reached(whole.table, whole.middle, cards), readings_of_all(whole.table)
    laid, steps = len(found) - 1, list[tuple[int, int]]()
    wanted = found[laid]
    while laid:
        place, reading = next(
            (place, reading)
            for place, card in enumerate(cards)
            if laid >> place & 1
            for reading in READINGS
            if wanted & readings[card] & BITS[reading] and found[laid ^ 1 << place] & FITTING[reading]
        )
        steps.append((place, reading))
        laid ^= 1 << place
        wanted = found[laid] & FITTING[reading]
    return steps[::-1]


def play(whole: Layout, moves: str) -> View:
    """The puzzle after these moves. Raises Illegal for anything that is not a move."""
    middle, said = whole.middle, None
    hand, taken, wrong, most = list(range(HAND)), 0, None, whole.best + SPARE
    marks = ""
    steps = moves.split("-") if moves else []
    readings = readings_of_all(whole.table)
    for step in steps:
        found = _MOVE.fullmatch(step)
        if found is None or not hand or len(marks) >= most:
            raise Illegal("There is no such move here.")
        wrong = None
        if step == "t":
            if taken == ROW:
                raise Illegal("The row is used up.")
            hand.append(HAND + taken)
            taken, marks = taken + 1, f"{marks}+"
            continue
        card, reading = int(found[1]), int(found[2])
        if card not in hand or reading not in READINGS:
            raise Illegal("There is no such move here.")
        form = whole.cards[card]
        beneath = readings[middle] if said is None else BITS[said]
        if readings[form] & BITS[reading] and fitting_on_any(beneath) & BITS[reading]:
            hand.remove(card)
            middle, said, marks = form, reading, f"{marks}✓"
        else:
            possible = bool(readings[form] & BITS[reading])
            wrong = Wrong(whole.forms[form], whole.forms[middle], reading, said, possible)
            marks += "✗"
    over = not hand or len(marks) >= most
    return View(
        moves=moves,
        over=over,
        won=not hand,
        score=len(marks),
        marks=marks,
        hand=tuple((card, whole.forms[whole.cards[card]]) for card in hand),
        row=tuple(whole.forms[card] for card in whole.cards[HAND + taken :]),
        middle=whole.forms[middle],
        said=said,
        best=whole.best,
        made=len(marks),
        left=most - len(marks),
        wrong=wrong,
        line=_told(whole) if over else (),
    )


def _told(whole: Layout) -> tuple[tuple[str, int | None], ...]:
    """A shortest solution for display: first the cards that are taken, then those laid."""
    taken = whole.cards[HAND : HAND + (whole.best - HAND) // 2]
    laid = ((whole.forms[whole.cards[place]], reading) for place, reading in way(whole))
    return (*((whole.forms[card], None) for card in taken), *laid)
