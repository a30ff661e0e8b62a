"""Findings of `spieltisch doctor` that several of its checks share."""

import datetime as dt
import time
from collections.abc import Generator, Iterable
from typing import Literal

from msgspec import Struct

from spieltisch.cli.output import _
from spieltisch.table.damage import Damage

Level = Literal["good", "odd", "bad"]
SIGNS: dict[Level, str] = {"good": "✓", "odd": "!", "bad": "✗"}
DRIFT = 120.0  # seconds by which clocks may differ without a finding


class Finding(Struct, frozen=True):
    """One finding, in the machine's language. If it is not good, it says what helps."""

    level: Level
    text: str


def logs(found: Iterable[Damage]) -> Generator[Finding]:
    """The damage of running games."""
    sound = True
    for one in found:
        sound = False
        what = _(one.what.text, **one.what.values)
        yield Finding("bad", _(
            "Table {table} is damaged at entry {entry} ({what}). Restore it: spieltisch restore FILE --table {table}",
            table=one.table, entry=one.entry, what=what,
        ))  # fmt: skip
    if sound:
        yield Finding("good", _("The logs of all running games can be read."))


def formats(said: int, there: int) -> Generator[Finding]:
    """Whether an older version has used the tables, since it sets the number of their format back."""
    if 0 < said < there:
        yield Finding("odd", _(
            "An older version of Spieltisch has used these tables as format {said} instead of {there}. Start"
            " this version again, not an older one.", said=said, there=there,
        ))  # fmt: skip


def clock(newest: float | None) -> Finding:
    """Whether the clock here is plausible; `newest` is the time of the last move."""
    now = time.time()
    said = dt.datetime.fromtimestamp(now, tz=dt.UTC).isoformat(sep=" ", timespec="seconds")
    if newest is not None and newest > now + DRIFT:
        return Finding(
            "bad", _("The clock says {now}, but somebody has played later than that. Set the clock.", now=said)
        )
    return Finding("good", _("The clock says {now}.", now=said))
