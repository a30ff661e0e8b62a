"""What each seat knows of what lies hidden: nothing, all of it by and large, or what a table says.

Hands lie open in some games, and what is hidden there is knowledge: nobody can bluff where nobody knows anything.
So a chance step tells each seat its signals, one for each secret of the game (`Beliefs.secrets`), and only that seat.
"""

from collections.abc import Sequence

from msgspec import Struct

from spieltisch.game import Invalid

Signals = tuple[int | None, ...]
"""What a seat was told: for each secret a number, None where it was told nothing."""


class Knowledge(Struct, frozen=True):
    """`sigma`: each seat is told each secret with an error of about so much, which is one of `steps` equally likely
    ones; `heard`: for each seat which secrets it is told, by their numbers on the table (None: all). `table`: for each
    seat its signals, in the order of the deck. Neither: nobody is told anything.
    """

    sigma: float | None = None
    steps: int = 16
    table: tuple[Signals, ...] | None = None
    heard: tuple[tuple[int, ...], ...] | None = None

    def __str__(self) -> str:
        if self.table is not None:
            rows = (":".join("_" if told is None else str(told) for told in row) for row in self.table)
            return "/".join(["table", *rows])
        return "none" if self.sigma is None else f"noise/{self.sigma:g}/{self.steps}"

    def chances(self) -> tuple[float, ...]:
        """How far along its law each of the equally likely errors lies, in (0, 1)."""
        return tuple((step + 0.5) / self.steps for step in range(self.steps))


NONE = Knowledge()


def noise(sigma: float, steps: int = 16) -> Knowledge:
    """Every seat is told every secret, off by about `sigma`: years of the games with dates, the share of cells
    mistaken for another one in the game of forms. `steps` errors are equally likely. Invalid for what cannot be.
    """
    if not sigma >= 0 or sigma == float("inf"):
        raise Invalid("sigma must be 0 or more, not {sigma}", sigma=sigma)
    if not 1 <= steps <= 64:
        raise Invalid("an error has 1 to 64 steps, not {steps}", steps=steps)
    return Knowledge(sigma=float(sigma), steps=steps)


def table(rows: Sequence[Sequence[int | None]]) -> Knowledge:
    """Every seat is told what stands in its row: for each secret, in the order of the deck, a number or None."""
    return Knowledge(table=tuple(tuple(row) for row in rows))


def read(text: str | Knowledge) -> Knowledge:
    """What `str` of a knowledge says: "none", "noise/15" (or "noise/15/16" with its steps), "table/1492:_/_:44".
    Invalid, saying what would be right, for another text.
    """
    if isinstance(text, Knowledge):
        return text
    kind, *parts = text.split("/")
    try:
        if kind == "none" and not parts:
            return NONE
        if kind == "noise" and len(parts) in (1, 2):
            return noise(float(parts[0]), *map(int, parts[1:]))
        if kind == "table" and parts:
            return table([[None if told == "_" else int(told) for told in row.split(":")] for row in parts])
    except ValueError:
        pass
    raise Invalid("knowledge is none, noise/15 or table/1492:_/_:44, not {text}", text=text)
