"""Adaman's compiled rules and the rules, move by move."""

import numpy as np
import pytest

from spieltisch.decks.decktet import decktet
from spieltisch.dice import Quick, throw
from spieltisch.game import see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.record import PRESETS
from spieltisch.study.adaman import kernel

pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels


def bits(cards):
    return sum(1 << card for card in cards)


def position(public):
    """The state in the kernel's words."""
    return len(public.deck.cards) - public.pile, bits(public.capital), bits(public.palace + public.resources)


@pytest.mark.parametrize("preset", PRESETS)
def test_both_go_the_same_way(preset):
    options = rules.Options(tuple(PRESETS[preset].get("extra", ())))
    deck = decktet(options.extra)
    worth = kernel.worth(deck)
    dice = Quick(preset)
    targets, payments = np.zeros((2, kernel.MOST), np.int64)
    excuses = 0
    for _ in range(150):
        state = rules.setup(1, options, deck)
        cards = throw(dice, rules.due(state))
        state = rules.settle(state, cards)
        pile = np.left_shift(np.int64(1), np.array(cards))
        here = kernel.refill(worth, pile, 0, 0, 0)
        while True:
            public = state.public
            assert here == position(public)
            assert kernel.hanged(worth, here[2]) == (public.end == "hanged")
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
                named = {(1 << action.target, bits(action.payment)): action for action in legal}
            assert sorted(zip(targets[:count].tolist(), payments[:count].tolist(), strict=True)) == sorted(named)
            (target, payment), action = dice.choice(list(named.items()))
            here = kernel.move(worth, pile, *here, target, payment)
            state = rules.apply(state, 0, action)
        if public.end == "lost":
            assert kernel.stuck(worth, *here[1:])
    assert excuses or not worth.excuse
