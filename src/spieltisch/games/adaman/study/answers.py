"""What the solver says of a record's deal, in the words of records."""

from typing import Any

from spieltisch import makers, record
from spieltisch.game import Invalid
from spieltisch.games.adaman.solving import Solution


class Answerer:
    """Answers records of any deck."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def answer(self, raw: Any) -> dict[str, Any]:
        """`winnable`, `best`, and a `line` that can be put behind the shuffle; where the record holds moves, `end` and
        `score` of the game that was played, too. InvalidRecord if it is no record of Adaman, or breaks a rule.
        """
        head = record.top(raw)
        if head.package.name != "adaman":
            raise Invalid("only Adaman can be solved, and this is {game}", game=head.package.name)
        if not head.log:
            raise record.InvalidRecord("the log is empty: what is solved is a shuffle")
        replay = record.replay(raw)
        state = replay.states[1]
        deck = state.public.deck
        numbers = {card.id: number for number, card in enumerate(deck.cards)}
        solver = makers.module("adaman", "solver").solver(deck)
        found = solver.solve([numbers[name] for name in head.log[0]["outcome"]], self.seconds)
        return written(head, state, found) | (_played(head, replay) if len(head.log) > 1 else {})


def written(head: record.Top, state: Any, found: Solution) -> dict[str, Any]:
    line: list[dict[str, Any]] = []
    for action in found.line:
        head.package.record.write_action(state.public.deck, state, 0, action, line)
    return {"winnable": found.winnable, "best": found.best, "line": line}


def _played(head: record.Top, replay: record.Replay) -> dict[str, Any]:
    result = head.package.rules.result(replay.state.public)
    if result is None or result.scores is None:
        return {"end": None, "score": None}
    return {"end": result.end, "score": result.scores[0]}
