"""Views as arrays of a fixed size, made by the types of their fields; words are left out.

A field is written as numbers, in the order of its declaration: a number as itself, a choice as its place among those
that there are, None as 0 and anything else behind a 1, a row behind its length, a record as its parts, one of several
kinds of records behind the number of its kind. So a field can be read back from its numbers but for words, which
nobody can learn from who cannot read: a card is its number.
"""

import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
import numpy as np
from msgspec import Struct

Code = Iterable[int]


class Coder(NamedTuple):
    """How values of a type are written: `write` makes the number, where it is always one (`single`), or the numbers."""

    write: Callable[[Any], Any]
    single: bool = False

    def __call__(self, value: Any) -> Code:
        return (self.write(value),) if self.single else self.write(value)


FOLDED = 1 << 23
"""What is folded is a number from here on, below 2 ** 24: as a 32-bit float it keeps all its digits."""
KEPT = 256  # rows of which the numbers are kept, by their identity


@cache
def coder(kind: Any) -> Coder | None:
    """How values of this type are written as numbers; None for words, which are not."""
    origin = get_origin(kind)
    if origin is Annotated:
        return coder(get_args(kind)[0])
    if origin is Literal:
        numbers = {choice: number for number, choice in enumerate(get_args(kind))}
        return Coder(numbers.__getitem__, single=True)
    if origin in (Union, UnionType):
        return _one_of(get_args(kind))
    if origin is tuple:
        return _row(get_args(kind))
    if kind is str or kind is NoneType:
        return None
    if kind is int or kind is bool:
        return Coder(int, single=True)
    if kind is bytes:
        return Coder(lambda value: (len(value), *value))
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _record(kind)
    return Coder(lambda value: fold(repr(value).encode()), single=True)


def _record(kind: type[Struct]) -> Coder | None:
    parts = [(field, code) for field in msgspec.structs.fields(kind) if (code := coder(field.type))]
    if not parts:
        return None
    if len(parts) == 1:
        field, (write, single) = parts[0]
        get = attrgetter(field.name)
        if field.type is int:
            return Coder(get, single=True)
        return Coder(lambda value: write(get(value)), single)
    get = attrgetter(*[field.name for field, _ in parts])
    if all(field.type in (int, bool) for field, _ in parts):
        return Coder(get)
    codes = [code for _, code in parts]

    def record(value: Any) -> Code:
        found: list[int] = []
        for (write, single), part in zip(codes, get(value), strict=True):
            if single:
                found.append(write(part))
            else:
                found += write(part)
        return found

    return Coder(_kept(record))


def _row(kinds: tuple[Any, ...]) -> Coder:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        if kinds[0] in (int, bool):
            return Coder(lambda value: (len(value), *value))
        code = coder(kinds[0])
        if code is None:
            return Coder(len, single=True)
        write = code.write
        if code.single:
            return Coder(_kept(lambda value: (len(value), *map(write, value))))
        each = _kept(write)  # a card laid stays the same record while the row around it changes
        return Coder(_kept(lambda value: [len(value), *chain.from_iterable(map(each, value))]))
    if all(kind in (int, bool) for kind in kinds):
        return Coder(lambda value: value)
    codes = [coder(kind) for kind in kinds]

    def fixed(value: Any) -> Code:
        return list(chain.from_iterable(code(part) for code, part in zip(codes, value, strict=True) if code))

    return Coder(fixed)


def _kept(write: Callable[[Any], Code]) -> Callable[[Any], Code]:
    """The same, kept for as long as few rows are: much of a state is what it was in the state before."""
    known: dict[int, tuple[Any, Code]] = {}

    def kept(value: Any) -> Code:
        found = known.get(id(value))
        if found is not None:
            return found[1]
        if len(known) > KEPT:
            known.clear()
        numbers = write(value)
        known[id(value)] = value, numbers  # with the value, so that no other takes its identity
        return numbers

    return kept


def _one_of(kinds: tuple[Any, ...]) -> Coder:
    """One of several types. None is 0, another value stands behind the number of its type."""
    others = [kind for kind in kinds if kind is not NoneType]
    by_type = {get_origin(kind) or kind: (number, coder(kind)) for number, kind in enumerate(others, start=1)}
    any_ = next(iter(by_type.values()))

    def one(value: Any) -> Code:
        if value is None:
            return (0,)
        number, code = by_type.get(type(value), any_)
        return (number,) if code is None else (number, *code(value))

    return Coder(one)


def fold(what: bytes) -> int:
    """A number for what finds no room."""
    return FOLDED | (zlib.crc32(what) & (FOLDED - 1))


class Field(NamedTuple):
    """Where a field stands in the array: `size` numbers from `start` on; `nothing` is as many zeros."""

    name: str
    start: int
    size: int
    nothing: "array[int]"


def _field(name: str, start: int, size: int) -> Field:
    return Field(name, start, size, array("i", bytes(4 * size)))


class Layout:
    """Where everything stands in an observation: who looks, then the public fields, the own ones, the signals.

    A field has room for more than was ever seen of it in the games by which the room was measured. What is longer is
    cut, and its last number stands for all that was cut away.
    """

    def __init__(self, public: Mapping[str, tuple[Any, int]], own: Mapping[str, tuple[Any, int]], signals: int) -> None:
        """For every field its type and how many numbers it has room for; how many signals a seat gets."""
        at, self.fields = 1, [_field("seat", 0, 1)]
        self.public: list[tuple[str, Coder, Field]] = []
        self.own: list[tuple[str, Coder, Field]] = []
        for part, given, into in (("public", public, self.public), ("own", own, self.own)):
            for name, (kind, size) in given.items():
                code = coder(kind)
                assert code is not None
                field = _field(f"{part}.{name}", at, size)
                self.fields.append(field)
                into.append((name, code, field))
                at += size
        self.first_own = self.own[0][2].start if self.own else at
        self.signals = _field("signals", at, 2 * signals)
        if signals:
            self.fields.append(self.signals)
        self.size = at + 2 * signals

    def picture(self) -> "Picture":
        """What draws the views of one game."""
        return Picture(self)


class Picture:
    """Draws views of one game. What has not changed since the last one is not drawn anew."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._drawn = array("i", bytes(4 * layout.size))
        self._array = np.frombuffer(self._drawn, np.int32)
        self._seen: list[Any] = [_NOTHING] * len(layout.public)

    def draw(self, view: Any, signals: tuple[int | None, ...] = ()) -> np.ndarray:
        """A new array of 32-bit integers."""
        layout, drawn, seen, public = self._layout, self._drawn, self._seen, view.public
        for number, (name, code, field) in enumerate(layout.public):
            value = getattr(public, name)
            if seen[number] is not value:
                seen[number] = value
                _write(drawn, field, code, value)
        if view.own is None:
            for _, _, (_, start, size, nothing) in layout.own:
                drawn[start : start + size] = nothing
        else:
            for name, code, field in layout.own:
                _write(drawn, field, code, getattr(view.own, name))
        drawn[0] = 0 if view.seat is None else 1 + view.seat
        if layout.signals.size:
            pairs = chain.from_iterable((0, 0) if told is None else (1, told) for told in signals)
            drawn[layout.signals.start :] = array("i", pairs) or layout.signals.nothing
        return self._array.copy()


_NOTHING: Any = object()


def _write(into: "array[int]", field: Field, code: Coder, value: Any) -> None:
    if code.single:
        into[field.start] = code.write(value)
        return
    found = array("i", code.write(value))
    _, start, size, nothing = field
    n = len(found)
    if n > size:
        found[size - 1 :] = array("i", [fold(found[size - 1 :].tobytes())])
        n = size
    into[start : start + size] = nothing
    into[start : start + n] = found


def codes(part: Struct) -> Iterator[tuple[str, Any, list[int]]]:
    """The fields of a part of a view: name, type, numbers; without those that have none."""
    for field in msgspec.structs.fields(type(part)):
        code = coder(field.type)
        if code is not None:
            yield field.name, field.type, list(code(getattr(part, field.name)))
