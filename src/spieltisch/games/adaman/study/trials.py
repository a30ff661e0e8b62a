"""The commands `spieltisch study adaman …` with a hidden pile: the coach, its training, and how well
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
    """Learn the value of positions with a hidden pile from two million games with all decks. Takes minutes.

    Parameters
    ----------
    to
        File to write, updated after every part.
    seed
        Seed for the deals.

    """
    from spieltisch.games.adaman.study import learn as study

    return _learnt(study.learn(*_all_cards(), seed), to)


def teach(to: Path, *, seed: int = 6172) -> int:
    """Train the coach's judge on 140,000 games of the coach with all decks. Takes most of an hour.

    Parameters
    ----------
    to
        File to write, updated after every part.
    seed
        Seed for the deals.

    """
    from spieltisch.games.adaman.engine import value
    from spieltisch.games.adaman.study import teach as study

    return _learnt(study.teach(*_all_cards(), value.read(), seed), to)


def _all_cards() -> tuple[Any, int]:
    """The Worth of the deck with all cards, and the number of basic cards."""
    from spieltisch import makers
    from spieltisch.games.adaman.decktet import decktet, extras
    from spieltisch.games.adaman.engine.kernel import worth

    makers.compile_here("adaman")

    return worth(decktet(extras())), len(decktet().cards)


def _learnt(parts: Iterator[tuple[int, float, Any]], to: Path) -> int:
    """Report the progress of training, and write the net after each part. Returns the exit status."""
    from spieltisch.games.adaman.engine import value
    from spieltisch.study.figures import percent

    require_writable(to)
    try:
        for played, won, net in parts:
            share = percent(won, system_language(), 2)
            said = _("games played: {n}; {share} of the latest were won", n=played, share=share)
            print(said, file=sys.stderr, flush=True)
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
    """Let the coach play deals with a hidden pile: how many it wins, and how long it thinks. Ctrl-C prints the results
    so far. With --keep, the same command continues from there, also with more deals.

    Parameters
    ----------
    deals
        Number of deals.
    first
        Number of the first deal.
    seed
        Seed for the deals, as for `winnable`.
    deck
        Deck, as for `winnable`.
    games
        Games the coach plays out for each choice; with 0 the learnt judge decides alone.
    known
        File that `winnable` kept of these deals, to count how many winnable ones were lost.
    on
        Where to play: processes:N, or dask://HOST:PORT for a Dask cluster.
    keep
        File that keeps each deal. Deals in it are not played again.

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
    """Compute an upper bound: how many deals the best player can win without knowing the pile. Ctrl-C prints the
    results so far. With --keep, the same command continues from there, also with more deals.

    Parameters
    ----------
    deals
        Number of deals.
    first
        Number of the first deal.
    seed
        Seed for the deals, as for `winnable`.
    deck
        Deck, as for `winnable`.
    piles
        Piles drawn for each position. More piles make the bound lower, and so do more tries.
    tries
        Tries per deal. A try is a move in a pile.
    known
        File that `winnable` kept of such deals. The bound starts from its share of winnable deals.
    on
        Where to compute it: processes:N, or dask://HOST:PORT for a Dask cluster.
    keep
        File that keeps each deal. Deals in it are not computed again.
    as_csv
        Write the cost of each deal to this file, a line per deal (- for standard output).

    """
    from spieltisch import makers
    from spieltisch.games.adaman.study import bound as study

    require_writable(as_csv, used=(keep, known))
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
    """The results of a command for these deals, or of those done by Ctrl-C; the known letters; the exit status. Leaves
    with status 1 after a refusal or a file error.
    """
    from spieltisch.games.adaman.study import known as letters

    name = f"study adaman {command}"
    try:
        solved = None if known is None else letters.read(known, {"deck": about.preset, "seed": about.seed})
        found = run(about, numbers, on, keep)
    except (Refused, OSError) as wrong:
        sys.exit(refuse(name, wrong, keep or known))
    whole = len(found) == len(numbers)
    return found, solved, 0 if whole else stopped(name, len(found), len(numbers), keep=keep, deals=True)
