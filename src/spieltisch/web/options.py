"""The options of a game as form fields, and back: from the annotations of its `Options`, unless its page says more."""

import types
import typing
from collections.abc import Sequence
from typing import Any, get_args, get_origin

import msgspec
from msgspec import Meta

from spieltisch.decks.shelf import Shelf
from spieltisch.game import Unreadable
from spieltisch.games import Room
from spieltisch.table.log import Plan
from spieltisch.web import deckchoice
from spieltisch.web.answers import literal
from spieltisch.web.texts import Says
from spieltisch.web.wire import page_of

Form = dict[str, list[str]]


def fields(
    room: Room, plan: Plan, says: Says, shelf: Shelf, held: Sequence[str] = (), made: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """What can be chosen, drawn by the waiting room; `shown` is the choice in words, for those who only read.

    `held` are the private decks that who looks may choose, `made` those whose backs they know.
    """
    own = getattr(page_of(room), "options", None)
    drawn = own(plan.top, len(plan.chairs), says) if own is not None else _generic(room, plan.top, says)
    if (kind := getattr(room.record, "DECKS", None)) is not None:
        drawn = [*deckchoice.fields(kind, plan.top, shelf, held, says, made), *drawn]
    if getattr(room.rules, "silence", None) is not None:
        label, when_up = says._("Time to contest"), says._("When it is up, the play counts as accepted.")
        drawn = [*drawn, _time("seconds", label, when_up, plan.answer_seconds, {15, 30, 60}, says)]
    if room.rules.seats[-1] > 1:
        passes = getattr(room.rules, "passes", ())
        when_up = says._("When it is up, the turn is passed.") if passes else says._("When it is up, a bot moves.")
        times = {30, 60, 120, 300}
        drawn = [*drawn, _time("turn_seconds", says._("Time for a turn"), when_up, plan.turn_seconds, times, says)]
    return [{**one, "shown": _shown(one, says)} for one in drawn]


def _time(name: str, label: str, when_up: str, given: float | None, times: set[int], says: Says) -> dict[str, Any]:
    """A clock, which runs where several people play."""
    now = int(given or 0)
    choices = [(str(n), says._("{n} s").format(n=n) if n else says._("no limit")) for n in sorted(times | {0, now})]
    return {"kind": "select", "name": name, "label": label, "help": when_up, "value": str(now), "choices": choices}


def _shown(one: dict[str, Any], says: Says) -> str:
    value, labels = one.get("value"), dict(one.get("choices") or ())
    if one["kind"] == "switch":
        return says._("yes") if value else says._("no")
    if one["kind"] == "checks":
        return ", ".join(label for key, label in labels.items() if key in (value or ())) or "–"
    return labels.get(value, "–" if value is None else str(value))


def choose(room: Room, top: dict[str, Any], form: Form, shelf: Shelf, held: Sequence[str] = ()) -> dict[str, Any]:
    """The record's top keys anew; Unreadable where a field is none of the choices."""
    own = getattr(page_of(room), "choose", None)
    kind = getattr(room.record, "DECKS", None)
    try:
        new = own(top, form) if own is not None else {**top, "options": _chosen(room, form)}
        return new if kind is None else deckchoice.choose(kind, new, form, shelf, held, top)
    except (LookupError, ValueError, TypeError):
        raise Unreadable("This is not one of the choices.") from None


def _bare(shape: Any) -> tuple[Any, dict[str, Any]]:
    """The type without its annotation, and the bounds that the annotation names."""
    bounds: dict[str, Any] = {}
    while get_origin(shape) is typing.Annotated:
        shape, *notes = get_args(shape)
        for note in notes:
            if isinstance(note, Meta):
                bounds |= {
                    "least": note.ge if note.ge is not None else note.gt,
                    "most": note.le if note.le is not None else note.lt,
                }
    if isinstance(shape, types.UnionType) and type(None) in get_args(shape):
        inner = [part for part in get_args(shape) if part is not type(None)]
        if len(inner) == 1:
            bare, more = _bare(inner[0])
            return bare, bounds | more | {"optional": True}
    return shape, bounds


def _generic(room: Room, top: dict[str, Any], says: Says) -> list[dict[str, Any]]:
    labels = getattr(page_of(room), "LABELS", {})
    chosen = top.get("options", {})
    drawn = []
    for field in msgspec.structs.fields(room.rules.Options):
        shape, bounds = _bare(field.type)
        name = field.encode_name
        value = chosen.get(name, None if field.default is msgspec.NODEFAULT else field.default)
        label = says._(labels.get(name, name.replace("_", " ").capitalize()))
        one = {"name": name, "label": label, "help": says._(labels.get(f"{name}?", "")), "value": value}
        if shape is bool:
            drawn.append({**one, "kind": "switch"})
        elif shape is int:
            drawn.append({**one, "kind": "number", "least": bounds.get("least"), "most": bounds.get("most")})
        elif values := literal(shape):
            choices = [(str(v), says._(labels.get(f"{name}:{v}", str(v).capitalize()))) for v in values]
            drawn.append({**one, "kind": "select", "choices": choices, "value": str(value)})
    for name, choices in _content(room, says.lang).items():
        one = {"name": name, "label": says._(labels.get(name, name)), "help": says._(labels.get(f"{name}?", ""))}
        drawn.append({**one, "kind": "select", "choices": choices, "value": chosen.get(name, choices[0][0])})
    return drawn


def _content(room: Room, lang: str) -> dict[str, list[tuple[str, str]]]:
    """Options that choose content and so are none of the rules: the page's `CONTENT`, the default first."""
    return {name: said(lang) for name, said in getattr(page_of(room), "CONTENT", {}).items()}


def _chosen(room: Room, form: Form) -> dict[str, Any]:
    """The options from the form; what stands as by default is left out."""
    raw: dict[str, Any] = {}
    for field in msgspec.structs.fields(room.rules.Options):
        shape, bounds = _bare(field.type)
        name, given = field.encode_name, form.get(field.encode_name, [])
        value: Any
        if shape is bool:
            value = bool(given) and given[-1] not in {"", "0", "false", "off"}
        elif shape is int:
            if given and given[-1] == "" and bounds.get("optional"):
                value = None
            elif not given or not given[-1].lstrip("-").isdecimal() or len(given[-1]) > 9:
                continue
            else:
                value = int(given[-1])
        elif values := literal(shape):
            value = next((v for v in values if given and str(v) == given[-1]), field.default)
        else:
            continue
        if value != field.default:
            raw[name] = value
    for name, choices in _content(room, "en").items():
        values = [value for value, _ in choices]
        given = form.get(name, values[:1])[-1]
        if given in values[1:]:
            raw[name] = given
    return raw
