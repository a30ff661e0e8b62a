"""The tiny games: how large their trees are, equilibria, and how far off strategies are as OpenSpiel reckons it."""

import numpy as np
import pyspiel  # ty: ignore[import-not-found] - a module in C++
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import best_response, expected_game_score, exploitability

from matrix import sampled
from spieltisch.game import Invalid
from spieltisch.study.environments import spiel, tiny
from spieltisch.study.environments import tree as trees
from spieltisch.study.environments.equilibrium import Solver, refusing
from spieltisch.study.environments.knowledge import Knowledge
from spieltisch.study.environments.setting import Setting, setting
from spieltisch.study.environments.sizes import measure
from spieltisch.study.environments.tree import walk


def told_of(whole, sigma, which):
    """The game in which each seat is told of one secret alone, off by one of two errors."""
    knowledge = Knowledge(sigma=sigma, steps=2, heard=((which,), (which,)))
    return Setting(whole.package, 2, whole.options, whole.deck, knowledge, whole.most, whole.narrowed)


COUNTED = {  # nodes of chance, choices, ends; information sets
    "anno_domini": ((2117, 580, 2480), 6264),
    "hic_haec_hoc": ((3, 11272, 21614), 20328),
    "trailblaze": ((61, 4110, 4860), 22566),
    "adaman": ((1, 6394, 9886), 6393),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(COUNTED, ["anno_domini", "trailblaze"]))
def test_the_size_of_the_tiny_games(name):
    nodes, sets = COUNTED[name]
    tree = walk(getattr(tiny, name)())
    assert tuple(tree.nodes().values()) == nodes
    assert tree.information_sets() == sets <= 25_000


class Played(policy.Policy):
    """Strategies on our tree as OpenSpiel's policy, found by what is noticed and what was told."""

    def __init__(self, game, tree, strategies):
        super().__init__(game, [0, 1])
        self._tree, self._strategies = tree, strategies

    def action_probabilities(self, state, player_id=None):
        seat = state.current_player() if player_id is None else player_id
        tree, episode = self._tree, state.episode
        told = tuple(one for one in episode.signals[seat] if one is not None)
        bare = [seat, *episode.memory(seat)[1 + sum(2 if one is not None else 1 for one in episode.signals[seat]) :]]
        key, signal = tree.keys[seat].index(tuple(bare)), tree.told[seat].index(told)
        rows = range(tree.starts[seat][key], tree.starts[seat][key + 1])
        return {
            number: self._strategies[seat][row, signal] for number, row in zip(state.legal_actions(), rows, strict=True)
        }


# What OpenSpiel has to walk through grows with every signal, so with signals each seat is told one thing, off by one of
# two errors, and hic – haec – hoc is left out. Else these are the games of docs/answers/tiny.md.
PUBLISHED = {
    "anno_domini": tiny.anno_domini(None),
    "trailblaze": tiny.trailblaze(None),
    "hic_haec_hoc": tiny.hic_haec_hoc(None),
    "anno_domini, told of the middle": told_of(tiny.anno_domini(), 1.0, 4),
    "trailblaze, told of the middle": told_of(tiny.trailblaze(), 1.0, 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(PUBLISHED, ["anno_domini"]))
def test_openspiel_finds_strategies_as_far_off_as_we_do(name):
    tree, game = walk(PUBLISHED[name]), spiel.load(PUBLISHED[name])
    solver = Solver(tree)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    found = solver.solve(most=20, least=0)
    theirs = exploitability.exploitability(game, Played(game, tree, found.strategies))
    assert found.exploitability == pytest.approx(theirs, abs=1e-12)
    assert found.exploitability < solver.exploitability(solver.uniform())


@pytest.mark.slow
@pytest.mark.whole
def test_openspiel_wins_as_much_alone_as_we_do():
    tree, game = walk(tiny.adaman()), spiel.load(tiny.adaman())
    solver, anyhow = Solver(tree), policy.UniformRandomPolicy(game)
    root = game.new_initial_state()
    best = best_response.BestResponsePolicy(game, 0, anyhow, root).value(root)
    assert solver.best_response(0, solver.uniform()) == pytest.approx(best)
    assert solver.value(solver.uniform()) == pytest.approx(expected_game_score.policy_value(root, [anyhow])[0])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sigma", "word"), [("anno_domini", 0.0, "doubt"), ("trailblaze", None, "swap")])
def test_an_equilibrium_is_found(name, sigma, word):
    tree = walk(getattr(tiny, name)(sigma))
    solver = Solver(tree)
    found = solver.solve(least=0.002)
    assert found.exploitability < 0.002
    for seat, strategy in enumerate(found.strategies):
        sums = np.add.reduceat(strategy, tree.starts[seat][:-1], axis=0)
        assert np.allclose(sums, 1)
        assert (strategy >= 0).all()
    # who may do less wins no more
    allowed = refusing(tree, 1, lambda action: str(action) == word)
    kept = Solver(tree, {1: allowed}).solve(least=0.002)
    assert kept.value > found.value - 0.005
    assert not kept.strategies[1][~allowed].any()
    assert any(str(action) == word for action, may in zip(tree.rows[1], allowed, strict=True) if not may.any())


def test_a_game_for_one_is_solved_as_well():
    tree = walk(tiny.adaman(0, 1))
    solver = Solver(tree)
    found = solver.solve(least=0.001)
    assert found.value == pytest.approx(solver.best_response(0, solver.uniform()), abs=0.001)
    assert found.value > solver.value(solver.uniform())


def test_what_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(trees, "LARGEST", 1000)
    with pytest.raises(Invalid, match="more than 1000 nodes"):
        walk(tiny.anno_domini())
    with pytest.raises(Invalid, match="one or two seats"):
        walk(setting("trailblaze", 3, cards=5))


def test_a_size_is_that_of_the_tree():
    """Where all games are alike, the estimate is the number."""
    played = setting("trailblaze", 2, cards=4, most=2, deck=None)
    size = measure(played, games=30, seed=1)
    assert (size.length, size.longest, size.widest) == (2, 2, 2)
    before = 24 * 12 * 24  # numbers of cards, who begins, the order of the deck
    assert 10**size.histories == pytest.approx(before * (1 + 2))
