"""What stands on a game's box: read from its room's `box.toml`; without one, the game's name."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from spieltisch.games import Room
from spieltisch.web import texts
from spieltisch.web.texts import Says


@cache
def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def title(room: Room) -> str:
    """The game's name as people write it."""
    return _read(room.folder / "box.toml").get("title") or room.name.replace("-", " ").title()


def shelf(rooms: Iterable[Room]) -> list[Room]:
    """The rooms in the order in which their boxes stand; those that name no place come last."""
    return sorted(rooms, key=lambda room: (_read(room.folder / "box.toml").get("place", 99), room.name))


def box(room: Room, says: Says) -> dict[str, Any]:
    """A game's box in the listener's language."""
    return _box(room, says.lang)


@cache
def _box(room: Room, lang: str) -> dict[str, Any]:
    read = _read(room.folder / "box.toml")
    least, most = room.rules.seats[0], room.rules.seats[-1]
    words = texts.Says(texts.of(room, lang), lang)
    people = f"{least}" if least == most else f"{least}–{most}"
    meta = words.ngettext("{n} player", "{n} players", most).format(n=people)
    if minutes := read.get("minutes"):
        meta = f"{meta} · {minutes} min"
    return {
        "game": room.name,
        "title": title(room),
        "pitch": read.get("pitch", {}).get(lang, ""),
        "credit": read.get("credit", {}).get(lang, ""),
        "meta": meta,
        "glyph": read.get("glyph", "logo"),
        "accent": read.get("accent", ""),
        "cls": read.get("class", ""),
        "lid": f"{room.folder.name}/lid.html" if (room.folder / "lid.html").is_file() else "",
        "solo": most == 1,
        "lesson": (room.folder / "lesson.toml").is_file(),
    }
