"""Decks that travel with the work: other processes and machines play with cards that only one folder has."""

import functools
import hashlib
import os
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch import extras, paths
from spieltisch.decks.base_kind import DeckKind, kind_of
from spieltisch.decks.check import open_deck, unplayable
from spieltisch.decks.deck import Deck
from spieltisch.decks.library import Library, find, is_path, shipped
from spieltisch.game import HasCards, Invalid


class Carried(Struct, frozen=True, omit_defaults=True):
    """A deck with its whole text. `sha256` is of that text in UTF-8: where results are told, it stands for the text."""

    name: str
    kind: str
    sha256: str
    text: str = ""

    @property
    def told(self) -> "Carried":
        """The deck without its cards, for results that people publish."""
        return replace(self, text="")


def carried(deck: str | os.PathLike[str], kind: str) -> Carried | None:
    """The deck of this name, or in this file; None for a shipped deck, which every machine has.

    Raises Invalid if there is none, if it is of another kind, or if no game can read it.
    """
    name = os.fspath(deck)
    with extras.needed():
        path = Path(name) if is_path(name) else find(name, paths.data_folder() / paths.DECKS)
        found = _opened(name, path, kind)
    if path == shipped().get(name):
        return None
    text = found.text()
    made = Carried(found.name, found.kind, hashlib.sha256(text.encode()).hexdigest(), text)
    try:
        _read(made)
    except Invalid as reason:
        raise unplayable(path, reason) from None
    return made


def _opened(name: str, path: Path, kind: str) -> Deck:
    try:
        found = open_deck(path)
    except OSError as reason:
        raise Invalid("{file} cannot be read: {error}", file=path, error=reason.strerror or reason) from None
    except Invalid as reason:
        raise unplayable(path, reason) from None
    if found.kind != kind:
        wrong, right = kind_of(found.kind).game, kind_of(kind).game
        raise Invalid("{name} is a deck for {wrong}, not for {right}", name=name, wrong=wrong, right=right)
    return found


def named(deck: str | os.PathLike[str], kind: str) -> tuple[str, Carried | None]:
    """By which name a record calls this deck, and the deck itself if it is not shipped. Raises Invalid as `carried`."""
    own = carried(deck, kind)
    return (os.fspath(deck) if own is None else own.name), own


def library_of(deck: Carried | None) -> Library | None:
    """The library in which a game finds this deck by its name; None for no such deck."""
    return None if deck is None else _Only(deck)


class _Only(Library):
    """One deck, and the shipped ones."""

    def __init__(self, deck: Carried) -> None:
        super().__init__()
        self._deck = deck

    def brought(self, name: str) -> Any:
        return _read(self._deck) if name == self._deck.name else None

    def read(self, name: str) -> tuple[DeckKind[HasCards], Any] | None:
        return (kind_of(self._deck.kind), _read(self._deck)) if name == self._deck.name else super().read(name)


@functools.lru_cache(4)
def _read(deck: Carried) -> HasCards:
    return kind_of(deck.kind).read(deck.text, deck.name)
