"""What a reveal shows, and when: the stones as they were laid first, then year by year who is right."""

from games.trailblaze.test_page import prepared
from games.trailblaze.test_rules import KEEP2, play, table, with_board
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.state import Bonus, Keep, Place, Replace, Swap


def judged(state, me=0):
    """The fields of the reveal by row and column: what lay there if that is gone, whether it was right, and when that
    is shown.
    """
    cells = [(row["row"], cell) for row in prepared(state, me)["rows"] for cell in row["cells"]]
    return {(row, one["column"]): (one["before"], one["flag"], one["marked"]) for row, one in cells if one["marked"]}


def test_cards_are_turned_one_after_the_other_and_then_it_is_said_how_it_ends():
    state = play(table([3, 1, 2] + [0] * 9), *KEEP2, Place(1, 1, 2), Place(1, 1, 1))
    reveal = prepared(state)["reveal"]
    moments = [moment for card in reveal["cards"] for moment in (card["at"], card["marked"])]
    assert moments == sorted(moments)
    assert moments[0] > 0  # the last stone is seen before any year
    assert moments[-1] < reveal["ends"]
    assert reveal["asks"] == "Wer liegt richtig?"


def test_a_wrong_stone_lies_as_it_was_laid_until_its_card_is_turned():
    state = play(table([3, 1, 2] + [0] * 9), *KEEP2, Place(1, 1, 2), Place(1, 1, 1))
    ada, bo = prepared(state)["reveal"]["cards"]
    assert judged(state) == {
        (1, 2): (Stone(1, 2, 0, 1), False, ada["marked"]),
        (1, 1): (None, True, bo["marked"]),
    }


def test_a_bonus_stone_is_shown_until_it_is_judged_and_its_replacement_after_that():
    state = play(table([1, 3, 2] + [0] * 9), Swap(), Keep(), Place(1, 1, 5), Bonus(1, 2), Place(1, 1, 3))
    waiting = prepared(state)
    assert waiting["reveal"]
    assert waiting["verdict"] is None  # nothing is to be begun before a stone lies in its place
    assert judged(state)[1, 2][:2] == (None, True)
    state = play(state, Replace(2))
    assert judged(state)[1, 2][:2] == (Stone(1, 2, 0, None), True)
    assert prepared(state)["verdict"]
    wrong = play(table([1, 3, 2] + [0] * 9), Swap(), Keep(), Place(1, 1, 2), Bonus(1, 4), Place(1, 1, 3))
    assert judged(wrong)[1, 4][:2] == (Stone(1, 4, 0, None), False)


def test_that_these_are_the_last_stones_is_said_where_all_know_it():
    state = play(table([3, 1] + [0] * 40, patterns=1), *KEEP2)
    last = with_board(state, stones=((1,), (2,)))
    over = play(last, Place(1, 1, 2), Place(1, 1, 1))
    assert over.public.phase == "over"
    assert prepared(over)["reveal"]["asks"] == "Die letzten Steine liegen: Wer liegt richtig?"
