"""What questions share: something is played by number, values are observed, and findings are their means.

Values of one game depend on each other, so a game counts as one observation in the intervals. The intervals of a table
hold jointly with 95 % (`figures.reach`), so reading many lines finds nothing more by chance.
"""

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from spieltisch.decks.findings import Message, message, say
from spieltisch.game import Invalid
from spieltisch.languages import DEFAULT, language
from spieltisch.study.checkpoint import gather
from spieltisch.study.figures import Mean, alone, clustered, number, ratio, share
from spieltisch.study.frames import Rows
from spieltisch.study.report import Picture, bars, drawn

PIECE = 5  # numbers that a process gets at a time
COLUMNS = ("table", "case", "unit", "games", "mean", "low", "high")

Unit = Literal["share", "difference", "points", "count"]
HEADS: Mapping[Unit, Message] = {
    "share": message("share"),
    "difference": message("percentage points"),
    "points": message("points"),
    "count": message("after so many"),
}
MANY = 1_000  # a count that reaches no further than this is "over 1,000"

Values = dict[str, dict[str, list[float]]]
"""Observed values, by table and case."""


class Words:
    """Translates titles and cases. Each is translated whole; those in `put_together` are translated by their parts."""

    def __init__(self, lang: str, put_together: Iterable[Message] = ()) -> None:
        self.lang = lang
        self._known = {str(one): one for one in put_together}

    def __call__(self, text: str) -> str:
        return say(self._known.get(text) or message(text), self.lang)


_ENGLISH = Words(DEFAULT)


class Table(Struct, frozen=True):
    """A table of findings: its title, its unit and its cases.

    Shares and differences are fractions of 1. Title and cases are in English, as in files; `Words` translates them.
    With `over`, each value is divided by the one observed under that title, and the share is that of the sums. By
    chance it may lie outside 0 and 1.
    """

    title: str
    unit: Unit
    cases: tuple[str, ...]
    over: str = ""


class Finding(Struct, frozen=True):
    """A line of a table: a mean and its 95 % confidence interval, as in `Mean`, from this many games."""

    table: str
    case: str
    unit: Unit
    games: int
    mean: float
    low: float
    high: float


class Observed(Struct, frozen=True):
    """The values observed in the game, or other experiment, of this number."""

    number: int
    values: Values


class Question(Struct, frozen=True):
    """A question. `play(seed, number)` returns what is observed; `games` is the usual number of games.

    `derive` adds findings that follow from others, `draw` makes a picture of them. `put_together` are titles and cases
    that contain values, as messages.
    """

    name: str
    asks: str
    games: int
    tables: tuple[Table, ...]
    play: Callable[[int, int], Values]
    draw: Callable[[Sequence[Finding], Words], Picture]
    derive: Callable[[Sequence[Finding]], Sequence[Finding]] = lambda _findings: ()
    put_together: tuple[Message, ...] = ()

    def words(self, lang: str) -> Words:
        """Return the translator of its titles and cases."""
        return Words(lang, self.put_together)


def observe(question: Question, games: int, seed: int, keep: Path | None = None, on: str | int = 1) -> list[Observed]:
    """Return what is observed in these games. After Ctrl-C, return the games played so far.

    `keep` is a checkpoint file: each game is appended, and games in it are not played again. `on` is as for `workers`.
    Raises Invalid for an unknown place or a `keep` file of another question, OSError if it cannot be written.
    """
    about = {"question": question.name, "seed": seed}
    return gather(partial(_observed, question.play, seed), range(games), PIECE, on, keep, about, Observed)


def _observed(play: Callable[[int, int], Values], seed: int, numbers: Sequence[int]) -> Iterator[Observed]:
    for one in numbers:
        yield Observed(one, play(seed, one))


def findings(question: Question, seen: Sequence[Observed]) -> list[Finding]:
    """Return the findings, table by table. Cases that never occurred are left out."""
    found = list(_means(question.tables, seen))
    return [*found, *question.derive(found)]


def _means(tables: Sequence[Table], seen: Sequence[Observed]) -> Iterator[Finding]:
    for table in tables:
        share = table.unit == "share"
        met = {case: groups for case in table.cases if (groups := list(_groups(seen, table.title, case)))}
        wholes = {case: [math.fsum(values) for values in _groups(seen, table.over, case)] for case in met}
        told = [case for case in met if not table.over or any(wholes[case])]  # what never varies has no parts
        for case in told:
            if table.over:
                parts = zip(map(math.fsum, met[case]), wholes[case], strict=True)
                mean = ratio(list(parts), shares=share, among=len(told))
            else:
                mean = clustered(met[case], shares=share, among=len(told))
            yield Finding(table.title, case, table.unit, mean.n, mean.mean, mean.low, mean.high)


def _groups(seen: Sequence[Observed], title: str, case: str) -> Iterator[list[float]]:
    """Yield the values of a case, game by game."""
    return (values for one in seen if (values := one.values.get(title, {}).get(case)))


def as_csv(found: Sequence[Finding]) -> str:
    """Return the findings as CSV."""
    rows = ((one.table, one.case, one.unit, one.games, one.mean, one.low, one.high) for one in found)
    return Rows(COLUMNS, rows).csv()


def read_csv(text: str) -> list[Finding]:
    """Return the findings from CSV that `as_csv` wrote. Raises Invalid for another table."""
    lines = csv.reader(io.StringIO(text))
    if tuple(next(lines, ())) != COLUMNS:
        raise Invalid("this is not a table of findings: the columns must be {columns}", columns=", ".join(COLUMNS))
    return [_finding(*line) for line in lines]


def _finding(table: str, case: str, unit: Any, games: str, *ends: str) -> Finding:
    return Finding(table, case, unit, int(games), *map(float, ends))


def as_text(found: Sequence[Finding], words: Words = _ENGLISH) -> str:
    """Return the findings as tables in Markdown."""
    lines: list[str] = []
    for title in dict.fromkeys(one.table for one in found):
        of = [one for one in found if one.table == title]
        games, unit = (say(head, words.lang) for head in (message("games"), HEADS[of[0].unit]))
        sure = say(message("95 %") if len(of) == 1 else message("95 % for all lines together"), words.lang)
        lines += ["", f"| {words(title)} | {games} | {unit} ({sure}) |", "| --- | --- | --- |"]
        lines += [f"| {words(one.case)} | {_whole(one.games, words.lang)} | {said(one, words.lang)} |" for one in of]
    return "\n".join(lines[1:])


def as_comparison(before: Sequence[Finding], after: Sequence[Finding], words: Words = _ENGLISH) -> str:
    """Both findings as tables in Markdown, line by line. A line whose intervals do not overlap ends with *."""
    old, new = ({(one.table, one.case): one for one in found} for found in (before, after))
    both, lines = list(old | new), list[str]()
    for title in dict.fromkeys(table for table, _ in both):
        head = (say(one, words.lang) for one in (message("as published"), message("played again")))
        lines += ["", f"| {words(title)} | {' | '.join(head)} | |", "| --- | --- | --- | --- |"]
        for key in (one for one in both if one[0] == title):
            was, now = old.get(key), new.get(key)
            apart = was and now and (now.low > was.high or now.high < was.low)
            told = " | ".join("–" if one is None else said(one, words.lang) for one in (was, now))
            lines.append(f"| {words(key[1])} | {told} | {'*' if apart else ''} |")
    return "\n".join(lines[1:])


def said(one: Finding, lang: str = DEFAULT) -> str:
    """Return the mean with its interval."""
    ends = (one.mean, one.low, one.high)
    if one.unit == "share":
        mean, low, high = (number(100 * end, lang).replace("-", "−") for end in ends)  # parts may come out below zero
        return alone(f"{mean} %", lang) if math.isinf(one.high) else f"{mean} % ({low}–{high})"
    if one.unit == "count":
        over = say(message("over {n}", n=_whole(MANY, lang)), lang)
        mean, low, high = (_whole(end, lang) if end <= MANY else over for end in ends)
    else:
        by, digits = (100, 1) if one.unit == "difference" else (1, 2)
        mean, low, high = (_signed(by * end, lang, digits) for end in ends)
        if math.isinf(one.high):
            return alone(mean, lang)
    return say(message("{mean} ({low} to {high})", mean=mean, low=low, high=high), lang)


def _signed(value: float, lang: str, digits: int) -> str:
    told = number(value, lang, digits)
    return told.replace("-", "−") if told.startswith("-") else f"+{told}"


def _whole(value: float, lang: str) -> str:
    return language(lang).number(value)


def shares(found: Sequence[Finding], title: str) -> list[tuple[str, Mean]]:
    """Return the rows of a table of shares, for bars."""
    return [(one.case, Mean(one.mean, one.low, one.high, one.games)) for one in found if one.table == title]


def bar_chart(caption: str, rows: Sequence[tuple[str, Mean]], fair: float | None, words: Words) -> Picture:
    """Return a picture of shares with their intervals; `fair` is where the line stands."""
    said = [(words(case), mean) for case, mean in rows]
    return drawn(words(caption), "bars", bars(said, fair, partial(share, lang=words.lang)))
