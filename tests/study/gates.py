"""The checks that environments have to pass, by their libraries' own test suites; `make study` runs them whole.

The tests run them shortened, and both treat warnings as errors.
"""

import random
import sys
import time
import warnings

import pyspiel  # ty: ignore[import-not-found] - a module in C++
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test

from spieltisch.study.environments import aec, solitaire, spiel
from spieltisch.study.environments.setting import setting

SETTINGS = {
    "anno-domini": {"seats": 2},
    "anno-domini, three who know": {"seats": 3, "cards_per_player": 4, "cards": 35, "knowledge": "noise/100"},
    "trailblaze": {"seats": 2, "knowledge": "noise/50"},
    "trailblaze, four": {"seats": 4, "cards": 40, "middle_card": "stays"},
    "hic-haec-hoc": {"seats": 2, "knowledge": "noise/0.1"},
    "hic-haec-hoc, three to the end": {"seats": 3, "joker": True, "play_on": True, "contest_price": 1, "most": 200},
    "hic-haec-hoc, five with open forms": {"seats": 5, "mode": "assisted", "joker": True},
    "adaman": {},
    "adaman, with the Excuse": {"extra": ["excuse", "watchman"], "reward": "progress"},
}

UNLISTED = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""PettingZoo's warning for every dict with a mask, except in environments that it knows by name."""


def made(name):
    """The setting of this name."""
    return setting(name.partition(",")[0], **SETTINGS[name])


def petting_zoo(played, cycles):
    """api_test, seed_test, render_test and test_save_obs, with the mask in the info and in the observation."""
    api_test(aec.env(played, mask="info"), num_cycles=cycles)
    seed_test(lambda: aec.env(played, mask="info"), num_cycles=cycles)
    seed_test(lambda: aec.env(played), num_cycles=cycles)
    render_test(lambda render_mode: aec.env(played, render_mode=render_mode))
    save_obs_test(aec.env(played))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(aec.env(played), num_cycles=cycles)
    assert {str(one.message) for one in said} == UNLISTED


def gymnasium(played):
    """check_env, with rendering, alone or against random players, with the mask in the info and in the observation."""
    against = None if played.seats == 1 else "random"
    for mask in ("info", "observation"):
        check_env(solitaire.env(played, against=against, mask=mask), skip_render_check=False)


def open_spiel(game, sims, looks=1):
    """random_sim_test, and the requirements of api_test and ResampleInfostateTest, in `looks` random games."""
    pyspiel.random_sim_test(game, num_sims=sims, serialize=True, verbose=False)
    dice = random.Random(1)
    players = range(game.num_players())
    for _ in range(looks):
        state, known = game.new_initial_state(), {}
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                assert abs(sum(chances) - 1) < 1e-9
                state.apply_action(dice.choices(outcomes, chances)[0])
                continue
            acting = state.current_player()
            for player in players:
                assert bool(state.legal_actions(player)) == (player == acting)
                other = state.resample_from_infostate(player, dice.random)
                for told in ("information_state_string", "information_state_tensor", "observation_tensor"):
                    assert getattr(other, told)(player) == getattr(state, told)(player), told
                assert other.current_player() == acting
                if player == acting:
                    assert other.legal_actions() == state.legal_actions()
            action = dice.choice(state.legal_actions())
            remembered = state.information_state_string(acting)
            assert remembered.startswith(known.get(acting, "")), "what was known is forgotten"
            known[acting] = remembered
            state.apply_action(action)
        assert not state.legal_actions()
        assert all(not state.legal_actions(player) for player in players)
        total = sum(state.returns())
        if game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM:
            assert total == 0
        else:
            assert total in (0, 1) or (game.setting.reward == "progress" and 0 <= total <= 1)


def main():
    warnings.simplefilter("error")
    for name in SETTINGS:
        begin, played = time.perf_counter(), made(name)
        petting_zoo(played, 1000)
        gymnasium(played)
        open_spiel(spiel.load(played) if "," in name else loaded(name), 100, looks=3)
        print(f"{name}: all gates passed in {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)


def loaded(name):
    """The game, loaded by its name by OpenSpiel itself."""
    given = ",".join(f"{'players' if key == 'seats' else key}={value}" for key, value in SETTINGS[name].items())
    return pyspiel.load_game(f"spieltisch_{name.replace('-', '_')}({given})")


if __name__ == "__main__":
    main()
