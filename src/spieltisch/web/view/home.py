"""The home page: one's tables, running ones apart from finished ones, the days' deals and one's decks."""

import datetime as dt
from collections.abc import Iterable
from typing import Any

from spieltisch.decks.library import Library
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.web.view import catalog
from spieltisch.web.view.days import day_words, short_day

WEEK = 7  # days whose deals are shown


def daily(package: GamePackage, today: dt.date, tr: Translator) -> dict[str, Any] | None:
    """The deal of this day and those of the days before, oldest first; None for a game that has none."""
    days = [today - dt.timedelta(n) for n in reversed(range(WEEK))]
    deals = {day: package.analysis.daily(day) for day in days}
    if not deals[today]:
        return None
    return {
        "box": catalog.box(package, tr),
        "number": deals[today],
        "today": day_words(today, tr),
        "days": [
            {
                "number": deal,
                "short": short_day(day, tr),
                "words": day_words(day, tr),
                "today": day == today,
            }
            for day, deal in deals.items()
        ],
    }


def own_decks(library: Library, made: Iterable[str], lang: str) -> dict[str, Any]:
    """How many decks this browser made, and the one that was changed last."""
    files = library.own()
    found = {name: deck for name in made if name in files and (deck := library.entry(name)) is not None}
    if not found:
        return {"n": 0}
    last = max(found, key=lambda name: files[name].stat().st_mtime)
    return {"n": len(found), "title": found[last].title[lang] or last, "cards": found[last].cards}
