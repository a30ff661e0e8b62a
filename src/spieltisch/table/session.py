"""A table in memory: its setup, its present position, and as much of its past as the present needs.

Only `host` uses this module, because it holds the State.
"""

import hashlib
from collections import deque
from collections.abc import Sequence
from typing import ClassVar, Literal
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from spieltisch.bots import beliefs_of
from spieltisch.decks.things import in_play
from spieltisch.dice import CommittedDice, alias_order, seal
from spieltisch.game import GameView, HasCards, Illegal, Outcome, Stale, aliased, read, see
from spieltisch.package import Package
from spieltisch.table import position as moment
from spieltisch.table import schedule
from spieltisch.table.log import By, Damaged, Entry, EntryNews, TableSetup, damaged, read_deck, read_log
from spieltisch.table.patience import TableLock

Verdict = Literal["taken", "moot"]

SHOWN = 40  # entries whose news are kept


class Ended(Struct, frozen=True):
    """How an offer ended: by the seat's own entry (`by`, its action or undo) or by another one (`by` None)."""

    by: By | None = None
    action: object = None
    undo: bool = False


def other_rules(cause: Exception | None = None) -> Stale:
    """The refusal to continue a game whose rules are not kept, or do not follow its log."""
    halt = Stale("This game started under different rules. You can look at it, but not continue it.")
    halt.__cause__ = cause
    return halt


class WholeDeck:
    """A decoded deck, cached for all tables that play with it: 1,456 cards take 3 MB."""

    _known: ClassVar[WeakValueDictionary[tuple[bytes, object], "WholeDeck"]] = (
        WeakValueDictionary()
    )  # by hash and shape

    def __init__(self, deck: HasCards) -> None:
        self.deck = deck

    @classmethod
    def of(cls, body: bytes, shape: type[HasCards]) -> "WholeDeck":
        """Decode a deck, unless a table already has it."""
        key = hashlib.sha256(body).digest(), shape
        whole = cls._known.get(key)
        if whole is None:
            whole = cls._known[key] = cls(read_deck(body, shape))
        return whole


class Begun(Struct, frozen=True):
    """What a running game is played with. `package` has the rules it was begun under; `halt` says why it cannot
    continue. The other fields are None if the deck or the options cannot be read.
    """

    package: Package
    halt: Stale | None
    options: Struct | None = None
    whole: WholeDeck | None = None
    own_deck: HasCards | None = None  # in its own order, as in records
    order: tuple[int, ...] = ()
    deck: HasCards | None = None  # with this table's numbering: shuffled rows, so that a number reveals nothing

    @classmethod
    def of(cls, package: Package, setup: TableSetup, seed: bytes, body: bytes) -> "Begun":
        """Decode the deck, which is cached for all tables; the seed decides which of its cards are played."""
        assert setup.header is not None
        rules = package.under(setup.header.version)
        package = rules or package
        try:
            options = read(setup.header.options, package.rules.Options)
            whole = WholeDeck.of(body, package.rules.Deck)
            own_deck = in_play(whole.deck, seed)
        except Exception as error:  # noqa: BLE001 - whatever the shape of a deck calls for
            return cls(package, other_rules(error) if rules is None else damaged(error))
        order = alias_order(seed, len(own_deck.cards))
        halt = None if rules is not None else other_rules()
        return cls(package, halt, options, whole, own_deck, order, aliased(own_deck, order))


class TableSession:
    """A table, built from its log. `position` is None before the game has begun.

    It keeps to the rules under which it was begun. If those are not kept, do not follow the log, or the data is
    damaged, `halt` says so; the table is then shown as far as the log could be followed, but does not continue.
    """

    def __init__(self, package: Package, setup: TableSetup, seed: bytes | None, body: bytes | None) -> None:
        self.package = package
        self.setup = setup
        self.lock = TableLock()
        self.seed = b""
        self.options: Struct | None = None
        self.whole: WholeDeck | None = None  # these four as in `Begun`
        self.own_deck: HasCards | None = None
        self.order: tuple[int, ...] = ()
        self.deck: HasCards | None = None
        self.position: moment.Position | None = None
        self.turns: tuple[schedule.DueTurn, ...] = ()
        self.news: deque[EntryNews] = deque(maxlen=SHOWN)
        self.halt: Stale | None = None
        self.void = False  # the store may have lost some of this: `Memory.turn`
        self._ended: tuple[dict[int, Ended], ...] = ()
        self._knows: dict[tuple[int, str], object] = {}  # by seat and level
        if setup.header is not None:
            if seed is None or body is None or seal(seed) != setup.header.seal:
                self.halt = damaged(ValueError("no deck, or another seed"))
            else:
                self.begin(setup, seed, Begun.of(package, setup, seed, body))

    def begin(self, setup: TableSetup, seed: bytes, begun: Begun) -> None:
        """Begin the game, or note that it has begun. Its deal is the log's first entry, still to come."""
        self.setup = setup
        assert setup.header is not None
        self.seed = seed
        self._dice = CommittedDice(seed, "deal")
        self._ended = tuple({} for _ in range(setup.header.seats))
        self.package, self.halt, self.options = begun.package, begun.halt, begun.options
        self.whole, self.own_deck, self.order, self.deck = begun.whole, begun.own_deck, begun.order, begun.deck

    @property
    def fresh(self) -> bool:
        """Whether the game can continue."""
        return self.halt is None

    @property
    def seq(self) -> int:
        """The number of the newest entry, 0 in the lobby."""
        return 0 if self.position is None else self.position.seq

    def asked_at(self, question: int) -> float | None:
        """When the question with this number was asked; None if its entry is not written yet. For one older than the
        kept news, the time of the oldest news.
        """
        return next((one.at for one in self.news if one.seq >= question), None)

    @property
    def over(self) -> bool:
        """Whether the game has ended, and these rules can show how it went."""
        return self.position is not None and self.position.result is not None and self.fresh

    @property
    def broken_off(self) -> bool:
        """Whether a running game was closed before its end, and these rules can show how it went."""
        return self.position is not None and self.setup.stage == "closed" and self.fresh

    @property
    def last_round_is_over(self) -> bool:
        """Whether the last round has been played: by the rules' own count, else when the seat that was to act at the
        call has its next turn.
        """
        called, at = self.setup.last_round, self.position
        if called is None or at is None or at.seq <= called.seq:
            return False
        if self.package.lap is not None:
            return self.package.lap(at.state.public) > called.lap
        return at.to_act == (called.seat,) and self.package.silence not in at.legal(called.seat)

    # Steps

    def deal(self) -> tuple[moment.Position, Entry]:
        """The first position and its entry, which is not written yet."""
        position, outcomes = self.dealt(self._dice.throw)
        return position, Entry(by="host", outcomes=outcomes)

    def step(self, seat: int, action: Struct, by: By) -> tuple[moment.Position, Entry]:
        """The next position and its entry, which is not written yet. Raises Illegal if the rules refuse the action."""
        position, outcomes = moment.moved(self.at_play(), seat, action, self._dice.throw)
        return position, Entry(seat, by, action, outcomes=outcomes)

    def back(self, seat: int, by: By) -> tuple[moment.Position, Entry]:
        """The position after an undo and its entry, which is not written yet."""
        return moment.taken_back(self.at_play()), Entry(seat, by, undo=True)

    def follow(self, bodies: Sequence[bytes]) -> bool:
        """Take entries from the store. Returns False if one is damaged or breaks these rules: then the table stays at
        the entry before, and no later one is taken.
        """
        if not bodies or (self.halt is not None and self.halt.__cause__ is not None):
            return self.fresh
        assert self.setup.header is not None
        try:
            for entry in read_log(bodies, self.setup.header, self.seq):
                position, entry = self.after(entry, moment.said(entry.outcomes))  # noqa: PLW2901 - with the game's action
                self.publish(position, entry)
        except Damaged as halt:
            self.halt = halt
        except Exception as error:  # noqa: BLE001 - whatever the rules raise, it is told
            self.halt = other_rules(error)
        return self.fresh

    def after(self, entry: Entry, throw: moment.Throw) -> tuple[moment.Position, Entry]:
        """The position after an entry of the log, with these throws; not published yet. Raises what the rules raise if
        they cannot follow it.
        """
        if self.position is None:
            return self.dealt(throw)[0], entry
        if entry.undo:
            return moment.taken_back(self.position), entry
        try:
            action = self.action(entry)
        except msgspec.ValidationError as error:
            if not self.fresh:
                raise  # the log needs other rules
            raise damaged(error) from error
        assert entry.seat is not None
        position = moment.moved(self.position, entry.seat, action, throw)[0]
        return position, msgspec.structs.replace(entry, action=action)

    def publish(self, position: moment.Position, entry: Entry) -> None:
        """Make this the table's position; its entry is in the store."""
        old = self.position
        if old is not None:
            for seat in {*old.to_act, entry.seat}:
                if seat is not None and position.since[seat] != old.since[seat]:
                    own = seat == entry.seat
                    ended = Ended(entry.by, entry.action, entry.undo) if own else Ended()
                    self._ended[seat][old.since[seat]] = ended
        self.position = position
        news = tuple(position.state.public.news)
        self.news.append(EntryNews(position.seq, entry.seat, entry.by, entry.undo, news, entry.at))

    def action(self, entry: Entry) -> Struct:
        """The game's action of a log entry."""
        return msgspec.convert(entry.action, self.package.rules.Action)

    def dealt(self, throw: moment.Throw) -> tuple[moment.Position, tuple[Outcome, ...]]:
        """The moment after the deal with these throws, and its chance outcomes."""
        assert self.setup.header is not None
        assert self.options is not None
        assert self.deck is not None
        return moment.dealt(self.package.rules, self.setup.header.seats, self.options, self.deck, throw)

    # Answers

    def at_play(self) -> moment.Position:
        """The position, if the game can continue. Raises Stale with the reason if not."""
        if self.setup.stage == "closed":
            raise Stale("This table has been closed.")
        if self.position is None and self.fresh:
            raise Stale("The game has not begun yet.")
        if self.halt is not None:
            raise self.halt.with_traceback(None)
        assert self.position is not None
        return self.position

    def verdict(self, seat: int, question: int, action: Struct) -> Verdict | None:
        """The verdict on an answer; None if it should be taken. Raises Illegal or Stale with the reason."""
        position = self.at_play()
        if question == position.since[seat]:
            self._no_pause()
            if action in position.legal(seat):
                return None
            position.rules.apply(position.state, seat, action)
            raise Illegal("That is not possible here.")
        ended = self._ended[seat].get(question)
        if ended is None:
            raise Stale("The game has moved on. Please look again.")
        if ended.by is None:
            return "moot"
        if not ended.undo and ended.action == action:
            return "taken"
        if ended.by == "clock":
            raise Stale("Your time to answer has run out.")
        if ended.by == "bot":
            raise Stale("The bot in this seat has already answered.")
        raise Stale("This has already been answered.")

    def _no_pause(self) -> None:
        if self.setup.paused:
            raise Stale("The game is paused.")

    def undo_verdict(self, seat: int, question: int) -> Verdict | None:
        """Likewise for an undo. Raises Illegal at a table of several, Stale if the table has changed."""
        position = self.at_play()
        if len(position.since) != 1:
            raise Illegal("You can take back moves only when you play alone.")
        if question == position.since[seat]:
            self._no_pause()
            return None
        ended = self._ended[seat].get(question)
        if ended is not None and ended.undo:
            return "taken"
        raise Stale("The game has moved on. Please look again.")

    def beliefs(self, seat: int) -> object:
        """The beliefs of the bot on this seat: made once, and the same after a restart."""
        bot = (seat, self.setup.chairs[seat].level)
        if bot not in self._knows:
            assert self.setup.header is not None
            assert self.options is not None
            assert self.deck is not None
            state = self.package.rules.setup(self.setup.header.seats, self.options, self.deck)
            self._knows[bot] = beliefs_of(self.package, state.hidden, self.seed, *bot)
        return self._knows[bot]

    def view(self, seat: int | None) -> GameView:
        """The view of a seat, or a spectator's. Raises Stale before the game has begun."""
        if self.position is None:
            self.at_play()
        assert self.position is not None
        return see(self.position.state, seat)
