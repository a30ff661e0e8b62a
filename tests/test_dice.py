"""Chance: vectors for the sealed dice (worked out by a program apart from ours), fairness, refusals."""

import copy
import pickle
import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from spieltisch.dice import LONGEST, CommittedDice, FastDice, ScriptedDice, check, dues, resolve, seal, throw
from spieltisch.game import Faulty, Invalid, Pick, Shuffle
from toys.highest import rules

SEED = bytes(range(16))
ALIAS = (16, 18, 4, 21, 31, 29, 25, 35, 20, 5, 24, 32, 17, 2, 13, 1, 30, 22, 15, 28, 3, 11, 0, 7, 12, 6, 10,
         23, 9, 27, 33, 34, 19, 26, 8, 14)  # fmt: skip


toy: Any = rules  # a module, whose types are narrower than those of any game


def deck(n):
    return Shuffle(tuple(range(n)))


def test_sealed_vectors():
    dice = CommittedDice(SEED, "deal")
    assert seal(SEED) == "be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991"
    assert dice.throw(deck(10), 0) == (8, 2, 7, 4, 0, 5, 9, 3, 6, 1)
    assert dice.throw(deck(10), 1) == (3, 4, 1, 9, 5, 8, 6, 2, 7, 0)
    assert dice.throw(Pick(12), 2) == 8
    assert CommittedDice(SEED, "alias").throw(deck(36), 0) == ALIAS


def test_a_throw_depends_only_on_seed_stream_and_number():
    assert CommittedDice(SEED, "deal").throw(deck(10), 1) == CommittedDice(SEED, "deal").throw(deck(10), 1)
    assert CommittedDice(SEED, "deal").throw(deck(30), 1) != CommittedDice(SEED, "deal").throw(deck(30), 2)
    assert CommittedDice(SEED, "deal").throw(deck(30), 1) != CommittedDice(SEED, "alias").throw(deck(30), 1)
    assert CommittedDice(SEED, "deal").throw(deck(30), 1) != CommittedDice(bytes(16), "deal").throw(deck(30), 1)


def test_a_shuffle_keeps_the_items_and_what_is_double():
    shuffled = CommittedDice(SEED, "deal").throw(Shuffle((5, 5, 2, 9)), 0)
    assert isinstance(shuffled, tuple)
    assert sorted(shuffled) == [2, 5, 5, 9]


@pytest.mark.parametrize("thrown", ["sealed", "quick"])
def test_every_order_comes_equally_often(thrown):
    sealed, quick = CommittedDice(SEED, "deal"), FastDice(1)
    due = deck(4)
    seen = Counter(sealed.throw(due, n) if thrown == "sealed" else throw(quick, due) for n in range(24_000))
    assert set(seen) == set(permutations(range(4)))
    statistic = sum((count - 1000) ** 2 / 1000 for count in seen.values())
    assert statistic < 80, "chi-squared with 23 degrees of freedom: one in ten million above 80"


def test_a_number_below_is_never_skewed():
    dice = FastDice(3)
    assert {dice.below(3) for _ in range(200)} == {0, 1, 2}
    assert {CommittedDice(SEED, "x").throw(Pick(3), n) for n in range(200)} == {0, 1, 2}


@pytest.mark.parametrize("seed", [1, "a seed", b"a seed"])
def test_quick_dice_throw_what_the_standard_twister_throws(seed):
    quick, twister = FastDice(seed), random.Random(seed)
    for n in (*range(1, 70), 127, 128, 129, 336):
        items = list(range(n))
        twister.shuffle(items)
        assert quick.shuffle(range(n)) == tuple(items)
        assert quick.below(n) == twister.randrange(n)
        assert quick.choice(items) == twister.choice(items)
        assert quick.random() == twister.random()


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda dice: pickle.loads(pickle.dumps(dice))])
def test_a_copy_of_quick_dice_throws_the_same_and_shares_nothing(way):
    dice = FastDice(5)
    dice.below(6)
    other = way(dice)
    thrown = [other.below(1000) for _ in range(20)]
    assert [dice.below(1000) for _ in range(20)] == thrown
    assert other.random() == dice.random()


def test_quick_dice_refuse_to_choose_from_nothing():
    assert FastDice(1).shuffle(()) == ()
    with pytest.raises(IndexError):
        FastDice(1).choice(())
    with pytest.raises(ValueError, match="0"):
        FastDice(1).below(0)


def test_seeds_have_sixteen_bytes():
    with pytest.raises(Invalid, match="16 bytes"):
        CommittedDice(b"short", "deal")


def test_what_a_script_says_is_checked():
    script = ScriptedDice([(2, 1, 0), (0, 0, 1)])
    assert script.throw(deck(3)) == (2, 1, 0)
    with pytest.raises(Invalid, match="permutation"):
        script.throw(deck(3))
    with pytest.raises(Invalid, match="none is left"):
        script.throw(deck(3))


@pytest.mark.parametrize("outcome", [True, 12, -1, "3", None, (1,)])
def test_a_pick_is_a_number_in_its_range(outcome):
    with pytest.raises(Invalid, match="0 to 11"):
        check(Pick(12), outcome)
    assert check(Pick(12), 11) == 11


@pytest.mark.parametrize("outcome", [[0, 1, 2], (0, 1), (0, 1, 2, 3), (0, 1, 1), 2])
def test_a_shuffle_is_a_permutation(outcome):
    with pytest.raises(Invalid, match="permutation of the 3"):
        check(deck(3), outcome)


def test_chance_without_an_end_is_a_fault_of_the_game(monkeypatch):
    state = rules.setup(2, rules.Options(), rules.DECK)
    monkeypatch.setattr(rules, "resolve_chance", lambda state, outcome: state)
    with pytest.raises(Faulty, match="highest have a fault: chance is pending again and again"):
        resolve(toy, state, lambda due: throw(FastDice(1), due))
    with pytest.raises(Faulty, match="again and again"):
        list(dues(lambda: Pick(2), "highest"))


def test_as_much_chance_in_a_row_as_is_allowed_is_none():
    thrown = iter([*[Pick(2)] * (LONGEST - 1), None])
    assert len(list(dues(lambda: next(thrown), "highest"))) == LONGEST - 1


def test_rules_that_return_no_state_are_at_fault(monkeypatch):
    monkeypatch.setattr(rules, "resolve_chance", lambda state, outcome: None)
    with pytest.raises(Faulty, match="they return NoneType instead of a State"):
        resolve(toy, rules.setup(2, rules.Options(), rules.DECK), lambda due: throw(FastDice(1), due))
