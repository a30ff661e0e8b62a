"""What is played: who meets whom, on which seats, with which cards.

On every deal all groups of players meet that a table of that size can have, and each group once for each seat: so
everybody sits on every seat equally often, with the same cards. From deal to deal the circle is turned round, so
nobody always sits behind the same player.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from os import PathLike
from typing import SupportsIndex

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spieltisch import games, languages
from spieltisch.arena.address import endpoint, reach
from spieltisch.arena.player import Player, player
from spieltisch.decks.carried import Carried, library_of
from spieltisch.decks.things import in_play
from spieltisch.dice import FastDice
from spieltisch.game import HasCards, Invalid
from spieltisch.i18n import N_
from spieltisch.languages import DEFAULT
from spieltisch.options import real_number, required, texts, whole_number
from spieltisch.package import Package
from spieltisch.study.series import with_deck

MOST_A_DEAL = 100_000  # games


class Asking(Struct, frozen=True, omit_defaults=True):
    """How models are asked: in which language, with a list of all moves or without, on which hosts of others, and
    whether for the year of an event, too.
    """

    lang: str = DEFAULT
    listed: bool = False
    hosts: tuple[str, ...] = ()
    years: bool = False


class Placing(Struct, frozen=True):
    """Who sits where in a game: `players[i]`, a number in the contest, on seat i; and which deal they play."""

    number: int
    deal: int
    players: tuple[int, ...]


class Contest(Struct, frozen=True, dict=True, omit_defaults=True):
    """A round robin. `top` are the record's top keys (options, deck), `tables` the sizes of tables, ascending;
    `seconds` is the time a program has for an answer, `asking` how models are asked. It says nothing of how many deals:
    more can be played later.
    """

    game: str
    top: dict[str, object]
    players: tuple[Player, ...]
    tables: tuple[int, ...]
    seed: int
    seconds: float
    deck: Carried | None = None
    asking: Asking = Asking()

    @property
    def told(self) -> "Contest":
        """The contest without the cards of its deck, for results that people publish."""
        return self if self.deck is None else replace(self, deck=self.deck.told)

    @cached_property
    def _circles(self) -> list[tuple[int, ...]]:
        """The groups that meet on every deal."""
        everybody = range(len(self.players))
        return [group for size in self.tables for group in combinations(everybody, size)]

    @cached_property
    def per_deal(self) -> int:
        """How many games are played on each deal."""
        return sum(map(len, self._circles))

    def placings(self, deal: int) -> Iterator[Placing]:
        """The games of a deal."""
        number = deal * self.per_deal
        for group in self._circles:
            circle = group if deal % 2 == 0 else group[::-1]
            for turn in range(len(circle)):
                yield Placing(number, deal, circle[turn:] + circle[:turn])
                number += 1

    def loaded(self, size: int) -> tuple[Package, Struct, HasCards]:
        """The game, the options and the deck, at tables of this size."""
        return _loaded(msgspec.json.encode((self.game, self.top)), size, self.deck)

    def key(self, deal: int, size: int) -> bytes:
        """The seed of a deal at a table of this size: 16 bytes."""
        return hashlib.sha256(f"arena/{self.game}/{self.seed}/{deal}/{size}".encode()).digest()[:16]

    def own_seed(self, deal: int, size: int, seat: int) -> int:
        """What a player on this seat is told for its own chance."""
        return FastDice(self.key(deal, size) + bytes([seat])).below(1 << 31)


@lru_cache(16)
def _loaded(encoded: bytes, size: int, deck: Carried | None) -> tuple[Package, Struct, HasCards]:
    """Kept, since all games of a contest at tables of a size have the same."""
    name, top = msgspec.json.decode(encoded)
    package = games.package(name)
    return package, *package.record.load(top, size, library_of(deck))


def contest(
    game: str,
    players: Sequence[str],
    tables: Sequence[SupportsIndex] = (),
    seed: SupportsIndex = 1,
    options: dict[str, object] | None = None,
    seconds: float = 10.0,
    deck: str | PathLike[str] | None = None,
    asking: Asking = Asking(),  # noqa: B008
) -> Contest:
    """A contest that can be played, with the deck of this name or in this file; `tables` empty: of as few as can play.
    Invalid, with the reason, if it cannot.
    """
    package = games.package(game)
    named = texts(players, N_("name players in a list of texts, not {value}"))
    known = tuple(player(text, package) for text in named)
    if not known:
        raise Invalid("name at least one player")
    for name in (one.name for one in known):
        if [one.name for one in known].count(name) > 1:
            raise Invalid("two players are called {name}: rename one with NAME={name}", name=name)
    wrong = N_("table sizes are a list of whole numbers such as [2, 4], not {value}")
    given = required(tables, (list, tuple, range), wrong)
    sizes = tuple(sorted({whole_number(size, wrong) for size in given})) or (package.rules.seats[0],)
    seed = whole_number(seed, N_("a seed is a whole number, not {value}"))
    seconds = real_number(seconds, N_("seconds are a number, not {value}"))
    top, own = with_deck(package, options, deck)
    for size in sizes:
        package.require_seats(size)
        if size > len(known):
            raise Invalid("a table of {size} needs {size} players, not {n}", size=size, n=len(known))
        chosen, cards = package.record.load(top, size, library_of(own))
        package.rules.setup(size, chosen, in_play(cards))
    if not 0 < seconds <= 86_400:
        raise Invalid("give programs more than 0 and at most 86400 seconds for an answer, not {n}", n=seconds)
    languages.require(asking.lang)
    for one in known:
        if one.kind == "model" and (where := endpoint(one.command)) is not None:
            reach(where, asking.hosts)
    found = Contest(game, top, known, sizes, seed, seconds, own, asking)
    if found.per_deal > MOST_A_DEAL:
        raise Invalid("{n} games per deal are too many: name fewer players, or smaller tables", n=found.per_deal)
    return found
