"""A whole contest: its games are played here or anywhere and kept as they are played, and what comes of them."""

import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import SupportsIndex

import msgspec
from msgspec import Struct

from spieltisch.arena.contest import Asking, Contest, Placing, contest
from spieltisch.arena.play import Played, play
from spieltisch.arena.rating import points, ratings, shares
from spieltisch.arena.report import Report, reports
from spieltisch.arena.report import lines as told_of
from spieltisch.decks.findings import message, say
from spieltisch.game import Invalid
from spieltisch.i18n import N_, common_catalog
from spieltisch.languages import DEFAULT, require
from spieltisch.options import whole_number
from spieltisch.study import workers
from spieltisch.study.checkpoint import KeptFile, Progress, arriving, collect
from spieltisch.study.figures import Mean, number_of_deals, number_of_games, percent, share, spread
from spieltisch.study.frames import Rows

PIECE = 20  # games that a process gets at a time, at most


class Budget(Struct, frozen=True):
    """What a contest may cost: questions to models, and tokens of questions and answers together. None: anything."""

    questions: int | None = None
    tokens: int | None = None

    def is_spent(self, played: Iterable[Played]) -> bool:
        """Whether these games have cost as much."""
        each = [exchange for one in played for exchange in one.exchanges] if self != Budget() else []
        asked = sum(max(1, len(one.answers)) for one in each)
        tokens = sum((one.asked or 0) + (one.said or 0) for one in each)
        return (self.questions is not None and asked >= self.questions) or (
            self.tokens is not None and tokens >= self.tokens
        )


def _require_counted(found: Contest, played: Iterable[Played]) -> None:
    """Raise Invalid if a model has counted no tokens in a game."""
    for game in played:
        for seat, number in enumerate(game.players):
            player = found.players[number]
            each = [exchange for exchange in game.exchanges if exchange.seat == seat and exchange.answers]
            if player.kind == "model" and each and all((one.asked, one.said) == (None, None) for one in each):
                raise Invalid(
                    "{player} counts no tokens, so a budget of tokens cannot hold: limit the questions instead",
                    player=player.name,
                )


class UnwrittenError(Exception):
    """What was played could not be written down, and so no more was played. `standings` holds what there is."""

    def __init__(self, reason: OSError, standings: "Standings") -> None:
        self.reason, self.standings = reason, standings
        super().__init__(f"{reason.filename}: cannot be written: {reason.strerror or reason}")


class Row(Struct, frozen=True):
    """A player after a contest. `rating` is openskill's; `share` the part of victories from 0 to 1, beside what would
    be fair (None: alone); `points` those that the game gives; `forfeits` how many games it forfeited.
    """

    player: str
    kind: str
    command: str
    version: str
    machine: str
    games: int
    rating: Mean
    share: Mean
    fair: float | None
    points: Mean | None
    forfeits: int


class Standings:
    """What was played of a contest, and what comes of it. `str` of it is `summary()`.

    `asked` is how many games were to be played; `played` holds those that were, by their numbers.
    """

    def __init__(self, contest: Contest, asked: int, played: Sequence[Played]) -> None:
        self.contest, self.asked = contest, asked
        self.played = tuple(sorted(played, key=lambda one: one.number))

    @property
    def complete(self) -> bool:
        """Whether all games were played; not after Ctrl-C."""
        return len(self.played) == self.asked

    @cached_property
    def rows(self) -> list[Row]:
        """A row for each player, the highest rating first."""
        told = machine()
        games = Counter(n for one in self.played for n in one.players)
        forfeits = Counter(one.players[one.forfeit] for one in self.played if one.forfeit is not None)
        fair = [[1 / len(one.players) for one in self.played if n in one.players] for n in range(len(games))]
        figures = zip(
            ratings(self.contest, self.played), shares(self.contest, self.played), points(self.contest, self.played),
            strict=True,
        )  # fmt: skip
        rows = [
            Row(
                one.name, one.kind, one.command, one.version, told, games[n], rating, part,
                round(sum(fair[n]) / len(fair[n]), 6) if self.contest.tables[-1] > 1 and games[n] else None,
                scored, forfeits[n],
            )
            for n, (one, (rating, part, scored)) in enumerate(zip(self.contest.players, figures, strict=True))
        ]  # fmt: skip
        return sorted(rows, key=lambda row: -row.rating.mean)

    @property
    def forfeits(self) -> list[str]:
        """A sentence for each player and way in which games were forfeited."""
        return self._forfeits(DEFAULT)

    def _forfeits(self, lang: str) -> list[str]:
        why = Counter(
            (self.contest.players[one.players[one.forfeit]].name, one.why)
            for one in self.played
            if one.forfeit is not None
        )
        counted = common_catalog(lang).counted
        return [
            counted("{name} forfeited {n} game: {why}", "{name} forfeited {n} games: {why}", n, name=name, why=reason)
            for (name, reason), n in why.items()
        ]

    @cached_property
    def reports(self) -> list[Report]:
        """What each language model did, in the order of the players."""
        return reports(self.contest, self.played)

    def transcript(self) -> str:
        """What models were asked and answered, as JSON lines: what each was told once, then every move."""
        lines: list[object] = []
        if any(one.kind == "model" for one in self.contest.players):
            for size in self.contest.tables:
                package, options, _ = self.contest.loaded(size)
                told = package.prompt.rules(options, package.translator(self.contest.asking.lang))
                lines.append({"seats": size, "rules": told})
        for one in self.played:
            names = [self.contest.players[n].name for n in one.players]
            lines += [
                {"game": one.number, "deal": one.deal, "player": names[each.seat], **msgspec.to_builtins(each)}
                for each in one.exchanges
            ]
        return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)

    def summary(self, lang: str = DEFAULT) -> str:
        """The standings as a few lines of text, in the language of this tag. Raises Invalid for an unknown one."""
        require(lang)
        one, deals = self.contest, len({played.deal for played in self.played})
        at = say(message(" and "), lang).join(map(str, one.tables))
        head = message(
            "{game}: {games} on {deals}, tables of {at}, seed {seed}",
            game=one.game, games=number_of_games(len(self.played), lang),
            deals=number_of_deals(deals, lang), at=at, seed=one.seed,
        )  # fmt: skip
        lines = [say(head, lang)]
        for row in self.rows:
            told = [say(message("{player}: rating {rating}", player=row.player, rating=spread(row.rating, lang)), lang)]
            told.append(share(row.share, lang))
            if row.fair is not None:
                told[-1] += say(
                    message(" of the wins, a fair share would be {fair}", fair=percent(row.fair, lang, 1)), lang
                )
            if row.points is not None:
                told.append(say(message("points {points}", points=spread(row.points, lang)), lang))
            if row.forfeits:
                told.append(say(message("forfeited {n} of {all} games", n=row.forfeits, all=row.games), lang))
            lines.append("  " + "; ".join(told))
        lines += [f"  {sentence}" for sentence in self._forfeits(lang)]
        for report in self.reports:
            first, *others = told_of(report, lang)
            lines += [f"  {first}", *(f"    {sentence}" for sentence in others)]
        return "\n".join(lines)

    def csv(self) -> str:
        """The rows as CSV, intervals in columns of their own."""
        flat = [_flat(row) for row in self.rows]
        return Rows(tuple(flat[0]), [tuple(one.values()) for one in flat]).csv()

    def json(self) -> str:
        """Contest, rows and forfeits as JSON."""
        found = {
            "contest": self.contest.told, "games": len(self.played), "complete": self.complete,
            "rows": self.rows, "forfeits": self.forfeits,
        }  # fmt: skip
        if self.reports:
            found["models"] = self.reports
        return msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n"

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        part = "" if self.complete else f" of {self.asked}"
        return f"<Standings {self.contest.game}, {len(self.played)}{part} games, seed {self.contest.seed}>"


def arena(
    game: str,
    players: Sequence[str],
    deals: SupportsIndex = 10,
    seed: SupportsIndex = 1,
    *,
    tables: Sequence[SupportsIndex] = (),
    options: dict[str, object] | None = None,
    deck: str | Path | None = None,
    seconds: float = 10.0,
    on: str | int = 1,
    keep: str | Path | None = None,
    progress: Progress | None = None,
    asking: Asking = Asking(),  # noqa: B008
    budget: Budget = Budget(),  # noqa: B008
) -> Standings:
    """Let players meet in a round robin: each group of them on each of so many deals, everybody once on each seat.

    `players` are named as by `player`; `tables` are the sizes of tables, by default one of as few as can play. The same
    seed gives the same deals, and the same games wherever they are played, as long as programs do the same again: each
    is told a seed for its own chance. `deck` is the name of a deck or the path of a file (CSV, XLSX, ODS). `seconds` is
    the time that a program has for an answer. `on`, `keep` and `progress` are as for `study.simulate`.

    A program that cannot be started stops the contest. One that dies, gives no answer in time, or answers what is not
    legal forfeits its game: it comes last, and the others share the victory. Ctrl-C ends the contest early: `complete`
    is then False.

    Language models are asked as `asking` says. A model that is down stops the contest with DownError; what was played
    is kept. No new game begins once the `budget` is spent, while those under way are played to their end: `complete` is
    then False, too. A model that counts no tokens stops a contest with a budget of tokens.

    Raises Invalid, saying what would be right; UnwrittenError where a disk is full or a file cannot be written;
    LostError where workers die again and again; MissingExtraError for players that need more than is installed.
    """
    deals = whole_number(deals, N_("the number of deals is a whole number, not {value}"))
    if deals < 1:
        raise Invalid("play at least one deal, not {n}", n=deals)
    budget = _checked(budget)
    found = contest(game, players, tables, seed, options, seconds, deck, asking)
    workers.places(on)
    asked = deals * found.per_deal
    played: dict[int, Played] = {}
    try:
        kept = KeptFile(keep, found.told, Played)
        played |= {one.number: one for one in kept.found if one.number < asked}
        ahead = workers.AHEAD if budget == Budget() else 1
        crew = workers.crew(partial(play, found), _pieces(found, deals, played, budget), on, ahead)
        collect(played, arriving(crew, kept), asked, kept, progress)
    except OSError as reason:
        raise UnwrittenError(reason, Standings(found, asked, [*played.values()])) from reason
    return Standings(found, asked, [*played.values()])


def _checked(budget: Budget) -> Budget:
    """The budget, in whole numbers. Raises Invalid if one is less than 1."""
    limits: list[int | None] = []
    for given in (budget.questions, budget.tokens):
        limit = None if given is None else whole_number(given, N_("a budget is a whole number, not {value}"))
        if limit is not None and limit < 1:
            raise Invalid("a budget is 1 or more, not {n}", n=limit)
        limits.append(limit)
    return Budget(*limits)


def _pieces(found: Contest, deals: int, played: dict[int, Played], budget: Budget) -> Iterator[list[Placing]]:
    """The games that are to be played, a few at a time: of one deal, or fewer. `played` grows meanwhile. With models
    each game is a piece, since it costs much and may be the last for now.
    """
    size = 1 if any(one.kind == "model" for one in found.players) else PIECE
    for deal in range(deals):
        missing = [one for one in found.placings(deal) if one.number not in played]
        for first in range(0, len(missing), size):
            if budget.tokens is not None:
                _require_counted(found, played.values())
            if budget.is_spent(played.values()):
                return
            yield missing[first : first + size]


def machine() -> str:
    """On what the contest was held, in a line that names nobody."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {python}"


def _flat(row: Row) -> dict[str, object]:
    flat: dict[str, object] = {}
    for name in Row.__struct_fields__:
        value = getattr(row, name)
        if name in {"rating", "share", "points"}:
            flat[name] = None if value is None else value.mean
            flat |= {f"{name}_{end}": None if value is None else getattr(value, end) for end in ("low", "high")}
        else:
            flat[name] = value
    return flat
