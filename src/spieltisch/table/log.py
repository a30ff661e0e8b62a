"""What is stored of a table: its setup, and its log entry by entry. The log is the truth."""

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
    """The name of a table in the server's own log; its code cannot be derived from it."""
    return hashlib.blake2b(table.encode(), digest_size=3).hexdigest()


class Damaged(Stale):
    """Stored data of a table cannot be read, so its game cannot continue."""


def damaged(cause: Exception) -> Damaged:
    """The refusal to continue, with the error that the read raised."""
    halt = Damaged("This game is damaged and cannot go on. The host can restore this table from a backup.")
    halt.__cause__ = cause
    return halt


class Entry(Struct, frozen=True, omit_defaults=True):
    """One action with the chance outcomes it called for.

    Entry 1 is the deal: no seat, no action, and the outcomes of the set-up. An undo has a seat and no action. Numbers
    in actions and outcomes are rows of the table's own (aliased) deck. `action` may be the game's own value before it
    is written; after reading it is builtins, for `msgspec.convert`.
    """

    seat: int | None = None
    by: By = "seat"
    action: object = None
    undo: bool = False
    outcomes: tuple[Outcome, ...] = ()
    at: float = 0.0


class Feed(Struct, frozen=True):
    """The feed of a seat. Its key is made from the seat's own key and the `salt`; only its SHA-256 is stored."""

    salt: str
    hash: str


class Chair(Struct, frozen=True, omit_defaults=True):
    """The person or bot on a seat. `key` is the SHA-256 (hex) of the token that holds it; a free chair has none.

    `patience` multiplies the times to answer (0: no limit). A bot plays while the person is `away`, and the key stays.
    People who were only missing continue as soon as they are seen again; people who have `left` continue when they say
    so. Until then their key shows nothing of the hand.

    Anybody may take over an `offered` chair. `lender` is then the old chair, so that its person can take it back.
    Several chairs may have the key of one shared device; the one that has the device now is `holding`.
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
    holding: bool = msgspec.field(default=False, name="up")  # stored under its first name
    wins: int = 0  # in earlier games of this evening
    mark: int | None = None  # shape and colour; None: those of the seat
    ready: bool = False  # for the next game
    sat: float = 0.0  # when this person sat down
    pupil: int = 0  # at a table of a class: the pupil's number
    feed: Feed | None = None  # tells the person when it is their turn

    @property
    def plays_itself(self) -> bool:
        """Whether a bot plays here."""
        return self.kind != "person" or self.away

    @property
    def nameless(self) -> "Chair":
        """The chair without the names of its people."""
        lender = None if self.lender is None else self.lender.nameless
        return msgspec.structs.replace(self, name="", lender=lender)


class Ask(Struct, frozen=True, omit_defaults=True):
    """A request for a seat of a running game. `key` is the SHA-256 (hex) of the token that will hold the seat."""

    number: int
    seat: int
    name: str
    key: str
    at: float  # when it was made or refused
    refused: bool = False


class SeatChange(Struct, frozen=True, omit_defaults=True):
    """One change of a seat: when, in which revision of the setup, after which entry of the game, and by whom."""

    rev: int
    at: float
    seq: int
    seat: int
    deed: SeatDeed
    name: str
    old: str = ""  # the previous person, or their previous name
    by: str = ""

    @property
    def nameless(self) -> "SeatChange":
        """The change without names."""
        return msgspec.structs.replace(self, name="", old="", by="")


class Countdown(Struct, frozen=True):
    """When the next game of an evening begins by itself, and the seat of the person who proposed it."""

    until: float
    seat: int


class Anew(Struct, frozen=True, omit_defaults=True):
    """A proposal to begin this game again with another value of an option.

    `agreed` are the hashes of the keys of those who agree, the proposer's first; `refused` is that of the person who
    said no.
    """

    option: str
    value: str
    agreed: tuple[str, ...]
    refused: str = ""


class LookBack(Struct, frozen=True, omit_defaults=True):
    """Several people look back at a finished game together. All see this step (from 1) as this seat saw it (None: all
    cards open).

    `leads` is the hash of the leader's key. `tried` are actions (in builtins) that somebody tried from this step on;
    None: nothing is tried.
    """

    leads: str
    step: int = 1
    seat: int | None = None
    tried: tuple[Any, ...] | None = None


class LastRound(Struct, frozen=True):
    """The last round, as called: its number if the rules count rounds, and at that moment the seat to act and the
    newest entry.
    """

    lap: int
    seat: int
    seq: int


class GameOver(Struct, frozen=True):
    """A finished game of the evening: its id, what was played, and the winners' names."""

    id: str
    game: str
    winners: tuple[str, ...]

    @property
    def nameless(self) -> "GameOver":
        """The game without names."""
        return msgspec.structs.replace(self, winners=())


class EntryNews(Struct, frozen=True):
    """The public news after an entry."""

    seq: int
    seat: int | None
    by: By
    undo: bool
    news: tuple[Struct, ...]
    at: float = 0.0  # by the server's clock


class Header(Struct, frozen=True):
    """How a game was begun. Only the seal of the seed may be shown, so the seed is not here."""

    game: str
    version: int
    seats: int
    options: Any  # builtins
    deck: str  # SHA-256 (hex) of the encoded deck in its original order
    seal: str


def deck_names(top: Mapping[str, object]) -> list[str]:
    """The names of the decks in a record's top keys; none if the game has no choice of decks."""
    named = top.get("deck")
    return [named] if isinstance(named, str) else named if isinstance(named, list) else []


class TableSetup(Struct, frozen=True):
    """Everything about a table besides the log. It is not secret, except for hashes of keys."""

    id: str
    game: str
    top: dict[str, object]  # chosen top keys of the record: options, deck, …
    chairs: tuple[Chair, ...]
    owner: str = ""  # SHA-256 (hex) of the opener's token
    deputy: str = ""  # likewise of the person who decides while the opener has left or is away for long
    guests: tuple[Chair, ...] = ()  # people without a seat who get one in the next game
    stage: Stage = "waiting"
    created: float = 0.0
    touched: float = 0.0  # when it was read or changed; the store counts moves, too
    answer_seconds: float | None = 15.0  # if several seats have to answer at once; None: no limit
    turn_seconds: float | None = None  # for a turn of one seat; None: no limit
    paused: bool = False  # nobody moves, no clock runs
    waits: bool = False  # paused since its deal, until the teacher lets all tables begin
    header: Header | None = None
    deal: int = 0  # the number of its deal, which anybody may know; 0: a secret seed
    day: str = ""  # the day of its daily, such as 2026-11-28, which decides cards and seed
    first: bool = False  # the opener's first table of this game: options for beginners are proposed
    winnable: bool = False  # chosen because it can be won; so are the later games
    rematch: str = ""  # id of the next game's table
    before: str = ""  # id of the previous game's table
    number: int = 1  # the game's number in its evening
    evening: tuple[GameOver, ...] = ()  # earlier games
    countdown: Countdown | None = None  # to the begin of the game
    anew: Anew | None = None  # a proposal to begin again
    race: str = ""  # id of the first table of a race on the same deal
    racers: tuple[str, ...] = ()  # at that first table: ids of all tables of the race
    hinted: bool = False  # a hint was given
    last_round: LastRound | None = None  # the game is broken off after it
    look: LookBack | None = None  # people look back at the finished game together
    places: tuple[tuple[int, ...], ...] = ()  # the ranking of a game that was broken off, by its rules
    classroom: str = ""  # the code of its class, which decides who sits where
    desk: int = 0  # the table's number in the lesson, from 1
    alike: bool = False  # other tables of its class have the same cards, so nothing is revealed before all are over
    called: bool = False  # the pupils are called away: to a slip, or because the class was dealt again
    asks: tuple[Ask, ...] = ()  # requests for seats; old ones are ignored
    seat_log: tuple[SeatChange, ...] = ()  # the latest changes of seats
    lang: str = ""
    rev: int = 0  # raised by every change; of two at the same moment one is retried

    @property
    def begins(self) -> float | None:
        """When the game begins by itself; None if somebody has to begin it, or it has begun."""
        return None if self.countdown is None else self.countdown.until

    @property
    def is_slow(self) -> bool:
        """Whether a turn may take days, so that nobody has to be present."""
        return self.turn_seconds is not None and self.turn_seconds >= DAY

    @property
    def decides(self) -> str:
        """The hash of the key of the person who chooses games, options and seats now."""
        return self.deputy or self.owner

    @property
    def goes_on(self) -> bool:
        """Whether the evening continues with a next game under the same code."""
        return "-" in self.rematch

    def under(self, version: int) -> "TableSetup":
        """The setup of a running game, under this version of the rules."""
        assert self.header is not None
        return msgspec.structs.replace(self, header=msgspec.structs.replace(self.header, version=version))

    @property
    def nameless(self) -> "TableSetup":
        """The setup without the names of those who sat there, asked or left."""
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
    """The entries after number `after`. Raises Damaged at the first one that cannot be read."""
    for seq, body in enumerate(bodies, after + 1):
        try:
            entry = read_entry(body)
            if (entry.seat is None) != (seq == 1) or (entry.seat or 0) not in range(header.seats):
                raise ValueError("no such seat")  # noqa: TRY301 - as what cannot be decoded
        except ValueError as error:
            raise damaged(error) from error
        yield entry


def encode_deck(deck: HasCards) -> tuple[str, bytes]:
    """A deck as it is stored: its hash and its bytes."""
    body = _encoder.encode(deck)
    return hashlib.sha256(body).hexdigest(), body


def read_deck(body: bytes, shape: Any) -> Any:
    """The deck from its bytes. Raises msgspec.ValidationError if its `shape` has changed."""
    return msgspec.json.decode(body, type=shape)


def key_of(token: str) -> str:
    """The hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
