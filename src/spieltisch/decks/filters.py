"""Which cards of a deck are played: those of some goals, levels, fields, regions and periods, or all; of no field more
than its share.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from spieltisch.decks.events import Event, Events
from spieltisch.decks.firsts import First, Firsts
from spieltisch.decks.text import Text
from spieltisch.decks.vocabulary import KNOWN

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
SHARES = (5, 10, 15, 20, 25, 33, 50)  # percent


class Filter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may be on the cards; an empty tuple: anything.

    `share` is the most, in percent, that one field may have of all the cards; 0: no limit. Which cards of a larger
    field are left out hangs on the number `mix`.
    """

    goal: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    field: tuple[str, ...] = ()
    region: tuple[str, ...] = ()
    period: tuple[str, ...] = ()
    share: Annotated[int, Meta(ge=0, le=100)] = 0
    mix: Annotated[int, Meta(ge=0)] = 0


COLUMNS = ("goal", "level", "field", "region", "period")


def only(deck: Dated, wanted: Filter) -> Dated:
    """The deck without the cards that are not wanted. Jokers stay: the last column needs them."""
    if wanted == Filter():
        return deck
    return replace(deck, cards=tuple(_kept([card for card, missed in _missed(deck, wanted) if not missed], wanted)))


def each(deck: Events | Firsts, wanted: Filter) -> dict[str, dict[str, Sequence[Event | First]]]:
    """What `only` leaves if one thing alone is asked for in a column, and in the others what is `wanted`: the cards, by
    column and what stands there.
    """
    found: dict[str, dict[str, list[Event | First]]] = {column: {} for column in COLUMNS}
    jokers = []
    for card, missed in _missed(deck, wanted):
        if _is_joker(card):
            jokers.append(card)
            continue
        for column in COLUMNS:
            for one in _of(card, column, _periods(deck)):
                cards = found[column].setdefault(one, [])
                if missed in ([], [column]):
                    cards.append(card)
    return {
        column: {one: _kept([*cards, *jokers], wanted) for one, cards in those.items()}
        for column, those in found.items()
    }


def _missed(deck: Events | Firsts, wanted: Filter) -> Iterator[tuple[Event | First, list[str]]]:
    """Each card, and the columns in which nothing wanted stands on it."""
    asked = [(column, {*names}) for column in COLUMNS if (names := getattr(wanted, column))]
    periods = _periods(deck)
    for card in deck.cards:
        missed = [column for column, names in asked if names.isdisjoint(_of(card, column, periods))]
        yield card, [] if _is_joker(card) else missed


def _kept(cards: Sequence[Event | First], wanted: Filter) -> Sequence[Event | First]:
    """The cards that are left of these when no field has more than its share."""
    if not wanted.share:
        return cards
    left = {card.id for card in _shared([card for card in cards if _of(card, "field", ())], wanted)}
    return [card for card in cards if card.id in left or not _of(card, "field", ())]


def _is_joker(card: Event | First) -> bool:
    return isinstance(card, First) and card.year is None


def _periods(deck: Events | Firsts) -> tuple:
    return deck.periods if isinstance(deck, Firsts) else ()


def shares(fields: int) -> list[int]:
    """The shares that can be asked for in a deck of so many fields: with hardly more than equal parts the smallest
    field would say how many cards are left.
    """
    return [share for share in SHARES if share * fields >= 150]


def _shared(cards: Sequence[Event | First], wanted: Filter) -> Sequence[Event | First]:
    """As many of these cards as can be, no field having more than its share of them.

    Fewer cards make smaller shares: so cards are left out until what is left keeps to them. A share below one and a
    half equal parts counts as that much.
    """
    cards = sorted(cards, key=lambda card: card.id)
    random.Random(wanted.mix).shuffle(cards)  # noqa: S311 - nothing hangs on it but which cards are left out
    while cards:
        fields = {one for card in cards for one in _of(card, "field", ())}
        most = max(1, int(len(cards) * max(wanted.share / 100, 1.5 / len(fields))))
        taken, kept = Counter[str](), []
        for card in cards:
            own = [*_of(card, "field", ())]
            if all(taken[one] < most for one in own):
                taken.update(own)
                kept.append(card)
        if len(kept) == len(cards):
            break
        cards = kept
    return cards


def choices(deck: Events | Firsts) -> dict[str, list[tuple[str, Text]]]:
    """What can be asked for in this deck: by column what stands there, and its name."""
    found = {}
    for column in COLUMNS:
        there = {one for card in deck.cards for one in _of(card, column, _periods(deck))}
        names = _names(column, deck)
        place = {one: at for at, one in enumerate(names)}
        ordered = sorted(there, key=lambda one: (place.get(one, len(place)), one))
        if len(ordered) > 1:
            found[column] = [(one, names.get(one, Text(one, one))) for one in ordered]
    return found


def _names(column: str, deck: Events | Firsts) -> dict[str, Text]:
    if column == "period":
        return {str(n): one.name for n, one in enumerate(deck.periods)} if isinstance(deck, Firsts) else _EPOCHS
    return KNOWN.get(column, {}) | (deck.declared.get(column, {}) if isinstance(deck, Events) else {})


_EPOCHS = {name: said for name, _, said in EPOCHS}


def _of(card: Event | First, column: str, periods: tuple) -> Sequence[str]:
    """What stands in this column of a card; nothing on a joker."""
    match column, card:
        case "goal", Event():
            return card.goals
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
