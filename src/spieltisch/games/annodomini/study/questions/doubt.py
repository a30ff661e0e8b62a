"""Anno Domini: what is a doubt worth, by the length of the chain and by knowledge?

In a game one decision is drawn at which the first bot may doubt. The game is played twice from the beginning, the same
up to there: once it doubts then, once it lays the card that it thinks best; from then on everybody plays as usual. What
it wins more with the doubt is what the doubt is worth, and the reveal shows whether the chain was wrong.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from spieltisch.dice import FastDice
from spieltisch.games.annodomini.beliefs import LEVELS
from spieltisch.games.annodomini.bot import weighed
from spieltisch.games.annodomini.state import Doubt, Public
from spieltisch.study.questions.question import Finding, Question, Table, Values, shares
from spieltisch.study.report import Picture, bars, drawn
from spieltisch.study.series import Choose, Played, Series, load, one_game, series

OTHERS = "connoisseur"
LENGTHS = ("2 cards", "3 cards", "4 cards", "5 cards", "6 and more")
SPANS = ("2 or 3 cards", "4 or 5 cards", "6 and more")  # of which a level has enough
THOUGHTS = ("below 20 %", "20–60 %", "above 60 %")
WRONG = "Wrong chains, by length"
MORE = "Gain of a doubt over a card"
WORTH = f"{MORE}, by length"
ROUNDS = 100


def play(seed: int, number: int) -> Values:
    """A decision of a bot of each level among three others."""
    values: Values = {}
    for level in LEVELS:
        found = series("anno-domini", (level, OTHERS, OTHERS, OTHERS), seed, {"max_rounds": ROUNDS})
        for title, case, value in _seen(found, number, LEVELS[level]):
            values.setdefault(title, {}).setdefault(case, []).append(value)
    return values


def _seen(found: Series, number: int, name: str) -> list[tuple[str, str, float]]:
    trial = _Trial(found, number)
    first = trial.played(None, doubts=False)
    if not trial.thoughts:
        return []
    at = FastDice(f"{found.seed}/{number}/{name}/doubt").below(len(trial.thoughts))
    length, wrong, doubted = trial.thoughts[at]
    ends = {doubts: first if doubts == doubted else trial.played(at, doubts=doubts) for doubts in (True, False)}
    more = _win(ends[True]) - _win(ends[False])
    long, span = LENGTHS[min(length, 6) - 2], SPANS[min(length, 6) // 2 - 1]
    thought = THOUGHTS[(wrong >= 0.2) + (wrong >= 0.6)]
    return [
        (WRONG, long, float(trial.shown[at])),
        (WORTH, long, more),
        (by_length(name), span, more),
        (by_thought(name), thought, more),
        (come_true(name), thought, float(trial.shown[at])),
    ]


def by_length(name: str) -> str:
    return f"{MORE} for the {name}, by length"


def by_thought(name: str) -> str:
    return f"{MORE} for the {name}, by how likely it thinks the chain wrong"


def come_true(name: str) -> str:
    return f"Wrong chains, by how likely the {name} thinks so"


def _win(played: Played) -> float:
    assert played.wins is not None
    return played.wins[played.bots.index(0)]


class _Trial:
    """A game that is played again with one decision changed. `thoughts` are of the first bot's decisions at which it
    could doubt: how long the chain was, how likely it was held wrong, whether the bot doubted; `shown` tells, of those
    that were doubted, whether it was wrong.
    """

    def __init__(self, found: Series, number: int) -> None:
        self._found, self._number, self._loaded = found, number, load(found)
        self.thoughts: list[tuple[int, float, bool]] = []
        self.shown: dict[int, bool] = {}

    def played(self, changed: int | None, *, doubts: bool) -> Played:
        """The game, in which the bot doubts or lays a card at the decision that is changed."""
        thoughts: list[tuple[int, float, bool]] = []
        waiting: list[int] = []

        def habit(view: Any, legal: Sequence[Struct], beliefs: Any, choose: Choose) -> Struct:
            if Doubt() not in legal:
                return choose(view, legal)
            options = weighed(view, beliefs)
            best, doubt = max(options, key=lambda one: one.cards), options[-1]
            at = len(thoughts)
            action = best.action
            if at == changed:
                laid = max(options[:-1], key=lambda one: one.cards).action
                action = Doubt() if doubts else laid
            thoughts.append((len(view.public.chain), doubt.wrong, isinstance(action, Doubt)))
            if isinstance(action, Doubt):
                waiting.append(at)
            return action

        def watch(public: Public) -> None:
            if waiting:
                assert public.revealed is not None
                self.shown[waiting.pop()] = not public.revealed.correct

        played = one_game(self._found, self._number, *self._loaded, watch, habits={0: habit})
        if changed is None:
            self.thoughts = thoughts
        return played


def _draw(found: Sequence[Finding]) -> Picture:
    return drawn("Anno Domini: wrong chains, by length", "bars", bars(shares(found, WRONG), 0.5))


QUESTION = Question(
    "doubt",
    "Anno Domini: what is a doubt worth, by the length of the chain and by knowledge?",
    400,
    (
        Table(WRONG, "share", LENGTHS),
        Table(WORTH, "difference", LENGTHS),
        *(Table(by_length(name), "difference", SPANS) for name in LEVELS.values()),
        *(Table(by_thought(name), "difference", THOUGHTS) for name in LEVELS.values()),
        *(Table(come_true(name), "share", THOUGHTS) for name in LEVELS.values()),
    ),
    play,
    _draw,
)
