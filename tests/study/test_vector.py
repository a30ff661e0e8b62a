"""Many games at once: what is shown and paid is what the environments for one game show and pay, byte by byte."""

import copy
import pickle
import sys
import zlib

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from spieltisch import makers
from spieltisch.cli import warm
from spieltisch.extras import MissingExtraError
from spieltisch.game import Illegal, Invalid
from spieltisch.study.environments import aec, solitaire, vector
from spieltisch.study.environments.setting import setting

pytestmark = pytest.mark.slow  # the first one compiles

MANY = 24
SETTINGS = {
    "adaman": {},
    "adaman, for the score": {"reward": "score", "most": 7},
    "adaman, with the Excuse": {"extra": ["excuse", "watchman"], "reward": "progress"},
    "hic-haec-hoc": {"mode": "assisted"},
    "hic-haec-hoc, three to the end": {"mode": "assisted", "seats": 3, "joker": True, "play_on": True, "most": 30},
    "hic-haec-hoc, four with many cards": {"mode": "assisted", "seats": 4, "joker": True, "cards_per_player": 7},
}


def made(name):
    """The setting of this name."""
    return setting(name.partition(",")[0], **SETTINGS[name])


class Dice:
    """Throws for one game what a vector environment threw."""

    def __init__(self, envs, i):
        played = envs.setting
        public = played.rules.setup(played.seats, played.options, played.deck).public
        self.cards = public.terms.cards if hasattr(public, "terms") else range(len(played.deck.cards))
        self.envs, self.i = envs, i

    def below(self, n):
        return int(self.envs._games.viewer[self.i])

    def shuffle(self, items):
        return tuple(self.cards[row] for row in self.envs.orders[self.i, -len(items) :])


def answer(seen):
    """An open action for what is seen of one game, always the same one."""
    open_ = np.flatnonzero(seen["action_mask"])
    return int(open_[zlib.crc32(seen["observation"].tobytes()) % len(open_)])


def answers(seen):
    """The same for many games."""
    rows = zip(seen["observation"], seen["action_mask"], strict=True)
    return np.array([answer({"observation": one, "action_mask": mask}) for one, mask in rows])


def row(seen, i):
    """What is seen of one of many games, in bytes."""
    parts = seen.values() if isinstance(seen, dict) else [seen]
    return [part[i].tobytes() for part in parts]


def bytes_of(seen):
    return [part.tobytes() for part in (seen.values() if isinstance(seen, dict) else [seen])]


def closed(envs, numbers, dice):
    """Some of these numbers are replaced by such as are not open."""
    for i in np.flatnonzero(dice.random(len(numbers)) < 0.01):
        numbers[i] = dice.choice([-1, envs.setting.actions, *np.flatnonzero(envs._games.mask[i] == 0)])
    return numbers


@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("name", SETTINGS)
def test_many_games_are_as_one(name, mask, monkeypatch):
    played, dice = made(name), np.random.default_rng(3)
    alone = played.seats == 1
    envs = vector.env(played, MANY, mask=mask, against=None if alone else answers)
    ones = [solitaire.env(played, mask=mask, against=None if alone else answer) for _ in range(MANY)]

    def deal(i):
        monkeypatch.setattr(solitaire, "FastDice", lambda _: Dice(envs, i))
        return ones[i].reset()

    seen, info = envs.reset(seed=5)
    assert seen in envs.observation_space
    for i in range(MANY):
        one, told = deal(i)
        assert bytes_of(one) == row(seen, i)
    over = np.zeros(MANY, bool)
    ends = {"won": 0, "lost": 0, "left": 0, "illegal": 0}
    for _ in range(60 if alone else 40):
        numbers = closed(envs, envs.random_actions(), dice)
        seen, rewards, ended, left, info = envs.step(numbers)
        for i, env in enumerate(ones):
            if over[i]:
                (one, told), paid, end, off = deal(i), 0.0, False, False
            else:
                one, paid, end, off, told = env.step(numbers[i])
            assert bytes_of(one) == row(seen, i)
            assert (paid, end, off) == (rewards[i], ended[i], left[i])
            assert {key for key in info if key[0] != "_" and info[f"_{key}"][i]} == {*told}
            assert all(np.array_equal(info[key][i], value) for key, value in told.items())
            if end or off:
                how = "left" if off else "illegal" if "illegal" in told else "won" if told["won"] else "lost"
                ends[how] += 1
        over = ended | left
    assert ends["illegal"] > 1
    assert ends["left" if played.most < 100 else "lost"] > 5
    assert sum(ends.values()) > 20


@pytest.mark.parametrize("name", [name for name in SETTINGS if name.startswith("hic")])
def test_all_seats_see_and_win_as_in_one_game(name, monkeypatch):
    played = made(name)
    envs, ones, games = vector.env(played, MANY), [aec.env(played) for _ in range(MANY)], 0

    def deal(i):
        monkeypatch.setattr(aec, "FastDice", lambda _: Dice(envs, i))
        ones[i].reset(seed=1)

    seen, info = envs.reset(seed=6)
    over, shuffles = np.ones(MANY, bool), 0
    for turn in range(150):
        if turn:
            seats, orders = info["seat"], envs.orders
            numbers = envs.random_actions()
            seen, rewards, ended, left, info = envs.step(numbers)
            shuffles += ((orders != envs.orders).any(1) & ~over).sum()
        for i, env in enumerate(ones):
            if over[i]:
                deal(i)
            elif turn:
                env.step(numbers[i])
                assert info["rewards"][i].tolist() == [env.rewards[agent] for agent in env.possible_agents]
                assert rewards[i] == info["rewards"][i, seats[i]]
                assert (ended[i], left[i]) == (all(env.terminations.values()), all(env.truncations.values()))
            going = info["seat"][i] >= 0
            seat = info["seat"][i] if going else seats[i]
            assert bytes_of(env.observe(f"player_{seat}")) == row(seen, i)
            assert not going or env.agent_selection == f"player_{seat}"
        if turn:
            over = ended | left
            games += over.sum()
        else:
            over[:] = False
    assert games > 40
    assert shuffles > 5 or played.seats < 4


@pytest.mark.parametrize("name", ["adaman", "hic-haec-hoc"])
def test_a_seed_deals_the_same_game_wherever_it_stands(name):
    played = made(name)
    against = None if played.seats == 1 else "random"
    many, one = vector.env(played, 5, against=against), vector.env(played, against=against)
    a, _ = many.reset(seed=7)
    for i in range(5):
        b, _ = one.reset(seed=7 + i)
        assert row(a, i) == row(b, 0)
    b, _ = many.reset(seed=[11, None, 7, 10, 9])
    assert [row(a, 0), row(a, 3), row(a, 2)] == [row(b, 2), row(b, 3), row(b, 4)]
    first = [played_on(many.reset(seed=3) and many) for _ in range(2)]
    assert first[0] == first[1]
    assert len({*first[0]}) > 20


def played_on(envs, steps=40):
    """What is seen in the next steps."""
    return [b"".join(part.tobytes() for part in envs.step(envs.random_actions())[0].values()) for _ in range(steps)]


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_goes_on_alike_and_spoils_nothing(way):
    envs = vector.env(made("hic-haec-hoc, three to the end"), 4, against="random")
    envs.reset(seed=1)
    played_on(envs)
    other = way(envs)
    assert other.setting is envs.setting
    ahead = played_on(other)
    assert played_on(envs) == ahead


def test_what_is_over_is_dealt_again_as_asked():
    later = vector.env("adaman", 8)
    at_once = vector.env("adaman", 8, autoreset_mode="SameStep", mask="info")
    never = vector.env("adaman", 8, autoreset_mode=AutoresetMode.DISABLED)
    for envs in (later, at_once, never):
        envs.reset(seed=2)
    for _ in range(30):
        numbers = later.random_actions()
        seen, _, ended, _, info = later.step(numbers)
        if ended.any():
            break
    (first, *_) = np.flatnonzero(ended)
    assert not seen["action_mask"][first].any()
    assert info["_won"].tolist() == ended.tolist()
    never._over = ended.copy()
    with pytest.raises(Invalid, match="reset_mask"):
        never.step(numbers)
    before = never._observation()["observation"]
    fresh, _ = never.reset(options={"reset_mask": ended})
    changed = (fresh["observation"] != before).any(1)
    assert changed.tolist() == ended.tolist()
    never.step(never.random_actions())
    for _ in range(30):
        seen, _, ended, _, info = at_once.step(at_once.random_actions())
        assert info["action_mask"].any(1).all()
        if ended.any():
            break
    (first, *_) = np.flatnonzero(ended)
    assert info["final_obs"][first].shape == seen[first].shape
    assert (info["final_obs"][first] != seen[first]).any()
    assert info["final_info"]["_won"].tolist() == ended.tolist()
    assert not info["final_info"]["action_mask"][first].any()
    assert "won" not in info


def test_games_are_dealt_as_given():
    envs = vector.env("adaman", 3)
    envs.reset(seed=1)
    kept = envs.orders
    other = vector.env("adaman", 3)
    seen, _ = other.reset(options={"orders": kept[::-1]})
    assert (other.orders == kept[::-1]).all()
    assert row(envs._observation(), 0) == row(seen, 2)
    with pytest.raises(Invalid, match="orders has 3 rows, each the deck's rows 0 to 35"):
        other.reset(options={"orders": np.zeros((3, 36), int)})


def test_arrays_are_copied_unless_said_otherwise():
    kept, used = vector.env("adaman", 2), vector.env("adaman", 2, copy=False)
    for envs, same in ((kept, False), (used, True)):
        first, _ = envs.reset(seed=1)
        before = first["observation"].copy()
        second, *_ = envs.step(envs.random_actions())
        assert (first["observation"] is second["observation"]) == same
        assert (first["observation"] == before).all() != same


def test_gymnasium_makes_many_at_once_by_name():
    envs = gymnasium.make_vec("spieltisch/adaman-v1", num_envs=6, reward="progress")
    assert isinstance(envs, vector.Vector)
    counted = RecordEpisodeStatistics(envs)
    counted.reset(seed=1)
    games = 0
    for _ in range(40):
        *_, info = counted.step(envs.random_actions())
        games += info.get("_episode", np.zeros(6)).sum()
    assert games == counted.episode_count > 5
    listed = DictInfoToList(vector.env("hic-haec-hoc", 3, mode="assisted"))
    _, told = listed.reset(seed=1)
    assert [one["seat"] for one in told] == [0, 0, 0]
    one_by_one = gymnasium.make_vec(
        "spieltisch/hic-haec-hoc-v1", num_envs=2, vectorization_mode="sync", against="random"
    )
    assert isinstance(one_by_one, SyncVectorEnv)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"game": "trailblaze"}, 'trailblaze cannot be played many at once: make_vec takes vectorization_mode="sync"'),
        ({"game": "hic-haec-hoc"}, 'choose mode="assisted", or vectorization_mode="sync"'),
        ({"game": "hic-haec-hoc", "knowledge": "noise/0.1"}, 'many games at once need version 1 and knowledge="none"'),
        ({"game": "adaman", "num_envs": 0}, "num_envs is 1 or more, not 0"),
        ({"game": None}, "there is no game None"),
        ({"game": "adaman", "autoreset_mode": "next"}, "the autoreset_mode is NextStep, SameStep, Disabled, not next"),
        ({"game": "adaman", "num_envs": "2"}, "num_envs is a number of games, not '2'"),
        ({"game": "adaman", "against": "random"}, "played alone here: leave out against"),
        ({"game": "hic-haec-hoc", "mode": "assisted", "against": "nobody"}, 'against is "random" or a function'),
    ],
)
def test_what_cannot_be_is_refused_with_what_would_be_right(given, said):
    with pytest.raises(Invalid) as refused:
        vector.env(**given)
    assert said in str(refused.value)


def test_steps_that_cannot_be_are_refused():
    envs = vector.env("adaman", 2)
    envs.reset(seed=1)
    for numbers in ([1], [1.5, 2.5], [[1, 2]]):
        with pytest.raises(Invalid, match="actions is an array of 2 whole numbers"):
            envs.step(np.array(numbers))
    with pytest.raises(Invalid, match="give a seed for each of the 2 games, not 3"):
        envs.reset(seed=[1, 2, 3])
    for seed, said in (("ab", "whole number, not 'ab'"), ([1, 2.5], "number, not 2.5"), ([1, -1], "or more, not -1")):
        with pytest.raises(Invalid, match=f"a seed is .*{said}"):
            envs.reset(seed=seed)
    with pytest.raises(Invalid, match="reset_mask has a bool for each of the 2 games"):
        envs.reset(options={"reset_mask": np.ones(2, int)})
    with pytest.raises(Invalid, match=r"a reset has the options orders and reset_mask, not \{'order': 1\}"):
        envs.reset(options={"order": 1})
    seen, _ = envs.reset(seed=[7, 8])
    for same in (np.array([7, 8]), 7, np.int64(7)):
        again, _ = envs.reset(seed=same, options={"reset_mask": None})
        assert (again["observation"] == seen["observation"]).all()
    bad = vector.env("hic-haec-hoc", 9, mode="assisted", against=lambda seen: np.full(len(seen["action_mask"]), -1))
    with pytest.raises(Illegal, match="action -1 is not open to player_"):
        bad.reset(seed=1)


def test_without_numba_the_missing_extra_is_named(monkeypatch):
    with monkeypatch.context() as plain:
        plain.setenv(makers.CHOICE, "plain")
        with pytest.raises(Invalid, match=f"{makers.CHOICE}=plain forbids it"):
            vector.env("adaman")
    for name in ("spieltisch.compiled", "spieltisch.games.adaman.engine.batch"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in [name for name in sys.modules if name.startswith("spieltisch.games.adaman.engine.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'spieltisch\[environments\]'"):
        vector.env("adaman")


def test_it_is_compiled_beforehand_when_asked(monkeypatch, capsys):
    monkeypatch.setattr("os.nice", lambda _: None)
    vector.compiled("hic-haec-hoc")
    assert warm.warm("hic-haec-hoc", environments=True) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "hic-haec-hoc, many at once: already compiled"
