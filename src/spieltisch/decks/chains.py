"""Chains of cards about which somebody says how sure they are, dealt from a seed: is this the order in time?

The page that asks holds the seed and not the answer: whoever asks next deals the same chain anew.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import pairwise
from math import log
from typing import Any, TypeVar

from msgspec import Struct

from spieltisch.decks.base_kind import DeckKind
from spieltisch.decks.dates import Span, certainly_later
from spieltisch.decks.tasks import apart
from spieltisch.decks.vocabulary import EPOCHS, epoch
from spieltisch.dice import FastDice

T = TypeVar("T", bound=Hashable)

LENGTHS = (3, 4, 5)
APART = (0.1, 0.2, 0.4)  # the least depth between two cards of a chain: from hard to easy
EVEN = 0.9  # of equal steps through a whole deck, where these are smaller: a deck of three years has chains, too
PRESENT = 2026
NEAR = 20  # years that blur even what is quite recent
TRIES = 300


class Card(Struct, frozen=True):
    """What of a card decides where it may lie."""

    id: str
    span: Span
    fields: tuple[str, ...] = ()
    things: tuple[str, ...] = ()

    @property
    def depth(self) -> float:
        """How deep in the past it lies. Equal steps are equally hard: people err by a share of how long ago it was."""
        return log(max(0.0, PRESENT - (self.span.start + self.span.end) / 2) + NEAR)


class Chain(Struct, frozen=True):
    """Cards in the order in which they are shown, and whether it is the true one. If not, one card lies wrong."""

    cards: tuple[Card, ...]
    right: bool

    @property
    def astray(self) -> int | None:
        """The place of a card without which the others are in order; None if all are."""
        without = (self.cards[:at] + self.cards[at + 1 :] for at in range(len(self.cards)))
        return None if self.right else next(at for at, rest in enumerate(without) if _is_rising(rest))

    @property
    def epochs(self) -> tuple[str, ...]:
        """The epochs for which this chain counts."""
        return epochs([card.span for card in self.cards])

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields for which this chain counts."""
        return tuple(sorted(_common([card.fields for card in self.cards])))


class Stock:
    """The cards of a deck, ready to be dealt."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._cards = sorted(cards, key=lambda card: card.depth)
        self._depths = [card.depth for card in self._cards]
        self._epochs: dict[str, list[Card]] = {}
        for card in self._cards:
            self._epochs.setdefault(epoch(card.span.start), []).append(card)

    def deal(self, seed: str) -> Chain | None:
        """Return the chain of this seed; None if the deck has too few cards.

        Each is right with a chance of one half, whatever came before. All epochs come equally often, half of the chains
        keep to a field, and some are harder than others.
        """
        dice = FastDice(f"chain/{seed}")
        for _ in range(TRIES if self._cards else 0):
            n, step, alike = dice.choice(LENGTHS), dice.choice(APART), dice.below(2)
            step = min(step, EVEN * (self._depths[-1] - self._depths[0]) / (n - 1))
            first = dice.choice(self._epochs[dice.choice(list(self._epochs))])
            laid, reach = [first], step * (n - 1)
            least = bisect_left(self._depths, first.depth - reach)
            most = bisect_right(self._depths, first.depth + reach)
            for card in dice.shuffle(self._cards[least:most]):
                if alike and not {*card.fields} & {*first.fields}:
                    continue
                if all(apart(card, other) and abs(card.depth - other.depth) >= step for other in laid):
                    laid.append(card)
                if len(laid) == n:
                    true = tuple(sorted(laid, key=lambda card: card.span))
                    right = dice.below(2) == 0
                    return Chain(true if right else dice.choice(moved(true)), right)
        return None


def cards_of(kind: DeckKind[Any], deck: Any) -> list[Card]:
    """Return the cards of a deck of this kind that have years."""
    return [
        Card(card.id, span, tuple(deck.stands(card, "field")), tuple(card.things))
        for card in deck.cards
        if (span := kind.span(card)) is not None
    ]


def moved(cards: tuple[T, ...]) -> list[tuple[T, ...]]:
    """Return all orders in which one card lies one or two places from where it was."""
    found: dict[tuple[T, ...], None] = {}
    for at, card in enumerate(cards):
        rest = cards[:at] + cards[at + 1 :]
        for to in range(max(0, at - 2), min(len(cards), at + 3)):
            found[(*rest[:to], card, *rest[to:])] = None
    del found[cards]
    return list(found)


def epochs(spans: Sequence[Span]) -> tuple[str, ...]:
    """Return the epochs for which a chain of these years counts: each with at least half of its cards."""
    found = _common([(epoch(span.start),) for span in spans])
    return tuple(name for name in EPOCHS if name in found)


def _common(tags: Sequence[Collection[str]]) -> set[str]:
    counts = Counter(tag for each in tags for tag in {*each})
    return {tag for tag, n in counts.items() if 2 * n >= len(tags)}


def _is_rising(cards: Sequence[Card]) -> bool:
    return not any(certainly_later(above.span, below.span) for above, below in pairwise(cards))
