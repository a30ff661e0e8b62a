"""Matrices of tests: `make test` plays one of each kind, `make test-all` every one."""

import pytest


def sampled(every, usual):
    """The parameters of a matrix; those that are not among the usual ones are for `make test-all` only."""
    every, usual = list(every), list(usual)
    assert all(one in every for one in usual)

    def parameter(one):
        values = one if isinstance(one, tuple) else (one,)
        return pytest.param(*values, marks=() if one in usual else pytest.mark.whole)

    return [parameter(one) for one in every]
