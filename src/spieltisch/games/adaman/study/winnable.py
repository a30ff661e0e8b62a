"""How many deals of Adaman can be won? Solves random deals, one after the other.

Deal i of a seed is the same on every machine and in every run: the deck in its order, shuffled by dice seeded with
"seed/i". An undecided deal counts as lost for the lower end of the interval and as won for the upper one. A random
sample of undecided deals can be solved again for longer, to stand for all of them; the interval grows by what the
sample leaves open.

Answers can be stored in a file (`known`); deals in it are not solved again.
"""

import functools
import math
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from spieltisch.decks.findings import message, say
from spieltisch.dice import FastDice
from spieltisch.game import Invalid
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import decktet, extras
from spieltisch.games.adaman.engine.solver import Solver
from spieltisch.games.adaman.record import PRESETS
from spieltisch.intervals import wilson
from spieltisch.languages import DEFAULT
from spieltisch.study import workers
from spieltisch.study.figures import Mean, number, number_of_deals, percent
from spieltisch.study.frames import Rows

CHUNK = 25  # deals for a process at a time
UNDECIDED, AGAIN = frozenset(b"uWLU"), frozenset(b"WLU")  # letters (see `known`): at first; solved for longer

COLUMNS = (
    "deck", "seed", "seconds", "cards", "deals", "won", "lost", "undecided", "again_won", "again_lost",
    "again_undecided", "winnable", "low", "high",
)  # fmt: skip


class Question(Struct, frozen=True):
    """Deals of a deck (a preset's name, or the added cards) by a seed, and the time limit for each."""

    preset: str
    seed: int
    seconds: float

    @property
    def about(self) -> dict[str, object]:
        """What the deals are, as in the file of answers. Raises what `extra` raises."""
        return {
            "deck": self.preset, "cards": len(decktet(extra(self.preset)).cards), "seed": self.seed,
            "seconds": self.seconds, "rules": rules.version,
        }  # fmt: skip


class Answer(Struct, frozen=True):
    deal: int
    winnable: bool | None
    spent: float  # processor seconds


class Figures(Struct, frozen=True):
    """`share`: its ends count undecided deals both ways, as far as the sample leaves them open. `again`: how many of
    the sample were won, lost and undecided.
    """

    question: Question
    deals: int
    won: int
    lost: int
    undecided: int
    again: tuple[int, int, int]
    share: Mean


def extra(deck: str) -> Sequence[str]:
    """The cards added in this preset, or those named, separated by commas. Raises Invalid for any other name."""
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


def answer(question: Question, deal: int) -> Answer:
    """Solve this deal."""
    start = time.process_time()
    solution = _solver(question.preset).solve(shuffled(question, deal), question.seconds, best=False)
    return Answer(deal, solution.winnable, time.process_time() - start)


def run(question: Question, numbers: Sequence[int], on: str | int, size: int = CHUNK) -> Iterator[Answer]:
    """The answers in the order of their numbers."""
    return workers.run(functools.partial(answer, question), numbers, on, size)


def sample(seed: int, letters: bytes | bytearray) -> list[int]:
    """The deals undecided at first, in random order: the first ones are a sample. More deals do not
    change their order.
    """
    undecided = (deal for deal, letter in enumerate(letters) if letter in UNDECIDED)
    return sorted(undecided, key=lambda deal: FastDice(f"{seed}/{deal}/again").random())


def figures(question: Question, letters: bytes | bytearray) -> Figures:
    """The figures from these letters (see `known`)."""
    n, won, lost = len(letters), letters.count(b"w"), letters.count(b"l")
    undecided = n - won - lost
    looked_at = bytes(takewhile(AGAIN.__contains__, (letters[deal] for deal in sample(question.seed, letters))))
    again = looked_at.count(b"W"), looked_at.count(b"L"), looked_at.count(b"U")
    k = len(looked_at)

    def share(part: float) -> tuple[float, float, float]:
        """The share if this part of the undecided deals can be won, and its interval: Wilson's for the deals, and
        within it Wilson's for the sample, which is not of infinitely many. The two are independent (MOVER).
        """
        found = (won + undecided * part) / n
        ends = wilson(found, n)
        if not k:
            return found, *ends
        weight = undecided / n * math.sqrt(1 - k / undecided)
        low, high = (
            math.hypot(end - found, weight * (sampled - part))
            for end, sampled in zip(ends, wilson(part, k), strict=True)
        )
        return found, found - low, found + high

    least, low, _ = share(again[0] / max(k, 1))
    most, _, high = share(1 - again[1] / max(k, 1))
    low, high = max(low, 0.0), min(high, 1.0)
    return Figures(
        question, n, won, lost, undecided, again,
        Mean(*(round(x, 6) for x in ((least + most) / 2, low, high)), n),
    )  # fmt: skip


def as_csv(one: Figures) -> str:
    """The figures as CSV: a header, and one line."""
    asked, cards = one.question, len(decktet(extra(one.question.preset)).cards)
    counts = (cards, one.deals, one.won, one.lost, one.undecided, *one.again)
    share = (one.share.mean, one.share.low, one.share.high)
    return Rows(COLUMNS, [(asked.preset, asked.seed, asked.seconds, *counts, *share)]).csv()


def as_text(one: Figures, lang: str = DEFAULT, spent: Sequence[float] = ()) -> str:
    """The figures as a few lines of text, with the processor seconds of the deals solved now (`spent`)."""
    asked, again = one.question, ""
    if sum(one.again):
        won, lost, open_ = one.again
        said = message(
            ", of a sample of these {won} can be won, {lost} cannot, {open} undecided", won=won, lost=lost, open=open_
        )
        again = say(said, lang)
    mean, low, high = (percent(value, lang, 2) for value in (one.share.mean, one.share.low, one.share.high))
    digits = len(f"{asked.seconds:g}".partition(".")[2])
    told = [
        say(message(
            "Adaman, {deck}: {deals}, seed {seed}, at most {seconds} s each",
            deck=asked.preset, deals=number_of_deals(one.deals, lang), seed=asked.seed,
            seconds=number(asked.seconds, lang, digits),
        ), lang),
        say(message(
            "  can be won {won}, cannot {lost}, undecided {open}{again}",
            won=one.won, lost=one.lost, open=one.undecided, again=again,
        ), lang),
        say(message(
            "  winnable {mean} (95 % interval, the undecided counted both ways: {low}–{high})",
            mean=mean, low=low, high=high,
        ), lang),
    ]  # fmt: skip
    if spent:
        ms = sorted(1000 * seconds for seconds in spent)
        times = statistics.fmean(ms), statistics.median(ms), ms[len(ms) * 95 // 100], ms[-1]
        mean, median, p95, most = (number(one, lang) for one in times)
        said = message(
            "  processor time of {deals}: mean {mean} ms, median {median} ms, 95 % within {p95} ms, most {most} ms",
            deals=number_of_deals(len(ms), lang), mean=mean, median=median, p95=p95, most=most,
        )  # fmt: skip
        told.append(say(said, lang))
    return "\n".join(told)
