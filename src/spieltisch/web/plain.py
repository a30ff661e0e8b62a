"""A view in plain words, for games that bring no page of their own."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from spieltisch.game import View
from spieltisch.web import answers
from spieltisch.web.texts import Says

_HIDDEN = frozenset({"news"})


def fields(view: View[Any, Any], legal: Sequence[Any], says: Says) -> dict[str, Any]:
    """What `generic.html` shows: the fields of both rooms, the actions, and what a button says."""
    return {
        "legal": legal,
        "public_fields": pairs(view.public, says),
        "own_fields": pairs(view.own, says) if view.own is not None else [],
        "action_label": lambda action: label(action, says),
    }


def pairs(room: Struct, says: Says) -> list[tuple[str, str]]:
    """The fields of a room with their values, but for the news."""
    return [
        (says._(name.replace("_", " ").capitalize()), text(value))
        for name, value in msgspec.structs.asdict(room).items()
        if name not in _HIDDEN
    ]


def text(value: object) -> str:
    """A value as people would write it down."""
    if isinstance(value, tuple | list):
        return ", ".join(map(text, value)) or "–"
    if isinstance(value, Struct):
        return " ".join(text(part) for part in msgspec.structs.asdict(value).values())
    return "–" if value is None else str(value)


def label(action: Struct, says: Says) -> str:
    """An action in words: its name and what it says."""
    return f"{says._(answers.kind(action))} {text(action)}".strip()
