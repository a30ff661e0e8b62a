"""When what of a reveal is shown, in ms after it: row by row, and only when the last has turned how it ends."""

from collections.abc import Sequence

from msgspec import Struct

QUESTION = 900  # the question alone
TURN = 420  # a row turns
PACES = ((9, 350), (15, 220))  # from row to row, of so many at most
QUICK = 150  # of more
LAST = 900  # before the last row of a last chain
BREATH = 700  # at the first wrong pair nothing moves
BRACKET = 300  # it is drawn
REST = 500  # after the last row, before the verdict


class Staging(Struct, frozen=True):
    """Moments of a reveal: when each row turns, when it is marked if it lies wrong, and the verdict's."""

    rows: tuple[int, ...]
    marks: dict[int, int]  # by row
    brackets: dict[tuple[int, int], int]  # by pair
    verdict: int


def staging(rows: int, wrong: Sequence[tuple[int, int]], *, last_chain: bool) -> Staging:
    """The moments for so many rows, of which these pairs are wrong (rows counted from 0, the upper one first)."""
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
