"""The games as environments: the gates in short, what a seat is told and nobody else, and what arrays hold of views."""

import copy
import itertools
import json
import multiprocessing
import pickle
import re
import subprocess
import sys
from operator import methodcaller
from pathlib import Path
from typing import Literal

import gymnasium
import msgspec
import numpy as np
import pyspiel  # ty: ignore[import-not-found] - a module in C++
import pytest
from gymnasium.error import ResetNeeded

from matrix import sampled
from spieltisch import games
from spieltisch.dice import FastDice, throw
from spieltisch.game import Illegal, Invalid, View, see
from spieltisch.study.environments import aec, encoding, expressions, solitaire, spiel
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.knowledge import NONE, noise, read, table
from spieltisch.study.environments.offer import Numbering
from spieltisch.study.environments.setting import Setting, setting
from study import gates
from toys.highest import rules as highest

CANARY = 7_654_321


SHORT = ("anno-domini, three who know", "trailblaze", "hic-haec-hoc", "adaman, with the Excuse", "toy")


@pytest.fixture(scope="module", params=SHORT)
def played(request):
    """Settings of all games, and of one that lies outside the package."""
    if request.param != "toy":
        return gates.made(request.param)
    toy = games.load("toys.highest")
    return Setting(toy, 3, toy.rules.Options(), highest.DECK)


def episode(played, seed, act=True):
    """The episode before each action of a random game, and after the last one."""
    one, dice = Episode(played, remembers=True), FastDice(seed)
    while True:
        while (due := one.due()) is not None:
            one.resolve(throw(dice, due))
        yield one
        if one.seat is None:
            return
        one.act(one.open().get(dice.choice(one.open().plan.numbers)))


@pytest.mark.slow
def test_the_gates_of_pettingzoo_and_openspiel(played, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gates.petting_zoo(played, 5)
    gates.open_spiel(spiel.load(played), 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adaman, with the Excuse", "trailblaze"])
def test_the_gate_of_gymnasium(name):
    gates.gymnasium(gates.made(name))


def test_openspiel_loads_every_game_by_its_name():
    for name, package in games.packages().items():
        game = pyspiel.load_game(f"spieltisch_{name.replace('-', '_')}(most=3)")
        assert game.num_players() == package.rules.seats[0]
        assert game.max_game_length() == 3
    told = pyspiel.load_game("spieltisch_trailblaze(players=3,patterns=6,cards=20,knowledge=noise/12.5/4)")
    assert told.setting.knowledge == noise(12.5, 4)
    assert (told.setting.options.patterns, told.setting.seats, len(told.setting.deck.cards)) == (6, 3, 20)


def bare(value):
    """Without words, and without what a setting leaves out because it is always the same."""
    if isinstance(value, dict):
        return {key: bare(part) for key, part in value.items() if not isinstance(part, str)}
    return [bare(part) for part in value if not isinstance(part, str)] if isinstance(value, list | tuple) else value


def test_views_that_differ_in_more_than_words_look_different(played):
    shown, arrays = {}, {}
    for seed in range(2):
        picture = played.layout.picture()
        for one in episode(played, seed):
            for seat in (None, *range(played.seats)):
                view = see(one.state, seat)
                drawn = picture.draw(view, () if seat is None else one.signals[seat])
                assert drawn.dtype == np.int32
                assert drawn.shape == (played.layout.size,)
                told = () if seat is None or played.knowledge == NONE else one.signals[seat]
                seen = msgspec.json.encode((bare(msgspec.to_builtins(view)), told))
                kept = {name for name, _, _ in (*played.layout.public, *played.layout.own)}
                # a choice is a word to JSON: two views may be the same here and look different, not the other way
                whole = msgspec.json.encode([
                    msgspec.to_builtins(getattr(part, name))
                    for part in (view.public, view.own) if part is not None
                    for name in part.__struct_fields__ if name in kept
                ])  # fmt: skip
                assert shown.setdefault(drawn.tobytes(), seen) == seen
                assert arrays.setdefault((whole, seat, told), drawn.tobytes()) == drawn.tobytes()
    assert len(shown) > 20


def test_what_is_remembered_tells_all_that_is_seen(played):
    """An information state belongs to one view, but for news that only words tell apart."""
    seen = {}
    for seed in range(3):
        for one in episode(played, seed):
            for seat in range(played.seats):
                view = see(one.state, seat)
                drawn = (
                    played.layout.picture().draw(view, one.signals[seat]).tobytes(),
                    tuple(played.legal(one.view) if seat == one.seat else ()),
                )
                assert seen.setdefault(tuple(one.memory(seat)), drawn) == drawn


def test_cards_that_are_dealt_are_remembered():
    played = setting("hic-haec-hoc", mode="assisted")
    dealt = {}
    for seed in range(40):
        one = next(episode(played, seed))
        dealt.setdefault((one.state.public.middle.top, one.state.own[0].hand), set()).add(tuple(one.memory(0)))
    assert len(dealt) > 35
    assert all(len(known) == 1 for known in dealt.values())
    assert len({known for one in dealt.values() for known in one}) == len(dealt)


class Place(msgspec.Struct, frozen=True):
    row: int
    owner: int | None
    label: str = ""


class Won(msgspec.Struct, frozen=True, tag=True):
    seat: int


class Moved(msgspec.Struct, frozen=True, tag=True):
    place: Place
    by: tuple[int, int]


class Perhaps(msgspec.Struct, frozen=True):
    """Its numbers go on in 64 ways: more than are written out."""

    a: int | None
    b: int | None
    c: int | None
    d: int | None
    e: int | None
    f: int | None


@pytest.mark.parametrize(
    ("kind", "value", "numbers"),
    [
        (int, 7, [7]),
        (bool, True, [1]),
        (Literal["low", "high"], "high", [1]),
        (str, "a word", None),
        (bytes, b"\x05\x06", [2, 5, 6]),
        (int | None, None, [0]),
        (int | None, 7, [1, 7]),
        (str | None, "a word", [1]),
        (Place, Place(3, None), [3, 0]),
        (Place | None, Place(3, 4), [1, 3, 1, 4]),
        (tuple[int, ...], (8, 9), [2, 8, 9]),
        (tuple[str, ...], ("a", "b", "c"), [3]),
        (tuple[bool, ...], (True, False), [2, 1, 0]),
        (tuple[int, bool, str], (5, True, "a"), [5, 1]),
        (tuple[Won, ...], (Won(2), Won(1)), [2, 2, 1]),
        (tuple[Place, ...], (Place(3, None), Place(5, 0)), [2, 3, 0, 5, 1, 0]),
        (tuple[Place, ...], (), [0]),
        (tuple[Place, ...], (Place(3, 1),), [1, 3, 1, 1]),
        (tuple[Place, ...], (Place(3, 1), Place(4, None), Place(5, 0)), [3, 3, 1, 1, 4, 0, 5, 1, 0]),
        (tuple[Place | None, ...], (None, Place(5, 0)), [2, 0, 1, 5, 1, 0]),
        (tuple[tuple[int, ...], ...], ((), (4, 5)), [2, 0, 2, 4, 5]),
        (tuple[tuple[int, ...], ...], (), [0]),
        (tuple[tuple[int, ...], ...], ((4, 5),), [1, 2, 4, 5]),
        (tuple[tuple[int, ...], ...], ((4,), (), (5, 6)), [3, 1, 4, 0, 2, 5, 6]),
        (tuple[tuple[int, int], ...], ((4, 5), (6, 7)), [2, 4, 5, 6, 7]),
        (tuple[tuple[Won, ...], ...], ((Won(4),), ()), [2, 1, 4, 0]),
        (Perhaps, Perhaps(None, 1, None, 2, None, 3), [0, 1, 1, 0, 1, 2, 0, 1, 3]),
        (Won | Moved | Place, Place(1, 2), [3, 1, 1, 2]),
        (tuple[Won | Moved, ...], (Won(9),), [1, 1, 9]),
        (tuple[Won | Moved, ...], (Moved(Place(1, None), (3, 4)),), [1, 2, 1, 0, 3, 4]),
        (tuple[Won | Moved, ...], (Moved(Place(1, 2), (3, 4)), Won(9)), [2, 2, 1, 1, 2, 3, 4, 1, 9]),
    ],
)
def test_every_kind_of_field_is_written_as_numbers(kind, value, numbers):
    code = expressions.coder(kind)
    assert (code and code(value)) == numbers
    if numbers is None:
        return
    size = len(numbers)
    public = msgspec.defstruct("Public", [("before", int), ("shown", kind)])
    picture = encoding.Layout({"before": (int, 1), "shown": (kind, size + 2)}, {}, 0).picture()
    for before in (1, 2):  # the second time only what has changed is drawn
        assert picture.draw(View(None, public(before, value), None)).tolist() == [0, before, *numbers, 0, 0]


WAYS = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda one: pickle.loads(pickle.dumps(one))}
COPIED = {
    "PettingZoo": lambda: aec.env("hic-haec-hoc", 3, knowledge="noise/0.1"),
    "PettingZoo, each step paid": lambda: aec.env("adaman", mask="info", reward="progress"),
    "PettingZoo, former numbers": lambda: aec.env("trailblaze", version=0),
    "Gymnasium": lambda: solitaire.env("anno-domini", 3, against="random", mask="info"),
    "Gymnasium, by name": lambda: gymnasium.make("spieltisch/adaman-v1", reward="progress").unwrapped,
}


def goes_on(env, seed, steps=25):
    """What an environment says when it is played on at random, and dealt anew after each game."""
    dice, told = FastDice(seed), []
    for _ in range(steps):
        numbers = np.flatnonzero(env.action_masks()).tolist()
        said = env.step(dice.choice(numbers)) if numbers else env.reset()
        told.append(pickle.dumps(flat(env.last() if said is None else said)))
    return told


def flat(told):
    """With lists in the place of arrays."""
    if isinstance(told, dict):
        return {name: flat(part) for name, part in told.items()}
    return [flat(part) for part in told] if isinstance(told, tuple) else np.asarray(told).tolist()


@pytest.mark.filterwarnings("ignore:version 0 of")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", COPIED)
def test_a_copy_of_an_environment_goes_on_alike_and_spoils_nothing(name, way):
    env = COPIED[name]()
    WAYS[way](env).reset(seed=1)
    env.reset(seed=1)
    goes_on(env, 1, 3)
    other = WAYS[way](env)
    assert other.setting is env.setting
    went = goes_on(other, 2)
    assert goes_on(env, 2) == went
    assert goes_on(other, 3) == goes_on(env, 3)
    assert len({*went}) > 10


def stood(state, dice, steps):
    """A state of OpenSpiel after some random steps, or at the end."""
    while steps and not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions() or [n for n, _ in state.chance_outcomes()]))
        steps -= 1
    return state


@pytest.mark.slow
@pytest.mark.parametrize("how", sampled(multiprocessing.get_all_start_methods(), ["spawn"]))
def test_other_processes_get_environments_and_give_them_back(how):
    envs = [COPIED[name]() for name in ("PettingZoo", "Gymnasium", "Gymnasium, by name")]
    for env in envs:
        env.reset(seed=2)
    named = pyspiel.load_game("spieltisch_trailblaze(cards=10,knowledge=noise/50)")
    states = [stood(game.new_initial_state(), FastDice(1), 30) for game in (named, spiel.load("adaman", most=4))]
    with multiprocessing.get_context(how).Pool(1) as pool:
        open_there = pool.map(methodcaller("action_masks"), envs)
        shown = pool.map(methodcaller("information_state_string", 0), states)
        back = pool.map(copy.copy, [*envs, *states])
    assert shown == [state.information_state_string(0) for state in states]
    for env, masks, other in zip(envs, open_there, back, strict=False):
        assert other.setting is env.setting
        assert (masks == env.action_masks()).all()
        assert goes_on(other, 3) == goes_on(env, 3)
    for state, other in zip(states, back[len(envs) :], strict=True):
        assert str(other.get_game()) == str(state.get_game())
        assert str(stood(other, FastDice(2), -1)) == str(stood(state, FastDice(2), -1))


def test_what_a_seat_has_for_itself_is_drawn_for_it_alone():
    layout = encoding.Layout({"shown": (int, 1)}, {"held": (int, 1), "kept": (tuple[int, ...], 3)}, 1)
    public = msgspec.defstruct("Public", [("shown", int)])
    own = msgspec.defstruct("Own", [("held", int), ("kept", tuple[int, ...])])
    picture, kept = layout.picture(), (7, 8)
    views = [
        (View(0, public(1), own(2, kept)), (5,), [1, 1, 2, 2, 7, 8, 1, 5]),
        (View(1, public(1), own(3, ())), (None,), [2, 1, 3, 0, 0, 0, 0, 0]),
        (View(None, public(1), None), (), [0, 1, 0, 0, 0, 0, 0, 0]),
        (View(0, public(4), own(6, kept)), (9,), [1, 4, 6, 2, 7, 8, 1, 9]),
        (View(1, public(4), own(3, (8,))), (None,), [2, 4, 3, 1, 8, 0, 0, 0]),
    ]
    for view, signals, drawn in views:
        assert picture.draw(view, signals).tolist() == drawn


@pytest.mark.parametrize("kind", [tuple[int, ...], dict[str, int]])
def test_what_is_drawn_again_and_again_is_drawn_the_same(kind, monkeypatch):
    """Kept or not, and forgotten when too much would be kept."""
    monkeypatch.setattr(encoding, "KEPT", 3)
    public = msgspec.defstruct("Public", [("shown", kind)])
    layout = encoding.Layout({"shown": (kind, 4)}, {}, 0)
    values = [(n, n + 1) if kind == tuple[int, ...] else {"n": n} for n in (0, 1, 0, 2, 3, 4, 1, 0)]
    picture, code = layout.picture(), expressions.coder(kind)
    assert code is not None
    for value in values:
        numbers = code(value)
        drawn = picture.draw(View(None, public(value), None))
        assert drawn.tolist() == [0, *numbers, *[0] * (4 - len(numbers))]


def test_what_finds_no_room_is_folded():
    layout = encoding.Layout({"shown": (tuple[int, ...], 4)}, {}, 0)
    public = msgspec.defstruct("Public", [("shown", tuple[int, ...])])
    drawn = [layout.picture().draw(View(None, public(row), None)) for row in ((1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 5))]
    assert drawn[0].tolist() == [0, 3, 1, 2, 3]
    assert [row[:4].tolist() for row in drawn[1:]] == [[0, 4, 1, 2]] * 2
    assert drawn[1][4] != drawn[2][4]
    assert min(drawn[1][4], drawn[2][4]) >= expressions.FOLDED


def test_all_legal_actions_have_numbers(played):
    for one in itertools.islice(episode(played, 5), 15):
        offer = one.open()
        numbers = offer.plan.numbers
        assert numbers == tuple(np.flatnonzero(offer.plan.mask()).tolist())
        legal = list(played.legal(one.view)) if one.view is not None else []
        assert sorted(map(repr, legal)) == sorted(repr(offer.get(n)) for n in numbers)
        assert all(offer.get(n) is None for n in (-1, played.actions, *{*range(played.actions)} - {*numbers}))


def thing(played, action):
    """What an action does to what, without the cards that pay or lie there already."""
    given = msgspec.to_builtins(action)
    kept = {name: given[name] for name in given if name not in ("payment", "cards")}
    return str(kept if played.hides else {name: kept[name] for name in kept if name != "form"})


@pytest.mark.parametrize("name", gates.SETTINGS)
def test_a_number_means_one_thing_in_all_games(name):
    played, means = gates.made(name), {}
    for seed in range(6):
        for one in episode(played, seed):
            for number in one.open().plan.numbers:
                said = thing(played, one.open().get(number))
                assert means.setdefault(number, said) == said
    kinds = [said for said in means.values() if "Control" not in said and "Open" not in said]
    assert len(kinds) == len({*kinds})


def test_a_payment_is_named_by_how_dear_it_is():
    played = setting("adaman")
    ranks = [card.value for card in played.deck.cards]
    for one in episode(played, 4):
        totals = {}
        for number in one.open().plan.numbers:
            action = one.open().get(number)
            assert number // 31 == action.target
            totals.setdefault(action.target, []).append(sum(ranks[card] for card in action.payment))
        assert all(some == sorted(some) for some in totals.values())


def test_sizes_follow_from_the_rules(monkeypatch):
    """No game is played for them."""
    monkeypatch.setattr(Setting, "_survey", None)
    assert setting("adaman").actions == 36 * 31
    assert setting("adaman", extra=["excuse"]).actions == 37 * 31 + 37
    assert setting("anno-domini", cards=30).actions == 30 * 30 + 1 + 2 + 6
    assert setting("hic-haec-hoc", mode="assisted").actions < 40
    assert aec.env("trailblaze", 4, patterns=3).setting.actions < 300


def test_the_former_numbers_are_kept_for_one_release():
    with pytest.warns(DeprecationWarning, match=r"goes with Spieltisch 0\.4\.0"):
        env = aec.env("trailblaze", version=0)
    env.reset(seed=1)
    seen = env.last()[0]
    assert seen["observation"].dtype == np.int32
    assert env.metadata["name"] == "trailblaze_v0"
    legal = env.setting.legal(env._episode.view)
    assert [env.action(number) for number in np.flatnonzero(seen["action_mask"])] == list(legal)
    assert pickle.loads(pickle.dumps(env.setting)) is env.setting
    with pytest.warns(DeprecationWarning, match="version 0"):
        former = setting("adaman", version=0)
    assert (former.actions, former.size) == (126, 308)  # as before there were versions
    with pytest.raises(Invalid, match="versions 0 and 1, not 2"):
        setting("trailblaze", version=2)


# -- what is seen -----------------------------------------------------------------------------------------------------


def parts(played, seen):
    """The numbers of an observation, field by field."""
    ends = list(itertools.accumulate(block.size for block in played.learning.fields))
    assert len(seen) == ends[-1]
    return {block.name: seen[end - block.size : end] for block, end in zip(played.learning.fields, ends, strict=True)}


@pytest.mark.parametrize("name", gates.SETTINGS)
def test_all_numbers_of_a_view_lie_between_0_and_1(name):
    played = gates.made(name)
    picture, seen = played.picture(), set()
    for seed in range(2):
        for one in episode(played, seed):
            for seat in (None, *range(played.seats)):
                drawn = picture.draw(see(one.state, seat), () if seat is None else one.signals[seat])
                assert drawn.dtype == np.float32
                assert drawn.min() >= 0
                assert drawn.max() <= 1
                parts(played, drawn)
                seen.add(drawn.tobytes())
                if seat is None:
                    own = [block.name for block in played.learning.fields if block.own]
                    assert not any(parts(played, drawn)[name].any() for name in own)
    assert len(seen) > 10


def test_adamans_cards_are_seen_where_they_lie():
    played = setting("adaman")
    for one in episode(played, 3):
        p, seen = one.state.public, parts(played, played.picture().draw(see(one.state, 0)))
        places = seen["places"].reshape(36, 6)
        assert (places.sum(1) == 1).all()
        rows = (p.capital, p.palace, p.resources, p.personalities, p.discarded)
        assert [set(np.flatnonzero(places[:, n])) for n in range(1, 6)] == [set(row) for row in rows]
        targets = {one.open().get(number).target for number in one.open().plan.numbers}
        assert set(np.flatnonzero(seen["cost"])) == targets


def test_a_hand_and_a_row_are_seen_from_ones_own_seat():
    played = setting("anno-domini", 3, cards_per_player=3, cards=20, knowledge="noise/0")
    years = sorted(played.package.beliefs.secrets(played.rules.setup(3, played.options, played.deck).hidden))
    for one in episode(played, 3):
        p = one.state.public
        for seat in range(3):
            seen = parts(played, played.picture().draw(see(one.state, seat), one.signals[seat]))
            hands = seen["hands"].reshape(3, 20)
            for other in range(3):
                assert set(np.flatnonzero(hands[other])) == {card.number for card in p.hands[(seat + other) % 3]}
            told = seen["told"].reshape(20, 2)
            assert told[:, 0].all()
            order = np.argsort(told[:, 1], kind="stable")
            assert sorted(one.signals[seat]) == [one.signals[seat][card] for card in order] == years
            row = seen["chain"].reshape(20, 2)[: len(p.chain)]
            assert [tuple(pair) for pair in row] == [tuple(told[laid.card.number]) for laid in p.chain]


def test_what_is_told_of_forms_is_seen_with_their_cells():
    played = setting("hic-haec-hoc", knowledge="noise/0.1")
    one = next(episode(played, 1))
    seen = parts(played, played.picture().draw(see(one.state, 1), one.signals[1]))
    told = seen["told"].reshape(-1, 30)
    assert [int(np.flatnonzero(told[:, cell])[0]) for cell in range(30)] == list(one.signals[1])
    assert set(np.flatnonzero(seen["hand"])) == set(one.state.own[1].hand)


def test_trailblazes_board_is_seen_from_ones_own_seat():
    played = setting("trailblaze", 3, knowledge="noise/0")
    last = list(episode(played, 2))[-1]
    for seat in range(3):
        seen = parts(played, played.picture().draw(see(last.state, seat), last.signals[seat]))
        board = seen["right"].reshape(3, 6, -1)
        lying = {(int(who + seat) % 3, int(row) + 1, int(column)) for who, row, column in np.argwhere(board)}
        assert lying == {(stone.seat, stone.row, stone.column) for stone in last.state.public.board}
        assert lying


# -- rewards, resets, and others ---------------------------------------------------------------------------------------


def test_a_reset_is_never_over():
    env, first = solitaire.env("adaman"), setting("adaman")
    dead = [seed for seed in range(60) if Episode.dealt(first, FastDice(seed)).seat is None]
    assert not dead
    over = 0
    for seed in range(60):
        one = Episode(first)
        one.throw(FastDice(seed))
        over += one.seat is None
        seen, _ = env.reset(seed=seed)
        assert seen["action_mask"].any()
    assert over


def paid_by_gymnasium(reward, dice):
    env = solitaire.env("adaman", reward=reward)
    seen, _ = env.reset(seed=dice.below(1000))
    over = False
    while not over:
        seen, won, over, _, _ = env.step(dice.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        yield won, env._episode


def paid_by_petting_zoo(reward, dice):
    env = aec.env("adaman", reward=reward)
    env.reset(seed=dice.below(1000))
    for _ in env.agent_iter():
        seen, won, over, _, _ = env.last()
        env.step(None if over else dice.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        yield won, env._episode


def paid_by_open_spiel(reward, dice):
    game = pyspiel.load_game(f"spieltisch_adaman(reward={reward})")
    each = game.get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS
    assert each == (reward == "progress")
    state, total = game.new_initial_state(), 0.0
    while not state.is_terminal():
        stood(state, dice, 1)
        total += state.rewards()[0]
        assert state.returns() == pytest.approx([total])
        yield state.rewards()[0], state.episode


@pytest.mark.parametrize("adapter", [paid_by_gymnasium, paid_by_petting_zoo, paid_by_open_spiel])
@pytest.mark.parametrize("reward", ["win", "score", "progress"])
def test_rewards_add_up_to_what_is_asked_for(reward, adapter):
    dice, sums = FastDice(1), []
    for _ in range(12):
        paid, (*_, one) = zip(*adapter(reward, dice), strict=True)
        p = one.state.public
        points = one.setting.rules.score(p)
        assert sum(paid) == pytest.approx(float(p.end == "won") if reward == "win" else one.setting.points(p))
        assert reward == "win" or (sum(paid) > 0.001) == (points > 0)
        assert reward == "progress" or not any(paid[:-1])
        sums.append(sum(paid))
    assert reward == "win" or 0 < max(sums) <= 1


def test_a_game_is_played_against_others():
    asked = []

    def first(seen):
        asked.append(seen)
        return int(np.flatnonzero(seen["action_mask"])[0])

    won = []
    for against in ("random", first):
        env, dice = solitaire.env("hic-haec-hoc", 3, against=against, mask="info", knowledge="noise/0.1"), FastDice(2)
        for seed in range(10):
            seen, info = env.reset(seed=seed)
            over = left = False
            while not (over or left):
                assert seen in env.observation_space
                assert (info["action_mask"] == env.action_masks()).all()
                number = dice.choice(np.flatnonzero(info["action_mask"]).tolist())
                assert env.action(number) in env.setting.legal(env._episode.view)
                seen, paid, over, left, info = env.step(number)
                assert paid == 0 or over
            won.append(paid)
    assert asked
    assert {*won} <= {-1.0, 0.0, 2.0}
    assert len({*won}) > 1


def test_gymnasium_makes_every_game_by_its_name():
    env = gymnasium.make("spieltisch/adaman-v1", reward="progress", mask="info")
    seen, info = env.reset(seed=1)
    assert seen.dtype == np.float32
    assert (env.get_wrapper_attr("action_masks")() == info["action_mask"]).all()
    for name in games.packages():
        if name != "adaman":
            seen, _ = gymnasium.make(f"spieltisch/{name}-v1", against="random").reset(seed=1)
            assert seen["action_mask"].any()
    given = {"seats": 3, "cards": 30, "patterns": 2, "knowledge": "noise/50", "most": 40}
    env = gymnasium.make("spieltisch/trailblaze-v1", against="random", render_mode="ansi", **given)
    played = env.unwrapped.setting
    assert (played.seats, len(played.deck.cards), played.options.patterns, played.most) == (3, 30, 2, 40)
    env.reset(seed=1)
    assert "player_" in env.render()


@pytest.mark.parametrize("module", ["aec", "solitaire", "spiel", "vector"])
def test_gymnasium_knows_the_names_after_any_import(module):
    code = f"""import gymnasium; from spieltisch.study.environments import {module}
print(*(one for one, spec in gymnasium.registry.items() if spec.namespace == "spieltisch" and spec.vector_entry_point))
gymnasium.make("spieltisch/adaman-v1")"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["spieltisch/adaman-v1", "spieltisch/hic-haec-hoc-v1"]


def test_gymnasium_imports_the_module_that_an_id_names():
    code = """import gymnasium
gymnasium.make("spieltisch.study.environments.solitaire:spieltisch/adaman-v1")"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.filterwarnings("ignore:.*out of date")
def test_gymnasium_makes_the_former_environment():
    with pytest.warns(DeprecationWarning, match="version 0 of adaman"):
        env = gymnasium.make("spieltisch/adaman-v0")
    assert env.observation_space["observation"].dtype == np.int32


def test_ten_play_with_the_shipped_deck():
    for env in (aec.env("anno-domini", 10), solitaire.env("anno-domini", 10, against="random")):
        env.reset(seed=1)
        assert len(env.setting.deck.cards) >= 92
        assert env.action_masks().any()
    assert pyspiel.load_game("spieltisch_anno_domini(players=10)").num_players() == 10


@pytest.mark.parametrize("name", gates.SETTINGS)
def test_who_hoards_is_offered_all_that_is_legal(name):
    """Always the same kinds of actions first: who draws whenever that is open has the largest hands."""
    played = gates.made(name)
    for seed in range(60):
        one, dice = Episode(played), FastDice(seed)
        order = dice.shuffle(played.kinds)
        while True:
            while (due := one.due()) is not None:
                one.resolve(throw(dice, due))
            if one.seat is None:
                break
            legal = played.legal(one.view)
            assert len(one.open().plan.numbers) == len(legal)
            first = min(map(type, legal), key=order.index)
            one.act(dice.choice([action for action in legal if type(action) is first]))


def test_where_kinds_stand_together_the_numbers_are_the_same():
    """Without looking at each action, in whatever runs they stand."""
    kinds = (Place(1, None), Won(1), Moved(Place(1, None), (1, 2)))
    blocks = {type(one): (10 * n, 7 - n) for n, one in enumerate(kinds)}
    for order in itertools.permutations(kinds):
        for many in itertools.product((0, 1, 2, 5, 9), repeat=3):
            legal = [one for one, n in zip(order, many, strict=True) for _ in range(n)]
            quick, thorough = (Numbering(blocks, 30, one).offered(None, legal).plan for one in (True, False))
            assert quick.numbers == thorough.numbers
            assert [quick.place(n) for n in range(30)] == [thorough.place(n) for n in range(30)]
            assert len(quick.numbers) == sum(min(n, blocks[type(one)][1]) for one, n in zip(order, many, strict=True))


# -- knowledge --------------------------------------------------------------------------------------------------------

KNOWING = [name for name, given in gates.SETTINGS.items() if "knowledge" in given]


def told_canaries(name):
    """The setting in which seat 1 is told the canary of everything, and seat 0 nothing."""
    played = gates.made(name)
    rows = [[CANARY if seat == 1 else None] * played.secrets for seat in range(played.seats)]
    return Setting(played.package, played.seats, played.options, played.deck, table(rows), most=25)


@pytest.mark.parametrize("name", ["anno-domini, three who know", "trailblaze"])
def test_what_one_seat_is_told_no_other_notices(name):
    played = told_canaries(name)
    game = spiel.load(played)
    state, dice = game.new_initial_state(), FastDice(3)
    env = aec.env(played, render_mode="ansi")
    env.reset(seed=3)
    while not state.is_terminal():
        if not state.is_chance_node():
            for seat in range(played.seats):
                for text in (state.information_state_string(seat), state.observation_string(seat)):
                    assert (str(CANARY) in text) == (seat == 1)
            assert str(CANARY) not in state.action_to_string(state.legal_actions()[0])
        actions = state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()]
        state.apply_action(dice.choice(actions))
    for agent in env.agent_iter():
        seen, _, over, left, info = env.last()
        for other in env.agents:
            told = parts(played, env.observe(other)["observation"])["told"]
            assert told.any() == (other == "player_1")
        assert parts(played, seen["observation"])["told"].any() or agent != "player_1"
        assert str(CANARY) not in env.render() + repr(info)
        env.step(None if over or left else dice.choice(np.flatnonzero(seen["action_mask"]).tolist()))


@pytest.mark.parametrize("name", KNOWING)
def test_views_and_signals_equal_then_all_that_is_known_is_equal(name):
    """What the others are told, and what lies hidden, changes nothing for a seat as long as it sees the same."""
    played = gates.made(name)
    told = noise(played.knowledge.sigma)
    again = Setting(played.package, played.seats, played.options, played.deck, told)
    for seed in (1,):
        one, other, dice = Episode(again, remembers=True), Episode(again, remembers=True), FastDice(seed)
        n, thrown = 0, 0
        while True:
            while (due := one.due()) is not None:
                outcome = throw(dice, due)
                first = 1 <= thrown <= again.secrets  # of the signals those of seat 0
                one.resolve(outcome)
                # what seat 1 is told comes out otherwise in the other game
                told_other = thrown > again.secrets and thrown <= 2 * again.secrets
                other.resolve((outcome + 5) % due.n if told_other and not first else outcome)
                thrown += 1
            assert one.signals[0] == other.signals[0]
            assert one.signals[1] != other.signals[1]
            assert one.memory(0) == other.memory(0)
            assert one.memory(1) != other.memory(1)
            if one.seat is None or n > 15:
                break
            number, n = dice.choice(one.open().plan.numbers), n + 1
            for each in (one, other):
                each.act(each.open().get(number))


def test_signals_are_off_by_about_sigma():
    played = setting("anno-domini", cards=40, knowledge=noise(30, 64))
    errors = []
    for seed in range(4):
        one = next(episode(played, seed))
        truth = played.package.beliefs.secrets(one.state.hidden)
        for row in one.signals:
            errors += [told - true for told, true in zip(row, truth, strict=True)]
    assert 25 < np.std(errors) < 33
    assert abs(np.mean(errors)) < 6
    wrong = setting("hic-haec-hoc", knowledge=noise(0.25, 64))
    one = next(episode(wrong, 1))
    truth = wrong.package.beliefs.secrets(one.state.hidden)
    cells = [told != true for row in one.signals for told, true in zip(row, truth, strict=True)]
    assert 0 < sum(cells) <= 30  # a cell may be taken for one with the same form


@pytest.mark.parametrize("name", ["anno-domini", "hic-haec-hoc"])
def test_what_is_imagined_is_what_one_was_told(name):
    played = setting(name, 2, knowledge=noise(0))
    for one in itertools.islice(episode(played, 2), 12):
        world = one.imagined(0, FastDice(1))
        assert world.signals[0] == one.signals[0]
        assert played.package.beliefs.secrets(world.state.hidden) == one.signals[0]
        assert see(world.state, 0) == see(one.state, 0)
        assert world.memory(0) == one.memory(0)


def test_open_cards_of_trailblaze_are_imagined_where_one_was_told():
    played = setting("trailblaze", knowledge=noise(0))
    for one in itertools.islice(episode(played, 2), 12):
        world = one.imagined(0, FastDice(1))
        years = played.package.beliefs.secrets(world.state.hidden)
        lying = [front for front in (*one.state.public.cards, one.state.public.middle) if front and not front.joker]
        assert [years[front.card] for front in lying] == [one.signals[0][front.card] for front in lying]


def test_a_table_goes_with_its_cards():
    base = setting("trailblaze", cards=10)
    deck = base.deck
    rows = [[row if seat == 0 else None for row in range(10)] for seat in range(2)]
    played = Setting(base.package, 2, base.options, deck, table(rows))
    for seed in range(3):
        one = next(episode(played, seed))
        for number, told in enumerate(one.signals[0]):
            assert one.state.hidden.cards[number] == deck.cards[told]
        assert one.signals[1] == (None,) * 10
    forms = setting("hic-haec-hoc")
    secrets = forms.package.beliefs.secrets(forms.rules.setup(2, forms.options, forms.deck).hidden)
    knows = Setting(forms.package, 2, forms.options, forms.deck, table([secrets, [None] * 30]))
    one = next(episode(knows, 1))
    assert one.signals[0] == forms.package.beliefs.secrets(one.state.hidden)


@pytest.mark.parametrize("known", [NONE, noise(15), noise(0.1, 4), table([[1492, None, -44], [None, 7, None]])])
def test_knowledge_is_read_as_it_is_written(known):
    assert read(str(known)) == known


# -- what is asked wrongly --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"game": "chess"}, "there is no game chess"),
        ({"game": None}, "there is no game None"),
        ({"game": "trailblaze", "knowledge": None}, 'a text such as "noise/15", not None'),
        ({"game": "adaman", "seats": 2}, "1 seat"),
        ({"game": "adaman", "knowledge": "noise/3"}, "nothing to know"),
        ({"game": "trailblaze", "knowledge": "noise"}, "noise/15"),
        ({"game": "trailblaze", "knowledge": "noise/-1"}, "sigma"),
        ({"game": "trailblaze", "knowledge": "noise/1/0"}, "1 to 64 steps"),
        ({"game": "trailblaze", "knowledge": "table/1/2"}, "2 rows of 60 signals"),
        ({"game": "trailblaze", "cards": 0}, "cards, not 0"),
        ({"game": "trailblaze", "cards": 2}, "at least 3 cards"),
        ({"game": "trailblaze", "cards": "ten"}, "a number of cards, not 'ten'"),
        ({"game": "trailblaze", "most": 0}, "1 action"),
        ({"game": "trailblaze", "most": 2.0}, "whole number of actions, not 2.0"),
        ({"game": "trailblaze", "version": "1"}, "a whole number, not '1'"),
        ({"game": "adaman", "reward": "points"}, "win, score, progress, not points"),
        ({"game": "trailblaze", "reward": "score"}, "trailblaze has no score to pay here"),
        ({"game": "trailblaze", "mask": "where"}, "not in where"),
        ({"game": "trailblaze", "version": 7}, "versions 0 and 1"),
        ({"game": "trailblaze", "render_mode": "rgb_array"}, "ansi or human"),
        ({"game": "trailblaze", "colour": "blue"}, "colour"),
    ],
)
def test_what_cannot_be_is_refused_with_what_would_be_right(given, said):
    with pytest.raises(Invalid, match=said):
        aec.env(**given)


def test_an_action_that_is_not_open_is_refused():
    env = aec.env("hic-haec-hoc", mode="assisted")
    env.reset(seed=1)
    mask = env.last()[0]["action_mask"]
    before = env.observe("player_0")["observation"]
    for wrong in (int(np.flatnonzero(mask == 0)[0]), env.setting.actions, -1, None):
        with pytest.raises(Illegal, match="is not open to player_0"):
            env.step(wrong)
    assert (env.observe("player_0")["observation"] == before).all()
    assert env.observe("player_1")["action_mask"].sum() == 0
    number = int(np.flatnonzero(mask)[0])
    assert env.action(number) in env.setting.legal(env._episode.view)
    alone = solitaire.env("adaman")
    seen, _ = alone.reset(seed=1)
    _, won, over, left, info = alone.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert (won, over, left) == (-1.0, True, False)
    assert "not open" in info["illegal"]
    with pytest.raises(Invalid, match='against="random"'):
        solitaire.env("trailblaze")
    with pytest.raises(Invalid, match="leave out against"):
        solitaire.env("adaman", against="random")
    with pytest.raises(Invalid, match="a setting is complete"):
        aec.env(env.setting, seats=3)


@pytest.mark.parametrize("rows", [None, [1, 2], [["a"], [1]], [[1.5], [1]]])
def test_a_table_of_anything_but_numbers_is_refused(rows):
    with pytest.raises(Invalid, match="a table of knowledge has a row for each seat, of whole numbers and None, not "):
        table(rows)


MADE = {
    "pettingzoo": lambda **given: aec.env("hic-haec-hoc", **given),
    "gymnasium": lambda **given: solitaire.env("hic-haec-hoc", against="random", **given),
}


@pytest.mark.parametrize("made", MADE)
def test_what_is_asked_before_the_first_reset_is_refused_in_words(made):
    env = MADE[made]()
    for ask in (lambda: env.step(0), lambda: env.action(0), env.action_masks, env.render):
        with pytest.raises(ResetNeeded, match="call reset first: no game has been dealt yet"):
            ask()
    assert not hasattr(env, "agent_selection")  # as wrappers ask
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        _ = env.colour
    env.reset(seed=1)
    assert env.action_masks().any()


@pytest.mark.parametrize("made", MADE)
def test_seeds_and_actions_are_whole_numbers(made):
    env = MADE[made]()
    for seed in ("x", 1.5, [1], True):
        with pytest.raises(Invalid, match="a seed is a whole number, not "):
            env.reset(seed=seed)
    with pytest.raises(Invalid, match="a seed is 0 or more, not -1"):
        env.reset(seed=-1)
    env.reset(seed=np.int64(3))
    dealt = env.action_masks()
    env.reset(seed=3)
    assert (env.action_masks() == dealt).all()
    number = np.flatnonzero(dealt)[0]
    for action in ("x", number + 0.5, np.array([number]), [number]):
        with pytest.raises(Invalid, match="an action is a whole number, not "):
            env.step(action)
    assert (env.action_masks() == dealt).all()
    env.step(np.array(number))  # what a policy of Stable-Baselines3 predicts


def test_what_others_answer_is_a_whole_number():
    env = solitaire.env("trailblaze", against=lambda _: None)
    with pytest.raises(Invalid, match="an action is a whole number, not None"):
        env.reset(seed=3)  # of a game that the other begins


def test_numbers_of_numpy_are_taken():
    played = setting("trailblaze", np.int64(3), cards=np.int64(20), most=np.int16(50), version=np.int8(1))
    same = setting("trailblaze", 3, cards=20, most=50)
    assert (played.seats, played.deck, played.most, played.version) == (3, same.deck, 50, 1)
    assert type(played.most) is int


def test_a_game_that_lasts_too_long_is_left():
    env = aec.env("anno-domini", most=2)
    env.reset(seed=1)
    for _ in range(2):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())
    state = spiel.load(env.setting).new_initial_state()
    while not state.is_terminal():
        state.apply_action((state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()])[0])
    assert state.returns() == [0.0, 0.0]


def test_settings_and_episodes_are_copied_and_pickled():
    played = setting("trailblaze", cards=20, knowledge="noise/5")
    one = next(episode(played, 1))
    for _ in range(2000):  # more than pickle would go down step by step
        one._notice(None, None)
    for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other.setting is played
        assert other.memory(0) == one.memory(0)
        other.act(other.open().get(other.open().plan.numbers[0]))
        assert other.memory(0) != one.memory(0)
    played._name = "gone"
    afresh = pickle.loads(pickle.dumps(played))
    assert afresh is not played
    assert (afresh.deck, afresh.size, afresh.actions) == (played.deck, played.size, played.actions)


def test_openspiel_gives_out_structs(played):
    dice, seen = FastDice(3), 0
    state = spiel.load(played).new_initial_state()
    while not state.is_terminal():
        open_ = [one for one, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        for action in open_[:8]:
            struct = state.action_to_struct(state.current_player(), action)
            assert state.struct_to_actions(struct) == [action]
            assert state.validate_action_struct(struct).ok()
        player, action = state.current_player(), dice.choice(open_)
        if player >= 0:
            seen += 1
            told = json.loads(state.to_observation_struct(player).to_json())
            assert told["current_player"] == told["player"] == player
            other = state.resample_from_infostate(player, dice.random)
            assert other.to_observation_struct(player).to_dict() == told
            whole = state.to_dict()
            assert whole["public"] == told["public"]
            assert whole["own"][player] == told["own"]
            assert "hidden" in whole
            assert "hidden" not in told
        after = state.clone()
        after.apply_action_struct(state.action_to_struct(player, action))
        state.apply_action(action)
        assert after.to_dict() == state.to_dict()
    assert seen > 2


def test_openspiel_refuses_structs_that_are_not_open():
    state, dice = spiel.load("trailblaze").new_initial_state(), FastDice(1)
    while state.is_chance_node():
        stood(state, dice, 1)
    first = state.legal_actions()[0]
    kept = state.action_to_struct(first)
    assert kept.to_dict() == {"type": "Keep"}
    while state.is_chance_node() or first in state.legal_actions():
        stood(state, dice, 1)
    assert state.struct_to_actions(kept) == [-1]
    assert not state.validate_action_struct(kept).ok()
    with pytest.raises(Illegal, match=f"action {first} is not open to player"):
        state.action_to_struct(first)


def test_openspiel_draws_no_card_twice():
    state = spiel.load(setting("adaman")).new_initial_state()
    (first, _), *_ = state.chance_outcomes()
    state.apply_action(first)
    assert first not in dict(state.chance_outcomes())
    with pytest.raises(ValueError, match="is not left to draw"):
        state.apply_action(first)


@pytest.mark.parametrize(
    ("game", "knowledge"),
    [("anno-domini", "noise/100"), ("trailblaze", "noise/50"), ("hic-haec-hoc", "noise/0.1"), ("adaman", "none")],
)
def test_the_page_says_what_the_numbers_mean(game, knowledge):
    docs = Path(__file__).parents[2] / "docs"
    played, text = setting(game, knowledge=knowledge), (docs / "environments.md").read_text("utf-8")
    assert played.described() in (docs / "api" / "numbers.md").read_text("utf-8")
    for row, size in (("actions", played.actions), ("numbers that an agent sees", played.size)):
        (cells,) = re.findall(rf"^\| {row} \| (.*) \|$", text, re.MULTILINE)
        assert cells.split(" | ")[["anno-domini", "trailblaze", "hic-haec-hoc", "adaman"].index(game)] == f"{size:,}"
