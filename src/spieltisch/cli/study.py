"""The commands `spieltisch study …`: what is found out about the games.

Exit status: 0, 1 where a file was refused, 2 for a wrong command line.
"""

import datetime as dt
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from cyclopts import App, Parameter
from cyclopts.validators import Number

from spieltisch.cli.output import On, reason, refuse, require_files, write
from spieltisch.game import Refused
from spieltisch.progress import progress

T = TypeVar("T")

app = App(name="study", help="Solve games and find out about them.")
adaman = App(name="adaman", help="Adaman: solve deals, count how many can be won.")
app.command(adaman)

Seconds = Annotated[float, Parameter(validator=Number(gt=0, lte=86_400))]


@adaman.command
def solve(
    *files: str, as_json: Annotated[bool, Parameter(name="--json", negative=())] = False, seconds: Seconds = 10.0
) -> int:
    """Solve deals with the order of the pile known: can they be won, what is the best score, and how?

    What is printed is proven; where the time did not suffice it is null.

    Parameters
    ----------
    files
        Records that hold only the shuffle.
    as_json
        Print one JSON object a record. Its line can be put at the end of the record's log.
    seconds
        Processor time for a deal.

    """
    from spieltisch.record import parse
    from spieltisch.study.adaman.answers import Answerer

    require_files("study adaman solve", files)
    answerer, refused = Answerer(seconds), 0
    for file in files:
        try:
            found = answerer.answer(parse(Path(file).read_bytes()))
        except Exception as error:  # noqa: BLE001 - whatever is in a file, one line says what is wrong with it
            refused += 1
            print(f"{file}: {reason(error)}", file=sys.stderr)
            continue
        if as_json:
            print(json.dumps(found, ensure_ascii=False), flush=True)
            continue
        can = {True: "can be won", False: "cannot be won", None: "not decided in time"}[found["winnable"]]
        best = "" if found["best"] is None else f", best score {found['best']}"
        print(f"{file}: {can}{best}; {len(found['line'])} moves", flush=True)
    return 1 if refused else 0


@adaman.command
def winnable(
    *,
    deals: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000_000))] = 1000,
    seed: int = 1,
    deck: Literal["basic", "excuse", "extended", "easy", "hard"] = "basic",
    seconds: Seconds = 10.0,
    keep: Path | None = None,
    sample: Annotated[int, Parameter(validator=Number(gte=0))] = 0,
    longer: Seconds = 100.0,
    on: On = "1",
    as_json: Annotated[Path | None, Parameter(name="--json", allow_leading_hyphen=True)] = None,
) -> int:
    """Count how many random deals can be won, with the interval. Stopped by Ctrl-C it tells what it has so far.

    Parameters
    ----------
    deals
        How many deals.
    seed
        Decides the deals: the same wherever they are solved.
    deck
        Which cards are in play.
    seconds
        Processor time for a deal; the undecided count both ways.
    keep
        File with a line a deal, to which answers are added at once; what stands there is not solved again.
    sample
        So many of the undecided, drawn at random, are solved again and stand for all of them.
    longer
        Processor time for a deal of the sample.
    on
        Where they are solved: processes:N, or dask://HOST:PORT for a Dask cluster.
    as_json
        Write the figures as JSON to this file (- for standard output).

    """
    import msgspec

    from spieltisch.study.adaman import winnable as study
    from spieltisch.study.workers import LostError

    question, status = study.Question(deck, seed, seconds), 0
    kept = study.Kept({}, {})

    def solved(limit: float, numbers: Sequence[int], size: int) -> None:
        for answer in _tracked(study.run(study.Question(deck, seed, limit), numbers, on, size), len(numbers)):
            kept.add(answer)
            if keep is not None:
                with keep.open("ab") as file:
                    file.write(msgspec.json.encode(answer) + b"\n")

    try:
        if keep is not None:
            kept = study.read(keep, deals)
        solved(seconds, [number for number in range(deals) if number not in kept.first], study.CHUNK)
        solved(longer, [number for number in study.sample(seed, kept)[:sample] if number not in kept.again], 1)
    except KeyboardInterrupt:
        if not kept.first:
            raise
    except (Refused, LostError, OSError) as wrong:
        status = refuse("study adaman winnable", wrong, keep)
        if not kept.first:
            return status
    figures = study.figures(question, kept)
    if as_json is None:
        print(study.as_text(figures))
        return status
    text = msgspec.json.format(msgspec.json.encode(figures), indent=1).decode() + "\n"
    return write(as_json, text) or status


@adaman.command
def learn(to: Path, *, seed: int = 6172) -> int:
    """Learn what positions with a hidden pile are worth, by playing two million games. Takes minutes.

    Parameters
    ----------
    to
        File to write, after every part anew.
    seed
        Decides the deals.

    """
    from spieltisch.decks.decktet import decktet
    from spieltisch.games.adaman.engine import kernel, value
    from spieltisch.study.adaman import learn as study

    for played, won, learnt in study.learn(kernel.worth(decktet()), seed):
        print(f"{played} games; of the last ones {won:.2%} were won", file=sys.stderr, flush=True)
        try:
            value.write(learnt, to)
        except OSError as error:
            print(f"{to}: cannot be written: {error.strerror or error}", file=sys.stderr)
            return 1
    return 0


@adaman.command
def coach(
    *,
    deals: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000_000))] = 1000,
    first: int = 0,
    seed: int = 1,
    games: Annotated[int, Parameter(validator=Number(gte=0, lte=10_000_000))] = 3_000,
    known: Path | None = None,
    on: On = "1",
) -> int:
    """Let the coach play deals whose pile it does not know: how many it wins, and how long it thinks. Stopped by
    Ctrl-C it tells what it has so far.

    Parameters
    ----------
    deals
        How many deals.
    first
        The number of the first one.
    seed
        Decides the deals: those of `winnable`.
    games
        Begun for each choice; with 0 the learnt value decides alone.
    known
        File that `winnable` has kept of these deals: then it is told how many that can be won were lost.
    on
        Where they are played: processes:N, or dask://HOST:PORT for a Dask cluster.

    """
    from spieltisch.study.adaman import strength as study
    from spieltisch.study.adaman import winnable as winnables
    from spieltisch.study.workers import LostError

    trial = study.Trial(seed, games, first)
    try:
        kept = None if known is None else winnables.read(known, first + deals)
        found = _gathered(study.run(trial, deals, on), deals)
    except (Refused, LostError, OSError) as wrong:
        return refuse("study adaman coach", wrong, known)
    print(study.as_text(study.strength(trial, found, kept)))
    return 0


@adaman.command
def daily(
    *,
    first: dt.datetime,
    days: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000))] = 365,
    to: Path | None = None,
) -> int:
    """Make the file of the deals of the day, each proven to be winnable.

    Parameters
    ----------
    first
        The first day, such as 2027-01-01.
    days
        For how many days.
    to
        File to write; printed by default.

    """
    from spieltisch.study.adaman import daily as study

    text = "".join(f"{day.isoformat()} {number}\n" for day, number in study.deals(first.date(), days))
    if to is None:
        print(text, end="")
        return 0
    return write(to, text)


def _gathered(results: Iterable[T], deals: int) -> list[T]:
    """The results of so many deals, or of those done by Ctrl-C."""
    found: list[T] = []
    try:
        found.extend(_tracked(results, deals))  # what has come before Ctrl-C stays
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def _tracked(results: Iterable[T], deals: int) -> Iterator[T]:
    """The results, while a bar shows how many of the deals are done."""
    with progress(deals) as done:
        for count, result in enumerate(results, 1):
            yield result
            done(count)
