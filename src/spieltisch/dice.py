"""Chance. Rules know no generator: they say what is due, and the caller throws it with one of these.

`Sealed` for tables: anybody can check every throw once the seed is shown. `Quick` for simulation, search and
bots. `Scripted` for records and tests.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from spieltisch.game import Game, Invalid, Outcome, PendingChance, Pick, Shuffle, State

T = TypeVar("T")


class Dice(Protocol):
    """What search, bots and `imagine` may ask of chance."""

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1, each equally often."""
        ...

    def random(self) -> float:
        """A number in [0, 1)."""
        ...

    def shuffle(self, items: Iterable[T], /) -> tuple[T, ...]:
        """The items in an order, each equally often."""
        ...

    def choice(self, items: Sequence[T], /) -> T:
        """One of the items, each equally often."""
        ...


def throw(dice: Dice, due: PendingChance) -> Outcome:
    """The outcome of what is due."""
    return dice.shuffle(due.items) if isinstance(due, Shuffle) else dice.below(due.n)


def resolve(
    game: Game, state: State[Any, Any, Any], throw: Callable[[PendingChance], Outcome]
) -> tuple[State[Any, Any, Any], tuple[tuple[PendingChance, Outcome], ...]]:
    """The state in which somebody is to act (or the game is over), and the chance outcomes that led there."""
    resolved: list[tuple[PendingChance, Outcome]] = []
    while (chance := game.pending_chance(state)) is not None:
        outcome = throw(chance)
        resolved.append((chance, outcome))
        state = game.resolve_chance(state, outcome)
    return state, tuple(resolved)


def check(due: PendingChance, outcome: object) -> Outcome:
    """The outcome, if it is a possible one; Invalid with the reason if not."""
    if isinstance(due, Pick):
        if type(outcome) is not int or not 0 <= outcome < due.n:
            raise Invalid("the outcome is {outcome}, not a number from 0 to {last}", outcome=outcome, last=due.n - 1)
        return outcome
    if not isinstance(outcome, tuple):
        outcome = ()
    items = tuple(item for item in outcome if type(item) is int)
    if len(items) != len(outcome) or sorted(items) != sorted(due.items):
        raise Invalid("the outcome is not a permutation of the {n} cards to be shuffled", n=len(due.items))
    return items


class FastDice:
    """Fast and repeatable, not secret: a Mersenne twister."""

    __slots__ = ("_twister", "choice", "random")

    def __init__(self, seed: int | str | bytes | None = None) -> None:
        self._twister = random.Random(seed)  # noqa: S311 - never at a table
        self.random = self._twister.random
        self.choice = self._twister.choice

    def below(self, n: int, /) -> int:
        return self._twister.randrange(n)

    def shuffle(self, items: Iterable[T], /) -> tuple[T, ...]:
        pile = list(items)
        self._twister.shuffle(pile)
        return tuple(pile)


class ScriptedDice:
    """Says what it was told, in order."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self._outcomes = iter(outcomes)

    def throw(self, due: PendingChance) -> Outcome:
        """The next outcome, checked against what is due."""
        try:
            outcome = next(self._outcomes)
        except StopIteration:
            raise Invalid("a chance outcome is due, and no more are given") from None
        return check(due, outcome)


class CommittedDice:
    """Dice that can be checked afterwards (commit and reveal).

    `seed` is 16 bytes from the operating system. `seal`, its SHA-256, is shown when the table opens, the seed
    when the game is over. The n-th throw of a stream reads 64-bit words, big-endian, from the blocks
    SHA-256(seed ‖ stream ‖ 0 ‖ n as 8 bytes ‖ k as 8 bytes), k = 0, 1, …; a number below m is the first word
    under the greatest multiple of m that fits, modulo m (rejection); a shuffle is Fisher–Yates from the last
    place down. The n-th throw does not depend on the ones before, so a log can be continued after a restart,
    and a move taken back and made again meets the same outcome.
    """

    def __init__(self, seed: bytes, stream: str) -> None:
        if len(seed) != 16:
            raise Invalid("a seed has 16 bytes, this one {n}", n=len(seed))
        self._key = seed + stream.encode() + b"\0"

    def throw(self, due: PendingChance, number: int) -> Outcome:
        """The outcome of the throw with this number (from 0)."""
        return throw(_Words(self._key + number.to_bytes(8, "big")), due)


class _Words:
    """The words of one throw, as dice."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            digest = hashlib.sha256(self._key + self._block.to_bytes(8, "big")).digest()
            self._words = [int.from_bytes(digest[i : i + 8], "big") for i in (24, 16, 8, 0)]
            self._block += 1
        return self._words.pop()

    def below(self, n: int, /) -> int:
        limit = (1 << 64) - (1 << 64) % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def random(self) -> float:
        return (self._word() >> 11) / (1 << 53)

    def shuffle(self, items: Iterable[T], /) -> tuple[T, ...]:
        pile = list(items)
        for i in range(len(pile) - 1, 0, -1):
            j = self.below(i + 1)
            pile[i], pile[j] = pile[j], pile[i]
        return tuple(pile)

    def choice(self, items: Sequence[T], /) -> T:
        return items[self.below(len(items))]


def numbered(game: str, number: int) -> bytes:
    """The seed of a numbered deal. Anybody can work it out, so it is only for games that are played alone."""
    return hashlib.sha256(f"spieltisch/{game}/{number}".encode()).digest()[:16]


def alias_order(seed: bytes, cards: int) -> tuple[int, ...]:
    """The order in which a table with this seed lays out the rows of its deck, so that numbers tell nothing."""
    order = CommittedDice(seed, "alias").throw(Shuffle(tuple(range(cards))), 0)
    assert isinstance(order, tuple)
    return order


def numbered_pile(game: str, number: int, cards: int) -> tuple[int, ...]:
    """The shuffled deck of a numbered deal as a table lays it out, in the deck's own numbers, the top first."""
    seed = numbered(game, number)
    order, rows = alias_order(seed, cards), CommittedDice(seed, "deal").throw(Shuffle(tuple(range(cards))), 0)
    assert isinstance(rows, tuple)
    return tuple(order[row] for row in rows)


def seal(seed: bytes) -> str:
    """What is shown of a seed before the game is over: its SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()
