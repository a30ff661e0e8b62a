"""The home page: one's tables, running ones apart from finished ones, the days' deals and one's decks."""

import datetime as dt
from collections.abc import Iterable
from typing import Any

from spieltisch.decks.library import Library
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.web.view import catalog
from spieltisch.web.view.days import day_words, short_day
from spieltisch.web.view.deck_choice import KINDS

WEEK = 7  # days whose deals are shown


def daily(package: GamePackage, today: dt.date, tr: Translator) -> dict[str, Any] | None:
    """The deal of this day and those of the days before, oldest first; None for a game that has none."""
    if not package.analysis.daily(today):
        return None
    days = [today - dt.timedelta(n) for n in reversed(range(WEEK))]
    return {
        "box": catalog.box(package, tr),
        "number": package.analysis.daily(today),
        "today": day_words(today, tr),
        "days": [
            {
                "number": package.analysis.daily(day),
                "short": short_day(day, tr),
                "words": day_words(day, tr),
                "today": day == today,
            }
            for day in days
        ],
    }


def own_decks(library: Library, made: Iterable[str], lang: str) -> dict[str, Any]:
    """How many decks this browser made, and the one that was changed last."""
    files = library.own()
    mine = [name for name in made if name in files]
    if not mine:
        return {"n": 0}
    found = {name: deck for kind in KINDS for name, deck in library.offered(kind, mine).items() if name in mine}
    if not found:
        return {"n": 0}
    last = max(found, key=lambda name: files[name].stat().st_mtime)
    return {"n": len(found), "title": found[last].title[lang] or last, "cards": found[last].cards}
