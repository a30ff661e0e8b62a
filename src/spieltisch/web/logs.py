"""What the server writes about itself: one line of JSON an event, or lines for people in a terminal.

No line holds a key, a table's code (only its tag), a name or an address. Errors may quote what somebody wrote, and
libraries tell values in their second lines: both are left out of JSON.
"""

import datetime as dt
import json
import logging
import math
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

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


class OnceAMinute(logging.Filter):
    """Lets a message of a stranger's making through once a minute, with the number of those that were held back."""

    def __init__(self, message: str, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._message, self._clock = message, clock
        self._next, self._held = -math.inf, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is written."""
        if record.msg != self._message:
            return True
        if (now := self._clock()) < self._next:
            self._held += 1
            return False
        if self._held:
            record.msg = f"{self._message} ({self._held} more in the last minute)"
        self._next, self._held = now + 60, 0
        return True


def set_up() -> None:
    """Let everything from warnings on be written to standard error, of ours also what is good to know: as JSON unless
    that is a terminal.
    """
    handler = logging.StreamHandler()
    people = logging.Formatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(people if sys.stderr.isatty() else JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("spieltisch").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").addFilter(OnceAMinute("Invalid HTTP request received."))
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # that the database is away is told once, by us
