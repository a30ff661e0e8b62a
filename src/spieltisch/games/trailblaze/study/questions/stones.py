"""Trailblaze: what are the swap and the bonus stone worth to a player?

Bots of one level play the same deals four times: as they are, and with one bot that gives up the swap, the bonus stone,
or both. Its loss in wins is what they are worth. The others still use them.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.games.trailblaze.state import Keep, LeaveBonus, NoBonus
from spieltisch.i18n import N_
from spieltisch.study.questions.question import Finding, Question, Table, Values, Words, bar_chart, shares
from spieltisch.study.report import Picture
from spieltisch.study.series import Choose, load, one_game, series

PLAYERS = {
    ("chronicler", 4): N_("4 Chroniclers"),
    ("connoisseur", 4): N_("4 Connoisseurs"),
    ("novice", 4): N_("4 Novices"),
    ("chronicler", 2): N_("2 Chroniclers"),
}
WITHOUT = (N_("neither"), N_("the bonus stone"), N_("the swap"), N_("both"))
WINS = N_("Wins of one in four Chroniclers playing without")
WORTH = {
    "the bonus stone": (N_("What the bonus stone is worth in wins"), N_("What the bonus stone is worth in points")),
    "the swap": (N_("What the swap is worth in wins"), N_("What the swap is worth in points")),
    "both": (
        N_("What the bonus stone and the swap are worth in wins"),
        N_("What the bonus stone and the swap are worth in points"),
    ),
}
"""What a bot gives up: the titles, for wins and for points."""


def play(seed: int, number: int) -> Values:
    """A deal for each of `PLAYERS`, with one bot that gives something up, in turn."""
    values: Values = {WINS: {}}
    for (level, seats), case in PLAYERS.items():
        found = series("trailblaze", (level,) * seats, seed)
        loaded = load(found)
        outcomes = []
        for without in WITHOUT:
            habit = partial(_doing_without, without in {"the bonus stone", "both"}, without in {"the swap", "both"})
            played = one_game(found, number, *loaded, habits={0: habit})
            assert played.wins is not None
            assert played.scores is not None
            seat = played.bots.index(0)
            outcomes.append((played.wins[seat], float(played.scores[seat])))
            if case == next(iter(PLAYERS.values())):
                values[WINS][without] = [played.wins[seat]]
        for titles, outcome in zip(WORTH.values(), outcomes[1:], strict=True):
            for part, title in enumerate(titles):
                loss = outcomes[0][part] - outcome[part]
                values.setdefault(title, {})[case] = [round(loss, 6)]
    return values


def _doing_without(
    bonus: bool, swap: bool, view: Any, legal: Sequence[Struct], _beliefs: object, choose: Choose
) -> Struct:
    """A bot without the bonus stone ignores it when swapping, too: as if somebody had it."""
    if swap and isinstance(legal[0], Keep):
        return Keep()
    if bonus:
        for nothing in (LeaveBonus(), NoBonus()):
            if nothing in legal:
                return nothing
        if isinstance(legal[0], Keep) and view.public.bonus is None:
            view = replace(view, public=replace(view.public, bonus=view.seat))
    return choose(view, legal)


def _draw(found: Sequence[Finding], words: Words) -> Picture:
    caption = N_("Trailblaze: wins of one in four Chroniclers playing without")
    return bar_chart(caption, shares(found, WINS), 0.25, words)


QUESTION = Question(
    "stones",
    N_("Trailblaze: what are the swap and the bonus stone worth?"),
    400,
    (
        Table(WINS, "share", WITHOUT),
        *(Table(wins, "difference", tuple(PLAYERS.values())) for wins, _ in WORTH.values()),
        *(Table(points, "points", tuple(PLAYERS.values())) for _, points in WORTH.values()),
    ),
    play,
    _draw,
)
