"""Reading a date in any of its forms, or saying why it is none."""

import datetime as dt
import functools
import re
from typing import NoReturn

from spieltisch.decks.dates import grammar, habits
from spieltisch.decks.dates.grammar import ANY, pattern
from spieltisch.decks.dates.habits import day_in_words
from spieltisch.decks.dates.spans import Date, Span
from spieltisch.decks.dates.words import WORDS, either
from spieltisch.decks.text import Text, same
from spieltisch.game import Invalid
from spieltisch.languages import DEFAULT

LONG = 200  # years: whoever writes down more of them is asked whether that was meant
LONGEST = 60  # characters of a date
_ALL = (*habits.FORMS, *ANY.forms())  # 1848-49 is read as years cut short, before it would be a span


def parse(text: str) -> Span:
    """The years that a date means; Invalid, with the reason, where it is not one."""
    return read_date(text).span


@functools.lru_cache(1 << 13)  # a deck's dates are read for its page, its check, its counts and its export
def read_date(text: str, eras: str = "") -> Date:
    """A date with its years and its form in each language; Invalid where it is not one.

    `eras` is one of `ERAS` that a deck has chosen; without it the era is called as it is written.
    """
    return _read(text, eras, _ALL)


def read_recorded(text: str) -> Date:
    """A date of a record, in the grammar of the rules and nothing besides; Invalid where it is not one."""
    return _read(text, "", grammar.FORMS)


@functools.lru_cache(1 << 13)  # reading a date takes longer than the rest of a record, and decks come again
def recorded(text: str) -> str:
    """Return the date as records write it: unchanged if the record format knows this form, else its years."""
    try:
        return text if read_recorded(text) else ""
    except Invalid:
        return read_date(text).years[DEFAULT]


def day_text(day: str) -> Text:
    """A day of our calendar, written as 2026-11-28, in words; anything else as it stands."""
    try:
        found = dt.date.fromisoformat(day)
    except ValueError:
        return same(day)
    return day_in_words(found)


def _read(text: str, eras: str, forms: tuple[grammar.Form, ...]) -> Date:
    if len(text) > LONGEST:
        raise Invalid("a date has at most {n} characters", n=LONGEST)
    written = " ".join(text.split())
    if not written:
        raise Invalid("the date is missing")
    for form, read in forms:
        if found := form.fullmatch(written):
            return read(found, eras)
    return _refuse(written)


_UNTIL = either(words.read.until for words in WORDS.values())
_DASHES = pattern(rf"{ANY.year()} ?(?:[‐‑‒—―−~/]|\.\.+|…|{_UNTIL}) ?{ANY.year('last_')}")
_ERA_FIRST = pattern(rf"(?:{ANY.before}|{ANY.after}) ?\d.*")
_AROUND_MORE = [pattern(f"{ANY.around}{form}") for form in (ANY.span, ANY.century, ANY.millennium, ANY.decade)]
_DECADE_ERA = pattern(rf"{ANY.decade} ?(?:{ANY.before}|{ANY.after})")
_AGO = pattern(either(words.read.ago for words in WORDS.values()))


def _refuse(date: str) -> NoReturn:
    if _ERA_FIRST.fullmatch(date):
        raise Invalid("{date} has the era before the number: write it after, such as 44 BC", date=date)
    for form in _AROUND_MORE:
        if found := form.fullmatch(date):
            raise Invalid("“{word}” goes with a single year only: {date}", word=found["word"], date=date)
    if _DASHES.fullmatch(date):
        raise Invalid("write - or – between two years, not as in {date}", date=date)
    if _DECADE_ERA.fullmatch(date):
        raise Invalid("a decade has no era: write the years instead of {date}", date=date)
    if _AGO.fullmatch(date):
        raise Invalid("{date} depends on today’s date: write the year", date=date)
    raise Invalid(
        "{date} is not a date such as 1903, 44 BC, 1903–1907, 1848/49, around 1900, 8th c. BC, 1960s or 12 May 1949",
        date=date,
    )


def is_day(cell: str) -> bool:
    """A day as 2026-01-31, or a month as 2026-01."""
    try:
        dt.date.fromisoformat(cell if len(cell) == 10 else f"{cell}-01")
    except ValueError:
        return False
    return re.fullmatch("[0-9]{4}-[0-9]{2}(-[0-9]{2})?", cell) is not None
