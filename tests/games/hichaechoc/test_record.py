"""Records are written and read again; junk is refused with a reason."""

import pytest

from games.hichaechoc.tables import HIC, dealt, play
from spieltisch import games, record
from spieltisch.dice import FastDice, throw
from spieltisch.game import Invalid, Refused, aliased, see
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.options import Options

codec = games.package("hic-haec-hoc").record

JUNK = [
    None, True, 0, -1, 1.5, "", "draw", [], [1], {}, {"play": None}, {"play": 1, "as": "acc.sg.m"}, {"play": "hunc"},
    {"play": "hunc", "as": None}, {"play": "hunc", "as": "acc.sg"}, {"play": "hunc", "as": "acc.sg.m", "to": 1},
    {"play": ["joker"]}, {"play": {}}, {"play": "joker"}, {"play": "joker", "as": "acc.sg.m"}, {"draw": 1},
    {"draw": False}, {"pass": "yes"}, {"pass": False}, {"draw": True, "pass": True}, {"contest": 1},
    {"contest": None}, {"contest": False, "draw": True}, {"place": 1}, {"play": "nemo", "as": "acc.sg.m"},
]  # fmt: skip


@pytest.mark.parametrize("raw", JUNK, ids=repr)
def test_junk_is_refused(raw):
    state = dealt("hunc hanc hīs", "hōs hās hī", top="hic")
    for then in (state, play(state, "hunc acc.sg.m")):
        with pytest.raises(Refused):
            done(then, raw)


def done(state, raw):
    for action in codec.read_action(HIC, state, 0, raw):
        rules.apply(state, rules.to_act(state.public)[0], action)


@pytest.mark.parametrize(
    "top", [{}, {"options": None}, {"options": []}, {"options": {"paradigm": 1}}, {"options": {}, "forms": "hic"}]
)
def test_a_top_that_is_none_is_refused(top):
    with pytest.raises(Invalid):
        codec.load(top, 2)


def test_what_is_dumped_is_loaded_again():
    options = Options(mode="assisted", joker=True, cards_per_player=4)
    loaded, deck = codec.load(codec.dump(options, aliased(HIC, range(29, -1, -1))), 2)
    assert loaded == options
    assert deck.cards == HIC.cards


@pytest.mark.parametrize("seed", range(6))
def test_a_game_as_a_record_comes_out_as_it_was(seed):
    """Played with shuffled rows, written down by name, and replayed with the rows in their own order."""
    dice = FastDice(seed)
    order = dice.shuffle(range(30))
    options = Options(
        mode="strict" if seed % 2 else "assisted", joker=seed > 2, play_on=seed > 3, contest_price=1, cards_per_player=3
    )
    state, steps = rules.setup(3, options, aliased(HIC, order)), []
    for _ in range(120):
        if (due := rules.pending_chance(state)) is not None:
            steps.append((due, throw(dice, due)))
            state = rules.resolve_chance(state, steps[-1][1])
        elif acting := rules.to_act(state.public):
            seat = dice.choice(acting)
            steps.append((seat, dice.choice(rules.legal(see(state, seat)))))
            state = rules.apply(state, *steps[-1])
    written = record.write(games.package("hic-haec-hoc"), options, HIC, order, ["a", "b", "c"], steps)
    played = record.replay(record.parse(record.text(written).encode()))
    mine, theirs = codec.write_state(HIC, state), record.outcome(played)["state"]
    assert isinstance(theirs, dict)
    for outcome in (mine, theirs):
        outcome["hands"] = [sorted(hand) for hand in outcome["hands"]]
    assert mine == theirs
