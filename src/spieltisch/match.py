"""A game in memory, for programs: deal, play, look, record and load.

`state`, `record` and `fork` of a `Match` reveal everything to their caller. `view` is what one seat may know; bots,
`text` and the board in a notebook get nothing else.
"""

import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, SupportsIndex, TypeAlias, get_args, overload

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spieltisch import extras, games, languages
from spieltisch import record as records
from spieltisch.bots import beliefs_of
from spieltisch.brief import brief
from spieltisch.decks.carried import library_of, named
from spieltisch.decks.library import Library, is_path
from spieltisch.decks.things import in_play
from spieltisch.dice import CommittedDice, FastDice, after, alias_order, numbered, resolve, seal
from spieltisch.game import (
    Game,
    HasCards,
    HasNews,
    Illegal,
    Invalid,
    Outcome,
    PendingChance,
    Result,
    State,
    Step,
    View,
    aliased,
    see,
)
from spieltisch.i18n import N_, Translator
from spieltisch.languages import DEFAULT
from spieltisch.options import plain, required, whole, whole_number
from spieltisch.package import Package

Seed = SupportsIndex | bytes
"""Any whole number, or the 16 bytes of a table's seed."""
Seats = SupportsIndex | list[str] | tuple[str, ...] | None
"""A number of seats, a name for each, or None for as few as can play."""
Cards = str | Sequence[str] | os.PathLike[str] | Mapping[str, object] | HasCards | None
"""How to name a deck: see `new`."""
RANDOM = "random"  # the level of a bot without judgement
AnyGame = Game[Any, Any, Any, Any, Any, Any, Any]

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from spieltisch.games.adaman import options as adaman_options
    from spieltisch.games.adaman import state as adaman
    from spieltisch.games.adaman.decktet import Deck
    from spieltisch.games.annodomini import options as anno_options
    from spieltisch.games.annodomini import state as anno
    from spieltisch.games.annodomini.events import Events
    from spieltisch.games.hichaechoc import options as hic_options
    from spieltisch.games.hichaechoc import state as hic
    from spieltisch.games.hichaechoc.forms import Paradigm
    from spieltisch.games.trailblaze import options as trail_options
    from spieltisch.games.trailblaze import state as trail
    from spieltisch.games.trailblaze.firsts import Firsts

    X_co = TypeVar("X_co", bound=Struct, covariant=True, default=Struct)
    D_co = TypeVar("D_co", bound=HasCards, covariant=True, default=HasCards)
    P_co = TypeVar("P_co", bound=HasNews, covariant=True, default=HasNews)
    O_co = TypeVar("O_co", bound=Struct, covariant=True, default=Struct)
    H_co = TypeVar("H_co", bound=Struct, covariant=True, default=Struct)
    A_co = TypeVar("A_co", bound=Struct, covariant=True, default=Struct)

    Adaman: TypeAlias = "Match[adaman_options.Options, Deck, adaman.Public, adaman.Own, adaman.Hidden, adaman.Action]"
    AnnoDomini: TypeAlias = "Match[anno_options.Options, Events, anno.Public, anno.Own, anno.Hidden, anno.Action]"
    HicHaecHoc: TypeAlias = "Match[hic_options.Options, Paradigm, hic.Public, hic.Own, hic.Hidden, hic.Action]"
    Trailblaze: TypeAlias = "Match[trail_options.Options, Firsts, trail.Public, trail.Own, trail.Hidden, trail.Action]"

    class Listed(Sequence[A_co]):
        """A list that nobody changes."""

        def __init__(self, actions: Iterable[A_co], /) -> None: ...
        @overload
        def __getitem__(self, at: int, /) -> A_co: ...
        @overload
        def __getitem__(self, at: slice, /) -> list[A_co]: ...
        def __len__(self) -> int: ...
        def __eq__(self, other: object, /) -> bool: ...

        __hash__ = None

else:  # Python has no defaults for them before 3.13
    from typing import TypeVar

    Listed = list
    X_co, D_co, P_co, O_co, H_co, A_co = (TypeVar(name, covariant=True) for name in ("X", "D", "P", "O", "H", "A"))


@overload
def new(
    game: Literal["adaman"], seats: Seats = None, seed: Seed | None = None, deck: Cards = None, **options: object
) -> "Adaman": ...
@overload
def new(
    game: Literal["anno-domini"], seats: Seats = None, seed: Seed | None = None, deck: Cards = None, **options: object
) -> "AnnoDomini": ...
@overload
def new(
    game: Literal["hic-haec-hoc"], seats: Seats = None, seed: Seed | None = None, deck: Cards = None, **options: object
) -> "HicHaecHoc": ...
@overload
def new(
    game: Literal["trailblaze"], seats: Seats = None, seed: Seed | None = None, deck: Cards = None, **options: object
) -> "Trailblaze": ...
@overload
def new(game: str, seats: Seats = None, seed: Seed | None = None, deck: Cards = None, **options: object) -> "Match": ...


def new(game: str, seats: Seats = None, seed: Seed | None = None, deck: Cards = None, **options: object) -> "Match":
    """Deal a new match of the game with this name.

    `seats` is a number, or a name for each seat; None: as few as can play. The same `seed` (any whole number, or the 16
    bytes of a table's seed) gives the same match; None: a new one, which `match.seed` tells. `deck` is the name of a
    deck, several names if the game mixes decks, the path of a deck's CSV file, the keys with which a record lists
    cards, such as {"forms": […]}, or a deck of the game's own type. `options` are the game's options by name.

    Raises Invalid, with what would be right, for an unknown game, an impossible number of seats, deck or option, and
    for choices that do not fit together.
    """
    package = games.package(game)
    names = _names(package, seats)
    try:
        if deck is not None and (not isinstance(deck, str) or is_path(deck)):
            raise TypeError(deck)  # noqa: TRY301 - it cannot be kept either
        chosen, cards = _usual(package, len(names), deck, **options)
    except TypeError:  # neither text nor number
        chosen, cards = _chosen(package, len(names), deck, options)
    seed = secrets.randbits(32) if seed is None else _seed(seed)
    return Match(package, chosen, in_play(cards, _bytes(package, seed)), names, seed)


def load(record: str | os.PathLike[str] | Mapping[str, object]) -> "Match":
    """Load a match from a record, given as a path or an object. It can be continued.

    If the record has its seed, every chance outcome is checked against it, and later ones come from it. Records hold no
    words: cards of shipped decks get theirs back, other events and firsts show their ids. Raises InvalidRecord, with
    the entry, if a rule is broken or the deal differs; OSError if the file cannot be read.
    """
    if isinstance(record, Mapping):
        return _loaded(dict(record))
    required(record, (str, os.PathLike), N_("a record is a path or an object, not {value}"))
    try:
        return _loaded(records.parse(Path(record).read_bytes()))
    except records.InvalidRecord as wrong:
        raise wrong.of_file(os.fspath(record)) from None


def _loaded(raw: object) -> "Match":
    head = records.top(raw)
    told = {"seed", "seal", "dice"} <= head.tags.keys()
    if told:
        records.verify(raw)
    seed = bytes.fromhex(head.tags["seed"]) if told else secrets.token_bytes(16)
    order = head.order if head.order and not told else alias_order(seed, len(head.deck.cards))
    head = replace(head, deck=records.whole(head.package, head.options, head.deck))
    played = records.follow(head, order=order)
    return Match(head.package, head.options, head.deck, head.seats, seed, order=order, played=played, sealed=told)


class LegalActions(Listed[A_co]):
    """The actions open to the first seat to act, as a list. `match.legal(seat=2)` returns those of another seat. Copied
    or pickled, it is a plain list.
    """

    __slots__ = ("_match",)

    def __call__(self, seat: SupportsIndex | None = None) -> Sequence[A_co]:
        """The actions open to this seat, none if it is not to act. Raises Invalid if there is no such seat."""
        return self if seat is None else self._match.legal_for(seat)

    def __repr__(self) -> str:
        return brief([*self])

    def __reduce__(self) -> tuple[object, ...]:
        return list, ([*self],)


class Match(Generic[X_co, D_co, P_co, O_co, H_co, A_co]):
    """A game in progress, made by `new` or `load`.

    To type checkers, `new("adaman")` has the types of Adaman: options, deck, public, own and hidden part, actions.
    `Match` alone is a match of any game.

    If several seats may act, `legal`, `bot`, `play` and `parse` take `seat`; the default is the first of `to_act`.

    A copy is a fork: it goes on independently. A pickled match is its deal and its history, played again when it is
    read. Threads may play matches of their own, but not the same one.
    """

    __slots__ = (
        *("_beliefs", "_cards", "_dice", "_history", "_kinds", "_legal", "_order", "_rules", "_sealed", "_seed"),
        *("_start", "_state", "_throws", "_to_act", "deck", "names", "options", "package", "seed"),
    )

    def __init__(
        self,
        package: Package,
        options: X_co,
        deck: D_co,
        names: Sequence[str],
        seed: int | bytes,
        *,
        order: Sequence[int] | None = None,
        played: records.Replay | None = None,
        sealed: bool = True,
    ) -> None:
        """`deck` is in its own order; `order` is that of its rows in this match (None: the seed decides). `played` is
        what has already happened; `sealed` tells whether all of it came from this seed.
        """
        self.package = package
        self.options = options
        self.seed = seed
        self._rules: AnyGame = package.rules
        self._kinds = _kinds(package)
        self.names = names
        self._seed = _bytes(package, seed)
        self._dice = CommittedDice(self._seed, "deal")
        self._sealed = sealed
        self._cards = deck
        self._order = alias_order(self._seed, len(deck.cards)) if order is None else order
        self.deck: D_co = aliased(deck, self._order)
        self._beliefs: dict[tuple[int, str], object] = {}
        self._throws = 0
        self._start: State[P_co, O_co, H_co] = self._rules.setup(len(names), options, self.deck)
        self._history: list[Step] = []
        if played is not None:
            self._history += played.steps
            self._throws = sum(not isinstance(who, int) for who, _ in played.steps)
        self._arrive(*resolve(self._rules, self._start if played is None else played.state, self._throw))

    def _played(self, history: Sequence[Step]) -> None:
        """Replace everything that has happened by `history`."""
        state = self._start
        for who, what in history:
            state = after(self._rules, state, (who, what))
        self._history, self._throws = [*history], sum(not isinstance(who, int) for who, _ in history)
        self._arrive(state, ())

    def _arrive(self, state: State[Any, Any, Any], resolved: tuple[Step, ...]) -> None:
        """Enter a state in which somebody is to act, or the game is over; `resolved` are the chance
        outcomes before it.
        """
        if resolved:
            self._history += resolved
        self._state: State[P_co, O_co, H_co] = state
        self._to_act = self._rules.to_act(state.public)
        self._legal: LegalActions[A_co] | None = None

    def _throw(self, chance: PendingChance) -> Outcome:
        number = self._throws
        self._throws = number + 1
        return self._dice.throw(chance, number)

    # -- how it stands -------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self._to_act

    @property
    def to_act(self) -> Sequence[int]:
        """The seats to act, ascending. If there are several, any of them may act first."""
        return self._to_act

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        return self._rules.result(self._state.public)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def state(self) -> State[P_co, O_co, H_co]:
        """The whole state, including what nobody at the table can know. For one seat, use `view`."""
        return self._state

    @property
    def history(self) -> tuple[Step, ...]:
        """Everything that has happened, in order: (seat, action), and (pending chance, outcome)."""
        return tuple(self._history)

    def view(self, seat: SupportsIndex | None = None) -> View[P_co, O_co]:
        """What a seat may know; None: a spectator. Raises Invalid for an unknown seat."""
        return see(self._state, None if seat is None else self._seat(seat))

    # -- playing -------------------------------------------------------------------------------------------------

    @property
    def legal(self) -> LegalActions[A_co]:
        """The actions open to the first seat to act; `legal(seat=2)` for another seat. Empty when the game is over."""
        legal = self._legal
        if legal is None:
            acting = self._to_act
            legal = LegalActions(self._rules.legal(see(self._state, acting[0])) if acting else ())
            legal._match = self  # noqa: SLF001 - its own match
            self._legal = legal
        return legal

    def legal_for(self, seat: SupportsIndex) -> Sequence[A_co]:
        """The actions open to a seat; none if it is not to act. Raises Invalid for an unknown seat."""
        return self._rules.legal(see(self._state, self._seat(seat)))

    def play(self, action: Struct, seat: SupportsIndex | None = None) -> None:
        """Take an action. Raises Illegal, with the reason, and changes nothing, if it is against the rules."""
        rules, acting = self._rules, self._to_act
        seat = acting[0] if seat is None and acting else self._acting(seat)
        if type(action) not in self._kinds:
            raise self._no_action(action)
        state, resolved = resolve(rules, rules.apply(self._state, seat, action), self._throw)
        self._history.append((seat, action))
        self._arrive(state, resolved)

    def _no_action(self, action: object) -> Illegal:
        if isinstance(action, str):
            return Illegal("{action} is a text, and `parse` makes an action of it", action=repr(action))
        return Illegal("{action} is not an action of {game}: see `legal`", action=repr(action), game=self.package.name)

    def parse(self, text: str, seat: SupportsIndex | None = None) -> A_co:
        """The action for a line such as "place e12 at 3", or for an action's `str`. Raises Invalid, with what would be
        right, for any other line, and Illegal if the seat is not to act.
        """
        required(text, str, N_("an action is written as a text, not as {value}"))
        found: Any = self.package.record.parse(self.deck, see(self._state, self._acting(seat)), text)
        return found

    def bot(self, level: str = "", seat: SupportsIndex | None = None) -> A_co:
        """The action that a bot chooses for a seat, from its view alone. Repeated calls give the same action.

        `level` is one of the game's, "" its middle one, or "random". Raises Invalid for an unknown level, Illegal if
        the seat is not to act, and MissingExtraError if the bot needs an extra that is not installed.
        """
        package, seat = self.package, self._acting(seat)
        dice = FastDice(self._seed + bytes([seat]) + len(self._history).to_bytes(8, "big"))
        if level == RANDOM:
            return dice.choice(self.legal_for(seat))
        if level and level not in package.bot.levels:
            known = ", ".join((*package.bot.levels, RANDOM))
            raise Invalid("{game} has no bot {name}, only {known}", game=package.name, name=level, known=known)
        if (seat, level) not in self._beliefs:
            self._beliefs[seat, level] = beliefs_of(package, self._start.hidden, self._seed, seat, level)
        view = see(self._state, seat)
        chosen: Any = package.bot.choose(view, self._rules.legal(view), dice, self._beliefs[seat, level])
        return chosen

    def fork(self, seed: Seed | None = None) -> Self:
        """A copy of this match, to continue independently. With a `seed`, later chance comes from it; the cards stay as
        they are.
        """
        other = object.__new__(type(self))
        for name in Match.__slots__:
            setattr(other, name, getattr(self, name))
        other._history, other._beliefs, other._legal = [*self._history], {**self._beliefs}, None
        if seed is not None:
            other.seed, other._sealed = _seed(seed), False
            other._seed = _bytes(self.package, other.seed)
            other._dice = CommittedDice(other._seed, "deal")
        return other

    def __copy__(self) -> Self:
        return self.fork()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.fork()

    def __reduce__(self) -> tuple[object, ...]:
        dealt = (self.package, self.options, self._cards, self.names, self._order, self.seed, self._sealed)
        return _restored, (*dealt, self.history)

    def _seat(self, seat: SupportsIndex) -> int:
        found = seat if type(seat) is int else whole(seat)
        if found is None or not 0 <= found < len(self.names):
            raise Invalid("there is no seat {seat}, only 0 to {last}", seat=repr(seat), last=len(self.names) - 1)
        return found

    def _acting(self, seat: SupportsIndex | None) -> int:
        """The seat, by default the first to act. Raises Illegal if it is not to act."""
        acting = self._to_act
        if not acting:
            raise Illegal("The game is over.")
        if seat is None:
            return acting[0]
        found = self._seat(seat)
        if found not in acting:
            raise Illegal(
                "it is the turn of seat {acting}, not of seat {seat}", seat=found, acting=" or ".join(map(str, acting))
            )
        return found

    # -- in words, written down, shown ---------------------------------------------------------------------------

    def text(self, action: Struct, lang: str = DEFAULT, seat: SupportsIndex | None = None) -> str:
        """An action in words, as people say it. Raises Illegal if it is not one of this game, Invalid if there is no
        language with the tag `lang`.
        """
        if type(action) not in self._kinds:
            raise self._no_action(action)
        who = (self._to_act[0] if self._to_act else None) if seat is None else self._seat(seat)
        return self.package.page.describe(see(self._state, who), action, self._translator(lang, who))

    def _translator(self, lang: str, seat: int | None) -> Translator:
        languages.require(lang)
        nameless = self.package.translator(lang)
        names = [name or nameless._("Seat {n}").format(n=i + 1) for i, name in enumerate(self.names)]
        return Translator(nameless.catalog, lang, names, seat)

    def record(self) -> dict[str, object]:
        """The match as a record, finished or not, for `spieltisch.load` and `spieltisch replay`. Its seed is included,
        so that `spieltisch verify` can check the dice. Events and firsts have their ids and dates in it, not their
        words and fields: to keep those of a deck that is not shipped, pickle the match.
        """
        tags = None
        if self._sealed:
            tags = {"seal": seal(self._seed), "seed": self._seed.hex(), "dice": records.DICE}
            tags |= {records.RULES: str(self.package.rules.version)}
        names = [name or f"Seat {seat + 1}" for seat, name in enumerate(self.names)]
        return records.write(self.package, self.options, self._cards, self._order, names, self._history, tags)

    def show(self, seat: SupportsIndex | None = None, lang: str = DEFAULT) -> "Board":
        """The board as a seat sees it (None: a spectator), for a notebook. Raises Invalid for an unknown seat or
        language.
        """
        seat = None if seat is None else self._seat(seat)
        self._translator(lang, seat)
        return Board(self, seat, lang)

    def _repr_html_(self) -> str | None:
        return self.show(self._to_act[0] if self._to_act else None)._repr_html_()

    def __repr__(self) -> str:
        actions = sum(isinstance(who, int) for who, _ in self._history)
        seed = f", seed {self.seed}" if isinstance(self.seed, int) else ""
        head = f"{self.package.name}, {self.seats} seat{'s' * (self.seats > 1)}{seed}: "
        head += f"{actions} action{'s' * (actions != 1)}"
        result = self.result
        if result is None:
            return f"<Match {head}, seat {' or '.join(map(str, self._to_act))} to act>"
        scores = "" if result.scores is None else f", scores {', '.join(map(str, result.scores))}"
        first = "" if result.ranking is None else f", first: seat {' and '.join(map(str, result.ranking[0]))}"
        return f"<Match {head}, over ({result.end}){first}{scores}>"


def _restored(
    package: Package, options: Struct, deck: HasCards, names: Sequence[str], order: Sequence[int],
    seed: int | bytes, sealed: bool, history: Sequence[Step],
) -> Match:  # fmt: skip
    """Restore a pickled match: the same deal, and its history played again."""
    match = Match(package, options, deck, names, seed, order=order, sealed=sealed)
    match._played(history)  # noqa: SLF001 - its own match
    return match


class Board:
    """A seat's view of a match, as notebooks show it: the page of the table, or text without the extra `serve`."""

    def __init__(self, match: Match, seat: int | None, lang: str) -> None:
        self._match = match.fork()
        self._seat = seat
        self._lang = lang

    def _repr_html_(self) -> str | None:
        try:
            with extras.needed():
                from spieltisch.table.replay import snapshot  # noqa: PLC0415
                from spieltisch.web.core.view.notebook import board  # noqa: PLC0415
        except extras.MissingExtraError:
            return None
        match = self._match
        return board(
            snapshot(match.package, match.names, match.options, match.deck, match.state), self._seat, self._lang
        )

    def __repr__(self) -> str:
        return repr(self._match)


@cache
def _kinds(package: Package) -> frozenset[type]:
    """The types of a game's actions."""
    actions = package.rules.Action
    return frozenset(one for one in get_args(actions) or [actions] if isinstance(one, type))


def _seed(seed: Seed) -> int | bytes:
    """The seed as it is kept. Raises Invalid for what is none."""
    return (
        seed if isinstance(seed, bytes) else whole_number(seed, N_("a seed is a whole number or 16 bytes, not {value}"))
    )


def _bytes(package: Package, seed: int | bytes) -> bytes:
    """The seed as bytes for the dice."""
    return seed if isinstance(seed, bytes) else numbered(package.name, seed)


def _names(package: Package, seats: Seats) -> tuple[str, ...]:
    able = package.rules.seats
    names = tuple(seats) if isinstance(seats, Sequence) and not isinstance(seats, str) else None
    if names is not None and not all(isinstance(name, str) for name in names):
        raise Invalid("each seat has a text for a name, not {names}", names=brief(names))
    n = able[0] if seats is None else whole(seats) if names is None else len(names)
    if n is None or n not in able:
        right = "1 seat" if able[-1] == 1 else f"{able[0]} to {able[-1]} seats"
        raise Invalid("{game} has {right}, not {n}", game=package.name, right=right, n=repr(seats if n is None else n))
    return ("",) * n if names is None else names


@lru_cache(64, typed=True)
def _usual(package: Package, seats: int, deck: str | None, /, **options: object) -> tuple[Struct, HasCards]:
    """Options and a shipped deck, cached, because most studies play many games with the same."""
    return _chosen(package, seats, deck, options)


def _chosen(package: Package, seats: int, deck: Cards, options: dict[str, object]) -> tuple[Struct, HasCards]:
    """The options and the deck."""
    codec = package.record
    top = codec.top(options)
    if options:
        try:
            top["options"] = msgspec.to_builtins(top["options"], str_keys=True, enc_hook=plain)
        except TypeError as wrong:
            raise Invalid("an option is a number, a text, or a list or dict of them: {reason}", reason=wrong) from None
    if isinstance(deck, Mapping):
        return codec.load({key: top[key] for key in top if key != "deck"} | dict(deck), seats)
    if isinstance(deck, str | os.PathLike) and is_path(os.fspath(deck)):
        if package.decks is not None:
            top["deck"], own = named(deck, package.decks.name)
            return codec.load(top, seats, library_of(own))
        deck = os.fspath(deck)
    if deck is None or isinstance(deck, str | list | tuple):
        if deck is not None:
            top["deck"] = list(deck) if isinstance(deck, tuple) else deck
            _known(package, [deck] if isinstance(deck, str) else deck)
        return codec.load(top, seats)
    if not isinstance(deck, package.rules.Deck):
        raise Invalid(
            "{game} is played with {right}, not with {wrong}",
            game=package.name, right=package.rules.Deck.__name__, wrong=type(deck).__name__,
        )  # fmt: skip
    return codec.load(top, seats)[0], deck


def _known(package: Package, names: Sequence[object]) -> None:
    """Raise Invalid, with the known names, for an unknown deck."""
    if package.choice is not None:
        offered = Library().offered(package.choice)
        for name in names:
            if name not in offered:
                raise Invalid("there is no deck {name}, only {names}", name=name, names=", ".join(offered))
