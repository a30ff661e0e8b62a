"""Compiled helpers of vector environments for each step."""

import numpy as np

from spieltisch.compiled import below, borrowing, compiled

PART = 64


@compiled
def choose(mask, which, rng):
    """Return a random open action of each of these games; 0 if none is open.

    `mask`: int8[games, actions]; `which`: int64[n]; `rng`: int64[games, 1], written. Returns int64[n].
    """
    found = np.zeros(len(which), np.int64)
    _choose(mask, which, rng, found, np.zeros(mask.shape[1] // PART + 1, np.int8))
    return found


@borrowing
def _choose(mask, which, rng, found, counts):
    for n in range(len(which)):
        row = mask[which[n]]
        open_ = 0
        for part in range(len(counts)):
            here = np.int8(0)
            for one in row[part * PART : (part + 1) * PART]:  # narrow, so that all are done at once
                here = np.int8(here + one)
            counts[part] = here
            open_ += here
        if not open_:
            continue
        left, part = below(rng[which[n]], open_), 0
        while left >= counts[part]:
            left -= counts[part]
            part += 1
        at = part * PART
        while left >= row[at]:
            left -= row[at]
            at += 1
        found[n] = at


@compiled
def are_open(mask, which, numbers):
    """Return whether these actions are open in these games.

    `mask`: int8[games, actions]; `which`, `numbers`: int64[n]. Returns bool[n].
    """
    found = np.zeros(len(which), np.bool_)
    for n in range(len(which)):
        number = numbers[n]
        found[n] = 0 <= number < mask.shape[1] and mask[which[n], number] == 1
    return found


@borrowing
def draw_seats(rng, which, seats, into):
    """Draw a seat for each of these games.

    `rng`: int64[games, 1], written; `which`: int64[n]; `seats`: int64; `into`: int8[games], written.
    """
    for i in which:
        into[i] = below(rng[i], seats)
