"""Both solvers, compiled and in plain Python, against search without any bound."""

import itertools
import json
import random
from pathlib import Path

import pytest

from matrix import many, sampled
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import Deck, cards, decktet
from spieltisch.games.adaman.engine import solver as engine
from spieltisch.games.adaman.engine.plain import best_score
from spieltisch.games.adaman.plain import solver as plain
from spieltisch.games.adaman.study.winnable import Question, extra, shuffled

pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels
MAKERS = {"compiled": lambda deck: engine.Solver(deck, 14), "plain": plain.Solver}
KINDS = ("basic", "extended", "excuse", "few people", "many people")


@pytest.fixture(params=MAKERS)
def solver_of(request):
    return MAKERS[request.param]


def played(deck, order, line):
    """The end of this line by the rules."""
    extra = tuple(card.id for card in deck.cards if card.kind in {"pawn", "court", "excuse"})
    state = rules.resolve_chance(rules.setup(1, rules.Options(extra), deck), tuple(order))
    for action in line:
        state = rules.apply(state, 0, action)
    return state


@pytest.mark.parametrize(
    ("kind", "maker"),
    sampled(itertools.product(KINDS, MAKERS), [("few people", "compiled"), ("excuse", "compiled"), ("basic", "plain")]),
)
def test_as_plain_search_says(kind, maker):
    """Reduced decks of every kind: the same answer, and a line that leads there."""
    dice, every = random.Random(kind), cards()
    answers = {True: 0, False: 0}
    for number in range(many(210, 420)):
        weight = {"few people": 0.4, "many people": 1.5}.get(kind, 1)
        choice = [*every[: 36 if kind == "basic" else 44]]
        choice.sort(key=lambda card: dice.random() ** (1 / (weight if card.person else 1)))
        chosen = choice[-dice.randint(10, 13) :]
        if kind == "excuse":
            chosen.append(every[44])
        deck = Deck("reduced", tuple(sorted(chosen, key=every.index)))
        order = dice.sample(range(len(deck.cards)), len(deck.cards))
        found = MAKERS[maker](deck).solve(order, 60.0)
        best = best_score(deck, order)
        total = sum(card.value for card in deck.cards if card.person)
        assert (found.winnable, found.best) == (best >= total, best), (number, order)
        state = played(deck, order, found.line)
        assert rules.score(state.public) == best
        assert state.public.end == "won" if found.winnable else not best or state.public.end == "lost"
        answers[found.winnable] += 1
    assert min(answers.values()) > 20, answers


# with how many deals, and seconds for each
SOLVERS = {"compiled": (engine, 250, 0.05), "plain": (plain, many(30, 60), 0.3)}
PRESETS = ("basic", "excuse", "easy", "extended", "all-but-excuse")
LETTERS = Path(__file__).parents[2] / "docs" / "answers" / "decks"


@pytest.mark.parametrize(
    ("name", "maker"), sampled(itertools.product(PRESETS, SOLVERS), [("basic", "compiled"), ("extended", "plain")])
)
def test_what_was_found_out_before_holds(name, maker):
    """Whole decks: a deal with a known winning line is never called lost, nor the other way round."""
    solvers, deals, seconds = SOLVERS[maker]
    about, *lines = (LETTERS / f"{name}.txt").read_text("utf-8").lower().splitlines()
    question = Question(json.loads(about)["deck"], json.loads(about)["seed"], 0.0)
    solver, decided = solvers.solver(decktet(extra(question.preset))), 0
    for number, letter in enumerate("".join(lines)[:deals]):
        found = solver.solve(shuffled(question, number), seconds, best=False).winnable
        if found is not None and letter != "u":
            assert found == (letter == "w"), number
            decided += 1
    assert decided > 0.7 * deals


def test_five_cards_do_not_pay_for_many_who_come_last(solver_of):
    """Ranks and suits suffice; but a player who has drawn everything before them has only five cards, however high."""
    deck = decktet(extra("borderland,harvest,light-keeper,watchman,consul,island,rite,window"))
    people = [card for card in range(len(deck.cards)) if deck.cards[card].person]
    others = [card for card in range(len(deck.cards)) if not deck.cards[card].person]
    others.sort(key=lambda card: -deck.cards[card].value)
    order = [*others[:-6], *people[:11], *others[-6:-3], *people[11:], *others[-3:]]
    found = solver_of(deck).solve(order, 10.0, best=False)
    assert (found.winnable, found.positions) == (False, 0)
    early = [card for pair in zip(others, people, strict=False) for card in pair]
    rest = [card for card in range(len(deck.cards)) if card not in early]
    assert solver_of(deck).solve([*early, *rest], 10.0, best=False).winnable
