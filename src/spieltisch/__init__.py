"""A table for Anno Domini, Adaman, Trailblaze and hic – haec – hoc: play, teach, study.

The library::

    match = spieltisch.new("anno-domini", seats=3, seed=1)
    while not match.over:
        match.play(match.bot())
    match.result

`new` and `load` make a `Match`; `spieltisch.games()` are the games there are; `check_game` checks one of your own.
What cannot be is refused with a reason: `Invalid` for what came in, `Illegal` for what the rules forbid, both of them
`Refused`; `InvalidRecord` names the entry of a record; `MissingExtraError` names the command that installs what a bot
or a page needs besides.

Below: `game` is the contract and `dice` the chance, `package` what a game brings besides its rules, `games` one
package a game, `decks` their cards, `record` games as files, `match` the library, `bots` what players believe, `study`
many games, `table` a running table, `web` the pages, `paper` what is printed, `cli` the command.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    games: "Games"
    from spieltisch.extras import MissingExtraError as MissingExtraError
    from spieltisch.game import Illegal as Illegal
    from spieltisch.game import Invalid as Invalid
    from spieltisch.game import Refused as Refused
    from spieltisch.games import Games
    from spieltisch.match import Match as Match
    from spieltisch.match import load as load
    from spieltisch.match import new as new
    from spieltisch.record import InvalidRecord as InvalidRecord
    from spieltisch.testing import check_game as check_game

_WHERE = {
    "Illegal": "game",
    "Invalid": "game",
    "InvalidRecord": "record",
    "Match": "match",
    "MissingExtraError": "extras",
    "Refused": "game",
    "check_game": "testing",
    "load": "match",
    "new": "match",
}
__all__ = [  # type checkers read these one by one
    "Illegal",
    "Invalid",
    "InvalidRecord",
    "Match",
    "MissingExtraError",
    "Refused",
    "check_game",
    "games",
    "load",
    "new",
]


def __getattr__(name: str) -> object:
    """What the library offers, imported when it is asked for: `import spieltisch` alone imports nothing else."""
    if name == "games":
        return importlib.import_module("spieltisch.games")
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - only for who asks

        return globals().setdefault("__version__", version("spieltisch"))
    if name not in _WHERE:
        raise AttributeError(f"module 'spieltisch' has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f"spieltisch.{_WHERE[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
