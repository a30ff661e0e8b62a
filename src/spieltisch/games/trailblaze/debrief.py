"""What a class discusses after its games: the boards of all tables, where stones for each period went, and where those
for each first stood.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from spieltisch.games.trailblaze.news import Placed, Revealed
from spieltisch.games.trailblaze.state import Hidden, InClass
from spieltisch.i18n import Translator
from spieltisch.package import Cell, Debrief, Grid


class _Stone(Struct, frozen=True):
    """A stone of somebody in the class: its column, and the right one."""

    card: str
    column: int
    own: int


def debrief(games: Sequence[InClass], tr: Translator) -> Debrief:
    """Boards first."""
    if not games:
        return Debrief()
    periods = [period.name[tr.lang] for period in games[0].game.dealt.public.periods]
    stones = [(one.table, _stones(one)) for one in games]
    all_ = [stone for _, some in stones for stone in some]
    return Debrief(grids=[_boards(stones, periods, tr), _spread(all_, periods, tr)], taken=_taken(all_, periods))


def _stones(one: InClass) -> list[_Stone]:
    hidden: Hidden = one.game.dealt.hidden
    own = {hidden.cards[news.card.card].id: news.column for news in one.game.news if isinstance(news, Revealed)}
    found = []
    for decision in one.decisions:
        news = one.game.news[decision.at]
        assert isinstance(news, Placed)
        found.append(_Stone(decision.card, news.stone.column, own[decision.card]))
    return found


def _boards(stones: Sequence[tuple[str, Sequence[_Stone]]], periods: Sequence[str], tr: Translator) -> Grid:
    """The number of right stones at each table, by the period where they stood."""
    rows = []
    for table, found in stones:
        stood = Counter(stone.column for stone in found)
        right = Counter(stone.column for stone in found if stone.column == stone.own)
        cells = [Cell(tr._("{n} of {m}").format(n=right[n], m=stood[n]) if stood[n] else "–")
                 for n in range(len(periods))]  # fmt: skip
        rows.append((tr._("Table {n}").format(n=table), cells))
    return Grid(title=tr._("Right stones at all tables"), heads=periods, rows=rows)


def _spread(stones: Sequence[_Stone], periods: Sequence[str], tr: Translator) -> Grid:
    """Where the stones for the firsts of each period were placed."""
    counted = Counter((stone.own, stone.column) for stone in stones)
    rows = [
        (name, [_count(counted[own, column], right=own == column) for column in range(len(periods))])
        for own, name in enumerate(periods)
    ]
    words = tr._("Rows: when it was. Columns: where the stones stood.")
    return Grid(title=tr._("Where the class placed each period"), heads=periods, rows=rows, words=words)


def _count(n: int, *, right: bool) -> Cell:
    return Cell(str(n) if n else "–", mark="" if not n else "ok" if right else "bad")


def _taken(stones: Sequence[_Stone], periods: Sequence[str]) -> dict[str, list[tuple[str, int, bool]]]:
    """For each first: the periods where its stones stood."""
    stood: dict[str, Counter[_Stone]] = {}
    for stone in stones:
        stood.setdefault(stone.card, Counter())[stone] += 1
    return {
        card: [(periods[one.column], n, one.column == one.own) for one, n in sorted(some.items(), key=_column)]
        for card, some in stood.items()
    }


def _column(counted: tuple[_Stone, int]) -> int:
    return counted[0].column
