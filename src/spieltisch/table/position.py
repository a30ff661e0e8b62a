"""One moment of a game at a table, and the step to the next one. Pure functions on frozen values.

A position contains the State, so only `session` and `host` hold positions.
"""

from collections.abc import Callable, Iterator
from itertools import count

from msgspec import Struct

from spieltisch.dice import resolve
from spieltisch.game import GameState, HasCards, Illegal, Outcome, PendingChance, Result, Rules, see

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
            offer = self.offers[seat] = tuple(self.rules.legal(see(self.state, seat)))
        return offer


def dealt(
    rules: Rules, seats: int, options: Struct, deck: HasCards, throw: Throw
) -> tuple[Position, tuple[Outcome, ...]]:
    """The moment after the deal, and its chance outcomes."""
    state, outcomes = _resolved(rules, rules.setup(seats, options, deck), 0, throw)
    to_act = tuple(rules.to_act(state.public))
    result = rules.result(state.public)
    return Position(rules, state, 1, len(outcomes), (1,) * seats, to_act, result), outcomes


def moved(old: Position, seat: int, action: Struct, throw: Throw) -> tuple[Position, tuple[Outcome, ...]]:
    """The moment after the action, and its chance outcomes. Raises Illegal if the rules refuse it."""
    rules = old.rules
    state, outcomes = _resolved(rules, rules.apply(old.state, seat, action), old.throws, throw)
    to_act = tuple(rules.to_act(state.public))
    seq = old.seq + 1
    offers = {}
    since = list(old.since)
    since[seat] = seq
    for other in {*old.to_act, *to_act} - {seat}:
        if other in old.to_act and other in to_act:  # otherwise one of the offers is empty, so they differ
            offers[other] = tuple(rules.legal(see(state, other)))
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
        rules.result(state.public),
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
    state, resolved = resolve(rules, state, lambda chance: throw(chance, next(number)))
    return state, tuple(outcome for _, outcome in resolved)
