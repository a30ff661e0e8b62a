"""Practice payments: moments from the coach's own games where it rates one payment clearly best."""

import itertools
import time
from collections.abc import Iterator

from spieltisch.dice import numbered_pile
from spieltisch.game import State, see
from spieltisch.games.adaman import looking_back, rules
from spieltisch.games.adaman.coaching import Coach
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.engine.coach import coach as made
from spieltisch.games.adaman.engine.solver import Solver
from spieltisch.games.adaman.options import Options
from spieltisch.games.adaman.payments import Payment
from spieltisch.games.adaman.positions import CHOICES, CLEAR, written
from spieltisch.games.adaman.state import Control, GameState, Hidden, Own

FIRST = 380_000_000_000
"""The number of the first deal to look at."""
ORDERED = 4
"""The largest pile for which a proof tries all orders."""
PATIENCE = 2.0
"""Solver seconds for a position."""


def payments(count: int, minutes: float) -> Iterator[Payment]:
    """Payments, one from each deal: `count` of them, or as many as these processor minutes allow."""
    coach, deck, until = made(), decktet(), time.process_time() + 60 * minutes
    solver, left = Solver(deck), count
    begun = rules.setup(1, Options(), deck)
    for number in itertools.count(FIRST):
        if not left or time.process_time() > until:
            return
        pile = numbered_pile("adaman", number, len(deck.cards))
        state, found = rules.resolve_chance(begun, pile), list[Payment]()
        while rules.to_act(state.public):
            best, payment = _looked(coach, solver, state)
            found += [] if payment is None else [payment]
            state = rules.apply(state, 0, best)
        if found:
            left -= 1
            yield found[number % len(found)]  # early and late ones


def _looked(coach: Coach, solver: Solver, state: GameState) -> tuple[rules.Action, Payment | None]:
    """The coach's move, and the moment if the move is clearly best."""
    view = see(state, 0)
    judged = looking_back.weighed(coach, view, looking_back.favourites(coach, view))
    (chance, best, parts), *others = judged
    if not others or not isinstance(best, Control):
        return best, None
    second, _, others_parts = others[0]
    ahead = chance - second
    if ahead < max(CLEAR, looking_back.interval([a - b for a, b in zip(parts, others_parts, strict=True)])):
        return best, None
    offered = tuple((action, likely) for likely, action, _ in judged if isinstance(action, Control))[:CHOICES]
    moment = written(state.public, best).partition("/")[0]
    ordered = tuple((Control(one.target, tuple(sorted(one.payment))), likely) for one, likely in offered)
    return best, Payment(moment, ordered, proven(solver, state, best))


def proven(solver: Solver, state: GameState, best: rules.Action) -> bool:
    """Whether the game can be won after the best move and is lost after every other one, with any pile."""
    pile = state.hidden.pile
    if len(pile) > ORDERED:
        return False
    orders = list(itertools.permutations(pile))
    others = [action for action in rules.legal(see(state, 0)) if action != best]
    can = any(_winnable(solver, state, order, best) for order in orders)
    return can and all(_winnable(solver, state, order, one) is False for one in others for order in orders)


def _winnable(solver: Solver, state: GameState, order: tuple[int, ...], action: rules.Action) -> bool | None:
    then = rules.apply(State(state.public, (Own(),), Hidden(order)), 0, action)
    if then.public.end:
        return then.public.end == "won"
    seen = [card for card in range(len(state.public.deck.cards)) if card not in order]
    return solver.solve((*seen, *order), PATIENCE, best=False, start=looking_back.start(then.public)).winnable
