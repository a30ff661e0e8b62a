"""Data frames from a folder of game records: results, decisions, and the beliefs of bots."""

import hashlib
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from msgspec import Struct

from spieltisch import progress as bars
from spieltisch import record
from spieltisch.bots import beliefs_of
from spieltisch.dice import after
from spieltisch.game import Invalid, Refused, see
from spieltisch.study import workers
from spieltisch.study.frames import Library, Rows
from spieltisch.study.series import PLAIN, TAG, dealt, key_of

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

PIECE = 20  # records that are read in one go
COLUMNS = {
    "games": ("file", "game", "seat", "name", "place", "win", "score", "actions", "end"),
    "decisions": ("file", "game", "step", "seat", "name", "action", "options"),
    "beliefs": ("file", "game", "seat", "level", "card", "true", "believed", "spread"),
}


class Broken(Struct, frozen=True):
    """A file that is no record or breaks a rule, with the reason in a sentence."""

    file: str
    reason: str


class BrokenRecordWarning(UserWarning):
    """A record was left out. The text names the file and the reason."""


class Records:
    """The records in a folder. Each frame reads them anew, one after the other.

    `files` are their paths. `broken` are those that the last reading left out; each caused a BrokenRecordWarning.
    """

    def __init__(self, files: Sequence[Path], game: str | None, on: str | int) -> None:
        self.files, self.broken = tuple(files), list[Broken]()
        self._game, self._on = game, on

    @overload
    def games(self, library: Literal["pandas"] | None = None) -> "pd.DataFrame": ...
    @overload
    def games(self, library: Literal["polars"]) -> "pl.DataFrame": ...
    def games(self, library: Library | None = None) -> "pd.DataFrame | pl.DataFrame":
        """Return a row for each seat of each game.

        Columns: `file`, `game`, `seat` (from 0), `name`, `place` (from 1), `win` (part of the victory, 0 to 1), `score`
        (points), `actions` (of all seats), `end`. None stands for what a game lacks: an end, places or scores.

        `library` is "pandas" or "polars"; None takes the first that is installed. Raises NoFramesError, which says what
        to install, without either.
        """
        return self.rows("games").frame(library)

    @overload
    def decisions(self, library: Literal["pandas"] | None = None) -> "pd.DataFrame": ...
    @overload
    def decisions(self, library: Literal["polars"]) -> "pl.DataFrame": ...
    def decisions(self, library: Library | None = None) -> "pd.DataFrame | pl.DataFrame":
        """Return a row for each action.

        Columns: `file`, `game`, `step` (actions, from 0), `seat`, `name`, `action` (a line of text), `options` (the
        number of actions open to the seat).
        """
        return self.rows("decisions").frame(library)

    @overload
    def beliefs(self, level: str = "", library: Literal["pandas"] | None = None) -> "pd.DataFrame": ...
    @overload
    def beliefs(self, level: str = "", *, library: Literal["polars"]) -> "pl.DataFrame": ...
    def beliefs(self, level: str = "", library: Library | None = None) -> "pd.DataFrame | pl.DataFrame":
        """Return a row for each seat and card: what a bot there believes about it.

        In Anno Domini and Trailblaze, `true` and `believed` are years (the first year, if there are several), and
        `spread` is the bot's uncertainty in years. In strict hic – haec – hoc they are forms, and `card` is a cell such
        as "nom.sg.m". Adaman has none.

        In simulated games these are the beliefs of the bots that played. In others they are those a bot of this level
        could have had on each seat; "" is the middle level. Raises Invalid for an unknown level, when the rows are
        read.
        """
        return self.rows("beliefs", level).frame(library)

    def rows(self, what: str, level: str = "") -> Rows:
        """Return the rows of "games", "decisions" or "beliefs", read lazily. Raises Invalid for anything else."""
        if what not in COLUMNS:
            raise Invalid("records hold {known}, not {what}", known=", ".join(COLUMNS), what=repr(what))
        return Rows(COLUMNS[what], self._read(what, level))

    def _read(self, what: str, level: str) -> Iterator[tuple[object, ...]]:
        self.broken = []
        pieces = [self.files[first : first + PIECE] for first in range(0, len(self.files), PIECE)]
        read = 0
        with bars.progress(len(self.files)) as done:
            for piece, found in zip(
                pieces, workers.run(partial(_told, what, level, self._game), pieces, self._on), strict=True
            ):
                for one in found:
                    if isinstance(one, Broken):
                        self.broken.append(one)
                        warnings.warn(f"{one.file}: {one.reason}", BrokenRecordWarning, stacklevel=3)
                    else:
                        yield from one
                read += len(piece)
                done(read)

    def __repr__(self) -> str:
        return f"<Records, {len(self.files)} files>"


def records(path: str | Path, game: str | None = None, *, on: str | int = 1) -> Records:
    """Return the records in a folder and its subfolders (all files that end in .json), or of one file.

    `game` keeps only the records of this game. `on` says where they are read: a number of processes, "processes:N" or
    "dask://HOST:PORT". Raises Invalid if there is no such folder or no such place, or if the folder has no records.
    """
    workers.places(on)
    at = Path(path)
    files = [at] if at.is_file() else sorted(at.rglob("*.json"))
    if not files:
        raise Invalid("{path} has no records: files that end in .json", path=path)
    return Records(files, game, on)


def _told(what: str, level: str, game: str | None, files: Sequence[Path]) -> list[list[tuple[object, ...]] | Broken]:
    """Return the rows of each of these files, or why there are none."""
    found: list[list[tuple[object, ...]] | Broken] = []
    for file in files:
        try:
            content = file.read_bytes()
            raw = record.parse(content)
            replay = record.replay(raw)
        except Exception as error:  # noqa: BLE001 - whatever is in a file, one line says what is wrong with it
            found.append(Broken(str(file), _reason(error)))
            continue
        if game is not None and replay.top.package.name != game:
            continue
        head = (str(file), replay.top.package.name)
        if what == "games":
            rows = _seats(replay)
        elif what == "decisions":
            rows = _decisions(replay)
        else:
            rows = _beliefs(replay, level, content)
        found.append([(*head, *row) for row in rows])
    return found


def _reason(error: Exception) -> str:
    if isinstance(error, Refused):
        return str(error)
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or error}"
    return f"cannot be read: {type(error).__name__}: {error}"


def _seats(replay: record.Replay) -> Iterator[tuple[object, ...]]:
    result = replay.top.package.rules.result(replay.state.public)
    actions = sum(isinstance(who, int) for who, _ in replay.steps)
    ranking = None if result is None else result.ranking
    for seat, name in enumerate(replay.top.seats):
        place = win = None
        if ranking is not None:
            place = 1 + sum(len(group) for group in ranking[: next(i for i, g in enumerate(ranking) if seat in g)])
            win = (seat in ranking[0]) / len(ranking[0])
        elif result is not None:
            win = float(result.end == "won")
        score = None if result is None or result.scores is None else result.scores[seat]
        yield seat, name, place, win, score, actions, None if result is None else result.end


def _decisions(replay: record.Replay) -> Iterator[tuple[object, ...]]:
    package, state, step = replay.top.package, replay.states[0], 0
    for who, what in replay.steps:
        if isinstance(what, Struct):
            assert isinstance(who, int)
            view = see(state, who)
            action = package.record.notation(replay.deck, view, what)
            yield step, who, replay.top.seats[who], action, len(package.rules.legal(view))
            step += 1
        state = after(package.rules, state, (who, what))


def _beliefs(replay: record.Replay, level: str, content: bytes) -> Iterator[tuple[object, ...]]:
    head, simulated = replay.top, replay.top.tags.get(TAG)
    package, levels = head.package, head.package.bot.levels
    if level and levels and level not in levels:
        raise Invalid("{game} has no bot {name}, only {known}", game=package.name, name=level, known=", ".join(levels))
    if simulated:  # a record tells no field of a card, which its game knows
        key = key_of(simulated)
        deck, hidden = dealt(simulated, package, head.options, len(head.seats), head.deck)
    else:
        key, deck, hidden = hashlib.sha256(content).digest(), replay.deck, replay.states[0].hidden
    for seat, name in enumerate(head.seats):
        held = ("" if name == PLAIN else name) if simulated else level
        if held and held not in levels:
            continue  # a bot without judgement
        beliefs = beliefs_of(package, hidden, key, seat, held)
        for row in package.beliefs.compared(deck, hidden, beliefs):
            yield seat, package.level(held), *row
