"""The timing of a reveal, in ms: row by row, with the outcome only after the last row."""

from collections.abc import Sequence

from msgspec import Struct

QUESTION = 900  # the question alone
TURN = 420  # turning a row
PACES = ((9, 350), (15, 220))  # delay between rows, by the most rows it holds for
QUICK = 150  # delay beyond that
LAST = 900  # pause before the last row of a last chain
BREATH = 700  # pause at the first wrong pair
BRACKET = 300  # drawing a bracket
REST = 500  # pause before the verdict


class Staging(Struct, frozen=True):
    """The moments of a reveal: when each row turns, when a wrong one is marked, and the verdict."""

    rows: tuple[int, ...]
    marks: dict[int, int]  # by row
    brackets: dict[tuple[int, int], int]  # by pair
    verdict: int


def staging(rows: int, wrong: Sequence[tuple[int, int]], *, last_chain: bool) -> Staging:
    """The moments for this many rows with these wrong pairs (rows count from 0, upper one first)."""
    pace = next((pace for most, pace in PACES if rows <= most), QUICK)
    turns: list[int] = []
    marks: dict[int, int] = {}
    brackets: dict[tuple[int, int], int] = {}
    now = QUESTION
    for row in range(rows):
        if last_chain and row == rows - 1 and row:
            now += LAST - pace
        turns.append(now)
        now += pace
        ending = [pair for pair in wrong if pair[1] == row]
        if not ending:
            continue
        drawn = turns[-1] + TURN
        if not brackets:
            drawn += BREATH
            now = drawn + BRACKET
        for pair in ending:
            brackets[pair] = drawn
            for one in pair:
                marks.setdefault(one, drawn)
    over = max([turns[-1] + TURN, *(drawn + BRACKET for drawn in brackets.values())]) if turns else 0
    return Staging(tuple(turns), marks, brackets, over + REST)
