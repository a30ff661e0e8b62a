"""What the server writes about itself: one line of JSON an event, or lines for people in a terminal.

No line holds a key, a table's code (only its tag), a name or an address. Errors may quote what somebody wrote, and
libraries tell values in their second lines: both are left out of JSON.
"""

import datetime as dt
import json
import logging
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

EACH, MINUTE = 5, 60.0  # lines of a kind, and in how many seconds
KINDS = 1_000  # that are told apart
DEEPEST = 12  # calls that are told of an error, the innermost ones


class JsonLines(logging.Formatter):
    """A line of JSON: when (UTC), how bad, who, what; of an error its kind and where it was, innermost call last."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        at = dt.datetime.fromtimestamp(record.created, tz=dt.UTC).isoformat(timespec="milliseconds")
        told: dict[str, object] = {"time": at, "level": record.levelname.lower(), "logger": record.name}
        told["message"] = record.getMessage().partition("\n")[0]
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            calls = traceback.extract_tb(error.__traceback__)[-DEEPEST:]
            where = [f"{Path(call.filename).name}:{call.lineno} {call.name}" for call in calls]
            told |= {"error": type(error).__name__, "where": where}
        return json.dumps(told, ensure_ascii=False)


class OftenEnough(logging.Filter):
    """Lets `EACH` lines of a kind through a minute, and with the next one tells how many were held back: strangers can
    make a server say the same thing as often as they like.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: OrderedDict[tuple[object, ...], _Kind] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is written."""
        error, now = record.exc_info[1] if record.exc_info else None, self._clock()
        said = (record.name, record.msg, type(error))
        kind = self._kinds.setdefault(said, _Kind(now))
        self._kinds.move_to_end(said)
        if len(self._kinds) > KINDS:
            self._kinds.popitem(last=False)
        held = 0
        if now - kind.since >= MINUTE:
            held, kind.since, kind.n = max(0, kind.n - EACH), now, 0
        kind.n += 1
        if held:
            record.msg = f"{str(record.msg).rstrip()} ({held} more in the last minute)"
        return kind.n <= EACH


class _Kind(Struct):
    """Lines of one kind: how many, since when."""

    since: float
    n: int = 0


def set_up() -> None:
    """Let everything from warnings on be written to standard error, of ours also what is good to know: as JSON unless
    that is a terminal.
    """
    handler = logging.StreamHandler()
    people = logging.Formatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(people if sys.stderr.isatty() else JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("spieltisch").setLevel(logging.INFO)
    handler.addFilter(OftenEnough())
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # that the database is away is told once, by us
