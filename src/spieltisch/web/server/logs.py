"""The log: a line for each event, plain or as JSON; in a terminal with the texts of errors.

No line holds a key, a table's code (only its tag), a name or an address. Errors may quote what somebody wrote, and
libraries put values into their second lines, so both are left out except in a terminal. The errors of a game from
elsewhere are told in their own words, with its file and line: whoever writes it has nothing else to find them by.
"""

import datetime as dt
import json
import logging
import re
import sys
import time
import traceback
from collections import Counter, OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from minijinja import TemplateError
from msgspec import Struct

from spieltisch import games

Format = Literal["auto", "plain", "json"]
Level = Literal["debug", "info", "warning", "error"]

EACH, MINUTE = 5, 60.0  # lines of a kind, and in how many seconds
KINDS = 1_000  # that are told apart
LONGEST = 300  # characters of an error's own words
DEEPEST = 12  # calls that are told of an error, the innermost ones

_ELSEWHERE = re.compile(r'File "([^"\n]+)", line (\d+)')


class JsonLines(logging.Formatter):
    """A line of JSON: time (UTC), level, logger, text; for an error its kind and where it was, innermost call last."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        at = dt.datetime.fromtimestamp(record.created, tz=dt.UTC).isoformat(timespec="milliseconds")
        told: dict[str, object] = {"time": at, "level": record.levelname.lower(), "logger": record.name}
        told["message"] = record.getMessage().partition("\n")[0]
        if (error := _error(record)) is not None:
            told |= {"error": type(error).__name__, "where": _where(error)}
            if (place := _in_game(error)) is not None:
                told |= {"game": place, "reason": _reason(error)}
        return json.dumps(told, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """The same as a plain line, without the time, which the system's log has."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line = f"{record.levelname} {record.name}: " + record.getMessage().partition("\n")[0]
        if (error := _error(record)) is None:
            return line
        place = _in_game(error)
        said = "" if place is None else f"; {place}: {_reason(error)}"
        return f"{line} ({type(error).__name__}: {' > '.join(_where(error))}{said})"


def _error(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


def _where(error: BaseException) -> list[str]:
    """Return the innermost calls."""
    calls = traceback.extract_tb(error.__traceback__)[-DEEPEST:]
    template = [f"{error.name}:{error.line}"] if isinstance(error, TemplateError) else []
    return [f"{Path(call.filename).name}:{call.lineno} {call.name}" for call in calls] + template


def _in_game(error: BaseException) -> str | None:
    """Return the file and line of a game from elsewhere, the last of its own that ran; None if none did."""
    folders = [Path(folder) for folder in games.__path__ if Path(folder) != games.OWN]
    if isinstance(error, TemplateError):
        game, _, file = (error.name or "").rpartition("/")
        found = (folder / game / "templates" / file for folder in folders if game and (folder / game).is_dir())
        return next((f"{file}:{error.line}" for file in found), None)
    ran = [(call.filename, call.lineno) for call in traceback.extract_tb(error.__traceback__)]
    ran += _ELSEWHERE.findall(str(error.__cause__ or ""))  # what another process says of where it was
    return next((f"{file}:{n}" for file, n in reversed(ran) if any(map(Path(file).is_relative_to, folders))), None)


def _reason(error: BaseException) -> str:
    return str(error).partition("\n")[0][:LONGEST]


class OftenEnough(logging.Filter):
    """Lets `EACH` lines of a kind through each minute; the next one tells how many were held back. Strangers can make a
    server say the same thing as often as they like. Lines with `extra={"each": …}` are of a kind if that is equal, too:
    whoever writes them holds back others. `said` counts all lines, by level, logger and error.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: OrderedDict[tuple[object, ...], _Kind] = OrderedDict()
        self.said: Counter[tuple[str, str, str]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether this line is written."""
        error, now = _error(record), self._clock()
        self.said[record.levelname.lower(), record.name, "" if error is None else type(error).__name__] += 1
        said = (record.name, record.msg, getattr(record, "each", None), type(error))
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
    since: float
    n: int = 0


def set_up(shape: Format = "auto", level: Level = "info") -> Counter[tuple[str, str, str]]:
    """Write warnings and worse to standard error, lines of ours from this level on. `auto`: JSON unless that is a
    terminal. Returns the counts of lines, by level, logger and error.
    """
    handler, enough = logging.StreamHandler(), OftenEnough()
    handler.setFormatter(_formatter(shape, terminal=sys.stderr.isatty()))
    handler.addFilter(enough)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("spieltisch").setLevel(level.upper())
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # that the database is away is told once, by us
    return enough.said


def _formatter(shape: Format, *, terminal: bool) -> logging.Formatter:
    if shape == "json" or (shape == "auto" and not terminal):
        return JsonLines()
    return logging.Formatter("%(levelname)s %(name)s: %(message)s") if terminal else PlainLines()
