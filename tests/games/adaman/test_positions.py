"""Moments of a game as a text, and what is asked about them."""

import random

import pytest

from spieltisch.dice import FastDice, numbered_pile
from spieltisch.game import see
from spieltisch.games.adaman import payments, positions, rules
from spieltisch.games.adaman.decktet import Deck, decktet
from spieltisch.games.adaman.options import Options
from spieltisch.games.adaman.positions import CHOICES, CLEAR
from spieltisch.games.adaman.state import Control


def moments(deals=20):
    deck = decktet()
    for deal in range(1, deals + 1):
        dice, begun = FastDice(deal), rules.setup(1, Options(), deck)
        state = rules.resolve_chance(begun, numbered_pile("adaman", deal, len(deck.cards)))
        while legal := rules.legal(see(state, 0)):
            action = dice.choice(legal)
            yield state, action
            state = rules.apply(state, 0, action)


def test_a_moment_is_read_as_it_was_written():
    seen = 0
    for state, action in moments():
        made = Control(action.target, tuple(sorted(action.payment)))
        view, found = positions.read(positions.written(state.public, made))
        was, now = state.public, view.public
        assert found == made
        assert now.pile == was.pile
        for row in ("capital", "palace", "resources", "personalities", "discarded"):
            assert getattr(now, row) == tuple(sorted(getattr(was, row)))
        alike = [{(one.target, frozenset(one.payment)) for one in rules.legal(each)} for each in (view, see(state, 0))]
        assert alike[0] == alike[1]
        seen += 1
    assert seen > 100


def test_a_table_with_rows_of_its_own_writes_the_same():
    deck = decktet()
    own = FastDice(3).shuffle(range(len(deck.cards)))  # the place of each row in the basic deck
    laid = Deck(deck.id, tuple(deck.cards[card] for card in own))
    pile = numbered_pile("adaman", 7, len(own))
    usual, other = (
        rules.resolve_chance(rules.setup(1, Options(), each), cards)
        for each, cards in ((deck, pile), (laid, tuple(own.index(card) for card in pile)))
    )
    made = rules.legal(see(usual, 0))[-1]
    same = Control(own.index(made.target), tuple(own.index(card) for card in made.payment))
    assert positions.is_basic(other.public)
    assert positions.written(other.public, same) == positions.written(usual.public, made)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "." * 36,
        "c" * 36,
        "r" * 36,
        "." * 35,
        "day/2026-11-28",
        "." * 31 + "ccccc",
        "." * 36 + "/1:2",
        "p" * 36,
    ],
)
def test_a_foreign_text_is_no_moment(text):
    assert positions.read(text) is None


def test_a_payment_that_cannot_be_made_is_no_moment():
    state, action = next(moments())
    text = positions.written(state.public, action).partition("/")[0]
    assert positions.read(text) is not None
    assert positions.read(f"{text}/0:35") is None


def test_every_payment_that_is_about_as_good_is_right_and_ones_own_is_offered():
    state = next(state for state, _ in moments() if len(rules.legal(see(state, 0))) > 6)
    legal = rules.legal(see(state, 0))
    judged = [(one, 0.6 - 0.03 * n) for n, one in enumerate(legal)]
    for seed in range(20):
        made = legal[-1]
        task = positions.task("x", judged, made, random.Random(seed))
        assert task.choices == CHOICES
        assert positions.payment_text(made) in task.shown
        assert task.worth[task.right[0]] == 0.6
        assert {*task.right} == {n for n, worth in enumerate(task.worth) if worth >= 0.6 - CLEAR}
        assert len({*task.shown}) == CHOICES


def test_the_shipped_payments_have_one_that_is_clearly_the_best():
    shipped = payments.payments()
    assert len({one.moment for one in shipped}) == len(shipped) >= 366  # one for each day of a year
    for one in shipped:
        view, _ = positions.read(one.moment)
        legal = {(each.target, frozenset(each.payment)) for each in rules.legal(view)}
        assert all((each.target, frozenset(each.payment)) in legal for each, _ in one.offered)
        chances = [round(100 * chance) for _, chance in one.offered]
        assert len(chances) > 1
        assert chances[0] >= chances[1] + 100 * CLEAR
        assert payments._read(payments.written(one)) == one
