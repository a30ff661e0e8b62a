"""What a bot knows besides its view: made from the hidden part of the state, here only."""

import hashlib

from msgspec import Struct

from spieltisch.dice import FastDice
from spieltisch.package import Package


def beliefs_of(package: Package, hidden: Struct, seed: bytes, seat: int, level: str = "") -> object:
    """What the bot of this level on this seat believes, None where the game's bots need nothing.

    `hidden` is the hidden part before the deal. The same table, seat and level give the same beliefs again, so a
    restart changes no bot; nothing can be told from them about the seed.
    """
    digest = hashlib.sha256(seed + b"bot" + seat.to_bytes(2, "big")).digest()
    return package.beliefs.form(hidden, FastDice(int.from_bytes(digest, "big")), package.level(level))
