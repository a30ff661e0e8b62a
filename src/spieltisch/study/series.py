"""Whole games of bots against each other: the same seed gives the same games, wherever they are played."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike, fspath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch import games, record
from spieltisch.bots import await_engine, beliefs_of
from spieltisch.decks.carried import Carried, library_of, named
from spieltisch.decks.library import is_path
from spieltisch.decks.things import in_play
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import GameView, HasCards, Invalid, Result, aliased, see
from spieltisch.i18n import N_
from spieltisch.options import required, texts
from spieltisch.package import Bot, Package

Choose = Callable[[GameView, Sequence[Struct]], Struct]
"""How a bot chooses one of the legal actions, given what its seat sees."""

Habit = Callable[[Any, Sequence[Any], Any, Choose], Any]
"""Wraps a bot's choice: gets the view, the legal actions, the bot's beliefs and its usual choice; returns an action."""

LONGEST = 20_000  # actions after which a game counts as unfinished
RANDOM, PLAIN = "random", "bot"
TAG = "simulated"  # of a record: "SEED/NUMBER", from which follow the bots' beliefs


class Series(Struct, frozen=True, omit_defaults=True):
    """What is played: a game, the record's top keys (options, deck), and a bot for every seat.

    Bots are named by their level. `bot` is the game's bot at its usual level, `random` chooses at random. Bots move on
    by one seat from game to game, so that each sits everywhere equally often. `deck` has the cards of a deck that is
    not shipped.
    """

    game: str
    top: dict[str, object]
    bots: tuple[str, ...]
    seed: int
    deck: Carried | None = None

    @property
    def told(self) -> "Series":
        """Return the series without the cards of its deck, for published results."""
        return self if self.deck is None else replace(self, deck=self.deck.told)


class Played(Struct, frozen=True):
    """A game that was played.

    `bots[i]` is the index of the bot on seat i. `wins[i]` is seat i's part of the victory, which may be shared; None if
    the game did not end.
    """

    number: int
    bots: tuple[int, ...]
    wins: tuple[float, ...] | None
    scores: tuple[int, ...] | None
    actions: int
    end: str


class Again(Struct, frozen=True):
    """The same deal once more: bots sit `turn` seats further and keep their beliefs. `attempt` gives their choices
    other dice.
    """

    turn: int
    attempt: int


def load(found: Series) -> tuple[Package, Struct, HasCards]:
    """Return the game, options and deck of a series, which are the same for all its games."""
    package = games.package(found.game)
    package.require_seats(len(found.bots))
    return package, *package.record.load(found.top, len(found.bots), library_of(found.deck))


def with_deck(
    package: Package, options: dict[str, object] | None, deck: str | PathLike[str] | None
) -> tuple[dict[str, object], Carried | None]:
    """Return the record's top keys with these options and this deck, and its cards if it is not shipped.

    `deck` is a name or a file, as for `spieltisch.new`. Raises Invalid if the game has no such deck.
    """
    given = required(
        {} if options is None else options, dict, N_("options are a dict of names and values, not {value}")
    )
    top = package.record.top(given)
    if deck is None:
        return top, None
    required(deck, (str, PathLike), N_("a deck is a name or the path of a file, not {value}"))
    kind = package.decks
    if kind is None or not (kind.chosen or is_path(fspath(deck))):
        return {**top, "deck": fspath(deck)}, None  # what there is to choose, the game knows
    name, own = named(deck, kind.name)
    return {**top, "deck": name}, own


def series(
    game: str,
    bots: Sequence[str],
    seed: int,
    options: dict[str, object] | None = None,
    deck: str | PathLike[str] | None = None,
) -> Series:
    """Return a series that can be played; `deck` is a name or a file. Raises Invalid, with the reason, otherwise."""
    package = games.package(game)
    bots = texts(bots, N_("name a bot for each seat, in a list of texts, not {value}"))
    known = (*package.bot.levels, *((PLAIN,) if type(package.bot) is not Bot else ()), RANDOM)
    for name in bots:
        if name not in known:
            raise Invalid("{game} has no bot {name}, only {known}", game=game, name=name, known=", ".join(known))
    top, own = with_deck(package, options, deck)
    found = Series(game, top, tuple(bots), seed, own)
    package, chosen, cards = load(found)
    package.rules.setup(len(found.bots), chosen, in_play(cards))
    return found


def play(found: Series, numbers: Iterable[int]) -> Iterator[Played]:
    """Play the games with these numbers, and yield each as it ends."""
    package, options, deck = load(found)
    for number in numbers:
        yield one_game(found, number, package, options, deck)


def play_recorded(found: Series, numbers: Iterable[int]) -> Iterator[tuple[Played, str]]:
    """Play the games with these numbers, and yield each as it ends, with its record as text."""
    package, options, deck = load(found)
    for number in numbers:
        steps: list[record.Step] = []
        played = one_game(found, number, package, options, deck, steps=steps)
        own, order, _ = _laid(_tag(found, number), deck)
        names = [found.bots[bot] for bot in played.bots]
        tags = {TAG: _tag(found, number)}
        yield played, record.text(record.write(package, options, own, order, names, steps, tags))


def key_of(tag: str) -> bytes:
    """Return the 32 bytes that decide the cards and bots of a game, from the tag of its record."""
    return hashlib.sha256(tag.encode()).digest()


def dealt(tag: str, package: Package, options: Struct, seats: int, recorded: HasCards) -> tuple[HasCards, Struct]:
    """Return the deck and the hidden part of a game before the deal, from the tag of its record.

    `recorded` cards have dates only. If they are shipped, the deck is returned with all their texts.
    """
    deck = record.whole(package, options, recorded)
    laid = aliased(deck, FastDice(key_of(tag)).shuffle(range(len(deck.cards))))
    return laid, package.rules.setup(seats, options, laid).hidden


def laid(found: Series, number: int, deck: HasCards) -> tuple[HasCards, Sequence[int]]:
    """Return the cards of the game with this number, and the order in which its rows are laid out."""
    return _laid(_tag(found, number), deck)[:2]


def _tag(found: Series, number: int) -> str:
    return f"{found.seed}/{number}"


def _laid(tag: str, deck: HasCards) -> tuple[HasCards, Sequence[int], FastDice]:
    """Return the cards of a game, the order in which its rows are laid out, and its dice after that shuffle."""
    key = key_of(tag)
    dice = FastDice(key)
    deck = in_play(deck, key[:16])
    return deck, dice.shuffle(range(len(deck.cards))), dice


def one_game(
    found: Series,
    number: int,
    package: Package,
    options: Struct,
    deck: HasCards,
    watch: Callable[[Any], None] | None = None,
    steps: list[record.Step] | None = None,
    habits: Mapping[int, Habit] | None = None,
    again: Again | None = None,
) -> Played:
    """Play the game with this number, with these options and this deck.

    `watch` gets the public part after each action, `steps` collects the steps of the record. `habits` wrap the choices
    of the bots with these indices. `again` plays the same deal another way.
    """
    rules, n = package.rules, len(found.bots)
    key = key_of(_tag(found, number))
    deck, order, dice = _laid(_tag(found, number), deck)
    state = rules.setup(n, options, aliased(deck, order))
    turn, thrown_by = (number, key) if again is None else (again.turn, key + again.attempt.to_bytes(2, "big"))
    bots = tuple((seat + turn) % n for seat in range(n))
    had = habits or {}
    players, levels = [], [_level(package, found.bots[bot]) for bot in bots]
    for seat, bot in enumerate(bots):
        beliefs = _beliefs(package, found.bots[bot], state.hidden, key, seat if again is None else bot)
        if beliefs is not None:
            beliefs = package.beliefs.among(beliefs, levels)
        players.append(
            _player(package, found.bots[bot], beliefs, FastDice(thrown_by + bot.to_bytes(2, "big")), had.get(bot))
        )
    actions, thrown = 0, partial(throw, dice)
    while actions < LONGEST:
        state, resolved = resolve(rules, state, thrown)
        to_act = rules.to_act(state.public)
        if steps is not None:
            steps += resolved
        if not to_act:
            break
        seat = dice.choice(to_act)
        view = see(state, seat)
        action = players[seat](view, rules.legal(view))
        state = rules.apply(state, seat, action)
        actions += 1
        if steps is not None:
            steps.append((seat, action))
        if watch is not None:
            watch(state.public)
    result = rules.result(state.public)
    if result is None:
        return Played(number, bots, None, None, actions, "unfinished")
    return Played(number, bots, _wins(result, n), result.scores, actions, result.end)


def _level(package: Package, name: str) -> str:
    """The level of the bot of this name, "" without judgement."""
    return "" if name == RANDOM else package.level("" if name == PLAIN else name)


def _beliefs(package: Package, name: str, hidden: Struct, key: bytes, mind: int) -> object:
    return None if name == RANDOM else beliefs_of(package, hidden, key, mind, "" if name == PLAIN else name)


def _player(package: Package, name: str, beliefs: object, dice: FastDice, habit: Habit | None) -> Choose:
    """Return how this bot chooses. It has dice of its own, so the others' thinking changes nothing in it."""
    await_engine(package, name)
    thinker = Bot() if name == RANDOM else package.bot

    def choose(view: GameView, legal: Sequence[Struct]) -> Struct:
        return thinker.choose(view, legal, dice, beliefs)

    return choose if habit is None else lambda view, legal: habit(view, legal, beliefs, choose)


def _wins(result: Result, n: int) -> tuple[float, ...]:
    if result.ranking is None:
        return (float(result.end == "won"),) * n
    first = result.ranking[0]
    return tuple((seat in first) / len(first) for seat in range(n))
