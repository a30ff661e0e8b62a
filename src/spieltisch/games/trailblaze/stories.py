"""Awards after a game: the most right stones, the best bonus stones, the furthest miss, and a line for each player."""

from collections.abc import Callable, Sequence

from spieltisch.games.trailblaze.news import Revealed
from spieltisch.games.trailblaze.review import own_column
from spieltisch.games.trailblaze.state import Finished
from spieltisch.i18n import Translator
from spieltisch.package import Award, Stories

FAR = 2  # columns; one column off is near


def stories(game: Finished, seats: int, tr: Translator) -> Stories:
    """The awards that somebody has earned, and a line for each seat."""
    revealed = [one for one in game.news if isinstance(one, Revealed)]
    own = [_hits([one for one in revealed if one.seat == seat], bonus=False) for seat in range(seats)]
    bonus = [_hits([one for one in revealed if one.seat == seat], bonus=True) for seat in range(seats)]
    awards = [
        *_most(
            tr._("Sharpest eye"),
            own,
            lambda n: tr.ngettext("{right} of {n} stone right", "{right} of {n} stones right", n),
        ),
        *_most(
            tr._("Best bonus"),
            bonus,
            lambda n: tr.ngettext("{right} of {n} bonus stone right", "{right} of {n} bonus stones right", n),
        ),
    ]
    off = [(abs(at - one.column), at, one) for one in revealed if (at := own_column(one)) is not None]
    far, column, one = max(off, key=lambda each: each[0], default=(0, 0, None))
    if one is not None and far >= FAR:
        believed = game.dealt.public.periods[column].name[tr.lang]
        words = tr._("{n} columns: {believed} instead of {period}")
        words = words.format(n=far, believed=believed, period=one.period[tr.lang])
        awards.append(Award(tr._("Furthest off"), (one.seat,), words))
    lines = [
        tr.ngettext("{right} of {n} stone right", "{right} of {n} stones right", n).format(right=right, n=n)
        for right, n in own
    ]
    return Stories(awards, lines)


def _hits(cards: Sequence[Revealed], *, bonus: bool) -> tuple[int, int]:
    """How many of the stones placed for these cards were right, and their number: own or bonus stones."""
    placed = [stone.column == one.column for one in cards for stone in one.stones if (stone.pattern is None) == bonus]
    return sum(placed), len(placed)


def _most(title: str, hits: Sequence[tuple[int, int]], words: Callable[[int], str]) -> list[Award]:
    """The most right ones; among equals, the fewest wrong ones; a tie is shared."""
    best = max((right, -n) for right, n in hits)
    if not best[0]:
        return []
    seats = tuple(seat for seat, (right, n) in enumerate(hits) if (right, -n) == best)
    right, n = hits[seats[0]]
    return [Award(title, seats, words(n).format(right=right, n=n), shared=True)]
