"""Adaman's records: cards by their ids, a payment in any order."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from spieltisch import notation, package
from spieltisch.decks.library import Library
from spieltisch.decks.text import folded
from spieltisch.game import Illegal, Invalid, Outcome, PendingChance, View, read
from spieltisch.games.adaman.chances import Written
from spieltisch.games.adaman.decktet import Deck, decktet
from spieltisch.games.adaman.options import Options
from spieltisch.games.adaman.rules import score
from spieltisch.games.adaman.state import ROW, Action, Cards, Control, Excuse, GameState, Hidden, Own, Public
from spieltisch.options import read_options

# Names for people. A record holds the cards they stand for.
PRESETS: dict[str, dict[str, Sequence[str]]] = {
    "basic": {},
    "excuse": {"extra": ["excuse"]},
    "extended": {
        "extra": [
            "borderland", "harvest", "light-keeper", "watchman", "consul", "island", "rite",
            "window", "excuse",
        ]
    },
    "easy": {"extra": ["borderland", "harvest", "island", "rite", "window"]},
    "hard": {"extra": ["light-keeper", "watchman", "consul"]},
}  # fmt: skip


class _Shuffled(Struct, forbid_unknown_fields=True):
    chance: Literal["shuffle"]
    outcome: tuple[str, ...]


class _Control(Struct, forbid_unknown_fields=True, rename={"payment": "with"}):
    control: str
    payment: tuple[str, ...]


class _Excuse(Struct, forbid_unknown_fields=True):
    excuse: str


def written(deck: Deck, action: Action) -> Written:
    """A move as records write it."""
    if isinstance(action, Excuse):
        return {"excuse": deck.cards[action.card].id}
    return {"control": deck.cards[action.target].id, "with": _ids(deck, action.payment)}


class Record(package.Record[Options, Deck, Public, Own, Hidden, Action]):
    """Records of this game."""

    keys: frozenset[str] = frozenset()
    by_row = False

    def load(self, top: Mapping[str, object], seats: int, library: Library | None = None) -> tuple[Options, Deck]:
        """The options, and the deck they make."""
        if "options" not in top:
            raise Invalid("the key options is missing")
        if "deck" in top:
            raise Invalid("Adaman is played with the Decktet; the option extra adds cards to it")
        options = read_options(top["options"], Options)
        if len(set(options.extra)) < len(options.extra):
            raise Invalid("the option extra names a card twice")
        return options, decktet(options.extra)

    def dump(self, options: Options, deck: Deck) -> dict[str, object]:
        return {"options": {"extra": list(options.extra)} if options.extra else {}}

    def read_outcome(self, deck: Deck, state: GameState, chance: PendingChance, entry: Mapping[str, object]) -> Outcome:
        numbers = _numbers(deck)
        return tuple(_number(numbers, name) for name in read(entry, _Shuffled).outcome)

    def write_outcome(self, deck: Deck, state: GameState, chance: PendingChance, outcome: Outcome) -> dict[str, object]:
        assert isinstance(outcome, tuple)
        return {"chance": "shuffle", "outcome": _ids(deck, outcome)}

    def read_action(self, deck: Deck, state: GameState, seat: int, raw: object) -> tuple[Action, ...]:
        numbers = _numbers(deck)
        if not isinstance(raw, dict) or not ("control" in raw or "excuse" in raw):
            raise Invalid("an action in Adaman is an object with the keys control and with, or excuse")
        if "excuse" in raw:
            return (Excuse(_number(numbers, read(raw, _Excuse).excuse)),)
        move = read(raw, _Control)
        payment = [_number(numbers, name) for name in move.payment]
        if len(set(payment)) < len(payment):
            raise Illegal("You can pay with each card only once.")
        return (Control(_number(numbers, move.control), tuple(payment)),)

    def write_action(
        self,
        deck: Deck,
        state: GameState,
        seat: int,
        action: Action,
        log: list[dict[str, object]],
    ) -> None:
        log.append({"seat": seat, "action": written(deck, action)})

    def write_state(self, deck: Deck, state: GameState) -> dict[str, object]:
        public = state.public
        return {
            "capital": _ids(deck, public.capital),
            "palace": _ids(deck, public.palace),
            "resources": _ids(deck, public.resources),
            "pile": public.pile,
            "personalities": _ids(deck, public.personalities),
            "discarded": _ids(deck, public.discarded),
            "excuse": public.excuse,
            "score": score(public),
        }

    def card(self, deck: Deck, number: int) -> str:
        """A card's id."""
        return deck.cards[number].id

    def parse(self, deck: Deck, view: View[Public, Own], text: str) -> Action:
        """Like the base class; the payment may be in any order."""
        places = {self.card(deck, card): place for place, card in enumerate(view.public.resources)}
        target, paid, names = notation.named(text, lambda number: self.card(deck, number)).partition(" with ")
        payment = sorted(names.split(), key=lambda name: places.get(folded(name), ROW))
        return super().parse(deck, view, f"{target}{paid}{' '.join(payment)}")


def _ids(deck: Deck, cards: Cards) -> list[str]:
    return [deck.cards[card].id for card in cards]


def _numbers(deck: Deck) -> dict[str, int]:
    return {card.id: number for number, card in enumerate(deck.cards)}


def _number(numbers: dict[str, int], name: str) -> int:
    if name not in numbers:
        raise Invalid("there is no card {card} in this deck", card=name)
    return numbers[name]
