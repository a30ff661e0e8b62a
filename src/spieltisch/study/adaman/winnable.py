"""How many deals of Adaman can be won: random deals are solved, one after the other.

Deal i of a seed is the same wherever and with however many others it is solved: the deck in its order, shuffled by dice
seeded with "seed/i". A deal that the time did not suffice for counts as lost for the interval's lower end and as won
for the upper one. A random sample of these can be solved again for longer, in the place of all of them; the interval is
wider for what the sample leaves open.

Answers can be kept in a file, a line a deal; what stands there is not solved again. A deal's second line is its answer
in the sample.
"""

import functools
import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from spieltisch.decks.decktet import decktet, extras
from spieltisch.decks.findings import message, say
from spieltisch.dice import FastDice
from spieltisch.game import Invalid
from spieltisch.games.adaman.engine.solver import Solver
from spieltisch.games.adaman.record import PRESETS
from spieltisch.study import workers
from spieltisch.study.figures import Mean, Z, percent
from spieltisch.study.frames import Rows

CHUNK = 25  # deals that a process takes at a time

COLUMNS = (
    "deck", "seed", "seconds", "cards", "deals", "won", "lost", "undecided", "again_won", "again_lost",
    "again_undecided", "winnable", "low", "high",
)  # fmt: skip

T = TypeVar("T")


class Question(Struct, frozen=True):
    """Deals of a deck (a preset's name, or the cards that are added), by a seed, and how long one may take."""

    preset: str
    seed: int
    seconds: float


class Answer(Struct, frozen=True):
    deal: int
    winnable: bool | None
    spent: float  # processor seconds


class Kept(Struct):
    """Answers by their deals: of all, and of those undecided ones that were solved again."""

    first: dict[int, Answer] = {}
    again: dict[int, Answer] = {}

    def add(self, answer: Answer) -> None:
        (self.again if answer.deal in self.first else self.first)[answer.deal] = answer


class Figures(Struct, frozen=True):
    """`share` has the undecided counted both ways in its ends, as far as the sample leaves them open; times are in
    processor milliseconds a deal. `again`: how many of the sample were won, lost, not decided either.
    """

    question: Question
    deals: int
    won: int
    lost: int
    undecided: int
    again: tuple[int, int, int]
    share: Mean
    mean_ms: float
    median_ms: float
    p95_ms: float
    most_ms: float
    within_1_s: float


def extra(deck: str) -> Sequence[str]:
    """The cards that are added in the preset of this name, or those named with commas between them; Invalid where
    there are none such.
    """
    if deck in PRESETS:
        return PRESETS[deck].get("extra", ())
    added = tuple(deck.split(","))
    if len(set(added)) < len(added) or not {*added} <= {*extras()}:
        raise Invalid(
            "there is no deck {deck}: name one of {known}, or cards to add, with commas between them, of {cards}",
            deck=repr(deck), known=", ".join(PRESETS), cards=", ".join(extras()),
        )  # fmt: skip
    return added


def shuffled(question: Question, number: int) -> tuple[int, ...]:
    return FastDice(f"{question.seed}/{number}").shuffle(range(len(decktet(extra(question.preset)).cards)))


@functools.cache
def _solver(preset: str) -> Solver:
    return Solver(decktet(extra(preset)))


def answers(question: Question, numbers: Sequence[int]) -> list[Answer]:
    """These deals solved."""
    solver, found = _solver(question.preset), []
    for number in numbers:
        start = time.process_time()
        solution = solver.solve(shuffled(question, number), question.seconds, best=False)
        found.append(Answer(number, solution.winnable, time.process_time() - start))
    return found


def run(question: Question, numbers: Sequence[int], on: str | int, size: int = CHUNK) -> Iterator[Answer]:
    """The answers in the order of their numbers."""
    return in_chunks(functools.partial(answers, question), numbers, size, on)


def sample(seed: int, kept: Kept) -> list[int]:
    """The undecided deals in a random order: the first ones are a sample. More deals leave their order as it is."""
    undecided = (one.deal for one in kept.first.values() if one.winnable is None)
    return sorted(undecided, key=lambda deal: FastDice(f"{seed}/{deal}/again").random())


def read(file: Path, deals: int) -> Kept:
    """The answers of the first deals that are kept in a file, none where there is no file; Invalid where it holds
    something else.
    """
    kept = Kept({}, {})
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            answer = msgspec.json.decode(line, type=Answer)
        except msgspec.DecodeError as wrong:
            raise Invalid("{file}: there is a line that is no answer: {reason}", file=file, reason=wrong) from None
        if answer.deal < deals:
            kept.add(answer)
    return kept


def in_chunks(
    work: Callable[[Sequence[int]], list[T]], numbers: Sequence[int], size: int, on: str | int
) -> Iterator[T]:
    """What `work` finds of these deals, so many at a time, in the order of their numbers; `on` is as for `workers`."""
    chunks = [numbers[first : first + size] for first in range(0, len(numbers), size)]
    for found in workers.run(work, chunks, on):
        yield from found


def figures(question: Question, kept: Kept) -> Figures:
    found, n = list(kept.first.values()), len(kept.first)
    won, lost, undecided = _counts(found)
    looked_at = list(takewhile(kept.again.__contains__, sample(question.seed, kept)))
    again = _counts([kept.again[deal] for deal in looked_at])
    k = len(looked_at)
    spent = sorted(one.spent * 1000 for one in found)
    quick = sum(one.winnable is not None and one.spent <= 1 for one in found)

    def end(part: float, sign: int) -> tuple[float, float]:
        """The share if this part of the undecided can be won, and that end of its interval."""
        share = (won + undecided * part) / n
        error = share * (1 - share) / n
        if k:  # of a few deals none may be won by chance: one more of either kind is thought of
            part = (part * k + 1) / (k + 2)
            error += (undecided / n) ** 2 * part * (1 - part) * (1 / k - 1 / undecided)
        return share, min(max(share + sign * Z * math.sqrt(error), 0), 1)

    (least, low), (most, high) = end(again[0] / max(k, 1), -1), end(1 - again[1] / max(k, 1), 1)
    return Figures(
        question, n, won, lost, undecided, again,
        Mean(*(round(x, 6) for x in ((least + most) / 2, low, high)), n),
        round(statistics.fmean(spent), 1), round(statistics.median(spent), 1), round(spent[n * 95 // 100], 1),
        round(spent[-1], 1), round(quick / n, 6),
    )  # fmt: skip


def _counts(found: Sequence[Answer]) -> tuple[int, int, int]:
    """Won, lost, not decided."""
    won, lost = (sum(one.winnable is answer for one in found) for answer in (True, False))
    return won, lost, len(found) - won - lost


def as_csv(one: Figures) -> str:
    """The figures as CSV: a line with the names of the columns, and one with the figures."""
    asked, cards = one.question, len(decktet(extra(one.question.preset)).cards)
    counts = (cards, one.deals, one.won, one.lost, one.undecided, *one.again)
    share = (one.share.mean, one.share.low, one.share.high)
    return Rows(COLUMNS, [(asked.preset, asked.seed, asked.seconds, *counts, *share)]).csv()


def as_text(one: Figures, lang: str = "en") -> str:
    """The figures as a few lines of text."""
    asked, again = one.question, ""
    if sum(one.again):
        won, lost, open_ = one.again
        said = message(
            ", of a sample of these {won} can be won, {lost} cannot, {open} undecided", won=won, lost=lost, open=open_
        )
        again = say(said, lang)
    mean, low, high = (percent(value, lang, 2) for value in (one.share.mean, one.share.low, one.share.high))
    return "\n".join([
        say(message(
            "Adaman, {deck}: {n} deals, seed {seed}, at most {seconds} s each",
            deck=asked.preset, n=one.deals, seed=asked.seed, seconds=f"{asked.seconds:g}",
        ), lang),
        say(message(
            "  can be won {won}, cannot {lost}, undecided {open}{again}",
            won=one.won, lost=one.lost, open=one.undecided, again=again,
        ), lang),
        say(message(
            "  winnable {mean} (95 % interval, the undecided counted both ways: {low}–{high})",
            mean=mean, low=low, high=high,
        ), lang),
        say(message(
            "  processor time a deal: mean {mean} ms, median {median} ms, 95 % within {p95} ms, most {most} ms; decided"
            " within 1 s: {share}",
            mean=one.mean_ms, median=one.median_ms, p95=one.p95_ms, most=one.most_ms,
            share=percent(one.within_1_s, lang, 2),
        ), lang),
    ])  # fmt: skip
