"""Small decks whose cards' ids name their columns."""

from spieltisch.decks.text import Text
from spieltisch.games.trailblaze.firsts import First, Firsts, Period

SPANS = ((1, 1799), (1800, 1899), (1900, 1929), (1930, 1959), (1960, 1989), (1990, 2025), (2026, None))


def periods(columns=7):
    spans = (*SPANS[: columns - 1], (SPANS[columns - 1][0], None))
    return tuple(Period(Text(f"P{n}", f"P{n}"), start, end) for n, (start, end) in enumerate(spans))


def card(name, year):
    comment = Text(f"Kommentar {name}", f"Comment {name}")
    return First(name, Text(name, name), year, field="science", comment=comment)


def deck(*columns, of=7):
    """A deck with one card for each of these columns, in order; cards of the last column are jokers."""
    spans = periods(of)
    cards = (
        card(f"c{n}-{column}", None if column == of - 1 else spans[column].start + n % 20)
        for n, column in enumerate(columns)
    )
    return Firsts("test", spans, tuple(cards))


def many(count, of=7):
    return deck(*(n % of for n in range(count)), of=of)
