"""Pupils to tables: what holds for every number of pupils, on many random classes."""

import random
from itertools import combinations, pairwise, product

import pytest

from spieltisch.classroom import groups
from spieltisch.classroom.pseudonyms import pseudonym
from spieltisch.game import Invalid
from spieltisch.games import packages
from spieltisch.languages import LANGUAGES
from spieltisch.table.names import LONGEST

MOST = sorted({package.rules.seats[-1] for package in packages().values()} - {1})


@pytest.mark.parametrize("most", MOST)
@pytest.mark.parametrize("wanted", [2, 3, 4, 5, 6])
def test_no_table_of_one_and_sizes_differ_by_one_at_most(most, wanted):
    for pupils in range(2, 41):
        each = groups.sizes(pupils, wanted, most)
        assert sum(each) == pupils
        assert 2 <= min(each) <= max(each) <= most
        assert max(each) - min(each) <= 1
        if pupils % wanted == 0 and wanted <= most:
            assert set(each) == {wanted}


def test_one_pupil_plays_with_bots_and_what_cannot_be_is_said():
    assert groups.sizes(1, 4, 6) == (1,)
    assert groups.sizes(0, 4, 6) == ()
    with pytest.raises(Invalid):
        groups.sizes(3, 2, 2)


def every_way(dice, pupils, each):
    before = [groups.at_random(pupils, groups.sizes(len(pupils), 4, 6), dice) for _ in range(dice.randrange(4))]
    labels = {one: dice.choice("ABC") for one in pupils if dice.random() < 0.8}
    return {
        "random": groups.at_random(pupils, each, dice),
        "number": groups.in_turn(sorted(pupils), each),
        "label": groups.by_label(pupils, each, labels),
        "before": groups.as_before(pupils, each, before[-1] if before else ()),
        "mixer": groups.mixed(pupils, each, before, dice),
    }


def test_each_way_seats_everybody_once_at_tables_of_these_sizes():
    dice = random.Random(1)
    for n in range(1, 41):
        pupils = dice.sample(range(1, 64), n)
        each = groups.sizes(n, dice.randrange(2, 6), 6)
        for way, found in every_way(dice, pupils, each).items():
            assert sorted(one for table in found for one in table) == sorted(pupils), (way, n)
            assert [len(table) for table in found] == list(each), (way, n)


def test_the_mixer_brings_nobody_together_twice_while_that_is_possible():
    dice = random.Random(3)
    pupils, before = range(1, 29), []
    for _ in range(4):
        before.append(groups.mixed(pupils, groups.sizes(28, 4, 6), before, dice))
    pairs = [frozenset(pair) for tables in before for table in tables for pair in combinations(table, 2)]
    assert len(pairs) == len(set(pairs))
    eight = [groups.in_turn(range(1, 9), (4, 4))]  # two of the same four have to meet again
    again = groups.mixed(range(1, 9), (4, 4), eight, dice)
    assert all(len({*table} & {1, 2, 3, 4}) == 2 for table in again)


def test_as_last_time_keeps_together_who_is_here():
    before = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12))
    assert groups.as_before(range(1, 13), (4, 4, 4), before) == before
    two_away = groups.as_before([1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12], (4, 4, 3), before)
    assert (1, 2, 3) in two_away
    with_new = groups.as_before([*range(1, 13), 40], (4, 3, 3, 3), before)
    assert sum(len({*old} & {*new}) >= 3 for old in before for new in with_new) == 3


def test_labels_stand_together():
    labels = {1: "B", 2: "A", 3: "B", 4: "A", 5: "B", 6: "A"}
    assert groups.by_label(range(1, 9), (3, 3, 2), labels) == ((2, 4, 6), (1, 3, 5), (7, 8))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pseudonyms_are_enough_and_short(lang):
    words = LANGUAGES[lang].pseudonyms
    assert len(words.places) * len(words.animals) > 10 * 63
    for each in (words.places, words.animals):
        assert len(set(each)) == len(each)
        assert all(a < b for a, b in pairwise([word.lower() for word in each if word.isascii()]))
    names = {
        words.pattern.format(place=one, animal=other): (one, other)
        for one, other in product(words.places, words.animals)
    }
    assert max(map(len, names)) <= LONGEST
    dice, taken = random.Random(2), []
    for _ in range(63):
        taken.append(pseudonym(lang, taken, dice))
    assert len(set(taken)) == 63
    assert [len({*each}) for each in zip(*map(names.get, taken[:20]), strict=True)] == [20, 20]  # one word is enough
