"""The levels of bots are in order. Few games of a fixed seed; the measured ones stand in docs/answers/bots.md."""

import pytest

from spieltisch import games
from spieltisch.study import simulate


@pytest.mark.parametrize(
    ("game", "options", "n"),
    [("anno-domini", {"max_rounds": 40}, 40), ("trailblaze", {}, 40), ("hic-haec-hoc", {}, 60)],
)
def test_who_knows_most_wins_most(game, options, n):
    """The best against the weakest; in hic – haec – hoc the middle level, which does not search."""
    levels = list(games.package(game).bot.levels)
    best = levels[1] if game == "hic-haec-hoc" else levels[-1]
    found = simulate(game, [best, levels[0]], n, 5, options=options).figures.standings[0]
    assert found.bot == best
    assert found.wins.low > 0.5
