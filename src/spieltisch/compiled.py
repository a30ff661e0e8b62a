"""Compiling kernels: `compiled` marks a function that numba compiles when it is first called.

What was compiled is kept in the user's cache, in a folder named for the state of all kernels' sources. Importing this
imports numba: what serves tables asks `makers`.
"""

import os
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from spieltisch import makers
from spieltisch.dice import Dice

if not os.environ.get("NUMBA_CACHE_DIR"):
    vars(numba.config)["CACHE_DIR"] = str(makers.folder())

compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy")
summing: Any = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=True)
"""For sums of floats, which may be added up in any order and so several at a time."""
borrowing: Any = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)
"""For functions that neither make nor return arrays. A row of an array is then not counted as another owner of it,
which takes longer than a move. Numba refuses such a function if it makes an array; one that it calls must not return
any.
"""
inlined: Any = numba.njit(cache=True, nogil=True, error_model="numpy", inline="always")
"""For the small functions of a loop that runs a hundred million times a second: each becomes a part of its caller, so
that a NamedTuple that one returns and the next one takes stays in registers.
"""


def _ones(context, bits):  # noqa: ARG001 - numba's own shape
    def code(context, builder, signature, arguments):  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), code


def _lowest(context, bits):  # noqa: ARG001
    def code(context, builder, signature, arguments):  # noqa: ARG001
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), code


def _moving(instruction, plain):
    """The processor's instruction of this name, or the same by a loop where it has none."""

    def code(context, builder, signature, arguments):
        word = arguments[0].type
        _, _, able_to = context.codegen().magic_tuple()  # of the processor that is compiled for
        if "+bmi2" not in able_to.split(","):
            return context.compile_internal(builder, plain, signature, arguments)
        name = f"llvm.x86.bmi.{instruction}.64"
        return builder.call(builder.module.declare_intrinsic(name, (), ir.FunctionType(word, [word, word])), arguments)

    return lambda context, bits, mask: (types.int64(types.int64, types.int64), code)  # noqa: ARG005


def _deposited(bits, mask):
    found = 0
    while bits and mask:
        found |= mask & -mask & -(bits & 1)
        mask &= mask - 1
        bits = bits >> 1 & 0x7FFFFFFFFFFFFFFF
    return found


def _extracted(bits, mask):
    found, place = 0, 1
    while mask:
        if bits & mask & -mask:
            found |= place
        mask &= mask - 1
        place <<= 1
    return found


ones: Any = intrinsic(_ones)  # how many bits are set
lowest: Any = intrinsic(_lowest)  # the number of the lowest bit set, of a number that is not 0
deposit: Any = intrinsic(_moving("pdep", _deposited))  # bit n goes to where the n-th bit of the mask is set
extract: Any = intrinsic(_moving("pext", _extracted))  # and back from there to bit n


def seeded(dice: Dice) -> np.ndarray:
    """A state for `below`, as the dice fall: int64[1]."""
    return np.full(1, 2 * dice.below(1 << 62) + 1)


@inlined
def below(rng, n):
    """A number from 0 to n - 1 by `rng[0]`, which moves on (xorshift; n is small, so that all come equally often
    but for one part in a billion).

    `rng`: int64[1], its state; `n`: int64. Returns int64.
    """
    x = rng[0]
    x ^= x << 13
    x ^= x >> 7 & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    rng[0] = x
    return (x >> 20 & 0xFFFFFFFF) * n >> 32


@inlined
def shuffle(cards, first, rng):
    """Shuffles what lies from the place `first` on, every order being equally likely.

    `cards`: an array, written; `first`: int64; `rng`: int64[1].
    """
    for i in range(len(cards) - 1, first, -1):
        j = first + below(rng, i + 1 - first)
        cards[i], cards[j] = cards[j], cards[i]


@inlined
def nth(bits, n):
    """The number of the n-th bit set, counted from 0, of a number with more bits than n.

    `bits`, `n`: int64. Returns int64.
    """
    return lowest(deposit(1 << n, bits))


@inlined
def random_bit(rng, bits):
    """One of the bits set, each equally often; its number.

    `rng`: int64[1]; `bits`: int64, not 0. Returns int64.
    """
    return nth(bits, below(rng, ones(bits)))
