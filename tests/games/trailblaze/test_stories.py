"""The awards after a game with known stones."""

import pytest

from games.trailblaze.decks import many
from spieltisch import games
from spieltisch.decks.text import Text
from spieltisch.games.trailblaze import rules
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.news import Front, Revealed
from spieltisch.games.trailblaze.options import Options
from spieltisch.games.trailblaze.stories import stories
from spieltisch.package import FinishedGame

BLANK = Text("", "")


def revealed(seat, column, *placed):
    """A card of this column; `placed` are the columns of the own stone and of the bonus stone."""
    stones = tuple(Stone(1, at, seat, None if bonus else 1) for bonus, at in enumerate(placed))
    front = Front(0, BLANK, "", joker=False)
    return Revealed(seat, front, 1900, "", "", BLANK, "", column, Text("damals", "then"), stones)


@pytest.fixture(scope="module")
def told():
    dealt = rules.setup(3, Options(), many(8))
    tr = games.package("trailblaze").translator("en", ["Ada", "Ben", "Cleo"])
    return lambda *news: stories(FinishedGame(dealt, news), 3, tr)


def test_whose_stones_were_right_and_whose_was_furthest_off(told):
    one = told(
        revealed(0, 2, 2), revealed(1, 3, 0, 3), revealed(2, 1, 1),
        revealed(0, 4, 4), revealed(1, 1, 1), revealed(2, 0, 1),
    )  # fmt: skip
    assert [(award.title, award.seats, award.words.partition(":")[0], award.shared) for award in one.awards] == [
        ("Sharpest eye", (0,), "2 of 2 stones right", True),
        ("Best bonus", (1,), "1 of 1 bonus stone right", True),
        ("Furthest off", (1,), "3 columns", False),
    ]
    assert list(one.lines) == ["2 of 2 stones right", "1 of 2 stones right", "1 of 2 stones right"]


def test_who_are_alike_share_an_award_and_one_column_beside_is_not_far(told):
    one = told(revealed(0, 2, 2), revealed(1, 3, 3), revealed(2, 1, 2))
    assert [(award.title, award.seats) for award in one.awards] == [("Sharpest eye", (0, 1))]
    assert not told(revealed(0, 2)).awards  # nobody placed anything
