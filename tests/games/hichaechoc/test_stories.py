"""The awards after a game with known plays and objections."""

from games.hichaechoc.tables import dealt, play
from games.hichaechoc.test_review import told
from spieltisch import games
from spieltisch.games.hichaechoc.stories import stories
from spieltisch.package import FinishedGame

TR = games.package("hic-haec-hoc").translator("en", ["Ada", "Ben", "Eve"])


def awards(game):
    return [(one.title, one.seats, one.words, one.shared) for one in stories(game, 3, TR).awards]


def test_what_nobody_objected_to_is_the_boldest_bluff():
    game = told("hās acc.sg.m", "accept", "accept")
    assert awards(game) == [("Boldest bluff", (0,), "hās as accusative singular masculine, and nobody objected", False)]
    assert list(stories(game, 3, TR).lines) == [
        "no objections, got away with one wrong card",
        "no objections",
        "no objections",
    ]


def test_who_objected_rightly_has_the_best_eye_and_what_was_caught_is_no_bluff():
    game = told("hās acc.sg.m", "contest")
    who = next(one.by for one in game.news if type(one).__name__ == "Judged")
    assert awards(game) == [
        ("Sharpest eye", (who,), "1 of 1 objection right", True),
        ("Furthest off", (0,), "hās as accusative singular masculine", False),
    ]
    assert stories(game, 3, TR).lines[who] == "1 of 1 objection right"


def test_an_objection_that_was_wrong_earns_nothing():
    game = told("hunc acc.sg.m", "contest")
    assert awards(game) == []
    assert "0 of 1 objection right" in stories(game, 3, TR).lines


def test_assisted_only_cards_are_counted():
    first = dealt("hunc hās hīs", "hōs hārum hī", top="hic", mode="assisted")
    state = play(first, "hunc acc.sg.m")
    one = stories(FinishedGame(first, state.public.news), 2, TR)
    assert (list(one.awards), list(one.lines)) == ([], ["1 card laid", "0 cards laid"])
