"""What a class learns with each card: its goal in a course, and the answer."""

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from spieltisch.decks.library import Library
from spieltisch.decks.text import NOTHING, Text
from spieltisch.game import Invalid


class Card(Struct, frozen=True):
    """A card's front and back, and the names of its goals. `latin`: the front is Latin."""

    front: Text
    back: Text
    source: str = ""
    goals: tuple[Text, ...] = ()
    comment: Text = NOTHING
    latin: bool = False
    corrected: str = ""  # the day of its last correction


def deck_of(library: Library, mix: str, card: str) -> str:
    """The deck of a mix (`a+b`) that has this card; the whole mix if none has it any more."""
    return decks_of(library, mix, [card])[card]


def decks_of(library: Library, mix: str, ids: Iterable[str]) -> dict[str, str]:
    """Like `deck_of`, for several cards."""
    ids, names = tuple(dict.fromkeys(ids)), mix.split("+")
    if len(names) == 1:
        return dict.fromkeys(ids, mix)
    known = [(one, told(library, one, ids)) for one in reversed(names)]
    return dict.fromkeys(ids, mix) | {card: one for one, some in known for card in some}


def told(library: Library, name: str, ids: Iterable[str]) -> dict[str, Card]:
    """Those of these cards that the deck has, by ids or forms. None if the deck is gone. Read in another process: see
    `library`.
    """
    try:
        return library.ask(_told, (name,), tuple(sorted({*ids})))
    except Invalid:
        return {}


def _told(library: Library, names: Sequence[str], ids: Sequence[str]) -> dict[str, Card]:
    found = cards(library, names[0], {*ids})
    return {one: found[one] for one in ids if one in found}


def cards(library: Library, name: str, only: Collection[str] | None = None) -> dict[str, Card]:
    """The cards of a deck by ids or forms: all, or `only` some. None if the deck is gone, or no game uses it."""
    try:
        found = library.read(name)
    except Invalid:
        return {}
    return {} if found is None else found[0].learned(found[1], only)
