"""Two cards in two moves: a search that knows nothing of the puzzle finds the one way that it has."""

import random

from spieltisch.games.hichaechoc import pairs
from spieltisch.games.hichaechoc.forms import CELLS, named


def fits(one, other):
    return sum(a == b for a, b in zip(one, other, strict=True)) == 2


def test_exactly_one_way_leads_to_an_empty_hand():
    deck = named("hic")
    cells = dict(zip(CELLS, deck.forms(), strict=True))
    seen = set()
    for n in range(1, 31):
        card = f"day/2026-11-{n:02}"
        pair, task = pairs.pair(deck, card), pairs.task(deck, "hic", card, random.Random(n))
        hand = [pair.forms[one] for one in pair.hand]
        said = CELLS[pair.said]
        assert cells[said] == pair.forms[pair.middle]
        begins = [
            (k, cell) for k, form in enumerate(hand) for cell in CELLS if cells[cell] == form and fits(cell, said)
        ]
        wins = [
            (k, cell) for k, cell in begins if any(cells[then] == hand[1 - k] and fits(then, cell) for then in CELLS)
        ]
        assert len(begins) >= 2
        [(k, cell)] = wins
        assert task.right == (task.shown.index(f"{k}.{CELLS.index(cell)}"),)
        assert len({*task.shown}) == task.choices == pairs.CHOICES
        seen.add((pair.middle, *pair.hand))
    assert len(seen) > 20


def test_only_a_day_has_such_a_puzzle():
    assert pairs.pair(named("hic"), "hic") is None
    assert pairs.pair(named("hic"), "day/tomorrow") is None
