"""How values become numbers: each type is compiled into one Python expression.

The fields of a record follow in the order of their declaration. A number is itself. A choice is its place among the
choices. None is 0, anything else follows a 1. A row follows its length, a record is its parts, and one of several kinds
of records follows the number of its kind. So fields can be read back from the numbers, except texts, which are left
out: a card is its number.

The expressions are compiled once. Views are drawn many thousand times a second, and a call for each part of each record
took most of that time.
"""

import zlib
from collections.abc import Callable
from functools import cache
from itertools import chain, count
from math import prod
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import Struct

Coder = Callable[[Any], list[int]]
"""Writes a value as numbers."""

FOLDED = 1 << 23
"""What is folded is a number from here on, below 2 ** 24: as a 32-bit float it keeps all its digits."""


def fold(what: bytes) -> int:
    """Return one number for the numbers that do not fit."""
    return FOLDED | (zlib.crc32(what) & (FOLDED - 1))


@cache
def coder(kind: Any) -> Coder | None:
    """Return a function that encodes values of this type as numbers; None for texts."""
    source = Source()
    parts = source.of(kind, "value")
    if not parts:
        return None
    return eval(f"lambda value: [{', '.join(map(inline, parts))}]", source.known)  # noqa: S307 - names of fields alone


class Choice(NamedTuple):
    """One of two continuations of the numbers. The test may name the value it examines."""

    test: str
    then: "Parts"
    other: "Parts"


Parts = list["str | Choice"]
"""Expressions for the numbers of a value: one for each number, several behind a star, or ways to go on."""


def inline(part: "str | Choice") -> str:
    """Return a part as it is written inside a list."""
    return part if isinstance(part, str) else f"*{_tuple([part])}"


def _tuple(parts: Parts) -> str:
    """Return the expression of a tuple of these numbers."""
    match parts:
        case [Choice(test, then, other)]:
            return f"({_tuple(then)} if {test} else {_tuple(other)})"
    return f"({''.join(f'{inline(part)}, ' for part in parts)})"


def ways(parts: Parts) -> int:
    """Return the number of shapes that the numbers can take."""
    return prod(ways(part.then) + ways(part.other) for part in parts if isinstance(part, Choice))


def starred(parts: Parts) -> bool:
    """Return whether the count of numbers can differ from the count of parts."""
    return any(not isinstance(part, str) or part.startswith("*") for part in parts)


class Source:
    """Generates expressions for the numbers of values."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {
            "chain": chain.from_iterable,
            "folded": lambda value: fold(repr(value).encode()),
        }
        self._count = count()
        self.lasting = True  # whether values of all types so far can be looked up, for nothing in them ever changes

    def name(self, known: Any = None) -> str:
        """Return a unique name for this value."""
        name = f"_{next(self._count)}"
        if known is not None:
            self.known[name] = known
        return name

    def of(self, kind: Any, value: str) -> Parts:
        """Return the numbers of a value of this type, given by an expression without effects; none for texts."""
        origin = get_origin(kind)
        if origin is Annotated:
            return self.of(get_args(kind)[0], value)
        if origin is Literal:
            return [f"{self.name({choice: n for n, choice in enumerate(get_args(kind))})}[{value}]"]
        if origin in (Union, UnionType):
            return [self._one_of(get_args(kind), value)]
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

    def _row(self, kinds: tuple[Any, ...], value: str) -> Parts:
        if len(kinds) != 2 or kinds[1] is not Ellipsis:
            return [part for n, kind in enumerate(kinds) for part in self.of(kind, f"{value}[{n}]")]
        each, length = self.name(), f"len({value})"
        parts = self.of(kinds[0], each)
        match parts:
            case []:
                return [length]
            case [str(part)] if not part.startswith("*"):
                path = part.removeprefix(f"{each}.")
                if part == each:
                    return [length, f"*{value}"]
                if path.replace(".", "").isidentifier():
                    return [length, f"*map({self.name(attrgetter(path))}, {value})"]
                return [length, f"*[{part} for {each} in {value}]"]
        if parts == [f"{each}[{n}]" for n in range(len(parts))]:
            return [length, f"*chain({value})"]
        # Short rows are written out: of news there mostly is one, of what each seat has there are two in most games.
        few = 1 if any(isinstance(part, Choice) for part in parts) else 2
        found: Parts = [length, f"*chain([{_tuple(parts)} for {each} in {value}])"]
        for n in range(1, few + 1):
            some = [part for i in range(n) for part in self.of(kinds[0], f"{value}[{i}]")]
            found = [Choice(f"{length} == {n}", [str(n), *some], found)]
        return found

    def _one_of(self, kinds: tuple[Any, ...], value: str) -> Choice:
        """Return the numbers of one of several types. None is 0, another value follows the number of its type."""
        one, type_ = self.name(), self.name()
        first, *others = [
            (kind, [str(number), *self.of(kind, one)])
            for number, kind in enumerate((kind for kind in kinds if kind is not NoneType), start=1)
        ]
        known = one if NoneType in kinds else f"({one} := {value})"
        found: Parts = first[1]  # whatever it is, if none of the others
        for kind, numbers in reversed(others):
            seen = f"({type_} := type({known}))" if kind is others[0][0] else type_
            found = [Choice(f"{seen} is {self.name(get_origin(kind) or kind)}", numbers, found)]
        if NoneType in kinds:
            return Choice(f"({one} := {value}) is None", ["0"], found)
        assert isinstance(found[0], Choice)  # a union has two types at least
        return found[0]
