"""hic – haec – hoc in records: cards by how they are written, readings as `case.number.gender`."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from spieltisch.decks.forms import CELLS, JOKER, Paradigm, named, paradigm
from spieltisch.game import Due, Illegal, Outcome, Unreadable, read
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


def load(top: dict[str, Any], seats: int) -> tuple[Options, Paradigm]:  # noqa: ARG001 - the same for any number
    """The options, and the deck that they name (`paradigm`) or that comes along (`forms`, row by row)."""
    chosen = read(top.get("options"), dict[str, Any])
    known = {*Options.__struct_fields__, "paradigm"}
    for name in chosen:
        if name not in known:
            raise Unreadable("there is no option {name}", name=name)
    options = read({name: value for name, value in chosen.items() if name != "paradigm"}, Options)
    if "forms" not in top:
        return options, named(read(chosen.get("paradigm", PARADIGM), str))
    if "paradigm" in chosen:
        raise Unreadable("a record names its paradigm or brings its forms along, not both")
    return options, paradigm("forms", read(top["forms"], list[str]))


def dump(options: Options, deck: Paradigm) -> dict[str, Any]:
    default = Options()
    chosen = {name: getattr(options, name) for name in Options.__struct_fields__}
    return {
        "options": {name: value for name, value in chosen.items() if value != getattr(default, name)},
        "forms": list(deck.forms()),
    }


def read_outcome(deck: Paradigm, state: World, due: Due, entry: dict[str, Any]) -> Outcome:  # noqa: ARG001
    return tuple(_number(state, form) for form in read(entry, _Shuffled).outcome)


def write_outcome(deck: Paradigm, state: World, due: Due, outcome: Outcome) -> dict[str, Any]:  # noqa: ARG001
    assert isinstance(outcome, tuple)
    return {"chance": "shuffle", "outcome": [rooms.written(state.public, card) for card in outcome]}


def read_action(deck: Paradigm, state: World, seat: int, raw: object) -> tuple[Action, ...]:  # noqa: ARG001
    if not isinstance(raw, dict):
        raise Unreadable("an action is an object")
    if "contest" in raw:
        return (Contest() if read(raw, _Answer).contest else Accept(),)
    if "draw" in raw:
        return (_said(read(raw, _Draw).draw, "draw", Draw()),)
    if "pass" in raw:
        return (_said(read(raw, _Pass).pass_, "pass", Pass()),)
    if "play" not in raw:
        raise Unreadable("an action of hic – haec – hoc has the key play, draw, pass or contest")
    if raw["play"] == JOKER:
        read(raw, _Joker)
        if not state.public.terms.options.joker:
            raise Illegal("This game is played without the joker.")
        return (PlayJoker(),)
    play = read(raw, _Play)
    if play.reading not in READINGS:
        raise Unreadable("{reading} is not a reading such as acc.sg.m", reading=play.reading)
    return (Play(_number(state, play.play), READINGS[play.reading]),)


def _said(value: bool, name: str, action: Action) -> Action:
    if not value:
        raise Unreadable("{name} is always true", name=name)
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
        raise Unreadable("there is no card {form} in this deck", form=form)
    return p.terms.forms.index(form)
