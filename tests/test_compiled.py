"""What kernels are made of: bits chosen evenly, on processors with the quick instruction for it and on others."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from spieltisch.compiled import compiled, nth, random_bit

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@compiled
def nth_of(bits, n):
    """`bits`, `n`: int64. Returns int64."""
    return nth(bits, n)


def test_the_nth_bit_is_the_nth_bit():
    dice = random.Random(1)
    for _ in range(300):
        bits = dice.getrandbits(33) | 1 << dice.randrange(33)
        assert [nth_of(bits, n) for n in range(bits.bit_count())] == [bit for bit in range(33) if bits >> bit & 1]


def test_it_is_so_on_a_processor_without_the_instruction_for_it(tmp_path):
    """All of these tests, compiled for any processor of this family."""
    if os.environ.get("NUMBA_CPU_NAME"):
        pytest.skip("this is that run")
    plain = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-n", "0", __file__], env=plain, check=True)


def test_each_bit_is_chosen_equally_often():
    bits, games, rng = 0b1_0110_0000_1000_0000_0000_0010_0001, 70_000, np.full(1, 2**40 + 1, np.int64)
    found = np.bincount([random_bit(rng, bits) for _ in range(games)], minlength=33)
    assert [bit for bit in range(33) if found[bit]] == [bit for bit in range(33) if bits >> bit & 1]
    expected = games / bits.bit_count()
    assert ((found[found > 0] - expected) ** 2 / expected).sum() < 25  # of five degrees of freedom
