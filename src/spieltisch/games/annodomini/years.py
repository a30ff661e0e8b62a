"""How long ago events were, and how years before our era are counted."""

from spieltisch.decks.dates import Span

TODAY = 2026  # ages are counted from here, so that figures of different years can be compared


def ago(span: Span) -> float:
    """How many years ago the middle of a span was."""
    return TODAY - (span.start + span.end) / 2


def historical(year: int) -> int:
    """A year as people count it, -44 for 44 BC, in the count of spans, which has a year 0."""
    return year + 1 if year < 0 else year
