"""Trailblaze: what are the swap and the bonus stone worth to who uses them?

The same deals are played four times by bots of one level: as they are, and with one bot that does without. What it
wins less is what the swap, the bonus stone, or both are worth. The others go on using them.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.games.trailblaze.beliefs import LEVELS
from spieltisch.games.trailblaze.state import Keep, LeaveBonus, NoBonus
from spieltisch.study.questions.question import Finding, Question, Table, Values, shares
from spieltisch.study.report import Picture, bars, drawn
from spieltisch.study.series import Choose, load, one_game, series

PLAYERS = (("chronicler", 4), ("connoisseur", 4), ("novice", 4), ("chronicler", 2))
WITHOUT = ("neither", "the bonus stone", "the swap", "both")
WINS = "Wins of one in four Chroniclers playing without"
PARTS = ("wins", "points")


def play(seed: int, number: int) -> Values:
    """A deal for each of `PLAYERS`, with one bot that does without, in turns."""
    values: Values = {WINS: {}}
    for level, seats in PLAYERS:
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
            if (level, seats) == PLAYERS[0]:
                values[WINS][without] = [played.wins[seat]]
        for part, name in enumerate(PARTS):
            for without, outcome in zip(WITHOUT[1:], outcomes[1:], strict=True):
                loss = outcomes[0][part] - outcome[part]
                values.setdefault(_title(without, name), {})[_case(level, seats)] = [round(loss, 6)]
    return values


def _doing_without(
    bonus: bool, swap: bool, view: Any, legal: Sequence[Struct], _beliefs: object, choose: Choose
) -> Struct:
    """Who does without the bonus stone does not reckon with it in swapping either: as if somebody had it."""
    if swap and isinstance(legal[0], Keep):
        return Keep()
    if bonus:
        for nothing in (LeaveBonus(), NoBonus()):
            if nothing in legal:
                return nothing
        if isinstance(legal[0], Keep) and view.public.bonus is None:
            view = replace(view, public=replace(view.public, bonus=view.seat))
    return choose(view, legal)


def _title(without: str, name: str) -> str:
    return f"What {'the bonus stone and the swap are' if without == 'both' else f'{without} is'} worth in {name}"


def _case(level: str, seats: int) -> str:
    return f"{seats} {LEVELS[level]}s"


def _draw(found: Sequence[Finding]) -> Picture:
    return drawn(f"Trailblaze: {WINS[0].lower()}{WINS[1:]}", "bars", bars(shares(found, WINS), 0.25))


_CASES = tuple(_case(*one) for one in PLAYERS)

QUESTION = Question(
    "stones",
    "Trailblaze: what are the swap and the bonus stone worth?",
    400,
    (
        Table(WINS, "share", WITHOUT),
        *(Table(_title(without, "wins"), "difference", _CASES) for without in WITHOUT[1:]),
        *(Table(_title(without, "points"), "points", _CASES) for without in WITHOUT[1:]),
    ),
    play,
    _draw,
)
