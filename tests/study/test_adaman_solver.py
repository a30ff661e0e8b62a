"""The solver against plain search."""

import random

import pytest

from spieltisch.decks.decktet import Deck, cards
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.engine.plain import best_score
from spieltisch.games.adaman.engine.solver import Solver

pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels


def played(deck, order, line):
    """The end of this line by the rules."""
    extra = tuple(card.id for card in deck.cards if card.kind in {"pawn", "court", "excuse"})
    state = rules.resolve_chance(rules.setup(1, rules.Options(extra), deck), tuple(order))
    for action in line:
        state = rules.apply(state, 0, action)
    return state


@pytest.mark.parametrize("kind", ["basic", "extended", "excuse", "few people", "many people"])
def test_as_plain_search_says(kind):
    """420 reduced decks of every kind: the same answer, and a line that leads there."""
    dice, every = random.Random(kind), cards()
    answers = {True: 0, False: 0}
    for number in range(420):
        weight = {"few people": 0.4, "many people": 1.5}.get(kind, 1)
        choice = [*every[: 36 if kind == "basic" else 44]]
        choice.sort(key=lambda card: dice.random() ** (1 / (weight if card.person else 1)))
        chosen = choice[-dice.randint(10, 13) :]
        if kind == "excuse":
            chosen.append(every[44])
        deck = Deck("reduced", tuple(sorted(chosen, key=every.index)))
        order = dice.sample(range(len(deck.cards)), len(deck.cards))
        found = Solver(deck, 14).solve(order)
        best = best_score(deck, order)
        total = sum(card.value for card in deck.cards if card.person)
        assert (found.winnable, found.best) == (best >= total, best), (number, order)
        state = played(deck, order, found.line)
        assert rules.score(state.public) == best
        assert state.public.end == "won" if found.winnable else not best or state.public.end == "lost"
        answers[found.winnable] += 1
    assert min(answers.values()) > 20, answers
