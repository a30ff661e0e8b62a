"""A coach for Adaman who does not know the pile: which move wins most often, and how often.

The moves that the learnt value (`value`) likes best share so many piles, each an order in which the cards not seen may
lie. In each pile the move is made, the game goes on for a few moves, and then the judge (`judge`) says how likely it is
to be won; those moves are the ones that it likes best of the few that the value does. After each round the worse half
of the moves is dropped.

    for advice in coach().advise(view.public, FastDice(seed)): …    # the best move first
"""

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from spieltisch.compiled import compiled, ones, seeded, shuffle
from spieltisch.decks.decktet import Deck, decktet, extras
from spieltisch.dice import Dice
from spieltisch.games.adaman.engine import judge, value
from spieltisch.games.adaman.engine.judge import Nets, refine
from spieltisch.games.adaman.engine.kernel import hanged, move, refill, worth
from spieltisch.games.adaman.engine.value import (
    CAPITAL,
    HELD,
    PILE,
    UNITS,
    best_move,
    chance,
    change,
    evaluate_from,
    evaluate_moves,
    units,
)
from spieltisch.games.adaman.state import Action, Control, Excuse, Public

COMPARED = 12  # moves
FEW = 5  # moves that are judged where a game goes on
AHEAD = 2  # moves that are made without thinking
BELIEF = 30  # games begun that the judge's own word of a move counts as
GAMES = 3_000  # that are begun for a choice
SLOPE, SHIFT = 1.08, 0.11  # of `likely`: logistic regression, 4,670 choices of 600 deals (seed 777), 300 games each
MOVES = 48  # more than a game has
KNOWN = 1 << 11  # places for positions


class Advice(Struct, frozen=True):
    """A move, and how likely the game is to be won with it if one goes on as well."""

    action: Action
    chance: float


class Known(NamedTuple):
    """Positions in which games that were begun have been, and what was worked out there. One is known again by its way:
    the number of that before it (of the move, at first), the capital, what is held, and the pile; so what is kept is
    the same to the last digit. Each has one place where it may stand, and takes it from what stood there.
    """

    ways: np.ndarray  # int64[KNOWN, 4]
    numbers: np.ndarray  # int64[KNOWN]
    hidden: np.ndarray  # float32[KNOWN, UNITS]: the value's
    moves: np.ndarray  # int64[KNOWN, 2]: the best one; no payment where there is none
    last: np.ndarray  # int64[1]: the last number that was given


def known() -> Known:
    long = np.int64
    return Known(
        np.zeros((KNOWN, 4), long), np.zeros(KNOWN, long), np.zeros((KNOWN, UNITS), np.float32),
        np.zeros((KNOWN, 2), long), np.zeros(1, long),
    )  # fmt: skip


class Coach:
    """Knows all 45 cards, and so plays every deck, in whatever order a table has laid out its rows."""

    def __init__(self) -> None:
        self.deck = decktet(extras())
        self.worth = worth(self.deck)
        self.nets = Nets(value.read(), judge.read())
        self._numbers = self.deck, [*range(len(self.deck.cards))]
        self.workspace = (judge.room(), known()), np.zeros((COMPARED, 2), np.int64), np.zeros(COMPARED)
        self.play(self.deck, range(len(self.deck.cards)), 1, 1)  # all is compiled now, not on somebody's time

    def advise(self, public: Public, dice: Dice, games: int = GAMES) -> list[Advice]:
        """The moves compared, the best first; none if the game is over."""
        if _over(public):
            return []
        own = self.numbers(public.deck)
        work, moves, chances = self.workspace
        rows, rng = _rows(public, own), seeded(dice)
        count = compare(self.worth, self.nets, *work, *rows, games, BELIEF, rng, moves, chances)
        return [Advice(_action(public, own, *moves[i].tolist()), likely(float(chances[i]))) for i in range(count)]

    def chances(self, public: Public, actions: Sequence[Action], dice: Dice, games: int = GAMES) -> list[float]:
        """How likely the game is to be won with each of these moves, of legal ones; none where it gives no advice."""
        if _over(public) or not actions:
            return []
        own = self.numbers(public.deck)
        moves = np.array([self._move(own, action) for action in actions])
        each = max(1, games // len(actions))
        found = chances_of(self.worth, self.nets, *self.workspace[0], *_rows(public, own), each, seeded(dice), moves)
        return [likely(chance) for chance in found.tolist()]

    def play(self, deck: Deck, cards: Sequence[int], games: int, seed: int) -> tuple[bool, list[float]]:
        """Plays a deal, the numbers of the deck's cards, the top one first: whether it won, and how likely that was at
        every choice.
        """
        work, moves, chances = self.workspace
        own, said, rng = self.numbers(deck), np.zeros(MOVES), np.full(1, 2 * seed + 1)
        pile = np.left_shift(1, np.array([own[card] for card in cards]))
        won, choices = play(self.worth, self.nets, *work, pile, games, rng, moves, chances, said)
        return won, [likely(chance) for chance in said[:choices].tolist()]

    def numbers(self, deck: Deck) -> list[int]:
        """The coach's number of each of the deck's cards; kept for the deck asked for last."""
        if deck is not self._numbers[0]:
            rows = {card: row for row, card in enumerate(self.deck.cards)}
            self._numbers = deck, [rows[card] for card in deck.cards]
        return self._numbers[1]

    def _move(self, own: Sequence[int], action: Action) -> tuple[int, int]:
        if isinstance(action, Excuse):
            return self.worth.excuse, 1 << own[action.card]
        return 1 << own[action.target], bits([own[card] for card in action.payment])


def _over(public: Public) -> bool:
    """Nobody is to act: the game is over, or not dealt yet."""
    return bool(public.end) or public.pile >= len(public.deck.cards)


def _rows(public: Public, own: Sequence[int]) -> tuple[int, int, int]:
    """What lies in the capital, with the palace and the resources, and in the pile."""
    capital, held, gone = (
        bits([own[card] for card in cards])
        for cards in (
            public.capital,
            (*public.palace, *public.resources),
            (*public.personalities, *public.discarded),
        )
    )
    return capital, held, bits(own) & ~(capital | held | gone)


coach = functools.cache(Coach)
"""The coach, made once a process."""


def likely(chance: float) -> float:
    """How likely a game is to be won where those begun say this chance. They say a little too little: they go on for
    some moves without thinking.
    """
    win, loss = chance**SLOPE * math.exp(SHIFT), (1 - chance) ** SLOPE
    return win / (win + loss)


def bits(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _action(public: Public, own: Sequence[int], target: int, payment: int) -> Action:
    """A move in the words of the rules; `own` has the coach's number of each of the table's cards."""
    number = own.index(target.bit_length() - 1)
    if public.deck.cards[number].kind == "excuse":
        return Excuse(own.index(payment.bit_length() - 1))
    return Control(number, tuple(card for card in public.resources if payment >> own[card] & 1))


@compiled
def compare(w, nets, room, known, capital, held, rest, games, belief, rng, found, chances):
    """Writes the moves compared with their chances, the best first; returns how many.

    `room`: Room; `known`: Known; `capital`, `held`, `rest`: int64 bits; `games`: int64; `belief`: int64, so many games
    the judge's own word counts as; `rng`: int64[1]; `found`: int64[COMPARED, 2] and `chances`: float64[COMPARED],
    written. Returns int64.
    """
    count = evaluate_moves(w, nets.value, room.ws, capital, held, rest)
    count = refine(w, nets.judge, room, capital, held, rest, count, COMPARED)
    likeliest(room.ws, count, found, chances)
    won, begun = belief * chances[:count], np.full(count, float(belief))
    ways = new_ways(known, count)
    pile = cards_of(rest)
    left, rounds = count, 0
    while games and 1 << rounds < count:
        rounds += 1
    for _ in range(rounds):
        more = max(1, games // (rounds * left))
        go_on(w, nets, room, known, ways, capital, held, pile, found[:left], more, rng, won)
        begun[:left] += more
        for newest in range(1, left):
            i = newest
            while i and won[i] * begun[i - 1] > won[i - 1] * begun[i]:
                swap(won, i)
                swap(begun, i)
                swap(ways, i)
                swap(found[:, 0], i)
                swap(found[:, 1], i)
                i -= 1
        left = (left + 1) // 2
    for i in range(count):
        if begun[i]:
            chances[i] = won[i] / begun[i]
    return count


@compiled
def chances_of(w, nets, room, known, capital, held, rest, games, rng, moves):
    """The chances of these moves, as they lie in their order.

    `room`: Room; `known`: Known; `capital`, `held`, `rest`: int64 bits; `games`: int64; `rng`: int64[1]; `moves`:
    int64[n, 2]. Returns float64[n].
    """
    won = np.zeros(len(moves))
    ways = new_ways(known, len(moves))
    go_on(w, nets, room, known, ways, capital, held, cards_of(rest), moves, games, rng, won)
    return won / games


@compiled
def new_ways(known, count):
    """Numbers for what so many moves lead to. `known`: Known, written; `count`: int64. Returns int64[count]."""
    first = known.last[0] + 1
    known.last[0] += count
    return np.arange(first, first + count)


@compiled
def cards_of(rest):
    """The cards of a set one by one. `rest`: int64 bits. Returns int64[cards], bits."""
    pile = np.zeros(ones(rest), np.int64)
    for i in range(len(pile)):
        pile[i] = rest & -rest
        rest &= rest - 1
    return pile


@compiled
def go_on(w, nets, room, known, ways, capital, held, pile, moves, games, rng, won):
    """Goes on after each of the moves in so many piles, the same for all; adds to `won` how likely it is to be won.

    `ways`: int64[n], the numbers of the moves for `known`; `pile`: int64[cards], shuffled in place; `moves`: int64[n,
    2]; `won`: float64[n]; `rng`: int64[1]; the rest int64.
    """
    rest = 0
    for card in pile:
        rest |= card
    units(nets.value, capital, held, rest, room.ws.before)
    for _ in range(games):
        shuffle(pile, 0, rng)
        for i in range(len(moves)):
            won[i] += after(w, nets, room, known, ways[i], pile, capital, held, rest, moves[i, 0], moves[i, 1])


@compiled
def swap(row, i):
    """A place of the row with the one before. `row`: any[n]; `i`: int64, at least 1."""
    row[i], row[i - 1] = row[i - 1], row[i]


@compiled
def likeliest(ws, count, found, chances):
    """Writes the moves in the workspace, those with the highest logits first.

    `ws`: Workspace, written; `count`: int64, at most COMPARED; `found`: int64[COMPARED, 2] and `chances`:
    float64[COMPARED], written.
    """
    for i in range(count):
        best = best_move(ws, count)
        found[i, 0], found[i, 1], chances[i] = ws.targets[best], ws.payments[best], chance(ws.logits[best])
        ws.logits[best] = -np.inf


@compiled
def after(w, nets, room, known, way, pile, capital, held, rest, target, payment):
    """How likely the game is to be won if this is played and the pile lies like this.

    `room`: Room, with the value's hidden units of the position as those before; `known`: Known, written; `way`: int64,
    the number of the move; `pile`: int64[cards], bits; `rest`: its cards; `capital`, `held`, `target`, `payment`:
    int64. Returns float64.
    """
    at, value, ws = 0, nets.value, room.ws
    hidden, before = ws.hidden, ws.before
    for step in range(AHEAD + 1):
        first, in_capital, in_hand = at, capital, held
        at, capital, held = move(w, pile, at, capital, held, target, payment)
        if hanged(w, held):
            return 0.0
        drawn = 0
        for i in range(first, at):
            drawn |= pile[i]
        rest ^= drawn
        if not (capital | held | rest) & w.people:
            return 1.0
        place = placed(way, capital, held, rest)
        was = known.ways[place]
        if step < AHEAD and was[0] == way and was[1] == capital and was[2] == held and was[3] == rest:
            target, payment = known.moves[place, 0], known.moves[place, 1]
            if not payment:
                return 0.0
            way, before = known.numbers[place], known.hidden[place]
            continue
        for i in range(UNITS):
            hidden[i] = before[i]
        change(value, CAPITAL, in_capital & ~capital, capital & ~in_capital, hidden)
        change(value, HELD, in_hand & ~held, held & ~in_hand, hidden)
        change(value, PILE, drawn, 0, hidden)
        count = evaluate_from(w, value, ws, capital, held)
        best = best_move(ws, refine(w, nets.judge, room, capital, held, rest, count, FEW)) if count else 0
        if step == AHEAD:  # positions so late are too many to come again
            return chance(ws.logits[best]) if count else 0.0
        target, payment = (ws.targets[best], ws.payments[best]) if count else (0, 0)
        was[0], was[1], was[2], was[3] = way, capital, held, rest
        known.last[0] += 1
        way = known.last[0]
        known.numbers[place] = way
        known.moves[place, 0], known.moves[place, 1] = target, payment
        before = known.hidden[place]
        for i in range(UNITS):
            before[i] = hidden[i]
        if not payment:
            return 0.0
    return 0.0


@compiled
def placed(way, capital, held, rest):
    """The place of a position among those known. All int64. Returns int64."""
    mixed = way * 0x2545F4914F6CDD1D ^ capital * 0x369DEA0F31A53F85 ^ held * 0x27BB2EE687B0B0FD ^ rest
    mixed ^= mixed >> 29
    mixed *= 0x369DEA0F31A53F85
    return mixed >> 32 & (KNOWN - 1)


@compiled
def play(w, nets, room, known, pile, games, rng, found, chances, said):
    """Plays a deal as it advises. Whether it is won, and how many choices there were; `said`: their chances.

    `known`: Known; `pile`: int64[cards], bits; `games`: int64; `rng`: int64[1]; `found`: int64[COMPARED, 2];
    `chances`: float64[COMPARED]; `said`: float64[MOVES], written. Returns bool and int64.
    """
    at, capital, held = refill(w, pile, 0, 0, 0)
    choices = 0
    while not hanged(w, held):
        rest = 0
        for i in range(at, len(pile)):
            rest |= pile[i]
        if not (capital | held | rest) & w.people:
            return True, choices
        if not compare(w, nets, room, known, capital, held, rest, games, BELIEF, rng, found, chances):
            return False, choices
        said[choices] = chances[0]
        choices += 1
        at, capital, held = move(w, pile, at, capital, held, found[0, 0], found[0, 1])
    return False, choices
