"""Decks as their makers and readers see them: the list, a deck's page, a sheet that has to be mended.

Whoever has no key of a deck sees its title, what it is made of and where it comes from, never a back.
"""

from collections.abc import Sequence
from typing import Any

from spieltisch import games
from spieltisch.decks import library
from spieltisch.decks.dates import years
from spieltisch.decks.deck import COLUMNS, DATE, Deck, Kind, span_of
from spieltisch.decks.exporting import stats
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.findings import Finding, say
from spieltisch.decks.firsts import JOKER
from spieltisch.decks.importing import making
from spieltisch.decks.library import Library
from spieltisch.decks.table import Row, read_table
from spieltisch.decks.text import Text
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.web.view import catalog, deck_choice

PAGE = 60  # cards
LABELS = {
    "series": "Series", "date": "Date", "year": "Year, or joker", "de": "German", "en": "English",
    "comment_de": "Comment in German", "comment_en": "Comment in English", "source": "Source", "field": "Field",
    "region": "Region", "level": "Level, 1 to 3", "who": "Who", "place": "Where", "country": "Country",
    "checked": "Joker last checked",
}  # fmt: skip
_OWN = {"id", "fact", "review"}  # columns that makers do not fill


def game_of(kind: Kind) -> GamePackage:
    """The game that plays such decks; StopIteration if there is none."""
    return next(package for package in games.packages().values() if package.record.decks == kind)


def card(row: Row, kind: Kind, lang: str) -> dict[str, Any]:
    """A card as it is previewed, and its cells to be changed."""
    span = span_of(row, kind)
    read = years(span)[lang] if span else JOKER.title() if row[DATE[kind]] == JOKER else ""
    return {
        "id": row["id"],
        "front": row.told(lang),
        "years": read,
        "written": row[DATE[kind]],
        "comment": row.told(lang, "comment_"),
        "source": row["source"],
        "cells": [(column, row[column]) for column in COLUMNS[kind] if column not in _OWN],
    }


def finding(one: Finding, lang: str) -> dict[str, Any]:
    """What is wrong with a line of a sheet, and what would be right."""
    right = say(one.right, lang) if one.right else ""
    return {"line": one.line, "severity": one.severity, "wrong": say(one.wrong, lang), "right": right}


def deck_list(decks: Library, tr: Translator, readable: Sequence[str], made: Sequence[str]) -> dict[str, Any]:
    """What `decks.html` shows: the decks that can be chosen (of the private ones the `readable`), and those for other
    uses. `made`: the reader's own.
    """
    found = []
    for kind in deck_choice.KINDS:
        for name, deck in decks.offered(kind, readable).items():
            about = {"mine": name in made, "private": deck.private, "shipped": name in library.shipped()}
            box = catalog.box(game_of(kind), tr)
            found.append({"name": name, "title": deck.title[tr.lang], "n": deck.cards, "box": box, **about})
    known = {name for kind in deck_choice.KINDS for name in decks.offered(kind)}
    return {
        "decks": found,
        "can": decks.folder is not None,
        "open": [(name, _title(decks, name)[tr.lang]) for name in library.shipped() if name not in known],
    }


def _title(decks: Library, name: str) -> Text:
    return read_table(decks.path(name).read_text("utf-8"), ()).title(name)


def deck_page(deck: Deck, tr: Translator, *, at: int, mine: bool) -> dict[str, Any]:
    """What `deck.html` shows of a deck, from this card on; its cards only if it is the reader's own (`mine`)."""
    about, counted, rows = deck.table.about, stats.stats(deck.table, deck.kind), deck.table.rows
    at = max(0, min(at, len(rows) - 1)) // PAGE * PAGE
    shown = [card(one, deck.kind, tr.lang) for one in rows[at : at + PAGE]] if mine else []
    return {
        "title": deck.title[tr.lang],
        "n": len(rows),
        "box": catalog.box(game_of(deck.kind), tr),
        "about": {key: [", ".join(cells) for cells in about.get(key, [])] for key in ("authors", "licence", "source")},
        "counts": [
            (c, each) for c, each in counted.counts.items() if c in {"series", "field", "level"} and len(each) > 1
        ],
        "cards": shown,
        "at": at,
        "last": at + len(shown),
        "per": PAGE,
        "columns": [column for column in COLUMNS[deck.kind] if column not in _OWN],
        "labels": {one: tr._(said) for one, said in LABELS.items()},
        "exports": [(name, tr._(one.label)) for name, one in EXPORTS.items()] if mine else [],
    }


def draft_page(draft: making.Draft, tr: Translator) -> dict[str, Any]:
    """What `deckdraft.html` shows: the lines that have to be mended, each with its cells, and the cards that
    will be.
    """
    lang, found, kind = tr.lang, draft.deck.found, draft.deck.kind
    bad = {one.line for one in found if one.severity == "error" and one.line}
    names = making.heading(draft.sheet).cells
    rows = {row.line: row for row in draft.deck.table.rows}
    lines = []
    for line in [line for line in draft.sheet.lines if line.number in bad][:PAGE]:
        cells = [
            {"name": name, "at": at, "text": line.cells[at] if at < len(line.cells) else ""}
            for at, name in enumerate((*names, *("" for _ in line.cells[len(names) :])))
        ]
        row = rows.get(line.number)
        said = [finding(one, lang) for one in found if one.line == line.number and one.severity != "note"]
        shown = card(row, kind, lang) if row else None
        lines.append({"number": line.number, "cells": cells, "found": said, "card": shown})
    cards = [card(row, kind, lang) for row in draft.deck.table.rows if row.line not in bad]
    return {
        "lines": lines,
        "more": len(bad) - len(lines),
        "table": making.as_text(draft.sheet),
        "found": [finding(one, lang) for one in found if not one.line and one.severity == "error"],
        "box": catalog.box(game_of(kind), tr),
        "cards": cards[:PAGE],
        "good": len(cards),
        "bad": len(bad),
    }
