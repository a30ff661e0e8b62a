"""What the bots of any game need besides their game: their beliefs, and the engine with which some of them think.

How a bot chooses is said by its game (`Bot`); it gets a view, never a state. `beliefs_of` is the one place where
something hidden becomes something that a bot may know.
"""

import hashlib

from msgspec import Struct

from spieltisch import makers
from spieltisch.dice import FastDice
from spieltisch.package import Package


def beliefs_of(package: Package, hidden: Struct, seed: bytes, seat: int, level: str = "") -> object:
    """Return what the bot of this level on this seat believes; None if the game's bots need only their view.

    `hidden` is the hidden part before the deal. The same table, seat and level always give the same beliefs, so a
    restart changes no bot. Beliefs reveal nothing about the seed.
    """
    digest = hashlib.sha256(seed + b"bot" + seat.to_bytes(2, "big")).digest()
    return package.beliefs.form(hidden, FastDice(int.from_bytes(digest, "big")), package.level(level))


def await_engine(package: Package, level: str) -> None:
    """Compile the engine of bots of this level, if they have one, so that the same seed gives the same game.

    Otherwise the plain maker would choose until the engine is compiled. Raises MissingExtraError without the extra
    `study`.
    """
    if level in package.bot.slow_levels and package.folder.name in makers.engines():
        makers.compile_here(package.folder.name)
