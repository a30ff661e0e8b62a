"""The coach's strength: fresh deals played by its advice, against those that could have been won.

The deals are those of `winnable`, by seed and number; training used others. The coach's regret against a player who
knows the pile is the share of winnable deals (by the file of `winnable`) that it loses.
"""

import functools
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from spieltisch.decks.findings import message, say
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.engine.coach import coach
from spieltisch.games.adaman.study.winnable import Question, extra, shuffled
from spieltisch.languages import DEFAULT
from spieltisch.study.checkpoint import gather
from spieltisch.study.figures import Mean, mean, number_of_deals, percent, share

WINNABLE = frozenset(b"wW")  # letters of deals (see `known`)
CHUNK = 20  # deals for a process at a time


class Trial(Struct, frozen=True):
    """Deals of a deck (as in `winnable`) by a seed, and the number of playouts for a choice."""

    seed: int
    games: int
    preset: str = "basic"


class Outcome(Struct, frozen=True):
    """`number` of the deal; `said`: the coach's win probability at every choice."""

    number: int
    won: bool
    said: tuple[float, ...]
    spent: float  # processor seconds


class Strength(Struct, frozen=True):
    trial: Trial
    deals: int
    won: Mean
    regret: Mean | None
    ms: float  # processor time for a choice
    choices: float  # per deal


def outcomes(trial: Trial, numbers: Sequence[int]) -> Iterator[Outcome]:
    """Play these deals, and yield each as it ends."""
    advisor, deck = coach(), decktet(extra(trial.preset))
    for number in numbers:
        cards, start = shuffled(Question(trial.preset, trial.seed, 0), number), time.process_time()
        won, said = advisor.play(deck, cards, trial.games, number)
        yield Outcome(number, won, tuple(said), time.process_time() - start)


def run(trial: Trial, numbers: range, on: str | int, keep: Path | None = None) -> list[Outcome]:
    """The outcomes of these deals, or of those played by Ctrl-C. Each is appended to the file `keep` at once; deals in
    it are not played again. Raises Invalid if `keep` is about something else, OSError if it cannot be written.
    """
    return gather(functools.partial(outcomes, trial), numbers, CHUNK, on, keep, trial, Outcome)


def strength(trial: Trial, found: Sequence[Outcome], known: bytes | bytearray | None = None) -> Strength:
    choices = sum(len(one.said) for one in found)
    ms = 1000 * sum(one.spent for one in found) / max(1, choices)
    regret = None if known is None else _regret(found, known)
    won = mean([float(one.won) for one in found], shares=True)
    return Strength(trial, len(found), won, regret, round(ms, 3), round(choices / len(found), 1))


def _regret(found: Sequence[Outcome], known: bytes | bytearray) -> Mean:
    found = [one for one in found if one.number < len(known) and known[one.number] in WINNABLE]
    return mean([float(not one.won) for one in found], shares=True)


def as_text(one: Strength, lang: str = DEFAULT) -> str:
    """The strength as a few lines of text."""
    head = message(
        "Adaman, {deck}, pile hidden: {deals}, seed {seed}, {games} games a choice",
        deck=one.trial.preset, deals=number_of_deals(one.deals, lang), seed=one.trial.seed, games=one.trial.games,
    )  # fmt: skip
    middle, low, high = (percent(value, lang, 2) for value in (one.won.mean, one.won.low, one.won.high))
    told = [head, message("  won {mean} (95 % interval {low}–{high})", mean=middle, low=low, high=high)]
    if (regret := one.regret) is not None:
        lost = share(regret, lang, 2)
        told.append(
            message("  of {deals} that can be won it lost {share}", deals=number_of_deals(regret.n, lang), share=lost)
        )
    told.append(
        message("  {ms} ms of the processor a choice, {choices} choices a deal", ms=one.ms, choices=one.choices)
    )
    return "\n".join(say(line, lang) for line in told)
