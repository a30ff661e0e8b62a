"""Decks that are held out: their seal is published now, their cards are opened later, and anybody can compare.

The seal is the SHA-256 of the deck's file, so `sha256sum` checks it, too. A random line `#salt` in the file keeps
people from trying out which cards it may hold.
"""

import hashlib
import shlex
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import errors
from spieltisch.decks.table import Table
from spieltisch.game import Invalid

FORMAT = "spieltisch-seal/1"
SALT = "salt"
"""The line of a held-out deck with 16 random bytes, in hex."""


class Seal(Struct, frozen=True, forbid_unknown_fields=True):
    """What is published of a deck that is held out: no card, but how many, and the SHA-256 of its file."""

    format: Literal["spieltisch-seal/1"]
    deck: str
    kind: str
    cards: int
    day: str
    file: str
    sha256: str

    def text(self) -> str:
        """The seal as a file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n"


def sealed(deck: Deck, day: str, salt: bytes, named: str) -> tuple[str, Seal]:
    """The file to keep secret, and the seal to publish; `named` is how the deck was asked for. Raises Invalid for a
    deck with errors, which nobody can play, and for one that is sealed already.
    """
    if errors([*deck.found]):
        raise Invalid(
            "{name} has errors. Mend them before you seal it: spieltisch deck check {file}",
            name=deck.name, file=shlex.quote(named),
        )  # fmt: skip
    if SALT in deck.table.about:
        raise Invalid("{name} is sealed already.", name=deck.name)
    kept = replace(deck, table=Table({**deck.table.about, SALT: [[salt.hex()]]}, deck.table.rows))
    text, cards = kept.text(), len(kept.table.rows)
    seal = Seal(FORMAT, deck.name, deck.kind, cards, day, f"{deck.name}.held-out.csv", _sha256(text.encode()))
    return text, seal


def read_seal(content: bytes) -> Seal | None:
    """The seal in this file; None for a file of something else. Raises Invalid for a damaged seal."""
    try:
        if msgspec.json.decode(content, type=_Format).format.partition("/")[0] != FORMAT.partition("/")[0]:
            return None
    except (msgspec.DecodeError, RecursionError):
        return None
    try:
        return msgspec.json.decode(content, type=Seal)
    except msgspec.ValidationError as wrong:
        raise Invalid("This seal cannot be read: {reason}", reason=wrong) from None


def check_opened(seal: Seal, content: bytes) -> None:
    """Raise Invalid unless these bytes are the deck that was sealed."""
    if (found := _sha256(content)) != seal.sha256:
        raise Invalid(
            "This is not the deck that was sealed: its SHA-256 is {found}, sealed is {sealed}.",
            found=found, sealed=seal.sha256,
        )  # fmt: skip


class _Format(Struct):
    format: str


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
