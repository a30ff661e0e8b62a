"""Adaman's records: cards by their ids, a payment in any order."""

from typing import Any, Literal

from msgspec import Struct

from spieltisch.decks.decktet import Deck, decktet
from spieltisch.game import Illegal, Outcome, Shuffle, Unreadable, read
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


def load(top: dict[str, Any], seats: int) -> tuple[Options, Deck]:  # noqa: ARG001 - the same deck for any number
    """What was chosen, and the cards in play by that."""
    if "options" not in top:
        raise Unreadable("the key options is missing")
    options = read(top["options"], Options)
    if len(set(options.extra)) < len(options.extra):
        raise Unreadable("the option extra names a card twice")
    return options, decktet(options.extra)


def dump(options: Options, deck: Deck) -> dict[str, Any]:  # noqa: ARG001 - the option tells the deck
    return {"options": {"extra": list(options.extra)} if options.extra else {}}


def read_outcome(deck: Deck, state: AdamanState, due: Shuffle, entry: dict[str, Any]) -> Outcome:  # noqa: ARG001
    numbers = _numbers(deck)
    return tuple(_number(numbers, name) for name in read(entry, _Shuffled).outcome)


def write_outcome(deck: Deck, state: AdamanState, due: Shuffle, outcome: Cards) -> dict[str, Any]:  # noqa: ARG001
    return {"chance": "shuffle", "outcome": _ids(deck, outcome)}


def read_action(deck: Deck, state: AdamanState, seat: int, raw: object) -> tuple[Action, ...]:  # noqa: ARG001
    numbers = _numbers(deck)
    if not isinstance(raw, dict) or not ("control" in raw or "excuse" in raw):
        raise Unreadable("an action of Adaman is an object with control and with, or with excuse")
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
        raise Unreadable("there is no card {card} in this deck", card=name)
    return numbers[name]
