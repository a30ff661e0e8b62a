"""How strong the players of a contest are: a rating of each by openskill, and the plain share of victories beside it.

Ratings are those of Weng and Lin's method for a Plackett–Luce model, in the order of the games. Nobody changes while
they play, so no doubt is added from game to game (tau is 0); before the first game everybody has 25 ± 8.3.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from spieltisch import extras
from spieltisch.arena.contest import Contest
from spieltisch.arena.play import Played
from spieltisch.study.figures import Mean, Z, mean, wilson


def ratings(contest: Contest, played: Sequence[Played]) -> list[Mean]:
    """The rating of each player, with the interval that the method itself gives; `n` counts what was compared."""
    with extras.needed():
        from openskill.models import PlackettLuce  # noqa: PLC0415 - an extra brings it

    model = PlackettLuce(tau=0.0)
    rated, compared = [model.rating() for _ in contest.players], [0] * len(contest.players)
    for players, places in comparisons(contest, played):
        after = model.rate([[rated[n]] for n in players], ranks=list(map(float, places)))
        for n, (one,) in zip(players, after, strict=True):
            rated[n], compared[n] = one, compared[n] + 1
    return [
        Mean(*(round(one.mu + sign * Z * one.sigma, 4) for sign in (0, -1, 1)), n)
        for one, n in zip(rated, compared, strict=True)
    ]


def comparisons(contest: Contest, played: Iterable[Played]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Who was compared, and their places: the players of each game. In games for one it is all who played the same
    deal: who wins comes before who does not, then points decide, and last come those who forfeited.
    """
    alone: dict[int, list[Played]] = defaultdict(list)
    for one in sorted(played, key=lambda one: one.number):
        if len(one.players) > 1:
            yield one.players, one.places
        else:
            alone[one.deal].append(one)
    for deal in alone.values():
        if len(deal) == len(contest.players) > 1:
            did = [(one.forfeit is None, one.wins[0], 0 if one.scores is None else one.scores[0]) for one in deal]
            yield tuple(one.players[0] for one in deal), tuple(1 + sum(better > own for better in did) for own in did)


def shares(contest: Contest, played: Iterable[Played]) -> list[Mean]:
    """The share of victories of each player, 0 to 1, and over how many games."""
    won: list[dict[int, list[float]]] = [defaultdict(list) for _ in contest.players]
    for one in played:
        for n, part in zip(one.players, one.wins, strict=True):
            won[n][one.deal].append(part)
    return [share_of(list(deals.values())) for deals in won]


def points(contest: Contest, played: Iterable[Played]) -> list[Mean | None]:
    """The points that the game itself gives, of each player in the mean; None where there are none."""
    had: list[dict[int, list[float]]] = [defaultdict(list) for _ in contest.players]
    for one in played:
        for n, score in zip(one.players, one.scores or (), strict=False):
            had[n][one.deal].append(float(score))
    return [mean([math.fsum(some) / len(some) for some in deals.values()]) if deals else None for deals in had]


def share_of(deals: Sequence[Sequence[float]]) -> Mean:
    """The mean of shares, with its interval. Games on one deal have the same cards and are not independent: Wilson's
    interval is taken for as many independent games as vary like these deals, at most as many as there were.
    """
    games = sum(map(len, deals))
    if not games:
        return Mean(0.0, 0.0, 0.0, 0)
    each = [math.fsum(some) / len(some) for some in deals]
    middle = math.fsum(map(math.fsum, deals)) / games
    worth = float(len(deals))
    if len(deals) > 1 and 0 < middle < 1:
        varies = math.fsum((one - middle) ** 2 for one in each) / (len(deals) - 1)
        worth = min(games, len(deals) * middle * (1 - middle) / varies) if varies else games
    return Mean(*(round(x, 6) for x in (middle, *wilson(middle, worth))), games)
