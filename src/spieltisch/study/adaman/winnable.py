"""How many deals of Adaman can be won: random deals are solved, one after the other.

Deal i of a seed is the same for any number of jobs and deals: the deck in its order, shuffled by dice seeded with
"seed/i". A deal that the time did not suffice for counts as lost for the interval's lower end and as won for the
upper one.
"""

import functools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from msgspec import Struct

from spieltisch.decks.decktet import decktet
from spieltisch.dice import Quick
from spieltisch.games.adaman.record import PRESETS
from spieltisch.study.adaman.solver import Solver
from spieltisch.study.figures import Mean, mean

CHUNK = 25  # deals that a process takes at a time

T = TypeVar("T")


class Question(Struct, frozen=True):
    """Deals of a preset's deck, by a seed, and how long one may take."""

    preset: str
    seed: int
    seconds: float


class Answer(Struct, frozen=True):
    winnable: bool | None
    spent: float  # processor seconds


class Figures(Struct, frozen=True):
    """`share` has the undecided counted both ways in its ends; times are in processor milliseconds a deal."""

    question: Question
    deals: int
    won: int
    lost: int
    undecided: int
    share: Mean
    mean_ms: float
    median_ms: float
    p95_ms: float
    most_ms: float
    within_1_s: float


def extra(preset: str) -> Sequence[str]:
    return PRESETS[preset].get("extra", ())


def shuffled(question: Question, number: int) -> tuple[int, ...]:
    return Quick(f"{question.seed}/{number}").shuffle(range(len(decktet(extra(question.preset)).cards)))


@functools.cache
def _solver(preset: str) -> Solver:
    return Solver(decktet(extra(preset)))


def answers(question: Question, numbers: Sequence[int]) -> list[Answer]:
    """These deals solved."""
    solver, found = _solver(question.preset), []
    for number in numbers:
        start = time.process_time()
        solution = solver.solve(shuffled(question, number), question.seconds, best=False)
        found.append(Answer(solution.winnable, time.process_time() - start))
    return found


def run(question: Question, deals: int, jobs: int) -> Iterator[Answer]:
    """The answers in the order of their numbers."""
    return in_chunks(functools.partial(answers, question), range(deals), CHUNK, jobs)


def in_chunks(work: Callable[[Sequence[int]], list[T]], numbers: range, size: int, jobs: int) -> Iterator[T]:
    """What `work` finds of these deals, so many at a time and in so many processes, in the order of their numbers."""
    chunks = [numbers[first : first + size] for first in range(0, len(numbers), size)]
    if jobs == 1:
        for chunk in chunks:
            yield from work(chunk)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(work, chunks):
            yield from found


def figures(question: Question, found: Sequence[Answer]) -> Figures:
    won, lost = (sum(one.winnable is answer for one in found) for answer in (True, False))
    undecided = len(found) - won - lost
    low = mean([1.0] * won + [0.0] * (lost + undecided))
    high = mean([1.0] * (won + undecided) + [0.0] * lost)
    spent = sorted(one.spent * 1000 for one in found)
    quick = sum(one.winnable is not None and one.spent <= 1 for one in found)
    return Figures(
        question, len(found), won, lost, undecided,
        Mean(round((low.mean + high.mean) / 2, 6), low.low, high.high, len(found)),
        round(statistics.fmean(spent), 1), round(statistics.median(spent), 1), round(spent[len(spent) * 95 // 100], 1),
        round(spent[-1], 1), round(quick / len(found), 6),
    )  # fmt: skip


def as_text(one: Figures) -> str:
    share, seed = one.share, one.question.seed
    return (
        f"Adaman, {one.question.preset}: {one.deals} deals, seed {seed}, at most {one.question.seconds:g} s each\n"
        f"  can be won {one.won}, cannot {one.lost}, undecided {one.undecided}\n"
        f"  winnable {share.mean:.2%} (95 % interval, the undecided counted both ways: "
        f"{share.low:.2%}–{share.high:.2%})\n"
        f"  processor time a deal: mean {one.mean_ms} ms, median {one.median_ms} ms, 95 % within {one.p95_ms} ms, "
        f"most {one.most_ms} ms; decided within 1 s: {one.within_1_s:.2%}"
    )
