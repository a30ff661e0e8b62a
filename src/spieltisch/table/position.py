"""One moment of a game at a table, and the step to the next one. Pure functions on frozen values.

A position contains the State, so only `session` and `host` hold positions.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from msgspec import Struct

from spieltisch.dice import resolve
from spieltisch.game import Faulty, GameState, HasCards, Illegal, Outcome, PendingChance, Result, Rules, see

log = logging.getLogger(__name__)

Throw = Callable[[PendingChance, int], Outcome]  # what is due, and the number of earlier throws that count


class Position(Struct, frozen=True, eq=False):
    """The moment after entry `seq`. `since[i]` is the question number of seat i: the entry after which its present
    offer began. An empty offer has one, too.
    """

    rules: Rules
    state: GameState
    seq: int
    throws: int
    since: tuple[int, ...]
    to_act: tuple[int, ...]
    result: Result | None
    before: "Position | None" = None  # the moment before, for an undo; only in games of one seat
    undone: int = 0
    offers: dict[int, tuple[Struct, ...]] = {}  # cached results of `legal`

    def legal(self, seat: int) -> tuple[Struct, ...]:
        """The actions open to a seat, from the rules; cached."""
        if seat not in self.to_act:
            return ()
        offer = self.offers.get(seat)
        if offer is None:
            offer = self.offers[seat] = _legal(self.rules, self.state, seat)
        return offer


def dealt(
    rules: Rules, seats: int, options: Struct, deck: HasCards, throw: Throw
) -> tuple[Position, tuple[Outcome, ...]]:
    """The moment after the deal, and its chance outcomes."""
    state, outcomes = _resolved(rules, rules.setup(seats, options, deck), 0, throw)
    to_act, result = _to_act(rules, state), _result(rules, state)
    return Position(rules, state, 1, len(outcomes), (1,) * seats, to_act, result), outcomes


def moved(old: Position, seat: int, action: Struct, throw: Throw) -> tuple[Position, tuple[Outcome, ...]]:
    """The moment after the action, and its chance outcomes. Raises Illegal if the rules refuse it."""
    rules = old.rules
    state, outcomes = _resolved(rules, rules.apply(old.state, seat, action), old.throws, throw)
    to_act = _to_act(rules, state)
    seq = old.seq + 1
    offers = {}
    since = list(old.since)
    since[seat] = seq
    for other in {*old.to_act, *to_act} - {seat}:
        if other in old.to_act and other in to_act:  # otherwise one of the offers is empty, so they differ
            offers[other] = _legal(rules, state, other)
            if offers[other] == old.legal(other):
                continue
        since[other] = seq
    new = Position(
        rules,
        state,
        seq,
        old.throws + len(outcomes),
        tuple(since),
        to_act,
        _result(rules, state),
        before=old if len(since) == 1 else None,
        undone=old.undone,
        offers=offers,
    )
    return new, outcomes


def taken_back(old: Position) -> Position:
    """The moment after an undo. Raises Illegal at the deal."""
    then = old.before
    if then is None:
        raise Illegal("There is nothing to take back.")
    return Position(
        old.rules,
        then.state,
        old.seq + 1,
        then.throws,
        (old.seq + 1,),
        then.to_act,
        then.result,
        before=then.before,
        undone=old.undone + 1,
    )


def said(outcomes: tuple[Outcome, ...]) -> Throw:
    """Throws that repeat the outcomes in a log."""
    rest: Iterator[Outcome] = iter(outcomes)
    return lambda _due, _number: next(rest)


def _resolved(rules: Rules, state: GameState, throws: int, throw: Throw) -> tuple[GameState, tuple[Outcome, ...]]:
    number = count(throws)
    try:
        state, resolved = resolve(rules, state, lambda chance: throw(chance, next(number)))
    except Faulty as fault:
        _report(rules, fault)
        raise
    return state, tuple(outcome for _, outcome in resolved)


# What a game from elsewhere returns is looked at here, so that its author reads which function is wrong.


def _to_act(rules: Rules, state: GameState) -> tuple[int, ...]:
    acting, seats = rules.to_act(state.public), range(len(state.own))
    if isinstance(acting, Sequence) and all(seat in seats for seat in acting):
        return tuple(acting)
    raise _wrong(rules, "to_act", acting)


def _legal(rules: Rules, state: GameState, seat: int) -> tuple[Struct, ...]:
    legal = rules.legal(see(state, seat))
    if isinstance(legal, Sequence):
        return tuple(legal)
    raise _wrong(rules, "legal", legal)


def _result(rules: Rules, state: GameState) -> Result | None:
    result = rules.result(state.public)
    if result is None or isinstance(result, Result):
        return result
    raise _wrong(rules, "result", result)


def _wrong(rules: Rules, function: str, value: object) -> Faulty:
    """The error for what a function may not return, by its type alone: a page shows this, and cards are secret."""
    fault = Faulty(
        "The rules of {game} have a fault: `{function}` returns {value}.",
        game=rules.name, function=function, value=type(value).__name__,
    )  # fmt: skip
    _report(rules, fault)
    return fault


def _report(rules: Rules, fault: Faulty) -> None:
    log.error("%s (%s)", fault, getattr(rules, "__file__", None) or rules.name)
