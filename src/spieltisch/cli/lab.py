"""The command `spieltisch deck lab`: plays and reads a deck, and says what to change."""

import json
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from spieltisch.cli.decks import AsJson, Data, folder_of, refuse
from spieltisch.cli.output import Spoken, print_lines, require_writable, write
from spieltisch.decks import check as over
from spieltisch.decks import library
from spieltisch.decks.exporting.terminal import plain
from spieltisch.game import Refused
from spieltisch.i18n import system_language
from spieltisch.progress import progress


def lab(
    name: str,
    *,
    games: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000))] = 60,
    all_: Annotated[bool, Parameter(name="--all", negative=())] = False,
    as_json: AsJson = False,
    report: Path | None = None,
    language: Spoken = None,
    data: Data = None,
) -> int:
    """Play a deck with bots and read its cards: what gives dates away, what is too close, what to change first.

    Parameters
    ----------
    name
        Deck or file (CSV, XLSX, ODS).
    games
        Games at each of the three bot levels.
    all_
        List all cards to change, not only the first ones.
    report
        Write a page with charts to this file.

    """
    from spieltisch.study.lab import words
    from spieltisch.study.lab.report import examine, pieces

    lang = language or system_language()
    require_writable(report, used=(name,))
    try:
        deck = over.checked(library.find(name, folder_of(data)))
        with progress(pieces(deck, games)) as done:
            found = examine(deck, games, done)
    except (Refused, OSError) as reason:
        return refuse(name, reason, lang)
    if report is not None:
        from spieltisch.study.lab import page

        if write(report, page.whole(found, lang)):
            return 1
    if as_json:
        changes = [
            {"card": one.card, "line": one.line, "date": one.date, "front": one.front[lang],
             "findings": [plain(each, lang) for each in one.findings]}
            for one in found.changes
        ]  # fmt: skip
        told = msgspec.json.encode(msgspec.structs.replace(found, changes=(), whole=()))  # infinite ends as null
        rest = msgspec.json.decode(told)
        whole = [plain(one, lang) for one in found.whole]
        json.dump(rest | {"changes": changes, "whole": whole}, sys.stdout, ensure_ascii=False, indent=1)
        print()
        return 0
    print_lines(words.lines(found, lang, all_=all_))
    return 0
