"""Views as arrays of a fixed size.

`Sketch` draws them as the game defines (`package.Learning`), in numbers from 0 to 1. `Picture` draws them field by
field in integers, see `expressions`. Texts are left out.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping
from struct import Struct as Packing
from types import SimpleNamespace
from typing import Any

import msgspec
from msgspec import Struct

from spieltisch import extras
from spieltisch.game import GameView
from spieltisch.package import GameLearning
from spieltisch.study.environments.expressions import Choice, Coder, Parts, Source, coder, fold, inline, starred, ways
from spieltisch.study.environments.knowledge import Signals

with extras.needed("environments"):
    import numpy as np

SMALL = 8  # numbers of a field at most of which it is kept how its values are drawn: larger ones seldom come again
KEPT = 4096  # values of each at most
WAYS = 32  # in which numbers go on that are written out at most


class Field(dict[int, Callable[..., None]]):
    """A field's place in the array: `size` numbers from `start` on.

    `field[n + 2](into, at, *numbers)` writes n numbers from the byte `at` on, and zeros behind them. Numbers that do
    not fit are folded into the last one.
    """

    def __init__(self, name: str, start: int, size: int) -> None:
        super().__init__()
        self.name, self.start, self.size = name, start, size

    def __missing__(self, given: int) -> Callable[..., None]:
        n = given - 2
        write = self[given] = Packing(f"{n}i{4 * (self.size - n)}x").pack_into if n <= self.size else self._cut
        return write

    def _cut(self, into: bytearray, at: int, *numbers: int) -> None:
        rest = fold(array("i", numbers[self.size - 1 :]).tobytes())
        self[self.size + 2](into, at, *numbers[: self.size - 1], rest)


class _Kept(dict[object, bytearray]):
    """A cache of the encoded values of a small field, which has few values that recur."""

    def __init__(self, field: Field, code: Coder) -> None:
        super().__init__()
        self._field, self._code = field, code

    def __missing__(self, value: object) -> bytearray:
        if len(self) >= KEPT:
            self.clear()
        piece, numbers = bytearray(4 * self._field.size), self._code(value)
        self._field[len(numbers) + 2](piece, 0, *numbers)
        self[value] = piece
        return piece


class Layout:
    """The places in an observation: the viewer, the public fields, their own fields, the signals.

    A field has more room than it ever needed in the games that were measured. Longer values are cut, and the last
    number stands for the rest.
    """

    def __init__(self, public: Mapping[str, tuple[Any, int]], own: Mapping[str, tuple[Any, int]], signals: int) -> None:
        """Gets for each field its type and size, and the number of signals a seat gets."""
        at, self.fields = 1, [Field("seat", 0, 1)]
        self.public: list[tuple[str, Any, Field]] = []
        self.own: list[tuple[str, Any, Field]] = []
        for part, given, into in (("public", public, self.public), ("own", own, self.own)):
            for name, (kind, size) in given.items():
                field = Field(f"{part}.{name}", at, size)
                self.fields.append(field)
                into.append((name, kind, field))
                at += size
        self.first_own = self.own[0][2].start if self.own else at
        self.signals = Field("signals", at, 2 * signals)
        if signals:
            self.fields.append(self.signals)
        self.size = at + 2 * signals
        self.draw_public, self.draw_own = _drawing(self.public, 0), _drawing(self.own, self.first_own)

    def tell(self, signals: Signals, into: bytearray) -> None:
        """Write a seat's signals behind its own fields, if they have room."""
        if self.signals.size:
            told = [number for one in signals for number in ((0, 0) if one is None else (1, one))]
            self.signals[len(told) + 2](into, 4 * (self.signals.start - self.first_own), *told)

    def picture(self) -> "Picture":
        """Return an encoder for the views of one game."""
        return Picture(self)


Drawing = Callable[[object, object, bytearray], None]


def _drawing(fields: list[tuple[str, Any, Field]], first: int) -> Drawing:
    """Return a function that writes these fields of a view's part into an array, from the number `first` on. It writes
    only what differs from the `last` part.
    """
    source, lines = Source(), ["def draw(part, last, into):", "    pass"]
    for name, kind, field in fields:
        source.lasting = True
        parts, at = source.of(kind, "value"), 4 * (field.start - first)
        lines += [f"    if part.{name} is not last.{name}:", f"        value = part.{name}"]
        if source.lasting and 1 < field.size <= SMALL and (code := coder(kind)) is not None:
            place, pieces = slice(at, at + 4 * field.size), _Kept(field, code)
            lines += [f"        into[{source.name(place)}] = {source.name(pieces)}[value]"]
        else:
            lines += _writing(source, field, at, parts, " " * 8)
    exec("\n".join(lines), source.known)  # noqa: S102 - made of the names of fields alone
    return source.known["draw"]


def _writing(source: Source, field: Field, at: int, parts: Parts, indent: str) -> list[str]:
    """Return code that writes these numbers of a field from the byte `at` on.

    If the numbers take few shapes, each shape is written out. Most then have a fixed length, which `pack_into` takes
    without building a list.
    """
    for n, part in enumerate(parts):
        if isinstance(part, Choice) and ways(parts) <= WAYS:
            before, after = parts[:n], parts[n + 1 :]
            return [
                f"{indent}if {part.test}:",
                *_writing(source, field, at, [*before, *part.then, *after], f"{indent} "),
                f"{indent}else:",
                *_writing(source, field, at, [*before, *part.other, *after], f"{indent} "),
            ]
    given = f"(into, {at}, {', '.join(map(inline, parts))})"
    if starred(parts):
        return [f"{indent}given = {given}", f"{indent}{source.name(field)}[len(given)](*given)"]
    return [f"{indent}{source.name(field[len(parts) + 2])}{given}"]


class Sketch:
    """Encodes views as the game defines."""

    def __init__(self, learning: GameLearning) -> None:
        self._draw, self._nothing = learning.draw, bytes(4 * sum(block.size for block in learning.fields))

    def draw(self, view: GameView, signals: Signals = ()) -> np.ndarray:
        """Return a new array of numbers from 0 to 1."""
        drawn = array("f", self._nothing)
        self._draw(view, signals, drawn)
        return np.frombuffer(drawn, np.float32)


class Picture:
    """Encodes the views of one game. Only changes since the last view are written."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._drawn = bytearray(4 * layout.size)
        self._array = np.frombuffer(self._drawn, np.int32)
        self._copy = self._array.copy
        self._public = _nothing(layout.public)  # what was drawn last
        self._draw_public, self._draw_own = layout.draw_public, layout.draw_own
        self._place = slice(4 * layout.first_own, None)
        # of each seat that has looked its part and its signals the last time, and both as drawn
        self._own: dict[int | None, tuple[object, Signals | None, bytearray]] = {}

    def draw(self, view: GameView, signals: Signals = ()) -> np.ndarray:
        """Return a new array of 32-bit integers."""
        seat, public, own = view.seat, view.public, view.own
        self._draw_public(public, self._public, self._drawn)
        self._public = public
        kept = self._own.get(seat)
        if kept is None:
            layout = self._layout
            kept = _nothing(layout.own), None, bytearray(4 * (layout.size - layout.first_own))
        last, told, drawn = kept
        if (own is not last or signals is not told) and own is not None:
            self._draw_own(own, last, drawn)
            if signals is not told:
                self._layout.tell(signals, drawn)
            self._own[seat] = own, signals, drawn
        self._drawn[self._place] = drawn
        self._array[0] = 0 if seat is None else seat + 1
        return self._copy()


def _nothing(fields: list[tuple[str, Any, Field]]) -> Any:
    """Return a part whose fields differ from those of any other part."""
    return SimpleNamespace(**{name: object() for name, _, _ in fields})


def codes(part: Struct) -> Iterator[tuple[str, Any, list[int]]]:
    """Return name, type and numbers of the fields of a view's part, without fields that have no numbers."""
    for field in msgspec.structs.fields(type(part)):
        code = coder(field.type)
        if code is not None:
            yield field.name, field.type, code(getattr(part, field.name))
