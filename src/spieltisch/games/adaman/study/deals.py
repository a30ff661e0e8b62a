"""Numbered deals of Adaman for programs: dealt, solved with the pile known, and advised on without knowing it."""

import functools
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import SupportsIndex, cast

from msgspec import Struct

import spieltisch
from spieltisch import makers
from spieltisch.brief import Brief
from spieltisch.dice import FastDice
from spieltisch.game import Invalid, read
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.options import Options
from spieltisch.games.adaman.record import PRESETS
from spieltisch.games.adaman.state import Action, Hidden, Own, Public
from spieltisch.games.adaman.study.answers import Answerer
from spieltisch.i18n import N_
from spieltisch.match import Match
from spieltisch.options import real_number, required, whole_number
from spieltisch.study import workers
from spieltisch.study.checkpoint import KeptFile, arriving

Deal = Match[Options, Deck, Public, Own, Hidden, Action]
"""A match of Adaman."""
GAME = "adaman"
SECONDS = 10.0  # processor seconds for a deal


class Solution(Brief, frozen=True):
    """What the solver has proven about a deal with a known pile.

    `winnable` and `best`, the highest possible score, are None if the time was too short. `line` plays to the best end
    found, as entries of a record; `seconds` are processor seconds. A deal without a number has `number` 0 and `deck`
    "".
    """

    number: int
    deck: str
    winnable: bool | None
    best: int | None
    line: list[dict[str, object]]
    seconds: float

    def match(self) -> "Deal":
        """The deal played along the line, as a match. Raises Invalid for a deal without a number."""
        begun = deal(self.number, self.deck)
        raw = begun.record()
        raw["log"] = [*read(raw["log"], list[object]), *self.line]
        return cast("Deal", spieltisch.load(raw))


class Advice(Struct, frozen=True):
    """A move, and the win probability (0 to 1) if the coach plays on from it."""

    action: Action
    chance: float


def deal(number: SupportsIndex, deck: str = "basic") -> Deal:
    """The deal with this number, as a table deals it, ready to be played. `deck` is basic, excuse, extended, easy or
    hard.

    Raises Invalid for another deck, and for what is no number.
    """
    if deck not in PRESETS:
        raise Invalid("there is no deck {deck}, only {known}", deck=repr(deck), known=", ".join(PRESETS))
    return spieltisch.new(GAME, None, _number(number), None, **PRESETS[deck])


def _number(number: SupportsIndex) -> int:
    return whole_number(number, N_("a deal has a number, not {value}"))


def solve(deal_: SupportsIndex | Match, seconds: float = SECONDS, deck: str = "basic") -> Solution:
    """Solve a deal, given by its number or as a match. Of a match only the deal counts, not its moves.

    `seconds` are processor seconds, more than 0. Raises Invalid for a match of another game. Without the extra `study`,
    or while its solver compiles, a solver in plain Python decides less in the same time.
    """
    match = deal_ if isinstance(deal_, Match) else deal(deal_, deck)
    if match.package.name != GAME:
        raise Invalid("only Adaman can be solved, and this is {game}", game=match.package.name)
    seconds = real_number(seconds, N_("seconds are a number, not {value}"))
    if not 0 < seconds < float("inf"):
        raise Invalid("give the solver more than 0 seconds for a deal, not {n}", n=seconds)
    raw, answerer = match.record(), Answerer(seconds)
    raw["log"] = read(raw["log"], list[object])[:1]
    begun = time.process_time()
    found = answerer.answer(raw)
    spent = round(time.process_time() - begun, 3)
    assert isinstance(match.options, Options)
    extra = [*match.options.extra]
    named = [name for name, options in PRESETS.items() if options.get("extra", []) == extra]
    number, name = (match.seed, named[0]) if isinstance(match.seed, int) and named else (0, "")
    return Solution(number, name, found["winnable"], found["best"], found["line"], spent)


def solve_many(
    numbers: Iterable[SupportsIndex],
    seconds: float = SECONDS,
    deck: str = "basic",
    *,
    on: str | int = 1,
    keep: str | Path | None = None,
) -> Iterator[Solution]:
    """Solve the deals with these numbers. Yields their solutions in that order, each as soon as it is ready.

    `on` says where: a number of processes (also as "processes:N") or "dask://HOST:PORT". Each solution is appended to
    the file `keep` at once; deals in it are not solved again. Raises what `solve` raises, Invalid for an impossible
    place or a `keep` of another deck or time, OSError if `keep` cannot be written.
    """
    deal(0, deck)
    asked = [_number(number) for number in numbers]
    kept = KeptFile(keep, {"deck": deck, "seconds": seconds}, Solution)
    known = {one.number: one for one in kept.found}
    missing = [number for number in dict.fromkeys(asked) if number not in known]
    work = functools.partial(_solve_some, seconds=seconds, deck=deck)
    crew = workers.crew(work, workers.batches(missing, 1), on)
    return _in_order(asked, known, arriving(crew, kept))


def _solve_some(numbers: Sequence[int], seconds: float, deck: str) -> Iterator[Solution]:
    makers.read_here(GAME)
    for number in numbers:
        yield solve(number, seconds, deck)


def _in_order(asked: Iterable[int], known: dict[int, Solution], found: Iterator[Solution]) -> Iterator[Solution]:
    for number in asked:
        while number not in known:
            one = next(found)
            known[one.number] = one
        yield known[number]


def coach(match: Match, games: SupportsIndex | None = None, seed: SupportsIndex = 1) -> list[Advice]:
    """The coach's advice for the player to act, best move first; empty when the game is over. It does not know the
    pile.

    `games` is the number of playouts, 3,000 by default: about 27 ms of processor time. More playouts are more accurate.
    Without the extra `study`, or while its coach compiles, one in plain Python makes 600 in half a second. Raises
    Invalid for another game.
    """
    required(match, Match, N_("the coach is asked about a match, not about {value}"))
    if match.package.name != GAME:
        raise Invalid("the coach plays Adaman, and this is {game}", game=match.package.name)
    seed = whole_number(seed, N_("a seed is a whole number, not {value}"))
    games = None if games is None else whole_number(games, N_("the number of games is a whole number, not {value}"))
    if games is not None and games < 0:
        raise Invalid("simulate 0 games or more, not {n}", n=games)
    found = makers.module("adaman", "coach").coach().advise(match.view(0).public, FastDice(seed), games)
    return [Advice(one.action, one.chance) for one in found]
