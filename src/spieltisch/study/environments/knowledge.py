"""What each seat knows of hidden things: nothing, roughly everything, or what a table says.

In some games hands lie open and only knowledge is hidden: where nobody knows anything, nobody can bluff. So a chance
step tells each seat its own signals, one for each secret of the game (`Beliefs.secrets`).
"""

from collections.abc import Iterable
from typing import Any, SupportsIndex

from msgspec import Struct

from spieltisch.game import Invalid
from spieltisch.i18n import N_
from spieltisch.options import real_number, refused, required, whole_number

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


def noise(sigma: float, steps: SupportsIndex = 16, *, heard: tuple[tuple[int, ...], ...] | None = None) -> Knowledge:
    """Return knowledge in which every seat is told every secret (or those that it has `heard`), with an error of about
    `sigma`.

    `sigma` is in years in games with dates. In the game of forms it is the share of cells confused with another.
    `steps` errors are equally likely. Raises Invalid for impossible values.
    """
    sigma = real_number(sigma, N_("sigma is a number, not {value}"))
    if not 0 <= sigma < float("inf"):
        raise Invalid("sigma must be 0 or more, not {sigma}", sigma=sigma)
    steps = whole_number(steps, N_("steps are a whole number, not {value}"))
    if not 1 <= steps <= 64:
        raise Invalid("an error has 1 to 64 steps, not {steps}", steps=steps)
    return Knowledge(sigma=sigma, steps=steps, heard=heard)


def table(rows: Iterable[Iterable[SupportsIndex | None]]) -> Knowledge:
    """Return knowledge in which each seat is told its row: for each secret, in deck order, a number or None.

    Raises Invalid for anything but whole numbers and None.
    """
    wrong = N_("a table of knowledge has a row for each seat, of whole numbers and None, not {value}")
    found = (
        tuple(None if told is None else whole_number(told, wrong) for told in _listed(row, wrong))
        for row in _listed(rows, wrong)
    )
    return Knowledge(table=tuple(found))


def _listed(given: Any, wrong: str) -> list[Any]:
    try:
        return [*given]
    except TypeError:
        raise refused(wrong, given) from None


def read(text: str | Knowledge) -> Knowledge:
    """Return the knowledge that `str` wrote: "none", "noise/15" ("noise/15/16" with its steps) or "table/1492:_/_:44".

    Raises Invalid, with a correction, for another text.
    """
    if isinstance(text, Knowledge):
        return text
    required(text, str, N_('knowledge is a text such as "noise/15", not {value}'))
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
