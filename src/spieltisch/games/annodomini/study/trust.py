"""Fits `bot.TRUST`: `python -m spieltisch.games.annodomini.study.trust [GAMES [SEED]]`.

Two to six bots of one level play. Whenever one may doubt, the study notes what it knows of the chain, and whether the
chain is wrong. The table is a logistic regression on that. No choice depends on it, so a fit does not change the next.
"""

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np

from spieltisch.games.annodomini.beliefs import LEVELS, PASTS
from spieltisch.games.annodomini.bot import right_pasts
from spieltisch.games.annodomini.study.questions.chances import chances_to_doubt

GAMES, SEED = 50, 38  # of each size; the published answers use other seeds
SIZES = (2, 3, 4, 6)
SPARES = [n / 4 for n in range(1, 61)]
STEPS = 25  # Newton's method; it stands still long before


def seen(level: str, games: int, seed: int) -> Iterator[tuple[int, int, bool]]:
    """In how many pasts each chain is right, how many others play, and whether the chain is wrong."""
    for number, seats in product(range(games), SIZES):
        for view, beliefs, wrong in chances_to_doubt(level, seed, number, seats):
            yield right_pasts([one.card.number for one in view.public.chain], beliefs), seats - 1, wrong


def fitted(known: np.ndarray) -> tuple[float, float, float, float]:
    """The numbers of a `Trust`, in its order."""
    best = min((_fitted(known, spare) for spare in SPARES), key=lambda found: found[0])
    return best[1]


def _fitted(known: np.ndarray, spare: float) -> tuple[float, tuple[float, float, float, float]]:
    right, others, wrong = known.T
    x = np.stack([np.ones(len(right)), np.log((PASTS - right + 0.5) / (right + spare)), np.log(others)], 1)
    w = np.zeros(3)
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x * (said * (1 - said))[:, None]).T @ x, x.T @ (wrong - said))
    loss = float(np.logaddexp(0, np.where(wrong > 0, -x @ w, x @ w)).mean())
    shift, own, of_others = w.round(2).tolist()
    return loss, (shift, own, of_others, spare)


def main() -> None:
    """Print the table."""
    games, seed = (int(said) for said in [*sys.argv[1:], *map(str, (GAMES, SEED)[len(sys.argv) - 1 :])])
    for level in LEVELS:
        numbers = ", ".join(map(str, fitted(np.array([*seen(level, games, seed)], float))))
        print(f'    "{level}": Trust({numbers}),')  # noqa: T201


if __name__ == "__main__":
    main()
