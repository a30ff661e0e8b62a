"""What a class discusses after its games: the chains of all tables side by side, round by round.

They come from the public news, like the ledger of one game.
"""

from collections.abc import Iterator, Sequence

from spieltisch.games.annodomini.cards import Shown, misplaced
from spieltisch.games.annodomini.ledger import Round, rounds
from spieltisch.games.annodomini.state import InClass
from spieltisch.i18n import Translator
from spieltisch.package import Cell, Debrief, Grid

ROUNDS = 3  # shown
LINES = 10  # on a projector
WIDTH = 52  # characters on a line


def debrief(games: Sequence[InClass], tr: Translator) -> Debrief:
    """The first rounds, each with the chains of all tables."""
    played = [(one.table, rounds(one.game.news)) for one in games]
    longest = max((len(found) for _, found in played), default=0)
    return Debrief(
        grids=[
            grid
            for n in range(min(longest, ROUNDS))
            for grid in _round(n, [(table, found[n]) for table, found in played if n < len(found)], tr)
        ]
    )


def _round(n: int, played: Sequence[tuple[str, Round]], tr: Translator) -> Iterator[Grid]:
    right = sum(one.reveal.correct for _, one in played)
    told = tr.ngettext("{right} of {n} chain was right.", "{right} of {n} chains were right.", len(played))
    words = told.format(right=right, n=len(played))
    for table, one in played:
        title = tr._("Round {n}, table {table}").format(n=n + 1, table=table)
        yield from _chain(title, words, one.reveal.rows, tr)


def _chain(title: str, words: str, rows: Sequence[Shown], tr: Translator) -> Iterator[Grid]:
    """A revealed chain; a long one takes several slides."""
    wrong = misplaced(tuple(row.span for row in rows))
    parts = list(_parts([row.front[tr.lang] for row in rows]))
    for part in parts:
        span = tr._("{first} to {last} of {n}").format(first=part.start + 1, last=part.stop, n=len(rows))
        yield Grid(
            title=title if len(parts) == 1 else tr.labelled(title, span),
            heads=[tr._("Year"), tr._("Event")],
            rows=[
                (str(at + 1), [Cell(rows[at].date[tr.lang], mark=mark), Cell(rows[at].front[tr.lang], mark=mark)])
                for at in part
                for mark in ["bad" if at in wrong else "ok"]
            ],
            words=words,
        )


def _parts(events: Sequence[str]) -> Iterator[range]:
    """Rows that fit on one slide; a chain's slides have about the same number of rows."""
    lines = [-(-len(event) // WIDTH) for event in events]
    wanted = -(-sum(lines) // -(-sum(lines) // LINES))
    first, filled = 0, 0
    for at, n in enumerate(lines):
        if at > first and (filled + n > LINES or filled >= wanted):
            yield range(first, at)
            first, filled = at, 0
        filled += n
    yield range(first, len(lines))
