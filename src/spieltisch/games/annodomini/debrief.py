"""What a class looks at together after its games: the chains of all tables round by round, the events it erred on most.

It is drawn up from what everybody was told, as the ledger of one game is.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from spieltisch.decks.text import Text
from spieltisch.games.annodomini.cards import Shown, misplaced
from spieltisch.games.annodomini.ledger import Round, rounds
from spieltisch.i18n import Translator
from spieltisch.protocols import Cell, FinishedGame, Grid, Mistaken, Slide

ROUNDS = 3  # that are compared
TABLES = 7  # beside each other
SHOWN = 12  # rows of a chain
MOST = 5  # cards


def debrief(games: Sequence[tuple[str, FinishedGame]], tr: Translator) -> list[Slide]:
    """The slides: chains first."""
    played = [(table, rounds(game.news)) for table, game in games]
    longest = max((len(found) for _, found in played), default=0)
    chains = [
        _chains(some, n, tr)
        for n in range(min(longest, ROUNDS))
        for some in _few([(table, found[n]) for table, found in played if n < len(found)])
    ]
    return [*chains, *_mistaken([one for _, found in played for one in found], tr)]


def _few(played: Sequence[tuple[str, Round]]) -> Iterable[Sequence[tuple[str, Round]]]:
    """As many beside each other as can be read from the last row."""
    each = -(-len(played) // -(-len(played) // TABLES))
    return (played[n : n + each] for n in range(0, len(played), each))


def _chains(played: Sequence[tuple[str, Round]], n: int, tr: Translator) -> Grid:
    """One round at all tables, each with its chain as it was turned over."""
    columns = [_column(one.reveal.rows, tr) for _, one in played]
    right = sum(one.reveal.correct for _, one in played)
    told = tr.ngettext("{right} of {n} chain was right.", "{right} of {n} chains were right.", len(played))
    return Grid(
        title=tr._("Round {n}: the chains").format(n=n + 1),
        heads=[tr._("Table {n}").format(n=table) for table, _ in played],
        rows=[
            (str(row + 1), [column[row] if row < len(column) else Cell() for column in columns])
            for row in range(max(map(len, columns)))
        ],
        words=told.format(right=right, n=len(played)),
    )


def _column(rows: Sequence[Shown], tr: Translator) -> list[Cell]:
    wrong = misplaced(tuple(row.span for row in rows))
    cells = [Cell(row.date[tr.lang], mark="bad" if n in wrong else "ok") for n, row in enumerate(rows)]
    return cells if len(cells) <= SHOWN else [*cells[: SHOWN - 1], Cell(f"+ {len(cells) - SHOWN + 1}")]


def _mistaken(played: Iterable[Round], tr: Translator) -> list[Mistaken]:
    """The events that were most often laid wrong or let pass."""
    laid, passed, shown = Counter[Text](), Counter[Text](), dict[Text, Shown]()
    for one in played:
        shown |= {row.front: row for row in one.reveal.rows}
        laid.update(card.front for _, card in one.errors)
        if one.errors:
            passed[one.errors[0][1].front] += len(one.passed)
    most = sorted(laid, key=lambda front: (-laid[front] - passed[front], front.de))[:MOST]
    return [_slide(shown[front], laid[front], passed[front], tr) for front in most if front in shown]


def _slide(row: Shown, laid: int, passed: int, tr: Translator) -> Mistaken:
    words = tr.ngettext("laid wrong once", "laid wrong {n} times", laid).format(n=laid)
    if passed:
        words += ", " + tr.ngettext("let pass once", "let pass {n} times", passed).format(n=passed)
    lang = tr.lang
    return Mistaken(
        front=row.front[lang], back=row.date[lang], words=words, comment=row.comment[lang], source=row.source
    )
