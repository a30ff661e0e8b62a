"""What a table's lobby tells of the decks that are chosen there. Questions: see `library`."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from spieltisch.decks import filters
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.choosing import Choosable
from spieltisch.decks.library import Library
from spieltisch.decks.text import Text
from spieltisch.decks.things import number_in_play
from spieltisch.game import read

EASY = "1"  # the level of easy cards


class Selection(Struct, frozen=True):
    """Of some decks, or some series of them: the series, what can be asked for (by column: what stands there, its name
    and how many cards are in play with it and with what is wanted besides), the shares that a field can have, how many
    cards are in play, whether easy ones are marked.
    """

    series: tuple[tuple[str, Text], ...]
    choices: Mapping[str, Sequence[tuple[str, Text, int]]]
    shares: tuple[int, ...]
    left: int
    easy: bool


def selection(
    library: Library,
    kind: str,
    names: Sequence[str],
    series: Sequence[str] | None = None,
    wanted: Mapping[str, object] | None = None,
) -> Selection:
    """What can be told of these decks, or only these series of them; in play is what is `wanted` (a `Filter`). Invalid
    if there is no such deck or series.
    """
    chosen = None if series is None else tuple(series)
    return library.ask(_selected, names, kind, chosen, msgspec.json.encode(wanted or {}, order="sorted"))


def _selected(
    library: Library, names: Sequence[str], kind: str, series: Sequence[str] | None, wanted: bytes
) -> Selection:
    deck = library.mixed(names, kind_of(kind), series)
    assert isinstance(deck, Choosable)
    asked = read(msgspec.json.decode(wanted), filters.Filter)
    left = filters.each(deck, asked)
    choices = {
        column: [(one, name, number_in_play(left[column][one])) for one, name in each]
        for column, each in filters.choices(deck).items()
    }
    return Selection(
        tuple(deck.parts()),
        choices,
        tuple(filters.shares(len(choices.get("field", ())))),
        number_in_play(filters.only(deck, asked).cards),
        any(EASY in deck.stands(card, "level") for card in deck.cards),
    )
