"""The laws on the toy game of the tests, and the laws themselves: each notices the fault it is for."""

import itertools
from types import SimpleNamespace

import pytest

from spieltisch.dice import FastDice
from spieltisch.game import Shuffle, State, see
from spieltisch.testing import check_game, check_imagination
from toys.highest import rules
from toys.highest.rules import DECK, Change, Deck, Hidden, Options, Own, Public


def deal(dice: FastDice):
    return dice.choice(rules.seats), Options(change=dice.below(4) > 0), DECK


def cards(state):
    return [*state.hidden.pile, *(own.card for own in state.own)]


def check(game=rules, **more):
    check_game(game, deal, cards=cards, bound=4, examples=15, **more)


def broken(**parts):
    """The toy game with some functions put in the place of its own."""
    return SimpleNamespace(**{n: getattr(rules, n) for n in dir(rules) if not n.startswith("_")} | parts)


def test_the_toy_keeps_the_laws():
    check()


def test_worlds_come_equally_often():
    state = rules.resolve_chance(rules.setup(2, Options(), Deck((1, 2, 3, 4, 5))), (3, 0, 1, 2, 4))
    state = rules.apply(state, 0, Change())  # seat 0: 1, under the pile 3
    unseen = [0, 2, 4]
    worlds = [
        State(state.public, (state.own[0], Own(order[0])), Hidden((*order[1:], 3)))
        for order in itertools.permutations(unseen)
    ]
    assert state in worlds
    check_imagination(rules, see(state, 0), worlds)


def test_a_resampler_that_returns_the_truth_is_noticed():
    state = rules.resolve_chance(rules.setup(2, Options(), Deck((1, 2, 3))), (2, 1, 0))
    worlds = [State(state.public, (state.own[0], Own(a)), Hidden((b,))) for a, b in ((0, 1), (1, 0))]
    with pytest.raises(AssertionError, match="chi-squared"):
        check_imagination(broken(imagine=lambda view, dice: state), see(state, 0), worlds)


def test_a_leak_into_public_is_noticed():
    def apply(state, seat, action):
        after = rules.apply(state, seat, action)
        p = after.public
        leak = Public(p.options, p.seats, (*p.ranks, after.own[seat].card), p.turn, p.changed, p.shown, p.news)
        return State(leak, after.own, after.hidden)

    with pytest.raises(AssertionError):
        check(broken(apply=apply))


def test_views_that_differ_with_the_same_news_are_noticed():
    def apply(state, seat, action):
        after = rules.apply(state, seat, action)
        p = after.public
        return State(Public(p.options, p.seats, p.ranks, p.turn, p.changed, p.shown, ()), after.own, after.hidden)

    with pytest.raises(AssertionError, match="news"):
        check(broken(apply=apply))


def test_an_action_that_is_offered_but_refused_is_noticed():
    with pytest.raises(Exception, match="not changed"):
        check(broken(legal=lambda view: rules.legal(view) and (rules.Keep(), Change())))


def test_an_action_that_is_taken_but_not_offered_is_noticed():
    def apply(state, seat, action):
        return rules.apply(state, (*rules.to_act(state.public), seat)[0], action)  # whoever sends it

    with pytest.raises(AssertionError, match="was taken"):
        check(broken(apply=apply))


def test_a_card_that_lies_in_two_places_is_noticed():
    def apply(state, seat, action):
        after = rules.apply(state, seat, action)
        return State(after.public, after.own, Hidden((*after.hidden.pile, 0)))

    with pytest.raises(AssertionError, match="two places"):
        check(broken(apply=apply))


def test_chance_without_an_end_is_noticed():
    endless = broken(pending_chance=lambda state: Shuffle(DECK.cards), resolve_chance=lambda state, outcome: state)
    with pytest.raises(AssertionError, match="chance is pending again and again"):
        check(endless)


def test_chance_without_an_end_after_an_action_in_a_world_is_noticed():
    def pending_chance(state):
        return Shuffle(DECK.cards) if state.public.turn in (None, 1) and not state.public.changed else None

    def resolve_chance(state, outcome):
        return rules.resolve_chance(state, outcome) if state.public.turn is None else state

    with pytest.raises(AssertionError, match="chance is pending again and again"):
        check(broken(pending_chance=pending_chance, resolve_chance=resolve_chance))
