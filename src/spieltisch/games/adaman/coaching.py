"""The coach, whoever makes it: `engine.coach`, compiled, or `plain.coach` in plain Python.

It does not know the pile. The moves that a learnt value likes best share so many piles, each an order in which the
cards not seen may lie. In each pile the move is made, the game goes on for a few moves, and then a learnt judge says
how likely it is to be won. After each round the worse half of the moves is dropped.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.games.adaman.decktet import Deck, decktet, extras
from spieltisch.games.adaman.state import Action, Control, Excuse, Public

LEARNT = Path(__file__).parent / "engine"
VALUE, JUDGE = LEARNT / "value.npz", LEARNT / "judge.npz"
"""What `spieltisch study adaman learn` and `teach` have taught, for all decks."""

COMPARED = 12  # moves
FEW = 5  # moves that are judged where a game goes on
AHEAD = 2  # moves that are made without thinking
BELIEF = 30  # games begun that the judge's own word of a move counts as
SLOPE, SHIFT = 1.08, 0.11  # of `likely`: logistic regression, 4,670 choices of 600 deals (seed 777), 300 games each

Move = tuple[int, int]  # the target's bit and the payment's bits; with the Excuse its bit and the card's
Rows = tuple[int, int, int]  # bits: the capital; the palace and the resources; the pile


class Advice(Struct, frozen=True):
    """A move, and how likely (0 to 1) the game is won with it if one goes on as well."""

    action: Action
    chance: float


class Coach(ABC):
    """Knows all 45 cards, and so plays every deck, in whatever order a table has laid out its rows.

    So many games are begun: `games` for a choice, `quick` for a bot's; where a choice is judged, `looked` to find the
    likeliest moves and `tried` with each of these.
    """

    games: int
    quick: int
    looked: int
    tried: int

    def __init__(self) -> None:
        self.deck = decktet(extras())
        self.excuse = sum(1 << i for i, card in enumerate(self.deck.cards) if card.kind == "excuse")
        self._numbers = self.deck, [*range(len(self.deck.cards))]

    def advise(self, public: Public, dice: Dice, games: int | None = None) -> list[Advice]:
        """The moves compared, the best first; none if the game is over."""
        if _over(public):
            return []
        own = self.numbers(public.deck)
        found = self.compare(_rows(public, own), self.games if games is None else games, dice)
        return [Advice(_action(public, own, *move), likely(chance)) for move, chance in found]

    def try_out(self, public: Public, actions: Sequence[Action], dice: Dice, games: int) -> list[list[float]]:
        """How likely the game is to be won with each of these moves, of legal ones: a line for each part of the games,
        each in piles of its own. None where it gives no advice.
        """
        if _over(public) or not actions:
            return []
        own = self.numbers(public.deck)
        return self.begin(_rows(public, own), [self._move(own, action) for action in actions], games, dice)

    @abstractmethod
    def compare(self, rows: Rows, games: int, dice: Dice) -> list[tuple[Move, float]]:
        """The moves compared and what the games begun say of them, the best first."""

    @abstractmethod
    def begin(self, rows: Rows, moves: Sequence[Move], games: int, dice: Dice) -> list[list[float]]:
        """What the games begun with each of the moves say, part by part."""

    @abstractmethod
    def play(self, deck: Deck, cards: Sequence[int], games: int, seed: int) -> tuple[bool, list[float]]:
        """Plays a deal, the numbers of the deck's cards, the top one first: whether it won, and how likely that was at
        every choice.
        """

    def numbers(self, deck: Deck) -> list[int]:
        """The coach's number of each of the deck's cards; kept for the deck asked for last."""
        if deck is not self._numbers[0]:
            rows = {card: row for row, card in enumerate(self.deck.cards)}
            self._numbers = deck, [rows[card] for card in deck.cards]
        return self._numbers[1]

    def _move(self, own: Sequence[int], action: Action) -> Move:
        if isinstance(action, Excuse):
            return self.excuse, 1 << own[action.card]
        return 1 << own[action.target], bits([own[card] for card in action.payment])


def likely(chance: float) -> float:
    """How likely a game is to be won where those begun say this chance. They say a little too little: they go on for
    some moves without thinking.
    """
    win, loss = chance**SLOPE * math.exp(SHIFT), (1 - chance) ** SLOPE
    return win / (win + loss)


def bits(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _over(public: Public) -> bool:
    """Nobody is to act: the game is over, or not dealt yet."""
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
    """A move in the words of the rules; `own` has the coach's number of each of the table's cards."""
    number = own.index(target.bit_length() - 1)
    if public.deck.cards[number].kind == "excuse":
        return Excuse(own.index(payment.bit_length() - 1))
    return Control(number, tuple(card for card in public.resources if payment >> own[card] & 1))
