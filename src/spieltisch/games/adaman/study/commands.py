"""The commands `spieltisch study adaman …`.

Exit status: 0, 1 where a file was refused, 2 for a wrong command line.
"""

import datetime as dt
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from cyclopts import App, Parameter
from cyclopts.validators import Number

from spieltisch.cli.output import (
    STANDARD_OUTPUT,
    Count,
    CsvFile,
    DealNumber,
    JsonFile,
    On,
    Output,
    reason,
    refuse,
    require_files,
    require_writable,
    stopped,
    write,
)
from spieltisch.game import Invalid, Refused
from spieltisch.games.adaman.study.trials import bound, coach, learn, teach
from spieltisch.i18n import common_catalog, system_language
from spieltisch.i18n import in_system_language as _
from spieltisch.progress import progress

if TYPE_CHECKING:
    from spieltisch.games.adaman.study.answers import Answer

T = TypeVar("T")

app = App(name="adaman", help="Adaman: solve deals and count how many can be won.")
for command in (bound, coach, learn, teach):
    app.command(command)

Preset = Literal["basic", "excuse", "extended", "easy", "hard"]
Seconds = Annotated[float, Parameter(validator=Number(gt=0, lte=86_400))]


@app.command
def solve(
    *files: str,
    number: str | None = None,
    deck: Preset = "basic",
    as_json: Annotated[bool, Parameter(name="--json", negative=())] = False,
    seconds: Seconds = 10.0,
    keep: Path | None = None,
    records: Path | None = None,
    on: On = "1",
) -> int:
    """Solve deals with the pile known: can they be won, how, and with what best score?

    Results are proven; null means the time limit was reached.

    Parameters
    ----------
    files
        Records of a shuffle or of a game whose deal to solve.
    number
        Deal numbers instead of files: 7, or 1..100, or 1..9,20.
    deck
        Deck for the deals with these numbers.
    as_json
        Print one JSON object per deal. Its line fits behind the shuffle in a record's log.
    seconds
        Processor seconds per deal.
    keep
        File that keeps each answer. Deals in it are not solved again.
    records
        Folder for records of these deals, each played along its line, NUMBER.json.
    on
        Where to solve them: processes:N, or dask://HOST:PORT for a Dask cluster.

    """
    if number is not None:
        if files:
            print("spieltisch study adaman solve:", _("name files or numbers, not both"), file=sys.stderr)
            return 2
        return _solve_numbers(number, deck, seconds, on, keep, records, as_json=as_json)
    from spieltisch import makers
    from spieltisch.games.adaman.study.answers import Answerer
    from spieltisch.record import parse

    require_files("study adaman solve", files)
    makers.compile_here("adaman")
    answerer, refused = Answerer(seconds), 0
    for file in files:
        try:
            found = answerer.answer(parse(Path(file).read_bytes()))
        except Exception as error:  # noqa: BLE001 - whatever is in a file, one line says what is wrong with it
            refused += 1
            print(f"{file}: {reason(error)}", file=sys.stderr)
            continue
        told = f"{file}: {_answered(found)}"
        if found.get("end") is not None:
            told += "; " + _("played: {end}, score {score}", end=found["end"], score=found["score"])
        print(json.dumps(found, ensure_ascii=False) if as_json else told, flush=True)
    return 1 if refused else 0


def _solve_numbers(
    number: str, deck: str, seconds: float, on: str, keep: Path | None, records: Path | None, *, as_json: bool
) -> int:
    import msgspec

    from spieltisch import makers, record
    from spieltisch.games.adaman.study import deals as study

    done = 0
    try:
        numbers = _numbers(number)
        makers.compile_here("adaman")
        if records is not None:
            records.mkdir(parents=True, exist_ok=True)
        solutions = study.solve_many(numbers, seconds, deck, on=on, keep=keep)
        for one in _tracked(solutions, len(numbers)):
            found = msgspec.to_builtins(one)
            if records is not None:
                text = record.text(one.match().record())
                (records / f"{one.number}.json").write_text(text, encoding="utf-8")
            told = _("deal {n}", n=one.number) + f": {_answered(found)}"
            print(json.dumps(found, ensure_ascii=False) if as_json else told, flush=True)
            done += 1
    except KeyboardInterrupt:
        stopped("study adaman solve", done, len(numbers), keep=keep, deals=True)
        return 130
    except (Refused, OSError) as wrong:
        return refuse("study adaman solve", wrong, keep or records)
    return 0


def _answered(found: "Answer") -> str:
    can = {True: _("can be won"), False: _("cannot be won"), None: _("not decided in time")}[found["winnable"]]
    best = "" if found["best"] is None else ", " + _("best score {n}", n=found["best"])
    moves = common_catalog(system_language()).counted("{n} move", "{n} moves", len(found["line"]))
    return f"{can}{best}; {moves}"


def _numbers(text: str) -> Sequence[int]:
    """The numbers in a list such as 1..9,20. Raises Invalid, with an example, for anything else."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,15})(?:\.\.(\d{1,15}))?\s*", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not first <= last < first + 10_000_000:
            raise Invalid("{text} names no deals: write 7, or 1..100, or 1..9,20", text=repr(text))
        found += range(first, last + 1)
    return found


@app.command
def winnable(
    *,
    deals: Count = 1000,
    seed: int = 1,
    deck: str = "basic",
    seconds: Seconds = 10.0,
    keep: Path | None = None,
    sample: DealNumber = 0,
    longer: Seconds = 100.0,
    on: On = "1",
    as_json: JsonFile | None = None,
    as_csv: CsvFile | None = None,
) -> int:
    """Count how many random deals can be won, with an interval. Ctrl-C prints the results so far.

    Parameters
    ----------
    deals
        Number of deals.
    seed
        Seed for the deals; the same on every machine.
    deck
        Deck: basic, excuse, extended, easy or hard, or cards to add to the basic deck, separated by commas:
        island,rite.
    seconds
        Processor seconds per deal. Undecided deals count both ways.
    keep
        File that keeps a letter per deal. Deals in it are not solved again.
    sample
        Number of undecided deals, drawn at random, to solve again as a sample.
    longer
        Processor seconds per deal of the sample.
    on
        Where to solve them: processes:N, or dask://HOST:PORT for a Dask cluster.
    as_json
        Write the figures as JSON to this file (- for standard output).
    as_csv
        Write the figures as a line of CSV to this file (- for standard output).

    """
    import msgspec

    from spieltisch import makers
    from spieltisch.games.adaman.study import winnable as study
    from spieltisch.games.adaman.study.known import Known

    require_writable(as_csv, as_json, used=(keep,))
    makers.compile_here("adaman")
    question, known, spent, status = study.Question(deck, seed, seconds), Known({}), [], 0

    def solved(limit: float, numbers: Sequence[int], size: int) -> None:
        for answer in _tracked(study.run(study.Question(deck, seed, limit), numbers, on, size), len(numbers)):
            known.add(answer.deal, answer.winnable)
            spent.append(answer.spent)

    try:
        known = Known(question.about, keep)
        solved(seconds, range(len(known.letters), deals), study.CHUNK)
        again = study.sample(seed, known.letters[:deals])[:sample]
        solved(longer, [number for number in again if known.letters[number] not in study.AGAIN], 1)
    except KeyboardInterrupt:
        if not known.letters:
            raise
    except (Refused, OSError) as wrong:
        status = refuse("study adaman winnable", wrong, keep)
        if not known.letters:
            return status
    finally:
        known.close()
    figures = study.figures(question, known.letters[:deals])
    if as_json is None and as_csv is None:
        print(study.as_text(figures, system_language(), spent))
    if as_csv is not None:
        status = write(as_csv, study.as_csv(figures)) or status
    if as_json is not None:
        status = write(as_json, msgspec.json.format(msgspec.json.encode(figures), indent=1).decode() + "\n") or status
    return status


@app.command
def daily(
    *,
    first: dt.datetime,
    days: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000))] = 365,
    to: Output = STANDARD_OUTPUT,
) -> int:
    """Write the file of daily deals, each proven winnable.

    Parameters
    ----------
    first
        First day, such as 2027-01-01.
    days
        Number of days.
    to
        File to write; printed by default.

    """
    from spieltisch import makers
    from spieltisch.games.adaman.study import daily as study

    makers.compile_here("adaman")
    text = "".join(f"{day.isoformat()} {number}\n" for day, number in study.deals(first.date(), days))
    return write(to, text)


@app.command
def payments(
    *,
    count: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000))] = 366,
    minutes: Annotated[float, Parameter(validator=Number(gt=0))] = 60.0,
    to: Output = STANDARD_OUTPUT,
) -> int:
    """Write the file of payments to find, each the clearly best one at its moment.

    Parameters
    ----------
    count
        Number of payments.
    minutes
        Processor minutes after which to stop; what was found by then is written.
    to
        File to write; printed by default.

    """
    from spieltisch import makers
    from spieltisch.games.adaman.payments import written
    from spieltisch.games.adaman.study import payments as study

    makers.compile_here("adaman")
    text = "".join(f"{written(one)}\n" for one in study.payments(count, minutes))
    return write(to, text)


def _tracked(results: Iterable[T], deals: int) -> Iterator[T]:
    """Pass the results on, and show progress in a bar."""
    with progress(deals) as done:
        for count, result in enumerate(results, 1):
            yield result
            done(count)
