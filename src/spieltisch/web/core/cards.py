"""A card of a deck as it lies on a table, back and all. Only for a reader who may see the backs."""

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import day_text
from spieltisch.decks.deck import JOKER, date_of
from spieltisch.decks.table import COMMENTS, CORRECTED, WORDS, Row


def preview(row: Row, kind: str, lang: str, eras: str = "") -> dict[str, object]:
    """Return what `card.html` shows. Cards without dates have `facts` instead of years: all that their kind adds."""
    date, column = date_of(row, kind, eras), kind_of(kind).date
    common = {*WORDS, "id", "series", "source", CORRECTED}
    facts = [] if column else [row[one] for one in kind_of(kind).columns if one not in common and row[one]]
    return {
        "front": row.text().spoken(lang),
        "dated": bool(column),
        "facts": facts,
        "years": date.years[lang] if date else JOKER.title() if row[column] == JOKER else "",
        "written": date.text[lang] if date else row[column],
        "comment": row.text(COMMENTS).spoken(lang),
        "source": row["source"],
        "corrected": day_text(row["corrected"])[lang],
    }
