"""Checks decks in files: findings in their sheets, in their cards, and when their game reads them.

A file with all columns of a deck is read as it is; a plain sheet is read like an import.
"""

import functools
from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import Finding, errors, message
from spieltisch.decks.importing.columns import Intake, taken_in
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import read_file
from spieltisch.decks.library import slug
from spieltisch.game import HasCards, Invalid


def open_deck(path: Path) -> Deck:
    """The deck in this file, unchecked. Raises Invalid if it is not a table. It is read again after the file changes;
    otherwise callers share the same deck, so nobody may change it.
    """
    stat = path.stat()
    return _opened(path, stat.st_mtime_ns, stat.st_size)


@functools.lru_cache(16)
def _opened(path: Path, changed: int, size: int) -> Deck:  # noqa: ARG001 - the file as it was then
    return _made_of(taken_in(read_file(path)), path)


def checked(path: Path) -> Deck:
    """The deck in this file with all findings."""
    sheet = taken_in(read_file(path))
    return looked_at(_made_of(sheet, path), sheet)


def _made_of(sheet: Intake, path: Path) -> Deck:
    name = slug(path.stem)
    table = sheet.table if {*sheet.given} >= kind_of(sheet.kind).required else renewed(sheet, name).table
    return Deck(name, sheet.kind, table)


def looked_at(deck: Deck, sheet: Intake) -> Deck:
    """The deck with the findings in its sheet and in itself."""
    found = [*sheet.found]
    swapped = any(one.rule == "swapped" for one in found)  # reported once for all lines
    linted = kind_of(deck.kind).lint(deck.table)
    found += (one for one in linted if not (swapped and one.rule in {"date", "tells"}))
    if not errors(found):
        found += played(deck)
    if "id" not in sheet.given:  # ids that were just made mean nothing to anybody
        found = [structs.replace(one, card="") if one.line else one for one in found]
    return Deck(deck.name, deck.kind, deck.table, tuple(found))


def for_play(deck: Deck) -> HasCards:
    """The deck for its game. Raises Invalid or ValueError if it cannot be played."""
    return kind_of(deck.kind).read(deck.text(), deck.name)


def unplayable(path: Path, reason: Invalid) -> Invalid:
    """Why the deck in this file cannot be played, with the file's own line. `reason` counts those of the kept table."""
    try:
        first = next((one for one in errors([*checked(path).found]) if one.line), None)
    except Invalid:  # no table at all
        first = None
    if first is None:
        return Invalid("{file} cannot be read: {error}", file=path, error=reason)
    wrong = Invalid(first.wrong.text, **first.wrong.values)
    return Invalid("{file}, line {number}: {reason}", file=path, number=first.line, reason=wrong)


def played(deck: Deck) -> Iterator[Finding]:
    """The findings of the game that plays it."""
    try:
        for_play(deck)
    except (Invalid, ValueError) as reason:
        wrong = reason if isinstance(reason, Invalid) else message("the table cannot be read")
        yield Finding("error", "deck", wrong)
