"""Anno Domini: what is a doubt worth, by the length of the chain and by knowledge?

Each game draws one decision at which the first bot may doubt, and is played twice with the same beginning. Once the bot
doubts there, once it lays its best card; from then on everybody plays as usual. The difference in wins is the worth of
the doubt, and the reveal shows whether the chain was wrong.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from spieltisch.decks.findings import Message, message
from spieltisch.dice import FastDice
from spieltisch.games.annodomini.beliefs import LEVELS
from spieltisch.games.annodomini.bot import weighed
from spieltisch.games.annodomini.state import Doubt, Public
from spieltisch.i18n import N_
from spieltisch.study.questions.question import Finding, Question, Table, Values, Words, bar_chart, shares
from spieltisch.study.report import Picture
from spieltisch.study.series import Choose, Played, Series, load, one_game, series

OTHERS = "connoisseur"
LENGTHS = (N_("2 cards"), N_("3 cards"), N_("4 cards"), N_("5 cards"), N_("6 and more"))
SPANS = (N_("2 or 3 cards"), N_("4 or 5 cards"), N_("6 and more"))  # lengths with enough decisions at every level
# Where a doubt pays in cards, by the penalties alone: from 2 / (2 + 3) on it beats the player who laid last; from
# 2 / (2 + 3 / 3) on it beats the mean of all three others.
EVEN_WITH_ONE, EVEN_WITH_ALL = 2 / 5, 2 / 3
THOUGHTS = (N_("below 40 %"), N_("40–67 %"), N_("above 67 %"))
WRONG = N_("Wrong chains, by length")
WORTH = N_("Gain of a doubt over a card, by length")
ROUNDS = 100


def play(seed: int, number: int) -> Values:
    """A decision of a bot of each level, among three others."""
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
    thought = THOUGHTS[(wrong >= EVEN_WITH_ONE) + (wrong >= EVEN_WITH_ALL)]
    return [
        (WRONG, long, float(trial.shown[at])),
        (WORTH, long, more),
        (str(by_length(name)), span, more),
        (str(by_thought(name)), thought, more),
        (str(come_true(name)), thought, float(trial.shown[at])),
    ]


def by_length(name: str) -> Message:
    return message("Gain of a doubt over a card for the {name}, by length", name=message(name))


def by_thought(name: str) -> Message:
    return message(
        "Gain of a doubt over a card for the {name}, by how likely it thinks the chain wrong", name=message(name)
    )


def come_true(name: str) -> Message:
    return message("Wrong chains, by how likely the {name} thinks so", name=message(name))


def _win(played: Played) -> float:
    assert played.wins is not None
    return played.wins[played.bots.index(0)]


class _Trial:
    """A game replayed with one decision changed. `thoughts` cover the first bot's decisions with a possible doubt: the
    length of the chain, the bot's probability that it is wrong, whether the bot doubted. `shown` tells for each doubt
    whether the chain was wrong.
    """

    def __init__(self, found: Series, number: int) -> None:
        self._found, self._number, self._loaded = found, number, load(found)
        self.thoughts: list[tuple[int, float, bool]] = []
        self.shown: dict[int, bool] = {}

    def played(self, changed: int | None, *, doubts: bool) -> Played:
        """The game with the bot doubting, or laying a card, at the changed decision."""
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


def _draw(found: Sequence[Finding], words: Words) -> Picture:
    return bar_chart(N_("Anno Domini: wrong chains, by length"), shares(found, WRONG), 0.5, words)


QUESTION = Question(
    "doubt",
    N_("Anno Domini: what is a doubt worth, by the length of the chain and by knowledge?"),
    400,
    (
        Table(WRONG, "share", LENGTHS),
        Table(WORTH, "difference", LENGTHS),
        *(Table(str(by_length(name)), "difference", SPANS) for name in LEVELS.values()),
        *(Table(str(by_thought(name)), "difference", THOUGHTS) for name in LEVELS.values()),
        *(Table(str(come_true(name)), "share", THOUGHTS) for name in LEVELS.values()),
    ),
    play,
    _draw,
    put_together=tuple(title(name) for title in (by_length, by_thought, come_true) for name in LEVELS.values()),
)
