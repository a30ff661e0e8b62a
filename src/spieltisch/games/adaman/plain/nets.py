"""The learnt nets of `engine.value` and `engine.judge` in plain Python, a vector a number.

Element i of a vector stands in the bits from WIDTH · i on, in units of 1 / SCALE; a negative one borrows from the next,
so sums and differences are right without a word about signs. With `high`, half of what a field holds, added to every
element, each field stands for itself, and its top bit tells the sign: `rectified` makes what is negative 0. Then the
elements are summed by one remainder: WIDTH bits are a digit to the base 2^WIDTH, and what a number leaves when divided
by the base less one is the sum of its digits.

A unit's weight w times max(0, x) is ± max(0, |w| x): so weights are multiplied in beforehand, units with positive
weights stand before those with negative ones, and a logit is the sum of these less the sum of those.
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

KEPT = 20_000  # sets of cards at a place whose vectors are remembered
CAPITAL, HELD, PILE, PAYABLE = range(4)  # where a card lies, and that it can be paid for


def read(file: Path) -> dict[str, list[Any]]:
    """The arrays of an .npz file of halves, as nested lists."""
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
    """Vectors of so many elements as numbers."""

    def __init__(self, count: int, width: int, scale: int) -> None:
        self.width, self.scale = width, scale
        self.high = sum(1 << width * i + width - 1 for i in range(count))

    def pack(self, elements: Sequence[float]) -> int:
        return sum(round(one * self.scale) << self.width * i for i, one in enumerate(elements))

    def rectified(self, vector: int) -> int:
        """What is not negative of a vector to which `high` has been added, without that."""
        signs = vector & self.high
        return vector & (signs - (signs >> self.width - 1))


class Laid(dict[int, int]):
    """Sets of cards at a place -> the sum of their vectors."""

    def __init__(self, rows: Sequence[int]) -> None:
        self._rows = rows

    def __missing__(self, cards: int) -> int:
        rows = self._rows
        found = self[cards] = sum([rows[card] for card in numbers(cards)])
        return found


class Net:
    """Places of cards -> the vector of the units, `first` for an empty table, each with `high` added."""

    def __init__(self, vectors: Vectors, rows: Sequence[Sequence[Sequence[float]]], first: Sequence[float]) -> None:
        self.vectors = vectors
        self._first = vectors.pack(first) + vectors.high
        self._places = [Laid([vectors.pack(card) for card in place]) for place in rows]
        self._capital, self._held, self._pile = self._places[:PAYABLE]

    def begin(self, capital: int, held: int, rest: int) -> None:
        """Cards lie like this; what is asked from now on is worked out by what differs."""
        for laid in self._places:
            if len(laid) > KEPT:
                laid.clear()
        self._cards = capital, held, rest
        self._units = self._first + self._capital[capital] + self._held[held] + self._pile[rest]

    def units(self, capital: int, held: int, rest: int) -> int:
        """The vector of cards that lie like this, the pile without some at most."""
        before, held_before, all_ = self._cards
        return self.changed(self._units, before, held_before, capital, held) - self._pile[all_ & ~rest]

    def changed(self, units: int, capital: int, held: int, one: int, other: int) -> int:
        """The vector where `one` lies in the capital now, and `other` is held."""
        return (
            units
            + self._capital[one & ~capital]
            - self._capital[capital & ~one]
            + self._held[other & ~held]
            - self._held[held & ~other]
        )


def _ordered(out: Sequence[float]) -> tuple[Callable[[Sequence[float]], list[float]], int]:
    """What puts units in their order, multiplied by their weights; and how many of these are positive."""
    order = sorted(range(len(out)), key=lambda i: out[i] <= 0)
    return lambda row: [row[i] * abs(out[i]) for i in order], sum(one > 0 for one in out)


class Value(Net):
    """The quick one, a layer of units (`engine.value`)."""

    WIDTH, SCALE = 30, 1 << 18  # the digit of Python's numbers, by which it divides quickest

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
        """Of positions, in units of 1 / SCALE."""
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
    """The careful one, two layers (`engine.judge`). What the first says to the end directly goes by two units more of
    the second, of which one is 0.
    """

    WIDTH, SCALE = 32, 1 << 10  # whole bytes, so that the units can be read one by one
    INNER, FINE = 30, 1 << 20  # of the second layer, whose vectors are in units of 1 / SCALE²

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
        """What the net makes of its first layer, but for the cards that can be paid for."""
        first = self.vectors.rectified(units + self._payable[payable])
        each = self._each.unpack(first.to_bytes(self._each.size, "little"))
        second = sum(map(mul, compress(each, each), compress(self._columns, each)), self._bias)
        found = self._inner.rectified(second)
        return ((found & self._positive) % self._base - (found >> self._cut) % self._base) / self.FINE
