"""What `spieltisch doctor` finds out, wherever it looks."""

import datetime as dt
import time
from typing import Literal

from msgspec import Struct

from spieltisch.cli.output import _

Level = Literal["good", "odd", "bad"]
SIGNS: dict[Level, str] = {"good": "✓", "odd": "!", "bad": "✗"}
DRIFT = 120.0  # seconds by which clocks may differ


class Finding(Struct, frozen=True):
    """What was found out, in the machine's language; what is not good says what helps."""

    level: Level
    text: str


def clock(newest: float | None) -> Finding:
    """Whether the clock here can be right, where somebody has played last at this time."""
    now = time.time()
    said = dt.datetime.fromtimestamp(now, tz=dt.UTC).isoformat(sep=" ", timespec="seconds")
    if newest is not None and newest > now + DRIFT:
        return Finding(
            "bad", _("The clock says {now}, but somebody has played later than that: set it right.", now=said)
        )
    return Finding("good", _("The clock says {now}.", now=said))
