"""What the table asks about deals of Adaman: can this one be won, and how did that game go?

Both are asked in a process of their own (see `Analysis`), for it may take seconds.
"""

from collections.abc import Sequence
from typing import Any

from spieltisch.decks.decktet import Deck
from spieltisch.dice import FastDice
from spieltisch.game import see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.chances import Look
from spieltisch.games.adaman.engine.coach import coach
from spieltisch.games.adaman.engine.solver import Solver, Start
from spieltisch.games.adaman.record import Record
from spieltisch.games.adaman.state import GameState

DEAL = 10.0  # processor seconds for a deal that is asked for by its number
MOMENT = 3.0  # for a moment of a finished game
GAMES = 1_300  # that the coach begins for each move compared: within 3 % (95 % of the time)
TRIED = 3  # moves that are compared, with the one made

_solvers: dict[Deck, Solver] = {}


def label(dealt: GameState, pile: Sequence[int]) -> bool | None:
    """Whether this deal can be won; None: not decided within `DEAL` processor seconds. `pile`: the shuffled deck."""
    return _solver(dealt.public.deck).solve(pile, DEAL, best=False).winnable


def look_back(pile: Sequence[int], states: Sequence[GameState], actions: Sequence[rules.Action]) -> list[Look]:
    """Every move of a finished game. `pile` is the shuffled deck, top first; `states` has the state before each
    action, and the last one.
    """
    moments, won = states[:-1], states[-1].public.end == "won"
    winnable = _winnable(states[0].public.deck, pile, moments, won=won)
    return [_look(*one) for one in zip(moments, actions, winnable, strict=True)]


def _winnable(deck: Deck, pile: Sequence[int], states: Sequence[Any], *, won: bool) -> list[bool | None]:
    """Whether each moment's game could still be won. From the end back: before one that could, all could."""
    found: list[bool | None] = []
    for state in reversed(states):
        can = won or (bool(found) and found[-1] is True)
        found.append(can or _solver(deck).solve(pile, MOMENT, best=False, start=_start(state.public)).winnable)
    return found[::-1]


def _start(public: rules.Public) -> Start:
    rows = public.capital, public.palace + public.resources
    capital, held = (sum(1 << card for card in row) for row in rows)
    return len(public.deck.cards) - public.pile, capital, held


def advise(view: Any) -> rules.Action | None:
    """The move with the best chance, judged as in a look back; None where the game is over."""
    judged = _judged(view, _liked(view))
    return judged[0][1] if judged else None


def _look(state: Any, action: rules.Action, winnable: bool | None) -> Look:
    view = see(state, 0)
    liked = _liked(view)
    judged = _judged(view, liked if action in liked else [*liked, action])
    made = next(chance for chance, one in judged if one == action)
    best_chance, best = judged[0]
    return Look(_written(state, action), winnable, made, _written(state, best), best_chance)


def _liked(view: Any) -> list[rules.Action]:
    """The moves that the coach likes best."""
    return [one.action for one in coach().advise(view.public, _dice(view))][:TRIED]


def _judged(view: Any, actions: Sequence[rules.Action]) -> list[tuple[float, rules.Action]]:
    """These moves with their chances, the best one first. A chance does not hang on what else is compared."""
    return sorted(zip(_chances(view, actions), actions, strict=True), key=lambda one: -one[0])


def _dice(view: Any) -> FastDice:
    """From the view alone: the same with any pile that fits it."""
    return FastDice(view.public.pile)


def _chances(view: Any, actions: Sequence[rules.Action]) -> list[float]:
    """What the coach says."""
    return coach().chances(view.public, actions, _dice(view), GAMES * len(actions))


def _written(state: Any, action: rules.Action) -> dict[str, Any]:
    log: list[dict[str, Any]] = []
    Record(rules).write_action(state.public.deck, state, 0, action, log)
    return log[0]["action"]


def _solver(deck: Deck) -> Solver:
    """The solver of this deck; only the last one is kept, for it takes much room."""
    if deck not in _solvers:
        _solvers.clear()
        _solvers[deck] = Solver(deck)
    return _solvers[deck]
