"""The doubt ledger: rounds with known errors."""

import pytest

from games.annodomini.tables import deal, play
from spieltisch import games
from spieltisch.games.annodomini.bot import Thought
from spieltisch.games.annodomini.ledger import Account, account, rounds
from spieltisch.games.annodomini.review import review
from spieltisch.games.annodomini.stories import stories
from spieltisch.package import FinishedGame


def ledger(dates, *moves, **options):
    state = deal(dates, **options)
    news = list(state.public.news)
    for move in moves:
        state = play(state, move)
        news += state.public.news
    return rounds(news)


def test_the_first_error_who_let_it_pass_and_who_caught_whom():
    dates = "1000 | 1100 | 1200 | 1300 | 1150 | 1500 | 1600 | 1700 | 1800 | 1900"
    (one,) = ledger(dates, (0, 1), (3, 2), "?")  # 1000 below 1150 is wrong, 1300 below both is right
    assert [by for by, _ in one.errors] == [0]
    assert one.passed == (1,)
    assert not one.caught
    assert account([one], 0) == Account(doubts=1, right=1, errors=1, caught=0)


def test_an_error_that_is_doubted_at_once_is_caught():
    dates = "1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1150 | 1700 | 1800 | 1900 | 1910"
    (one,) = ledger(dates, (2, 1), (1, 1), (0, 3), "?", each=3)  # 1100 and 1000 are wrong
    assert [by for by, _ in one.errors] == [1, 0]
    assert one.passed == (0,)
    assert one.caught
    assert account([one], 1) == Account(doubts=1, right=1, errors=1, caught=0)
    assert account([one], 0) == Account(doubts=0, right=0, errors=1, caught=1)


def test_a_right_chain_has_no_error_and_the_doubt_was_wrong():
    dates = "1000 | 1100 | 1200 | 1300 | 1150 | 1500 | 1600 | 1700 | 1800 | 1900"
    (one,) = ledger(dates, (0, 0), "?")
    assert (one.errors, one.passed, one.caught) == ((), (), False)
    assert account([one], 1) == Account(doubts=1, right=0, errors=0, caught=0)


def told(dates, *moves, seats=2, **options):
    state = deal(dates, **options)
    news = list(state.public.news)
    for move in moves:
        state = play(state, move)
        news += state.public.news
    tr = games.package("anno-domini").translator("en", ["Ada", "Ben"])
    return stories(FinishedGame(state, news), seats, tr)


def test_the_awards_tell_what_the_reveals_brought_to_light():
    dates = "1000 | 1100 | 1200 | 1300 | 1150 | 1500 | 1600 | 1700 | 1800 | 1900"
    one = told(dates, (0, 1), (3, 2), "?")
    assert [(award.title, award.seats, award.words, award.shared) for award in one.awards] == [
        ("Sharpest eye", (0,), "1 of 1 doubt right", True),
        ("Boldest bluff", (0,), "1150 above 1000, and nobody doubted", False),
    ]  # the furthest error is that one: it is told once
    assert list(one.lines) == ["1 of 1 doubt right, got away with one wrong card", "no doubts"]


def test_who_is_caught_is_no_bluff_and_may_be_the_furthest_off():
    dates = "1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1150 | 1700 | 1800 | 1900 | 1910"
    one = told(dates, (2, 1), (1, 1), (0, 3), "?", each=3)
    assert [(award.title, award.seats, award.words) for award in one.awards] == [
        ("Sharpest eye", (1,), "1 of 1 doubt right"),
        ("Boldest bluff", (1,), "1150 above 1100, and nobody doubted"),
        ("Furthest off", (0,), "200 years: 1200 above 1000"),
    ]


def test_without_doubts_that_were_right_and_without_errors_nobody_is_told_of():
    dates = "1000 | 1100 | 1200 | 1300 | 1150 | 1500 | 1600 | 1700 | 1800 | 1900"
    one = told(dates, (0, 0), "?")
    assert list(one.awards) == []
    assert list(one.lines) == ["no doubts", "0 of 1 doubt right"]


@pytest.mark.parametrize(
    ("wrong", "penalties", "words"),
    [
        (0.62, {}, "A good bet: doubting pays from 40 % on."),
        (0.396, {}, "A good bet: doubting pays from 40 % on."),  # it says 40 %
        (0.35, {}, "Not a good bet: doubting pays from 40 % on."),
        (0.35, {"doubter_penalty": 1}, "A good bet: doubting pays from 25 % on."),
    ],
)
def test_whether_a_bots_doubt_was_a_good_bet_goes_by_what_it_knew(wrong, penalties, words):
    dates = "1000 | 1100 | 1200 | 1300 | 1150 | 1500 | 1600 | 1700 | 1800 | 1900"
    dealt = state = deal(dates, **penalties)
    news = list(state.public.news)
    for move in ((0, 0), "?"):  # the chain was right
        state = play(state, move)
        news += state.public.news
    tr = games.package("anno-domini").translator("en", ["Ada", "Ben"])
    shown = review([FinishedGame(dealt, news)], 2, [Thought(1, 1, wrong=wrong)], tr)
    [said] = shown["rounds"][0]["thought"]
    assert said.endswith(words)


FIRST = "Ada laid the first wrong card: “0”"


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (((0, 1), "?"), [FIRST, "Ben doubted."]),  # 1000 below 1150
        (((0, 1), (5, 2), "?"), [FIRST, "Ben did not doubt it.", "Ada doubted."]),
        (((0, 1), (5, 2), (4, 2), "?"), [FIRST, "Ben let it pass and doubted later."]),
    ],
)
def test_who_lets_an_error_pass_and_doubts_later_is_told_of_once(moves, said):
    dealt = state = deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1150 | 1700 | 1800 | 1900 | 1910", each=3)
    news = list(state.public.news)
    for move in moves:
        state = play(state, move)
        news += state.public.news
    tr = games.package("anno-domini").translator("en", ["Ada", "Ben"])
    assert review([FinishedGame(dealt, news)], 2, [], tr)["rounds"][0]["told"] == said
