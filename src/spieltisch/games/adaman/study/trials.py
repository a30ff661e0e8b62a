"""The commands `spieltisch study adaman …` in which the pile is hidden: the coach, what it learns, and how well
anybody can play.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

from cyclopts import Parameter
from cyclopts.validators import Number

from spieltisch.cli.output import Count, CsvFile, DealNumber, On, refuse, require_writable, stopped, unwritten, write
from spieltisch.game import Refused
from spieltisch.i18n import in_system_language as _
from spieltisch.i18n import system_language

T = TypeVar("T")


def learn(to: Path, *, seed: int = 6172) -> int:
    """Learn what positions with a hidden pile are worth, by playing two million games with all decks. Takes minutes.

    Parameters
    ----------
    to
        File to write, after every part anew.
    seed
        Decides the deals.

    """
    from spieltisch.games.adaman.study import learn as study

    return _learnt(study.learn(*_all_cards(), seed), to)


def teach(to: Path, *, seed: int = 6172) -> int:
    """Teach the coach's judge, by what the coach finds in 140,000 games with all decks. Takes most of an hour.

    Parameters
    ----------
    to
        File to write, after every part anew.
    seed
        Decides the deals.

    """
    from spieltisch.games.adaman.engine import value
    from spieltisch.games.adaman.study import teach as study

    return _learnt(study.teach(*_all_cards(), value.read(), seed), to)


def _all_cards() -> tuple[Any, int]:
    """The Worth of the deck with all cards, and how many of them are those of the basic deck."""
    from spieltisch import makers
    from spieltisch.games.adaman.decktet import decktet, extras
    from spieltisch.games.adaman.engine.kernel import worth

    makers.compile_here("adaman")

    return worth(decktet(extras())), len(decktet().cards)


def _learnt(parts: Iterator[tuple[int, float, Any]], to: Path) -> int:
    """Tells how the learning goes, and writes the net after each part; the exit status."""
    from spieltisch.games.adaman.engine import value
    from spieltisch.study.figures import percent

    require_writable(to)
    try:
        for played, won, net in parts:
            share = percent(won, system_language(), 2)
            print(_("{n} games; of the last ones {share} were won", n=played, share=share), file=sys.stderr, flush=True)
            value.write(net._asdict(), to)
    except OSError as error:
        print(unwritten(to, error), file=sys.stderr)
        return 1
    return 0


def coach(
    *,
    deals: Count = 1000,
    first: DealNumber = 0,
    seed: int = 1,
    deck: str = "basic",
    games: Annotated[int, Parameter(validator=Number(gte=0, lte=10_000_000))] = 3_000,
    known: Path | None = None,
    on: On = "1",
    keep: Path | None = None,
) -> int:
    """Let the coach play deals whose pile it does not know: how many it wins, and how long it thinks. Stopped by
    Ctrl-C it tells what it has so far; with --keep the same command goes on from there, and so does one with more
    deals.

    Parameters
    ----------
    deals
        How many deals.
    first
        The number of the first one.
    seed
        Decides the deals: those of `winnable`.
    deck
        Which cards are in play, as for `winnable`.
    games
        Begun for each choice; with 0 the learnt judge decides alone.
    known
        File that `winnable` has kept of these deals: then it is told how many that can be won were lost.
    on
        Where they are played: processes:N, or dask://HOST:PORT for a Dask cluster.
    keep
        File to which each deal is added at once; what stands there is not played again.

    """
    from spieltisch import makers
    from spieltisch.games.adaman.study import strength as study

    makers.compile_here("adaman")
    trial = study.Trial(seed, games, deck)
    found, solved, unfinished = _found("coach", study.run, trial, range(first, first + deals), on, keep, known)
    print(study.as_text(study.strength(trial, found, solved), system_language()))
    return unfinished


def bound(
    *,
    deals: Count = 100,
    first: DealNumber = 0,
    seed: int = 1,
    deck: str = "basic",
    piles: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000))] = 100,
    tries: Annotated[int, Parameter(validator=Number(gte=1, lte=100_000_000))] = 10_000,
    known: Path | None = None,
    on: On = "1",
    keep: Path | None = None,
    as_csv: CsvFile | None = None,
) -> int:
    """An upper bound: how many deals even the best player wins at most who does not know the pile. Stopped by Ctrl-C it
    tells what it has so far; with --keep the same command goes on from there, and so does one with more deals.

    Parameters
    ----------
    deals
        How many deals.
    first
        The number of the first one.
    seed
        Decides the deals: those of `winnable`.
    deck
        Which cards are in play, as for `winnable`.
    piles
        Drawn for each position; more of them make the bound lower, and so do more tries.
    tries
        For each deal, a try being a move in a pile.
    known
        File that `winnable` has kept of such deals: how many of them can be won is where the bound begins.
    on
        Where it is reckoned: processes:N, or dask://HOST:PORT for a Dask cluster.
    keep
        File to which each deal is added at once; what stands there is not reckoned again.
    as_csv
        Write what each deal costs, a line a deal, to this file (- for standard output).

    """
    from spieltisch import makers
    from spieltisch.games.adaman.study import bound as study

    require_writable(as_csv)
    makers.compile_here("adaman")
    task = study.Task(seed, piles, tries, deck)
    found, solved, unfinished = _found("bound", study.run, task, range(first, first + deals), on, keep, known)
    status = 0 if as_csv is None else write(as_csv, study.as_csv(found))
    if str(as_csv) != "-":
        print(study.as_text(study.bound(task, found, solved), system_language()))
    return status or unfinished


def _found(
    command: str,
    run: Callable[[Any, range, str, Path | None], list[T]],
    about: Any,
    numbers: range,
    on: str,
    keep: Path | None,
    known: Path | None,
) -> tuple[list[T], bytearray | None, int]:
    """What a command finds of these deals, by Ctrl-C if need be; the letters that are known of them; the exit status.
    Leaves with status 1 where something is refused or cannot be read or written.
    """
    from spieltisch.games.adaman.study import known as letters

    name = f"study adaman {command}"
    try:
        solved = None if known is None else letters.read(known, {"deck": about.preset, "seed": about.seed})
        found = run(about, numbers, on, keep)
    except (Refused, OSError) as wrong:
        sys.exit(refuse(name, wrong, keep or known, keep))
    whole = len(found) == len(numbers)
    return found, solved, 0 if whole else stopped(name, len(found), len(numbers), keep=keep, deals=True)
