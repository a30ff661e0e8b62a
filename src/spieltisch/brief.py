"""Reprs of a few lines at most: what is longer becomes "…"."""

import reprlib
from collections.abc import Sequence

from msgspec import Struct

MOST = 300  # characters
FIELD = 40  # characters of a field of a field
DEPTH = 3


class Brief(Struct, frozen=True):
    """A Struct whose repr has at most `MOST` characters, even if it holds a whole deck."""

    def __repr__(self) -> str:
        return brief(self)


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxtuple, self.maxlist, self.maxstring, self.maxother = DEPTH, 6, 6, 40, 40

    def repr_instance(self, x: object, level: int) -> str:
        if not isinstance(x, Struct) or (type(x).__repr__ is not Struct.__repr__ and not isinstance(x, Brief)):
            return super().repr_instance(x, level)
        name, fields = type(x).__name__, x.__struct_fields__
        if fields and level <= 0:
            return f"{name}(…)"
        shown = [self.repr1(getattr(x, field), level - 1) for field in fields]
        if level < DEPTH:
            shown = [part if len(part) <= FIELD else "…" for part in shown]
        most = MOST // (1 if level == DEPTH else 2)
        return joined(f"{name}(", [f"{field}={part}" for field, part in zip(fields, shown, strict=True)], ")", most)


_SHORT = _Short()


def brief(value: object) -> str:
    """A repr of at most `MOST` characters."""
    text = _SHORT.repr(value)
    return text if len(text) <= MOST else f"{text[: MOST - 1]}…"


def joined(begin: str, parts: Sequence[str], end: str, most: int = MOST) -> str:
    """As many of the parts, with commas between them, as there is room for."""
    text, room = begin, most - len(end) - 1
    for i, part in enumerate(parts):
        more = part if i == 0 else f", {part}"
        if len(text) + len(more) > room - 2 * (i < len(parts) - 1):
            return f"{text}{', ' * (i > 0)}…{end}"
        text += more
    return text + end
