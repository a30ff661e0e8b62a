"""A card of a deck as it lies on a table, back and all. Only for a reader who may see the backs."""

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import day_text
from spieltisch.decks.deck import JOKER, date_of
from spieltisch.decks.table import COMMENTS, Row


def preview(row: Row, kind: str, lang: str, eras: str = "") -> dict[str, object]:
    """Return what `card.html` shows."""
    date, column = date_of(row, kind, eras), kind_of(kind).date
    return {
        "front": row.text().spoken(lang),
        "years": date.years[lang] if date else JOKER.title() if row[column] == JOKER else "",
        "written": date.text[lang] if date else row[column],
        "comment": row.text(COMMENTS).spoken(lang),
        "source": row["source"],
        "corrected": day_text(row["corrected"])[lang],
    }
