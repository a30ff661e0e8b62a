"""Test matrices: `make test` runs one of each kind, `make test-all` all. Of random examples it tries fewer."""

import pytest

whole: bool = False  # `conftest` sets it where whole matrices are run, before tests are collected


def many(usual, every):
    """The number of random examples of a law: `every` in `make test-all`, else `usual`."""
    return every if whole else usual


def sampled(every, usual):
    """The parameters of a matrix; only `make test-all` runs those that are not `usual`."""
    every, usual = list(every), list(usual)
    assert all(one in every for one in usual)

    def parameter(one):
        values = one if isinstance(one, tuple) else (one,)
        return pytest.param(*values, marks=() if one in usual else pytest.mark.whole)

    return [parameter(one) for one in every]
