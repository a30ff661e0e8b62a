"""The solver's answer about a record's deal, in the terms of records."""

from typing import NotRequired, TypedDict

from spieltisch import makers, record
from spieltisch.game import GameState, Invalid, read
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.solving import Solution
from spieltisch.games.adaman.state import Public


class Answer(TypedDict):
    """An answer in the terms of records. `end` and `score` are those of the game, if one was played."""

    winnable: bool | None
    best: int | None
    line: list[dict[str, object]]
    end: NotRequired[str | None]
    score: NotRequired[int | None]


class Answerer:
    """Answers records of any deck."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def answer(self, raw: object) -> Answer:
        """`winnable`, `best`, and a `line` that fits behind the shuffle; with moves in the record, also `end` and
        `score` of that game. Raises InvalidRecord if it is no record of Adaman, or breaks a rule.
        """
        head = record.top(raw)
        if head.package.name != "adaman":
            raise Invalid("only Adaman can be solved, and this is {game}", game=head.package.name)
        if not head.log:
            raise record.InvalidRecord("the log is empty: what is solved is a shuffle")
        replay = record.replay(raw)
        state = replay.states[1]
        assert isinstance(state.public, Public)
        deck = state.public.deck
        numbers = {card.id: number for number, card in enumerate(deck.cards)}
        solver = makers.module("adaman", "solver").solver(deck)
        shuffled = read(head.log[0], dict[str, object])["outcome"]
        found = solver.solve([numbers[name] for name in read(shuffled, list[str])], self.seconds)
        told = written(head, deck, state, found)
        if len(head.log) > 1:
            result = head.package.rules.result(replay.state.public)
            told["end"] = None if result is None or result.scores is None else result.end
            told["score"] = None if result is None or result.scores is None else result.scores[0]
        return told


def written(head: record.Top, deck: Deck, state: GameState, found: Solution) -> Answer:
    line: list[dict[str, object]] = []
    for action in found.line:
        head.package.record.write_action(deck, state, 0, action, line)
    return {"winnable": found.winnable, "best": found.best, "line": line}
