"""A sheet on its way to a deck: what has to be mended in it, and what a newer one would change."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.check import open_deck
from spieltisch.decks.deck import eras_of
from spieltisch.decks.findings import Finding
from spieltisch.decks.importing import making
from spieltisch.decks.importing.lines import Line
from spieltisch.decks.importing.sheets import sheet_text
from spieltisch.decks.importing.work import Draft, Press, Work, as_text, begun, resumed, worked
from spieltisch.decks.library import PRIVATE
from spieltisch.decks.table import Row
from spieltisch.games import with_decks
from spieltisch.i18n import Translator, common_translator
from spieltisch.web.core import catalog
from spieltisch.web.core.renderer import Html
from spieltisch.web.decks.views import PAGE, card, date_help, drawn, finding, is_long, kinds_offered, labels

_ALSO = 20  # warnings of lines that are fine
_SAID = {"columns", "above"}  # rules of notes about the sheet that are said before a deck is made of it
_WIDTH = 34  # letters in a line of a box on a phone


class Drafting(Struct, frozen=True):
    """A sheet that is to become the deck `name`. `old`: the file of the deck that it replaces, `title`: of a new one,
    `press`: the button, `base`: the server's sub-path, `kind`: if it was chosen.
    """

    name: str
    old: Path | None
    title: str
    press: Press
    base: str
    kind: str | None = None


class Drafted(Struct, frozen=True):
    """What became of a sheet: a deck's `text`, without `out` lines that were left out; or a page (`template` and what
    it shows) that asks for more, with the sheet for a hidden field. `good`: nothing is wrong with it.
    """

    text: str = ""
    out: int = 0
    template: str = ""
    shown: dict[str, object] = {}
    work: Html = Html()
    good: bool = True


def drafted_from_file(content: bytes, asked: Drafting, tell: Callable[[str], object]) -> Drafted:
    """Read a file. Raises Invalid if it is no table. `tell` gets its text first, so that a refusal can show it again.
    Runs in a process of its own: see `bounded`.
    """
    tell(sheet_text(content))
    return _drafted(begun(content, asked.kind), asked)


def drafted_from_form(text: str, asked: Drafting) -> Drafted:
    """Read a sheet that a browser sends back. Raises Invalid if it is none."""
    return _drafted(resumed(text), asked)


def _drafted(work: Work, asked: Drafting) -> Drafted:
    press, tr = asked.press, common_translator(asked.press.lang)
    old = None if asked.old is None else open_deck(asked.old)
    draft = worked(work, press, asked.name, old, asked.title)
    said = draft.work.told or any(one.rule in _SAID for one in draft.deck.found)
    if not draft.good or (press.button == "begin" and said):
        return Drafted("", 0, "decks/draft.html", draft_page(draft, tr, asked.base), _hidden(draft.work), draft.good)
    if old and press.button not in {"take", "replace"}:
        return Drafted("", 0, "decks/diff.html", renewal_page(draft, tr, asked.base), _hidden(draft.work))
    is_shared = old is not None and PRIVATE not in old.table.about
    return Drafted(making.shared(draft.deck, shared=is_shared).text(), len(draft.work.out))


def _hidden(work: Work) -> Html:
    """Return the sheet for a hidden field. Escaping a megabyte takes long, so it is done here."""
    return Html(escape(as_text(work)))


def draft_page(draft: Draft, tr: Translator, base: str) -> dict[str, object]:
    """Return what `decks/draft.html` shows: lines to mend with their cells, lines left out, the cards."""
    lang, found, kind, eras = tr.lang, draft.deck.found, draft.deck.kind, eras_of(draft.deck.table)
    bad, asked, left_out = draft.bad, {id(one) for one in draft.asked}, {*draft.work.out}
    shown, wrong = {*bad[:PAGE]}, {*bad}
    rows = {row.line: row for row in draft.deck.table.rows}
    by_line: dict[int, list[Finding]] = {}
    for one in found:
        if (one.line and one.severity != "note") or id(one) in asked:
            by_line.setdefault(one.line or 0, []).append(one)
    lines = [
        {
            "number": line.number,
            "cells": _cells(draft, line, by_line[line.number], tr),
            "found": [finding(one, lang) for one in by_line[line.number]],
            "asked": any(id(one) in asked for one in by_line[line.number]),
            "card": card(rows[line.number], kind, lang, eras) if line.number in rows else None,
        }
        for line in draft.work.lines
        if line.number in shown
    ]
    cards = [card(row, kind, lang, eras) for row in draft.deck.table.rows if row.line not in wrong]
    out = [line for line in draft.work.lines if line.number in left_out]
    also = [one for one in found if one.severity == "warning" and one.line and one.line not in wrong]
    seen = [one for one in found if one.rule in _SAID]
    box = catalog.box(with_decks(kind), tr)
    texts = [(line.number, " · ".join(filter(None, line.cells))) for line in out]
    return {
        "lines": drawn(base, "decks/lines.html", tr, lines=lines, box=box),
        "many": len(lines) > 2,
        "more": len(bad) - len(lines),
        "told": [*(one[lang] for one in draft.work.told), *(finding(one, lang)["wrong"] for one in seen)],
        "found": [finding(one, lang) for one in found if not one.line and one.severity != "note"],
        "also": [finding(one, lang) for one in also[:_ALSO]],
        "suggested": sum(1 for _ in draft.suggested()),
        "out": len(out),
        "left_out": drawn(base, "decks/out.html", tr, out=texts),
        "date_help": date_help(lang) if kind_of(kind).date else [],
        "cards": drawn(base, "decks/cardlist.html", tr, cards=cards[:PAGE], box=box),
        "good": len(cards),
        "bad": len(bad),
        "kind": next(said for name, said, _ in kinds_offered(tr) if name == kind),
        "other_kinds": [(name, this) for name, _, this in kinds_offered(tr) if name != kind],
    }


def _cells(draft: Draft, line: Line, found: list[Finding], tr: Translator) -> list[dict[str, object]]:
    """Return the cells of a line for a form, with better texts."""
    names = draft.intake.header.cells
    columns, said = draft.intake.columns, labels(draft.deck.kind, tr)
    cells: list[dict[str, object]] = []
    for at in range(max(len(names), len(line.cells))):
        text = line.cells[at] if at < len(line.cells) else ""
        column = columns[at] if at < len(columns) else ""
        if not column and at < len(names):
            continue  # it is not used
        better = [b[tr.lang] for one in found if column and one.column == column for b in one.better]
        cells.append({
            "name": _label(names, at, column, said),
            "at": at,
            "text": text,
            "rows": rows_for(text) if is_long(column) else 0,
            "better": list(dict.fromkeys(better)),
        })  # fmt: skip
    return cells


def _label(names: Sequence[str], at: int, column: str, labels: Mapping[str, str]) -> str:
    """Return a cell's name: the sheet's, or ours if we added its column."""
    name = names[at] if at < len(names) else ""
    return labels.get(column, name) if name == column else name


def rows_for(text: str) -> int:
    """Return how many lines a box needs to show this text whole; browsers that can grow a box do so themselves."""
    return max(2, -(-len(text) // _WIDTH))


def renewal_page(draft: Draft, tr: Translator, base: str) -> dict[str, object]:
    """Return what `decks/diff.html` shows of a newer table: its new, changed and missing cards, all drawn."""
    lang, kind, eras, fate = tr.lang, draft.deck.kind, eras_of(draft.deck.table), draft.fate
    rows = {row["id"]: row for row in fate.table.rows}
    before = {row["id"]: row for row in draft.before.rows} if draft.before else {}
    changed = [
        {"front": rows[id_].told(lang), "cells": _changes(before[id_].cells, rows[id_].cells, kind, tr)}
        for id_ in fate.changed[:PAGE]
    ]

    def cards(some: Iterable[Row]) -> Html:
        shown = [card(one, kind, lang, eras) for one in some]
        return drawn(base, "decks/cardlist.html", tr, cards=shown, box=catalog.box(with_decks(kind), tr))

    return {
        "title": draft.deck.title[lang],
        "new": cards(rows[id_] for id_ in fate.new[:PAGE]),
        "changed": drawn(base, "decks/changes.html", tr, changed=changed),
        "gone": cards(before[id_] for id_ in fate.kept[:PAGE]),
        "n": {"new": len(fate.new), "changed": len(fate.changed), "gone": len(fate.kept), "same": len(fate.same)},
        "told": [one[lang] for one in draft.work.told],
        "left_out": len(draft.work.out),
    }


def _changes(before: dict[str, str], after: dict[str, str], kind: str, tr: Translator) -> list[tuple[str, str, str]]:
    """Return the changed cells of a card: name, before, after."""
    date, said = kind_of(kind).date, labels(kind, tr)
    return [
        (said.get(column) or tr._(column), before.get(column, "") or "–", after[column] or "–")
        for column in sorted(kind_of(kind).columns, key=lambda column: column != date)
        if before.get(column, "") != after[column]
    ]
