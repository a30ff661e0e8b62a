"""The room's player: sensible, by its view and by what it has in mind."""

import pytest

from games.hichaechoc.tables import CELL, HIC, NUMBER, dealt, play, told, used_up
from spieltisch.dice import FastDice, throw
from spieltisch.game import aliased, see
from spieltisch.games.hichaechoc import beliefs as knowledge
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.beliefs import Beliefs, Mind
from spieltisch.games.hichaechoc.bot import Bot
from spieltisch.games.hichaechoc.options import Options
from spieltisch.games.hichaechoc.state import Hidden

BOT, BELIEFS = Bot(), Beliefs()

TABLE = bytes(NUMBER[form] for form in HIC.forms())
HANDS = ("hunc hanc hīs", "hōs hās hī")


def chosen(state, table=TABLE, seed=1, level="magister"):
    seat = rules.to_act(state.public)[0]
    view = see(state, seat)
    return told(BOT.choose(view, rules.legal(view), FastDice(seed), table and Mind(level, table)))


def test_strict_it_plays_what_it_holds_right():
    assert chosen(dealt(*HANDS, top="hic")) == "hunc acc.sg.m"


def test_strict_without_a_fitting_card_it_draws_and_then_passes():
    state = dealt("hīs hīs hīs", *HANDS[1:], top="hic", pile="hārum")
    assert chosen(state) == "draw"
    assert chosen(play(state, "draw")) == "pass"
    assert chosen(used_up(state)) == "pass"


def test_it_contests_what_it_holds_wrong_and_accepts_the_rest():
    assert chosen(play(dealt(*HANDS, top="hic"), "hunc acc.sg.m")) == "accept"
    assert chosen(play(dealt(*HANDS, top="hic"), "hunc dat.sg.m")) == "contest"
    assert chosen(play(dealt(*HANDS, top="hic"), "hīs dat.pl.m")) == "contest"


def test_it_contests_whatever_would_end_the_game():
    """A play that is right has won anyway; one that is wrong comes back."""
    assert chosen(play(dealt("hunc", *HANDS[1:], top="hic"), "hunc acc.sg.m")) == "contest"


def test_a_card_that_came_back_is_played_after_the_others_and_then_read_anew():
    mixed = bytearray(TABLE)
    one, other = CELL["acc.sg.m"], CELL["acc.pl.f"]
    mixed[one], mixed[other] = mixed[other], mixed[one]
    state = play(dealt("hās hīs hīs", "hōs hārum hī", top="hic"), "hās acc.sg.m", "contest", "draw", "pass")
    view = see(state, 0)
    assert view.public.known.hands[0]
    told_ = {chosen(state, bytes(mixed), seed) for seed in range(40)}
    assert all(one.startswith("hās ") for one in told_)
    assert len(told_) > 2


def test_it_errs_where_its_table_errs():
    mixed = bytearray(TABLE)
    one, other = CELL["acc.sg.m"], CELL["acc.pl.f"]
    mixed[one], mixed[other] = mixed[other], mixed[one]
    assert chosen(play(dealt(*HANDS, top="hic"), "hunc acc.sg.m"), bytes(mixed)) == "contest"
    assert chosen(play(dealt(*HANDS, top="hic"), "hunc acc.pl.f"), bytes(mixed)) == "contest"


def test_it_keeps_the_joker_for_when_nothing_else_fits():
    assert chosen(dealt("hunc joker hīs", *HANDS[1:], top="hic", joker=True)) == "hunc acc.sg.m"
    assert chosen(dealt("hīs joker hīs", *HANDS[1:], top="hic", joker=True)) == "joker"


def test_without_a_table_in_mind_it_still_plays():
    assert chosen(dealt(*HANDS, top="hic"), table=None)


def test_a_belief_is_a_table_of_the_same_forms_with_a_few_cells_mixed_up():
    wrong = []
    for seed in range(400):
        table = BELIEFS.form(Hidden((), TABLE), FastDice(seed), "discipula").table
        assert sorted(table) == sorted(TABLE)
        wrong.append(sum(one != other for one, other in zip(table, TABLE, strict=True)))
    assert max(wrong) <= 10
    assert 3 < sum(wrong) / 400 < 4.5
    assert 0 in wrong


def test_an_open_table_needs_no_belief():
    assert BELIEFS.form(Hidden((), None), FastDice(1), "magister").table is None


def test_two_of_it_end_their_strict_games():
    for seed in range(5):
        dice = FastDice(seed)
        state = rules.setup(2, Options(), aliased(HIC, dice.shuffle(range(30))))
        beliefs = [BELIEFS.form(state.hidden, dice, "magister") for _ in range(2)]
        for _ in range(1000):
            if (due := rules.pending_chance(state)) is not None:
                state = rules.resolve_chance(state, throw(dice, due))
            if not rules.to_act(state.public):
                break
            seat = rules.to_act(state.public)[0]
            view = see(state, seat)
            state = rules.apply(state, seat, BOT.choose(view, rules.legal(view), dice, beliefs[seat]))
        assert rules.result(state.public) is not None


@pytest.mark.parametrize(("level", "n", "enough"), [("magister", 200, 110), ("grammaticus", 80, 50)])
@pytest.mark.slow
@pytest.mark.timeout(1800)  # in plain Python a choice takes 0.25 s
def test_it_beats_chance_when_both_see_what_fits(level, n, enough):
    won = 0.0
    for seed in range(n):
        dice = FastDice(seed)
        state = rules.setup(2, Options(mode="assisted"), HIC)
        while True:
            if (due := rules.pending_chance(state)) is not None:
                state = rules.resolve_chance(state, throw(dice, due))
            if not rules.to_act(state.public):
                break
            seat = rules.to_act(state.public)[0]
            view = see(state, seat)
            legal = rules.legal(view)
            action = BOT.choose(view, legal, dice, Mind(level, None)) if seat == seed % 2 else dice.choice(legal)
            state = rules.apply(state, seat, action)
        first = rules.result(state.public).ranking[0]
        won += (seed % 2 in first) / len(first)
    assert won > enough


def test_a_pupil_confuses_more_than_a_teacher_and_a_grammarian_nothing():
    off = [
        sum(BELIEFS.form(Hidden((), TABLE), FastDice(seed), level).table != TABLE for seed in range(100))
        for level in knowledge.LEVELS
    ]
    assert off[0] > 90
    assert 30 < off[1] < 70
    assert off[2] == 0
