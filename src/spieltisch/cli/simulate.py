"""The command `spieltisch simulate`: many games of bots, and their figures."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from spieltisch.cli.output import Count, CsvFile, JsonFile, On, json_options, refuse, require_writable, stopped, write
from spieltisch.i18n import system_language

if TYPE_CHECKING:
    from spieltisch.study.simulation import Simulation


def simulate(
    game: str,
    *,
    bots: str,
    games: Count = 100,
    seed: int = 1,
    on: On = "1",
    options: str = "{}",
    deck: str | None = None,
    keep: Path | None = None,
    records: Path | None = None,
    as_csv: CsvFile | None = None,
    as_json: JsonFile | None = None,
    report: Path | None = None,
) -> int:
    """Let bots play many games: win rates, seat advantage and lengths, with 95 % intervals.

    The same seed gives the same games and the same files on every machine. Ctrl-C prints the results so far. With
    --keep, the same command continues from there.

    Parameters
    ----------
    game
        anno-domini, adaman, trailblaze, hic-haec-hoc, or a game of your own.
    bots
        One bot per seat, separated by commas: a level (chronicler, grammaticus, coach …), `bot` for the game's usual
        level, or `random`. They move on by one seat after each game.
    games
        Number of games.
    seed
        Seed for cards and bots.
    on
        Where to play: processes:N, or dask://HOST:PORT for a Dask cluster.
    options
        The game's options in JSON, as in a record: '{"mode": "assisted"}'.
    deck
        Deck or file (CSV, XLSX, ODS); the game's usual deck by default.
    keep
        File that keeps each game as it ends. Games in it are not played again.
    records
        Folder for the games' records, NUMBER.json.
    as_csv
        Write a row for each seat of each game to this file (- for standard output).
    as_json
        Write the figures as JSON to this file (- for standard output).
    report
        Write a page with charts to this file.

    """
    from spieltisch.game import Refused
    from spieltisch.study import simulation as study

    require_writable(as_csv, as_json, report, folder=records, used=(keep, deck))
    said = None
    try:
        done = study.simulate(
            game, bots, games, seed, options=json_options(options), deck=deck, on=on, keep=keep, records=records
        )
    except Refused as refused:
        return refuse("simulate", refused)
    except study.UnwrittenError as unwritten:
        done, said = unwritten.simulation, unwritten.reason
    unfinished = 0 if done.complete else stopped("simulate", len(done.played), games, said, keep)
    if not done.played:
        return unfinished
    return _tell(done, as_csv, as_json, report, _command(game, bots, games, seed, options, deck)) or unfinished


def _tell(done: "Simulation", as_csv: Path | None, as_json: Path | None, report: Path | None, command: str) -> int:
    """Write the results. Returns the exit status."""
    from spieltisch.study import report as pages

    of, status = done.figures, 0
    if as_csv is not None:
        status |= write(as_csv, done.rows.csv())
    if as_json is not None:
        status |= write(as_json, msgspec.json.format(msgspec.json.encode(of), indent=1).decode() + "\n")
    if report is not None:
        status |= write(report, pages.page(of, command, system_language()))
    if "-" not in {str(as_csv), str(as_json)}:
        print(done.summary(system_language()))
    return status


def _command(game: str, bots: str, games: int, seed: int, options: str, deck: str | None) -> str:
    """The command that computes the same figures again."""
    more = [] if options == "{}" else ["--options", options]
    more += [] if deck is None else ["--deck", deck]
    words = ["spieltisch", "simulate", game, "--bots", bots, "--games", str(games), "--seed", str(seed), *more]
    return shlex.join(words)
