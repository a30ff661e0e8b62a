"""The rules, sentence by sentence."""

import pytest
from msgspec.structs import replace

from games.hichaechoc.tables import CELL, FORM, HIC, NUMBER, dealt, hand, offered, play, top, used_up
from spieltisch.dice import FastDice
from spieltisch.game import Illegal, Invalid, Result, Shuffle, aliased, see
from spieltisch.games.hichaechoc import news, rules
from spieltisch.games.hichaechoc.agreement import (
    BESIDE,
    FITTING,
    READINGS,
    agree,
    as_bits,
    fitting_on_any,
    readings,
    readings_of_all,
)
from spieltisch.games.hichaechoc.forms import CELLS, paradigm
from spieltisch.games.hichaechoc.options import Options
from spieltisch.games.hichaechoc.state import JOKER, Accept, Contest, Draw, Own, Play

ASSISTED = {"mode": "assisted"}
TWO = ("hunc hanc hīs", "hōs hās hī")


# -- the material --------------------------------------------------------------------------------------------


def test_thirty_cards_one_for_every_case_number_and_gender():
    assert len(HIC.cards) == 30
    assert sorted(card.cell for card in HIC.cards) == sorted(CELLS)
    assert len(NUMBER) - 1 == 16  # written forms


def test_readings_as_bits_are_the_same_readings():
    table = bytes(NUMBER[form] for form in HIC.forms())
    assert readings_of_all(table) == [as_bits(readings(table, form)) for form in range(30)]
    for form in range(30):
        own = readings(table, form)
        fitting = [cell for cell in READINGS if any(agree(cell, under) == 2 for under in own)]
        assert fitting_on_any(as_bits(own)) == as_bits(fitting)
    for one in READINGS:
        assert [FITTING[one] >> other & 1 for other in READINGS] == [agree(one, other) == 2 for other in READINGS]


@pytest.mark.parametrize("cards", [(*HIC.cards, HIC.cards[0]), HIC.cards[1:], (HIC.cards[1], *HIC.cards[1:])])
def test_a_deck_has_each_card_once(cards):
    with pytest.raises(Invalid, match="each of the 30 cells"):
        rules.setup(2, Options(), replace(HIC, cards=cards))


@pytest.mark.parametrize("seed", range(20))
def test_in_whatever_order_the_deck_lies_assisted_offers_are_those_that_agree(seed):
    dice = FastDice(seed)
    state = rules.setup(3, Options(mode="assisted"), aliased(HIC, dice.shuffle(range(30))))
    state = rules.resolve_chance(state, dice.shuffle(rules.pending_chance(state).items))
    p, own = state.public, state.own[0]
    fitting = [
        Play(card, cell)
        for card in dict.fromkeys(own.hand)
        for cell in readings(p.terms.table, card)
        if any(agree(cell, under) == 2 for under in readings(p.terms.table, p.middle.top))
    ]
    assert list(rules.legal(see(state, 0))) == (fitting or [Draw()])


def test_readings_are_all_cells_in_which_a_form_is_written():
    table = bytes(NUMBER[form] for form in HIC.forms())
    count = {form: len(readings(table, number)) for form, number in NUMBER.items() if form != "joker"}
    assert (count["huius"], count["hīs"], count["hoc"], count["hōc"], count["haec"], count["hunc"]) == (
        3,
        6,
        2,
        2,
        3,
        1,
    )
    assert readings(table, NUMBER["hoc"]) == (CELL["nom.sg.n"], CELL["acc.sg.n"])
    assert readings(table, NUMBER["haec"]) == (CELL["nom.sg.f"], CELL["nom.pl.n"], CELL["acc.pl.n"])


def test_seven_readings_agree_with_a_reading_in_exactly_two_criteria():
    assert {len(beside) for beside in BESIDE} == {7}
    hunc = CELL["acc.sg.m"]
    assert set(BESIDE[hunc]) == {
        CELL[name] for name in ["nom.sg.m", "gen.sg.m", "dat.sg.m", "abl.sg.m", "acc.sg.f", "acc.sg.n", "acc.pl.m"]
    }
    assert agree(hunc, hunc) == 3
    assert agree(hunc, CELL["abl.pl.f"]) == 0


# -- set-up --------------------------------------------------------------------------------------------------


def test_the_set_up_shuffles_all_cards_in_the_deck_s_order():
    state = rules.setup(2, Options(), HIC)
    assert rules.pending_chance(state) == Shuffle(tuple(NUMBER[card.form] for card in HIC.cards))
    assert rules.to_act(state.public) == ()
    assert rules.pending_chance(rules.setup(2, Options(joker=True), HIC)).items[-1] == JOKER


def test_five_cards_each_one_face_up_the_rest_is_the_pile():
    state = rules.setup(3, Options(), HIC)
    state = rules.resolve_chance(state, rules.pending_chance(state).items)
    assert state.public.hands == (5, 5, 5)
    assert state.public.middle.pile == len(state.hidden.pile) == 14
    assert top(state) == (HIC.cards[15].form, None)


def test_cards_are_dealt_one_at_a_time_clockwise_from_seat_0_then_the_face_up_card():
    state = rules.setup(2, Options(cards_per_player=3), HIC)
    state = rules.resolve_chance(state, rules.pending_chance(state).items)
    order = [card.form for card in HIC.cards]
    assert hand(state, 0) == sorted(order[0:6:2])
    assert hand(state, 1) == sorted(order[1:6:2])
    assert top(state)[0] == order[6]
    assert [FORM[card] for card in state.hidden.pile] == order[7:]


def test_seat_0_starts_then_clockwise():
    state = dealt("hic haec hoc", "hīs hīs hīs", "hōs hās hī", top="hunc")
    assert rules.to_act(state.public) == (0,)
    state = play(state, "draw", "pass")
    assert rules.to_act(state.public) == (1,)
    state = play(state, "draw", "pass", "draw", "pass")
    assert rules.to_act(state.public) == (0,)


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_play(seats):
    with pytest.raises(Invalid, match="2 to 5"):
        rules.setup(seats, Options(cards_per_player=3), HIC)


def test_players_times_cards_and_one_are_at_most_30():
    assert rules.setup(4, Options(cards_per_player=7), HIC)
    with pytest.raises(Invalid, match="more than 30"):
        rules.setup(5, Options(cards_per_player=6), HIC)


def test_a_deck_has_every_cell_once():
    with pytest.raises(Invalid, match="each of the 30 cells"):
        rules.setup(2, Options(), replace(HIC, cards=HIC.cards[:-1]))


def test_other_paradigms_are_decks_of_the_same_shape():
    forms = [f"form {number}" for number in range(30)]
    state = rules.setup(5, Options(), paradigm("mine", forms))
    assert state.public.terms.forms == tuple(forms)


def test_a_number_tells_nothing_the_same_deal_in_any_order_of_the_rows():
    """A form's number is that of its first row in the table's deck, whatever its cells."""
    order = FastDice(3).shuffle(range(30))
    terms = rules.setup(2, Options(), aliased(HIC, order)).public.terms
    rows = [HIC.cards[row].form for row in order]
    assert terms.forms == tuple(dict.fromkeys(rows))
    assert [terms.forms[card] for card in terms.cards] == rows
    assert terms.table is None


# -- playing, assisted ---------------------------------------------------------------------------------------


def test_a_play_agrees_with_the_top_card_in_exactly_two():
    state = play(dealt("hunc hae hīs", "hōs hanc hārum", top="hic", **ASSISTED), "hunc acc.sg.m")
    # on acc.sg.m: hanc shares case and number, hōs case and gender, hārum nothing
    assert offered(state) == ["hōs acc.pl.m", "hanc acc.sg.f"]
    with pytest.raises(Illegal, match="hārum does not fit"):
        play(state, "hārum gen.pl.f")


def test_a_second_huius_must_be_declared_as_another_gender():
    state = play(dealt("huius hī hae", "huius hōs hās", top="hic", **ASSISTED), "huius gen.sg.m")
    assert [play for play in offered(state) if play.startswith("huius")] == ["huius gen.sg.f", "huius gen.sg.n"]


def test_an_undeclared_first_card_may_be_any_of_its_readings():
    state = dealt("hunc huic hōrum", "hōs hās hī", top="huius", **ASSISTED)
    found = offered(state)
    assert {play.split()[0] for play in found} == {"hunc", "huic", "hōrum"}
    assert "huic dat.sg.f" in found
    assert "hōrum gen.pl.n" in found


def test_once_a_card_lies_on_it_the_first_card_no_longer_counts():
    state = play(dealt("hunc huic hōrum", "huic hās hī", top="huius", **ASSISTED), "hunc acc.sg.m")
    assert offered(state) == ["huic dat.sg.m"]


def test_what_was_declared_counts():
    state = play(dealt("haec hanc hīs", "hae haec hās", top="hoc", **ASSISTED), "haec acc.pl.n")
    assert top(state) == ("haec", "acc.pl.n")
    assert offered(state) == ["haec nom.pl.n", "hās acc.pl.f"]


def test_assisted_drawing_is_offered_only_with_no_fitting_card():
    state = dealt("hunc hīs hīs", "hōs hās hī", top="hic", **ASSISTED)
    assert "draw" not in offered(state)
    with pytest.raises(Illegal, match="card that fits"):
        play(state, "draw")
    state = dealt("hīs hīs hīs", "hōs hās hī", top="hic", **ASSISTED)
    assert offered(state) == ["draw"]


def test_a_drawn_card_that_fits_may_be_played_at_once_or_not():
    state = play(dealt("hīs hīs hīs", "hōs hās hī", top="hic", pile="hunc", **ASSISTED), "draw")
    assert offered(state) == ["hunc acc.sg.m", "pass"]
    assert rules.to_act(play(state, "hunc acc.sg.m").public) == (1,)
    assert hand(play(state, "pass"), 0) == ["hunc", "hīs", "hīs", "hīs"]


def test_a_drawn_card_that_does_not_fit_leaves_only_the_pass():
    state = play(dealt("hīs hīs hīs", "hōs hās hī", top="hic", pile="hārum", **ASSISTED), "draw")
    assert offered(state) == ["pass"]


def test_assisted_nobody_is_asked():
    state = play(dealt(*TWO, top="hic", **ASSISTED), "hunc acc.sg.m")
    assert rules.to_act(state.public) == (1,)
    with pytest.raises(Illegal, match="nothing to answer"):
        play(state, "contest")


# -- playing, strict -----------------------------------------------------------------------------------------


def test_strict_any_card_may_be_played_with_any_declaration_and_drawing_is_always_allowed():
    state = dealt(*TWO[:1], "hōs hās hī", top="hic")
    found = offered(state)
    assert len(found) == len(set(found)) == 3 * 30 + 1
    assert found[-1] == "draw"
    twice = dealt("huius huius hīs", "hōs hās hī", top="hic")
    assert len(offered(twice)) == 2 * 30 + 1  # cards written alike are one


def test_strict_after_drawing_only_the_drawn_card_or_the_pass():
    state = play(dealt(*TWO, top="hic", pile="hārum"), "draw")
    found = offered(state)
    assert len(found) == 31
    assert {play.split()[0] for play in found} == {"hārum", "pass"}
    with pytest.raises(Illegal, match="only play the drawn card, hārum"):
        play(state, "hunc acc.sg.m")
    with pytest.raises(Illegal, match="Play it or keep it"):
        play(state, "draw")


def test_nobody_passes_without_having_drawn():
    with pytest.raises(Illegal, match="can only pass after"):
        play(dealt(*TWO, top="hic"), "pass")


def test_nobody_plays_what_they_do_not_hold():
    with pytest.raises(Illegal, match="do not hold hōs"):
        play(dealt(*TWO, top="hic"), "hōs acc.pl.m")
    with pytest.raises(Illegal, match="do not hold joker"):
        play(dealt(*TWO, top="hic"), "joker")
    for play_ in (Play(-1, 0), Play(99, 0), Play(NUMBER["hunc"], 30), Play(NUMBER["hunc"], -1)):
        with pytest.raises(Illegal):
            rules.apply(dealt(*TWO, top="hic"), 0, play_)


def test_after_a_play_every_other_player_may_contest_or_accept():
    state = play(dealt("hunc hanc hīs", "hōs hās hī", "hoc hōc haec", top="hic"), "hunc acc.sg.m")
    assert rules.to_act(state.public) == (1, 2)
    assert offered(state, 1) == offered(state, 2) == ["accept", "contest"]
    assert offered(state, 0) == []
    assert state.public.hands == (2, 3, 3)
    assert top(state) == ("hic", None)  # it is not yet the top card
    state = play(state, "2 accept")
    assert rules.to_act(state.public) == (1,)  # who has accepted is public
    with pytest.raises(Illegal, match="not your turn"):
        play(state, "2 contest")
    with pytest.raises(Illegal, match="First answer"):
        play(state, "1 draw")


def test_accepted_by_all_it_stays_even_if_it_is_wrong():
    state = play(dealt(*TWO, top="hic"), "hunc abl.pl.n", "accept")
    assert top(state) == ("hunc", "abl.pl.n")
    assert rules.to_act(state.public) == (1,)


def test_what_was_declared_wrongly_and_accepted_counts_from_now_on():
    state = play(dealt(*TWO, top="hic"), "hunc abl.pl.n", "accept", "hōs acc.pl.m", "contest")
    assert hand(state, 1) == ["hās", "hī", "hōs"]  # hōs would go with hunc as it is, but not as it was declared
    judged = state.public.news[0]
    assert (judged.right, judged.said) == (False, CELL["abl.pl.n"])


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("hunc nom.sg.f", "none of the card's readings"),
        ("hīs dat.pl.m", "agrees in one only"),
        ("hic nom.sg.m", "agrees in three"),
    ],
)
def test_contested_and_wrong_the_card_goes_back_and_the_turn_is_over(move, why):
    state = dealt("hunc hic hīs", "hōs hās hī", top="hoc")
    if "three" in why:
        state = replace(state, public=replace(state.public, middle=replace(state.public.middle, said=CELL["nom.sg.m"])))
    before = hand(state, 0)
    state = play(state, move, "contest")
    assert hand(state, 0) == before, why
    assert state.public.hands == (3, 3)
    assert top(state)[0] == "hoc"
    assert rules.to_act(state.public) == (1,)


def test_contested_and_right_it_stays_and_costs_nothing():
    state = play(dealt(*TWO, top="hic"), "hunc acc.sg.m", "contest")
    assert top(state) == ("hunc", "acc.sg.m")
    assert state.public.hands == (2, 3)
    assert rules.to_act(state.public) == (1,)


def test_the_first_contest_decides():
    state = play(dealt("hunc hanc hīs", "hōs hās hī", "hoc hōc haec", top="hic"), "hunc abl.sg.m", "2 contest")
    assert rules.to_act(state.public) == (1,)
    assert hand(state, 0) == ["hanc", "hunc", "hīs"]


def test_a_card_taken_back_may_be_played_again_in_a_later_turn():
    state = play(dealt(*TWO, top="hic"), "hunc abl.sg.m", "contest", "draw", "pass", "hunc acc.sg.m", "contest")
    assert top(state) == ("hunc", "acc.sg.m")


def test_everybody_knows_where_a_card_taken_back_is():
    state = play(dealt(*TWO, top="hic"), "hunc abl.sg.m", "contest")
    assert state.public.known.hands == ((NUMBER["hunc"],), ())
    view = see(state, 1)
    assert all(NUMBER["hunc"] in rules.imagine(view, FastDice(seed)).own[0].hand for seed in range(20))
    state = play(state, "draw", "pass", "hunc acc.sg.m")
    assert state.public.known.hands == ((), ())


def test_an_undeclared_first_card_is_judged_by_all_its_readings():
    right = play(dealt("hunc huic hōrum", *TWO[1:], top="huius"), "huic dat.sg.f", "contest")
    assert top(right) == ("huic", "dat.sg.f")
    wrong = play(dealt("hīs huic hōrum", *TWO[1:], top="huius"), "hīs dat.pl.f", "contest")
    assert top(wrong) == ("huius", None)
    assert wrong.public.news == (
        news.Judged(
            0, 1, NUMBER["hīs"], CELL["dat.pl.f"],
            tuple(CELL[name] for name in ["dat.pl.m", "dat.pl.f", "dat.pl.n", "abl.pl.m", "abl.pl.f", "abl.pl.n"]),
            NUMBER["huius"], None, tuple(CELL[name] for name in ["gen.sg.m", "gen.sg.f", "gen.sg.n"]), False,
            wrong.hidden.table,
        ),
    )  # fmt: skip


def test_the_verdict_shows_the_table_of_forms_and_it_is_face_down_again():
    state = play(dealt(*TWO, top="huius"), "hunc abl.sg.m", "contest")
    (judged,) = state.public.news
    assert judged.readings == (CELL["acc.sg.m"],)
    assert judged.beneath == ()  # wrong by itself: the first card is not looked up
    assert judged.table == state.hidden.table
    assert state.public.terms.table is None
    assert play(state, "draw").public.news == (news.Drawn(1, None),)


# -- the price -----------------------------------------------------------------------------------------------


def test_a_contest_that_was_not_justified_may_cost_a_card():
    state = play(dealt(*TWO, top="hic", pile="hārum", contest_price=1), "hunc acc.sg.m", "contest")
    assert hand(state, 1) == ["hārum", "hās", "hī", "hōs"]
    assert rules.to_act(state.public) == (1,)
    assert state.public.news[1:] == (news.Fined(1), news.Drawn(1, None))
    assert state.own[1].news == (news.Drawn(1, NUMBER["hārum"]),)
    assert len(offered(state)) == 4 * 30 + 1  # it is no card drawn in the turn: any may be played, or one drawn
    assert play(state, "draw").own[1].news[0].form == state.hidden.pile[0]


def test_what_was_drawn_as_a_price_is_news_for_one_step_only():
    three = dealt("hunc hanc hīs", "hōs hās hī", "hoc hōc haec", top="hic", pile="hārum", contest_price=1)
    state = play(three, "hunc acc.sg.m", "2 contest")
    assert state.own[2].news
    assert not play(state, "draw").own[2].news


def test_a_justified_contest_costs_nothing():
    state = play(dealt(*TWO, top="hic", contest_price=1), "hunc abl.sg.m", "contest")
    assert state.public.hands == (3, 3)


def test_the_price_is_drawn_from_the_shuffled_played_cards_if_the_pile_is_used_up():
    state = used_up(dealt(*TWO, top="hic", contest_price=1), "hae")
    state = play(state, "hunc acc.sg.m", "contest")
    assert rules.to_act(state.public) == ()
    assert rules.pending_chance(state) == Shuffle((NUMBER["hae"], NUMBER["hic"]))
    state = play(state, ["hic"])
    assert hand(state, 1) == ["hic", "hās", "hī", "hōs"]
    assert (state.public.middle.pile, state.public.middle.played) == (1, ())
    assert rules.to_act(state.public) == (1,)
    assert state.public.turn.drawn is False


def test_a_game_that_is_won_is_over_before_any_price_is_paid():
    state = dealt(*TWO, top="hic", contest_price=1)
    state = replace(state, own=(Own((NUMBER["hunc"],)), state.own[1]), public=replace(state.public, hands=(1, 3)))
    state = play(state, "hunc acc.sg.m", "contest")
    assert rules.result(state.public) == Result(((0,), (1,)), None, "out-of-cards")
    assert state.public.hands == (0, 3)


def test_while_the_game_goes_on_the_price_is_paid():
    state = last_card(dealt(*TWO, "hoc hōc haec", top="hic", contest_price=1, play_on=True), 0, "hunc")
    state = play(state, "hunc acc.sg.m", "2 contest")
    assert rules.result(state.public) is None
    assert state.public.hands == (0, 3, 4)
    assert rules.to_act(state.public) == (1,)


# -- the pile ------------------------------------------------------------------------------------------------


def test_the_played_cards_but_the_top_one_are_shuffled_when_a_card_has_to_be_drawn():
    state = used_up(dealt(*TWO, top="hic"), "hae huius")
    assert offered(state)[-1] == "draw"
    state = play(state, "draw")
    assert rules.pending_chance(state) == Shuffle((NUMBER["hae"], NUMBER["huius"]))
    state = play(state, ["huius", "hae"])
    assert hand(state, 0) == ["hanc", "huius", "hunc", "hīs"]
    assert top(state) == ("hic", None)
    assert state.public.middle.pile == 1
    assert state.public.news == (news.Shuffled(2), news.Drawn(0, None))
    assert state.own[0].news == (news.Drawn(0, NUMBER["huius"]),)
    assert {move.split()[0] for move in offered(state)} == {"huius", "pass"}


def test_the_used_up_pile_is_not_shuffled_before_a_card_has_to_be_drawn():
    state = used_up(dealt(*TWO, top="hic"), "hae huius")
    assert rules.pending_chance(play(state, "hunc acc.sg.m", "accept")) is None


def test_with_nothing_to_draw_and_nothing_to_shuffle_one_may_pass():
    strict = used_up(dealt(*TWO, top="hic"))
    assert offered(strict)[-1] == "pass"
    assert "draw" not in offered(strict)
    with pytest.raises(Illegal, match="no card left to draw"):
        play(strict, "draw")
    fitting = used_up(dealt(*TWO, top="hic", **ASSISTED))
    assert "pass" not in offered(fitting)
    with pytest.raises(Illegal, match="card that fits"):
        play(fitting, "pass")
    assert offered(used_up(dealt("hīs hīs hīs", "hōs hās hī", top="hic", **ASSISTED))) == ["pass"]


# -- the joker -----------------------------------------------------------------------------------------------


def test_the_joker_goes_on_any_card_without_a_declaration_and_is_not_contested():
    state = play(dealt("joker hanc hīs", "hōs hās hī", top="hic", joker=True), "joker")
    assert rules.to_act(state.public) == (1,)
    assert state.public.turn.pending is None


def test_the_card_under_the_joker_counts_and_an_undeclared_first_card_stays_free():
    state = play(dealt("joker hanc hīs", "huic hās hī", top="huius", joker=True, **ASSISTED), "joker")
    assert top(state) == ("huius", None)
    assert offered(state) == ["huic dat.sg.m", "huic dat.sg.f", "huic dat.sg.n"]
    said = play(
        dealt("hunc joker hīs", "hanc hās hī", top="hic", joker=True, **ASSISTED), "hunc acc.sg.m", "hanc acc.sg.f"
    )
    assert top(play(said, "joker")) == ("hanc", "acc.sg.f")


def test_turned_up_first_the_joker_goes_under_the_pile():
    state = dealt(*TWO, top="joker hic", joker=True)
    assert top(state) == ("hic", None)
    assert state.hidden.pile[-1] == JOKER
    assert state.public.middle.pile == 24
    assert state.public.news == (news.TurnedUp(NUMBER["hic"], True),)
    assert all(rules.imagine(see(state, 1), FastDice(seed)).hidden.pile[-1] == JOKER for seed in range(20))


def test_who_draws_the_joker_from_the_bottom_has_it_before_all_eyes():
    state = dealt(*TWO, top="joker hic", joker=True)
    pile = state.hidden.pile[-1:]
    state = replace(
        state,
        public=replace(state.public, middle=replace(state.public.middle, pile=1)),
        hidden=replace(state.hidden, pile=pile),
    )
    state = play(state, "draw")
    assert state.public.news == (news.Drawn(0, JOKER),)
    assert state.public.known.hands == ((JOKER,), ())
    assert state.public.known.bottom is False


def test_in_a_reshuffle_the_joker_on_top_and_the_card_under_it_stay():
    state = used_up(dealt("joker hanc hīs", "hōs hās hī", top="hic", joker=True), "hae")
    state = play(state, "joker", "draw")
    assert rules.pending_chance(state) == Shuffle((NUMBER["hae"],))


def test_under_the_next_card_the_joker_is_put_away_after_the_card_it_lay_on():
    state = used_up(dealt("joker hanc hīs", "hōs hās hī", top="hic", joker=True), "hae")
    state = play(state, "joker", "hī nom.pl.m", "contest")
    assert state.public.middle.played == (NUMBER["hae"], NUMBER["hic"], JOKER)
    assert state.public.middle.joker is False


def test_assisted_with_the_joker_in_hand_there_is_always_a_fitting_card():
    assert offered(dealt("joker hīs hīs", "hōs hās hī", top="hic", joker=True, **ASSISTED)) == ["joker"]


# -- the end -------------------------------------------------------------------------------------------------


def last_card(state, seat, form):
    """The same table, but this seat holds only this card."""
    own = tuple(Own((NUMBER[form],)) if i == seat else room for i, room in enumerate(state.own))
    hands = tuple(1 if i == seat else n for i, n in enumerate(state.public.hands))
    return replace(state, own=own, public=replace(state.public, hands=hands))


def test_who_has_no_cards_left_has_won_and_the_rest_is_ranked_by_cards_ties_share_a_place():
    state = dealt("hunc hanc hīs", "hōs hās hī", "hoc hōc haec", "hae haec huic", top="hic", **ASSISTED)
    state = play(last_card(last_card(state, 2, "hoc"), 0, "hunc"), "hunc acc.sg.m")
    assert rules.result(state.public) == Result(((0,), (2,), (1, 3)), None, "out-of-cards")
    assert rules.to_act(state.public) == ()
    with pytest.raises(Illegal, match="over"):
        rules.apply(state, 1, Draw())


def test_the_game_is_won_only_after_the_last_card_s_play_has_stood():
    state = play(last_card(dealt(*TWO, top="hic"), 0, "hunc"), "hunc abl.sg.m")
    assert rules.result(state.public) is None
    assert rules.result(play(state, "accept").public).end == "out-of-cards"
    back = play(state, "contest")
    assert rules.result(back.public) is None
    assert hand(back, 0) == ["hunc"]


def test_played_on_for_the_places_until_one_is_left():
    state = dealt("hunc hanc hīs", "hōs hās hī", "hoc hōc haec", top="hic", play_on=True, **ASSISTED)
    state = play(last_card(last_card(state, 0, "hunc"), 1, "hōs"), "hunc acc.sg.m")
    assert rules.result(state.public) is None
    state = play(state, "hōs acc.pl.m")
    assert rules.result(state.public) == Result(((0,), (1,), (2,)), None, "out-of-cards")


def test_who_is_out_is_neither_asked_nor_to_play():
    state = dealt("hunc hanc hīs", "hōs hās hī", "hoc hōc haec", top="hic", play_on=True)
    state = play(last_card(state, 0, "hunc"), "hunc acc.sg.m", "1 accept", "2 accept")
    assert rules.to_act(state.public) == (1,)
    state = play(state, "hōs acc.pl.m")
    assert rules.to_act(state.public) == (2,)
    state = play(state, "2 accept", "draw", "pass")
    assert rules.to_act(state.public) == (1,)


# -- blocked -------------------------------------------------------------------------------------------------


def test_blocked_when_all_have_passed_in_a_row_fewest_cards_first():
    state = used_up(dealt("hīs hīs hīs", "hōs hās hī", top="hic"))
    state = last_card(state, 1, "hōs")
    state = play(state, "pass")
    assert rules.result(state.public) is None
    state = play(state, "pass")
    assert rules.result(state.public) == Result(((1,), (0,)), None, "blocked")
    assert state.public.news == (news.Passed(1), news.Blocked())


def test_a_play_taken_back_breaks_a_row_of_passes():
    state = used_up(dealt("hīs hīs hīs", "hōs hās hī", top="hic"))
    state = play(state, "pass", "hōs abl.pl.m", "contest", "pass")
    assert rules.result(state.public) is None
    assert rules.result(play(state, "pass").public).end == "blocked"


def test_blocked_when_for_three_circles_no_play_has_stood_and_no_card_was_drawn():
    state = dealt("hīs hīs hīs", "hōs hās hī", top="hic")
    for turn in range(6):
        assert rules.result(state.public) is None, turn
        state = play(state, "hīs abl.pl.m" if turn % 2 == 0 else "hōs acc.pl.m", "contest")
    assert rules.result(state.public) == Result(((0, 1),), None, "blocked")


def test_a_turn_with_a_draw_never_counts_and_begins_the_count_anew():
    state = dealt("hīs hīs hīs", "hōs hās hī", top="hic", pile="huius")
    for turn in range(4):
        state = play(state, "hīs abl.pl.m" if turn % 2 == 0 else "hōs acc.pl.m", "contest")
    state = play(state, "draw", "huius gen.pl.m", "contest")  # taken back, but a card was drawn
    for turn in range(6):
        assert rules.result(state.public) is None, turn
        state = play(state, "hōs acc.pl.m" if turn % 2 == 0 else "hīs abl.pl.m", "contest")
    assert rules.result(state.public).end == "blocked"


def test_a_play_that_stands_begins_the_count_anew():
    state = dealt("hīs hīs hīs", "hōs hās hī", top="hic")
    for _ in range(2):
        state = play(state, "hīs abl.pl.m", "contest", "hōs acc.pl.m", "contest")
    state = play(state, "hīs dat.pl.m", "accept")
    assert state.public.stall.turns == 0


def test_a_pass_after_a_draw_is_none_of_the_passes_in_a_row():
    state = play(used_up(dealt("hīs hīs hīs", "hōs hās hī", top="hic"), "hae"), "draw", [], "pass", "pass")
    assert rules.result(state.public) is None
    assert rules.result(play(state, "pass").public).end == "blocked"


def test_circles_count_only_the_players_still_in():
    state = dealt("hunc hanc hīs", "hōs hās hī", "hoc hōc haec", top="hic", play_on=True)
    state = play(last_card(state, 0, "hunc"), "hunc acc.sg.m", "1 accept", "2 accept")
    for turn in range(6):
        assert rules.result(state.public) is None, turn
        state = play(state, *(("hās abl.sg.f", "2 contest") if turn % 2 == 0 else ("haec gen.sg.m", "1 contest")))
    assert rules.result(state.public) == Result(((0,), (1, 2)), None, "blocked")


# -- who may know what ---------------------------------------------------------------------------------------


def test_strict_the_table_of_forms_lies_in_hidden_only():
    state = dealt(*TWO, top="hic")
    assert state.public.terms.table is None
    assert state.hidden.table == bytes(NUMBER[form] for form in HIC.forms())
    assisted = dealt(*TWO, top="hic", **ASSISTED)
    assert assisted.hidden.table is None
    assert assisted.public.terms.table == state.hidden.table


def test_strict_legal_does_not_depend_on_the_table_of_forms():
    state = dealt(*TWO, top="hic")
    other = replace(state, hidden=replace(state.hidden, table=bytes(reversed(state.hidden.table))))
    assert rules.legal(see(state, 0)) == rules.legal(see(other, 0))


def test_a_draw_tells_the_others_nothing_but_itself():
    one, two = (play(dealt(*TWO, top="hic", pile=form), "draw") for form in ("hārum", "huius"))
    assert see(one, 0) != see(two, 0)
    assert see(one, 1) == see(two, 1)
    assert see(one, None) == see(two, None)


def test_a_made_up_table_holds_the_written_forms_and_what_a_verdict_shows():
    state = play(dealt("hīs huic hōrum", *TWO[1:], top="huius"), "hīs dat.pl.f", "contest")
    for seed in range(10):
        table = rules.imagine(see(state, 1), FastDice(seed)).hidden.table
        assert sorted(table) == sorted(state.hidden.table)
        assert readings(table, NUMBER["hīs"]) == readings(state.hidden.table, NUMBER["hīs"])
        assert readings(table, NUMBER["huius"]) == readings(state.hidden.table, NUMBER["huius"])
    later = play(state, "draw")
    tables = {rules.imagine(see(later, 1), FastDice(seed)).hidden.table for seed in range(10)}
    assert len(tables) == 10


def test_a_thinker_s_own_table_is_taken():
    state = dealt(*TWO, top="hic")
    beliefs = bytes(reversed(state.hidden.table))
    assert rules.imagine(see(state, 0), FastDice(1), beliefs).hidden.table == beliefs


def test_an_answer_not_given_in_time_is_an_acceptance():
    assert rules.silence == Accept()
    assert (Accept(), Contest()) == rules.ANSWERS
