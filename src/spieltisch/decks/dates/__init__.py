"""Dates as people write them on cards, and the years they mean.

Every date is a closed span of years. Inside, years are whole numbers without a gap (1 BC is 0, 2 BC is -1);
nobody is ever shown that counting. `grammar` reads what the rules and records have, `habits` what people write
besides; letter case and kinds of blanks are free, in any language that has a `dates.toml`:

    1903 · 44 v.u.Z. · 44 BC · 79 n.Chr. · AD 79     a year, with or without era
    1903–1907 · 1848/49 · 1618-48 · 44–42 BC · 8 BC–3    from year to year, an era only at the end holds for both
    um 1900 · ca. 1900 · around 1900              five years before to five years after
    vor 1500 · nach 300 · before 44 BC            the hundred years before the year, or after it
    20. Jh. · 8th c. BC · 1. Jahrtausend v.u.Z.   year 01 to year 00 of a century, 1 to 1000 of a millennium
    Anfang 15. Jh. · mid-15th century             a third of a century: 01–33, 34–67, 68–00
    1. Hälfte 19. Jh. · first half of the 19th c.     fifty years
    1960er · 1960s                                ten years
    Mai 1933 · 12.5.1949 · May 12, 1949           the year counts

Everything else is refused with a reason. A date is shown as it was written, in the other language as that says it.
"""

from spieltisch.decks.dates.reading import LONG, LONGEST, day_text, is_day, parse, read_date, read_recorded, recorded
from spieltisch.decks.dates.spans import ERAS, Date, Span, astronomical, century, certainly_later, historical, years

__all__ = [
    "ERAS",
    "LONG",
    "LONGEST",
    "Date",
    "Span",
    "astronomical",
    "century",
    "certainly_later",
    "day_text",
    "historical",
    "is_day",
    "parse",
    "read_date",
    "read_recorded",
    "recorded",
    "years",
]
