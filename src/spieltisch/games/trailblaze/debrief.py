"""What a class looks at together after its games: the boards of all tables, where each period was placed, and the
firsts it erred on most, each with where its stones stood.
"""

from collections import Counter
from collections.abc import Sequence

from spieltisch.decks.text import Text
from spieltisch.games.trailblaze.news import Revealed
from spieltisch.games.trailblaze.review import own_column
from spieltisch.i18n import Translator
from spieltisch.protocols import Cell, FinishedGame, Grid, Mistaken, Slide

MOST = 5  # cards


def debrief(games: Sequence[tuple[str, FinishedGame]], tr: Translator) -> list[Slide]:
    """The slides: boards first."""
    if not games:
        return []
    periods = [period.name[tr.lang] for period in games[0][1].dealt.public.periods]
    cards = [(table, [one for one in game.news if isinstance(one, Revealed)]) for table, game in games]
    revealed = [one for _, found in cards for one in found]
    return [_boards(cards, periods, tr), _spread(revealed, periods, tr), *_mistaken(revealed, periods, tr)]


def _placed(cards: Sequence[Revealed]) -> list[tuple[int, int]]:
    """Of every card the column where its holder placed an own stone, and its own column."""
    return [(column, one.column) for one in cards if (column := own_column(one)) is not None]


def _boards(cards: Sequence[tuple[str, Sequence[Revealed]]], periods: Sequence[str], tr: Translator) -> Grid:
    """How many stones were right at each table, by the period where they stood."""
    rows = []
    for table, found in cards:
        stood = Counter(column for column, _ in _placed(found))
        right = Counter(column for column, own in _placed(found) if column == own)
        cells = [Cell(tr._("{n} of {m}").format(n=right[n], m=stood[n]) if stood[n] else "–")
                 for n in range(len(periods))]  # fmt: skip
        rows.append((tr._("Table {n}").format(n=table), cells))
    return Grid(title=tr._("Right stones of all tables"), heads=periods, rows=rows)


def _spread(cards: Sequence[Revealed], periods: Sequence[str], tr: Translator) -> Grid:
    """Where the stones for the firsts of each period were placed."""
    counted = Counter((own, column) for column, own in _placed(cards))
    rows = [
        (name, [_count(counted[own, column], right=own == column) for column in range(len(periods))])
        for own, name in enumerate(periods)
    ]
    words = tr._("A row is when it was, a column is where the stones stood.")
    return Grid(title=tr._("Where the class placed each period"), heads=periods, rows=rows, words=words)


def _count(n: int, *, right: bool) -> Cell:
    return Cell(str(n) if n else "–", mark="" if not n else "ok" if right else "bad")


def _mistaken(cards: Sequence[Revealed], periods: Sequence[str], tr: Translator) -> list[Mistaken]:
    """The firsts with the most stones that stood wrong."""
    by_card: dict[Text, list[Revealed]] = {}
    for one in cards:
        if own_column(one) is not None:
            by_card.setdefault(one.card.text, []).append(one)
    wrong = {text: sum(own_column(one) != one.column for one in found) for text, found in by_card.items()}
    most = sorted((text for text in wrong if wrong[text]), key=lambda text: (-wrong[text], text.de))[:MOST]
    return [_slide(by_card[text], wrong[text], periods, tr) for text in most]


def _slide(found: Sequence[Revealed], wrong: int, periods: Sequence[str], tr: Translator) -> Mistaken:
    one, lang, stood = found[0], tr.lang, Counter(own_column(one) for one in found)
    who = ", ".join(filter(None, (one.who, one.place)))
    return Mistaken(
        front=one.card.text[lang],
        back=one.period[lang] if one.year is None else str(one.year),
        words=tr.ngettext("{wrong} of {n} stone wrong", "{wrong} of {n} stones wrong", len(found)).format(
            wrong=wrong, n=len(found)
        ),
        comment=". ".join(filter(None, (who, one.comment[lang]))),
        source=one.source,
        taken=[(name, stood[n], n == one.column) for n, name in enumerate(periods) if stood[n]],
    )
