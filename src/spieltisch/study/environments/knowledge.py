"""What each seat knows of hidden things: nothing, roughly everything, or what a table says.

In some games hands lie open and only knowledge is hidden: where nobody knows anything, nobody can bluff. So a chance
step tells each seat its own signals, one for each secret of the game (`Beliefs.secrets`).
"""

from collections.abc import Sequence

from msgspec import Struct

from spieltisch.game import Invalid

Signals = tuple[int | None, ...]
"""What a seat was told: for each secret a number, None where it was told nothing."""


class Knowledge(Struct, frozen=True):
    """Either noisy or tabulated knowledge, or neither.

    With `sigma`, each seat is told each secret with an error of about that size, out of `steps` equally likely ones;
    `heard` lists for each seat the secrets it is told, by their numbers (None: all). `table` gives each seat's signals
    in the order of the deck. Without either, nobody is told anything.
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
        """Return the quantiles of the equally likely errors, in (0, 1)."""
        return tuple((step + 0.5) / self.steps for step in range(self.steps))


NONE = Knowledge()


def noise(sigma: float, steps: int = 16) -> Knowledge:
    """Return knowledge in which every seat is told every secret, with an error of about `sigma`.

    `sigma` is in years in games with dates. In the game of forms it is the share of cells confused with another.
    `steps` errors are equally likely. Raises Invalid for impossible values.
    """
    if not sigma >= 0 or sigma == float("inf"):
        raise Invalid("sigma must be 0 or more, not {sigma}", sigma=sigma)
    if not 1 <= steps <= 64:
        raise Invalid("an error has 1 to 64 steps, not {steps}", steps=steps)
    return Knowledge(sigma=float(sigma), steps=steps)


def table(rows: Sequence[Sequence[int | None]]) -> Knowledge:
    """Return knowledge in which each seat is told its row: for each secret, in deck order, a number or None."""
    return Knowledge(table=tuple(tuple(row) for row in rows))


def read(text: str | Knowledge) -> Knowledge:
    """Return the knowledge that `str` wrote: "none", "noise/15" ("noise/15/16" with its steps) or "table/1492:_/_:44".

    Raises Invalid, with a correction, for another text.
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
