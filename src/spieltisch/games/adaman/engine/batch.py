"""Many games of Adaman side by side, compiled, with the observations of `learning`.

A payment's number is its rank among those that suffice. Five resources have 32 subsets, each a number of five bits.
`playout` finds those that pay. The rank is found in bits, too: a plane is the set of the subsets whose sum, or number
of cards, has a certain bit.

A move changes little, so only what it changes is shown anew.
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import borrowing, deposit, inlined, lowest, nth, ones, shuffle
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.engine.kernel import ROW, Worth, hanged, move, refill, sum_of, worth
from spieltisch.games.adaman.engine.playout import HAVE, added, paying
from spieltisch.games.adaman.learning import DEAR, PAYMENTS, PLACES, Learning
from spieltisch.games.adaman.options import Options

PLACE = len(PLACES)
AT, CAPITAL, HELD, REST, TARGETS, ACTIONS = range(6)  # what `board` holds: REST is the pile, TARGETS are shown
GOING, WON, LOST, HANGED = range(4)
REWARDS = ("win", "score", "progress")
DEALS = 1000
COUNTS = tuple(sum(1 << s for s in range(1 << ROW) if s.bit_count() >> bit & 1) for bit in range(3))
"""Planes of how many cards subsets have."""
OFFERED = np.tri(PAYMENTS + 1, PAYMENTS, -1, np.int8)  # copied, which is faster than comparing numbers
GIVEN: dict[str, object] = {}
"""The options with which games are played here, besides what everybody may choose."""


class Games(NamedTuple):
    """The state of many games."""

    worth: Worth
    most: int
    reward: int
    points: int  # the most there can be
    pile: np.ndarray  # int64[games, cards], bits, as shuffled
    board: np.ndarray  # int64[games, 6]
    shown: np.ndarray  # float32[games, numbers]
    mask: np.ndarray  # int8[games, actions]
    seat: np.ndarray  # int8[games]: 0, or -1 where the game is over
    left: np.ndarray  # bool[games]: over because of `most`
    won: np.ndarray  # float64[games, 1], as `Episode.wins`
    paid: np.ndarray  # float64[games, 1], as `Episode.returns`
    rng: np.ndarray  # int64[games, 1]
    viewer: np.ndarray  # int8[games]: there is one only


class Batch:
    """Deals and plays many games, and shows all of them in arrays."""

    def __init__(
        self, seats: int, options: Options, deck: Deck, games: int, *, most: int, reward: str
    ) -> None:  # fmt: skip
        learning = Learning(seats, options, deck, 0)
        cards = len(deck.cards)
        self.games = Games(
            worth(deck), most, REWARDS.index(reward), learning.most,
            np.tile(np.left_shift(1, np.arange(cards)), (games, 1)),
            np.zeros((games, 6), np.int64),
            np.zeros((games, sum(block.size for block in learning.fields)), np.float32),
            np.zeros((games, sum(block.size for block in learning.actions)), np.int8),
            np.full(games, -1, np.int8),
            np.zeros(games, np.bool_),
            np.zeros((games, 1)),
            np.zeros((games, 1)),
            np.ones((games, 1), np.int64),
            np.full(games, -1, np.int8),
        )  # fmt: skip

    def deal(self, which: np.ndarray, orders: np.ndarray | None) -> int:
        """Deal these games: shuffled, or with the deck's rows in these orders. Return in how many nobody can act.
        Shuffled ones are then dealt again, at most `DEALS` times.
        """
        if orders is not None:
            self.games.pile[which] = np.left_shift(1, orders)
        return deal(self.games, which, orders is not None, DEALS if orders is None else 1)

    def act(self, which: np.ndarray, numbers: np.ndarray) -> None:
        """Act in these games, in each with the number of an open action."""
        act(self.games, which, numbers)

    @property
    def orders(self) -> np.ndarray:
        """The order in which the deck's rows are turned up."""
        return np.log2(self.games.pile).astype(np.int64)


@inlined
def planes(w, resources):
    """Return the planes of the subsets' sums, from the lowest bit on. No sum reaches 64.

    `resources`: int64 bits. Returns six int64.
    """
    s0, s1, s2, s3, s4, s5, n = 0, 0, 0, 0, 0, 0, 0
    while resources:
        s0, s1, s2, s3, c4 = added(w.ranks[lowest(resources)], HAVE[n], s0, s1, s2, s3)
        resources &= resources - 1
        n += 1
        s4, s5 = s4 ^ c4, s5 ^ s4 & c4
    return s0, s1, s2, s3, s4, s5


@inlined
def suited(w, target, resources, sums):
    """Return the subsets that pay for a card.

    `target`: int64, its number; `resources`: int64 bits; `sums`: their `planes`. Returns int64.
    """
    s0, s1, s2, s3, s4, s5 = sums
    return paying(w, target, resources, (s0, s1, s2, s3, s4 | s5))


@inlined
def payment(w, held, target, n):
    """Return the n-th cheapest payment for a card. Equal sums go by the number of cards, then by the cards' numbers.

    `held`: int64; `target`, `n`: int64, the card's number and the payment's. Returns int64 bits.
    """
    resources = held & ~w.people
    s0, s1, s2, s3, s4, s5 = sums = planes(w, resources)
    found = suited(w, target, resources, sums)
    for plane in (s5, s4, s3, s2, s1, s0, COUNTS[2], COUNTS[1], COUNTS[0]):
        less = found & ~plane
        first = ones(less)
        if n < first:
            found = less
        else:
            n -= first
            found &= plane
    return deposit(nth(found, n), resources)


@inlined
def least(subsets, sums):
    """Return the lowest sum among these subsets.

    `subsets`: int64; `sums`: the `planes`. Returns int64.
    """
    total = 0
    for n in range(5, -1, -1):
        less = subsets & ~sums[n]
        total += 0 if less else 1 << n
        subsets = less or subsets
    return total


@inlined
def offer(mask, target, n):
    """Open the first payments for a card, and no others.

    `mask`: int8[actions], written; `target`: int64, its number; `n`: int64, how many.
    """
    first = target * PAYMENTS
    for payment in range(PAYMENTS):
        mask[first + payment] = OFFERED[n, payment]


@inlined
def lay(w, row, cards, rest, capital, held):
    """Show where these cards lie.

    `row`: float32[numbers], written; all others int64 bits.
    """
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        person = w.people >> card & 1
        inside = held >> card & 1
        shown = capital >> card & 1
        gone = 1 - (rest >> card & 1 | shown | inside)
        places = row[card * PLACE : (card + 1) * PLACE]
        for place in range(PLACE):
            places[place] = 0.0
        places[shown + inside * (3 - person) + gone * (5 - person)] = 1.0


@inlined
def show_targets(k, i, targets, resources):
    """Show what these cards cost and open their payments, and those of no others. Return whether any can be won.

    `i`: int64, which game; `targets`, `resources`: int64 bits.
    """
    w, board, row, mask = k.worth, k.board[i], k.shown[i], k.mask[i]
    at, going = len(w.ranks) * PLACE, board[ACTIONS] < k.most
    sums = planes(w, resources)
    left, payments = targets, 0
    while left:
        target = lowest(left)
        left &= left - 1
        subsets = suited(w, target, resources, sums)
        payments |= subsets
        row[at + target] = min(1.0, least(subsets, sums) / DEAR) if subsets else 0.0
        offer(mask, target, ones(subsets) if going else 0)
    left = board[TARGETS] & ~targets
    board[TARGETS] = targets
    while left:
        target = lowest(left)
        left &= left - 1
        row[at + target] = 0.0
        offer(mask, target, 0)
    return payments != 0


@inlined
def show_excuse(k, i, excuse, moved):
    """Show whether the Excuse waits, and open the cards that can be moved for it.

    `i`: int64, which game; `excuse`, `moved`: int64 bits, 0 where it does not wait.
    """
    w, row, mask = k.worth, k.shown[i], k.mask[i]
    first, at = len(w.ranks) * PAYMENTS, len(row) - 2
    mask[first:] = 0
    while moved and k.board[i, ACTIONS] < k.most:
        mask[first + lowest(moved)] = 1
        moved &= moved - 1
    row[at] = excuse & k.board[i, CAPITAL] != 0
    row[at + 1] = excuse & k.board[i, HELD] != 0


@inlined
def settle(k, i, changed):
    """Show a game's state, and find out whether it is over.

    `i`: int64, which game; `changed`: int64 bits, the cards that lie elsewhere than was shown.
    """
    w, board, row = k.worth, k.board[i], k.shown[i]
    capital, held, rest = board[CAPITAL], board[HELD], board[REST]
    cards = len(w.ranks)
    seen = capital | held
    gone = ((1 << cards) - 1) & ~(seen | rest)
    excuse = seen & w.excuse
    resources, palace = held & ~w.people, held & w.people
    end = GOING
    if hanged(w, held):
        end = HANGED
    elif rest == 0 and not seen & (w.people | w.excuse):
        end = WON
    lay(w, row, changed, rest, capital, held)
    if w.excuse:
        moved = resources if capital & excuse else capital
        show_excuse(k, i, excuse, moved if excuse and end == GOING else 0)
    targets = 0 if excuse or end != GOING else capital | palace
    if not show_targets(k, i, targets, resources) and end == GOING and not excuse:
        end = LOST if (seen | rest) & w.people else WON
    at = cards * (PLACE + 1)
    for n in range(ROW + 1):
        row[at + n] = n == min(ones(palace), ROW)
    row[at + ROW + 1] = ones(rest) / cards
    pay(k, i, end, gone & w.people, resources)


@inlined
def pay(k, i, end, friends, resources):
    """Write whether a game is over, and the rewards.

    `i`, `end`: int64; `friends`, `resources`: int64 bits, the people won over and the resources.
    """
    k.left[i] = end == GOING and k.board[i, ACTIONS] >= k.most
    over = k.left[i] or end != GOING
    k.seat[i] = -1 if over else 0
    k.won[i, 0] = end == WON
    points = 0
    if end != HANGED:
        points = sum_of(k.worth, friends)
        if end == WON:
            points += sum_of(k.worth, resources)
    if k.reward == 0:
        k.paid[i, 0] = end == WON
    elif k.reward == 2 or over:
        k.paid[i, 0] = points / k.points
    else:
        k.paid[i, 0] = 0.0


@inlined
def turned(k, i, at, capital, held):
    """Set a game's state, with `at` cards of the pile turned up.

    `i`, `at`, `capital`, `held`: int64.
    """
    board = k.board[i]
    for card in range(board[AT], at):
        board[REST] ^= k.pile[i, card]
    board[AT], board[CAPITAL], board[HELD] = at, capital, held


@borrowing
def deal(k, which, given, tries):
    """Deal these games. Games that are over at once are dealt again, at most `tries` times. `given`: as the piles lie.
    Return in how many of them nobody can act.

    `which`: int64[n]; `given`: bool; `tries`: int64. Returns int64.
    """
    dead = 0
    for i in which:
        for _ in range(tries):
            if not given:
                for card in range(k.pile.shape[1]):
                    k.pile[i, card] = 1 << card
                shuffle(k.pile[i], 0, k.rng[i])
            k.board[i, AT], k.board[i, REST], k.board[i, ACTIONS] = 0, (1 << k.pile.shape[1]) - 1, 0
            at, capital, held = refill(k.worth, k.pile[i], 0, 0, 0)
            turned(k, i, at, capital, held)
            settle(k, i, (1 << k.pile.shape[1]) - 1)
            if k.seat[i] == 0:
                break
        dead += k.seat[i] != 0
    return dead


@borrowing
def act(k, which, numbers):
    """Act in these games, in each with the number of an open action.

    `which`, `numbers`: int64[n].
    """
    w = k.worth
    for n in range(len(which)):
        i, number = which[n], numbers[n]
        board = k.board[i]
        capital, held = board[CAPITAL], board[HELD]
        if (capital | held) & w.excuse:
            target, paid = w.excuse, 1 << number - len(w.ranks) * PAYMENTS
        else:
            card = number // PAYMENTS
            target, paid = 1 << card, payment(w, held, card, number % PAYMENTS)
        board[ACTIONS] += 1
        rest = board[REST]
        at, row, hand = move(w, k.pile[i], board[AT], capital, held, target, paid)
        turned(k, i, at, row, hand)
        settle(k, i, (rest ^ board[REST]) | (capital ^ row) | (held ^ hand))
