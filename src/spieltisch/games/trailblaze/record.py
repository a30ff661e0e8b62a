"""Records of Trailblaze: cards by id, patterns as p1, p2, …, the own stone and the bonus stone in one entry."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from spieltisch import package
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.filters import Filter, only
from spieltisch.decks.library import Library
from spieltisch.decks.text import same
from spieltisch.game import Illegal, Invalid, Outcome, PendingChance, Pick, read
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.firsts import First, Firsts, Period
from spieltisch.games.trailblaze.news import Front
from spieltisch.games.trailblaze.options import Options
from spieltisch.games.trailblaze.rules import scores, to_act
from spieltisch.games.trailblaze.state import (
    Action,
    Bonus,
    GameState,
    Hidden,
    Keep,
    LeaveBonus,
    NoBonus,
    Own,
    Place,
    Public,
    Replace,
    Skip,
    Swap,
    TakeBonus,
)
from spieltisch.options import read_options


class _Period(Struct, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    name: str
    start: int
    end: int | None


class _Card(Struct, forbid_unknown_fields=True):
    id: str
    year: int | Literal["joker"]


class _Inline(Struct):
    periods: tuple[_Period, ...]
    cards: tuple[_Card, ...]


class _Starter(Struct, forbid_unknown_fields=True):
    chance: Literal["starter"]
    outcome: int


class _Shuffled(Struct, forbid_unknown_fields=True):
    chance: Literal["shuffle"]
    outcome: tuple[str, ...]


class _Swap(Struct, forbid_unknown_fields=True):
    swap: bool


class _Take(Struct, forbid_unknown_fields=True):
    take_bonus: bool


class _Stone(Struct, forbid_unknown_fields=True):
    pattern: str
    row: int
    column: int


class _Bonus(Struct, forbid_unknown_fields=True):
    row: int
    column: int


class _Place(Struct, forbid_unknown_fields=True):
    place: _Stone
    bonus: _Bonus | None


class _Skip(Struct, forbid_unknown_fields=True):
    place: None


class _Replace(Struct, forbid_unknown_fields=True):
    replace: str


class Record(package.Record[Options, Firsts, Public, Own, Hidden, Action]):
    """Records of this game."""

    keys = frozenset({"deck", "periods", "cards"})
    default: Mapping[str, object] = {"options": {}, "deck": "firsts"}
    by_row = False

    def load(
        self,
        top: Mapping[str, object],
        seats: int,
        library: Library | None = None,
    ) -> tuple[Options, Firsts]:
        """The options, and the deck: one of the library, or that in the record.

        A table may also have the key `filter`: its record has the cards inline.
        """
        if "options" not in top:
            raise Invalid("the key options is missing")
        options = read_options(top["options"], Options)
        if "deck" in top:
            if "cards" in top or "periods" in top:
                raise Invalid("a record has a deck, or periods and cards of its own, not both")
            deck = (library or Library()).deck(read(top["deck"], str), kind_of("firsts"))
            assert isinstance(deck, Firsts)
            return options, only(deck, read(top.get("filter", {}), Filter))
        if "cards" not in top or "periods" not in top:
            raise Invalid("a record needs a deck, or periods and cards of its own")
        told = read({key: top[key] for key in ("periods", "cards")}, _Inline)
        periods = [Period(same(p.name), p.start, p.end) for p in told.periods]
        # such a card has only its id to show on its front
        cards = [First(card.id, same(card.id), None if card.year == "joker" else card.year) for card in told.cards]
        return options, Firsts("", tuple(periods), tuple(cards))

    def top_with(self, deck: str, cards: int) -> dict[str, object]:
        """Default choices for a table with this deck."""
        return {"options": {}, "deck": deck}

    def dump(self, options: Options, deck: Firsts) -> dict[str, object]:
        default = Options()
        chosen = {key: getattr(options, key) for key in options.__struct_fields__}
        return {
            "options": {key: value for key, value in chosen.items() if value != getattr(default, key)},
            "periods": [{"name": p.name.first, "from": p.start, "to": p.end} for p in deck.periods],
            "cards": [{"id": card.id, "year": "joker" if card.year is None else card.year} for card in deck.cards],
        }

    def read_outcome(
        self, deck: Firsts, state: GameState, chance: PendingChance, entry: Mapping[str, object]
    ) -> Outcome:
        if isinstance(chance, Pick):
            return read(entry, _Starter).outcome
        numbers = {card.id: number for number, card in enumerate(deck.cards)}
        names = read(entry, _Shuffled).outcome
        for name in names:
            if name not in numbers:
                raise Invalid("there is no card {card} in this deck", card=name)
        return tuple(numbers[name] for name in names)

    def write_outcome(
        self, deck: Firsts, state: GameState, chance: PendingChance, outcome: Outcome
    ) -> dict[str, object]:
        if isinstance(outcome, int):
            return {"chance": "starter", "outcome": outcome}
        return {"chance": "shuffle", "outcome": [deck.cards[number].id for number in outcome]}

    def read_action(self, deck: Firsts, state: GameState, seat: int, raw: object) -> tuple[Action, ...]:
        if not isinstance(raw, dict):
            raise Invalid("an action is an object")
        if "swap" in raw:
            return (Swap() if read(raw, _Swap).swap else Keep(),)
        if "take_bonus" in raw:
            return (TakeBonus() if read(raw, _Take).take_bonus else LeaveBonus(),)
        if "replace" in raw:
            return (Replace(_pattern(read(raw, _Replace).replace)),)
        if "place" not in raw:
            raise Invalid("an action of Trailblaze has the key swap, take_bonus, place or replace")
        if raw["place"] is None:
            read(raw, _Skip)
            return (Skip(),)
        entry = read(raw, _Place)
        stone = Place(_pattern(entry.place.pattern), entry.place.row, entry.place.column)
        if entry.bonus is not None:
            if seat != state.public.bonus:
                raise Illegal("You do not have the bonus stone.")
            return (stone, Bonus(entry.bonus.row, entry.bonus.column))
        return (stone, NoBonus()) if seat == state.public.bonus else (stone,)

    def write_action(
        self,
        deck: Firsts,
        state: GameState,
        seat: int,
        action: Action,
        log: list[dict[str, object]],
    ) -> None:
        """Append an entry. A bonus stone goes into the entry with its holder's own stone."""
        match action:
            case Keep() | Swap():
                written: dict[str, object] = {"swap": isinstance(action, Swap)}
            case TakeBonus() | LeaveBonus():
                written = {"take_bonus": isinstance(action, TakeBonus)}
            case Place(pattern, row, column):
                written = {"place": {"pattern": f"p{pattern}", "row": row, "column": column}, "bonus": None}
            case Skip():
                written = {"place": None}
            case Replace(pattern):
                written = {"replace": f"p{pattern}"}
            case Bonus(row, column):
                stone = read(log[-1]["action"], dict[str, object])
                log[-1]["action"] = {**stone, "bonus": {"row": row, "column": column}}
                return
            case NoBonus():
                return
        log.append({"seat": seat, "action": written})

    def write_state(self, deck: Firsts, state: GameState) -> dict[str, object]:
        p = state.public
        turns = to_act(p)

        def name(front: Front | None) -> str | None:
            return None if front is None else deck.cards[front.card].id

        def field(stone: Stone) -> dict[str, object]:
            pattern = None if stone.pattern is None else f"p{stone.pattern}"
            return {"row": stone.row, "column": stone.column, "seat": stone.seat, "pattern": pattern}

        return {
            "board": [field(stone) for stone in p.board],
            "spent": [sum(stone.seat == seat for stone in p.spent) for seat in range(len(p.cards))],
            "stones": [{f"p{k}": left for k, left in enumerate(stones, start=1)} for stones in p.stones],
            "scores": {
                str(seat): {key: getattr(parts, key) for key in parts.__struct_fields__}
                for seat, parts in enumerate(scores(p))
            },
            "to_act": turns[0] if turns else None,
            "round": p.round,
            "cards": [name(front) for front in p.cards],
            "middle": name(p.middle),
            "deck": p.deck,
            "bonus": p.bonus,
            "placed": [field(stone) | {"bonus": stone.pattern is None} for stone in sorted(p.placed)],
        }


def _pattern(name: str) -> int:
    number = name.removeprefix("p")
    if name == number or not (number.isascii() and number.isdecimal()) or number.startswith("0") or len(number) > 2:
        raise Invalid("{pattern} is not a pattern; they are called p1, p2, …", pattern=name)
    return int(number)
