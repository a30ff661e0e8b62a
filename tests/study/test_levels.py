"""The levels of bots are in order. Few games of a fixed seed; the measured ones stand in docs/answers/bots.md."""

import re
from pathlib import Path

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


PUBLISHED = [
    ("anno-domini", {"max_rounds": 100}, "| 2 (1+1) |", 0, ["connoisseur", "novice"], 0),
    ("anno-domini", {"max_rounds": 100}, "| 2 (1+1) |", 0, ["chronicler", "connoisseur"], 1),
    ("trailblaze", {}, "| 2 (1+1) |", 1, ["connoisseur", "novice"], 0),
    ("trailblaze", {}, "| 2 (1+1) |", 1, ["chronicler", "connoisseur"], 1),
    ("hic-haec-hoc", {}, "| `{}` (strict) |", 0, ["magister", "discipula"], 0),
    ("hic-haec-hoc", {"mode": "assisted"}, '| `{"mode": "assisted"}` |', 0, ["magister", "discipula"], 0),
]


@pytest.mark.whole
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("game", "options", "head", "table", "bots", "column"), PUBLISHED)
def test_published_shares_are_those_of_todays_bots(game, options, head, table, bots, column):
    """The page is from the same seed, so after a change to bots its figures are to be computed again."""
    page = (Path(__file__).parents[2] / "docs" / "answers" / "bots.md").read_text("utf-8")
    line = [line for line in page.splitlines() if line.startswith(head)][table]
    told = re.findall(r"(\S+) % \((\S+)–(\S+)\)", line)[column]
    wins = simulate(game, bots, 1000, 2026, options=options).figures.standings[0].wins
    assert tuple(f"{100 * x:.1f}" for x in (wins.mean, wins.low, wins.high)) == told
