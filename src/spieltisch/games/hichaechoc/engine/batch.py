"""Many assisted games side by side, compiled, with the observations of `learning`.

The kernel has the rules. Here are the order of the pile, what only observations tell, and the numbers.
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import borrowing, inlined, lowest, ones, shuffle
from spieltisch.game import Invalid
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.engine.kernel import (
    CARDS,
    CELLS,
    DRAW,
    GOING,
    JOKER,
    PASS,
    Forms,
    Game,
    draw,
    play,
    skip,
)
from spieltisch.games.hichaechoc.engine.kernel import deal as dealt
from spieltisch.games.hichaechoc.engine.kernel import forms as forms_of
from spieltisch.games.hichaechoc.engine.kernel import options as open_to
from spieltisch.games.hichaechoc.forms import CELLS as NAMED
from spieltisch.games.hichaechoc.forms import Paradigm
from spieltisch.games.hichaechoc.learning import HAND, Learning
from spieltisch.games.hichaechoc.options import Options

# What `board` holds: a Game but for the hands, then the place of the next card in `order`, how the top card was
# declared (CELLS if it was not), who got rid of all cards first and who is known to hold the joker (-1: nobody).
PILE, BOTTOM, PLAYED, LYING, FITTING, SEAT, DRAWN, STALL, OUT, END, NEXT, SAID, FIRST, KNOWN, ACTIONS = range(15)
ALONE = 30  # the number of the first action without a reading: draw, then pass, then the joker
NOBODY = -1
GIVEN: dict[str, object] = {"mode": "assisted"}
"""The options with which games are played here, besides what everybody may choose."""


class Games(NamedTuple):
    """The state of many games."""

    forms: Forms
    form: np.ndarray  # int64[31], a card: its form, by the number that rules give it; the joker comes last
    many: int  # forms
    each: float  # what a card counts in a view
    cards: int  # dealt to a player
    play_on: bool
    joker: bool
    most: int
    order: np.ndarray  # int64[games, cards], as shuffled; cards shuffled anew stand at the end
    hands: np.ndarray  # int64[games, seats], bits
    board: np.ndarray  # int64[games, 15]
    shown: np.ndarray  # float32[games, numbers]
    mask: np.ndarray  # int8[games, actions]
    seat: np.ndarray  # int8[games]: who is to act, or -1 where the game is over
    left: np.ndarray  # bool[games]: over because of `most`
    won: np.ndarray  # float64[games, seats], as `Episode.wins`
    paid: np.ndarray  # float64[games, seats], as `Episode.returns`
    rng: np.ndarray  # int64[games, 1]
    viewer: np.ndarray  # int8[games]: who sees the end; -1: who acted last


class Batch:
    """Deals and plays many games, and shows all of them in arrays."""

    def __init__(
        self, seats: int, options: Options, deck: Paradigm, games: int, *, most: int, reward: str  # noqa: ARG002
    ) -> None:  # fmt: skip
        if options.mode != GIVEN["mode"]:
            raise Invalid(
                '{game} is compiled with open forms alone: choose mode="assisted", or vectorization_mode="sync"',
                game=rules.name,
            )
        terms = rules.setup(seats, options, deck).public.terms
        learning = Learning(seats, options, deck, 0)
        assert terms.table is not None
        joker = options.joker
        self._cells = np.array([*(NAMED.index(card.cell) for card in deck.cards), *[JOKER] * joker])
        paid = np.zeros((games, seats))
        self.games = Games(
            forms_of(terms.table), np.array([*terms.table, len(terms.forms)]), len(terms.forms), learning.each,
            options.cards_per_player, options.play_on, joker, most,
            np.tile(self._cells, (games, 1)),
            np.zeros((games, seats), np.int64),
            np.zeros((games, 15), np.int64),
            np.zeros((games, sum(block.size for block in learning.fields)), np.float32),
            np.zeros((games, sum(block.size for block in learning.actions)), np.int8),
            np.full(games, NOBODY, np.int8),
            np.zeros(games, np.bool_),
            paid,
            paid,  # only a win is paid
            np.ones((games, 1), np.int64),
            np.full(games, NOBODY, np.int8),
        )  # fmt: skip

    def deal(self, which: np.ndarray, orders: np.ndarray | None) -> int:
        """Deal these games: shuffled, or with the deck's rows in these orders. Return in how many nobody can act."""
        if orders is not None:
            self.games.order[which] = self._cells[orders]
        return deal(self.games, which, orders is not None)

    def act(self, which: np.ndarray, numbers: np.ndarray) -> None:
        """Act in these games, in each with the number of an open action."""
        act(self.games, which, numbers)

    @property
    def orders(self) -> np.ndarray:
        """The order in which the deck's rows are dealt and drawn. Rows that were shuffled again are at the end."""
        return np.argsort(self._cells)[self.games.order]


@inlined
def count(row, at, form, each, cards):
    """Write how many of each form these cards are.

    `row`: float32[numbers], written; `at`: int64; `form`: int64[31]; `each`: float64; `cards`: int64 bits.
    """
    if cards >> JOKER & 1:
        row[at + form[JOKER]] = 1.0
    cards &= (1 << CELLS) - 1
    while cards:
        row[at + form[lowest(cards)]] += each
        cards &= cards - 1


@inlined
def show(k, i, me):
    """Write a seat's view of a game, and the actions open to it.

    `i`, `me`: int64.
    """
    board, row, mask, hands = k.board[i], k.shown[i], k.mask[i], k.hands[i]
    n, seats, form = k.many, k.hands.shape[1], k.form
    row[:] = 0.0
    mask[:] = 0
    count(row, 0, form, k.each, hands[me])
    if board[DRAWN] and board[SEAT] == me:
        row[n + 1 + form[lowest(board[DRAWN])]] = 1.0
    at = 2 * (n + 1)
    row[at + form[lowest(board[LYING] & (1 << CELLS) - 1)]] = 1.0
    row[at + n + board[SAID]] = 1.0
    at += n + CELLS + 1
    row[at] = board[LYING] >> JOKER & 1
    at += 1 + n + CELLS  # nothing waits for an answer
    row[at + (board[SEAT] - me) % seats] = 1.0
    at += seats
    for seat in range(seats):
        row[at + (seat - me) % seats] = min(1.0, ones(hands[seat]) / HAND)
    at += seats
    if board[KNOWN] != NOBODY:
        row[at + (board[KNOWN] - me) % seats * (n + 1) + n] = 1.0
    at += seats * (n + 1)
    count(row, at, form, k.each, board[PLAYED])
    at += n + 1
    row[at] = ones(board[PILE] | board[BOTTOM]) / k.order.shape[1]
    row[at + 1] = min(1.0, board[STALL] / 10)
    row[at + 2] = row[at + 1]  # with open forms a turn without a play or a card is a pass
    if k.seat[i] == me:
        open_ = open_to(k.forms, taken(k, i))
        for cell in range(CELLS):
            mask[cell] = open_ >> cell & 1
        mask[ALONE] = open_ >> DRAW & 1
        mask[ALONE + 1] = open_ >> PASS & 1
        if k.joker:
            mask[ALONE + 2] = open_ >> JOKER & 1


@inlined
def taken(k, i):
    """Return the game in the kernel's form.

    `i`: int64. Returns Game.
    """
    b = k.board[i]
    return Game(
        k.hands[i], k.play_on, b[PILE], b[BOTTOM], b[PLAYED], b[LYING], b[FITTING], b[SEAT], b[DRAWN], b[STALL],
        b[OUT], b[END],
    )  # fmt: skip


@inlined
def settle(k, i, g):
    """Store a game's new state, show it, and find out who has won.

    `i`: int64; `g`: Game.
    """
    board, seats = k.board[i], k.hands.shape[1]
    acted = board[SEAT]
    board[PILE], board[BOTTOM], board[PLAYED], board[LYING] = g.pile, g.bottom, g.played, g.lying
    board[FITTING], board[SEAT], board[DRAWN], board[STALL] = g.fitting, g.seat, g.drawn, g.stall
    board[OUT], board[END] = g.out, g.end
    k.won[i, :] = 0.0
    k.left[i] = g.end == GOING and board[ACTIONS] >= k.most
    me = g.seat
    k.seat[i] = me
    if k.left[i] or g.end != GOING:
        k.seat[i] = NOBODY
        me = acted if k.viewer[i] == NOBODY else k.viewer[i]
    if g.end != GOING:
        fewest = CARDS
        for seat in range(seats):
            fewest = min(fewest, ones(g.hands[seat]))
        first = 0
        for seat in range(seats):
            first += is_first(board, g, seat, fewest)
        for seat in range(seats):
            k.won[i, seat] = is_first(board, g, seat, fewest) * seats / first - 1.0
    show(k, i, me)


@inlined
def is_first(board, g, seat, fewest):
    """Return whether a seat shares the first place of a finished game: it got rid of its cards first, or nobody did and
    nobody holds fewer.

    `board`: int64[15]; `g`: Game; `seat`, `fewest`: int64. Returns bool.
    """
    return board[FIRST] == seat or (board[FIRST] == NOBODY and ones(g.hands[seat]) == fewest)


@borrowing
def deal(k, which, given):
    """Deal these games, with `given` in the order in which the cards lie. Return in how many of them nobody can act.

    `which`: int64[n]; `given`: bool. Returns int64.
    """
    dead = 0
    for i in which:
        board, order = k.board[i], k.order[i]
        if not given:
            for card in range(len(order)):
                order[card] = card
            shuffle(order, 0, k.rng[i])
        g = dealt(k.forms, k.hands[i], k.play_on, order, k.cards)
        board[SEAT] = 0
        board[NEXT] = k.hands.shape[1] * k.cards + 1 + (g.bottom != 0)
        board[SAID], board[FIRST], board[KNOWN], board[ACTIONS] = CELLS, NOBODY, NOBODY, 0
        settle(k, i, g)
        dead += k.seat[i] == NOBODY
    return dead


@inlined
def next_card(k, i):
    """Draw a card and return its number. If no other is left, the played cards are shuffled.

    `i`: int64. Returns int64.
    """
    board, order = k.board[i], k.order[i]
    if board[BOTTOM] and not board[PILE]:
        board[KNOWN] = board[SEAT]
        return JOKER
    if not board[PILE]:
        played = board[PLAYED]
        at = len(order) - ones(played)
        board[NEXT] = at
        while played:
            order[at] = lowest(played)
            played &= played - 1
            at += 1
        shuffle(order, board[NEXT], k.rng[i])
    board[NEXT] += 1
    return order[board[NEXT] - 1]


@borrowing
def act(k, which, numbers):
    """Act in these games, in each with the number of an open action.

    `which`, `numbers`: int64[n].
    """
    for n in range(len(which)):
        i, number = which[n], numbers[n]
        board = k.board[i]
        board[ACTIONS] += 1
        g = taken(k, i)
        if number == ALONE:
            g = draw(g, next_card(k, i))
        elif number == ALONE + 1:
            g = skip(g)
        else:
            cell = number
            if number == ALONE + 2:
                cell = JOKER
                board[KNOWN] = NOBODY
            else:
                board[SAID] = cell
            if board[FIRST] == NOBODY and ones(k.hands[i, g.seat]) == 1:
                board[FIRST] = g.seat
            g = play(k.forms, g, cell)
        settle(k, i, g)
