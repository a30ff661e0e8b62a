"""Decks in files, looked over: what is found in their sheets, in their cards, and when they are read for a game.

A file that has all columns of a deck is taken as it stands; a plain sheet as importing it would make it.
"""

import functools
from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import Finding, errors, message
from spieltisch.decks.importing.columns import Intake, taken_in
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import read_file
from spieltisch.decks.kinds import kind_of
from spieltisch.decks.library import slug
from spieltisch.game import HasCards, Invalid


def open_deck(path: Path) -> Deck:
    """The deck in this file, not yet looked over; Invalid where it is not even a table. Read anew when the file has
    changed; the same deck may be given out again, so nobody changes it.
    """
    stat = path.stat()
    return _opened(path, stat.st_mtime_ns, stat.st_size)


@functools.lru_cache(16)
def _opened(path: Path, changed: int, size: int) -> Deck:  # noqa: ARG001 - the file as it was then
    return _made_of(taken_in(read_file(path)), path)


def checked(path: Path) -> Deck:
    """The deck in this file with all that is found in it."""
    sheet = taken_in(read_file(path))
    return looked_at(_made_of(sheet, path), sheet)


def _made_of(sheet: Intake, path: Path) -> Deck:
    name = slug(path.stem)
    table = sheet.table if {*sheet.given} >= kind_of(sheet.kind).required else renewed(sheet, name).table
    return Deck(name, sheet.kind, table)


def looked_at(deck: Deck, sheet: Intake) -> Deck:
    """The deck with what was found in its sheet and what is found in itself."""
    found = [*sheet.found]
    swapped = any(one.rule == "swapped" for one in found)  # said once for all lines
    linted = kind_of(deck.kind).lint(deck.table)
    found += (one for one in linted if not (swapped and one.rule in {"date", "tells"}))
    if not errors(found):
        found += played(deck)
    if "id" not in sheet.given:  # ids that were made just now tell nobody anything
        found = [structs.replace(one, card="") if one.line else one for one in found]
    return Deck(deck.name, deck.kind, deck.table, tuple(found))


def for_play(deck: Deck) -> HasCards:
    """The deck as its game takes it. Raises Invalid or ValueError where it cannot be played with."""
    return kind_of(deck.kind).read(deck.text(), deck.name)


def played(deck: Deck) -> Iterator[Finding]:
    """What the game that plays it would say."""
    try:
        for_play(deck)
    except (Invalid, ValueError) as reason:
        wrong = reason if isinstance(reason, Invalid) else message("the table cannot be read")
        yield Finding("error", "deck", wrong)
