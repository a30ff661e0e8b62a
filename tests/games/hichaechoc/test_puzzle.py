"""The puzzle of the day: its moves, and that the fewest are the fewest."""

import datetime as dt
import random
from collections import deque

import msgspec
import pytest

from spieltisch import daily
from spieltisch.game import Illegal
from spieltisch.games.hichaechoc import puzzle
from spieltisch.games.hichaechoc.agreement import READINGS, agree, readings
from spieltisch.games.hichaechoc.forms import named, shipped

HIC = named("hic")


def of_day(n):
    return puzzle.layout(HIC, daily.seed("hic-haec-hoc", daily.FIRST + dt.timedelta(n), "a hash"))


def moved(whole, steps):
    return "-".join(["t"] * ((whole.best - puzzle.HAND) // 2) + [f"{card}.{reading}" for card, reading in steps])


def plainly(table, middle, hand, row):
    """The fewest moves by trying all of them, one after the other, as the rules tell them."""
    start = (tuple(sorted(hand)), tuple(row), middle, None)
    queue, seen = deque([(start, 0)]), {start}
    while queue:
        (held, left, top, said), made = queue.popleft()
        if not held:
            return made
        following = [(tuple(sorted((*held, left[0]))), left[1:], top, said)] if left else []
        for place, card in enumerate(held):
            rest = (*held[:place], *held[place + 1 :])
            for reading in readings(table, card):
                beneath = readings(table, top) if said is None else (said,)
                if any(agree(reading, one) == 2 for one in beneath):
                    following.append((rest, left, card, reading))
        for state in following:
            if state not in seen:
                seen.add(state)
                queue.append((state, made + 1))
    return None


@pytest.mark.parametrize("name", sorted(shipped()))
def test_the_fewest_moves_of_small_hands_are_found_by_trying_all(name):
    deck, dice = named(name), random.Random(name)
    forms = list(dict.fromkeys(deck.forms()))
    table = bytes(forms.index(form) for form in deck.forms())
    unsolved = 0
    for _ in range(60):
        middle, *cards = dice.sample(list(table), 6)
        hand = dice.randrange(1, 5)
        found = puzzle.fewest(table, middle, cards, hand)
        assert found == plainly(table, middle, cards[:hand], cards[hand:])
        unsolved += found is None
    assert unsolved < 60


def test_the_way_that_is_told_takes_the_fewest_moves():
    for n in range(400):
        whole = of_day(n)
        view = puzzle.play(whole, moved(whole, puzzle.way(whole)))
        assert view.won
        assert view.score == whole.best == puzzle.HAND + 2 * (whole.best - puzzle.HAND) // 2
        assert set(view.marks) <= {"✓", "+"}


def test_a_wrong_card_comes_back_and_the_move_counts():
    whole = of_day(3)
    wrong = next(one for one in READINGS if one not in readings(whole.table, whole.cards[0]))
    view = puzzle.play(whole, f"0.{wrong}")
    assert (view.made, len(view.hand), view.said) == (1, puzzle.HAND, None)
    assert view.wrong is not None
    assert not view.wrong.possible
    assert not view.over


def test_a_card_that_agrees_in_one_or_three_is_wrong():
    whole = of_day(0)
    first, *steps = puzzle.way(whole)
    before = moved(whole, [first])
    hand = [card for card, _ in steps]
    tried = [
        (card, reading)
        for card in hand
        for reading in readings(whole.table, whole.cards[card])
        if agree(reading, first[1]) != 2
    ]
    assert tried
    for card, reading in tried:
        view = puzzle.play(whole, f"{before}-{card}.{reading}")
        assert view.wrong is not None
        assert view.wrong.possible
        assert (card, whole.forms[whole.cards[card]]) in view.hand


def test_it_is_lost_when_the_moves_are_used_up():
    whole = of_day(1)
    wrong = next(one for one in READINGS if one not in readings(whole.table, whole.cards[0]))
    moves = "-".join([f"0.{wrong}"] * (whole.best + puzzle.SPARE))
    view = puzzle.play(whole, moves)
    assert view.over
    assert not view.won
    with pytest.raises(Illegal):
        puzzle.play(whole, f"{moves}-0.0")


@pytest.mark.parametrize("moves", ["x", "0.30", "7.0", "99.1", "0", "t-t-t-t-t-t", "-", "0.1-"])
def test_what_is_no_move_is_refused(moves):
    with pytest.raises(Illegal):
        puzzle.play(of_day(2), moves)


def test_nothing_is_seen_before_the_end_but_what_lies_open():
    for n in range(100):
        whole = of_day(n)
        steps = puzzle.way(whole)
        seen = msgspec.to_builtins(puzzle.play(whole, moved(whole, steps[:3])))
        assert seen.pop("said") == steps[2][1]
        assert not seen.pop("line")
        assert seen.keys() == {
            "moves", "over", "won", "score", "marks", "hand", "row", "middle", "best", "made", "left", "wrong",
        }  # fmt: skip
