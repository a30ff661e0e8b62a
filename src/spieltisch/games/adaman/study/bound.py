"""How often can Adaman be won at most by who does not know the pile? An upper bound for every player.

Let W be how likely who knows the pile wins from a position on, in the mean over all orders of the cards not seen. A
move has its price (`price`): by so much W is lower after it, in the mean over what it turns up. At the end of a game W
is 1 or 0. So, in the mean over deals, whoever does not know the pile wins W of the deal less the prices of its moves.
These come to no less than the cheapest way that the rules allow in that deal. Here that way is searched, with the pile
open. It may lead to a win or to a loss; what counts is what it costs.

Prices are estimated from piles drawn anew for every position. For who does not know the pile that comes to the same
in the mean, so the bound holds whatever their number. By chance some way looks cheaper than it is, so fewer piles make
the bound higher, never too low; and so does a search that is ended early, where the cheapest way so far counts.

This is an information relaxation with penalties (D. B. Brown, J. E. Smith, P. Sun, Operations Research 58, 2010), the
penalty being made of what who knows the pile can still win.
"""

import functools
import heapq
import itertools
import math
import time
from collections.abc import Sequence
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
from spieltisch.study.checkpoint import gather
from spieltisch.study.figures import Mean, mean, number, share
from spieltisch.study.frames import Rows

COLUMNS = "deal", "cost", "whole", "seconds"
AT_ONCE = 20  # piles in which a move is tried before another one may look cheaper

Place = tuple[int, int, int]  # a position: cards drawn, the capital, palace and resources (`kernel`)


class Task(Struct, frozen=True):
    """Deals of a deck (as in `winnable`) by a seed. `piles` are drawn for a position; `tries` are made for a deal at
    most, each a move in a pile.
    """

    seed: int
    piles: int
    tries: int
    preset: str = "basic"


class CheapestLine(Struct, frozen=True):
    """The least that the deal with this number costs; `whole` if the cheapest way was followed to its end."""

    number: int
    cost: float
    whole: bool
    spent: float  # processor seconds


class Bound(Struct, frozen=True):
    """`wins`: who does not know the pile wins no more, where it is known how often who knows it does."""

    task: Task
    deals: int
    cost: Mean
    wins: Mean | None
    seconds: float  # of the processor, a deal
    whole: int


class _Move(NamedTuple):
    """A move that may be on the cheapest way, tried in some of the piles of its position."""

    cost: float  # of the way up to the position
    place: Place
    piles: np.ndarray  # int8[piles, n]
    before: np.ndarray  # int8[piles]: what is known of the position in each
    target: int
    payment: int
    tried: int = 0
    worse: int = 0


def ways(task: Task, numbers: Sequence[int]) -> list[CheapestLine]:
    """These deals, each with its cheapest way."""
    work, found = _workspace_of(task.preset), []
    for deal in numbers:
        start = time.process_time()
        cards = np.array(shuffled(Question(task.preset, task.seed, 0), deal), np.int64)
        rng = seeded(FastDice(f"{task.seed}/{deal}/price"))
        at, capital, held = refill(work.worth, np.left_shift(1, cards), 0, 0, 0)
        cost, whole = cheapest(work, cards, (int(at), int(capital), int(held)), task.piles, task.tries, rng)
        found.append(CheapestLine(deal, cost, whole, time.process_time() - start))
    return found


def cheapest(
    work: PriceWorkspace, cards: np.ndarray, start: Place, piles: int, tries: int, rng: np.ndarray
) -> tuple[float, bool]:
    """What the cheapest way from a position on costs at least, and whether it was followed to its end. The move that is
    looked at next is always that of the way that costs least so far; it is tried in some more piles, and where it
    has been tried in all of them, the way goes on from there.
    """
    w, pile = work.worth, np.left_shift(1, cards)
    heap: list[tuple[float, int, _Move]] = []
    order, seen, left = itertools.count(), {start}, tries

    def go_on(place: Place, cost: float) -> bool:
        """Whether there is a way on, where something is still hidden."""
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
    """The ways of these deals, or of those done by Ctrl-C. `keep` is a file to which each is added at once; what stands
    there is not reckoned again. Raises Invalid for a `keep` of something else, OSError where it cannot be written.
    """
    return gather(functools.partial(ways, task), numbers, 1, on, keep, task, CheapestLine)


def bound(task: Task, found: Sequence[CheapestLine], known: bytes | bytearray | None = None) -> Bound:
    """What these ways come to. `known`: letters of such deals (`known`): how often who knows the pile wins."""
    cost, wins = mean([one.cost for one in found]), None
    if known is not None:
        top = figures(Question(task.preset, task.seed, 0), known).share
        low = math.hypot(top.mean - top.low, cost.high - cost.mean)
        high = math.hypot(top.high - top.mean, cost.mean - cost.low)
        middle = top.mean - cost.mean
        wins = Mean(*(round(x, 6) for x in (middle, middle - low, middle + high)), len(found))
    seconds = sum(one.spent for one in found) / len(found)
    return Bound(task, len(found), cost, wins, round(seconds, 1), sum(one.whole for one in found))


def as_csv(found: Sequence[CheapestLine]) -> str:
    """The ways as CSV, a line a deal."""
    rows = [(one.number, round(one.cost, 6), one.whole, round(one.spent, 1)) for one in found]
    return Rows(COLUMNS, rows).csv()


def as_text(one: Bound, lang: str = "en") -> str:
    """The bound as a few lines of text."""
    head = message(
        "Adaman, {deck}, upper bound with the pile hidden: {n} deals, seed {seed}, {piles} piles a position",
        deck=one.task.preset, n=one.deals, seed=one.task.seed, piles=one.task.piles,
    )  # fmt: skip
    told = [head, message("  not to know the pile costs at least {share}", share=share(one.cost, lang, 2))]
    if one.wins is not None:
        told.append(message("  so nobody wins more than {share}", share=share(one.wins, lang, 2)))
    seconds = number(one.seconds, lang)
    told.append(
        message("  {n} ways followed to their end, {seconds} s of the processor a deal", n=one.whole, seconds=seconds)
    )
    return "\n".join(say(line, lang) for line in told)


@functools.cache
def _workspace_of(preset: str) -> PriceWorkspace:
    return workspace_of(decktet(extra(preset)))
