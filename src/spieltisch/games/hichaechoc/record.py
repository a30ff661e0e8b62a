"""hic – haec – hoc in records: cards by how they are written, readings as `case.number.gender`."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from spieltisch.decks.forms import CELLS, JOKER, Paradigm, named, paradigm
from spieltisch.decks.library import Library
from spieltisch.defaults import DefaultRecord
from spieltisch.game import Illegal, Invalid, Outcome, PendingChance, read
from spieltisch.games.hichaechoc import rooms
from spieltisch.games.hichaechoc.rooms import Accept, Action, Contest, Draw, Options, Pass, Play, PlayJoker, World

KEYS = frozenset({"forms"})
DEFAULT: dict[str, Any] = {"options": {}}

PARADIGM = "hic"
READINGS: dict[str, int] = {".".join(cell): number for number, cell in enumerate(CELLS)}
NAMES = tuple(READINGS)


class _Shuffled(Struct, forbid_unknown_fields=True):
    chance: Literal["shuffle"]
    outcome: tuple[str, ...]


class _Play(Struct, forbid_unknown_fields=True):
    play: str
    reading: str = msgspec.field(name="as")


class _Joker(Struct, forbid_unknown_fields=True):
    play: Literal["joker"]


class _Draw(Struct, forbid_unknown_fields=True):
    draw: bool


class _Pass(Struct, forbid_unknown_fields=True):
    pass_: bool = msgspec.field(name="pass")


class _Answer(Struct, forbid_unknown_fields=True):
    contest: bool


def load(top: Mapping[str, Any], seats: int, library: Any = None) -> tuple[Options, Paradigm]:  # noqa: ARG001 - the same for any number
    """The options, and the deck that they name (`paradigm`) or that comes along (`forms`, row by row)."""
    chosen = read(top.get("options"), dict[str, Any])
    known = {*Options.__struct_fields__, "paradigm"}
    for name in chosen:
        if name not in known:
            raise Invalid("there is no option {name}", name=name)
    options = read({name: value for name, value in chosen.items() if name != "paradigm"}, Options)
    if "forms" not in top:
        return options, named(read(chosen.get("paradigm", PARADIGM), str))
    if "paradigm" in chosen:
        raise Invalid("a record names its paradigm or brings its forms along, not both")
    return options, paradigm("forms", read(top["forms"], list[str]))


def dump(options: Options, deck: Paradigm) -> dict[str, Any]:
    default = Options()
    chosen = {name: getattr(options, name) for name in Options.__struct_fields__}
    return {
        "options": {name: value for name, value in chosen.items() if value != getattr(default, name)},
        "forms": list(deck.forms()),
    }


def read_outcome(deck: Paradigm, state: World, chance: PendingChance, entry: Mapping[str, Any]) -> Outcome:  # noqa: ARG001
    return tuple(_number(state, form) for form in read(entry, _Shuffled).outcome)


def write_outcome(deck: Paradigm, state: World, chance: PendingChance, outcome: Outcome) -> dict[str, Any]:  # noqa: ARG001
    assert isinstance(outcome, tuple)
    return {"chance": "shuffle", "outcome": [rooms.written(state.public, card) for card in outcome]}


def read_action(deck: Paradigm, state: World, seat: int, raw: object) -> tuple[Action, ...]:  # noqa: ARG001
    if not isinstance(raw, dict):
        raise Invalid("an action is an object")
    if "contest" in raw:
        return (Contest() if read(raw, _Answer).contest else Accept(),)
    if "draw" in raw:
        return (_said(read(raw, _Draw).draw, "draw", Draw()),)
    if "pass" in raw:
        return (_said(read(raw, _Pass).pass_, "pass", Pass()),)
    if "play" not in raw:
        raise Invalid("an action of hic – haec – hoc has the key play, draw, pass or contest")
    if raw["play"] == JOKER:
        read(raw, _Joker)
        if not state.public.terms.options.joker:
            raise Illegal("This game is played without the joker.")
        return (PlayJoker(),)
    play = read(raw, _Play)
    if play.reading not in READINGS:
        raise Invalid("{reading} is not a reading such as acc.sg.m", reading=play.reading)
    return (Play(_number(state, play.play), READINGS[play.reading]),)


def _said(value: bool, name: str, action: Action) -> Action:
    if not value:
        raise Invalid("{name} is always true", name=name)
    return action


def write_action(
    deck: Paradigm,  # noqa: ARG001
    state: World,
    seat: int,
    action: Action,
    log: list[dict[str, Any]],
) -> None:
    match action:
        case Play(form, reading):
            written: dict[str, Any] = {"play": rooms.written(state.public, form), "as": NAMES[reading]}
        case PlayJoker():
            written = {"play": JOKER}
        case Draw():
            written = {"draw": True}
        case Pass():
            written = {"pass": True}
        case Contest() | Accept():
            written = {"contest": isinstance(action, Contest)}
    log.append({"seat": seat, "action": written})


def write_state(deck: Paradigm, state: World) -> dict[str, Any]:  # noqa: ARG001
    p = state.public
    top = None
    if p.middle.top is not None:
        top = {"form": rooms.written(p, p.middle.top), "as": None if p.middle.said is None else NAMES[p.middle.said]}
    pending = None
    if p.turn.pending is not None:
        play = p.turn.pending
        pending = {"seat": p.turn.seat, "form": rooms.written(p, play.form), "as": NAMES[play.reading]}
    return {
        "hands": [[rooms.written(p, card) for card in own.hand] for own in state.own],
        "top": top,
        "pending": pending,
        "pile": p.middle.pile if top else len(p.terms.cards),  # before the deal all cards
        "to_act": list(p.acting),
    }


def _number(state: World, form: str) -> int:
    """The number of the card that is written so; Unreadable if there is none."""
    p = state.public
    if form == JOKER and p.terms.options.joker:
        return rooms.JOKER
    if form not in p.terms.forms:
        raise Invalid("there is no card {form} in this deck", form=form)
    return p.terms.forms.index(form)


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
