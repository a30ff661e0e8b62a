"""The command `spieltisch simulate`: many games of bots, and what comes of them."""

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from spieltisch.cli.output import progress, write


def simulate(
    game: str,
    *,
    bots: str,
    games: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000_000))] = 100,
    seed: int = 1,
    jobs: Annotated[int, Parameter(validator=Number(gte=1, lte=256))] = 1,
    options: str = "{}",
    as_json: Annotated[Path | None, Parameter(name="--json", allow_leading_hyphen=True)] = None,
    report: Path | None = None,
) -> int:
    """Let bots play many games: win rates, seat advantage and lengths with their 95 % intervals.

    The same seed gives the same games, and the same bytes of JSON, for any number of jobs.

    Parameters
    ----------
    game
        anno-domini, adaman, trailblaze, hic-haec-hoc, or a game of your own.
    bots
        One for every seat, separated by commas: a level (chronicler, grammaticus …), `bot` for the game's bot at
        its usual level, `random` for one without judgement. From game to game they move on by one seat.
    games
        How many games.
    seed
        Decides every card and every thought.
    jobs
        Processes that play at the same time.
    options
        The game's options as a record has them, as JSON: '{"mode": "assisted"}'.
    as_json
        Write the figures as JSON to this file (- for standard output).
    report
        Write a page with pictures to this file.

    """
    from spieltisch.game import Refused
    from spieltisch.study import figures
    from spieltisch.study import report as pages
    from spieltisch.study import simulate as study

    try:
        found = study.match(game, [name.strip() for name in bots.split(",")], seed, _options(options))
    except Refused as refused:
        print(f"spieltisch simulate: {refused}", file=sys.stderr)
        return 1
    with progress(games) as done:
        of = figures.of(found, study.simulate(found, games, jobs, done))
    if as_json is not None and write(as_json, msgspec.json.format(msgspec.json.encode(of), indent=1).decode() + "\n"):
        return 1
    if report is not None and write(report, pages.page(of, _command(game, bots, games, seed, options))):
        return 1
    if as_json is None or str(as_json) != "-":
        print(figures.as_text(of))
    return 0


def _options(text: str) -> dict[str, object]:
    from spieltisch.game import Invalid

    try:
        options = json.loads(text)
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise Invalid("options are a JSON object, such as {example}", example='{"mode": "assisted"}')
    return options


def _command(game: str, bots: str, games: int, seed: int, options: str) -> str:
    """The command that makes the same figures again."""
    more = [] if options == "{}" else ["--options", options]
    words = ["spieltisch", "simulate", game, "--bots", bots, "--games", str(games), "--seed", str(seed), *more]
    return shlex.join(words)
