"""What a bot brings to the table besides its view: made from the hidden room in this one place."""

import hashlib
from typing import Any

from spieltisch.dice import Quick
from spieltisch.games import Room


def of(room: Room, hidden: Any, seed: bytes, seat: int, level: str = "") -> Any:
    """What the bot of this level on this seat knows, None where the game's bots need nothing.

    `hidden` is the hidden room before the deal. The same table, seat and level give the same knowledge again,
    so a restart changes no bot; nothing can be told from it about the seed.
    """
    if room.knowledge is None:
        return None
    digest = hashlib.sha256(seed + b"bot" + seat.to_bytes(2, "big")).digest()
    return room.knowledge.believe(hidden, Quick(int.from_bytes(digest, "big")), room.level(level))
