"""Which cards of a deck are played: those of some goals, levels, fields, regions and periods, or all; of no field more
than its share.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from spieltisch.decks.choosing import Choosable, ChosenCard
from spieltisch.decks.text import Text, same

D = TypeVar("D", bound=Choosable)

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


def only(deck: D, wanted: Filter) -> D:
    """The deck without the cards that are not wanted. Jokers stay: the last column needs them."""
    if wanted == Filter():
        return deck
    left = [card for card, missed in _missed(deck, wanted) if not missed]
    return replace(deck, cards=tuple(_kept(deck, left, wanted)))


def each(deck: Choosable, wanted: Filter) -> dict[str, dict[str, Sequence[ChosenCard]]]:
    """What `only` leaves if one thing alone is asked for in a column, and in the others what is `wanted`: the cards, by
    column and what stands there.
    """
    found: dict[str, dict[str, list[ChosenCard]]] = {column: {} for column in COLUMNS}
    jokers = []
    for card, missed in _missed(deck, wanted):
        if deck.stays(card):
            jokers.append(card)
            continue
        for column in COLUMNS:
            for one in deck.stands(card, column):
                cards = found[column].setdefault(one, [])
                if missed in ([], [column]):
                    cards.append(card)
    return {
        column: {one: _kept(deck, [*cards, *jokers], wanted) for one, cards in those.items()}
        for column, those in found.items()
    }


def _missed(deck: Choosable, wanted: Filter) -> Iterator[tuple[ChosenCard, list[str]]]:
    """Each card, and the columns in which nothing wanted stands on it."""
    asked = [(column, {*names}) for column in COLUMNS if (names := getattr(wanted, column))]
    for card in deck.cards:
        missed = [column for column, names in asked if names.isdisjoint(deck.stands(card, column))]
        yield card, [] if deck.stays(card) else missed


def _kept(deck: Choosable, cards: Sequence[ChosenCard], wanted: Filter) -> Sequence[ChosenCard]:
    """The cards that are left of these when no field has more than its share."""
    if not wanted.share:
        return cards
    left = {card.id for card in _shared(deck, [card for card in cards if deck.stands(card, "field")], wanted)}
    return [card for card in cards if card.id in left or not deck.stands(card, "field")]


def shares(fields: int) -> list[int]:
    """The shares that can be asked for in a deck of so many fields: with hardly more than equal parts the smallest
    field would say how many cards are left.
    """
    return [share for share in SHARES if share * fields >= 150]


def _shared(deck: Choosable, cards: Sequence[ChosenCard], wanted: Filter) -> Sequence[ChosenCard]:
    """As many of these cards as can be, no field having more than its share of them.

    Fewer cards make smaller shares: so cards are left out until what is left keeps to them. A share below one and a
    half equal parts counts as that much.
    """
    cards = sorted(cards, key=lambda card: card.id)
    random.Random(wanted.mix).shuffle(cards)  # noqa: S311 - nothing hangs on it but which cards are left out
    while cards:
        fields = {one for card in cards for one in deck.stands(card, "field")}
        most = max(1, int(len(cards) * max(wanted.share / 100, 1.5 / len(fields))))
        taken, kept = Counter[str](), []
        for card in cards:
            own = [*deck.stands(card, "field")]
            if all(taken[one] < most for one in own):
                taken.update(own)
                kept.append(card)
        if len(kept) == len(cards):
            break
        cards = kept
    return cards


def choices(deck: Choosable) -> dict[str, list[tuple[str, Text]]]:
    """What can be asked for in this deck: by column what stands there, and its name."""
    found = {}
    for column in COLUMNS:
        there = {one for card in deck.cards for one in deck.stands(card, column)}
        names = deck.names(column)
        place = {one: at for at, one in enumerate(names)}
        ordered = sorted(there, key=lambda one: (place.get(one, len(place)), one))
        if len(ordered) > 1:
            found[column] = [(one, names.get(one, same(one))) for one in ordered]
    return found
