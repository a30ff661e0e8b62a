"""The board: where a stone may go, and what right stones score."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

ROWS = range(1, 7)  # I at the top, VI at the bottom
FULL = 5  # for a right stone in every row, and again for one in every column


class Stone(Struct, frozen=True, order=True, gc=False):
    """A stone on its field. Rows count from 1, columns from 0, patterns from 1; the bonus stone has none."""

    row: int
    column: int
    seat: int
    pattern: int | None


class Parts(Struct, frozen=True, gc=False):
    """A score by its parts."""

    stones: int
    pattern: int
    rows: int
    columns: int

    @property
    def total(self) -> int:
        return self.stones + self.pattern + self.rows + self.columns


def free_rows(occupying: Iterable[Stone], column: int) -> list[int]:
    """The unoccupied rows of this column (rules: Place). Spent stones occupy nothing."""
    taken = {stone.row for stone in occupying if stone.column == column}
    return [row for row in ROWS if row not in taken]


def rows_for(occupying: Iterable[Stone], column: int, round_: int) -> list[int]:
    """The rows where a stone may go in this column: any free one of the first `round_` rows, or else the next free row
    below.
    """
    return open_rows(free_rows(occupying, column), round_)


def open_rows(free: list[int], round_: int) -> list[int]:
    """The free rows of a column where a stone may go."""
    return [row for row in free if row <= round_] or free[:1]


def covers_rows(stones: Iterable[Stone]) -> bool:
    return len({stone.row for stone in stones}) == len(ROWS)


def score(stones: Sequence[Stone], columns: int) -> Parts:
    """The score of one seat's right stones on a board with this many columns."""
    by_pattern: dict[int | None, list[int]] = {}
    for stone in stones:
        by_pattern.setdefault(stone.pattern, []).append(stone.row)
    _, again = max(((len(rows), sum(rows)) for rows in by_pattern.values()), default=(0, 0))
    return Parts(
        stones=sum(stone.row for stone in stones),
        pattern=again,
        rows=FULL if covers_rows(stones) else 0,
        columns=FULL if len({stone.column for stone in stones}) == columns else 0,
    )
