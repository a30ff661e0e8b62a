"""Stores for tables: one small protocol, one module for each engine, and the SQL in one place.

Stores know no rules, states or views. They keep bytes and numbers, and know which came first.
"""

import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Generator, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from spieltisch.game import Refused
from spieltisch.i18n import N_
from spieltisch.table.durations import Times
from spieltisch.table.log import TableSetup, encode, read_setup

LATEST = 86_400.0  # seconds; only turns of slow games take longer, and an early look at those does no harm
PATIENCE = 4.5  # seconds that people wait for a move; they are told five
LEAST = 2.0  # of them, for a database to show that it can write
AWAY = N_("The database is not answering. Please try again in a moment.")


def steady_clock() -> Callable[[], float]:
    """A clock that starts at the system's time, in seconds since 1970, and then runs by itself: setting the system's
    clock later ends no game and stops no bot.
    """
    begun = time.time() - time.monotonic()
    return lambda: begun + time.monotonic()


class Unsaved(Refused):
    """The disk is full or fails, so nothing has changed."""

    SAID = N_("The server cannot save right now. Nothing has changed. Please try again in a moment.")

    def __init__(self, text: str = "", /, **values: object) -> None:
        super().__init__(text or self.SAID, **values)


class Unknown(Unsaved):
    """It is unknown whether this was written. The same again counts once, and settles it."""

    SAID = N_("The database is not answering, so this may not count yet. Try again in a moment: it counts only once.")


def readable(bodies: Iterable[bytes]) -> Generator[TableSetup]:
    """These setups, without damaged ones: opening one table must not fail because of another."""
    for body in bodies:
        with contextlib.suppress(ValueError):
            yield read_setup(body)


def saved(setup: TableSetup, seed: bytes | None = None) -> tuple[object, ...]:
    """The values of `sql.SAVE` for the next revision of a setup."""
    deck = None if setup.header is None else setup.header.deck
    return setup.stage, setup.rev, deck, seed, encode(setup), setup.id, setup.rev - 1


def nameless(setup: TableSetup) -> TableSetup | None:
    """The next revision of a setup, without names; None if it has none."""
    bare = setup.nameless
    return None if bare == setup else msgspec.structs.replace(bare, rev=setup.rev + 1)


class Newer(NamedTuple):
    """News of a table: the newer setup (None if it is the known one), and newer entries, `numbered`."""

    setup: TableSetup | None
    entries: list[bytes]


def numbered(rows: Iterable[tuple[int, bytes]], after: int) -> list[bytes]:
    """The entries after this number. If one is missing or duplicate, an empty one is the last, since nothing after it
    can be followed.
    """
    entries: list[bytes] = []
    for number, entry in rows:
        after += 1
        if number != after:
            return [*entries, b""]
        entries.append(entry)
    return entries


class Lending(NamedTuple):
    """The connections to a database: lent, free, waited for and how long, and for how many seconds the database has not
    answered (0: it answers).
    """

    used: int
    idle: int
    waiting: int
    waits: Times
    lost: float


class Store(Protocol):
    """What a host needs of a store. Whatever was awaited has survived a power cut. Writes raise Unsaved if
    they fail.
    """

    async def create(self, setup: TableSetup, due_at: float | None = None) -> bool:
        """Store a new setup. Returns False if the id is taken. `due_at` as for `save`."""
        ...

    async def save(self, setup: TableSetup, *, due_at: float | None = None, seed: bytes | None = None) -> bool:
        """Store the next revision of a setup. Returns False if it is gone or somebody else's revision was first.

        `due_at` is when the table's next bot or clock is due. `seed` is stored apart from the setup, so that nothing
        that shows a setup can reveal it.
        """
        ...

    commits: Times  # of batches of entries

    @property
    def lending(self) -> Lending | None:
        """Its connections; None for a store without."""
        ...

    @property
    def shared(self) -> bool:
        """Whether other processes write here, too; then `newer` reads their entries."""
        ...

    async def newer(self, known: Mapping[str, tuple[int, int]]) -> dict[str, Newer]:
        """Entries and setups newer than the given (seq, rev) per table. Unknown tables are omitted."""
        ...

    async def setup(self, table: str) -> TableSetup | None:
        """The newest revision of a table's setup; None if there is no such table."""
        ...

    def playing(self) -> AsyncGenerator[TableSetup]:
        """The setups of all running games, one after another, since they may not fit into memory."""
        ...

    async def seed(self, table: str) -> bytes | None:
        """The seed of the table's dice; None before the game has begun."""
        ...

    def append(
        self, table: str, seq: int, entry: bytes, due_at: float | None, at: float, until: float | None = None
    ) -> Awaitable[bool]:
        """Write one entry. Returns True if it was the first with this number, False if not or the table is gone.

        `until`: by the monotonic clock, when the caller gives up (None: in `PATIENCE` seconds).
        """
        ...

    async def log(self, table: str, after: int = 0) -> Sequence[bytes]:
        """The entries after this number, `numbered`."""
        ...

    async def put_deck(self, hash: str, body: bytes, at: float) -> None:  # noqa: A002 - a deck's hash
        """Store a deck under its hash, or note that it was used."""
        ...

    async def deck(self, hash: str) -> bytes | None:  # noqa: A002
        """The deck with this hash; None if there is none."""
        ...

    async def put_document(self, id: str, rev: int, body: bytes, due: float | None) -> bool:  # noqa: A002
        """Store a revision of a document; 1 is a new one. Returns False if somebody else's was first, or the document
        is gone. `due` is when some of it has to be forgotten, None for never.
        """
        ...

    async def document(self, id: str) -> bytes | None:  # noqa: A002
        """The newest revision of the document with this id; None if there is none."""
        ...

    async def due_documents(self, now: float, prefix: str = "") -> Sequence[str]:
        """The ids of the documents that begin with this and are due by now, the longest due first."""
        ...

    async def drop_document(self, id: str) -> None:  # noqa: A002
        """Delete the document."""
        ...

    def clock(self) -> float:
        """The seconds since 1970, the same for all processes that share the store, and never ahead of it."""
        ...

    async def claim(
        self,
        n: int,
        lease: float,
        now: float,
        mine: Collection[str] = (),
        patience: float = 0.0,
        busy: Collection[str] = (),
    ) -> dict[str, float]:
        """Claim the turns at up to n tables where a bot or clock is due, for `lease` seconds. Nobody else gets them
        until then, or until the table has another entry or setup. Returns when each claim ends.

        A turn is due if it was due by `now`, or by the database's clock if there is one. Turns later than `LATEST` also
        count, because the clock has been set back since they were written. Tables that are not `mine` are due
        `patience` seconds later; those in `busy` are left alone.
        """
        ...

    async def renew(self, held: Mapping[str, float], lease: float, now: float) -> dict[str, float]:
        """Extend claims to this many seconds from now; 0 gives them back. Claims that have changed hands are left alone
        and not returned.
        """
        ...

    async def newest(self) -> float | None:
        """When a table was last touched; None without tables."""
        ...

    async def forget(self, before: float) -> Sequence[str]:
        """Delete what was last touched before this time: waiting, finished and closed tables, unused decks, and the
        names at unfinished tables. Tables with a later turn are left alone. Returns the ids of all changed tables.
        """
        ...

    async def delete(self, table: str) -> None:
        """Delete the table with its log and seed."""
        ...

    async def check(self) -> None:
        """Write without a change. Raises Unsaved if that fails."""
        ...

    async def can_write_anew(self) -> bool:
        """Return whether a new connection, beside those in use, can write. It waits two seconds at most."""
        ...

    @property
    def waiting(self) -> int:
        """The number of changes that wait to be written."""
        ...

    @property
    def waits(self) -> float:
        """The seconds that the changes now being written have waited; 0.0 without any."""
        ...

    @property
    def is_failing(self) -> bool:
        """Whether the last change failed, or waits for long. This costs nothing; `check` is sure."""
        ...

    async def count(self) -> int:
        """The number of tables."""
        ...

    async def ids(self) -> Sequence[str]:
        """The ids of all tables."""
        ...

    async def games(self, code: str) -> Sequence[str]:
        """The ids of the games that share this code, by number."""
        ...

    async def touched_last(self, n: int, skip: int = 0) -> Sequence[TableSetup]:
        """The n tables that were touched last, newest first, after skipping some."""
        ...

    async def close(self, seconds: float | None = None) -> None:
        """Write what waits, for at most this long if a database is away, then close."""
        ...
