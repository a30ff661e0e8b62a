"""Copies: a copied match is a fork, a pickled one its record, whatever game it is and wherever it is read."""

import copy
import multiprocessing
import pickle
import random
from operator import methodcaller

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spieltisch
from matrix import many
from spieltisch import games
from spieltisch.brief import MOST

GAMES = ("adaman", "anno-domini", "hic-haec-hoc", "trailblaze")
FEW = {"anno-domini": {"cards_per_player": 3, "max_rounds": 6}}
WAYS = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda one: pickle.loads(pickle.dumps(one))}


def toy(seed):
    """A match of a game that lies outside the package."""
    package = games.load("toys.highest")
    assert package is not None
    return spieltisch.Match(package, package.rules.Options(), package.rules.DECK, ("", "Ben"), seed)


def begun(game, seed):
    return toy(seed) if game == "toy" else spieltisch.new(game, seed=seed, **FEW.get(game, {}))


def at_random(match, dice, most):
    while most and not match.over:
        match.play(dice.choice(match.legal))
        most -= 1
    return match


def told(match):
    """All that a match says of itself."""
    record = match.record() if match.package.name in GAMES else None
    return match.state, match.history, match.legal, match.to_act, match.result, match.seed, match.names, record


@pytest.mark.parametrize("game", [*GAMES, "toy"])
@settings(max_examples=many(10, 25), deadline=None)
@given(seed=st.integers(0, 1 << 32), actions=st.integers(0, 30), way=st.sampled_from(sorted(WAYS)))
def test_a_copy_goes_on_as_the_original_and_spoils_nothing(game, seed, actions, way):
    dice = random.Random(seed)
    match = at_random(begun(game, seed), dice, actions)
    before, other = told(match), WAYS[way](match)
    assert told(other) == before
    assert other is not match
    went = told(at_random(other, random.Random(seed), 20))
    assert told(match) == before
    assert told(at_random(match, random.Random(seed), 20)) == went


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_what_a_match_shows_is_copied_pickled_and_short(game):
    dice = random.Random(game)
    for seed in range(many(1, 4)):
        match = begun(game, seed)
        while not match.over:
            shown = [match.view(seat) for seat in (None, *range(match.seats))]
            shown += [match.state, match.legal, match.legal[0], match.deck, match.options]
            shown += [match.state.public, match.state.hidden, *match.state.own]
            for one in shown:
                assert all(way(one) == one for way in WAYS.values())
                assert len(repr(one)) <= MOST
            match.play(dice.choice(match.legal))
        assert max(len(repr(one)) for one in (match, match.show(), match.package, match.result)) <= MOST
        assert WAYS["pickle"](match.history) == match.history
        assert repr(WAYS["pickle"](match.show())) == repr(match)
        assert WAYS["pickle"](match.result) == match.result


@pytest.mark.parametrize("how", multiprocessing.get_all_start_methods())
def test_other_processes_get_matches_and_give_them_back(how):
    matches = [at_random(begun(game, 7), random.Random(7), 1) for game in (*GAMES, "toy")]
    with multiprocessing.get_context(how).Pool(1) as pool:
        assert pool.map(methodcaller("bot", "random"), matches) == [match.bot("random") for match in matches]
        back = pool.map(copy.copy, matches)
    for match, other in zip(matches, back, strict=True):
        assert told(other) == told(match)
        assert told(at_random(other, random.Random(1), 20)) == told(at_random(match, random.Random(1), 20))


def test_a_refusal_comes_back_from_another_process():
    record = begun("adaman", 1).record()
    record["log"].append({})
    with pytest.raises(spieltisch.InvalidRecord) as refused:
        spieltisch.load(record)
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.entry) == (str(refused.value), 2)
