"""A game's options as form fields, and back: by the annotations of `Options`, unless the page brings fields."""

import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from spieltisch import options
from spieltisch.decks.library import Library
from spieltisch.game import Invalid
from spieltisch.i18n import Translator
from spieltisch.languages import DEFAULT
from spieltisch.package import OptionField, Package
from spieltisch.table.log import DAY, TableSetup
from spieltisch.web.core.view import deck_choice

Form = dict[str, list[str]]
DAYS = (1, 3, 7)  # that a turn of a slow game may take


def fields(
    package: Package,
    setup: TableSetup,
    tr: Translator,
    library: Library,
    held: Sequence[str] = (),
    made: Sequence[str] = (),
) -> list[OptionField]:
    """Return the fields of the lobby. Each field's `shown` is its value in words, for those who cannot change it.

    `held` are the private decks that the viewer may choose, `made` the decks whose backs they know.
    """
    own = package.page.options(setup.top, len(setup.chairs), tr)
    drawn = _generic(package, setup.top, tr) if own is None else list(own)
    if (kind := package.choice) is not None:
        drawn = [*deck_choice.fields(kind, setup.top, library, held, tr, made), *drawn]
    if package.silence is not None and not setup.is_slow:  # there it is the time for a turn
        label, when_up = tr._("Time to object"), tr._("When time is up, the card counts as accepted.")
        drawn = [*drawn, _time("seconds", label, when_up, setup.answer_seconds, {15, 30, 60}, tr)]
    if package.rules.seats[-1] > 1:
        when_up = tr._("When time is up, the turn passes.") if package.passes else tr._("When time is up, a bot moves.")
        if setup.is_slow:
            slow = tr._("You play over days: nobody has to be there at the same time.")
            when_up = f"{slow} {when_up}"
        times = {30, 60, 120, 300, *(n * round(DAY) for n in DAYS)}
        drawn = [*drawn, _time("turn_seconds", tr._("Time per turn"), when_up, setup.turn_seconds, times, tr)]
    return [replace(one, shown=_shown(one, tr)) for one in drawn]


def _time(name: str, label: str, when_up: str, given: float | None, times: set[int], tr: Translator) -> OptionField:
    """Return the field of a time limit, in seconds."""
    now = int(given or 0)
    choices = [(str(n), _span(n, tr)) for n in sorted(times | {0, now})]
    return OptionField(kind="select", name=name, label=label, help=when_up, value=str(now), choices=choices)


def _span(seconds: int, tr: Translator) -> str:
    if not seconds:
        return tr._("no limit")
    days = seconds // round(DAY)
    return tr.ngettext("{n} day", "{n} days", days).format(n=days) if days else tr._("{n} s").format(n=seconds)


def _shown(one: OptionField, tr: Translator) -> str:
    value, labels = one.value, dict(one.choices)
    if one.kind == "switch":
        return tr._("yes") if value else tr._("no")
    if one.kind == "checks":
        return ", ".join(label for key, label in labels.items() if key in one.several) or "–"
    return labels.get(value, "–" if value is None else str(value))


def choose(
    package: Package, top: dict[str, object], form: Form, library: Library, held: Sequence[str] = ()
) -> dict[str, object]:
    """Return the record's top keys with the form's values. Raises Invalid for a value that is not a choice."""
    kind = package.choice
    try:
        own = package.page.choose(top, form)
        new = {**top, "options": _chosen(package, form)} if own is None else own
        return new if kind is None else deck_choice.choose(kind, new, form, library, held, top)
    except (LookupError, ValueError, TypeError):
        raise Invalid("This is not one of the choices.") from None


def _bare(shape: Any) -> tuple[Any, dict[str, Any]]:
    """Return the type without its annotation, and the bounds that the annotation names."""
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


def _generic(package: Package, top: dict[str, object], tr: Translator) -> list[OptionField]:
    labels = package.page.labels
    chosen = options.chosen(top)
    drawn = []
    for field in msgspec.structs.fields(package.rules.Options):
        shape, bounds = _bare(field.type)
        name = field.encode_name
        value = chosen.get(name, None if field.default is msgspec.NODEFAULT else field.default)
        label = tr._(labels.get(name, name.replace("_", " ").capitalize()))
        one: dict[str, Any] = {"name": name, "label": label, "help": _help(labels, name, tr), "value": value}
        if shape is bool:
            drawn.append(OptionField(**one, kind="switch"))
        elif shape is int:
            drawn.append(OptionField(**one, kind="number", least=bounds.get("least"), most=bounds.get("most")))
        elif values := _literal(shape):
            choices = [(str(v), tr._(labels.get(f"{name}:{v}", str(v).capitalize()))) for v in values]
            drawn.append(replace(OptionField(**one, kind="select", choices=choices), value=str(value)))
    for name, choices in _content(package, tr.lang).items():
        label, value = tr._(labels.get(name, name)), chosen.get(name, choices[0][0])
        words = _help(labels, name, tr)
        drawn.append(OptionField(kind="select", name=name, label=label, help=words, choices=choices, value=value))
    return drawn


def _literal(shape: Any) -> tuple[Any, ...]:
    """Return the values of a Literal; empty for other types."""
    return get_args(shape) if get_origin(shape) is Literal else ()


def _help(labels: Mapping[str, str], name: str, tr: Translator) -> str:
    words = labels.get(f"{name}?", "")
    return tr._(words) if words else ""


def _content(package: Package, lang: str) -> dict[str, Sequence[tuple[str, str]]]:
    """Return options that choose content and belong to no rule: the page's `content`, the default first."""
    return {name: said(lang) for name, said in package.page.content.items()}


def _chosen(package: Package, form: Form) -> dict[str, object]:
    """Return the options in the form that differ from the default."""
    raw: dict[str, object] = {}
    for field in msgspec.structs.fields(package.rules.Options):
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
        elif values := _literal(shape):
            value = next((v for v in values if given and str(v) == given[-1]), field.default)
        else:
            continue
        if value != field.default:
            raw[name] = value
    for name, choices in _content(package, DEFAULT).items():
        values = [value for value, _ in choices]
        given = form.get(name, values[:1])[-1]
        if given in values[1:]:
            raw[name] = given
    return raw
