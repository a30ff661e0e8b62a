"""What language models did in a contest: how sure they were and might have been, what they bluffed, what it cost."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from spieltisch.arena.contest import Contest
from spieltisch.arena.model import Exchange, total
from spieltisch.arena.play import Played
from spieltisch.arena.rating import share_of
from spieltisch.decks.findings import message, say
from spieltisch.package import Judged
from spieltisch.study.figures import Mean, clustered, number, percent, share, spread
from spieltisch.sure import Claim, brier

WIDTH = 20  # per cent: the width of a class of stated chances


class Class(Struct, frozen=True):
    """Stated chances from `least` to `most` per cent: their mean, and how often it was so, both from 0 to 1."""

    least: int
    most: int
    said: float
    right: Mean


class Report(Struct, frozen=True):
    """What a model did. Shares go from 0 to 1, each with its 95 % interval. The intervals allow for moves of one game
    depending on each other.

    `moves` were asked for, `again` twice, and `defaults` of them were played by the game: after `ghosts` (impossible
    moves) and `unread` answers, or `late` ones. `brier` is the mean square of stated chances from the truth, 0.25 for
    always 50 %; `classes` has stated and true chances for each fifth of the scale. `bluffs` are moves that others could
    doubt and that the model held to be less than 50 % likely right, `passed` the share that nobody doubted. `caught`
    is the share of its `doubts` that were right, `gain` what a doubt brought in winning, -1 to 1, beside the choice of
    our usual bot: bots play each on eight times, with the same cards. `ordered` is the share of other cards in the
    chain with which a laid card is in a right order. `off` is by which share of its age the year of an event is guessed
    wrong: the root of the mean square, over events at least 50 years old. Tokens are None if the model counts none.
    """

    player: str
    moves: int
    again: int
    defaults: int
    ghosts: int
    unread: int
    late: int
    brier: Mean
    classes: tuple[Class, ...]
    bluffs: Mean
    passed: Mean
    doubts: Mean
    caught: Mean
    gain: Mean
    ordered: Mean
    off: Mean
    asked: int | None
    said: int | None
    seconds: float


def reports(contest: Contest, played: Iterable[Played]) -> list[Report]:
    """A report for each model of a contest."""
    games: dict[int, list[list[Exchange]]] = defaultdict(list)
    for one in played:
        for seat, player in enumerate(one.players):
            if own := [each for each in one.exchanges if each.seat == seat]:
                games[player].append(own)
    return [_report(contest.players[n].name, games[n]) for n in sorted(games)]


class _Move(NamedTuple):
    one: Exchange
    told: Judged


def _report(name: str, games: Sequence[Sequence[Exchange]]) -> Report:
    each = [one for game in games for one in game]
    judged = [[_Move(one, one.judged) for one in game if one.judged is not None] for game in games]
    own = [[move for move in game if not move.one.default] for game in judged]
    laid = [[move for move in game if not (move.told.doubts or move.told.answers)] for game in own]
    return Report(
        name,
        len(each),
        sum(len(one.reasons) > 0 for one in each),
        sum(one.default for one in each),
        sum(one.ghosts for one in each),
        sum(one.unread for one in each),
        sum(one.late for one in each),
        _mean([[brier([claim]) for claim in game] for game in claims_of(games)], least=0.0),
        tuple(_classes(claims_of(games))),
        _share([[one.is_bluff for one, _ in game if one.can_pass] for game in own]),
        _share([[not one.doubted for one, _ in game if one.is_bluff and one.doubted is not None] for game in own]),
        _share([[told.doubts for _, told in game] for game in own]),
        _share([[not told.right for _, told in game if told.doubts] for game in own]),
        _mean([[one.gain for one, _ in game if one.gain is not None] for game in own]),
        _share([[told.ordered / told.pairs for _, told in game if told.pairs] for game in laid]),
        _off(each),
        total(one.asked for one in each),
        total(one.said for one in each),
        round(math.fsum(one.seconds for one in each), 3),
    )


def claims_of(games: Sequence[Sequence[Exchange]]) -> list[list[Claim]]:
    """The chances that were stated, game by game."""
    return [
        [Claim(one.chance, one.judged.right) for one in game if one.chance is not None and one.judged is not None]
        for game in games
    ]


def _mean(games: Sequence[Sequence[float]], least: float = -1.0) -> Mean:
    """A mean of values from `least` to 1. One game alone says nothing of how far off it may be."""
    some = [game for game in games if game]
    if len(some) > 1:
        found = clustered(some, shares=False)
        return Mean(found.mean, max(least, found.low), min(1.0, found.high), found.n)
    values = [value for game in some for value in game]
    return Mean(math.fsum(values) / max(1, len(values)), least, 1.0, len(values))


def _off(each: Iterable[Exchange]) -> Mean:
    """The root of the mean square. A model thinks the same of an event each time, so each event counts once."""
    events: dict[str, list[float]] = defaultdict(list)
    for one in each:
        if one.off is not None:
            events[one.dated].append(one.off**2)
    if not events:
        return Mean(0.0, 0.0, 0.0, 0)
    squares = clustered([[math.fsum(some) / len(some)] for some in events.values()], shares=False)
    if math.isinf(squares.high):
        return Mean(round(math.sqrt(squares.mean), 6), squares.low, squares.high, squares.n)
    return Mean(*(round(math.sqrt(max(0.0, x)), 6) for x in (squares.mean, squares.low, squares.high)), squares.n)


def _classes(games: Sequence[Sequence[Claim]]) -> Iterator[Class]:
    for least in range(0, 100, WIDTH):
        most = 100 if least + WIDTH == 100 else least + WIDTH - 1
        within = [[claim for claim in game if least <= claim.percent <= most] for game in games]
        said = [claim.percent for game in within for claim in game]
        if said:
            right = _share([[claim.right for claim in game] for game in within])
            yield Class(least, most, round(sum(said) / len(said) / 100, 4), right)


def _share(games: Sequence[Sequence[float]]) -> Mean:
    """A share, with an interval that allows for moves of one game hanging on each other."""
    return share_of([game for game in games if game])


def lines(found: Report, lang: str) -> list[str]:
    """A report as lines of text, in English or German."""
    told = [
        message(
            "{player}: {moves} moves, {again} asked twice, {defaults} by default"
            " ({ghosts} impossible moves, {unread} unreadable answers, {late} late)",
            player=found.player, moves=found.moves, again=found.again, defaults=found.defaults, ghosts=found.ghosts,
            unread=found.unread, late=found.late,
        )
    ]  # fmt: skip
    if found.brier.n:
        classes = ", ".join(
            f"{percent(one.said, lang)} → {percent(one.right.mean, lang)} ({one.right.n})" for one in found.classes
        )
        low, high = (number(value, lang, 3) for value in (found.brier.low, found.brier.high))
        said = number(found.brier.mean, lang, 3)
        told += [
            message("Brier {brier} ({low}–{high}), 0.25 for always 50%", brier=said, low=low, high=high),
            message("stated and true chances (moves): {classes}", classes=classes),
        ]
    if found.bluffs.n:
        told.append(message("bluffs: {share} of the moves that could be one", share=share(found.bluffs, lang)))
    if found.passed.n:
        told.append(message("bluffs that nobody doubted: {share}", share=share(found.passed, lang)))
    if found.caught.n:
        told.append(message("doubts: {n}, right {share}", n=found.caught.n, share=share(found.caught, lang)))
        points = Mean(*(100 * value for value in (found.gain.mean, found.gain.low, found.gain.high)), found.gain.n)
        told.append(message("a doubt brought {points} points of winning, beside our bot", points=spread(points, lang)))
    if found.ordered.n:
        told.append(message("pairs of cards in the right order: {share}", share=share(found.ordered, lang)))
    if found.off.n:
        told.append(
            message("years of {n} events: off by {share} of their age", n=found.off.n, share=share(found.off, lang))
        )
    seconds = number(found.seconds, lang, 1)
    if found.asked is not None and found.said is not None:
        used = message(
            "{asked} tokens asked, {said} answered, {seconds} seconds",
            asked=found.asked, said=found.said, seconds=seconds,
        )  # fmt: skip
    else:
        used = message("{seconds} seconds; the model counts no tokens", seconds=seconds)
    return [say(one, lang) for one in (*told, used)]
