"""What is played: a game with its seats, options and deck, what seats know of its secrets, and when it is left."""

import random
import warnings
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal, Self, SupportsIndex, get_args
from uuid import uuid4
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from spieltisch import match
from spieltisch.dice import Dice, FastDice
from spieltisch.game import HasCards, Invalid, Outcome, PendingChance, View, aliased
from spieltisch.i18n import N_
from spieltisch.match import Cards
from spieltisch.options import whole_number
from spieltisch.package import Block, GameLearning, Package
from spieltisch.study.environments import encoding, expressions
from spieltisch.study.environments.knowledge import NONE, Knowledge, Signals, read
from spieltisch.study.environments.offer import Meant, Numbering

CARDS = 60  # as many are played with at most, if nothing else is said: each is a signal, and a chance step
SURVEYED = 16  # games by which room is measured
LEAVE = 600  # actions after which a game is left, if nothing else is said
OLD = 0  # the version of environments in which actions are counted as the rules list them
GOES = "version 0 of {game} goes with Spieltisch 0.4.0, not before 1 March 2027: see docs/environments.md"

Reward = Literal["win", "score", "progress"]
"""What is paid: a win at the end, the score at the end, or each change of the score when it comes."""
Legal = Callable[[View[Any, Any]], Sequence[Any]]
"""Lists what the seat of a view may do."""


class Narrowed(Struct, frozen=True):
    """Restrictions that make a game smaller.

    `offers`: only legal actions for which it is true are offered, or all if there are none. `luck(state, due)` returns
    the equally likely outcomes of a chance step, or None for all; the state is None before the cards have their
    numbers. `judge(public)` returns what each seat wins when the game is left; by default nothing.
    """

    offers: Callable[[Any], bool] | None = None
    luck: Callable[[Any, PendingChance], Sequence[Outcome] | None] | None = None
    judge: Callable[[Any], tuple[float, ...]] | None = None


class Setting:
    """What is played. All environments of it share this, and it never changes.

    `legal(view)` lists the actions offered to the seat of a view. `numbered` gives the meanings of the actions'
    numbers.
    """

    def __init__(
        self, package: Package, seats: int, options: Struct, deck: HasCards,
        knowledge: Knowledge = NONE, most: int = LEAVE, narrowed: Narrowed = Narrowed(),  # noqa: B008 - frozen
        *, version: int | None = None, reward: Reward = "win",
    ) -> None:  # fmt: skip
        """A game is left after `most` actions. Raises Invalid for an unknown `version` of the environment (None is the
        current one) and for a `reward` that this game does not have.
        """
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
        self.version = package.learning.version if version is None else version
        if self.version not in (OLD, package.learning.version):
            raise Invalid(
                "{game} has the versions {old} and {now}, not {version}",
                game=package.name, old=OLD, now=package.learning.version, version=self.version,
            )  # fmt: skip
        told = self.secrets if knowledge != NONE else 0
        learning = package.learning(seats, options, deck, told)
        self.reward, self._share = reward, learning.share
        self._check_reward()
        self._layout: encoding.Layout | None = None
        self._memory = 0
        self.numbered: Meant | Numbering
        self._number(learning)
        self._name = uuid4().hex
        _KNOWN[self._name] = self

    def __copy__(self) -> Self:
        return self  # it never changes

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> Any:
        given = self.package, self.seats, self.options, self.deck, self.knowledge, self.most, self.version, self.reward
        return _again, (self._name, given if self.narrowed == Narrowed() else None)

    @property
    def hides(self) -> bool:
        """Whether the game has secrets. Then nobody knows which card has which number."""
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

    def _check_reward(self) -> None:
        game, reward = self.package.name, self.reward
        if reward not in get_args(Reward):
            raise Invalid("the reward is {known}, not {reward}", known=", ".join(get_args(Reward)), reward=reward)
        if reward == "win":
            return
        if self.seats > 1 or self._share(self.rules.setup(self.seats, self.options, self.deck).public) is None:
            raise Invalid('{game} has no score to pay here: choose reward="win"', game=game)

    def points(self, public: Any) -> float:
        """Return the score so far, as a share of the highest possible one; 0 in a game without a score."""
        return self._share(public) or 0.0

    def dealt(
        self, table: tuple[Signals, ...], order: tuple[int, ...], secrets: tuple[int, ...]
    ) -> tuple[Signals, ...]:
        """Return the signals of each seat from the table, for these secrets and this order of the deck's rows.

        A secret of a card moves with the card. Any other stays, and names cards by their new numbers.
        """
        if secrets == tuple(self._secrets[row] for row in order):
            return tuple(tuple(row[card] for card in order) for row in table)
        now = dict(zip(self._secrets, secrets, strict=True))
        return tuple(tuple(None if told is None else now.get(told) for told in row) for row in table)

    def told(self, hidden: Any, dice: Dice) -> Signals:
        """Return the signals of somebody who is told all secrets of this hidden part; none if nobody is told any."""
        known, beliefs = self.knowledge, self.package.beliefs
        if known.sigma is None:
            return ()
        secrets, chances = beliefs.secrets(hidden), known.chances()
        return tuple(beliefs.told(secrets, which, known.sigma, dice.choice(chances)) for which in range(len(secrets)))

    def started(self, public: Any) -> tuple[int, ...]:
        """Return what may differ at the start from game to game and all can see, as numbers."""
        return tuple(_written(self.layout.public, public))

    def owned(self, own: Any) -> list[int]:
        """Return a seat's own part as numbers."""
        return list(_written(self.layout.own, own))

    def __str__(self) -> str:
        """Leave out the table of knowledge, which would show in pictures."""
        return f"{self.package.name}, {self.seats} seats, knowledge {str(self.knowledge).partition('/')[0]}"

    # -- numbers -----------------------------------------------------------------------------------------------

    def _number(self, learning: GameLearning) -> None:
        """Number actions and views as the game defines, or by a survey."""
        self.learning = learning if learning.actions and self.version != OLD else None
        if self.learning is None:
            if learning.actions:  # six steps up is the call of `env`
                warnings.warn(GOES.format(game=self.package.name), DeprecationWarning, stacklevel=6)
            self._survey()
            return
        self.actions = sum(block.size for block in learning.actions)
        self.numbered = Meant(learning, self.actions)

    @property
    def layout(self) -> encoding.Layout:
        """The places of a view's numbers. They are measured at the first use, which takes a while."""
        if self._layout is None:
            self._survey()
        assert self._layout is not None
        return self._layout

    @property
    def memory(self) -> int:
        """The number of numbers that all observations of a seat in a game need, as measured."""
        return self.layout.size + self._memory

    @property
    def size(self) -> int:
        """The number of numbers in a view."""
        return self.layout.size if self.learning is None else sum(block.size for block in self.learning.fields)

    def described(self) -> str:
        """The meanings of the numbers of actions and views, as two tables in Markdown; "" if they are measured."""
        if self.learning is None:
            return ""
        parts = ("action", self.learning.actions), ("observation", self.learning.fields)
        return "\n\n".join(_table(title, blocks) for title, blocks in parts)

    def picture(self) -> "encoding.Picture | encoding.Sketch":
        """Return an encoder for the views of one game."""
        return self.layout.picture() if self.learning is None else encoding.Sketch(self.learning)

    def _survey(self) -> None:
        """Measure how much room the fields and the kinds of actions need, in random games.

        Each player there prefers some kinds of actions. Room is 1.5 times the most ever seen. If more different actions
        of a kind were seen than that, it is their number, at most twice the most that were open at once.
        """
        from spieltisch.study.environments.episode import Episode  # noqa: PLC0415 - it plays settings

        rows: tuple[dict[str, tuple[Any, int]], dict[str, tuple[Any, int]]] = ({}, {})
        firsts: dict[tuple[int, str], Any] = {}
        varies: set[tuple[int, str]] = set()
        most: Counter[type] = Counter()  # open at once
        different: set[Any] = set()
        memory = 0
        self._layout = encoding.Layout({}, {}, 0)
        for seed in range(SURVEYED):
            episode, dice, taste = Episode(self, remembers=True), FastDice(seed), random.Random(seed)  # noqa: S311 - no secret
            prefer = {kind: taste.random() for kind in self.kinds}
            while True:
                episode.throw(dice)
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
        self._layout = encoding.Layout(public, own, told)
        self._memory = memory + memory // 2
        if self.learning is not None:
            return
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
    cards: SupportsIndex | None = None,
    knowledge: str | Knowledge = NONE,
    most: SupportsIndex = LEAVE,
    version: SupportsIndex | None = None,
    reward: Reward = "win",
    **options: object,
) -> Setting:
    """Return the setting of a game by its name; `seats`, `deck` and `options` are as for `spieltisch.new`.

    `cards` is how many cards of the deck are used, evenly chosen; by default at most 60. Raises Invalid, with a
    correction.
    """
    most = whole_number(most, N_("leave a game after a whole number of actions, not {value}"))
    cards = None if cards is None else whole_number(cards, N_("cards is a number of cards, not {value}"))
    version = None if version is None else whole_number(version, N_("a version is a whole number, not {value}"))
    if most < 1:
        raise Invalid("leave a game after 1 action or more, not {most}", most=most)
    new = match.new(game, seats, 0, deck, **options)
    known, found = read(knowledge), new.deck
    if cards is None and len(found.cards) > CARDS and new.package.beliefs.secrets(new.state.hidden):
        cards = _enough(new, found)
    if cards is not None:
        if not 1 <= cards <= len(found.cards):
            raise Invalid("the deck has {n} cards, not {cards}", n=len(found.cards), cards=cards)
        found = _some(found, cards)
    return Setting(new.package, new.seats, new.options, found, known, most, version=version, reward=reward)


def _some(deck: HasCards, cards: int) -> HasCards:
    """Return this many cards of the deck, evenly chosen."""
    return aliased(deck, [row * len(deck.cards) // cards for row in range(cards)])


def _enough(new: match.Match, deck: HasCards) -> int:
    """Return the default number of cards: CARDS, or the fewest that the rules accept."""

    def takes(cards: int) -> bool:
        try:
            new.package.rules.setup(new.seats, new.options, _some(deck, cards))
        except Invalid:
            return False
        return True

    return bisect_left(range(len(deck.cards)), True, CARDS, key=takes)


_KNOWN: WeakValueDictionary[str, Setting] = WeakValueDictionary()
"""The settings of this process: OpenSpiel pickles states all the time, and to measure rooms takes a while."""


def _again(name: str, given: tuple[Any, ...] | None) -> Setting:
    """Return the setting that was pickled: the same one in this process, an equal one in another. Settings narrowed by
    functions cannot leave their process.
    """
    found = _KNOWN.get(name)
    if found is not None:
        return found
    if given is None:
        raise Invalid("another process cannot read a setting that functions made smaller")
    *rest, version, reward = given
    found = _KNOWN[name] = Setting(*rest, version=version, reward=reward)
    found._name = name  # noqa: SLF001 - when it comes back, its process knows it
    return found


def _table(title: str, blocks: Sequence[Block]) -> str:
    """Return the meanings of numbers as a table in Markdown."""
    lines, at = [f"| {title} | name | what it says |", "| --- | --- | --- |"], 0
    for block in blocks:
        numbers = f"{at} to {at + block.size - 1}" if block.size > 1 else str(at)
        lines.append(f"| {numbers} | `{block.name}` | {block.says}{' (private)' * block.own} |")
        at += block.size
    return "\n".join(lines)


def _offered(legal: Legal, offers: Callable[[Any], bool], view: View[Any, Any]) -> Sequence[Struct]:
    """Return the legal actions for which this is true; all if there are none."""
    found = legal(view)
    return [action for action in found if offers(action)] or found


def _written(fields: Iterable[tuple[str, Any, Any]], part: Any) -> Iterator[int]:
    """Return the numbers of these fields of a view's part, without the news."""
    return chain.from_iterable(_coder(kind)(getattr(part, name)) for name, kind, _ in fields if name != "news")


def _coder(kind: Any) -> expressions.Coder:
    """Return how this type is encoded. Types with texts alone give no numbers."""
    return expressions.coder(kind) or (lambda _: [])
