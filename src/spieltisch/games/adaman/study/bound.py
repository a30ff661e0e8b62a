"""How often can anybody win Adaman without knowing the pile? An upper bound for every player.

Let W be the win probability of a player who knows the pile, averaged over all orders of the unseen cards. Each move has
a price (`price`): the expected loss of W by that move. At the end of a game W is 1 or 0. So on average over deals, a
player who does not know the pile wins W of the deal less the prices of the moves. These cost no less than the cheapest
way through the deal that the rules allow. This search finds that way with the pile open. The way may lead to a win or a
loss; only its cost counts.

Prices are estimated from piles drawn anew for every position. The estimates are unbiased for a player who cannot see
the pile, so the bound holds for any sample size. By chance some way looks cheaper than it is, so fewer piles make the
bound higher, never too low. The same holds for a search that ends early and counts the cheapest way so far.

This is an information relaxation with penalties (D. B. Brown, J. E. Smith, P. Sun, Operations Research 58, 2010). The
penalty comes from what a player who knows the pile can still win.
"""

import functools
import heapq
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from spieltisch.compiled import seeded
from spieltisch.decks.findings import message, say
from spieltisch.dice import FastDice
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.engine.kernel import hanged, move, moves, refill
from spieltisch.games.adaman.study.price import NOT_ASKED, PriceWorkspace, piles_of, thrown_away, workspace_of
from spieltisch.games.adaman.study.winnable import Question, extra, figures, shuffled
from spieltisch.languages import DEFAULT
from spieltisch.study.checkpoint import gather
from spieltisch.study.figures import Mean, mean, number, number_of_deals, percent
from spieltisch.study.frames import Rows

COLUMNS = "deal", "cost", "whole", "seconds"
AT_ONCE = 20  # piles tried for a move before the next comparison

Place = tuple[int, int, int]  # a position: cards drawn, the capital, palace and resources (`kernel`)


class Task(Struct, frozen=True):
    """Deals of a deck (as in `winnable`) by a seed. `piles` are drawn for each position; `tries` is the most for a
    deal, each a move in one pile.
    """

    seed: int
    piles: int
    tries: int
    preset: str = "basic"


class CheapestLine(Struct, frozen=True):
    """The least cost of the deal with this number. `whole`: the cheapest way was followed to its end."""

    number: int
    cost: float
    whole: bool
    spent: float  # processor seconds


class Bound(Struct, frozen=True):
    """`cost`: what not knowing the pile costs at least. The lower end of its 95 % interval holds with 97.5 %
    confidence. `wins`: the bound on the wins of a player who does not know the pile, if the share of winnable deals is
    known. The upper end holds with 97.5 % confidence. Means are estimates.
    """

    task: Task
    deals: int
    cost: Mean
    wins: Mean | None
    seconds: float  # processor seconds for a deal
    whole: int


class _Move(NamedTuple):
    """A move that may be on the cheapest way, tried in some of its position's piles."""

    cost: float  # of the way up to the position
    place: Place
    piles: np.ndarray  # int8[piles, n]
    before: np.ndarray  # int8[piles]: what is known about the position in each
    target: int
    payment: int
    tried: int = 0
    worse: int = 0


def ways(task: Task, numbers: Sequence[int]) -> Iterator[CheapestLine]:
    """Yield each of these deals with its cheapest way."""
    work = _workspace_of(task.preset)
    for deal in numbers:
        start = time.process_time()
        cards = np.array(shuffled(Question(task.preset, task.seed, 0), deal), np.int64)
        rng = seeded(FastDice(f"{task.seed}/{deal}/price"))
        at, capital, held = refill(work.worth, np.left_shift(1, cards), 0, 0, 0)
        cost, whole = cheapest(work, cards, (int(at), int(capital), int(held)), task.piles, task.tries, rng)
        yield CheapestLine(deal, cost, whole, time.process_time() - start)


def cheapest(
    work: PriceWorkspace, cards: np.ndarray, start: Place, piles: int, tries: int, rng: np.ndarray
) -> tuple[float, bool]:
    """The least cost of a way from a position on, and whether it was followed to its end. The search always continues
    the cheapest way so far: it tries its next move in some more piles, and once in all of them, the way goes on from
    there.
    """
    w, pile = work.worth, np.left_shift(1, cards)
    heap: list[tuple[float, int, _Move]] = []
    order, seen, left = itertools.count(), {start}, tries

    def go_on(place: Place, cost: float) -> bool:
        """Whether the way goes on, with something still hidden."""
        at, capital, held = place
        people = (capital | held | int(pile[at:].sum())) & w.people
        if at >= len(pile) - 1 or hanged(w, held) or not people:
            return False
        count = moves(w, capital, held, work.targets, work.payments)
        drawn, before = piles_of(cards, at, piles, rng), np.full(piles, NOT_ASKED, np.int8)
        for target, payment in zip(work.targets[:count].tolist(), work.payments[:count].tolist(), strict=True):
            heapq.heappush(heap, (cost, next(order), _Move(cost, place, drawn, before, target, payment)))
        return bool(count)

    if not go_on(start, 0.0):
        return 0.0, True
    while True:
        cost, _, one = heapq.heappop(heap)
        if one.tried < piles:
            if left <= 0:
                return cost, False
            last = min(one.tried + AT_ONCE, piles)
            some = one.piles[one.tried : last], one.before[one.tried : last]
            worse = one.worse + int(thrown_away(work, *some, *one.place, one.target, one.payment))
            left -= last - one.tried
            tried = one._replace(tried=last, worse=worse)
            heapq.heappush(heap, (one.cost + worse / piles, next(order), tried))
            continue
        at, capital, held = (int(x) for x in move(w, pile, *one.place, one.target, one.payment))
        after = at, capital, held
        if after not in seen:
            seen.add(after)
            if not go_on(after, cost):
                return cost, True


def run(task: Task, numbers: range, on: str | int, keep: Path | None = None) -> list[CheapestLine]:
    """The ways of these deals, or of those done by Ctrl-C. Each is appended to the file `keep` at once; deals in it are
    not computed again. Raises Invalid if `keep` is about something else, OSError if it cannot be written.
    """
    return gather(functools.partial(ways, task), numbers, 1, on, keep, task, CheapestLine)


def bound(task: Task, found: Sequence[CheapestLine], known: bytes | bytearray | None = None) -> Bound:
    """The bound from these ways. `known` are letters of such deals (`known`): how often a player who knows the pile
    wins.
    """
    cost, wins = mean([one.cost for one in found]), None
    if known is not None:
        top = figures(Question(task.preset, task.seed, 0), known).share
        low = math.hypot(top.mean - top.low, cost.high - cost.mean)
        high = math.hypot(top.high - top.mean, cost.mean - cost.low)
        middle = top.mean - cost.mean
        ends = middle - low, min(middle + high, top.high)  # not to know the pile brings nothing
        wins = Mean(*(round(x, 6) for x in (middle, *ends)), len(found))
    seconds = sum(one.spent for one in found) / len(found)
    cost = Mean(cost.mean, max(0.0, cost.low), cost.high, cost.n)
    return Bound(task, len(found), cost, wins, round(seconds, 1), sum(one.whole for one in found))


def as_csv(found: Sequence[CheapestLine]) -> str:
    """The ways as CSV, one line for each deal."""
    rows = [(one.number, round(one.cost, 6), one.whole, round(one.spent, 1)) for one in found]
    return Rows(COLUMNS, rows).csv()


def as_text(one: Bound, lang: str = DEFAULT) -> str:
    """The bound as a few lines of text."""
    head = message(
        "Adaman, {deck}, upper bound with the pile hidden: {deals}, seed {seed}, {piles} piles a position",
        deck=one.task.preset, deals=number_of_deals(one.deals, lang), seed=one.task.seed, piles=one.task.piles,
    )  # fmt: skip
    sure = percent(0.975, lang, 1)
    least, estimate = percent(one.cost.low, lang, 1), percent(one.cost.mean, lang, 1)
    told = [
        head,
        message(
            "  not to know the pile costs at least {least}, with {sure} confidence (estimate {estimate})",
            least=least, sure=sure, estimate=estimate,
        ),
    ]  # fmt: skip
    if one.wins is not None:
        most, estimate = percent(one.wins.high, lang, 1), percent(one.wins.mean, lang, 1)
        told.append(
            message(
                "  so nobody wins more than {most}, with {sure} confidence (estimate {estimate})",
                most=most, sure=sure, estimate=estimate,
            )
        )  # fmt: skip
    seconds = number(one.seconds, lang)
    told.append(
        message("  ways followed to their end: {n}, {seconds} s of the processor a deal", n=one.whole, seconds=seconds)
    )
    return "\n".join(say(line, lang) for line in told)


@functools.cache
def _workspace_of(preset: str) -> PriceWorkspace:
    return workspace_of(decktet(extra(preset)))
