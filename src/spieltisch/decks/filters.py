"""Which cards of a deck are played: those of some levels, fields, regions and periods, or all."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.decks.events import Event, Events
from spieltisch.decks.firsts import First, Firsts
from spieltisch.decks.text import Text
from spieltisch.decks.vocabulary import FIELDS, REGIONS

Dated = TypeVar("Dated", bound=Events | Firsts)

# Events have no periods of their own; these begin with the year after the one before ends.
EPOCHS = (
    ("ancient", 500, Text("bis 500", "to 500")),
    ("medieval", 1500, Text("501–1500", "501–1500")),
    ("early-modern", 1800, Text("1501–1800", "1501–1800")),
    ("nineteenth", 1900, Text("1801–1900", "1801–1900")),
    ("early-twentieth", 1950, Text("1901–1950", "1901–1950")),
    ("late-twentieth", 2000, Text("1951–2000", "1951–2000")),
    ("recent", None, Text("ab 2001", "from 2001")),
)
LEVELS = {"1": Text("leicht", "easy"), "2": Text("mittel", "medium"), "3": Text("schwer", "hard")}


class Filter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may be on the cards; an empty tuple: anything."""

    level: tuple[str, ...] = ()
    field: tuple[str, ...] = ()
    region: tuple[str, ...] = ()
    period: tuple[str, ...] = ()


COLUMNS = Filter.__struct_fields__


def only(deck: Dated, wanted: Filter) -> Dated:
    """The deck without the cards that are not wanted. Jokers stay: the last column needs them."""
    if wanted == Filter():
        return deck
    periods = deck.periods if isinstance(deck, Firsts) else ()
    asked = [(column, {*names}) for column in COLUMNS if (names := getattr(wanted, column))]

    def fits(card: Event | First) -> bool:
        if isinstance(card, First) and card.year is None:
            return True
        return all(names & {*_of(card, column, periods)} for column, names in asked)

    return replace(deck, cards=tuple(card for card in deck.cards if fits(card)))


def choices(deck: Events | Firsts) -> dict[str, list[tuple[str, Text, int]]]:
    """What can be asked for in this deck: by column what stands there, its name and on how many cards."""
    periods = deck.periods if isinstance(deck, Firsts) else ()
    found = {}
    for column in COLUMNS:
        cards = Counter(one for card in deck.cards for one in _of(card, column, periods))
        names = _names(column, deck)
        ordered = sorted(cards, key=lambda one: ([*names].index(one) if one in names else len(names), one))
        if len(ordered) > 1:
            found[column] = [(one, names.get(one, Text(one, one)), cards[one]) for one in ordered]
    return found


def _names(column: str, deck: Events | Firsts) -> dict[str, Text]:
    if column == "period":
        return {str(n): one.name for n, one in enumerate(deck.periods)} if isinstance(deck, Firsts) else _EPOCHS
    return {"level": LEVELS, "field": FIELDS, "region": REGIONS}[column]


_EPOCHS = {name: said for name, _, said in EPOCHS}


def _of(card: Event | First, column: str, periods: tuple) -> Iterable[str]:
    """What stands in this column of a card; nothing on a joker."""
    match column, card:
        case "level", Event():
            return (card.level,) if card.level else ()
        case "field", Event():
            return card.fields
        case "region", Event():
            return card.regions
        case "period", Event():
            return (next(name for name, last, _ in EPOCHS if last is None or card.span.start <= last),)
        case "field", First() if card.year is not None:
            return (card.field,) if card.field else ()
        case "period", First() if card.year is not None:
            return (next(str(n) for n, one in enumerate(periods) if one.end is None or card.year <= one.end),)
    return ()
