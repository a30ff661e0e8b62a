"""The games as environments: the gates in short, what a seat is told and nobody else, and what arrays hold of views."""

import copy
import itertools
import pickle
from typing import Literal

import msgspec
import numpy as np
import pyspiel  # ty: ignore[import-not-found] - a module in C++
import pytest

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
def test_the_gate_of_gymnasium():
    gates.gymnasium(gates.made("adaman, with the Excuse"))


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


def test_a_copy_of_an_environment_goes_its_own_way():
    env = aec.env("hic-haec-hoc")
    env.reset(seed=1)
    for _ in range(4):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    other = copy.deepcopy(env)
    before = env.last()[0]["observation"]
    assert (other.last()[0]["observation"] == before).all()
    other.step(int(np.flatnonzero(other.last()[0]["action_mask"])[0]))
    assert (other.last()[0]["observation"] != before).any()
    assert (env.last()[0]["observation"] == before).all()


def test_a_copy_of_an_environment_has_dice_of_its_own():
    env = aec.env("adaman")
    env.reset(seed=1)
    other = copy.deepcopy(env)
    seen = []
    for one in (other, env, other):  # the same deal comes next to both, whoever deals first
        one.reset()
        seen.append(one.last()[0]["observation"].tolist())
    assert seen[0] == seen[1] != seen[2]


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


def test_numbers_of_a_kind_stay_apart(played):
    for one in itertools.islice(episode(played, 5), 15):
        offer = one.open()
        numbers = offer.plan.numbers
        assert numbers == tuple(np.flatnonzero(offer.plan.mask()).tolist())
        legal = list(played.legal(one.view)) if one.view is not None else []
        assert sorted(map(repr, legal)) == sorted(repr(offer.get(n)) for n in numbers)
        for n in numbers:
            first, size = played.blocks[type(offer.get(n))]
            assert first <= n < first + size
        assert all(offer.get(n) is None for n in (-1, played.actions, *{*range(played.actions)} - {*numbers}))


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
            quick, thorough = (Numbering(blocks, 30, grouped).offered(legal).plan for grouped in (True, False))
            assert quick.places == thorough.places
            assert quick.numbers == thorough.numbers
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
            assert (CANARY in env.observe(other)["observation"]) == (other == "player_1")
        assert CANARY in seen["observation"] or agent != "player_1"
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
        ({"game": "adaman", "seats": 2}, "1 seat"),
        ({"game": "adaman", "knowledge": "noise/3"}, "nothing to know"),
        ({"game": "trailblaze", "knowledge": "noise"}, "noise/15"),
        ({"game": "trailblaze", "knowledge": "noise/-1"}, "sigma"),
        ({"game": "trailblaze", "knowledge": "noise/1/0"}, "1 to 64 steps"),
        ({"game": "trailblaze", "knowledge": "table/1/2"}, "2 rows of 60 signals"),
        ({"game": "trailblaze", "cards": 0}, "cards, not 0"),
        ({"game": "trailblaze", "cards": 2}, "at least 3 cards"),
        ({"game": "trailblaze", "most": 0}, "1 action"),
        ({"game": "trailblaze", "mask": "where"}, "not in where"),
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
    with pytest.raises(Invalid, match="players here, not one"):
        solitaire.env("trailblaze")
    with pytest.raises(Invalid, match="a setting is complete"):
        aec.env(env.setting, seats=3)


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
    for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert other.setting is played
        assert other.memory(0) == one.memory(0)
        other.act(other.open().get(other.open().plan.numbers[0]))
        assert other.memory(0) != one.memory(0)
    played._name = "gone"
    afresh = pickle.loads(pickle.dumps(played))
    assert afresh is not played
    assert (afresh.deck, afresh.layout.size, afresh.actions) == (played.deck, played.layout.size, played.actions)


def test_openspiel_draws_no_card_twice():
    state = spiel.load(setting("adaman")).new_initial_state()
    (first, _), *_ = state.chance_outcomes()
    state.apply_action(first)
    assert first not in dict(state.chance_outcomes())
    with pytest.raises(ValueError, match="is not left to draw"):
        state.apply_action(first)
