"""The rules of Anno Domini, a test a sentence; all positions worked out by hand."""

import pytest
from msgspec.json import encode

from games.annodomini.tables import chain, deal, deck, hands, play, told
from spieltisch.game import Illegal, Invalid, see
from spieltisch.games.annodomini import rules
from spieltisch.games.annodomini.rules import Doubt, Open, Options, Place

TEN = "1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1600 | 1700 | 1800 | 1900"


def legal(state, seat):
    return rules.legal(see(state, seat))


# -- §1 the deal ---------------------------------------------------------------------------------------------


def test_nine_cards_each_dealt_one_at_a_time_clockwise_from_seat_0():
    state = deal(" | ".join(["1900"] * 30), seats=3, each=9)
    assert hands(state) == [list(range(seat, 27, 3)) for seat in range(3)]
    assert Options().cards_per_player == 9
    assert state.public.pile == 2


def test_all_events_lie_open_and_no_date_is_in_any_view():
    state = deal(TEN)
    for seat in (None, 0, 1):
        view = see(state, seat)
        assert [[card.front["de"] for card in hand] for hand in view.public.hands] == [["0", "2"], ["1", "3"]]
        assert "1100" not in encode(view).decode()
        assert "1400" not in encode(view).decode()


def test_of_the_pile_only_the_top_event_is_seen():
    state = deal(TEN)
    assert state.public.top.front["de"] == "5"
    for number in "6789":
        assert f'"{number}"' not in encode(see(state, 0)).decode()


def test_a_round_starts_with_the_piles_top_card_and_the_first_with_seat_0():
    state = deal(TEN)
    assert chain(state) == [4]
    assert state.public.chain[0].by is None
    assert rules.to_act(state.public) == (0,)
    assert told(state) == ["Dealt", "Started", "Uncovered"]


def test_nothing_can_be_done_before_the_deal():
    state = rules.setup(2, Options(cards_per_player=2), deck(TEN))
    assert rules.to_act(state.public) == ()
    assert rules.pending_chance(state).items == tuple(range(10))
    with pytest.raises(Illegal, match="have to be shuffled first"):
        rules.apply(state, 0, Place(0, 0))


# -- §3 a turn -----------------------------------------------------------------------------------------------


def test_a_card_is_placed_at_the_top_between_or_at_the_bottom():
    state = deal(TEN)
    assert legal(state, 0) == (Place(0, 0), Place(0, 1), Place(2, 0), Place(2, 1))
    assert chain(play(state, (0, 0))) == [0, 4]
    assert chain(play(state, (0, 1))) == [4, 0]
    assert chain(play(state, (0, 1), (3, 1))) == [4, 3, 0]


def test_who_laid_a_card_is_seen_and_the_turn_goes_clockwise():
    state = play(deal(TEN, seats=3), (0, 0), (1, 2))
    assert [laid.by for laid in state.public.chain] == [0, None, 1]
    assert rules.to_act(state.public) == (2,)


def test_a_doubt_needs_a_card_placed_in_this_round():
    state = deal(TEN)
    assert Doubt() not in legal(state, 0)
    with pytest.raises(Illegal, match="can doubt once"):
        play(state, "?")
    state = play(state, (0, 0))
    assert legal(state, 1)[-1] == Doubt()
    state = play(state, "?")  # the next round: again nobody has placed a card
    assert Doubt() not in legal(state, state.public.turn)


def test_only_whose_turn_it_is_acts():
    state = deal(TEN)
    assert legal(state, 1) == ()
    assert legal(state, None) == ()
    with pytest.raises(Illegal, match="not your turn"):
        rules.apply(state, 1, Place(1, 0))


@pytest.mark.parametrize("action", [Place(1, 0), Place(4, 0), Place(99, 0), Place(0, 2), Place(0, -1), Open((0, 2))])
def test_what_is_not_legal_is_refused(action):
    with pytest.raises(Illegal):
        rules.apply(deal(TEN), 0, action)


# -- §4 a doubt ----------------------------------------------------------------------------------------------


def test_a_right_doubt_costs_the_player_who_placed_last_three_cards():
    # 1000 below 1400 is wrong; the chain is set aside, seat 0 draws 5 6 7, seat 1 starts with 8
    state = play(deal(TEN), (0, 1), "?")
    assert hands(state) == [[2, 5, 6, 7], [1, 3]]
    assert chain(state) == [8]
    assert state.public.set_aside == 2
    assert state.hidden.set_aside == (4, 0)
    assert rules.to_act(state.public) == (1,)
    assert told(state) == ["Doubted", "Drew", "Started", "Uncovered"]


def test_a_wrong_doubt_costs_the_doubter_two_cards_and_the_next_player_starts():
    state = play(deal(TEN + "| 1950", seats=3), (0, 0), (1, 1), "?")  # 1000, 1100, 1600: correct; seat 2 doubts
    assert hands(state) == [[3], [4], [2, 5, 7, 8]]
    assert rules.to_act(state.public) == (0,)


def test_the_last_one_pays_whoever_placed_the_wrong_card():
    # seat 0 puts 1000 below 1600, seat 1 adds 1100 rightly above; seat 2 doubts: seat 1 draws three
    state = play(deal(TEN + "| 1950 | 1960", seats=3), (0, 1), (1, 0), "?")
    assert hands(state) == [[3], [4, 7, 8, 9], [2, 5]]
    assert rules.to_act(state.public) == (2,)


def test_a_doubt_reveals_all_dates_comments_and_who_laid_until_the_next_doubt():
    state = play(deal(TEN), (0, 1), "?")
    reveal = state.public.revealed
    assert [row.date["en"] for row in reveal.rows] == ["1400", "1000"]
    assert [row.by for row in reveal.rows] == [None, 0]
    assert (reveal.doubter, reveal.last, reveal.at_once, reveal.correct) == (1, 0, False, False)
    state = play(state, (1, 0))
    assert state.public.revealed == reveal
    assert state.public.news == (rules.news.Placed(1, state.public.chain[0].card, 0),)
    assert play(state, "?").public.revealed != reveal


def test_a_revealed_card_carries_no_number():
    reveal = play(deal(TEN), (0, 1), "?").public.revealed
    assert reveal.rows[0].__struct_fields__ == ("front", "date", "span", "comment", "source", "by", "corrected")


def test_every_wrong_pair_is_shown():
    # 1400 1200 1100 from top to bottom: three pairs
    state = play(deal(TEN), (2, 1), (1, 2), "?")
    assert state.public.revealed.wrong == ((0, 1), (0, 2), (1, 2))


def test_a_penalty_of_0_draws_nothing():
    state = play(deal(TEN, doubter_penalty=0), (0, 0), "?")
    assert hands(state) == [[2], [1, 3]]
    assert told(state) == ["Doubted", "TurnedUp", "Uncovered"]


# -- §2 what a correct chain is ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dates", "correct"),
    [
        (("1987", "1987", "1991"), True),
        (("1987", "1991", "um 1990"), True),  # 1985 to 1995 overlaps with all of them
        (("um 1990", "1987", "1991"), True),
        (("1991", "1987", "um 1990"), False),
        (("805 BC", "8th c. BC", "1st millennium BC"), True),
        (("1st millennium BC", "805 BC", "8th c. BC"), True),
        (("805 BC", "1st millennium BC", "8th c. BC"), True),
        (("8th c. BC", "805 BC", "1st millennium BC"), False),
        (("um 1900", "1896", "1895"), False),  # overlapping the first does not help the other two
        (("1 BC", "1", "1"), True),
        (("1", "1 BC", "1"), False),
    ],
)
def test_overlap_is_in_favour_of_the_chain(dates, correct):
    # two players with one card each: seat 0 opens with its card 0 and the two turned up, 2 and 3
    state = deal(" | ".join((dates[0], "2000", dates[1], dates[2])), each=1)
    state = play(state, [0, 2, 3])
    assert state.public.revealed.correct is correct


# -- §5 a round started with one card ------------------------------------------------------------------------


def test_who_starts_with_one_card_turns_up_two_and_lays_three_in_any_order():
    state = deal("1000 | 1100 | 1200 | 1300 | 1400", each=1)
    assert [card.number for card in state.public.turned] == [2, 3]
    assert chain(state) == []
    assert state.public.top.number == 4
    assert len(legal(state, 0)) == 6
    assert set(legal(state, 0)) == {Open(order) for order in rules.permutations((0, 2, 3))}


@pytest.mark.parametrize("action", [Place(0, 0), Open((0, 2)), Open((0, 2, 2)), Open((0, 2, 4)), Open(()), Doubt()])
def test_an_opening_takes_exactly_these_cards(action):
    with pytest.raises(Illegal):
        rules.apply(deal("1000 | 1100 | 1200 | 1300 | 1400", each=1), 0, action)


def test_an_opening_is_made_at_the_start_of_a_round_only():
    state = play(deal(TEN), (0, 0), (1, 1))  # seat 0 is to act with one card, but the round is running
    assert hands(state)[0] == [2]
    assert legal(state, 0)[0] == Place(2, 0)
    with pytest.raises(Illegal, match="start a round with one card"):
        play(state, [2, 4, 5])


def test_turned_up_cards_are_nobodys():
    state = play(deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500", each=1), [3, 2, 0])
    assert [row.by for row in state.public.revealed.rows] == [None, None, 0]


# -- §6 the end ----------------------------------------------------------------------------------------------


def test_a_last_card_in_a_correct_chain_wins_at_once_and_the_chain_stays():
    state = play(deal(TEN), (0, 0), (1, 1), (2, 2))  # 1000 1100 1200 1400
    assert state.public.end == "out-of-cards"
    assert chain(state) == [0, 1, 2, 4]
    assert hands(state) == [[], [3]]  # nobody draws
    assert state.public.revealed.at_once
    assert state.public.revealed.doubter == 1
    assert rules.result(state.public).ranking == ((0,), (1,))
    assert told(state) == ["Placed", "Doubted", "Ended"]
    with pytest.raises(Illegal, match="over"):
        play(state, "?")


def test_a_last_card_in_a_wrong_chain_draws_three_and_the_next_player_starts():
    # two players with one card each: 1300 above 1200; seat 0 draws 4 5 6, seat 1 starts with one card: 7 and 8
    state = play(deal(TEN, each=1), [0, 3, 2])
    assert state.public.end is None
    assert hands(state) == [[4, 5, 6], [1]]
    assert [card.number for card in state.public.turned] == [7, 8]
    assert state.public.revealed.rows[0].by == 0
    assert rules.to_act(state.public) == (1,)
    assert state.public.set_aside == 3


def test_nobody_wins_with_a_wrong_chain():
    state = play(deal(TEN, each=1), [0, 3, 2], [7, 1, 8])  # then 1700 above 1100
    assert state.public.end is None
    assert state.public.revealed.wrong == ((0, 1),)
    assert state.public.penalty.seat == 1
    assert rules.pending_chance(state).items == (0, 3, 2, 7, 1, 8)
    assert hands(state) == [[4, 5, 6], [9]]  # two more are to be drawn


# -- §7 options ----------------------------------------------------------------------------------------------


def test_children_get_fewer_cards_and_the_deal_passes_over_them():
    state = deal(" | ".join(["1900"] * 12), seats=3, each=3, fewer_cards=((1, 1),))
    assert hands(state) == [[0, 3, 5], [1], [2, 4, 6]]
    assert chain(state) == [7]


@pytest.mark.parametrize("fewer", [((2, 1),), ((-1, 1),), ((0, 2),), ((0, 0),), ((0, 1), (0, 1)), ((1, 1), (0, 1))])
def test_fewer_cards_are_for_seats_there_are_and_fewer_indeed(fewer):
    with pytest.raises(Invalid, match="fewer_cards"):
        deal(TEN, fewer_cards=fewer)


def test_penalties_are_options():
    state = play(deal(TEN, last_player_penalty=1, doubter_penalty=1), (0, 1), "?")
    assert hands(state) == [[2, 5], [1, 3]]


def test_after_max_rounds_and_their_penalties_the_fewest_cards_win():
    state = play(deal(TEN, max_rounds=1), (0, 1), "?")
    assert hands(state) == [[2, 5, 6, 7], [1, 3]]
    assert state.public.end == "rounds"
    assert rules.result(state.public).ranking == ((1,), (0,))
    assert chain(state) == []
    assert state.public.top.number == 8


def test_max_rounds_is_looked_at_before_anything_is_shuffled_for_a_new_round():
    # the pile is 5 6 7: exactly the penalty
    state = play(deal(" | ".join(TEN.split(" | ")[:8]), max_rounds=1), (0, 1), "?")
    assert state.public.end == "rounds"
    assert rules.pending_chance(state) is None
    assert (state.public.pile, state.public.set_aside) == (0, 2)


def test_the_last_rounds_penalties_are_drawn_even_after_a_shuffle():
    state = play(deal(" | ".join(TEN.split(" | ")[:7]), max_rounds=1), (0, 1), "?")
    assert state.public.end is None
    assert rules.pending_chance(state).items == (4, 0)
    state = play(state, ("shuffle", 0, 4))
    assert state.public.end == "rounds"
    assert hands(state) == [[2, 5, 6, 0], [1, 3]]


def test_whoever_holds_as_many_shares_a_place():
    state = play(deal(" | ".join(["1900"] * 12), seats=3, max_rounds=1, doubter_penalty=1), (0, 0), "?")
    assert hands(state) == [[3], [1, 4, 7], [2, 5]]
    state = play(deal(" | ".join(["1900"] * 12), seats=3, max_rounds=1, doubter_penalty=0), (0, 0), "?")
    assert rules.result(state.public).ranking == ((0,), (1, 2))


# -- rulings -------------------------------------------------------------------------------------------------


def test_when_a_card_is_needed_and_the_pile_is_empty_the_cards_set_aside_are_shuffled():
    # the pile is 5 6; seat 0 draws both, then 4 and 0 are shuffled and the third one drawn
    state = play(deal(" | ".join(TEN.split(" | ")[:7])), (0, 1), "?")
    assert hands(state) == [[2, 5, 6], [1, 3]]
    assert rules.pending_chance(state).items == (4, 0)
    assert rules.to_act(state.public) == ()
    assert told(state) == ["Doubted", "Drew"]
    state = play(state, ("shuffle", 0, 4))
    assert hands(state) == [[2, 5, 6, 0], [1, 3]]
    assert chain(state) == [4]
    assert told(state) == ["Doubted", "Drew", "Reshuffled", "Drew", "Started"]
    assert (state.public.pile, state.public.set_aside, state.public.top) == (0, 0, None)


def test_the_cards_set_aside_are_listed_in_the_order_in_which_they_were_put_away():
    # a new round needs a card and the pile is empty
    state = play(deal(" | ".join(TEN.split(" | ")[:8])), (0, 1), "?")
    assert rules.pending_chance(state).items == (4, 0)
    state = play(state, ("shuffle", 4, 0))
    assert chain(state) == [4]
    assert state.public.top.number == 0


def test_penalties_are_what_can_be_drawn():
    # pile 5; seat 0 draws it and the two that were set aside, then nothing is left to start with
    state = deal(" | ".join(TEN.split(" | ")[:6]), last_player_penalty=5)
    state = play(state, (0, 1), "?")
    assert rules.pending_chance(state).items == (4, 0)
    state = play(state, ("shuffle", 4, 0))
    assert hands(state) == [[2, 5, 4, 0], [1, 3]]
    assert state.public.end == "pile-empty"
    assert rules.result(state.public).ranking == ((1,), (0,))


def test_one_card_left_to_turn_up_is_laid_with_the_last_one():
    # seat 0's opening is wrong (1300 above 1200); it draws the two that remain of the pile and one of those
    # set aside, so that two remain for seat 1; with a penalty of 4 only one
    dates = " | ".join(TEN.split(" | ")[:6])
    state = play(deal(dates, each=1, last_player_penalty=4), [0, 3, 2], ("shuffle", 2, 0, 3))
    assert hands(state) == [[4, 5, 2, 0], [1]]
    assert [card.number for card in state.public.turned] == [3]
    assert legal(state, 1) == (Open((3, 1)), Open((1, 3)))
    assert play(state, [1, 3]).public.end == "out-of-cards"  # 1100, 1300


def test_of_the_two_one_may_come_before_a_shuffle_and_one_after_it():
    dates = " | ".join(TEN.split(" | ")[:8])  # pile 4 5 6 7; three are drawn, 7 is turned up, then 0 3 2 shuffled
    state = play(deal(dates, each=1), [0, 3, 2])
    assert hands(state) == [[4, 5, 6], [1]]
    assert [card.number for card in state.public.turned] == [7]
    assert rules.pending_chance(state).items == (0, 3, 2)
    state = play(state, ("shuffle", 3, 2, 0))
    assert [card.number for card in state.public.turned] == [7, 3]
    assert told(state) == ["Opened", "Doubted", "Drew", "TurnedUp", "Reshuffled", "TurnedUp", "Uncovered"]
    assert state.public.top.number == 2


def test_a_deck_holds_at_least_players_times_cards_and_two():
    assert deal(" | ".join(["1900"] * 6))
    with pytest.raises(Invalid, match=r"2 players need a deck of at least 6 cards \(2 each\); this one has 5"):
        deal(" | ".join(["1900"] * 5))


def test_fewer_cards_for_a_child_do_not_make_the_deck_smaller():
    with pytest.raises(Invalid, match="at least 6 cards"):
        deal(" | ".join(["1900"] * 5), fewer_cards=((0, 1),))


@pytest.mark.parametrize("seats", [1, 11])
def test_two_to_ten_players(seats):
    with pytest.raises(Invalid, match="2 to 10"):
        rules.setup(seats, Options(), deck(" | ".join(["1900"] * 200)))


def test_nothing_marks_a_card_that_comes_back():
    state = play(deal(" | ".join(TEN.split(" | ")[:7])), (0, 1), "?", ("shuffle", 0, 4))
    assert type(state.public.hands[0][-1]).__struct_fields__ == ("number", "front")
