"""What is written down about a table: its setup, and its log entry by entry. The log is the truth."""

import hashlib
from collections.abc import Generator, Iterable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from spieltisch.game import HasCards, Outcome, Stale

By = Literal["seat", "bot", "clock", "host"]
SeatDeed = Literal["sits", "back", "left", "bot", "free", "offered", "name", "key"]
Stage = Literal["waiting", "playing", "over", "closed"]
DAY = 86_400.0  # seconds


def tag(table: str) -> str:
    """What the program's own log calls a table: whoever reads that does not learn its code from it."""
    return hashlib.blake2b(table.encode(), digest_size=3).hexdigest()


class Damaged(Stale):
    """What is stored of a table cannot be read: its game cannot go on."""


def damaged(cause: Exception) -> Damaged:
    """The refusal to go on, with what was found when it was read."""
    halt = Damaged("This game is damaged and cannot go on. The host can restore this table from a backup.")
    halt.__cause__ = cause
    return halt


class Entry(Struct, frozen=True, omit_defaults=True):
    """One action with the chance outcomes it called for.

    Entry 1 is the deal: no seat, no action, the outcomes of the set-up. An undo has a seat and no action.
    Numbers in actions and outcomes are rows of the table's own (aliased) deck. After reading, `action` is in
    builtins (`msgspec.convert` makes it the game's); before writing it may be the game's own value.
    """

    seat: int | None = None
    by: By = "seat"
    action: object = None
    undo: bool = False
    outcomes: tuple[Outcome, ...] = ()
    at: float = 0.0


class Feed(Struct, frozen=True):
    """The feed of a seat: its key is made from the seat's own key and the `salt`; of that only the SHA-256 is kept."""

    salt: str
    hash: str


class Chair(Struct, frozen=True, omit_defaults=True):
    """Who sits on a seat. `key` is the SHA-256 (hex) of the token that holds it; a freed chair has none.

    `patience` multiplies the times to answer (0: no limit). While its person is `away` a bot plays; the key stays: who
    was only missing plays on as soon as they are seen again, who has `left` when they say so, and until then the key
    shows nothing of the hand. An `offered` chair may be taken over by anybody: they then sit on it, and `lender` is the
    chair as it was, for its person to take back. Several chairs may have the key of one device; the one that holds it
    now is `holding` it.
    """

    name: str = ""
    kind: Literal["free", "person", "bot"] = "free"
    key: str = ""
    level: str = ""
    patience: float = 1.0
    away: bool = False
    left: bool = False
    offered: bool = False
    lender: "Chair | None" = None
    holding: bool = msgspec.field(default=False, name="up")  # stored under the name that it had first
    wins: int = 0  # in the games of the evening before this one
    mark: int | None = None  # its shape and colour; None: those of the seat
    ready: bool = False  # its person wants the next game to begin
    sat: float = 0.0  # since when its person sits here
    pupil: int = 0  # at a table of a class: the number of the pupil whose seat this is
    feed: Feed | None = None  # which tells its person when it is their turn

    @property
    def plays_itself(self) -> bool:
        """Whether a bot plays here."""
        return self.kind != "person" or self.away

    @property
    def nameless(self) -> "Chair":
        """The chair without the names of who sat there."""
        lender = None if self.lender is None else self.lender.nameless
        return msgspec.structs.replace(self, name="", lender=lender)


class Ask(Struct, frozen=True, omit_defaults=True):
    """Somebody who asks for a seat of a running game. `key` is the SHA-256 (hex) of the token that will hold it."""

    number: int
    seat: int
    name: str
    key: str
    at: float  # when they asked, or were refused
    refused: bool = False


class SeatChange(Struct, frozen=True, omit_defaults=True):
    """What happened on a seat: when, in which revision of the setup, after which entry of the game, and who did it."""

    rev: int
    at: float
    seq: int
    seat: int
    deed: SeatDeed
    name: str
    old: str = ""  # who sat there before, or what they were called
    by: str = ""

    @property
    def nameless(self) -> "SeatChange":
        """The change without names."""
        return msgspec.structs.replace(self, name="", old="", by="")


class Countdown(Struct, frozen=True):
    """The next game of an evening begins by itself: when, and on which seat sits whoever wanted it."""

    until: float
    seat: int


class Anew(Struct, frozen=True, omit_defaults=True):
    """Somebody wants this game to begin anew with another choice of an option. `agreed` are the hashes of the keys of
    who wants it, of whoever proposed it first; `refused` is that of who said no.
    """

    option: str
    value: str
    agreed: tuple[str, ...]
    refused: str = ""


class LookBack(Struct, frozen=True, omit_defaults=True):
    """People look back at a finished game together: all see this step, from 1, through the eyes of this seat (None:
    everything open). `leads` is the hash of the key of who leads. `tried` are the actions (in builtins) that somebody
    tried from there on instead of what followed; None while nothing is tried.
    """

    leads: str
    step: int = 1
    seat: int | None = None
    tried: tuple[Any, ...] | None = None


class LastRound(Struct, frozen=True):
    """The round in which it was called that it is the last one: its number, where the rules count rounds; the seat that
    was to act, and the newest entry then.
    """

    lap: int
    seat: int
    seq: int


class GameOver(Struct, frozen=True):
    """A game of the evening that is over: its id, what was played, and the names of who won."""

    id: str
    game: str
    winners: tuple[str, ...]

    @property
    def nameless(self) -> "GameOver":
        """The game without names."""
        return msgspec.structs.replace(self, winners=())


class EntryNews(Struct, frozen=True):
    """What an entry told everybody: the public news after it."""

    seq: int
    seat: int | None
    by: By
    undo: bool
    news: tuple[Struct, ...]
    at: float = 0.0  # by the server's clock


class Header(Struct, frozen=True):
    """What the game was begun with. The seed is not here: only its seal may be looked at."""

    game: str
    version: int
    seats: int
    options: Any  # builtins
    deck: str  # SHA-256 (hex) of the encoded deck, in its own order
    seal: str


def deck_names(top: Mapping[str, object]) -> list[str]:
    """The names of the decks that a record's top keys name; none where the game has no decks to choose."""
    named = top.get("deck")
    return [named] if isinstance(named, str) else named if isinstance(named, list) else []


class TableSetup(Struct, frozen=True):
    """Everything about a table besides the log. Nothing in it is secret but keys' hashes."""

    id: str
    game: str
    top: dict[str, object]  # the record's top keys that were chosen: options, deck, …
    chairs: tuple[Chair, ...]
    owner: str = ""  # SHA-256 (hex) of the opener's token
    deputy: str = ""  # the same of who decides instead, while the opener has got up or been away for long
    guests: tuple[Chair, ...] = ()  # people without a seat who have one in the next game
    stage: Stage = "waiting"
    created: float = 0.0
    touched: float = 0.0  # when it was read or changed; the store counts moves too
    answer_seconds: float | None = 15.0  # for answers several owe at once; None: no limit
    turn_seconds: float | None = None  # for a turn of one's own; None: no limit
    paused: bool = False  # nobody moves, no clock runs
    waits: bool = False  # paused since its deal, until who leads the class lets all begin
    header: Header | None = None
    deal: int = 0  # the number that its seed comes from and anybody may know; 0: a sealed seed
    day: str = ""  # the day whose daily it plays, as 2026-11-28: its cards and its seed come from that
    first: bool = False  # its opener has not had a table of this game before, and is asked what suits beginners
    winnable: bool = False  # it was chosen because it can be won, and so are those of the games after it
    rematch: str = ""  # the id of the next table
    before: str = ""  # the id of the table that this one is the rematch of
    number: int = 1  # of the game in its evening
    evening: tuple[GameOver, ...] = ()  # the games before this one
    countdown: Countdown | None = None  # until the game begins by itself
    anew: Anew | None = None  # somebody wants it to begin anew
    race: str = ""  # the id of the table that a race on the same deal began with
    racers: tuple[str, ...] = ()  # at that table: the ids of all tables of the race
    hinted: bool = False  # a hint was given
    last_round: LastRound | None = None  # after it the game is broken off
    look: LookBack | None = None  # the finished game is looked back at together
    places: tuple[tuple[int, ...], ...] = ()  # how a game stood that was broken off, by its rules' own order
    classroom: str = ""  # the code of the class whose lesson it belongs to: that says who sits where
    desk: int = 0  # the number of the table in that lesson, from 1
    alike: bool = False  # others of its class play with the same cards: nothing tells theirs before all are over
    called: bool = False  # the pupils of a class are called away from here: to a slip, or because all were dealt anew
    asks: tuple[Ask, ...] = ()  # for seats of others; those that are too old count no more
    seat_log: tuple[SeatChange, ...] = ()  # the last changes of seats
    lang: str = ""
    rev: int = 0  # raised with every change, so that of two at the same moment one is made again

    @property
    def begins(self) -> float | None:
        """When the game begins by itself; None where somebody has to begin it, or has."""
        return None if self.countdown is None else self.countdown.until

    @property
    def is_slow(self) -> bool:
        """Whether the game goes on over days: nobody has to be there while others play."""
        return self.turn_seconds is not None and self.turn_seconds >= DAY

    @property
    def decides(self) -> str:
        """The hash of the key of who chooses games, options and seats now."""
        return self.deputy or self.owner

    @property
    def goes_on(self) -> bool:
        """Whether the evening goes on with a next game under the same code."""
        return "-" in self.rematch

    def under(self, version: int) -> "TableSetup":
        """The setup of a game that has begun, under this version of the rules."""
        assert self.header is not None
        return msgspec.structs.replace(self, header=msgspec.structs.replace(self.header, version=version))

    @property
    def nameless(self) -> "TableSetup":
        """The setup without the names of who sat there, asked or left."""
        chairs, changes = tuple(one.nameless for one in self.chairs), tuple(one.nameless for one in self.seat_log)
        games = tuple(one.nameless for one in self.evening)
        return msgspec.structs.replace(self, chairs=chairs, guests=(), asks=(), seat_log=changes, evening=games)

    @property
    def decks(self) -> list[str]:
        """The names of the chosen decks."""
        return deck_names(self.top)


_encoder = msgspec.json.Encoder()
_entry = msgspec.json.Decoder(Entry)
_plan = msgspec.json.Decoder(TableSetup)

encode = _encoder.encode
read_entry = _entry.decode
read_setup = _plan.decode


def read_log(bodies: Iterable[bytes], header: Header, after: int = 0) -> Generator[Entry]:
    """The entries after this number of a game that was begun so. Damaged at the first that cannot be one."""
    for seq, body in enumerate(bodies, after + 1):
        try:
            entry = read_entry(body)
            if (entry.seat is None) != (seq == 1) or (entry.seat or 0) not in range(header.seats):
                raise ValueError("no such seat")  # noqa: TRY301 - as what cannot be decoded
        except ValueError as error:
            raise damaged(error) from error
        yield entry


def encode_deck(deck: HasCards) -> tuple[str, bytes]:
    """A deck as it is kept: its hash and its bytes."""
    body = _encoder.encode(deck)
    return hashlib.sha256(body).hexdigest(), body


def read_deck(body: bytes, shape: Any) -> Any:
    """The deck from its bytes; msgspec.ValidationError where the shape is another one by now."""
    return msgspec.json.decode(body, type=shape)


def key_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
