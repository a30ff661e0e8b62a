"""The games to choose from: what stands on each box, read from its package's `box.toml`; without one, the name."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from spieltisch import games
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.web.view.renderer import own_file


@cache
def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def title(package: GamePackage) -> str:
    """The game's name as people write it."""
    return _read(package.folder / "box.toml").get("title") or package.name.replace("-", " ").title()


def title_of(name: str) -> str:
    """The same of the game with this name; the name itself where there is no such game any more."""
    package = games.packages().get(name)
    return name if package is None else title(package)


def library(packages: Iterable[GamePackage]) -> list[GamePackage]:
    """The games in the order of their boxes; those that name no place come last."""
    return sorted(packages, key=lambda package: (_read(package.folder / "box.toml").get("place", 99), package.name))


def box(package: GamePackage, tr: Translator) -> dict[str, Any]:
    """A game's box in the reader's language."""
    return _box(package, tr.lang)


@cache
def _box(package: GamePackage, lang: str) -> dict[str, Any]:
    read = _read(package.folder / "box.toml")
    least, most = package.rules.seats[0], package.rules.seats[-1]
    words = package.translator(lang)
    people = f"{least}" if least == most else f"{least}–{most}"
    meta = words.ngettext("{n} player", "{n} players", most).format(n=people)
    if minutes := read.get("minutes"):
        meta = f"{meta} · {minutes} min"
    return {
        "game": package.name,
        "title": title(package),
        "pitch": read.get("pitch", {}).get(lang, ""),
        "credit": read.get("credit", {}).get(lang, ""),
        "meta": meta,
        "glyph": read.get("glyph", "logo"),
        "accent": read.get("accent", ""),
        "cls": read.get("class", ""),
        "lid": own_file(package, "templates", "lid.html"),
        "solo": most == 1,
        "lesson": (package.folder / "lesson.toml").is_file(),
    }
