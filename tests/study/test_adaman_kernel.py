"""Adaman's rules, the compiled ones, and those in plain Python on bits, move by move."""

import numpy as np
import pytest

from matrix import many
from spieltisch import compiled as numbers
from spieltisch.compiled import compiled
from spieltisch.dice import FastDice, throw
from spieltisch.game import see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.engine import kernel, playout
from spieltisch.games.adaman.plain.kernel import Kernel
from spieltisch.games.adaman.record import PRESETS

pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels


@compiled
def deposit(bits, mask):
    return numbers.deposit(bits, mask)


@compiled
def extract(bits, mask):
    return numbers.extract(bits, mask)


def bits(cards):
    return sum(1 << card for card in cards)


def position(public):
    """The state in the kernel's words."""
    return len(public.deck.cards) - public.pile, bits(public.capital), bits(public.palace + public.resources)


def listed(worth, capital, held):
    """The moves of a position where no Excuse waits, as `playout` chooses among them."""
    sets = np.zeros(2 * kernel.ROW, np.int64)
    count = playout.options(worth, capital, held, sets)
    rest, resources = capital | (held & worth.people), held & ~worth.people
    found = [
        (target, deposit(np.int64(subset), resources))
        for target, set_ in zip(
            (1 << n for n in range(rest.bit_length()) if rest >> n & 1), sets.tolist(), strict=False
        )
        for subset in range(32)
        if set_ >> subset & 1
    ]
    assert len(found) == count
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_both_go_the_same_way(preset):
    options = rules.Options(tuple(PRESETS[preset].get("extra", ())))
    deck = decktet(options.extra)
    worth, plain = kernel.worth(deck), Kernel(deck)
    dice = FastDice(preset)
    targets, payments = np.zeros((2, kernel.MOST), np.int64)
    excuses = 0
    for _ in range(150):
        state = rules.setup(1, options, deck)
        cards = throw(dice, rules.pending_chance(state))
        state = rules.resolve_chance(state, cards)
        pile = np.left_shift(np.int64(1), np.array(cards))
        here = kernel.refill(worth, pile, 0, 0, 0)
        laid, there = pile.tolist(), plain.refill(pile.tolist(), 0, 0, 0)
        while True:
            public = state.public
            assert here == there == position(public)
            assert kernel.hanged(worth, here[2]) == plain.hanged(there[2]) == (public.end == "hanged")
            if not rules.to_act(public):
                break
            legal = rules.legal(see(state, 0))
            count = kernel.moves(worth, *here[1:], targets, payments)
            if public.excuse:
                excuses += 1
                named = {(worth.excuse, 1 << action.card): action for action in legal}
                named.pop((worth.excuse, worth.excuse), None)
            else:
                assert not kernel.stuck(worth, *here[1:])
                assert not plain.stuck(*there[1:])
                named = {(1 << action.target, bits(action.payment)): action for action in legal}
                assert sorted(listed(worth, *here[1:])) == sorted(named)  # what random games choose among
            assert sorted(zip(targets[:count].tolist(), payments[:count].tolist(), strict=True)) == sorted(named)
            assert sorted(plain.moves(*there[1:])) == sorted(named)
            (target, payment), action = dice.choice(list(named.items()))
            here = kernel.move(worth, pile, *here, target, payment)
            there = plain.move(laid, *there, (target, payment))
            state = rules.apply(state, 0, action)
        if public.end == "lost":
            assert kernel.stuck(worth, *here[1:])
            assert plain.stuck(*there[1:])
    assert excuses or not worth.excuse


def test_random_games_end_as_by_the_rules():
    """Wins, losses and hangings come as often as through the rules."""
    deck = decktet()
    worth, dice = kernel.worth(deck), FastDice(3)
    ends, games = {"won": 0, "lost": 0, "hanged": 0}, many(200, 400)
    for _ in range(games):
        state = rules.setup(1, rules.Options(), deck)
        state = rules.resolve_chance(state, throw(dice, rules.pending_chance(state)))
        while rules.to_act(state.public):
            state = rules.apply(state, 0, dice.choice(rules.legal(see(state, 0))))
        ends[state.public.end] += 1
    often = playout.playouts(worth, 36, 40_000, 1) / 40_000
    for share, end in zip(often, ("won", "lost", "hanged"), strict=True):
        assert abs(ends[end] / games - share) < 4 * (share * (1 - share) / games) ** 0.5 + 0.005


def test_bits_move_as_the_processor_moves_them_where_it_cannot():
    dice = FastDice(5)
    for _ in range(300):
        bits, mask = dice.below(1 << 45), dice.below(1 << 45)
        assert deposit(bits, mask) == numbers._deposited(bits, mask)
        assert extract(bits, mask) == numbers._extracted(bits, mask)
