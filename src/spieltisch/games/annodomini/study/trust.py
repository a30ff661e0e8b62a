"""Fits `bot.TRUST`: `python -m spieltisch.games.annodomini.study.trust [GAMES [SEED]]`.

Two to six bots play, of one level or of levels drawn at random. Whenever one may doubt, the study notes what it knows
of the chain and of the table, and whether the chain is wrong. `TRUST` is a logistic regression on that. No choice
depends on it, so a fit does not change the next.
"""

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np

from spieltisch.dice import FastDice
from spieltisch.games.annodomini.beliefs import LEVELS, PASTS
from spieltisch.games.annodomini.bot import right_pasts
from spieltisch.games.annodomini.study.questions.chances import chances_to_doubt

GAMES, SEED = 200, 38  # of each size and mixture; the published answers use other seeds
SIZES = (2, 3, 4, 6)
SPARES = [n / 4 for n in range(1, 61)]
STEPS = 25  # Newton's method; it stands still long before


def tables(seed: int, number: int, seats: int) -> Iterator[tuple[str, ...]]:
    """A table of each level, and twice as many with levels drawn at random."""
    dice = FastDice(f"{seed}/{number}/{seats}/levels")
    for level in LEVELS:
        yield (level,) * seats
        for _ in range(2):
            yield tuple(dice.choice([*LEVELS]) for _ in range(seats))


def seen(games: int, seed: int) -> Iterator[tuple[int, ...]]:
    """For each possible doubt: the bot's level, the pasts in which the chain is right, the number of other players by
    level (the last one counts twice), and whether the chain is wrong.
    """
    at = {level: n for n, level in enumerate(LEVELS)}
    for number, seats in product(range(games), SIZES):
        for table in tables(seed, number, seats):
            for view, beliefs, wrong in chances_to_doubt(table, seed, number):
                others, last = [0] * len(LEVELS), view.public.last
                assert last is not None
                for seat in (*(one for one in range(seats) if one != view.seat), last):
                    others[at[beliefs.level_of(seat)]] += 1
                right = right_pasts([one.card.number for one in view.public.chain], beliefs)
                yield at[beliefs.level], right, *others, wrong


def fitted(known: np.ndarray) -> tuple[dict[str, tuple[float, float]], float, float]:
    """The numbers of a `Trust`, in its order."""
    best = min((_fitted(known, spare) for spare in SPARES), key=lambda found: found[0])
    return best[1]


def _fitted(known: np.ndarray, spare: float) -> tuple[float, tuple[dict[str, tuple[float, float]], float, float]]:
    right, others, wrong = known[:, 0], known[:, 1:-1], known[:, -1]
    counted = others.sum(1, keepdims=True)
    shares = others / counted
    pasts = np.log((PASTS - right + 0.5) / (right + spare))[:, None]
    x = np.hstack([shares, shares * pasts, np.log(counted - 1)])
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x * (said * (1 - said))[:, None]).T @ x, x.T @ (wrong - said))
    loss = float(np.logaddexp(0, np.where(wrong > 0, -x @ w, x @ w)).mean())
    *lines, many = w.round(2).tolist()
    against = dict(zip(LEVELS, zip(lines[: len(LEVELS)], lines[len(LEVELS) :], strict=True), strict=True))
    return loss, (against, many, spare)


def main() -> None:
    """Print the table."""
    games, seed = (int(said) for said in [*sys.argv[1:], *map(str, (GAMES, SEED)[len(sys.argv) - 1 :])])
    known = np.array([*seen(games, seed)], float)
    for at, level in enumerate(LEVELS):
        against, many, spare = fitted(known[known[:, 0] == at, 1:])
        print(f'    "{level}": Trust(')  # noqa: T201
        lines = ", ".join(f'"{other}": {line}' for other, line in against.items())
        print(f"        {{{lines}}}, {many}, {spare}\n    ),")  # noqa: T201


if __name__ == "__main__":
    main()
