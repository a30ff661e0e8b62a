"""The host's commands for decks: `spieltisch deck link` and `spieltisch deck reports`."""

import datetime as dt
import json
import sys
from typing import Annotated

import msgspec
from cyclopts import Parameter

from spieltisch import languages
from spieltisch.cli.decks import AsJson, Data, Written, folder_of, refuse
from spieltisch.cli.host import deck_keys, written
from spieltisch.cli.output import Spoken, print_lines
from spieltisch.decks import library
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.check import open_deck
from spieltisch.decks.exporting import terminal
from spieltisch.decks.files import Files
from spieltisch.decks.findings import message, say
from spieltisch.decks.inbox import Inbox, Report
from spieltisch.extras import MissingExtraError
from spieltisch.game import Invalid, Refused
from spieltisch.i18n import system_language


def link(
    name: str,
    *,
    to: str = "http://localhost:8000",
    renew: Annotated[bool, Parameter(negative=())] = False,
    language: Spoken = None,
    data: Data = None,
    database: Written = None,
) -> int:
    """Print the address that opens a deck in the browser, backs included, to read and change it.

    Parameters
    ----------
    name
        Name of a deck.
    to
        Address of the server.
    renew
        Make a new key first. Old addresses stop working.

    """
    folder = folder_of(data)
    try:
        library.Library(folder).path(name)
        if renew:
            written(folder.parent, database, lambda files: deck_keys(folder.parent, files).renew(name))
        key = deck_keys(folder.parent).key(name)
    except (Refused, MissingExtraError, OSError) as reason:
        return refuse(name, reason, language or system_language())
    print(f"{to.rstrip('/')}/decks/{name}/key#{key}")
    return 0


def reports(
    *,
    done: Annotated[tuple[int, ...], Parameter(negative=())] = (),
    as_json: AsJson = False,
    language: Spoken = None,
    data: Data = None,
    database: Written = None,
) -> int:
    """List cards that players reported as wrong, the most often reported first.

    Parameters
    ----------
    done
        Number of a report to close; repeat it for several.

    """
    lang, folder = language or system_language(), folder_of(data)

    async def without(files: Files) -> list[int]:
        return [one for one in done if not await Inbox(folder, files).done(one)]

    try:
        gone = written(folder.parent, database, without) if done else []
        left = Inbox(folder, Files()).all()
    except (Refused, MissingExtraError, OSError) as reason:
        return refuse("reports", reason, lang)
    if as_json:
        print(json.dumps(msgspec.to_builtins(left), ensure_ascii=False, indent=1))
    else:
        for one in left:
            print_lines(map(terminal.printable, _told(one, library.Library(folder), lang)))
        if not left:
            print(say(message("Nothing has been reported."), lang))
    for one in gone:
        print(say(message("there is no report {n}", n=one), lang), file=sys.stderr)
    return 1 if gone else 0


def _told(one: Report, decks: library.Library, lang: str) -> list[str]:
    """A report in lines: its number, the card and its text, and the players' words."""
    day = dt.datetime.fromtimestamp(one.last, tz=dt.UTC).date().isoformat()
    lines = [f"{one.id}: {one.deck} {one.card} · {one.times}× · {day}"]
    try:
        deck = open_deck(decks.path(one.deck))
        row = next((row for row in deck.table.rows if row["id"] == one.card), None)
    except (Invalid, OSError):
        row = None
    if row is not None:
        date = row[kind_of(deck.kind).date]
        lines.append(f"   {date}: {row.told(lang)}" if date else f"   {row.told(lang)}")
        lines += [f"   {said}" for said in (row["source"], row.cells.get("fact", "")) if said]
    return lines + [f"   {languages.language(lang).quoted(said)}" for said in one.words]
