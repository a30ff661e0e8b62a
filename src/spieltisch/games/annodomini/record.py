"""Records of Anno Domini."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from spieltisch import package
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import recorded
from spieltisch.decks.filters import Filter, only
from spieltisch.decks.library import Library
from spieltisch.dice import Outcome
from spieltisch.game import Illegal, Invalid, PendingChance, read
from spieltisch.games.annodomini import events
from spieltisch.games.annodomini.options import Options
from spieltisch.games.annodomini.rules import to_act
from spieltisch.games.annodomini.state import Action, Deck, Doubt, GameState, Hidden, Open, Own, Place, Public
from spieltisch.options import read_options

_Name = Annotated[str, Meta(min_length=1)]


class _Card(Struct, forbid_unknown_fields=True):
    id: _Name
    date: str


class _Place(Struct, forbid_unknown_fields=True):
    place: str
    at: int


class _Doubt(Struct, forbid_unknown_fields=True):
    doubt: bool


class _Open(Struct, forbid_unknown_fields=True):
    open: list[str]


class Record(package.Record[Options, Deck, Public, Own, Hidden, Action]):
    """Records of this game."""

    keys = frozenset({"deck", "cards"})
    default: Mapping[str, object] = {"options": {}, "deck": "events"}
    by_row = False

    def load(self, top: Mapping[str, object], seats: int, library: Library | None = None) -> tuple[Options, Deck]:
        """The options and the deck in a record's top keys; without a library, only shipped decks.

        A table may also have the key `filter`: its record has the cards inline.
        """
        chosen = read(top["options"], dict[str, object])
        series = _read("series", chosen.pop("series"), list[str]) if "series" in chosen else None
        if "fewer_cards" in chosen:
            chosen["fewer_cards"] = _fewer(_read("fewer_cards", chosen["fewer_cards"], dict[str, int]), seats)
        try:
            options = read_options(chosen, Options, ("series",))
        except Invalid as reason:
            raise Invalid("options: {reason}", reason=str(reason)) from None
        if "deck" in top and "cards" in top:
            raise Invalid("a record names its deck or has its cards inline, not both")
        if "cards" in top:
            if series is not None:
                raise Invalid("series can be chosen from a deck, not from inline cards")
            return options, Deck("", _cards(_read("cards", top["cards"], list[_Card])))
        if "deck" not in top:
            raise Invalid("the record has neither a deck nor cards")
        names = top["deck"] if isinstance(top["deck"], list) else [top["deck"]]
        deck = (library or Library()).mixed(_read("deck", names, list[str]), kind_of("events"), series)
        assert isinstance(deck, Deck)
        return options, only(deck, _read("filter", top.get("filter", {}), Filter))

    def top_with(self, deck: str, cards: int) -> dict[str, object]:
        """Default choices for four players with a deck of this size: as many cards each as it allows."""
        each = max(1, min(Options().cards_per_player, (cards - 2) // 4))
        return {"options": {} if each == Options().cards_per_player else {"cards_per_player": each}, "deck": deck}

    def dump(self, options: Options, deck: Deck) -> dict[str, object]:
        """The top keys of a record: options other than the defaults, and the cards inline."""
        given, default = msgspec.to_builtins(options), msgspec.to_builtins(Options())
        changed = {key: value for key, value in given.items() if value != default[key]}
        if options.fewer_cards:
            changed["fewer_cards"] = {str(seat): cards for seat, cards in options.fewer_cards}
        return {"options": changed, "cards": [{"id": card.id, "date": recorded(card.written)} for card in deck.cards]}

    def read_outcome(self, deck: Deck, state: GameState, chance: PendingChance, entry: Mapping[str, object]) -> Outcome:
        """The shuffled cards, the top of the pile first."""
        if entry["chance"] != "shuffle":
            raise Invalid("the next entry must be a shuffle")
        return _numbers(deck, _read("outcome", entry["outcome"], list[str]))

    def write_outcome(self, deck: Deck, state: GameState, chance: PendingChance, outcome: Outcome) -> dict[str, object]:
        assert isinstance(outcome, tuple)
        return {"chance": "shuffle", "outcome": [deck.cards[number].id for number in outcome]}

    def read_action(self, deck: Deck, state: GameState, seat: int, raw: object) -> tuple[Action, ...]:
        """The action in an entry."""
        match raw:
            case {"place": _}:
                placed = _read("action", raw, _Place)
                return (Place(_numbers(deck, [placed.place])[0], placed.at),)
            case {"open": _}:
                return (Open(_numbers(deck, _read("action", raw, _Open).open)),)
            case {"doubt": _}:
                if not _read("action", raw, _Doubt).doubt:
                    raise Illegal("Write doubt as true. To go on without doubting, place a card.")
                return (Doubt(),)
        raise Invalid("an action is one of place, doubt and open")

    def write_action(
        self, deck: Deck, state: GameState, seat: int, action: Action, log: list[dict[str, object]]
    ) -> None:
        """Append the entry of an action."""
        raw: dict[str, object]
        match action:
            case Place(card, at):
                raw = {"place": deck.cards[card].id, "at": at}
            case Open(cards):
                raw = {"open": [deck.cards[number].id for number in cards]}
            case _:
                raw = {"doubt": True}
        log.append({"seat": seat, "action": raw})

    def write_state(self, deck: Deck, state: GameState) -> dict[str, object]:
        """All that counts, with nothing hidden but the order of the pile."""
        p = state.public
        return {
            "hands": [[deck.cards[card.number].id for card in hand] for hand in p.hands],
            "chain": [deck.cards[laid.card.number].id for laid in p.chain],
            "pile": p.pile + len(p.turned),
            "set_aside": p.set_aside,
            "to_act": next(iter(to_act(p)), None),
        }

    def card(self, deck: Deck, number: int) -> str:
        """A card's id."""
        return deck.cards[number].id


def _fewer(raw: dict[str, int], seats: int) -> list[tuple[int, int]]:
    """Cards by seat. A seat is written as its number, without zeros or blanks."""
    by_name = {str(seat): seat for seat in range(seats)}
    for seat in raw:
        if seat not in by_name:
            raise Invalid("fewer_cards: there is no seat {seat}, only 0 to {last}", seat=seat, last=seats - 1)
    return sorted((by_name[seat], cards) for seat, cards in raw.items())


def _cards(raw: list[_Card]) -> tuple[events.Event, ...]:
    cards: dict[str, events.Event] = {}
    for number, card in enumerate(raw, 1):
        if card.id in cards:
            raise Invalid("cards: the id {id} comes twice", id=card.id)
        try:
            cards[card.id] = events.event(card.id, card.date)
        except Invalid as reason:
            raise Invalid("cards: the date of card {number}: {reason}", number=number, reason=str(reason)) from None
    return tuple(cards.values())


def _numbers(deck: Deck, ids: list[str]) -> tuple[int, ...]:
    wanted = set(ids)
    rows = {card.id: number for number, card in enumerate(deck.cards) if card.id in wanted}
    for card in ids:
        if card not in rows:
            raise Invalid("there is no card {card} in the deck", card=card)
    return tuple(rows[card] for card in ids)


def _read(name: str, raw: object, shape: Any) -> Any:
    try:
        return read(raw, shape)
    except Invalid as reason:
        raise Invalid("{name}: {reason}", name=name, reason=str(reason)) from None
