"""Whole games of bots against each other: the same seed gives the same games, however many processes play them."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from msgspec import Struct

from spieltisch import games
from spieltisch.bots.beliefs import beliefs_of
from spieltisch.decks.things import in_play
from spieltisch.defaults import DefaultBot
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import Invalid, Result, aliased, see

LONGEST = 20_000  # actions after which a game counts as unfinished
RANDOM, PLAIN = "random", "bot"


class Match(Struct, frozen=True):
    """What is played: a game, the record's top keys (options, deck), and who plays: a bot for every seat.

    Bots are named by their level; `bot` is the game's bot as it plays if nothing is chosen, `random` one
    without judgement. From game to game they move on by one seat, so that each sits everywhere as often.
    """

    game: str
    top: dict[str, Any]
    bots: tuple[str, ...]
    seed: int


class Played(Struct, frozen=True):
    """A game that was played. `bots[i]` is the number of the bot on seat i; `wins[i]` is seat i's part of the
    victory (a shared one is divided), None for all where the game did not end.
    """

    number: int
    bots: tuple[int, ...]
    wins: tuple[float, ...] | None
    scores: tuple[int, ...] | None
    actions: int
    end: str


def match(game: str, bots: Sequence[str], seed: int, options: dict[str, Any] | None = None) -> Match:
    """A match that can be played; Invalid, with the reason, if it cannot."""
    package = games.package(game)
    known = (*package.bot.levels, *((PLAIN,) if type(package.bot) is not DefaultBot else ()), RANDOM)
    for name in bots:
        if name not in known:
            raise Invalid("{game} has no bot {name}, only {known}", game=game, name=name, known=", ".join(known))
    top = dict(package.record.default)
    top["options"] = {**top["options"], **(options or {})}
    found = Match(game, top, tuple(bots), seed)
    package, options, deck = _loaded(found)
    package.rules.setup(len(found.bots), options, in_play(deck))
    return found


def _loaded(found: Match) -> tuple[games.GamePackage, Any, Any]:
    """The game, the options and the deck that a match names: the same for all its games."""
    package = games.package(found.game)
    package.require_seats(len(found.bots))
    return package, *package.record.load(found.top, len(found.bots))


def play(found: Match, numbers: Iterable[int]) -> list[Played]:
    """The games with these numbers."""
    package, options, deck = _loaded(found)
    return [one_game(found, number, package, options, deck) for number in numbers]


def one_game(
    found: Match,
    number: int,
    package: games.GamePackage,
    options: Any,
    deck: Any,
    watch: Callable[[Any], None] | None = None,
) -> Played:
    """The game with this number, of these options and this deck; `watch` is shown what is public after each action."""
    rules, n = package.rules, len(found.bots)
    key = hashlib.sha256(f"{found.seed}/{number}".encode()).digest()
    dice = FastDice(key)
    deck = in_play(deck, key[:16])
    deck = aliased(deck, dice.shuffle(range(len(deck.cards))))
    state = rules.setup(n, options, deck)
    bots = tuple((seat + number) % n for seat in range(n))
    players = [_player(package, found.bots[bot], state.hidden, key, bot, seat) for seat, bot in enumerate(bots)]
    actions, thrown = 0, partial(throw, dice)
    while actions < LONGEST:
        state, _ = resolve(rules, state, thrown)
        to_act = rules.to_act(state.public)
        if not to_act:
            break
        seat = dice.choice(to_act)
        view = see(state, seat)
        state = rules.apply(state, seat, players[seat](view, rules.legal(view)))
        actions += 1
        if watch is not None:
            watch(state.public)
    result = rules.result(state.public)
    if result is None:
        return Played(number, bots, None, None, actions, "unfinished")
    return Played(number, bots, _wins(result, n), result.scores, actions, result.end)


def _player(
    package: games.GamePackage, name: str, hidden: Any, key: bytes, bot: int, seat: int
) -> Callable[[Any, Any], Any]:
    """How this bot chooses. Its dice are its own, so the others' thinking changes nothing in it."""
    dice = FastDice(key + bot.to_bytes(2, "big"))
    if name == RANDOM:
        return lambda view, legal: DefaultBot().choose(view, legal, dice)
    choose, beliefs = package.bot.choose, beliefs_of(package, hidden, key, seat, "" if name == PLAIN else name)
    return lambda view, legal: choose(view, legal, dice, beliefs)


def _wins(result: Result, n: int) -> tuple[float, ...]:
    if result.ranking is None:
        return (float(result.end == "won"),) * n
    first = result.ranking[0]
    return tuple((seat in first) / len(first) for seat in range(n))


def simulate(found: Match, games_: int, jobs: int = 1, progress: Callable[[int], None] | None = None) -> list[Played]:
    """All games in their order; `progress` hears how many have been played."""
    played: list[Played] = []
    for some in _pieces(found, games_, jobs):
        played += some
        if progress is not None:
            progress(len(played))
    return played


def _pieces(found: Match, games_: int, jobs: int) -> Iterator[list[Played]]:
    size = max(1, min(20, games_ // (4 * jobs) or 1))
    pieces = [range(first, min(first + size, games_)) for first in range(0, games_, size)]
    if jobs == 1:
        for piece in pieces:
            yield play(found, piece)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(play, [found] * len(pieces), pieces)
