"""Many games of Adaman side by side, compiled, with the observations of `learning`.

A payment's number is its rank among those that suffice. Five resources have 32 subsets, each a number of five bits.
`playout` finds those that pay.
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import compiled, deposit, inlined, lowest, ones, shuffle
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.engine.kernel import ROW, Worth, hanged, move, refill, sum_of, worth
from spieltisch.games.adaman.engine.playout import HAVE, paying, sums
from spieltisch.games.adaman.learning import DEAR, PAYMENTS, PLACES, Learning
from spieltisch.games.adaman.options import Options

PLACE = len(PLACES)
AT, CAPITAL, HELD, REST, OPEN, ACTIONS = range(6)  # what `board` holds: REST is the pile, OPEN what can be won
GOING, WON, LOST, HANGED = range(4)
REWARDS = ("win", "score", "progress")
DEALS = 1000
UNPAID = (1 << 15) - 1  # more than any key
GIVEN: dict[str, object] = {}
"""The options with which games are played here, besides what everybody may choose."""


class Games(NamedTuple):
    """The state of many games. `keys` is workspace."""

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
    keys: np.ndarray  # int16[32]


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
            np.zeros(1 << ROW, np.int16),
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
def price(w, resources, subsets, keys):
    """Write the sort key of each of these subsets of the resources: its sum, then its number of cards, then its own
    number. The others get UNPAID.

    `resources`, `subsets`: int64 bits; `keys`: int16[32], written.
    """
    keys[0] = 0
    size = 1
    while resources:
        more = (w.ranks[lowest(resources)] << 8) + (1 << 5) + size
        resources &= resources - 1
        for s in range(size):
            keys[size + s] = keys[s] + more
        size *= 2
    for s in range(1 << ROW):
        keys[s] = keys[s] if subsets >> s & 1 else UNPAID


@inlined
def payment(k, held, target, n):
    """Return the n-th cheapest payment for a card, by bisection over the keys.

    `held`: int64; `target`, `n`: int64, the card's number and the payment's. Returns int64 bits.
    """
    w, keys = k.worth, k.keys
    resources = held & ~w.people
    price(w, resources, paying(w, target, resources, sums(w, resources)), keys)
    low, high = 0, UNPAID
    while low < high:
        middle = np.int16((low + high) >> 1)
        found = np.int16(0)
        for s in range(1 << ROW):  # narrow, so that all are done at once
            found = np.int16(found + (keys[s] <= middle))
        if found > n:
            high = middle
        else:
            low = middle + 1
    return deposit(low & 31, resources)


@inlined
def offer(mask, target, n):
    """Open the first payments for a card, and no others.

    `mask`: int8[actions], written; `target`: int64, its number; `n`: int64, how many.
    """
    part = mask[target * PAYMENTS : (target + 1) * PAYMENTS]  # from 0 on, so that all are written at once
    for payment in range(PAYMENTS):
        part[payment] = payment < n


@inlined
def close(mask, targets):
    """Open nothing for these cards.

    `mask`: int8[actions], written; `targets`: int64 bits.
    """
    while targets:
        offer(mask, lowest(targets), 0)
        targets &= targets - 1


@inlined
def mark(row, at, step, cards):
    """Write 1 for each of these cards, which have `step` numbers each.

    `row`: float32[numbers], written; `at`, `step`: int64; `cards`: int64 bits.
    """
    while cards:
        row[at + step * lowest(cards)] = 1.0
        cards &= cards - 1


@inlined
def least_sum(subsets, reached):
    """Return the lowest sum among these subsets, which pay for one card. Payments with a superfluous card are ignored;
    all others sum to less than 32.

    `subsets`: int64 bits, not 0; `reached`: five int64, the `sums`. Returns int64.
    """
    more = 0  # supersets
    for n in range(ROW):
        more |= (subsets & ~HAVE[n]) << (1 << n)
    found, total = subsets & ~more, 0
    for n in range(ROW - 1, -1, -1):
        less = found & ~reached[n]
        total += 0 if less else 1 << n
        found = less or found
    return total


@inlined
def settle(k, i):
    """Show a game's state, and find out whether it is over.

    `i`: int64, which game.
    """
    w, board, row, mask = k.worth, k.board[i], k.shown[i], k.mask[i]
    capital, held, rest = board[CAPITAL], board[HELD], board[REST]
    cards = len(w.ranks)
    seen = capital | held
    gone = ((1 << cards) - 1) & ~(seen | rest)
    excuse = seen & w.excuse
    resources, palace = held & ~w.people, held & w.people
    row[:] = 0.0
    for place, lie in enumerate((rest, capital, palace, resources, gone & w.people, gone & ~w.people)):
        mark(row, place, PLACE, lie)
    open_ = 0
    mask[cards * PAYMENTS :] = 0
    at = cards * PLACE
    end = GOING
    if hanged(w, held):
        end = HANGED
    elif rest == 0 and not seen & (w.people | w.excuse):
        end = WON
    elif excuse:
        if board[ACTIONS] < k.most:
            moved = resources if capital & excuse else capital
            while moved:
                mask[cards * PAYMENTS + lowest(moved)] = 1
                moved &= moved - 1
    else:
        reached = sums(w, resources)
        targets = capital | palace
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            subsets = paying(w, target, resources, reached)
            if subsets:
                open_ |= 1 << target
                row[at + target] = min(1.0, least_sum(subsets, reached) / DEAR)
                offer(mask, target, ones(subsets) if board[ACTIONS] < k.most else 0)
        if not open_:
            end = LOST if (seen | rest) & w.people else WON
    close(mask, board[OPEN] & ~open_)
    board[OPEN] = open_
    at += cards
    row[at + min(ones(palace), ROW)] = 1.0
    at += ROW + 1
    row[at] = ones(rest) / cards
    if excuse:
        row[at + 1 + (excuse & held != 0)] = 1.0
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


@compiled
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
            settle(k, i)
            if k.seat[i] == 0:
                break
        dead += k.seat[i] != 0
    return dead


@compiled
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
            target, paid = 1 << card, payment(k, held, card, number % PAYMENTS)
        board[ACTIONS] += 1
        at, capital, held = move(w, k.pile[i], board[AT], capital, held, target, paid)
        turned(k, i, at, capital, held)
        settle(k, i)
