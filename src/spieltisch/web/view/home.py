"""The home page: one's tables, running ones apart from finished ones, the days' deals and one's decks."""

from collections.abc import Iterable
from typing import Any

from spieltisch.decks.library import Library


def own_decks(library: Library, made: Iterable[str], lang: str) -> dict[str, Any]:
    """How many decks this browser made, and the one that was changed last."""
    files = library.own()
    found = {name: deck for name in made if name in files and (deck := library.entry(name)) is not None}
    if not found:
        return {"n": 0}
    last = max(found, key=lambda name: files[name].stat().st_mtime)
    return {"n": len(found), "title": found[last].title[lang] or last, "cards": found[last].cards}
