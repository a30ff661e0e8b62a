"""A card of a deck as it lies on a table, back and all. Only for a reader who may see the backs."""

import datetime as dt
from typing import Any

from spieltisch.decks.deck import DATE, Kind, date_of
from spieltisch.decks.firsts import JOKER
from spieltisch.decks.table import Row
from spieltisch.i18n import common_translator
from spieltisch.web.core.catalog import day_words


def preview(row: Row, kind: Kind, lang: str, eras: str = "") -> dict[str, Any]:
    """Return what `card.html` shows."""
    date = date_of(row, kind, eras)
    return {
        "front": row.told(lang),
        "years": date.years[lang] if date else JOKER.title() if row[DATE[kind]] == JOKER else "",
        "written": date.text[lang] if date else row[DATE[kind]],
        "comment": row.told(lang, "comment_"),
        "source": row["source"],
        "corrected": _day(row["corrected"], lang),
    }


def _day(day: str, lang: str) -> str:
    try:
        found = dt.date.fromisoformat(day)
    except ValueError:  # people may write anything there
        return day
    return f"{day_words(found, common_translator(lang))} {found.year}"
