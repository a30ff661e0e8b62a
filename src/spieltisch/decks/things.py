"""Two cards of one thing never come to one table: who sees one of them there knows more about the other.

What a card is about stands in its `things`. Cards that share one are of one thing, and so are cards that a third one
ties together. Which of them a table plays with is drawn from the table's seed; how many cards that leaves is not.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from spieltisch.decks.choosing import Choosable, ChosenCard
from spieltisch.dice import CommittedDice
from spieltisch.game import Pick

D = TypeVar("D")
STREAM = "things"  # of the dice of a table's seed
_ANY = bytes(16)


def in_play(deck: D, seed: bytes = _ANY) -> D:
    """The cards of a deck with which a table of this seed plays: one of each thing, in the deck's own order. Decks that
    have no such cards are played whole.
    """
    if not isinstance(deck, Choosable):
        return deck
    out: set[int] = set()
    dice = CommittedDice(seed, STREAM)
    for number, rows in enumerate(_groups(tuple(card.things for card in deck.cards))):
        kept = dice.throw(Pick(len(rows)), number)
        out |= {row for place, row in enumerate(rows) if place != kept}
    if not out:
        return deck
    return replace(deck, cards=tuple(card for row, card in enumerate(deck.cards) if row not in out))


def number_in_play(cards: Iterable[ChosenCard]) -> int:
    """With how many of these cards a table plays."""
    things = [card.things for card in cards]
    return len(things) - sum(len(rows) - 1 for rows in groups(things))


def groups(things: Sequence[Sequence[str]]) -> list[list[int]]:
    """The rows that are of one thing, of every thing that has two or more, in their order."""
    tied: dict[str, str] = {}  # each name to another of the same thing, and so on to the last one, which is its own

    def last(name: str) -> str:
        while (after := tied.setdefault(name, name)) != name:
            tied[name] = name = tied[after]  # shortens the way for those who come later
        return name

    for named in things:
        for name in named:
            tied[last(name)] = last(named[0])
    found: dict[str, list[int]] = {}
    for row, named in enumerate(things):
        if named:
            found.setdefault(last(named[0]), []).append(row)
    return sorted(rows for rows in found.values() if len(rows) > 1)


_groups = lru_cache(maxsize=4)(groups)  # a series plays thousands of games with one deck
