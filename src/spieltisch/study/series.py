"""Whole games of bots against each other: the same seed gives the same games, wherever they are played."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch import games, record
from spieltisch.bots import await_engine, beliefs_of
from spieltisch.decks.carried import Carried, library_of, named
from spieltisch.decks.things import in_play
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import GameView, HasCards, Invalid, Result, aliased, see
from spieltisch.package import Bot, Package

Choose = Callable[[GameView, Sequence[Struct]], Struct]
"""How a bot chooses: of what its seat sees, one of the legal actions."""

Habit = Callable[[Any, Sequence[Any], Any, Choose], Any]
"""What stands before a bot's choosing: it is given the view, the legal actions, what the bot believes, and how it would
choose; and says what is done.
"""

LONGEST = 20_000  # actions after which a game counts as unfinished
RANDOM, PLAIN = "random", "bot"
TAG = "simulated"  # of a record: "SEED/NUMBER", from which follow the bots' beliefs


class Series(Struct, frozen=True, omit_defaults=True):
    """What is played: a game, the record's top keys (options, deck), and who plays: a bot for every seat.
    `deck` has the cards of a deck that is not shipped.

    Bots are named by their level; `bot` is the game's bot as it plays if nothing is chosen, `random` one
    without judgement. From game to game they move on by one seat, so that each sits everywhere as often.
    """

    game: str
    top: dict[str, object]
    bots: tuple[str, ...]
    seed: int
    deck: Carried | None = None

    @property
    def told(self) -> "Series":
        """The series without the cards of its deck, for results that people publish."""
        return self if self.deck is None else replace(self, deck=self.deck.told)


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


class Again(Struct, frozen=True):
    """A deal that is played once more: bots sit `turn` seats on and take along what they believe, and the `attempt`
    throws other dice for their choices.
    """

    turn: int
    attempt: int


def load(found: Series) -> tuple[Package, Struct, HasCards]:
    """The game, the options and the deck that a series names: the same for all its games."""
    package = games.package(found.game)
    package.require_seats(len(found.bots))
    return package, *package.record.load(found.top, len(found.bots), library_of(found.deck))


def with_deck(
    package: Package, options: dict[str, object] | None, deck: str | PathLike[str] | None
) -> tuple[dict[str, object], Carried | None]:
    """The record's top keys with these options and the deck of this name or in this file; and its cards, if it is not
    shipped. Raises Invalid if there is no such deck for the game.
    """
    top = package.record.top(options or {})
    if deck is None:
        return top, None
    if package.choice is None:
        raise Invalid("{game} has its own cards and takes no deck.", game=package.name)
    name, own = named(deck, package.choice)
    return {**top, "deck": name}, own


def series(
    game: str,
    bots: Sequence[str],
    seed: int,
    options: dict[str, object] | None = None,
    deck: str | PathLike[str] | None = None,
) -> Series:
    """A series that can be played, with the deck of this name or in this file. Raises Invalid, with the reason, if it
    cannot.
    """
    package = games.package(game)
    known = (*package.bot.levels, *((PLAIN,) if type(package.bot) is not Bot else ()), RANDOM)
    for name in bots:
        if name not in known:
            raise Invalid("{game} has no bot {name}, only {known}", game=game, name=name, known=", ".join(known))
    top, own = with_deck(package, options, deck)
    found = Series(game, top, tuple(bots), seed, own)
    package, chosen, cards = load(found)
    package.rules.setup(len(found.bots), chosen, in_play(cards))
    return found


def play(found: Series, numbers: Iterable[int]) -> list[Played]:
    """The games with these numbers."""
    package, options, deck = load(found)
    return [one_game(found, number, package, options, deck) for number in numbers]


def play_recorded(found: Series, numbers: Iterable[int]) -> list[tuple[Played, str]]:
    """The games with these numbers, each with its record as text."""
    package, options, deck = load(found)
    told = []
    for number in numbers:
        steps: list[record.Step] = []
        played = one_game(found, number, package, options, deck, steps=steps)
        own, order, _ = _laid(_tag(found, number), deck)
        names = [found.bots[bot] for bot in played.bots]
        tags = {TAG: _tag(found, number)}
        told.append((played, record.text(record.write(package, options, own, order, names, steps, tags))))
    return told


def key_of(tag: str) -> bytes:
    """What decides the cards and the bots of a game, from the tag of its record: 32 bytes."""
    return hashlib.sha256(tag.encode()).digest()


def dealt(tag: str, package: Package, options: Struct, seats: int, recorded: HasCards) -> tuple[HasCards, Struct]:
    """The deck and the hidden part of a game before the deal, from the tag of its record. Its `recorded` cards tell
    dates alone; where they are those of the game's usual deck, all that is known of these is there again.
    """
    key = key_of(tag)
    usual = in_play(package.record.load(package.record.default, seats)[1], key[:16])
    same = {getattr(card, "id", card) for card in usual.cards} == {getattr(card, "id", card) for card in recorded.cards}
    deck = usual if same else recorded
    laid = aliased(deck, FastDice(key).shuffle(range(len(deck.cards))))
    return laid, package.rules.setup(seats, options, laid).hidden


def laid(found: Series, number: int, deck: HasCards) -> tuple[HasCards, Sequence[int]]:
    """The cards of the game with this number, and the order in which its rows are laid out."""
    return _laid(_tag(found, number), deck)[:2]


def _tag(found: Series, number: int) -> str:
    return f"{found.seed}/{number}"


def _laid(tag: str, deck: HasCards) -> tuple[HasCards, Sequence[int], FastDice]:
    """The cards of a game, the order in which its rows are laid out, and its dice, which have thrown that."""
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
    """The game with this number, of these options and this deck; `watch` is shown what is public after each action,
    `steps` gets what happened, `habits` stand before the choosing of the bots with these numbers. `again` plays the
    same deal in another way.
    """
    rules, n = package.rules, len(found.bots)
    key = key_of(_tag(found, number))
    deck, order, dice = _laid(_tag(found, number), deck)
    state = rules.setup(n, options, aliased(deck, order))
    turn, thrown_by = (number, key) if again is None else (again.turn, key + again.attempt.to_bytes(2, "big"))
    bots = tuple((seat + turn) % n for seat in range(n))
    had = habits or {}
    players = []
    for seat, bot in enumerate(bots):
        beliefs = _beliefs(package, found.bots[bot], state.hidden, key, seat if again is None else bot)
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


def _beliefs(package: Package, name: str, hidden: Struct, key: bytes, mind: int) -> object:
    return None if name == RANDOM else beliefs_of(package, hidden, key, mind, "" if name == PLAIN else name)


def _player(package: Package, name: str, beliefs: object, dice: FastDice, habit: Habit | None) -> Choose:
    """How this bot chooses. Its dice are its own, so the others' thinking changes nothing in it."""
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
