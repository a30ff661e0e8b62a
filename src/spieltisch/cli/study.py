"""The commands `spieltisch study …`: studies of the games, and questions that bots answer by playing.

A game brings its own commands in the module `study.commands` of its package, as an `app`.
"""

import datetime as dt
from pathlib import Path
from typing import Literal, get_args

from cyclopts import App

from spieltisch.cli.output import Count, CsvFile, On, refuse, require_writable, stopped, write
from spieltisch.games import modules_in, parts
from spieltisch.i18n import system_language

app = App(name="study", help="Solve games and answer questions about them.")
for part in parts("study.commands"):
    app.command(part.app)

Name = Literal[*modules_in("study.questions"), "skill"]  # ty: ignore[invalid-type-form] - games bring their own


@app.command(help="Answer a question about the games: let bots play.")
def answer(
    question: Name,
    *,
    games: Count | None = None,
    seed: int = 2026,
    on: On = "1",
    keep: Path | None = None,
    as_csv: CsvFile | None = None,
    picture: Path | None = None,
) -> int:
    """Answer a question about the games: let bots play and print tables with 95 % intervals.

    The same seed gives the same answer on every machine. Ctrl-C prints the results so far. With --keep, the same
    command continues from there, also with more games.

    Parameters
    ----------
    question
        ambiguity (hic – haec – hoc), stones (Trailblaze), doubt, seats, together (Anno Domini), skill (all four).
    games
        Number of games. Each is played in every way that is compared. By default as in the documentation.
    seed
        Seed for cards and bots.
    on
        Where to play: processes:N, or dask://HOST:PORT for a Dask cluster.
    keep
        File that keeps each game as it ends. Games in it are not played again.
    as_csv
        Write the tables to this file (- for standard output).
    picture
        Write a chart to this file, as SVG.

    """
    from spieltisch.game import Refused
    from spieltisch.study.questions import question as study
    from spieltisch.study.questions import question_of

    require_writable(as_csv, picture, used=(keep,))
    asked = question_of(question)
    wanted = asked.games if games is None else games
    try:
        seen = study.observe(asked, wanted, seed, keep, on)
    except (Refused, OSError) as wrong:
        return refuse(f"study answer {question}", wrong, keep)
    unfinished = 0 if len(seen) == wanted else stopped(f"study answer {question}", len(seen), wanted, keep=keep)
    found, words = study.findings(asked, seen), asked.words(system_language())
    status = 0
    if as_csv is not None:
        status |= write(as_csv, study.as_csv(found))
    if picture is not None:
        status |= write(picture, asked.draw(found, words).svg)
    if str(as_csv) != "-":
        print(words(asked.asks), study.as_text(found, words), sep="\n\n")
    return status or unfinished


@app.command(help="Play published answers again: each figure before and after.")
def compare(
    folder: Path,
    *questions: Name,
    games: Count | None = None,
    seed: int = 2026,
    on: On = "1",
) -> int:
    """Play published answers again and print each figure before and after.

    Use it after a change to what bots believe or how they choose. Lines whose intervals do not overlap end with *.

    Parameters
    ----------
    folder
        Folder with the answers as QUESTION.csv, such as docs/answers.
    questions
        Questions to answer. By default every one with a file in the folder.
    games
        Number of games. By default as in the documentation.
    seed
        Seed for cards and bots.
    on
        Where to play: processes:N, or dask://HOST:PORT for a Dask cluster.

    """
    from spieltisch.game import Invalid, Refused
    from spieltisch.study.questions import question as study
    from spieltisch.study.questions import question_of

    names = questions or tuple(name for name in get_args(Name) if (folder / f"{name}.csv").exists())
    if not names:
        return refuse("study compare", Invalid("{folder} has no answers (QUESTION.csv).", folder=str(folder)), folder)
    for name in names:
        asked = question_of(name)
        wanted, words = asked.games if games is None else games, asked.words(system_language())
        try:
            before = study.read_csv((folder / f"{name}.csv").read_text("utf-8"))
            seen = study.observe(asked, wanted, seed, on=on)
        except (Refused, OSError) as wrong:
            return refuse(f"study compare {name}", wrong, folder)
        print(
            words(asked.asks), study.as_comparison(before, study.findings(asked, seen), words), sep="\n\n", end="\n\n"
        )
        if len(seen) < wanted:
            return stopped(f"study compare {name}", len(seen), wanted)
    return 0


@app.command(help="Write data sets to publish, with their metadata.")
def data(
    *,
    to: Path,
    games: Count = 100,
    deals: Count = 1000,
    seed: int = 2026,
    known: Path | None = None,
    url: str = "",
    published: dt.date | None = None,
    on: On = "1",
) -> int:
    """Write data sets to publish: cards of the shipped decks, games of bots, deals that are solved.

    Each gets a folder with a table, a README and metadata in Croissant. The same seed gives the same tables.

    Parameters
    ----------
    to
        Folder for the folders.
    games
        Number of recorded games of each game.
    deals
        Number of solved deals.
    seed
        Seed for deals and bots.
    known
        File with results of deals (study adaman winnable --keep). Deals in it are not solved again.
    url
        Address where the folders will be published, for the metadata. Leave it out to try.
    published
        Day of publication, for the metadata.
    on
        Where to play and solve: processes:N, or dask://HOST:PORT for a Dask cluster.

    """
    from spieltisch.game import Refused
    from spieltisch.study import datasets

    require_writable(folder=to)
    try:
        for one in datasets.datasets(datasets.Wanted(games, deals, seed, on, known)):
            print(datasets.write(one, to, url, "" if published is None else published.isoformat()))
    except (Refused, OSError) as wrong:
        return refuse("study data", wrong, to)
    return 0
