"""The command `spieltisch arena`: players of every kind in a round robin, rated."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from spieltisch.cli.output import (
    CsvFile,
    JsonFile,
    On,
    Tag,
    json_options,
    refuse,
    require_writable,
    stopped,
    write,
)
from spieltisch.i18n import system_language
from spieltisch.languages import DEFAULT


def arena(
    game: str,
    players: Annotated[tuple[str, ...], Parameter(consume_multiple=True, negative=())] = (),
    *,
    tables: str = "",
    deals: Annotated[int, Parameter(validator=Number(gte=1, lte=1_000_000))] = 10,
    seed: int = 1,
    seconds: float = 10.0,
    on: On = "1",
    options: str = "{}",
    deck: str | None = None,
    keep: Path | None = None,
    as_csv: CsvFile | None = None,
    as_json: JsonFile | None = None,
    language: Tag = DEFAULT,
    list_moves: Annotated[bool, Parameter(negative=())] = False,
    ask_years: Annotated[bool, Parameter(negative=())] = False,
    model_host: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    max_questions: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    max_tokens: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    transcript: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
) -> int:
    """Play a round robin of bots, programs and language models, and rate them with 95 % intervals.

    Every group of players meets on every deal, and everyone takes every seat once. The same seed gives the same deals
    on every machine. Ctrl-C prints the results so far. With --keep, the same command continues from there.

    Parameters
    ----------
    game
        anno-domini, adaman, trailblaze, hic-haec-hoc, or a game of your own.
    players
        Levels of the game's bots, `bot` or `random`; `openspiel:random` or `openspiel:ismcts/N`; programs that speak
        JSON lines, `lines:COMMAND`, or play by HTTP, `http:COMMAND`. The address of the table is added to that command.
        Language models: `model:http://127.0.0.1:8080/v1#NAME` or `model:COMMAND`. `planted:error/15` proves the
        report: it knows dates that are off by 15 per cent of an event's age.
        `NAME=` in front gives a name. Programs run with your permissions.
    tables
        Players at a table: 2, or 2,4, or 2..4; as few as possible by default.
    deals
        Number of deals.
    seed
        Seed for the cards.
    seconds
        Seconds a program has for an answer before it forfeits the game, or a model before a move is made for it.
    on
        Where to play: processes:N, or dask://HOST:PORT for a Dask cluster.
    options
        The game's options in JSON, as in a record: '{"mode": "assisted"}'.
    deck
        Deck or file (CSV, XLSX, ODS); the game's usual deck by default.
    keep
        File that keeps each game as it ends. Games in it are not played again.
    as_csv
        Write a row for each player to this file (- for standard output).
    as_json
        Write the standings as JSON to this file (- for standard output).
    language
        Language in which models are asked.
    list_moves
        List all possible moves with each question to a model.
    ask_years
        Ask models for the year of one of the cards they have just got.
    model_host
        Host outside your own network that models may be asked on. It sees every question.
    max_questions
        Begin no new game after this many questions to models. Games under way, one a process, are finished.
    max_tokens
        Begin no new game after this many tokens of questions and answers, as the models count them.
    transcript
        Write what models were asked and answered to this file, as JSON lines (- for standard output).

    """
    from spieltisch.arena import standings as study
    from spieltisch.arena.contest import Asking
    from spieltisch.game import Refused

    require_writable(as_csv, as_json, transcript, used=(keep, deck))
    said, budget = None, study.Budget(max_questions, max_tokens)
    try:
        done = study.arena(
            game, players, deals, seed,
            tables=_sizes(tables), options=json_options(options), deck=deck, seconds=seconds, on=on,
            keep=keep,
            asking=Asking(language, list_moves, model_host, ask_years), budget=budget,
        )  # fmt: skip
    except Refused as refused:
        return refuse("arena", refused)
    except study.UnwrittenError as unwritten:
        done, said = unwritten.standings, unwritten.reason
    unfinished = (
        0
        if done.complete
        else stopped("arena", len(done.played), done.asked, said, keep, spent=budget.is_spent(done.played))
    )
    if not done.played:
        return unfinished
    status = 0
    if as_csv is not None:
        status |= write(as_csv, done.csv())
    if as_json is not None:
        status |= write(as_json, done.json())
    if transcript is not None:
        status |= write(transcript, done.transcript())
    if "-" not in {str(as_csv), str(as_json), str(transcript)}:
        print(done.summary(system_language()))
    return status or unfinished


def _sizes(text: str) -> list[int]:
    """The table sizes in a list such as 2,4 or 2..4. Raises Invalid, with what would be right, for any other text."""
    import re

    from spieltisch.game import Invalid

    found: list[int] = []
    for part in text.split(",") if text.strip() else ():
        match = re.fullmatch(r"\s*(\d{1,3})(?:\.\.(\d{1,3}))?\s*", part)
        if match is None:
            raise Invalid("{text} is not a table size: write 2, or 2,4, or 2..4", text=repr(text))
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    return found
