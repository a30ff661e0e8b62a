"""How many points does pure guessing score?"""

from collections.abc import Sequence

from spieltisch.study.questions.question import Finding, Question, Table, Values, Words, bar_chart, shares
from spieltisch.study.report import Picture
from spieltisch.study.series import RANDOM, load, one_game, series

RIGHT = "Guesses that are right"


def play(seed: int, number: int) -> Values:
    found = series("inventions", (RANDOM,), seed)
    played = one_game(found, number, *load(found))
    assert played.scores is not None
    return {RIGHT: {"random": [played.scores[0] / 3]}}


def _draw(found: Sequence[Finding], words: Words) -> Picture:
    return bar_chart(RIGHT, shares(found, RIGHT), 0.5, words)


TABLES = (Table(RIGHT, "share", ("random",)),)
QUESTION = Question("guessing", "Inventions: how often is a guess right?", 20, TABLES, play, _draw)
