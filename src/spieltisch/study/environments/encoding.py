"""Views as arrays of a fixed size, made by the types of their fields; words are left out.

A field is written as numbers, in the order of its declaration: a number as itself, a choice as its place among those
that there are, None as 0 and anything else behind a 1, a row behind its length, a record as its parts, one of several
kinds of records behind the number of its kind. So a field can be read back from its numbers but for words, which
nobody can learn from who cannot read: a card is its number.

Every type becomes one expression of Python, which is compiled once: views are drawn many thousand times a second, and a
call for each part of each record was most of what that cost.
"""

import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain, count
from operator import attrgetter
from struct import Struct as Packing
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
import numpy as np
from msgspec import Struct

from spieltisch.study.environments.knowledge import Signals

Coder = Callable[[Any], list[int]]
"""Writes a value as numbers."""

FOLDED = 1 << 23
"""What is folded is a number from here on, below 2 ** 24: as a 32-bit float it keeps all its digits."""

SMALL = 8  # numbers of a field at most of which it is kept how its values are drawn: larger ones seldom come again
KEPT = 4096  # values of each at most


@cache
def coder(kind: Any) -> Coder | None:
    """How values of this type are written as numbers; None for words, which are not."""
    source = _Source()
    parts = source.of(kind, "value")
    if not parts:
        return None
    return eval(f"lambda value: [{', '.join(parts)}]", source.known)  # noqa: S307 - made of the names of fields alone


class _Source:
    """Expressions for the numbers of a value: the parts of a list, some of them behind a star."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {"chain": chain.from_iterable, "folded": lambda value: fold(repr(value).encode())}
        self._count = count()
        self.lasting = True  # whether values of all types so far can be looked up, for nothing in them ever changes

    def name(self, known: Any = None) -> str:
        """A name that nothing else has, for this."""
        name = f"_{next(self._count)}"
        if known is not None:
            self.known[name] = known
        return name

    def of(self, kind: Any, value: str) -> list[str]:
        """The numbers of the value of this type that an expression without effects stands for; none for words."""
        origin = get_origin(kind)
        if origin is Annotated:
            return self.of(get_args(kind)[0], value)
        if origin is Literal:
            return [f"{self.name({choice: n for n, choice in enumerate(get_args(kind))})}[{value}]"]
        if origin in (Union, UnionType):
            return self._one_of(get_args(kind), value)
        if origin is tuple:
            return self._row(get_args(kind), value)
        if kind is str or kind is NoneType:
            return []
        if kind is int:
            return [value]
        if kind is bool:
            return [f"+{value}"]
        if kind is bytes:
            return [f"len({value})", f"*{value}"]
        if isinstance(kind, type) and issubclass(kind, Struct):
            fields = msgspec.structs.fields(kind)
            self.lasting &= bool(kind.__struct_config__.frozen)
            return [part for field in fields for part in self.of(field.type, f"{value}.{field.name}")]
        self.lasting = False
        return [f"folded({value})"]

    def _row(self, kinds: tuple[Any, ...], value: str) -> list[str]:
        if len(kinds) != 2 or kinds[1] is not Ellipsis:
            return [part for n, kind in enumerate(kinds) for part in self.of(kind, f"{value}[{n}]")]
        each = self.name()
        parts = self.of(kinds[0], each)
        if not parts:
            return [f"len({value})"]
        if parts == [each]:
            return [f"len({value})", f"*{value}"]
        path = parts[0].removeprefix(f"{each}.")
        if len(parts) == 1 and path.replace(".", "").isidentifier():
            return [f"len({value})", f"*map({self.name(attrgetter(path))}, {value})"]
        if len(parts) == 1 and not parts[0].startswith("*"):
            return [f"len({value})", f"*[{parts[0]} for {each} in {value}]"]
        if parts == [f"{each}[{n}]" for n in range(len(parts))]:
            return [f"len({value})", f"*chain({value})"]
        if len(parts) > 1:
            return [f"len({value})", f"*chain([({', '.join(parts)}) for {each} in {value}])"]
        many = f"chain([{parts[0].removeprefix('*')} for {each} in {value}])"
        one = self.of(kinds[0], f"{value}[0]")[0].removeprefix("*")  # as there mostly is, of news
        return [f"len({value})", f"*({one} if len({value}) == 1 else {many})"]

    def _one_of(self, kinds: tuple[Any, ...], value: str) -> list[str]:
        """One of several types. None is 0, another value stands behind the number of its type."""
        one, type_ = self.name(), self.name()
        first, *others = [
            (kind, f"({', '.join([str(number), *self.of(kind, one)])},)")
            for number, kind in enumerate((kind for kind in kinds if kind is not NoneType), start=1)
        ]
        found = first[1]  # whatever it is, if none of the others
        for kind, numbers in reversed(others):
            test = f"({type_} := type({one}))" if kind is others[0][0] else type_
            found = f"{numbers} if {test} is {self.name(get_origin(kind) or kind)} else {found}"
        if NoneType not in kinds:
            return [f"*({found.replace(f'type({one})', f'type({one} := {value})', 1)})"]
        return [f"*((0,) if ({one} := {value}) is None else {found})"]


def fold(what: bytes) -> int:
    """A number for what finds no room."""
    return FOLDED | (zlib.crc32(what) & (FOLDED - 1))


class Field(dict[int, Callable[..., None]]):
    """Where a field stands in the array: `size` numbers from `start` on. `field[n + 2](into, at, *numbers)` writes n
    numbers from the byte `at` on, and zeros behind them. What finds no room is folded into the last one.
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


class _Kept(dict[Any, bytearray]):
    """How the values of a small field are drawn: there are few of them, and they come again."""

    def __init__(self, field: Field, code: Coder) -> None:
        super().__init__()
        self._field, self._code = field, code

    def __missing__(self, value: Any) -> bytearray:
        if len(self) >= KEPT:
            self.clear()
        piece, numbers = bytearray(4 * self._field.size), self._code(value)
        self._field[len(numbers) + 2](piece, 0, *numbers)
        self[value] = piece
        return piece


class Layout:
    """Where everything stands in an observation: who looks, then the public fields, the own ones, the signals.

    A field has room for more than was ever seen of it in the games by which the room was measured. What is longer is
    cut, and its last number stands for all that was cut away.
    """

    def __init__(self, public: Mapping[str, tuple[Any, int]], own: Mapping[str, tuple[Any, int]], signals: int) -> None:
        """For every field its type and how many numbers it has room for; how many signals a seat gets."""
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
        """Write what a seat was told behind its own fields, where there is room for it."""
        if self.signals.size:
            told = [number for one in signals for number in ((0, 0) if one is None else (1, one))]
            self.signals[len(told) + 2](into, 4 * (self.signals.start - self.first_own), *told)

    def picture(self) -> "Picture":
        """What draws the views of one game."""
        return Picture(self)


Drawing = Callable[[Any, list[Any], bytearray], None]


def _drawing(fields: list[tuple[str, Any, Field]], first: int) -> Drawing:
    """What draws these fields of a part of a view into an array that begins with the number `first`: those whose
    values are others than in the list of those that were `seen` the last time, which it brings up to date.
    """
    source, lines = _Source(), ["def draw(part, seen, into):", "    pass"]
    for number, (name, kind, field) in enumerate(fields):
        source.lasting = True
        parts, at = source.of(kind, "value"), 4 * (field.start - first)
        given = f"(into, {at}, {', '.join(parts)})"
        lines += [
            f"    value = part.{name}",
            f"    if value is not seen[{number}]:",
            f"        seen[{number}] = value",
        ]
        if source.lasting and 1 < field.size <= SMALL and (code := coder(kind)) is not None:
            place, pieces = slice(at, at + 4 * field.size), _Kept(field, code)
            lines += [f"        into[{source.name(place)}] = {source.name(pieces)}[value]"]
        elif any(part.startswith("*") for part in parts):
            lines += [f"        given = {given}", f"        {source.name(field)}[len(given)](*given)"]
        else:  # as many numbers as ever
            lines += [f"        {source.name(field[len(parts) + 2])}{given}"]
    exec("\n".join(lines), source.known)  # noqa: S102 - made of the names of fields alone
    return source.known["draw"]


class Picture:
    """Draws views of one game. What has not changed since the last one is not drawn anew."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._drawn = bytearray(4 * layout.size)
        self._array = np.frombuffer(self._drawn, np.int32)
        self._seen = [_NOTHING] * len(layout.public)
        self._draw_public, self._draw_own = layout.draw_public, layout.draw_own
        self._place = slice(4 * layout.first_own, None)
        self._own: dict[int | None, tuple[list[Any], bytearray]] = {}  # for each seat what it saw last, and that drawn

    def __deepcopy__(self, memo: object) -> "Picture":
        return Picture(self._layout)  # what is drawn next is drawn whole

    def draw(self, view: Any, signals: Signals = ()) -> np.ndarray:
        """A new array of 32-bit integers."""
        seat, own = view.seat, view.own
        self._draw_public(view.public, self._seen, self._drawn)
        kept = self._own.get(seat)
        if kept is None:
            layout = self._layout
            room = bytearray(4 * (layout.size - layout.first_own))
            kept = self._own[seat] = [_NOTHING] * (len(layout.own) + 2), room
        seen, drawn = kept
        if own is not seen[-1] and own is not None:
            seen[-1] = own
            self._draw_own(own, seen, drawn)
        if signals is not seen[-2] and own is not None:
            seen[-2] = signals
            self._layout.tell(signals, drawn)
        self._drawn[self._place] = drawn
        self._array[0] = 0 if seat is None else seat + 1
        return self._array.copy()


_NOTHING: Any = object()


def codes(part: Struct) -> Iterator[tuple[str, Any, list[int]]]:
    """The fields of a part of a view: name, type, numbers; without those that have none."""
    for field in msgspec.structs.fields(type(part)):
        code = coder(field.type)
        if code is not None:
            yield field.name, field.type, code(getattr(part, field.name))
