"""Simulations: many games of bots, played here or elsewhere, checkpointed as they are played, and their statistics."""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, SupportsIndex, overload

from spieltisch import languages
from spieltisch.game import Invalid
from spieltisch.i18n import N_
from spieltisch.languages import DEFAULT
from spieltisch.options import whole_number
from spieltisch.study import figures, workers
from spieltisch.study.checkpoint import KeptFile, Progress, arriving, collect
from spieltisch.study.figures import Figures
from spieltisch.study.frames import Library, Rows
from spieltisch.study.report import Picture, picture
from spieltisch.study.series import Played, Series, play, play_recorded, series

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

PIECE = 20  # games that a process gets at a time, at most


class UnwrittenError(Exception):
    """Results could not be written, so the simulation stopped. `simulation` holds the games played so far."""

    def __init__(self, reason: OSError, simulation: "Simulation") -> None:
        self.reason, self.simulation = reason, simulation
        super().__init__(f"{reason.filename}: cannot be written: {reason.strerror or reason}")


class Simulation:
    """Games that were played, and their statistics.

    `series` describes them, `asked` is how many were wanted, `played` holds those that were played, by number.
    `str(simulation)` is its `summary()`.
    """

    def __init__(self, series: Series, asked: int, played: Sequence[Played]) -> None:
        self.series, self.asked, self.played = series, asked, tuple(sorted(played, key=lambda one: one.number))

    @property
    def complete(self) -> bool:
        """Whether all games were played. It is False after Ctrl-C."""
        return len(self.played) == self.asked

    @cached_property
    def figures(self) -> Figures:
        """Win rates (0 to 1), points, and lengths in actions: means with their 95 % confidence intervals (`low`,
        `high`).
        """
        return figures.of(self.series, self.played)

    def summary(self, lang: str = DEFAULT) -> str:
        """Return the figures as a few lines of text, in a language such as "de". Raises Invalid for an unknown one."""
        languages.require(lang)
        return figures.as_text(self.figures, lang)

    @property
    def rows(self) -> Rows:
        """The rows of the frame, one for each seat of each game.

        Columns: `number` of the game, `seat` (from 0), `bot`, `win` (part of the victory, 0 to 1), `score` (points),
        `actions` (of all seats), `end`. `score` is None in games without scores, `win` in games that did not end.
        """
        return Rows(("number", "seat", "bot", "win", "score", "actions", "end"), self._rows())

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for one in self.played:
            for seat, bot in enumerate(one.bots):
                win = None if one.wins is None else one.wins[seat]
                score = None if one.scores is None else one.scores[seat]
                yield one.number, seat, self.series.bots[bot], win, score, one.actions, one.end

    @overload
    def frame(self, library: Literal["pandas"] | None = None) -> "pd.DataFrame": ...
    @overload
    def frame(self, library: Literal["polars"]) -> "pl.DataFrame": ...
    def frame(self, library: Library | None = None) -> "pd.DataFrame | pl.DataFrame":
        """Return `rows` as a data frame of pandas or polars. Raises NoFramesError, which says what to install, without
        either.
        """
        return self.rows.frame(library)

    def plot(self, what: Literal["bots", "seats", "lengths"] = "bots", lang: str = DEFAULT) -> Picture:
        """Return a picture for notebooks, in a language such as "de": wins by bot, wins by seat, or a histogram of
        lengths.

        Raises Invalid for anything else, MissingExtraError without the extra `study`.
        """
        languages.require(lang)
        return picture(self.figures, what, lang)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        one = self.series
        part = "" if self.complete else f" of {self.asked}"
        return f"<Simulation {one.game}, {len(self.played)}{part} games of {', '.join(one.bots)}, seed {one.seed}>"


def simulate(
    game: str,
    bots: str | Sequence[str],
    games: SupportsIndex = 100,
    seed: SupportsIndex = 1,
    *,
    options: dict[str, object] | None = None,
    deck: str | Path | None = None,
    on: str | int = 1,
    keep: str | Path | None = None,
    records: str | Path | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Let bots play many games. The same seed gives the same games, wherever they are played.

    `bots` names one bot for each seat, as a list or separated by commas: a level of the game's bots, "bot" for the
    usual one, or "random". They move on by one seat from game to game. `options` are the game's, as in a record. `deck`
    is the name of a deck or the path of a file (CSV, XLSX, ODS).

    `on` says where games are played: a number of processes, "processes:N" or "dask://HOST:PORT". `keep` is a checkpoint
    file: each game is appended, and games in it are not played again. `records` is a folder for the games' records,
    NUMBER.json. `progress` gets the number of games so far; by default terminals and notebooks show a bar.

    After Ctrl-C the Simulation holds the games played so far, and `complete` is False.

    Raises Invalid, with a correction, for an unknown game, bot, option or place, and for a `keep` file of another
    series. Raises UnwrittenError if a file cannot be written, LostError if workers die again and again.
    """
    games = whole_number(games, N_("the number of games is a whole number, not {value}"))
    seed = whole_number(seed, N_("a seed is a whole number, not {value}"))
    if games < 1:
        raise Invalid("play at least one game, not {n}", n=games)
    names = [name.strip() for name in bots.split(",")] if isinstance(bots, str) else bots
    found = series(game, names, seed, options, deck)
    workers.places(on)
    folder = None if records is None else Path(records)
    played: dict[int, Played] = {}
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        kept = KeptFile(keep, found.told, Played)
        for one in kept.found:
            if one.number < games and (folder is None or _record(folder, one.number).exists()):
                played[one.number] = one
        missing = [number for number in range(games) if number not in played]
        collect(played, _play(found, missing, folder, on, kept), games, kept, progress)
    except OSError as reason:
        raise UnwrittenError(reason, Simulation(found, games, [*played.values()])) from reason
    return Simulation(found, games, [*played.values()])


def _play(
    found: Series, numbers: Sequence[int], folder: Path | None, on: str | int, kept: KeptFile[Played]
) -> Iterator[Played]:
    pieces = workers.batches(numbers, max(1, min(PIECE, len(numbers) // 16)))
    if folder is None:
        return arriving(workers.crew(partial(play, found), pieces, on), kept)
    return arriving(workers.crew(partial(play_recorded, found), pieces, on), kept, partial(_write, folder))


def _write(folder: Path, told: tuple[Played, str]) -> Played:
    """Write the record as a whole, so that a full disk leaves no incomplete one. Returns its game."""
    one, text = told
    file = _record(folder, one.number)
    part = file.with_suffix(".part")
    try:
        part.write_text(text, encoding="utf-8")
    except OSError:
        part.unlink(missing_ok=True)
        raise
    part.replace(file)
    return one


def _record(folder: Path, number: int) -> Path:
    return folder / f"{number:06}.json"
