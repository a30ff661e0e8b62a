"""The coach, made by `engine.coach` (compiled) or by `plain.coach` (plain Python).

It does not know the pile. It compares the moves with the highest learnt values in the same sample of piles. In each
pile it makes the move, plays on for a few moves, and asks a learnt judge for the win probability. After each round it
drops the worse half.
"""

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Self

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.games.adaman.decktet import Deck, decktet, extras
from spieltisch.games.adaman.state import Action, Control, Excuse, Public

LEARNT = Path(__file__).parent / "engine"
VALUE, JUDGE = LEARNT / "value.npz", LEARNT / "judge.npz"
"""Weights from `spieltisch study adaman learn` and `teach`, for all decks."""

COMPARED = 12  # moves
FEW = 5  # moves to judge at each later step
AHEAD = 2  # moves made by the nets alone, without playouts
BELIEF = 30  # weight of the judge's first estimate, in playouts
SLOPE, SHIFT = 1.08, 0.11  # of `likely`: logistic regression, 4,670 choices of 600 deals (seed 777), 300 games each

Move = tuple[int, int]  # the target's bit and the payment's bits; with the Excuse its bit and the card's
Rows = tuple[int, int, int]  # bits: the capital; the palace and the resources; the pile


class Advice(Struct, frozen=True):
    """A move, and the win probability (0 to 1) if the coach plays on from it."""

    action: Action
    chance: float


class Coach(ABC):
    """Knows all 45 cards, so it can play every deck in any row order. It writes into its workspace while it thinks, so
    a coach belongs to one thread: see `of_thread`.

    Playouts: `games` for a choice, `quick` for a bot's. To judge a choice it takes `looked` to find the best moves and
    `tried` for each of them.
    """

    games: int
    quick: int
    looked: int
    tried: int
    _kept: ClassVar[threading.local]  # one for each maker

    def __init_subclass__(cls) -> None:
        cls._kept = threading.local()

    def __init__(self) -> None:
        self.deck = decktet(extras())
        self.excuse = sum(1 << i for i, card in enumerate(self.deck.cards) if card.kind == "excuse")
        self._numbers = self.deck, [*range(len(self.deck.cards))]

    @classmethod
    def of_thread(cls) -> Self:
        """The coach of the calling thread, made when the thread first asks."""
        found = getattr(cls._kept, "coach", None)
        if found is None:
            found = cls._kept.coach = cls()
        return found

    def advise(self, public: Public, dice: Dice, games: int | None = None) -> list[Advice]:
        """The compared moves, best first; none if the game is over."""
        if _over(public):
            return []
        own = self.numbers(public.deck)
        found = self.compare(_rows(public, own), self.games if games is None else games, dice)
        return [Advice(_action(public, own, *move), likely(chance)) for move, chance in found]

    def try_out(self, public: Public, actions: Sequence[Action], dice: Dice, games: int) -> list[list[float]]:
        """Win probabilities of these legal moves: a row for each part of the playouts, each part with its own piles.
        Empty if the game is over.
        """
        if _over(public) or not actions:
            return []
        own = self.numbers(public.deck)
        return self.begin(_rows(public, own), [self._move(own, action) for action in actions], games, dice)

    @abstractmethod
    def compare(self, rows: Rows, games: int, dice: Dice) -> list[tuple[Move, float]]:
        """The compared moves with the playouts' results, best first."""

    @abstractmethod
    def begin(self, rows: Rows, moves: Sequence[Move], games: int, dice: Dice) -> list[list[float]]:
        """The playouts' results for each move, part by part."""

    @abstractmethod
    def play(self, deck: Deck, cards: Sequence[int], games: int, seed: int) -> tuple[bool, list[float]]:
        """Play a deal given by card numbers, top first. Returns whether it was won, and the win probability at every
        choice.
        """

    def numbers(self, deck: Deck) -> list[int]:
        """The coach's number for each card of the deck; cached for the last deck."""
        if deck is not self._numbers[0]:
            rows = {card: row for row, card in enumerate(self.deck.cards)}
            self._numbers = deck, [rows[card] for card in deck.cards]
        return self._numbers[1]

    def _move(self, own: Sequence[int], action: Action) -> Move:
        if isinstance(action, Excuse):
            return self.excuse, 1 << own[action.card]
        return 1 << own[action.target], bits([own[card] for card in action.payment])


def likely(chance: float) -> float:
    """The win probability for this mean of the playouts. The mean is slightly too low, because playouts begin with
    moves made without thinking.
    """
    win, loss = chance**SLOPE * math.exp(SHIFT), (1 - chance) ** SLOPE
    return win / (win + loss)


def bits(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _over(public: Public) -> bool:
    """Whether nobody is to act: the game is over, or not dealt yet."""
    return bool(public.end) or public.pile >= len(public.deck.cards)


def _rows(public: Public, own: Sequence[int]) -> Rows:
    capital, held, gone = (
        bits([own[card] for card in cards])
        for cards in (
            public.capital,
            (*public.palace, *public.resources),
            (*public.personalities, *public.discarded),
        )
    )
    return capital, held, bits(own) & ~(capital | held | gone)


def _action(public: Public, own: Sequence[int], target: int, payment: int) -> Action:
    """A move as an action. `own` maps the table's cards to the coach's numbers."""
    number = own.index(target.bit_length() - 1)
    if public.deck.cards[number].kind == "excuse":
        return Excuse(own.index(payment.bit_length() - 1))
    return Control(number, tuple(card for card in public.resources if payment >> own[card] & 1))
