"""The size of a game, measured by random play: its length, its open actions, and the size of its tree."""

import math
from collections import Counter
from typing import SupportsIndex

from msgspec import Struct

from spieltisch.dice import FastDice, Pick, throw
from spieltisch.game import Invalid
from spieltisch.i18n import N_
from spieltisch.options import whole_number
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.setting import Setting


class Size(Struct, frozen=True):
    """Mean and maximum of actions a game and of open actions, and the decimal logarithm of the number of decision nodes
    in the whole tree, with chance.
    """

    length: float
    longest: int
    open: float
    widest: int
    histories: float


def measure(setting: Setting, games: SupportsIndex = 200, seed: SupportsIndex = 1) -> Size:
    """Return the size of a setting, measured in this many random games. The same seed gives the same games.

    The number of histories is Knuth's estimate (1975). If a random game had b1, b2, … continuations, a tree as wide
    everywhere would have b1 · b2 · … nodes there. The mean over random games is unbiased, but few games see the widest
    parts, so it is usually too small. Raises Invalid for fewer than one game.
    """
    games = whole_number(games, N_("the number of games is a whole number, not {value}"))
    if games < 1:
        raise Invalid("play at least one game, not {n}", n=games)
    dice = FastDice(whole_number(seed, N_("a seed is a whole number, not {value}")))
    lengths, widths, sums = [], [], []
    for _ in range(games):
        episode, ways, nodes = Episode(setting), 0.0, -math.inf  # logarithms
        while True:
            for due in episode.dues():
                ways += _outcomes(due.n if isinstance(due, Pick) else due.items)
                episode.resolve(throw(dice, due))
            if episode.seat is None:
                break
            numbers = episode.open().plan.numbers
            nodes = _plus(nodes, ways)
            ways += math.log(len(numbers))
            widths.append(len(numbers))
            episode.act(episode.open().get(dice.choice(numbers)))
        lengths.append(episode.actions)
        sums.append(nodes)
    total = -math.inf
    for nodes in sums:
        total = _plus(total, nodes)
    histories = (total - math.log(games)) / math.log(10)
    return Size(sum(lengths) / games, max(lengths), sum(widths) / len(widths), max(widths), histories)


def _outcomes(due: int | tuple[int, ...]) -> float:
    """Return the logarithm of the number of outcomes."""
    if isinstance(due, int):
        return math.log(due)
    return math.lgamma(len(due) + 1) - sum(math.lgamma(n + 1) for n in Counter(due).values())


def _plus(one: float, other: float) -> float:
    """Return the logarithm of the sum of two numbers, given their logarithms."""
    high, low = max(one, other), min(one, other)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
