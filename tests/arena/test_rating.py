"""Ratings against values computed by hand, shares with their intervals, and a row for each player."""

import csv
import io
import math

import msgspec
import pytest

from spieltisch.arena import Played, Standings, contest
from spieltisch.arena.rating import comparisons, ratings, share_of
from spieltisch.study.figures import Z, wilson


def pair(*names):
    return contest("trailblaze", [f"{name}=random" for name in names])


def game(number, players, places, deal=0, scores=None, **more):
    return Played(number, deal, players, places, scores, 10, "over", **more)


def test_one_game_of_two_is_rated_as_reckoned_by_hand():
    """Weng and Lin 2011, algorithm 4, with mu 25, sigma 25/3 and beta 25/6, for the winner and the loser."""
    sigma, beta = 25 / 3, 25 / 6
    c = math.sqrt(2 * (sigma**2 + beta**2))
    won = 1 / 2  # the chance to win, being alike
    omega, delta = sigma**2 / c * (1 - won), sigma / c * sigma**2 / c**2 * won * (1 - won)
    found = ratings(pair("a", "b"), [game(0, (0, 1), (1, 2))])
    assert [one.mean for one in found] == pytest.approx([25 + omega, 25 - omega], abs=1e-3)
    width = Z * sigma * math.sqrt(1 - delta)
    assert [one.high - one.mean for one in found] == pytest.approx([width, width], abs=1e-3)
    assert [one.mean - one.low for one in found] == pytest.approx([width, width], abs=1e-3)
    assert [one.n for one in found] == [1, 1]


def test_a_draw_between_equals_moves_nobody_and_who_wins_more_is_rated_higher():
    two = pair("a", "b")
    assert [one.mean for one in ratings(two, [game(0, (0, 1), (1, 1))])] == pytest.approx([25, 25])
    for wins in range(1, 6):
        played = [game(n, (n % 2, 1 - n % 2), (1, 2) if (n % 2 == 0) == (n < wins) else (2, 1)) for n in range(10)]
        a, b = ratings(two, played)
        assert a.mean - b.mean == pytest.approx(-(b.mean - a.mean))
        assert a.n == b.n == 10
    strong, weak = ratings(two, [game(n, (0, 1), (1, 2)) for n in range(200)])
    assert strong.low > weak.high
    assert strong.high - strong.low < a.high - a.low, "many games tell more than few"


def test_ratings_do_not_hang_on_the_order_in_which_games_came_back():
    three = contest("trailblaze", ["a=random", "b=random", "c=random"], [3])
    played = [game(n, (n % 3, (n + 1) % 3, (n + 2) % 3), ((1, 2, 3), (1, 1, 3), (3, 1, 2))[n % 3]) for n in range(9)]
    assert Standings(three, 9, played).json() == Standings(three, 9, played[::-1]).json()


def test_alone_all_are_compared_on_each_deal():
    alone = contest("adaman", ["a=random", "b=random", "c=random"])
    played = [
        game(0, (0,), (2,), scores=(40,)), game(1, (1,), (1,), scores=(10,)), game(2, (2,), (2,), scores=(50,)),
        game(3, (0,), (2,), deal=1, scores=(7,)), game(4, (1,), (2,), deal=1, forfeit=0),
        game(5, (2,), (2,), deal=1, scores=(7,)),
        game(6, (0,), (1,), deal=2, scores=(1,)),
    ]  # fmt: skip
    # A win comes before points, a forfeit last; where not all have played there is nothing to be compared.
    assert list(comparisons(alone, played)) == [((0, 1, 2), (3, 1, 2)), ((0, 1, 2), (1, 3, 1))]
    rows = {row.player: row for row in Standings(alone, 9, played).rows}
    assert [rows[name].share.mean for name in "abc"] == pytest.approx([1 / 3, 1 / 2, 0], abs=1e-6)
    assert (rows["a"].points.mean, rows["a"].fair, rows["b"].forfeits) == (16, None, 1)


def test_shares_count_games_of_a_deal_as_what_they_are_worth():
    independent = share_of([[1.0], [0.0]] * 20)
    assert (independent.mean, independent.n) == (0.5, 40)
    assert (independent.low, independent.high) == pytest.approx(wilson(0.5, 39), abs=1e-6)
    alike = share_of([[1.0] * 4, [0.0] * 4] * 20)  # four games that always end alike are worth one
    assert (alike.low, alike.high) == (independent.low, independent.high)
    even = share_of([[1.0, 0.0]] * 20)  # deals that are all alike say no more than as many games
    assert (even.low, even.high) == pytest.approx(wilson(0.5, 40), abs=1e-6)
    never = share_of([[0.0, 0.0]] * 3)
    assert never.low == 0
    assert 0 < never.high == pytest.approx(wilson(0, 3)[1], abs=1e-6)
    assert share_of([]).n == 0


def test_a_row_a_player_as_text_csv_and_json():
    three = contest("trailblaze", ["a=novice", "b=random", "c=random"], [2, 3])
    played = [
        game(0, (0, 1), (1, 2), scores=(20, 10)),
        game(1, (1, 2), (2, 1), forfeit=0, why="it ended with status 1"),
        game(2, (0, 1, 2), (1, 1, 3), scores=(20, 20, 5)),
    ]
    done = Standings(three, 4, played)
    assert not done.complete
    rows = {row.player: row for row in done.rows}
    assert [row.rating.mean for row in done.rows] == sorted((row.rating.mean for row in done.rows), reverse=True)
    assert rows["a"].share.mean == 0.75
    assert (rows["a"].games, rows["a"].fair, rows["a"].points.mean) == (2, pytest.approx(5 / 12, abs=1e-6), 20)
    assert (rows["a"].command, rows["a"].kind, rows["b"].forfeits) == ("novice", "bot", 1)
    assert "cores" in rows["a"].machine
    assert done.forfeits == ["b forfeited 1 game: it ended with status 1"]
    assert done.forfeits[0] in done.summary()
    assert done.summary().startswith("trailblaze: 3 games on 1 deal, tables of 2 and 3, seed 1\n")
    table = list(csv.DictReader(io.StringIO(done.csv())))
    assert [row["player"] for row in table] == [row.player for row in done.rows]
    assert float(table[0]["rating_low"]) < float(table[0]["rating"]) < float(table[0]["rating_high"])
    found = msgspec.json.decode(done.json())
    assert {row["player"]: row["games"] for row in found["rows"]} == {"a": 2, "b": 3, "c": 2}
    assert found["contest"]["seed"] == 1
