"""How those who race on the same deal stand."""

from collections.abc import Sequence
from typing import Any

from spieltisch.i18n import Translator
from spieltisch.table.table import Table
from spieltisch.web.view.outcome import standing_line
from spieltisch.web.view.viewer import names_of, translator_for


def standings(tables: Sequence[Table], mine: Table | None, tr: Translator) -> list[dict[str, Any]]:
    """A line for each table of the race, the best first; `mine` is the reader's own."""
    return [_line(table, tr, me=table is mine) for table in sorted(tables, key=_order)]


def _order(table: Table) -> tuple[bool, bool, bool, int]:
    """Who has won before who has lost, those without help first, each by points; then who still plays."""
    result = table.result
    score = result.scores[0] if result is not None and result.scores else 0
    return result is None, result is not None and result.end != "won", table.helped, -score


def _line(table: Table, tr: Translator, *, me: bool) -> dict[str, Any]:
    result, words = table.result, translator_for(table, None, tr.lang)
    ends = {"won": tr._("won"), "lost": tr._("lost")}
    return {
        "name": names_of(table, words)[0],
        "me": me,
        "end": "" if result is None else result.end,
        "state": tr._("plays") if result is None else ends.get(result.end, tr._("over")),
        "standing": standing_line(table, words),
        "score": result.scores[0] if result is not None and result.scores else None,
        "helped": table.helped,
    }
