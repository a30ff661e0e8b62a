"""One room a game, nothing shared between rooms. Rooms are found, not registered: a folder with a `rules` module.

Never here: anything that knows a table, a page or another game. More rooms can lie in the folders named by
the environment variable SPIELTISCH_GAMES (separated like PATH).
"""

import functools
import importlib
import os
import pkgutil
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from spieltisch.game import Game, Unreadable

__path__ += [p for p in os.environ.get("SPIELTISCH_GAMES", "").split(os.pathsep) if p]


class Room(Struct, frozen=True):
    """A game and what stands around its rules. What a room does not have is None: the house has it in general."""

    rules: Game
    folder: Path
    record: Any | None  # actions and outcomes to and from the record format
    bot: Any | None  # choose(view, legal, dice, knows)
    knowledge: Any | None  # believe(hidden, dice, level): what a bot of this game brings along; LEVELS
    daily: Any | None  # number(day): the number of a day's deal, of a game that is played alone
    page: Any | None  # what its pages need besides the view, and the news in sentences

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def levels(self) -> dict[str, str]:
        """The levels of this game's bots, the weakest first, with their names; empty where all play alike."""
        return getattr(self.knowledge, "LEVELS", {})

    @property
    def thoughtful(self) -> tuple[str, ...]:
        """The levels that think for long: not in the process that serves tables."""
        return getattr(self.bot, "THOUGHTFUL", ())

    def level(self, wanted: str) -> str:
        """The level that is wanted, the middle one if there is no such level."""
        if wanted in self.levels or not self.levels:
            return wanted
        return list(self.levels)[len(self.levels) // 2]


def _part(package: str, part: str) -> ModuleType | None:
    try:
        return importlib.import_module(f"{package}.{part}")
    except ModuleNotFoundError as missing:
        if missing.name == f"{package}.{part}":
            return None
        raise


@functools.cache
def rooms() -> dict[str, Room]:
    """All rooms by the game's name."""
    found = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        package = f"{__name__}.{module.name}"
        rules: Any = _part(package, "rules") if module.ispkg else None
        if rules is not None:
            parts = {part: _part(package, part) for part in ("record", "bot", "knowledge", "daily", "page")}
            found[rules.name] = Room(rules, Path(rules.__file__).parent, **parts)
    return found


def room(name: str) -> Room:
    """The room of the game with this name; Unreadable if there is none."""
    try:
        return rooms()[name]
    except KeyError:
        raise Unreadable("there is no game {name}, only {names}", name=name, names=", ".join(rooms())) from None
