"""What is played: a game with its seats, options and deck, what is known of its secrets, and where a game is left."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, get_args
from uuid import uuid4
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from spieltisch import games, match
from spieltisch.dice import Dice, FastDice, throw
from spieltisch.game import HasCards, Invalid, Outcome, PendingChance, View, aliased
from spieltisch.match import Cards
from spieltisch.package import Package
from spieltisch.study.environments import encoding, expressions
from spieltisch.study.environments.knowledge import NONE, Knowledge, Signals, read
from spieltisch.study.environments.offer import Numbering

CARDS = 60  # as many are played with at most, if nothing else is said: each is a signal, and a chance step
SURVEYED = 16  # games by which room is measured
LEAVE = 600  # actions after which a game is left, if nothing else is said

Legal = Callable[[View[Any, Any]], Sequence[Any]]
"""Lists what the seat of a view may do."""


class Narrowed(Struct, frozen=True):
    """What makes a game smaller. `offers`: only those of the legal actions are offered of which it is true (all, where
    it is true of none). `luck(state, due)` are the outcomes of a chance step, all equally likely (the state is None
    before the cards have their numbers); None: all that there are. `judge(public)` is what each seat wins when the
    game is left, by itself nothing.
    """

    offers: Callable[[Any], bool] | None = None
    luck: Callable[[Any, PendingChance], Sequence[Outcome] | None] | None = None
    judge: Callable[[Any], tuple[float, ...]] | None = None


class Setting:
    """What is played. All environments of it share this, and it never changes.

    `legal(view)` lists the actions that the seat of a view is offered; `numbered` says what an action's number means.
    """

    def __init__(
        self, package: Package, seats: int, options: Struct, deck: HasCards,
        knowledge: Knowledge = NONE, most: int = LEAVE, narrowed: Narrowed = Narrowed(),  # noqa: B008 - frozen
    ) -> None:  # fmt: skip
        """`most` actions are a whole game: then it is left."""
        self.package, self.rules, self.seats = package, (rules := package.rules), seats
        self.options, self.deck, self.knowledge, self.most, self.narrowed = options, deck, knowledge, most, narrowed
        self.legal: Legal = rules.legal if narrowed.offers is None else partial(_offered, rules.legal, narrowed.offers)
        self._secrets = package.beliefs.secrets(rules.setup(seats, options, deck).hidden)
        self.secrets = len(self._secrets)
        self._check_knowledge()
        heard = knowledge.heard or ((*range(self.secrets),),) * seats
        self.heard = [(seat, which) for seat, some in enumerate(heard) for which in some]
        shapes: tuple[Any, Any] = rules.Public, rules.Own  # Structs
        public, own = ({f.name: f.type for f in msgspec.structs.fields(part)} for part in shapes)
        self.news, self.own_news = _coder(public["news"]), _coder(own.get("news", tuple[int, ...]))
        self.deeds = _coder(self.rules.Action)
        self.kinds: tuple[Any, ...] = get_args(self.rules.Action) or (self.rules.Action,)  # types of Structs
        self._survey()
        self._name = uuid4().hex
        _KNOWN[self._name] = self

    def __reduce__(self) -> Any:
        given = (self.package.name, self.seats, self.options, self.deck, self.knowledge, self.most)
        return _again, (self._name, given if self.narrowed == Narrowed() else None)

    @property
    def hides(self) -> bool:
        """Whether the game has secrets: then nobody knows which card has which number."""
        return self.secrets > 0

    def _check_knowledge(self) -> None:
        known = self.knowledge
        if known.sigma is None and known.table is None:
            return
        if not self.secrets:
            raise Invalid(
                "{game} hides nothing with these options, so there is nothing to know", game=self.package.name
            )
        if known.table is not None and [len(row) for row in known.table] != [self.secrets] * self.seats:
            raise Invalid(
                "a table of knowledge needs {seats} rows of {secrets} signals", seats=self.seats, secrets=self.secrets
            )

    def dealt(
        self, table: tuple[Signals, ...], order: tuple[int, ...], secrets: tuple[int, ...]
    ) -> tuple[Signals, ...]:
        """What a table tells each seat, where the deck's rows lie in this order and the secrets are these. A secret
        that goes with its card lies where the card lies; one that does not stays and names cards by their new numbers.
        """
        if secrets == tuple(self._secrets[row] for row in order):
            return tuple(tuple(row[card] for card in order) for row in table)
        now = dict(zip(self._secrets, secrets, strict=True))
        return tuple(tuple(None if told is None else now.get(told) for told in row) for row in table)

    def told(self, hidden: Any, dice: Dice) -> Signals:
        """What somebody is told of all secrets where this lies hidden; nothing where nobody is told anything."""
        known, beliefs = self.knowledge, self.package.beliefs
        if known.sigma is None:
            return ()
        secrets, chances = beliefs.secrets(hidden), known.chances()
        return tuple(beliefs.told(secrets, which, known.sigma, dice.choice(chances)) for which in range(len(secrets)))

    def started(self, public: Any) -> tuple[int, ...]:
        """What may be another thing from game to game of what all see before the cards are dealt, as numbers."""
        return tuple(_written(self.layout.public, public))

    def owned(self, own: Any) -> list[int]:
        """What a seat has for itself, as numbers."""
        return list(_written(self.layout.own, own))

    def __str__(self) -> str:
        """Without the table of who knows what, which stands in nobody's picture."""
        return f"{self.package.name}, {self.seats} seats, knowledge {str(self.knowledge).partition('/')[0]}"

    # -- room ------------------------------------------------------------------------------------------------

    def _survey(self) -> None:
        """How much room the fields and the kinds of actions need: half as much again as was ever seen, in games of
        players each of whom mostly prefers some kinds of actions to others. Of a kind of which more different actions
        were seen than that, as much as these, up to twice as much as was open at once.
        """
        from spieltisch.study.environments.episode import Episode  # noqa: PLC0415 - it plays settings

        rows: tuple[dict[str, tuple[Any, int]], dict[str, tuple[Any, int]]] = ({}, {})
        firsts: dict[tuple[int, str], Any] = {}
        varies: set[tuple[int, str]] = set()
        most: Counter[type] = Counter()  # open at once
        different: set[Any] = set()
        memory = 0
        self.layout = encoding.Layout({}, {}, 0)
        for seed in range(SURVEYED):
            episode, dice, taste = Episode(self, remembers=True), FastDice(seed), random.Random(seed)  # noqa: S311 - no secret
            prefer = {kind: taste.random() for kind in self.kinds}
            while True:
                while (due := episode.due()) is not None:
                    episode.resolve(throw(dice, due))
                for part, of in enumerate((episode.state.public, *episode.state.own)):
                    for name, kind, numbers in encoding.codes(of):
                        where = (min(part, 1), name)
                        _, size = rows[where[0]].get(name, (kind, 0))
                        rows[where[0]][name] = (kind, max(size, len(numbers)))
                        if firsts.setdefault(where, numbers) != numbers:
                            varies.add(where)
                seat = episode.seat
                if seat is None:
                    memory = max(memory, *(len(episode.memory(seat)) for seat in range(self.seats)), 0)
                    break
                legal = self.legal(episode.view)
                most |= Counter(map(type, legal))
                different.update(legal)
                best = max(map(type, legal), key=prefer.__getitem__)
                liked = [action for action in legal if type(action) is best] if dice.random() < 0.9 else legal
                episode.act(dice.choice(liked))
        public, own = (
            {
                name: (kind, size if size == 1 else size + size // 2 + 1)
                for name, (kind, size) in rows[part].items()
                if (part, name) in varies
            }
            for part in (0, 1)
        )
        told = self.secrets if self.knowledge != NONE else 0
        self.layout = encoding.Layout(public, own, told)
        self.memory = memory + memory // 2 + self.layout.size
        self.blocks: dict[type, tuple[int, int]] = {}
        self.actions, ever = 0, Counter(map(type, different))
        for kind in self.kinds:
            n = most[kind]
            size = 1 if not msgspec.structs.fields(kind) else max(4, min(2 * n, max(n + n // 2, ever[kind])))
            self.blocks[kind] = (self.actions, size)
            self.actions += size
        grouped = getattr(self.rules, "grouped", None)
        self.numbered = Numbering(self.blocks, self.actions, grouped is not None and grouped(self.options))


def setting(
    game: str,
    seats: int | None = None,
    *,
    deck: Cards = None,
    cards: int | None = None,
    knowledge: str | Knowledge = NONE,
    most: int = LEAVE,
    **options: object,
) -> Setting:
    """The setting of a game by its name; `seats`, `deck` and `options` as `spieltisch.new` takes them.

    `cards`: so many of the deck are played with, evenly chosen; by default 60 at most. Raises Invalid, saying what
    would be right.
    """
    if most < 1:
        raise Invalid("leave a game after 1 action or more, not {most}", most=most)
    new = match.new(game, seats, 0, deck, **options)
    known, found = read(knowledge), new.deck
    if cards is None and len(found.cards) > CARDS and new.package.beliefs.secrets(new.state.hidden):
        cards = CARDS
    if cards is not None:
        if not 1 <= cards <= len(found.cards):
            raise Invalid("the deck has {n} cards, not {cards}", n=len(found.cards), cards=cards)
        rows = [row * len(found.cards) // cards for row in range(cards)]
        found = aliased(found, rows)
    return Setting(new.package, new.seats, new.options, found, known, most)


_KNOWN: WeakValueDictionary[str, Setting] = WeakValueDictionary()
"""The settings of this process: OpenSpiel pickles states all the time, and to measure rooms takes a while."""


def _again(name: str, given: tuple[Any, ...] | None) -> Setting:
    """The setting that was pickled: the same one in this process, one like it in another. A game that was narrowed by
    functions stays in its process.
    """
    found = _KNOWN.get(name)
    if found is None and given is None:
        raise Invalid("another process cannot read a setting that functions made smaller")
    return found or Setting(games.package(given[0]), *given[1:])  # ty: ignore[not-subscriptable]


def _offered(legal: Legal, offers: Callable[[Any], bool], view: View[Any, Any]) -> Sequence[Struct]:
    """Those of the legal actions of which this is true; all, where it is true of none."""
    found = legal(view)
    return [action for action in found if offers(action)] or found


def _written(fields: Iterable[tuple[str, Any, Any]], part: Any) -> Iterator[int]:
    """The numbers of these fields of a part of a view, but for the news."""
    return chain.from_iterable(_coder(kind)(getattr(part, name)) for name, kind, _ in fields if name != "news")


def _coder(kind: Any) -> expressions.Coder:
    """How this is written; words and nothing else, as nothing."""
    return expressions.coder(kind) or (lambda _: [])
