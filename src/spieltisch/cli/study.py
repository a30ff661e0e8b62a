"""The commands `spieltisch study …`: studies of the games, and questions that bots answer by playing.

A game brings its own commands in the module `study.commands` of its package, as an `app`.
"""

from pathlib import Path
from typing import Literal

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

    require_writable(as_csv, picture)
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
