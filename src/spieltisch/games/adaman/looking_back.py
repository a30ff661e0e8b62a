"""The table's questions about a deal: can it be won, which move is best, and how good was the game?

They run in a process of their own (see `Analysis`), because they may take seconds.
"""

import math
import random
import statistics
import time
from collections.abc import Sequence

from spieltisch.decks.tasks import Task
from spieltisch.dice import FastDice
from spieltisch.game import see
from spieltisch.games.adaman import positions, rules
from spieltisch.games.adaman.chances import Look
from spieltisch.games.adaman.coaching import Coach, bits, likely
from spieltisch.games.adaman.record import written
from spieltisch.games.adaman.solving import Solver, Start
from spieltisch.games.adaman.state import GameState, GameView

TRIED = 3  # compared moves, including the one made
MORE = 2  # further moves in a task, with lower values
Z = 2.39  # for two-sided 95 % intervals that hold for all three at once


def label(solver: Solver, pile: Sequence[int]) -> bool | None:
    """Whether this deal can be won; None if undecided in time. `pile` is the shuffled deck."""
    return solver.solve(pile, solver.for_deal, best=False).winnable


def look_back(
    coach: Coach, solver: Solver, pile: Sequence[int], states: Sequence[GameState], actions: Sequence[rules.Action]
) -> list[Look]:
    """The analysis of every move of a finished game. `pile` is the shuffled deck, top first; `states` has the state
    before each action, and the last one.
    """
    moments, won = states[:-1], states[-1].public.end == "won"
    can = winnable(solver, pile, moments, won=won)
    return [look(coach, *one) for one in zip(moments, actions, can, strict=True)]


def winnable(solver: Solver, pile: Sequence[int], states: Sequence[GameState], *, won: bool) -> list[bool | None]:
    """Whether the game could still be won at each moment. Works backwards: if it could be won at one moment, it could
    at all earlier ones.
    """
    until, found = time.thread_time() + solver.for_game, list[bool | None]()
    for state in reversed(states):
        can = won or (bool(found) and found[-1] is True) or None
        if not can and (left := until - time.thread_time()) > 0:
            seconds = min(left, solver.for_moment)
            can = solver.solve(pile, seconds, best=False, start=start(state.public)).winnable
        found.append(can)
    return found[::-1]


def start(public: rules.Public) -> Start:
    """The table's position, for the solver."""
    capital, held = bits(public.capital), bits(public.palace + public.resources)
    return len(public.deck.cards) - public.pile, capital, held


def advise(coach: Coach, view: GameView) -> rules.Action | None:
    """The move with the best chance, judged as in a look back; None if the game is over."""
    found = weighed(coach, view, favourites(coach, view))
    return found[0][1] if found else None


def task(coach: Coach, card: str, view: GameView, made: rules.Control | None, dice: random.Random) -> Task | None:
    """A task from the moment in `card`, where this payment was made; None if there was only one move."""
    liked = favourites(coach, view)
    more = [one for one in rules.legal(view) if one not in liked and one != made]
    tried = [*liked, *([made] if made and made not in liked else []), *dice.sample(more, min(len(more), MORE))]
    if len(tried) < 2:
        return None
    judged = [(one, chance) for chance, one, _ in weighed(coach, view, tried) if isinstance(one, rules.Control)]
    return positions.task(card, judged, made, dice)


def look(coach: Coach, state: GameState, action: rules.Action, can: bool | None) -> Look:
    """The analysis of this action."""
    view = see(state, 0)
    liked = favourites(coach, view)
    judged = weighed(coach, view, liked if action in liked else [*liked, action])
    (best_chance, best, parts) = judged[0]
    made, _, others = next(one for one in judged if one[1] == action)
    error = interval([one - other for one, other in zip(parts, others, strict=True)])
    spread, deck = interval(others), state.public.deck
    return Look(written(deck, action), can, made, written(deck, best), best_chance, error, spread)


def interval(differences: Sequence[float]) -> float:
    """Half the width of the 95 % interval of their mean; infinite for a single value."""
    if len(differences) < 2:
        return math.inf
    return Z * statistics.stdev(differences) / math.sqrt(len(differences))


def favourites(coach: Coach, view: GameView) -> list[rules.Action]:
    """The coach's best moves."""
    return [one.action for one in coach.advise(view.public, _dice(view), coach.looked)][:TRIED]


def weighed(
    coach: Coach, view: GameView, actions: Sequence[rules.Action]
) -> list[tuple[float, rules.Action, list[float]]]:
    """These moves with their chances, overall and part by part, best first. A move's chance does not depend on the
    other moves.
    """
    tried = coach.try_out(view.public, actions, _dice(view), coach.tried)
    judged = [
        (likely(statistics.fmean(parts)), action, [*parts])
        for action, parts in zip(actions, zip(*tried, strict=True), strict=True)
    ]
    return sorted(judged, key=lambda one: -one[0])


def _dice(view: GameView) -> FastDice:
    """Dice that depend on the view alone, so they are the same for every pile that fits it."""
    return FastDice(view.public.pile)
