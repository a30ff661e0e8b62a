"""The upper bound for players who do not know the pile, against exhaustive search."""

import csv
import itertools
import random
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from spieltisch.dice import FastDice
from spieltisch.games.adaman.decktet import Deck, cards
from spieltisch.games.adaman.engine import kernel
from spieltisch.games.adaman.engine.plain import best_score
from spieltisch.games.adaman.study import bound, known, price
from spieltisch.games.adaman.study.bound import CheapestLine, Task
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.setting import setting
from spieltisch.study.figures import wilson

PAGES = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels


class Small:
    """A reduced deck with few hidden cards, so that every order of them can be tried."""

    def __init__(self, number: int):
        dice, every = random.Random(number), cards()
        chosen = dice.sample([*every[:36]], 14) + [every[44]] * (number % 3 == 0)
        self.deck = Deck("reduced", tuple(sorted(chosen, key=every.index)))
        self.worth = kernel.worth(self.deck)
        self.cards = dice.sample(range(len(self.deck.cards)), len(self.deck.cards))
        self.start = self.place(kernel.refill(self.worth, self.bits(self.cards), 0, 0, 0))
        self.won: dict = {}
        self.worths: dict = {}

    def place(self, three):
        return tuple(int(x) for x in three)

    def bits(self, order):
        return np.left_shift(1, np.array(order))

    def moves(self, place):
        targets, payments = np.zeros((2, kernel.MOST), np.int64)
        count = kernel.moves(self.worth, *place[1:], targets, payments)
        return [(int(targets[i]), int(payments[i])) for i in range(count)]

    def after(self, order, place, move):
        return self.place(kernel.move(self.worth, self.bits(order), *place, *move))

    def orders(self, place):
        seen = tuple(self.cards[: place[0]])
        return [seen + rest for rest in itertools.permutations(self.cards[place[0] :])]

    def winnable(self, order, place):
        if (order, place) not in self.won:
            self.won[order, place] = best_score(self.deck, order, place) >= self.worth.total
        return self.won[order, place]

    def best(self, orders, place):
        """The win probability of the best player who knows that these orders are equally likely."""
        key = place, frozenset(order[place[0] :] for order in orders)
        if key not in self.worths:
            found = 0.0
            for move in self.moves(place) if not kernel.hanged(self.worth, place[2]) else ():
                seen = defaultdict(list)
                for order in orders:
                    after = self.after(order, place, move)
                    seen[after, order[: after[0]]].append(order)
                found = max(found, sum(len(some) * self.best(some, after) for (after, _), some in seen.items()))
            alone = len(orders) == 1 or not self.moves(place)
            self.worths[key] = float(self.winnable(orders[0], place)) if alone else found / len(orders)
        return self.worths[key]


NUMBERS = 36, 247, 254, 714, 967, 1188, 1595, 1698, 1787, 2351


@pytest.fixture(scope="module")
def decks():
    """Some where it helps to know the order of the last four cards."""
    return [Small(number) for number in NUMBERS]


def test_the_price_of_a_move_is_what_it_throws_away(decks):
    """In all orders that there are, no others: as many as trying everything finds."""
    looked_at = counted = 0
    for small in decks:
        work, orders = price.workspace_of(small.deck), small.orders(small.start)
        before = np.full(len(orders), price.NOT_ASKED, np.int8)
        for move in small.moves(small.start):
            found = price.thrown_away(work, np.array(orders, np.int8), before, *small.start, *move)
            assert found == sum(
                small.winnable(order, small.start) and not small.winnable(order, small.after(order, small.start, move))
                for order in orders
            )
            looked_at, counted = looked_at + 1, counted + found
    assert looked_at > 50
    assert counted > 50


def test_piles_agree_in_what_was_seen_and_in_nothing_else():
    cards = np.arange(36)[::-1].copy()
    piles = price.piles_of(cards, 20, 2_000, np.full(1, 12345))
    assert (piles[:, :20] == cards[:20]).all()
    assert (np.sort(piles[:, 20:]) == np.arange(16)).all()
    for place in range(20, 36):  # each card equally often at each place: 125 of 2,000, some 11 more or less
        assert abs(np.bincount(piles[:, place], minlength=16)[:16] - 125).max() < 55


@pytest.mark.whole
def test_nobody_wins_more_often_and_who_knows_the_pile_does(decks):
    """The bound lies between the best player, found by exhaustive search, and one who knows the pile."""
    knows, bounds, best = [], [], []
    for small in decks:
        work, orders = price.workspace_of(small.deck), small.orders(small.start)
        knows.append(np.mean([small.winnable(order, small.start) for order in orders]))
        best.append(small.best(orders, small.start))
        rng = np.full(1, 987654321)
        ways = [bound.cheapest(work, np.array(order), small.start, 60, 10_000_000, rng) for order in orders]
        assert all(whole for _, whole in ways)
        bounds.append(knows[-1] - np.mean([cost for cost, _ in ways]))
        assert bounds[-1] > best[-1] - 0.08  # that much by chance: prices come from 60 piles
    assert np.mean(best) < np.mean(bounds) < np.mean(knows)
    assert np.mean(bounds) - np.mean(best) < (np.mean(knows) - np.mean(best)) / 2


@pytest.mark.whole
def test_more_tries_find_no_cheaper_way():
    few, more = (bound.ways(Task(7, 30, tries), range(3, 6)) for tries in (300, 2_000))
    assert all(one.cost <= other.cost for one, other in zip(few, more, strict=True))
    assert sum(one.cost for one in more) > sum(one.cost for one in few)


def test_the_same_come_out_the_same_wherever_they_are_reckoned():
    task, deals = Task(7, 30, 60), range(3, 5)
    assert [one.cost for one in bound.run(task, deals, "processes:2")] == [one.cost for one in bound.ways(task, deals)]


def test_the_bound_is_less_by_the_cost_than_who_knows_the_pile():
    found = bound.bound(
        Task(1, 10, 10), [CheapestLine(0, 0.1, True, 1.0), CheapestLine(1, 0.3, False, 2.0)], b"w" * 900 + b"l" * 100
    )
    assert found.wins is not None
    assert (found.cost.mean, found.wins.mean, found.whole, found.seconds) == (0.2, 0.7, 1, 1.5)
    assert found.wins.high - 0.7 > found.cost.high - 0.2  # both are estimated
    least = 100 * found.cost.low
    assert f"costs at least {least:.1f}%, with 97.5% confidence (estimate 20.0%)" in bound.as_text(found)
    top = found.wins.high
    assert f"nobody wins more than {100 * top:.1f}%, with 97.5% confidence (estimate 70.0%)" in bound.as_text(found)
    assert "(Schätzung: 70,0\u00a0%)" in bound.as_text(found, "de")
    assert "nobody" not in bound.as_text(bound.bound(Task(1, 10, 10), [CheapestLine(0, 0.1, True, 1.0)]))


def test_one_deal_bounds_no_more_than_who_knows_the_pile():
    found = bound.bound(Task(1, 1, 1), [CheapestLine(0, 0.2, whole=True, spent=1.0)], b"wwlw")
    assert found.cost.low == 0
    assert found.wins.high == pytest.approx(wilson(0.75, 4)[1], abs=1e-6)
    assert "inf" not in bound.as_text(found)


def test_a_cost_is_not_told_below_nothing():
    few = [CheapestLine(deal, cost, False, 1.0) for deal, cost in enumerate((0.0, 0.01))]
    found = bound.bound(Task(1, 10, 10), few, b"wl" * 500)
    assert found.wins is not None
    assert found.cost.low == 0
    assert 0.494 < found.wins.mean < found.wins.high < 0.54  # the share of winnable deals has such an end


def reckoned():
    """The bound, from the published costs and letters."""
    folder = PAGES / "answers"
    with (folder / "hidden.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    ways = [
        CheapestLine(int(row["deal"]), float(row["cost"]), row["whole"] == "True", float(row["seconds"]))
        for row in rows
    ]
    letters = known.read(folder / "decks" / "basic.txt", {"deck": "basic", "seed": 2026})
    return bound.bound(Task(2026, 100, 20_000), ways, letters), rows


def test_the_page_tells_what_was_reckoned():
    found, rows = reckoned()
    page = " ".join((PAGES / "answers" / "hidden.md").read_text("utf-8").split())
    assert found.wins is not None
    most, estimate = (f"{100 * end:.1f} %" for end in (found.wins.high, found.wins.mean))
    assert f"wins more than** | **{most}** with 97.5 % confidence (estimate {estimate})" in page
    assert f"at most {most} with 97.5 % confidence (estimate {estimate})" in page
    least, estimate = (f"{100 * end:.1f} %" for end in (found.cost.low, found.cost.mean))
    sure = f"{least} of the deals with 97.5 % confidence (estimate {estimate})"
    assert f"costs at least | {sure}, from {len(rows)} of them" in page
    assert f"--deals {len(rows)} --seed 2026 --piles 100 --tries 20000" in page
    assert f"{found.whole} of the {len(rows)} ways were followed" in page


def test_other_pages_tell_the_same_bound():
    found, _ = reckoned()
    paper = " ".join((PAGES / "paper.md").read_text("utf-8").split())
    assert found.wins is not None
    least, likely = (f"{100 * end:.1f} %" for end in (found.cost.low, found.cost.mean))
    assert f"costs at least {least} of the deals**, with 97.5 % confidence (estimate {likely})" in paper
    most, likely = (f"{100 * end:.1f} %" for end in (found.wins.high, found.wins.mean))
    for page in ("paper.md", "answers/bots.md"):
        assert f"at most {most} with 97.5 % confidence" in (PAGES / page).read_text("utf-8").replace("\n", " ")
    assert f"(estimate {likely})" in paper


def test_the_card_counts_the_deals_in_which_somebody_can_act():
    played, dice, deals, over = setting("adaman"), FastDice(2026), 50_000, 0
    for _ in range(deals):
        episode = Episode(played)
        episode.throw(dice)
        over += episode.seat is None
    share, (low, high) = over / deals, wilson(over / deals, deals, 1.96)
    card = " ".join((PAGES / "environments.md").read_text("utf-8").split())
    assert f"{100 * share:.2f} % ({100 * low:.2f}–{100 * high:.2f}) of Adaman's deals" in card
    bots = (PAGES / "answers" / "bots.md").read_text("utf-8")
    (coach,) = re.findall(r"4,000, seed 2026 \| (\S+) % \((\S+)–(\S+)\)", bots)
    mean, least, most = (float(part) / (1 - share) for part in coach)
    assert f"which searches | | | | {mean:.1f} % ({least:.1f}–{most:.1f}) |" in card
    wins = reckoned()[0].wins
    assert wins is not None
    assert f"| {100 * wins.high / (1 - high):.1f} % with 97.5 % confidence |" in card
    assert f"Of all deals the coach wins {coach[0]} %, and nobody more than {100 * wins.high:.1f} %." in card
