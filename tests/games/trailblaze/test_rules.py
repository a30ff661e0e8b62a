"""One test for each sentence of the rules and each ruling, worked out by hand."""

import msgspec
import pytest

from games.trailblaze.decks import deck, many
from spieltisch.game import Illegal, Invalid, Pick, Shuffle, see
from spieltisch.games.trailblaze import rules
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.rules import Options
from spieltisch.games.trailblaze.state import Bonus, Keep, LeaveBonus, NoBonus, Place, Replace, Skip, Swap, TakeBonus


def table(columns, seats=2, starter=0, of=7, **options):
    """A game in which the cards come in this order: each item the column in which a card belongs."""
    cards = deck(*columns, of=of)
    state = rules.resolve_chance(rules.setup(seats, Options(**options), cards), starter)
    return rules.resolve_chance(state, tuple(range(len(columns))))


def play(state, *actions):
    for action in actions:
        (seat,) = rules.to_act(state.public)
        state = rules.apply(state, seat, action)
    return state


def legal(state):
    (seat,) = rules.to_act(state.public)
    return rules.legal(see(state, seat))


def fields(state):
    return sorted({(a.row, a.column) for a in legal(state) if isinstance(a, Place | Bonus)})


def held(p):
    return [front and front.card for front in p.cards]


def with_board(state, *stones, **changes):
    """The same state with other stones on the board."""
    public = msgspec.structs.replace(state.public, board=tuple(sorted(stones)), **changes)
    return msgspec.structs.replace(state, public=public)


KEEP2 = (Keep(), Keep(), LeaveBonus())


# Material


def test_the_board_has_six_rows_and_a_column_a_period():
    state = play(table([0] * 3, of=5), *KEEP2)
    state = with_board(state, round=6)
    assert fields(state) == [(row, column) for row in range(1, 7) for column in range(5)]


def test_a_joker_belongs_in_the_last_column():
    state = play(table([6, 6, 0]), *KEEP2, Place(1, 1, 6), Place(1, 1, 5))
    assert state.public.board == (Stone(1, 6, 0, 1),)


def test_a_card_dated_in_the_future_belongs_in_the_last_column():
    cards = deck(0, 0, 0)
    dated = msgspec.structs.replace(cards.cards[0], year=2040)
    cards = msgspec.structs.replace(cards, cards=(dated, *cards.cards[1:]))
    state = rules.resolve_chance(rules.resolve_chance(rules.setup(2, Options(), cards), 0), (0, 1, 2))
    assert not state.public.cards[0].joker
    state = play(state, *KEEP2, Place(1, 1, 6), Place(1, 1, 5))
    assert state.public.board == (Stone(1, 6, 0, 1),)


def test_a_front_says_that_it_is_a_joker_and_no_field():
    p = table([6, 0, 0]).public
    assert (p.cards[0].joker, p.cards[0].field) == (True, "")
    assert (p.cards[1].joker, p.cards[1].field) == (False, "science")


@pytest.mark.parametrize(("patterns", "each"), [(1, 12), (2, 6), (3, 4), (4, 3), (6, 2), (12, 1)])
def test_twelve_stones_in_patterns(patterns, each):
    p = rules.setup(3, Options(patterns=patterns), many(4)).public
    assert p.stones == ((each,) * patterns,) * 3


def test_years_at_the_edges_of_a_period_are_in_it():
    cards = deck(0, 0, 0, 0)
    years = (1899, 1900, 1929, 1930)
    dated = tuple(msgspec.structs.replace(c, year=y) for c, y in zip(cards.cards, years, strict=True))
    state = rules.setup(3, Options(), msgspec.structs.replace(cards, cards=dated))
    state = rules.resolve_chance(rules.resolve_chance(state, 0), (0, 1, 2, 3))
    state = play(state, Keep(), Keep(), Keep(), LeaveBonus(), Place(1, 1, 0), Place(1, 1, 1), Place(1, 1, 2))
    assert [r.column for r in state.public.revealed] == [1, 2, 2]


# Who starts


@pytest.mark.parametrize(("drawn", "seats", "starter"), [(0, 2, 0), (11, 2, 1), (7, 3, 1), (11, 6, 5), (5, 4, 1)])
def test_who_draws_the_bonus_stone_starts(drawn, seats, starter):
    state = rules.setup(seats, Options(), many(20))
    assert rules.pending_chance(state) == Pick(12)
    assert rules.resolve_chance(state, drawn).public.starter == starter


def test_then_the_deck_is_shuffled():
    state = rules.resolve_chance(rules.setup(2, Options(), many(5)), 0)
    assert rules.pending_chance(state) == Shuffle((0, 1, 2, 3, 4))
    assert rules.to_act(state.public) == ()


# Deal


def test_cards_are_dealt_clockwise_from_the_starter_the_middle_card_last():
    p = table(range(7), seats=3, starter=1).public
    assert held(p) == [2, 0, 1]
    assert (p.middle.card, p.top.card, p.deck) == (3, 4, 3)
    assert (p.round, p.phase, rules.to_act(p)) == (1, "swap", (1,))


def test_the_next_round_is_dealt_from_its_starter():
    state = play(table([0] * 12, seats=3), Keep(), Swap(), Keep())
    state = play(state, Place(1, 1, 0), Place(1, 1, 1), NoBonus(), Place(1, 1, 2))
    p = state.public
    assert p.starter == 2  # to the left of seat 1, who had the bonus stone
    assert held(p) == [5, 6, 4]


def test_a_deck_holds_a_card_more_than_players():
    with pytest.raises(Invalid, match="at least 4 cards"):
        rules.setup(3, Options(), many(3))
    assert rules.setup(3, Options(), many(4))


# Swap


def test_the_first_to_swap_gets_the_bonus_stone_and_a_later_one_does_not():
    state = play(table([0] * 9, seats=3), Keep(), Swap())
    assert (state.public.bonus, held(state.public), state.public.middle.card) == (1, [0, 3, 2], 1)
    state = play(state, Swap())
    assert (state.public.bonus, held(state.public), state.public.middle.card) == (1, [0, 3, 1], 2)
    assert (state.public.phase, state.public.turn) == ("place", 0)


def test_swapping_is_decided_clockwise_from_the_starter():
    state = table([0] * 9, seats=3, starter=2)
    assert rules.to_act(state.public) == (2,)
    assert rules.to_act(play(state, Keep()).public) == (0,)
    assert rules.to_act(play(state, Keep(), Keep()).public) == (1,)


def test_if_nobody_has_swapped_the_last_may_take_the_bonus_stone():
    state = play(table([0] * 9), Keep(), Keep())
    assert legal(state) == (TakeBonus(), LeaveBonus())
    assert rules.to_act(state.public) == (1,)
    assert play(state, TakeBonus()).public.bonus == 1
    assert play(state, LeaveBonus()).public.bonus is None


def test_if_the_last_swaps_that_was_the_first_swap():
    state = play(table([0] * 9), Keep(), Swap())
    assert (state.public.bonus, state.public.phase) == (1, "place")


# Place


def test_in_the_nth_round_rows_1_to_n_are_open():
    state = play(table([0] * 9), *KEEP2)
    assert fields(state) == [(1, column) for column in range(7)]
    for n in range(2, 8):
        later = with_board(state, round=n)
        assert fields(later) == [(row, c) for row in range(1, min(n, 6) + 1) for c in range(7)]


def test_a_row_that_is_not_open_is_refused():
    state = play(table([0] * 9), *KEEP2)
    with pytest.raises(Illegal, match="Row 2 is not open yet"):
        play(state, Place(1, 2, 0))


def test_the_row_is_free_to_choose_among_the_open_ones():
    state = with_board(play(table([0] * 9), *KEEP2), Stone(2, 3, 1, 1), round=4)
    assert [field for field in fields(state) if field[1] == 3] == [(1, 3), (3, 3), (4, 3)]
    with pytest.raises(Illegal, match="occupied"):
        play(state, Place(1, 2, 3))


def test_a_column_with_all_open_rows_taken_gives_the_next_free_row_and_no_other():
    state = play(table([0] * 9), *KEEP2)
    state = with_board(state, Stone(1, 3, 1, 1), Stone(2, 3, 0, 1), Stone(3, 3, 1, 2), round=2)
    assert [field for field in fields(state) if field[1] == 3] == [(4, 3)]
    with pytest.raises(Illegal, match="Choose row 4"):
        play(state, Place(1, 5, 3))
    assert play(state, Place(1, 4, 3)).public.placed == (Stone(4, 3, 0, 1),)


def test_stones_of_this_round_occupy_and_so_does_the_bonus_stone():
    state = play(table([0] * 9), Swap(), Keep(), Place(1, 1, 2), Bonus(1, 4))
    assert [f for f in fields(state) if f[1] in (2, 4)] == [(2, 2), (2, 4)]


def test_a_stone_turned_over_occupies_nothing_and_can_be_covered():
    state = play(table([0] * 12), *KEEP2, Place(1, 1, 3), Place(1, 1, 4))
    assert state.public.spent == (Stone(1, 3, 0, 1), Stone(1, 4, 1, 1))
    state = play(state, *KEEP2)
    assert [f for f in fields(state) if f[1] == 3] == [(1, 3), (2, 3)]
    state = play(state, Place(2, 1, 3))
    assert state.public.placed == (Stone(1, 3, 1, 2),)
    assert len(state.public.spent) == 2


def test_a_full_column_cannot_be_chosen():
    state = play(table([0] * 9), *KEEP2)
    state = with_board(state, *(Stone(row, 3, 1, 1) for row in range(1, 7)), round=2)
    assert not [field for field in fields(state) if field[1] == 3]
    with pytest.raises(Illegal, match="full"):
        play(state, Place(1, 6, 3))


def full(*, free=()):
    return [Stone(r, c, 1, 1) for c in range(4) for r in range(1, 7) if (r, c) not in free]


def test_if_no_column_can_be_chosen_placing_is_skipped():
    state = play(table([0, 1, 0, 0], of=4), *KEEP2)
    state = with_board(state, *full(free=[(6, 2)]), round=2)
    with pytest.raises(Illegal, match="still a free field"):
        play(state, Skip())
    state = play(state, Place(1, 6, 2))
    assert legal(state) == (Skip(),)
    after = play(state, Skip()).public
    assert after.stones == ((2, 3, 3, 3), (3, 3, 3, 3))
    assert after.spent == (Stone(6, 2, 0, 1),)


def test_who_skips_is_not_asked_for_the_bonus_stone():
    state = play(table([0, 1, 0, 0], of=4), Swap(), Keep())
    state = with_board(state, *full(), round=2)
    state = play(state, Skip())
    assert (state.public.phase, rules.to_act(state.public)) == ("place", (1,))


def test_one_places_what_one_has():
    state = play(table([0] * 9, patterns=12), *KEEP2)
    left = ((0, 1, *(1,) * 10), (1,) * 12)
    state = with_board(state, stones=left)
    with pytest.raises(Illegal, match="no stones left with the pattern p1"):
        play(state, Place(1, 1, 0))
    assert {a.pattern for a in legal(state)} == set(range(2, 13))
    for pattern in (0, -1, 13):
        with pytest.raises(Illegal, match="p1 to p12"):
            play(state, Place(pattern, 1, 0))


@pytest.mark.parametrize(("row", "column"), [(0, 0), (7, 0), (-1, 0), (1, -1), (1, 7)])
def test_there_are_no_fields_beside_the_board(row, column):
    with pytest.raises(Illegal, match="6 rows and 7 columns"):
        play(table([0] * 9), *KEEP2, Place(1, row, column))


# The bonus stone


def test_only_its_holder_is_asked_for_the_bonus_stone_directly_after_the_own_stone():
    state = play(table([0] * 9), Keep(), Swap(), Place(1, 1, 0))
    assert (state.public.phase, state.public.turn) == ("place", 1)
    state = play(state, Place(1, 1, 1))
    assert (state.public.phase, state.public.turn) == ("bonus", 1)
    assert NoBonus() in legal(state)


def test_the_bonus_stone_goes_into_another_column_by_the_same_rules():
    state = play(table([0] * 9), Swap(), Keep(), Place(1, 1, 2))
    assert fields(state) == [(1, column) for column in range(7) if column != 2]
    with pytest.raises(Illegal, match="different column"):
        play(state, Bonus(2, 2))
    with pytest.raises(Illegal, match="not open"):
        play(state, Bonus(2, 3))
    state = with_board(state, Stone(1, 3, 1, 1), round=1)
    assert (2, 3) in fields(state)
    assert play(state, Bonus(2, 3)).public.placed[-1] == Stone(2, 3, 0, None)


def test_a_right_bonus_stone_is_replaced_by_a_stone_of_its_holder_who_chooses_the_pattern():
    state = play(table([0, 1, 2] + [0] * 9), Swap(), Keep(), Place(1, 1, 0), Bonus(1, 2), Place(1, 1, 1))
    p = state.public
    assert (p.phase, p.turn, p.bonus) == ("replace", 0, 0)
    assert (p.board, p.spent, p.placed) == (
        (Stone(1, 1, 1, 1),),
        (Stone(1, 0, 0, 1),),
        (Stone(1, 2, 0, None),),
    )
    assert held(p) == [2, 1]  # the cards are put away when all is settled
    assert legal(state) == (Replace(1), Replace(2), Replace(3), Replace(4))
    p = play(state, Replace(3)).public
    assert p.board == (Stone(1, 1, 1, 1), Stone(1, 2, 0, 3))
    assert p.stones == ((2, 3, 2, 3), (2, 3, 3, 3))
    assert (p.bonus, p.placed, p.round) == (None, (), 2)


def test_a_wrong_bonus_stone_costs_nothing_and_goes_back():
    state = play(table([0, 1, 2] + [0] * 9), Swap(), Keep(), Place(1, 1, 2), Bonus(1, 3), Place(1, 1, 1))
    p = state.public
    assert (p.bonus, p.placed, p.round, p.spent) == (None, (), 2, ())
    assert p.stones == ((2, 3, 3, 3), (2, 3, 3, 3))


def test_a_bonus_stone_not_placed_goes_back_too():
    p = play(table([0] * 12), Swap(), Keep(), Place(1, 1, 0), NoBonus(), Place(1, 1, 1)).public
    assert (p.bonus, p.round) == (None, 2)


def test_without_a_stone_left_nothing_replaces_a_right_bonus_stone():
    state = play(table([0, 1, 2] + [0] * 9), Swap(), Keep())
    state = with_board(state, stones=((1, 0, 0, 0), (3, 3, 3, 3)))
    p = play(state, Place(1, 1, 0), Bonus(1, 2), Place(1, 1, 1)).public
    assert (p.phase, p.board) == ("over", (Stone(1, 1, 1, 1),))
    assert rules.result(p).end == "no-stones"


# Reveal


def test_right_stones_stay_and_wrong_ones_are_spent():
    p = play(table([0, 1, 2] + [0] * 9), *KEEP2, Place(2, 1, 0), Place(3, 1, 5)).public
    assert p.board == (Stone(1, 0, 0, 2),)
    assert p.spent == (Stone(1, 5, 1, 3),)
    assert p.stones == ((3, 2, 3, 3), (3, 3, 2, 3))
    assert [(r.seat, r.card.card, r.year, r.column) for r in p.revealed] == [(0, 0, 1, 0), (1, 1, 1801, 1)]
    assert p.revealed[0].comment["de"] == "Kommentar c0-0"


def test_it_is_the_swapped_card_that_counts():
    p = play(table([0, 1, 2] + [0] * 9), Swap(), Keep(), Place(1, 1, 2), NoBonus(), Place(1, 1, 1)).public
    assert p.board == (Stone(1, 1, 1, 1), Stone(1, 2, 0, 1))


def test_a_middle_card_left_over_goes_under_the_deck():
    state = play(table([0] * 9), *KEEP2, Place(1, 1, 0), Place(1, 1, 1))
    assert state.public.away == (0, 1)
    assert state.hidden.deck == (6, 7, 8, 2)  # 3, 4 and 5 are dealt
    assert state.public.top.card == 6


def test_with_stays_the_middle_card_is_dealt_once():
    state = play(table([0] * 9, middle_card="stays"), *KEEP2, Place(1, 1, 0), Place(1, 1, 1))
    assert (held(state.public)[0], held(state.public)[1], state.public.middle.card) == (4, 3, 2)
    state = play(state, Swap(), Keep(), Place(1, 1, 2), NoBonus(), Place(1, 1, 3))
    assert state.public.middle.card == 3  # what was swapped for it lies there now
    assert state.hidden.deck == (7, 8)


# The next round


def test_the_next_starter_sits_to_the_left_of_who_had_the_bonus_stone():
    p = play(table([0] * 12), Keep(), Keep(), TakeBonus(), Place(1, 1, 0), Place(1, 1, 1), NoBonus()).public
    assert (p.round, p.starter, p.turn) == (2, 0, 0)


def test_if_nobody_has_had_it_the_next_starter_sits_to_the_left_of_the_last():
    p = play(table([0] * 12, starter=1), *KEEP2, Place(1, 1, 0), Place(1, 1, 1)).public
    assert (p.starter, p.turn) == (0, 0)


def test_who_had_it_in_an_earlier_round_still_counts():
    state = table([0] * 20, seats=3)
    state = play(state, Swap(), Keep(), Keep(), Place(1, 1, 0), NoBonus(), Place(1, 1, 1), Place(1, 1, 2))
    assert state.public.starter == 1
    nobody = (Keep(), Keep(), Keep(), LeaveBonus())
    state = play(state, *nobody, Place(1, 1, 3), Place(1, 1, 4), Place(1, 1, 5))
    assert state.public.starter == 1


# The deck runs out


def test_the_revealed_cards_are_shuffled_into_a_new_deck():
    state = play(table([0, 1, 2, 3]), *KEEP2, Place(1, 1, 0), Place(1, 1, 1))
    p = state.public
    assert (held(p), p.middle, p.deck, p.top) == (
        [2, 3],
        None,
        0,
        None,
    )  # seat 1 was dealt 3, seat 0 the leftover
    assert rules.pending_chance(state) == Shuffle((0, 1))
    assert rules.to_act(p) == ()
    state = rules.resolve_chance(state, (1, 0))
    p = state.public
    assert (held(p), p.middle.card, p.deck, p.top.card) == ([2, 3], 1, 1, 0)
    assert (p.away, p.phase, p.turn) == ((), "swap", 1)


def test_a_reshuffle_waits_until_a_card_is_needed():
    state = table([0, 1, 2])
    assert (state.public.deck, state.public.top) == (0, None)
    assert rules.pending_chance(state) is None
    state = play(state, *KEEP2, Place(1, 1, 0), Place(1, 1, 1))
    assert (state.public.deck, rules.pending_chance(state)) == (0, Shuffle((0, 1)))


def test_with_stays_the_smallest_deck_goes_round():
    state = table([0, 1, 2], middle_card="stays")
    for round_ in range(1, 5):
        assert state.public.round == round_
        column = 2 * (round_ % 3)
        state = play(state, *KEEP2, Place(round_, 1, column), Place(round_, 1, column + 1))
        state = rules.resolve_chance(state, rules.pending_chance(state).items)
        assert state.public.middle.card == 2


# End and score


ROWS6 = [Stone(row, 6 - row, 0, 1 + row % 4) for row in range(1, 7)]


def test_the_game_ends_after_a_round_in_which_somebody_has_a_stone_in_every_row():
    state = play(table([0, 1, 2] + [0] * 9), *KEEP2)
    state = with_board(state, *(s for s in ROWS6 if s.row != 6), round=6)
    p = play(state, Place(1, 6, 0), Place(1, 1, 0)).public
    assert (p.phase, p.turn, p.round) == ("over", None, 6)
    assert rules.result(p).end == "rows-complete"
    assert (held(p), p.middle, p.bonus) == ([None, None], None, None)


def test_it_is_looked_at_after_the_round_and_not_before():
    state = with_board(play(table([0, 1, 2] + [0] * 9), *KEEP2), *ROWS6[:5], round=6)
    state = play(state, Place(1, 6, 0))
    assert rules.result(state.public) is None
    assert rules.to_act(state.public) == (1,)


def test_the_game_ends_when_a_player_has_no_stones_left():
    state = with_board(play(table([0, 1, 2] + [0] * 9), *KEEP2), stones=((0, 0, 1, 0), (0, 0, 1, 1)))
    p = play(state, Place(3, 1, 0), Place(3, 1, 1)).public
    assert rules.result(p).end == "no-stones"


def test_a_replaced_bonus_stone_can_be_the_last():
    state = play(table([0, 1, 2] + [0] * 9), Swap(), Keep())
    state = with_board(state, stones=((0, 1, 1, 0), (3, 3, 3, 3)))
    state = play(state, Place(3, 1, 0), Bonus(1, 2), Place(3, 1, 1))
    assert legal(state) == (Replace(2),)
    assert rules.result(play(state, Replace(2)).public).end == "no-stones"


def test_the_game_ends_when_no_field_is_free():
    state = play(table([0, 1, 0, 0], of=4), *KEEP2)
    left = [Stone(r, c, 1, 1) for r in range(2, 7) for c in range(4)]  # seat 1 lacks row I
    state = with_board(state, *left, Stone(1, 3, 0, 1), Stone(1, 2, 0, 1), round=6)
    p = play(state, Place(1, 1, 0), Place(1, 1, 1)).public
    assert rules.result(p).end == "rows-complete"
    left = [Stone(r, c, (r + c) % 2, 1) for r in range(2, 6) for c in range(4)]
    left += [Stone(6, c, 0, 1) for c in range(4)]
    state = with_board(state, *left, Stone(1, 3, 1, 1), Stone(1, 2, 1, 1), round=6)
    state = play(state, Place(1, 1, 1))
    p = play(state, Place(1, 1, 0)).public
    assert rules.result(p) is None  # both were wrong: two fields are free again
    state = play(table([1, 1, 0, 0], of=4), *KEEP2)
    free = {(1, 1), (2, 1)}
    left = [Stone(r, c, 0 if r in (1, 2, 3) else 1, 1) for r in range(1, 7) for c in range(4) if (r, c) not in free]
    p = play(with_board(state, *left, round=6), Place(1, 1, 1), Place(1, 2, 1)).public
    assert rules.result(p).end == "board-full"


def test_the_first_reason_that_holds_is_named():
    state = with_board(
        play(table([0, 1, 2] + [0] * 9), *KEEP2), *ROWS6[:5], round=6, stones=((1, 0, 0, 0), (1, 0, 0, 0))
    )
    p = play(state, Place(1, 6, 0), Place(1, 1, 0)).public
    assert p.stones == ((0, 0, 0, 0), (0, 0, 0, 0))
    assert rules.result(p).end == "rows-complete"


def parts(*stones, of=7):
    state = with_board(table([0] * 3, of=of), *stones)
    return rules.scores(state.public)[0]


def test_the_example_of_a_score():
    """Rows 1 + 2 + 3 + 4 + 5 + 6 + 6 = 27; the stripes in 4, 3 and 2 again; every row has one: 41."""
    rows = ((1, 3, 2), (2, 1, 1), (3, 4, 1), (4, 2, 1), (5, 5, 4), (6, 0, 2), (6, 3, 3))
    score = parts(*(Stone(row, column, 0, pattern) for row, column, pattern in rows))
    assert (score.stones, score.pattern, score.rows, score.columns) == (27, 9, 5, 0)
    assert score.total == 41


def test_each_right_stone_counts_its_row():
    score = parts(Stone(4, 0, 0, 1), Stone(6, 1, 0, 2), Stone(6, 2, 1, 1))
    assert score.stones == 10


def test_no_stone_no_points():
    assert parts().total == 0


def test_on_a_tie_the_pattern_worth_more_counts_again():
    assert parts(Stone(1, 0, 0, 1), Stone(2, 0, 0, 1), Stone(5, 0, 0, 2), Stone(6, 0, 0, 2)).pattern == 11
    assert parts(Stone(6, 0, 0, 1), Stone(1, 0, 0, 2), Stone(1, 1, 0, 2)).pattern == 2  # the more frequent one


def test_a_stone_in_every_column_is_worth_5():
    score = parts(*(Stone(1, column, 0, 1) for column in range(7)))
    assert (score.rows, score.columns, score.total) == (0, 5, 7 + 7 + 5)
    assert parts(*(Stone(1, column, 0, 1) for column in range(6))).columns == 0


def test_both_bonuses():
    score = parts(*(Stone(row, row - 1, 0, 1) for row in range(1, 7)), of=6)
    assert (score.rows, score.columns, score.total) == (5, 5, 21 + 21 + 10)


def test_most_points_win_and_ties_are_shared():
    over = with_board(table([0] * 4, seats=3), phase="over", turn=None, stones=((0,) * 4,) * 3)
    over = with_board(over, Stone(3, 0, 0, 1), Stone(5, 1, 1, 1), Stone(3, 2, 2, 2))
    result = rules.result(over.public)
    assert (result.ranking, result.scores) == (((1,), (0, 2)), (6, 10, 6))


# Asked for something else


@pytest.mark.parametrize(
    ("before", "wrong", "tr"),
    [
        ((), Place(1, 1, 0), "Keep your card"),
        ((Keep(), Keep()), Keep(), "Take the bonus stone"),
        (KEEP2, Keep(), "Place one of your stones"),
        ((Swap(), Keep(), Place(1, 1, 0)), Place(1, 1, 1), "Place the bonus stone"),
        (
            (Swap(), Keep(), Place(1, 1, 0), Bonus(1, 2), Place(1, 1, 1)),
            NoBonus(),
            "replaces the bonus stone",
        ),
    ],
)
def test_the_refusal_says_what_is_asked(before, wrong, tr):
    state = play(table([0, 1, 2] + [0] * 9), *before)
    with pytest.raises(Illegal, match=tr):
        play(state, wrong)


def test_nobody_else_acts():
    state = table([0] * 5)
    with pytest.raises(Illegal, match="not your turn"):
        rules.apply(state, 1, Keep())
    assert rules.legal(see(state, 1)) == rules.legal(see(state, None)) == ()


def test_years_are_in_no_view_before_their_reveal():
    state = table([0, 1, 2, 3, 4, 5])
    for seat in (None, 0, 1):
        text = msgspec.json.encode(see(state, seat).public)
        assert b"Kommentar" not in text
        assert b"c4-4" not in text  # under the top
        assert b'"year"' not in text


# The number of games


def count(state, depth):
    if not depth:
        return 1
    (seat,) = rules.to_act(state.public)
    return sum(count(rules.apply(state, seat, action), depth - 1) for action in rules.legal(see(state, seat)))


def test_the_number_of_sequences_from_a_fixed_shuffle():
    """Two seats, four columns, one pattern, nobody's stone on the board yet, so counted by hand:

    swaps: keep, keep, then take or leave (depth 3), or somebody swaps (three ways at depth 2).
    """
    state = table([0, 1, 2, 3, 0, 1], of=4, patterns=1)
    # depth 1: keep or swap; depth 2: each again
    assert [count(state, depth) for depth in (1, 2)] == [2, 4]
    # depth 3: after keep, keep: 2; after the other three: 4 columns to place in
    assert count(state, 3) == 2 + 3 * 4
    # depth 4: keep, keep, take or leave: 2 x 4 fields; keep, swap: seat 0 places (4), seat 1 then 4 fields;
    # swap first (2 ways): seat 0 places (4), then the bonus stone in 3 columns or not: 4
    assert count(state, 4) == 8 + 16 + 2 * 16
    # depth 5: keep, keep, leave: 4, then seat 1: 4 columns, one of them in row II: 16; take: the same, 16;
    # keep, swap: 4 x 4, then the bonus in 3 columns or none: 64; swap first: 2 x 4 x 4, then seat 1 in 4
    assert count(state, 5) == 16 + 16 + 64 + 2 * 64


def test_the_number_of_sequences_with_two_patterns():
    state = play(table([3, 2, 1, 0, 0, 1], of=4, patterns=2), Keep(), Swap())
    # each stone in 4 columns and 2 patterns; seat 1's bonus stone in 3 columns or none. Seat 1 now holds the
    # card of column 1: the bonus stone is right if it lies there and then asks for one of 2 patterns
    assert [count(state, depth) for depth in (1, 2, 3)] == [8, 64, 256]
    # after the reveal: 8 x 8 x 4 endings, of which in 8 x (3 columns x 2 patterns) the bonus stone is right
    assert count(state, 4) == 48 * 2 + (256 - 48) * 2
