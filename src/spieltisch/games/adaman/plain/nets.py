"""The learnt nets of `engine.value` and `engine.judge` in plain Python. Each vector is one integer.

Element i of a vector occupies the bits from WIDTH · i on, in units of 1 / SCALE. A negative element borrows from the
next one, so sums and differences come out right without sign handling. Adding `high`, half the range of a field, to
every element makes the fields independent, and the top bit of each tells its sign: `rectified` sets the negative ones
to 0. One remainder then sums the elements: WIDTH bits are a digit to the base 2^WIDTH, and a number modulo the base
less one is the sum of its digits.

A unit's weight w times max(0, x) is ± max(0, |w| x). So weights are multiplied in beforehand, units with positive
weights come first, and a logit is the sum of those units less the sum of the others.
"""

import ast
import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from operator import mul
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from spieltisch.games.adaman.plain.kernel import numbers

KEPT = 20_000  # cached vectors of sets of cards
CAPITAL, HELD, PILE, PAYABLE = range(4)  # where a card lies; that it can be paid for


def read(file: Path) -> dict[str, list[Any]]:
    """The arrays of an .npz file of half-precision numbers, as nested lists."""
    with ZipFile(file) as kept:
        return {name.removesuffix(".npy"): _array(kept.read(name)) for name in kept.namelist()}


def _array(raw: bytes) -> list[Any]:
    """Format 1.0 of NumPy: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html"""
    (size,) = struct.unpack_from("<H", raw, 8)
    head = ast.literal_eval(raw[10 : 10 + size].decode("latin-1"))
    if (head["descr"], head["fortran_order"]) != ("<f2", False):
        raise ValueError("no halves in the order of C")
    found: list[Any] = [one for (one,) in struct.iter_unpack("<e", raw[10 + size :])]
    for length in reversed(head["shape"][1:]):
        found = [found[first : first + length] for first in range(0, len(found), length)]
    return found


class Vectors:
    """Vectors of a given size as integers."""

    def __init__(self, count: int, width: int, scale: int) -> None:
        self.width, self.scale = width, scale
        self.high = sum(1 << width * i + width - 1 for i in range(count))

    def pack(self, elements: Sequence[float]) -> int:
        return sum(round(one * self.scale) << self.width * i for i, one in enumerate(elements))

    def rectified(self, vector: int) -> int:
        """The non-negative part of a vector to which `high` has been added, without `high`."""
        signs = vector & self.high
        return vector & (signs - (signs >> self.width - 1))


class Laid(dict[int, int]):
    """Cache: sets of cards at a place -> the sum of their vectors."""

    def __init__(self, rows: Sequence[int]) -> None:
        self._rows = rows

    def __missing__(self, cards: int) -> int:
        rows = self._rows
        found = self[cards] = sum([rows[card] for card in numbers(cards)])
        return found


class Net:
    """The first layer: where cards lie -> the vector of units, each with `high` added. `first` is that of an empty
    table.
    """

    def __init__(self, vectors: Vectors, rows: Sequence[Sequence[Sequence[float]]], first: Sequence[float]) -> None:
        self.vectors = vectors
        self._first = vectors.pack(first) + vectors.high
        self._places = [Laid([vectors.pack(card) for card in place]) for place in rows]
        self._capital, self._held, self._pile = self._places[:PAYABLE]

    def begin(self, capital: int, held: int, rest: int) -> None:
        """Set the position. Later questions are computed from the difference."""
        for laid in self._places:
            if len(laid) > KEPT:
                laid.clear()
        self._cards = capital, held, rest
        self._units = self._first + self._capital[capital] + self._held[held] + self._pile[rest]

    def units(self, capital: int, held: int, rest: int) -> int:
        """The vector of this position, with a few cards of the pile missing at most."""
        before, held_before, all_ = self._cards
        return self.changed(self._units, before, held_before, capital, held) - self._pile[all_ & ~rest]

    def changed(self, units: int, capital: int, held: int, one: int, other: int) -> int:
        """The vector with `one` in the capital and `other` held."""
        return (
            units
            + self._capital[one & ~capital]
            - self._capital[capital & ~one]
            + self._held[other & ~held]
            - self._held[held & ~other]
        )


def _ordered(out: Sequence[float]) -> tuple[Callable[[Sequence[float]], list[float]], int]:
    """Return a function that orders units and multiplies them by their weights, and the number of positive ones."""
    order = sorted(range(len(out)), key=lambda i: out[i] <= 0)
    return lambda row: [row[i] * abs(out[i]) for i in order], sum(one > 0 for one in out)


class Value(Net):
    """The fast net with one layer (`engine.value`)."""

    WIDTH, SCALE = 30, 1 << 18  # Python's digit size, which divides fastest

    def __init__(self, file: Path) -> None:
        parts = read(file)
        weighed, positive = _ordered(parts["out"])
        rows = [[weighed(card) for card in place] for place in parts["rows"]]
        super().__init__(Vectors(len(parts["out"]), self.WIDTH, self.SCALE), rows, weighed(parts["bias"]))
        self._end = round(parts["end"][0] * self.SCALE)
        self._cut = positive * self.WIDTH
        self._positive = (1 << self._cut) - 1
        self._base = (1 << self.WIDTH) - 1

    def logits(self, vectors: Iterable[int]) -> list[int]:
        """Logits of positions, in units of 1 / SCALE."""
        high, last, end, cut, positive, base = (
            self.vectors.high, self.WIDTH - 1, self._end, self._cut, self._positive, self._base,
        )  # fmt: skip
        found = []
        for vector in vectors:
            signs = vector & high
            units = vector & (signs - (signs >> last))
            found.append(end + (units & positive) % base - (units >> cut) % base)
        return found


class Judge(Net):
    """The precise net with two layers (`engine.judge`). The direct link from the first layer to the output goes through
    two more units of the second, one of which is 0.
    """

    WIDTH, SCALE = 32, 1 << 10  # whole bytes, so that units can be read one by one
    INNER, FINE = 30, 1 << 20  # second layer; its vectors are in units of 1 / SCALE²

    def __init__(self, file: Path) -> None:
        parts = read(file)
        super().__init__(Vectors(len(parts["out"]), self.WIDTH, self.SCALE), parts["rows"], parts["bias"])
        self._payable = self._places[PAYABLE]
        weighed, positive = _ordered([*parts["inner_out"], 1.0, -1.0])
        inner = Vectors(len(parts["inner_out"]) + 2, self.INNER, self.SCALE)
        self._columns = [
            inner.pack(weighed([*column, direct, -direct]))
            for column, direct in zip(zip(*parts["between"], strict=True), parts["out"], strict=True)
        ]  # fmt: skip
        bias = Vectors(len(parts["inner_out"]) + 2, self.INNER, self.FINE)
        end = parts["end"][0]
        self._bias = bias.pack(weighed([*parts["inner_bias"], end, -end])) + bias.high
        self._inner = bias
        self._cut = positive * self.INNER
        self._positive = (1 << self._cut) - 1
        self._base = (1 << self.INNER) - 1
        self._each = struct.Struct(f"<{len(parts['out'])}I")

    def logit(self, units: int, payable: int) -> float:
        """The logit of a first layer that lacks the cards that can be paid for."""
        first = self.vectors.rectified(units + self._payable[payable])
        each = self._each.unpack(first.to_bytes(self._each.size, "little"))
        second = sum(map(mul, compress(each, each), compress(self._columns, each)), self._bias)
        found = self._inner.rectified(second)
        return ((found & self._positive) % self._base - (found >> self._cut) % self._base) / self.FINE
