"""Makes a deck from a sheet, or updates one. Cards keep their ids, and none appears twice.

A card of the sheet is the old deck's card with its id. Without an id it is the one with its event, or else one of the
same years with nearly the same text that the sheet no longer has.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct, structs

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.deck import span_of
from spieltisch.decks.importing.columns import ABOUT, Intake
from spieltisch.decks.lint.alike import COMPARED, MORE_THAN, likeness, words
from spieltisch.decks.table import TEXTS, Row, Table, is_same, titled
from spieltisch.decks.text import ALWAYS, folded, same

_Words = tuple[frozenset[str], ...]  # of a card, by language


class Renewal(Struct, frozen=True):
    """The table of the deck, and the ids of its new, changed, unchanged and kept cards.

    Kept cards are those of the old deck that the sheet lacks; their line in the table is 0.
    """

    table: Table
    new: tuple[str, ...]
    changed: tuple[str, ...]
    same: tuple[str, ...]
    kept: tuple[str, ...]


def renewed(sheet: Intake, name: str, old: Table | None = None, *, title: str = "", replace: bool = False) -> Renewal:
    """The deck of this sheet, named `name`; with `replace` without cards that the sheet lacks."""
    sheet = structs.replace(sheet, table=Table(sheet.table.about, _named(sheet.table.rows, sheet.kind)))
    before = {row["id"]: row for row in _named(old.rows, sheet.kind)} if old else {}
    found = _found(sheet, before)
    taken = {*before, *(row["id"] for row in sheet.table.rows)}
    rows: dict[str, Row] = {}
    twice: list[Row] = []  # for the lint to report
    for row in sheet.table.rows:
        id_ = row["id"] or found.get(row.line) or _new_id(row, taken)
        taken.add(id_)
        cells = dict(before[id_].cells) if id_ in before else dict.fromkeys(row.cells, "")
        cells |= {column: row[column] for column in sheet.given} | {"id": id_}
        if id_ in rows:
            twice.append(Row(row.line, cells))
        else:
            rows[id_] = Row(row.line, cells)
    kept = [] if replace else [id_ for id_ in before if id_ not in rows]
    in_order = [rows.pop(id_) if id_ in rows else Row(0, before[id_].cells) for id_ in before if id_ in rows or kept]
    about = _about(sheet, old, title or name)
    if old and title:
        about = titled(about, same(title))
    first = next(iter(Table(about, []).named("series")), "alle")
    done = [_in_series(row, first, sheet.kind) for row in (*in_order, *rows.values(), *twice)]
    fates: dict[str, list[str]] = {"new": [], "changed": [], "same": [], "kept": []}
    for row in done:
        then = before.get(row["id"])
        fate = "new" if then is None else "kept" if not row.line else "same" if is_same(then, row) else "changed"
        fates[fate].append(row["id"])
    _declare(done, about, sheet.kind, title or name)
    ordered = {key: about[key] for key in (*ABOUT, *about) if key in about}
    return Renewal(Table(ordered, done), **{fate: tuple(ids) for fate, ids in fates.items()})


def _named(rows: list[Row], kind: str) -> list[Row]:
    """The rows with ids. In kinds that have none, all that stands on a card is its id; no deck is written with it."""
    columns = kind_of(kind).columns
    if "id" in columns:
        return rows
    return [Row(row.line, row.cells | {"id": " ".join(row[one] for one in columns if row[one])}) for row in rows]


def _found(sheet: Intake, before: dict[str, Row]) -> dict[int, str]:
    """For lines without an id, the id of their card in the old deck."""
    named = {row["id"] for row in sheet.table.rows}
    free = {id_: row for id_, row in before.items() if id_ not in named}
    known = {said: id_ for id_, row in free.items() for said in _said(row)}
    found: dict[int, str] = {}
    for row in sheet.table.rows:
        id_ = next((known[said] for said in _said(row) if said in known), None)
        if not row["id"] and id_ in free:
            found[row.line] = id_
            del free[id_]
    if not free:
        return found
    by_years: dict[object, dict[str, _Words]] = {}
    for id_, row in free.items():
        by_years.setdefault(span_of(row, sheet.kind), {})[id_] = _words(row)
    for row in sheet.table.rows:
        if row["id"] or row.line in found:
            continue
        own, others = _words(row), by_years.get(span_of(row, sheet.kind), {})
        compared = islice(others.items(), COMPARED)  # not all of ten thousand cards of one year
        near = next((id_ for id_, other in compared if _near(own, other)), None)
        if near is not None:
            found[row.line] = near
            del others[near]
    return found


def _said(row: Row) -> Iterator[tuple[str, str]]:
    for column in TEXTS.values():
        if row[column]:
            yield column, " ".join(re.findall(r"\w+", folded(row[column])))


def _words(row: Row) -> _Words:
    return tuple(words(row[column]) for column in TEXTS.values())


def _near(one: _Words, other: _Words) -> bool:
    return any(likeness(*both) > MORE_THAN for both in zip(one, other, strict=True))


def _new_id(row: Row, taken: set[str]) -> str:
    """An id made from the event, so that it reveals nothing about the order of the sheet and stays the same."""
    digest = hashlib.sha256("\n".join(said for _, said in _said(row)).encode()).digest()
    letters = re.sub(r"\d", "", base64.b32encode(digest).decode().lower()) + "".join(map(str, digest))
    length = 5
    while (id_ := letters[:length]) in taken and length < len(letters):
        length += 1
    return id_ if id_ not in taken else f"{letters[:5]}-{len(taken)}"


def _about(sheet: Intake, old: Table | None, title: str) -> dict[str, list[list[str]]]:
    about = {**(old.about if old else {}), **sheet.table.about}
    about = {key: [list(cells) for cells in said] for key, said in about.items()}
    if not any(key.partition("_")[0] == "title" for key in about):
        about = titled(about, same(title))
    kind_of(sheet.kind).completed(about)
    return about


def _in_series(row: Row, first: str, kind: str) -> Row:
    """The row, in the deck's first series if it names none."""
    if "series" not in kind_of(kind).columns or row["series"]:
        return row
    return Row(row.line, row.cells | {"series": first})


def _declare(rows: list[Row], about: dict[str, list[list[str]]], kind: str, title: str) -> None:
    """Describe the series that have cards and no description."""
    if "series" not in kind_of(kind).columns:
        return
    known = Table(about, []).named("series")
    for series in dict.fromkeys(row["series"] for row in rows):
        if series not in known:
            name = title if series == "alle" else series
            about.setdefault("series", []).append([series, *[name] * len(ALWAYS)])
