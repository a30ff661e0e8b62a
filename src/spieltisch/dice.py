"""Chance. Rules have no generator: they say what is due, and the caller throws it with one of these dice.

`CommittedDice` are for tables: anybody can check every throw once the seed is shown. `FastDice` are for simulation,
search and bots, `ScriptedDice` for records and tests.
"""

import copy
import hashlib
import itertools
import random
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from spieltisch.game import (
    A,
    D,
    Faulty,
    Game,
    H,
    Invalid,
    K_contra,
    O,
    Outcome,
    P,
    PendingChance,
    Pick,
    Shuffle,
    State,
    X,
)
from spieltisch.game import Dice as Dice  # noqa: PLC0414 - it is looked for here

T = TypeVar("T")

LONGEST = 1_000
"""The most chance outcomes in a row. Rules that need more never come to a player."""


def throw(dice: Dice, due: PendingChance) -> Outcome:
    """The outcome of what is due."""
    return dice.shuffle(due.items) if isinstance(due, Shuffle) else dice.below(due.n)


def resolve(
    game: Game[X, D, P, O, H, A, K_contra], state: State[P, O, H], throw: Callable[[PendingChance], Outcome]
) -> tuple[State[P, O, H], tuple[tuple[PendingChance, Outcome], ...]]:
    """The state in which somebody is to act (or the game is over), and the chance outcomes before it. Raises Faulty for
    rules that return something else, or need chance again and again.
    """
    resolved: tuple[tuple[PendingChance, Outcome], ...] = ()
    for _ in range(LONGEST):
        if not isinstance(state, State):
            raise Faulty(
                "The rules of {game} have a fault: they return {value} instead of a State.",
                game=game.name, value=type(state).__name__,
            )  # fmt: skip
        if (chance := game.pending_chance(state)) is None:
            return state, resolved
        outcome = throw(chance)
        resolved += ((chance, outcome),)
        state = game.resolve_chance(state, outcome)
    raise endless(game.name)


def dues(pending: Callable[[], PendingChance | None], game: str, more: int = 0) -> Iterator[PendingChance]:
    """What is due, as long as something is. Raises Faulty after `LONGEST` and `more` outcomes in a row."""
    for _ in range(LONGEST + more):
        if (chance := pending()) is None:
            return
        yield chance
    raise endless(game)


def endless(game: str) -> Faulty:
    """The error for a game that never comes to a player."""
    return Faulty("The rules of {game} have a fault: chance is pending again and again.", game=game)


def after(
    game: Game[X, D, P, O, H, A, K_contra], state: State[P, O, H], step: tuple[PendingChance | int, Outcome | A]
) -> State[P, O, H]:
    """The state after a step: an action of a seat, or a chance outcome."""
    who, what = step
    if isinstance(what, int | tuple):
        return game.resolve_chance(state, what)
    assert isinstance(who, int)
    return game.apply(state, who, what)


def check(due: PendingChance, outcome: object) -> Outcome:
    """The outcome, if it is possible. Raises Invalid with the reason if not."""
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
    """Fast and repeatable, not secret: a Mersenne twister.

    It throws what `random.Random` throws with this seed, without its detours: for a number below n, it draws as many
    bits as n has until they are below n.
    """

    __slots__ = ("_bits", "random")

    def __init__(self, seed: int | str | bytes | None = None) -> None:
        self._hold(random.Random(seed))  # noqa: S311 - never at a table

    def _hold(self, twister: random.Random) -> None:
        self.random, self._bits = twister.random, twister.getrandbits

    # Otherwise copies would share bound methods, and with them the twister.
    def __getstate__(self) -> random.Random:
        return copy.copy(self.random.__self__)

    def __setstate__(self, twister: random.Random) -> None:
        self._hold(twister)

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1, each equally often. Raises ValueError if n is below 1."""
        if n < 1:
            raise ValueError(n)
        size = n.bit_length()
        while (thrown := self._bits(size)) >= n:
            pass
        return thrown

    def shuffle(self, items: Iterable[T], /) -> tuple[T, ...]:
        """The items in a random order, each equally often."""
        pile, bits = list(items), self._bits
        size = len(pile).bit_length()
        least = (1 << size >> 1) - 1  # the first place that needs this many bits
        for i in range(len(pile) - 1, 0, -1):
            if i < least:
                size, least = size - 1, least >> 1
            while (j := bits(size)) > i:
                pass
            pile[i], pile[j] = pile[j], pile[i]
        return tuple(pile)

    def choice(self, items: Sequence[T], /) -> T:
        """One of the items, each equally often. Raises IndexError without items."""
        n = len(items)
        if not n:
            raise IndexError("nothing to choose from")
        size = n.bit_length()
        while (thrown := self._bits(size)) >= n:
            pass
        return items[thrown]


class ScriptedDice:
    """Returns the given outcomes, in order."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self._outcomes = iter(outcomes)

    def throw(self, due: PendingChance) -> Outcome:
        """The next outcome, checked against what is due. Raises Invalid if none is left, or it is impossible."""
        try:
            outcome = next(self._outcomes)
        except StopIteration:
            raise Invalid("a chance outcome is due, but none is left") from None
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
            raise Invalid("a seed has 16 bytes, not {n}", n=len(seed))
        self._key = seed + stream.encode() + b"\0"

    def throw(self, due: PendingChance, number: int) -> Outcome:
        """The outcome of the throw with this number (from 0)."""
        words = len(due.items) if isinstance(due, Shuffle) else 1
        return throw(_Words(self._key + number.to_bytes(8, "big"), words), due)


class _Words:
    """The words of one throw, as dice. The probable number of words is made at once, which is quicker."""

    __slots__ = ("_words",)

    def __init__(self, key: bytes, likely: int) -> None:
        self._words = itertools.chain.from_iterable(_blocks(key, (likely + 3) // 4 or 1))

    def below(self, n: int, /) -> int:
        word = next(self._words)
        while word >= _ALL - _ALL % n:
            word = next(self._words)
        return word % n

    def random(self) -> float:
        return (next(self._words) >> 11) / (1 << 53)

    def shuffle(self, items: Iterable[T], /) -> tuple[T, ...]:
        pile, words = list(items), self._words
        for place, word in zip(range(len(pile) - 1, 0, -1), words, strict=False):
            while word >= _SURE and word >= _ALL - _ALL % (place + 1):
                word = next(words)  # noqa: PLW2901 - a word that would favour some numbers is thrown away
            other = word % (place + 1)
            pile[place], pile[other] = pile[other], pile[place]
        return tuple(pile)

    def choice(self, items: Sequence[T], /) -> T:
        return items[self.below(len(items))]


def _blocks(key: bytes, at_once: int) -> Iterator[tuple[int, ...]]:
    """An endless stream of words, computed this many blocks at a time."""
    for start in itertools.count(0, at_once):
        blocks = [hashlib.sha256(key + k.to_bytes(8, "big")).digest() for k in range(start, start + at_once)]
        yield struct.unpack(f">{4 * at_once}Q", b"".join(blocks))


_ALL = 1 << 64
_SURE = _ALL - (1 << 32)  # below it no word is rejected for a number up to 2 ** 32: a quick first check


def numbered(game: str, number: int) -> bytes:
    """The seed of a numbered deal. Anybody can compute it, so it is only for games for one."""
    return hashlib.sha256(f"spieltisch/{game}/{number}".encode()).digest()[:16]


def alias_order(seed: bytes, cards: int) -> tuple[int, ...]:
    """The order in which a table with this seed lays out the rows of its deck, so that numbers reveal nothing."""
    order = CommittedDice(seed, "alias").throw(Shuffle(tuple(range(cards))), 0)
    assert isinstance(order, tuple)
    return order


def numbered_pile(game: str, number: int, cards: int) -> tuple[int, ...]:
    """The shuffled deck of a numbered deal at a table, in the deck's own numbers, the top first."""
    seed = numbered(game, number)
    order, rows = alias_order(seed, cards), CommittedDice(seed, "deal").throw(Shuffle(tuple(range(cards))), 0)
    assert isinstance(rows, tuple)
    return tuple(order[row] for row in rows)


def seal(seed: bytes) -> str:
    """The public seal of a seed before the game is over: its SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()
