"""Read a game's action from a form's fields or a program's JSON, and write it as JSON.

Input that cannot be read raises Invalid with a reason in words, and never anything else.
"""

import functools
import types
import typing
from typing import Any, get_args, get_origin

import msgspec
from msgspec import Struct

from spieltisch.game import Invalid, Rules
from spieltisch.package import Package
from spieltisch.web.core.http.forms import NOT_A_MOVE, Fields

MOST = 200  # fields of a form


def action_of_form(package: Package, fields: Fields) -> Struct:
    """Return the action: from JSON in the field `action`, by the page's `read_action`, or by `type` and the fields of
    its Struct. Raises Invalid if it is none.
    """
    rules = package.rules
    if len(fields) > MOST:
        raise Invalid(NOT_A_MOVE)
    found: dict[str, list[str]] = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    if whole := found.get("action"):
        try:
            return action_of_json(rules, msgspec.json.decode(whole[-1]))
        except (msgspec.DecodeError, RecursionError):
            raise Invalid(NOT_A_MOVE) from None
    if (raw := package.page.read_action(found)) is not None:
        return action_of_json(rules, raw)
    shape = _shapes(rules.Action).get(found.get("type", [""])[-1])
    if shape is None:
        raise Invalid(NOT_A_MOVE)
    raw = {}
    fields_of = _fields(shape)
    for field in fields_of:
        given = found.get(field.encode_name)
        if _many(field.type):
            raw[field.name] = given or []
        elif given and not (given[-1] == "" and not field.required):
            raw[field.name] = None if given[-1] == "" and _may_be_none(field.type) else given[-1]
    try:
        return msgspec.convert(raw, shape, strict=False)
    except (msgspec.ValidationError, RecursionError):
        missing = any(field.required and field.name not in raw for field in fields_of)
        raise Invalid("You have not chosen everything yet." if missing else NOT_A_MOVE) from None


def action_of_json(rules: Rules, raw: object) -> Struct:
    """Return the action that a program sent. Raises Invalid if it is none."""
    try:
        return msgspec.convert(raw, rules.Action)
    except (msgspec.ValidationError, RecursionError) as error:
        raise Invalid("this is not an action of the game: {reason}", reason=str(error)) from None


def encode(action: Struct) -> str:
    """Return an action as JSON."""
    return msgspec.json.encode(action).decode()


@functools.cache
def _fields(shape: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(shape)


@functools.cache
def _shapes(union: Any) -> dict[str, type[msgspec.Struct]]:
    members = get_args(union) if isinstance(union, types.UnionType) or get_origin(union) is typing.Union else (union,)
    return {str(shape.__struct_config__.tag or shape.__name__): shape for shape in members}


def _many(shape: object) -> bool:
    return (get_origin(shape) or shape) in {tuple, list, frozenset, set}


def _may_be_none(shape: object) -> bool:
    return type(None) in get_args(shape)
