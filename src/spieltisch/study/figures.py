"""Statistics of many games, each with its 95 % confidence interval."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from statistics import NormalDist

from msgspec import Struct

from spieltisch.decks.findings import message, say
from spieltisch.i18n import common_catalog
from spieltisch.intervals import Z, wilson
from spieltisch.languages import DEFAULT, language
from spieltisch.study.series import Played, Series

LEAST = 1e-9  # a half-width below it is none: the values are equal, but for the last digits of their sums


class Mean(Struct, frozen=True):
    """The mean of `n` values with its 95 % confidence interval. Its ends are infinite (in JSON null) if the values do
    not show how far off the mean may be: there is one only, or all are equal.
    """

    mean: float
    low: float
    high: float
    n: int


class Standing(Struct, frozen=True):
    """How one kind of bot did: wins per seat and game, and points.

    `fair` is the share of wins if all were equally good; None in games for one.
    """

    bot: str
    seats: int
    wins: Mean
    fair: float | None
    points: Mean | None


class Figures(Struct, frozen=True):
    """The statistics of a series. `lengths` are pairs (actions, games), `by_seat` is the win rate of each seat."""

    match: Series
    games: int
    unfinished: int
    standings: tuple[Standing, ...]
    by_seat: tuple[Mean, ...]
    actions: Mean
    lengths: tuple[tuple[int, int], ...]
    ends: tuple[tuple[str, int], ...]


def reach(among: int) -> float:
    """Return the half-width of an interval in standard deviations, if `among` intervals hold jointly with 95 %
    (Bonferroni).
    """
    return Z if among <= 1 else NormalDist().inv_cdf(1 - 0.05 / (2 * among))


def mean(values: Sequence[float], *, shares: bool = False, among: int = 1) -> Mean:
    """Return the mean of independent values with its 95 % confidence interval.

    `shares` that are all 0 or 1, or all equal, get Wilson's interval; that of others stays within 0 and 1. `among` is
    the number of intervals reported together, see `reach`.
    """
    n = len(values)
    if not n:
        return Mean(0.0, 0.0, 0.0, 0)
    middle = math.fsum(values) / n
    if shares and set(values) <= {0.0, 1.0}:
        return _rounded(middle, *wilson(middle, n, reach(among)), n)
    variance = math.fsum((value - middle) ** 2 for value in values) / max(1, n - 1)
    return _mean(middle, math.sqrt(variance / n), n, shares=shares, among=among, within=shares)


def clustered(groups: Sequence[Sequence[float]], *, shares: bool, among: int = 1) -> Mean:
    """Return the mean of values that depend on each other within their group.

    A group counts as one observation, and `n` is the number of groups. The interval of `shares` stays within 0 and 1.
    `among` is as for `mean`.
    """
    if shares and all(len(group) == 1 for group in groups):
        return mean([value for group in groups for value in group], shares=True, among=among)
    found = ratio([(math.fsum(group), len(group)) for group in groups], shares=shares, among=among)
    return Mean(found.mean, max(found.low, 0.0), min(found.high, 1.0), found.n) if shares else found


def ratio(groups: Sequence[tuple[float, float]], *, shares: bool, among: int = 1) -> Mean:
    """Return the sum of all parts divided by the sum of all wholes, for independent pairs (part, whole).

    The interval is by linearization. `shares` that are all equal get Wilson's interval, since that may be chance.
    `among` is as for `mean`.
    """
    n, whole = len(groups), math.fsum(whole for _, whole in groups)
    middle = math.fsum(part for part, _ in groups) / whole
    off = math.fsum((part - middle * of) ** 2 for part, of in groups)
    return _mean(middle, math.sqrt(off * n / max(1, n - 1)) / whole, n, shares=shares, among=among)


def _mean(middle: float, error: float, n: int, *, shares: bool, among: int, within: bool = False) -> Mean:
    """A mean with its standard error. Without one, Wilson's interval holds for shares, which vary no more than tosses
    of a coin with their mean, and there is none for other values.
    """
    spread = reach(among) * error
    if spread > LEAST:
        low, high = middle - spread, middle + spread
        return _rounded(middle, max(low, 0.0), min(high, 1.0), n) if within else _rounded(middle, low, high, n)
    if shares and 0 <= middle <= 1:
        return _rounded(middle, *wilson(middle, n, reach(among)), n)
    return _rounded(middle, -math.inf, math.inf, n)


def _rounded(middle: float, low: float, high: float, n: int) -> Mean:
    return Mean(*(round(x, 6) + 0.0 for x in (middle, low, high)), n)  # -0.0 + 0.0 is 0.0


def of(match: Series, played: Sequence[Played]) -> Figures:
    """Return the statistics of these games."""
    over = [game for game in played if game.wins is not None]
    seats = len(match.bots)
    lengths = Counter(game.actions for game in over)
    return Figures(
        match.told,
        len(played),
        len(played) - len(over),
        tuple(_standing(match, name, over) for name in dict.fromkeys(match.bots)),
        tuple(mean([game.wins[seat] for game in over if game.wins], shares=True) for seat in range(seats)),
        mean([float(game.actions) for game in over]),
        tuple(sorted(lengths.items())),
        tuple(sorted(Counter(game.end for game in played).items())),
    )


def _standing(match: Series, name: str, over: Sequence[Played]) -> Standing:
    """Return how one kind of bot did. Several bots of a kind in one game count as one value, since they depend on each
    other.
    """
    wins, points = [], []
    for game in over:
        own = [seat for seat, bot in enumerate(game.bots) if match.bots[bot] == name]
        assert game.wins is not None
        wins.append(math.fsum(game.wins[seat] for seat in own) / len(own))
        if game.scores is not None:
            points.append(sum(game.scores[seat] for seat in own) / len(own))
    fair = round(1 / len(match.bots), 6) if len(match.bots) > 1 else None
    return Standing(name, match.bots.count(name), mean(wins, shares=True), fair, mean(points) if points else None)


def number_of_games(n: int, lang: str) -> str:
    """Return `1 game`, `2 games` and so on in the language of this tag."""
    return common_catalog(lang).counted("{n} game", "{n} games", n)


def number_of_deals(n: int, lang: str) -> str:
    """Return `1 deal`, `2 deals` and so on in the language of this tag."""
    return common_catalog(lang).counted("{n} deal", "{n} deals", n)


def as_text(figures: Figures, lang: str = DEFAULT) -> str:
    """Return the statistics as a few lines of text."""
    match, bots = figures.match, ", ".join(figures.match.bots)
    head = message(
        "{game}: {games} of {bots}, seed {seed}",
        game=match.game, games=number_of_games(figures.games, lang), bots=bots, seed=match.seed,
    )  # fmt: skip
    lines = [say(head, lang)]
    for one in figures.standings:
        told = [say(message("{bot}: wins {share}", bot=one.bot, share=share(one.wins, lang)), lang)]
        if one.fair is not None:
            told[0] += say(message(" per seat, a fair share would be {fair}", fair=percent(one.fair, lang, 1)), lang)
        if one.points is not None:
            told.append(say(message("points {points}", points=spread(one.points, lang)), lang))
        lines.append("  " + "; ".join(told))
    if len(match.bots) > 1:
        shares = ", ".join(share(one, lang) for one in figures.by_seat)
        lines.append("  " + say(message("by seat: {shares}", shares=shares), lang))
    lines.append("  " + say(message("actions per game: {n}", n=spread(figures.actions, lang)), lang))
    ends = ", ".join(f"{end} {n}" for end, n in figures.ends)
    return "\n".join([*lines, "  " + say(message("ended: {ends}", ends=ends), lang)])


def number(value: float, lang: str = DEFAULT, digits: int = 1) -> str:
    """Return a number with this many decimal places, as the language writes it."""
    return f"{value:z.{digits}f}".replace(".", language(lang).decimal)


def percent(share: float, lang: str = DEFAULT, digits: int = 0) -> str:
    """Return a share in per cent."""
    return language(lang).percent.format(n=number(100 * share, lang, digits))


def share(one: Mean, lang: str = DEFAULT, digits: int = 1) -> str:
    """Return a share in per cent with its interval."""
    if math.isinf(one.high):
        return alone(percent(one.mean, lang, digits), lang)
    mean, low, high = (percent(value, lang, digits) for value in (one.mean, one.low, one.high))
    return f"{mean} ({low}–{high})"


def spread(one: Mean, lang: str = DEFAULT) -> str:
    """Return a mean with its interval."""
    if math.isinf(one.high):
        return alone(number(one.mean, lang), lang)
    return f"{number(one.mean, lang)} ({number(one.low, lang)}–{number(one.high, lang)})"


def alone(mean: str, lang: str = DEFAULT) -> str:
    """Say of a mean that the values do not show how far off it may be."""
    return say(message("{mean} (no interval)", mean=mean), lang)


def histogram(lengths: Sequence[tuple[int, int]], bars: int = 24) -> list[tuple[int, int, int]]:
    """Return at most `bars` classes of equal width: (first length, first length beyond, games)."""
    if not lengths:
        return []
    first, last = lengths[0][0], lengths[-1][0]
    width = -(-(last - first + 1) // bars)
    edges = list(range(first, last + 1, width))
    counts = [0] * len(edges)
    for length, n in lengths:
        counts[(length - first) // width] += n
    return [(edge, after or edge + width, n) for edge, after, n in zip_longest(edges, edges[1:], counts)]
