"""What the solver says of records that hold only the shuffle, in the words of records."""

from typing import Any

from spieltisch import record
from spieltisch.decks.decktet import Deck
from spieltisch.game import Invalid
from spieltisch.games.adaman.engine.solver import Solution, Solver


class Answerer:
    """Answers records of any deck; keeps a solver for the deck that it met last."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._solver: tuple[Deck, Solver] | None = None

    def answer(self, raw: Any) -> dict[str, Any]:
        """`winnable`, `best`, and a `line` that can be put at the end of the record's log; InvalidRecord if it is not a
        record of Adaman that holds the shuffle and nothing else.
        """
        head = record.top(raw)
        if head.package.name != "adaman":
            raise Invalid("only Adaman can be solved, and this is {game}", game=head.package.name)
        if not head.log:
            raise record.InvalidRecord("the log is empty: what is solved is a shuffle")
        state = record.replay(raw | {"log": head.log[:1]}).state
        if len(head.log) > 1:
            raise record.InvalidRecord("only the shuffle stands in a record to be solved", 2)
        deck = state.public.deck
        if self._solver is None or self._solver[0] != deck:
            self._solver = deck, Solver(deck)
        numbers = {card.id: number for number, card in enumerate(deck.cards)}
        found = self._solver[1].solve([numbers[name] for name in head.log[0]["outcome"]], self.seconds)
        return written(head, state, found)


def written(head: record.Top, state: Any, found: Solution) -> dict[str, Any]:
    line: list[dict[str, Any]] = []
    for action in found.line:
        head.package.record.write_action(state.public.deck, state, 0, action, line)
    return {"winnable": found.winnable, "best": found.best, "line": line}
