"""Records of hic – haec – hoc: cards by their written form, readings as `case.number.gender`."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from spieltisch import package
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Invalid, Outcome, PendingChance, read
from spieltisch.games.hichaechoc.forms import CELLS, Paradigm, named, paradigm
from spieltisch.games.hichaechoc.forms import JOKER as JOKER_NAME
from spieltisch.games.hichaechoc.options import Options
from spieltisch.games.hichaechoc.state import (
    JOKER,
    Accept,
    Action,
    Contest,
    Draw,
    GameState,
    Hidden,
    Own,
    Pass,
    Play,
    PlayJoker,
    Public,
    written,
)
from spieltisch.options import read_options

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


class Record(package.Record[Options, Paradigm, Public, Own, Hidden, Action]):
    """Records of this game."""

    keys = frozenset({"forms"})
    by_row = False

    def load(self, top: Mapping[str, object], seats: int, library: Library | None = None) -> tuple[Options, Paradigm]:
        """The options, and the deck: named (`paradigm`), or given inline (`forms`, row by row).

        Tables, and work that brings its deck along, name it by the key `deck` instead; their records have the forms.
        """
        chosen = read(top.get("options"), dict[str, object])
        options = read_options({k: v for k, v in chosen.items() if k != "paradigm"}, Options, ("paradigm",))
        named_by = [what for what in ("forms", "deck") if what in top] + (["paradigm"] if "paradigm" in chosen else [])
        if len(named_by) > 1:
            raise Invalid("a record names its paradigm or brings its forms along, not both")
        if "forms" in top:
            return options, paradigm("forms", read(top["forms"], list[str]))
        told = top.get("deck", chosen.get("paradigm", PARADIGM))
        name = told if isinstance(told, str) else repr(told)
        own = library.brought(name) if library is not None and "deck" in top else None
        return options, named(name) if own is None else own

    def dump(self, options: Options, deck: Paradigm) -> dict[str, object]:
        default = Options()
        chosen = {name: getattr(options, name) for name in Options.__struct_fields__}
        return {
            "options": {name: value for name, value in chosen.items() if value != getattr(default, name)},
            "forms": list(deck.forms()),
        }

    def read_outcome(
        self, deck: Paradigm, state: GameState, chance: PendingChance, entry: Mapping[str, object]
    ) -> Outcome:
        return tuple(_number(state, form) for form in read(entry, _Shuffled).outcome)

    def write_outcome(
        self, deck: Paradigm, state: GameState, chance: PendingChance, outcome: Outcome
    ) -> dict[str, object]:
        assert isinstance(outcome, tuple)
        return {"chance": "shuffle", "outcome": [written(state.public, card) for card in outcome]}

    def read_action(self, deck: Paradigm, state: GameState, seat: int, raw: object) -> tuple[Action, ...]:
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
        if raw["play"] == JOKER_NAME:
            read(raw, _Joker)
            if not state.public.terms.options.joker:
                raise Illegal("This game is played without the joker.")
            return (PlayJoker(),)
        play = read(raw, _Play)
        if play.reading not in READINGS:
            raise Invalid("{reading} is not a reading such as acc.sg.m", reading=play.reading)
        return (Play(_number(state, play.play), READINGS[play.reading]),)

    def write_action(
        self,
        deck: Paradigm,
        state: GameState,
        seat: int,
        action: Action,
        log: list[dict[str, object]],
    ) -> None:
        match action:
            case Play(form, reading):
                entry: dict[str, object] = {"play": written(state.public, form), "as": NAMES[reading]}
            case PlayJoker():
                entry = {"play": JOKER_NAME}
            case Draw():
                entry = {"draw": True}
            case Pass():
                entry = {"pass": True}
            case Contest() | Accept():
                entry = {"contest": isinstance(action, Contest)}
        log.append({"seat": seat, "action": entry})

    def write_state(self, deck: Paradigm, state: GameState) -> dict[str, object]:
        p = state.public
        top = None
        if p.middle.top is not None:
            top = {
                "form": written(p, p.middle.top),
                "as": None if p.middle.said is None else NAMES[p.middle.said],
            }
        pending = None
        if p.turn.pending is not None:
            play = p.turn.pending
            pending = {"seat": p.turn.seat, "form": written(p, play.form), "as": NAMES[play.reading]}
        return {
            "hands": [[written(p, card) for card in own.hand] for own in state.own],
            "top": top,
            "pending": pending,
            "pile": p.middle.pile if top else len(p.terms.cards),  # before the deal, all cards
            "to_act": list(p.acting),
        }

    def card(self, deck: Paradigm, number: int) -> str:
        """A card by its written form. Numbers follow the order of forms in the deck."""
        return list(dict.fromkeys(card.form for card in deck.cards))[number]


def _said(value: bool, name: str, action: Action) -> Action:
    if not value:
        raise Invalid("{name} is always true", name=name)
    return action


def _number(state: GameState, form: str) -> int:
    """The number of the card with this form. Raises Invalid if there is none."""
    p = state.public
    if form == JOKER_NAME and p.terms.options.joker:
        return JOKER
    if form not in p.terms.forms:
        raise Invalid("there is no card {form} in this deck", form=form)
    return p.terms.forms.index(form)
