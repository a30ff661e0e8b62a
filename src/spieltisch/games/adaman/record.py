"""Adaman's records: cards by their ids, a payment in any order."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from spieltisch.decks.decktet import Deck, decktet
from spieltisch.decks.library import Library
from spieltisch.defaults import DefaultRecord
from spieltisch.game import Illegal, Invalid, Outcome, PendingChance, read
from spieltisch.games.adaman.rules import Action, AdamanState, Cards, Control, Excuse, Options, score

KEYS: frozenset[str] = frozenset()
DEFAULT: dict[str, Any] = {"options": {}}

# Names for people; a record holds what they stand for.
PRESETS: dict[str, dict[str, Any]] = {
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


def load(top: Mapping[str, Any], seats: int, library: Any = None) -> tuple[Options, Deck]:  # noqa: ARG001 - the same deck for any number
    """What was chosen, and the cards in play by that."""
    if "options" not in top:
        raise Invalid("the key options is missing")
    options = read(top["options"], Options)
    if len(set(options.extra)) < len(options.extra):
        raise Invalid("the option extra names a card twice")
    return options, decktet(options.extra)


def dump(options: Options, deck: Deck) -> dict[str, Any]:  # noqa: ARG001 - the option tells the deck
    return {"options": {"extra": list(options.extra)} if options.extra else {}}


def read_outcome(deck: Deck, state: AdamanState, chance: PendingChance, entry: Mapping[str, Any]) -> Outcome:  # noqa: ARG001
    numbers = _numbers(deck)
    return tuple(_number(numbers, name) for name in read(entry, _Shuffled).outcome)


def write_outcome(deck: Deck, state: AdamanState, chance: PendingChance, outcome: Outcome) -> dict[str, Any]:  # noqa: ARG001
    assert isinstance(outcome, tuple)
    return {"chance": "shuffle", "outcome": _ids(deck, outcome)}


def read_action(deck: Deck, state: AdamanState, seat: int, raw: object) -> tuple[Action, ...]:  # noqa: ARG001
    numbers = _numbers(deck)
    if not isinstance(raw, dict) or not ("control" in raw or "excuse" in raw):
        raise Invalid("an action of Adaman is an object with control and with, or with excuse")
    if "excuse" in raw:
        return (Excuse(_number(numbers, read(raw, _Excuse).excuse)),)
    move = read(raw, _Control)
    payment = [_number(numbers, name) for name in move.payment]
    if len(set(payment)) < len(payment):
        raise Illegal("Every card pays only once.")
    return (Control(_number(numbers, move.control), tuple(payment)),)


def write_action(
    deck: Deck,
    state: AdamanState,  # noqa: ARG001
    seat: int,
    action: Action,
    log: list[dict[str, Any]],
) -> None:
    if isinstance(action, Excuse):
        written: dict[str, Any] = {"excuse": deck.cards[action.card].id}
    else:
        written = {"control": deck.cards[action.target].id, "with": _ids(deck, action.payment)}
    log.append({"seat": seat, "action": written})


def write_state(deck: Deck, state: AdamanState) -> dict[str, Any]:
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


def _ids(deck: Deck, cards: Cards) -> list[str]:
    return [deck.cards[card].id for card in cards]


def _numbers(deck: Deck) -> dict[str, int]:
    return {card.id: number for number, card in enumerate(deck.cards)}


def _number(numbers: dict[str, int], name: str) -> int:
    if name not in numbers:
        raise Invalid("there is no card {card} in this deck", card=name)
    return numbers[name]


class Record(DefaultRecord):
    """Records of this game."""

    keys = KEYS
    default = DEFAULT
    by_row = False

    def load(self, top: Mapping[str, Any], seats: int, library: Library | None = None) -> tuple[Any, Any]:
        """Options and deck from a record's top keys. Without a library decks are the shipped ones."""
        return load(top, seats, library)

    def dump(self, options: Any, deck: Any) -> dict[str, Any]:
        """The top keys of a record: options that are not the default ones, and the cards."""
        return dump(options, deck)

    def read_outcome(self, deck: Any, state: Any, chance: PendingChance, entry: Mapping[str, Any]) -> Outcome:
        """The chance outcome of a log entry."""
        return read_outcome(deck, state, chance, entry)

    def write_outcome(self, deck: Any, state: Any, chance: PendingChance, outcome: Outcome) -> dict[str, Any]:
        """The log entry of a chance outcome."""
        return write_outcome(deck, state, chance, outcome)

    def read_action(self, deck: Any, state: Any, seat: int, raw: Any) -> Sequence[Any]:
        """The actions that one log entry tells: one, or several where an entry holds several decisions."""
        return read_action(deck, state, seat, raw)

    def write_action(self, deck: Any, state: Any, seat: int, action: Any, log: list[dict[str, Any]]) -> None:
        """Append the log entry of an action, or join it to the one before."""
        return write_action(deck, state, seat, action, log)

    def write_state(self, deck: Any, state: Any) -> dict[str, Any]:
        """What `replay --json` says of a state."""
        return write_state(deck, state)
