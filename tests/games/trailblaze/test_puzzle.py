"""The daily puzzle: six cards, six rows, their points, and no back before the end."""

import datetime as dt

import msgspec
import pytest

from spieltisch import daily, games
from spieltisch.decks.library import Library, released
from spieltisch.game import Illegal
from spieltisch.games.trailblaze import puzzle

PLAYS = games.package("trailblaze").daily
DECK = Library().read("firsts")[1]
RELEASED = released("firsts")


def of_day(n):
    day = daily.FIRST + dt.timedelta(n)
    return PLAYS.cards("trailblaze", day, RELEASED), daily.seed("trailblaze", day, RELEASED.hash)


def answered(n, rows=(1, 2, 3, 4, 5, 6), wrong=()):
    cards = puzzle.cards_of(DECK, *of_day(n))
    columns = [puzzle.column(DECK.periods, card.year) for card in cards]
    shifted = [(column + (place in wrong)) % len(DECK.periods) for place, column in enumerate(columns)]
    return "-".join(f"{column}.{row}" for column, row in zip(shifted, rows, strict=True))


def test_each_day_has_six_cards_of_six_women():
    for n in range(400):
        cards = puzzle.cards_of(DECK, *of_day(n))
        things = [thing for card in cards for thing in card.things]
        assert len(cards) == puzzle.CARDS
        assert len({*things}) == len(things)


@pytest.mark.parametrize(
    ("wrong", "score", "won", "marks"),
    [
        ((), 26, True, "✓✓✓✓✓✓"),
        ((0,), 20, True, "✓✓✓✓✓✗"),
        ((0, 1, 2, 3), 11, True, "✓✓✗✗✗✗"),
        ((4, 5), 10, False, "✗✗✓✓✓✓"),
        ((0, 1, 2, 3, 4, 5), 0, False, "✗✗✗✗✗✗"),
    ],
)
def test_a_right_card_counts_as_its_row_and_all_six_five_more(wrong, score, won, marks):
    view = puzzle.play(DECK, *of_day(7), answered(7, wrong=wrong))
    assert (view.over, view.score, view.won, view.marks) == (True, score, won, marks)
    assert [back.right for back in view.backs] == [place not in wrong for place in range(6)]


def test_each_row_takes_one_card():
    view = puzzle.play(DECK, *of_day(7), answered(7, rows=(1, 2, 3, 4, 5, 5)))
    assert (view.over, view.doubled, view.backs) == (False, (5,), ())


def test_what_is_not_chosen_yet_is_kept():
    view = puzzle.play(DECK, *of_day(7), "2.-.3-1.1-.-.-.")
    assert view.fields[:3] == ((2, None), (None, 3), (1, 1))
    assert (view.over, view.lacking) == (False, 5)


SIX = "1.1-1.2-1.3-1.4-1.5-1.6"


@pytest.mark.parametrize("moves", ["x", "1.1", f"9{SIX[1:]}", f"1.7{SIX[3:]}", f"{SIX}-1.1"])
def test_what_is_no_answer_is_refused(moves):
    with pytest.raises(Illegal):
        puzzle.play(DECK, *of_day(7), moves)


def test_no_back_is_seen_before_the_end():
    for n in range(100):
        of = of_day(n)
        cards = puzzle.cards_of(DECK, *of)
        for moves in ("", answered(n, rows=(1, 1, 2, 3, 4, 5))):
            view = msgspec.to_builtins(puzzle.play(DECK, *of, moves))
            view.pop("periods")
            text = msgspec.json.encode(view).decode()
            for card in cards:
                fronts = card.front["de"] + card.front["en"]
                for told in (card.comment["de"], card.comment["en"], card.source, str(card.year), card.who):
                    assert not told or told in fronts or told not in text
                assert f'"{card.id}"' not in text
