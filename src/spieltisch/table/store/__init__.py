"""What keeps tables: one small protocol, one module an engine, the SQL in one place.

Never here: rules, states, views. A store keeps bytes and numbers and knows which came first.
"""

import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Generator, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from spieltisch.game import Refused
from spieltisch.i18n import N_
from spieltisch.table.log import TableSetup, encode, read_setup
from spieltisch.table.timing import Times

LATEST = 86_400.0  # seconds: only turns of slow games take longer, and those may be looked at too early
PATIENCE = 4.5  # seconds that people wait for a move: they are told five
LEAST = 2.0  # of them that a database needs to say whether it can


def steady_clock() -> Callable[[], float]:
    """A clock that gives the seconds since 1970 as the system has them now, and goes on from there by itself: a system
    clock that is set anew meanwhile ends no game and stops no bot.
    """
    begun = time.time() - time.monotonic()
    return lambda: begun + time.monotonic()


class Unsaved(Refused):
    """What came could not be written, since the disk is full or fails: nothing has changed."""

    SAID = N_("The server cannot save right now. Nothing has changed. Please try again in a moment.")

    def __init__(self, text: str = "", /, **values: object) -> None:
        super().__init__(text or self.SAID, **values)


class Unknown(Unsaved):
    """What came may have been written: the store does not say. The same once more counts once, and settles it."""

    SAID = N_("The database is not answering, so this may not count yet. Try again in a moment: it counts only once.")


def readable(bodies: Iterable[bytes]) -> Generator[TableSetup]:
    """These setups, without any that the disk has damaged: opening one table must not fail for another one's sake."""
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
    """What has been written of a table: the next setup, None where it is the one that was known, and more entries,
    `numbered`.
    """

    setup: TableSetup | None
    entries: list[bytes]


def numbered(rows: Iterable[tuple[int, bytes]], after: int) -> list[bytes]:
    """The entries after this number, which come with theirs. Where one is missing or there twice, an empty one is the
    last: nothing after it can be followed.
    """
    entries: list[bytes] = []
    for number, entry in rows:
        after += 1
        if number != after:
            return [*entries, b""]
        entries.append(entry)
    return entries


class Lending(NamedTuple):
    """How the connections to a database are doing: lent, free, waited for, how long, and for how many seconds it has
    not answered (0: it does).
    """

    used: int
    idle: int
    waiting: int
    waits: Times
    lost: float


class Store(Protocol):
    """What a host asks of a store. What has been awaited has survived a power cut. Whatever writes raises Unsaved where
    it cannot.
    """

    async def create(self, setup: TableSetup, due_at: float | None = None) -> bool:
        """Keep a new setup; False if the id is taken. `due_at` as for `save`."""
        ...

    async def save(self, setup: TableSetup, *, due_at: float | None = None, seed: bytes | None = None) -> bool:
        """Keep the next revision of a setup; False if it is gone or somebody else's revision was first.

        `due_at` is when the table's next bot or clock is due. `seed` is kept apart from the setup, so that
        nothing that shows a setup can show it.
        """
        ...

    commits: Times  # of batches of entries

    @property
    def lending(self) -> Lending | None:
        """Its connections; None where it needs none."""
        ...

    @property
    def shared(self) -> bool:
        """Whether other processes write here, too: then `newer` says what they have written."""
        ...

    async def newer(self, known: Mapping[str, tuple[int, int]]) -> dict[str, Newer]:
        """What is not known yet of these tables, of which this entry and this revision of the setup are; nothing of
        tables that there are not.
        """
        ...

    async def setup(self, table: str) -> TableSetup | None:
        """The newest revision of a table's setup; None if there is no such table."""
        ...

    def playing(self) -> AsyncGenerator[TableSetup]:
        """The plans of all tables where a game runs, one after the other: they need not fit into the memory."""
        ...

    async def seed(self, table: str) -> bytes | None:
        """The seed of the table's dice; None before the game has begun."""
        ...

    def append(
        self, table: str, seq: int, entry: bytes, due_at: float | None, at: float, until: float | None = None
    ) -> Awaitable[bool]:
        """Write one entry. True if it was the first with this number, False if not or the table is gone.

        `until`: by the monotonic clock, when the caller gives up (None: in `PATIENCE` seconds).
        """
        ...

    async def log(self, table: str, after: int = 0) -> Sequence[bytes]:
        """The entries after this number, `numbered`."""
        ...

    async def put_deck(self, hash: str, body: bytes, at: float) -> None:  # noqa: A002 - a deck's hash
        """Keep a deck under its hash, or renew when it was used last."""
        ...

    async def deck(self, hash: str) -> bytes | None:  # noqa: A002
        """The deck with this hash; None if there is none."""
        ...

    async def put_document(self, id: str, rev: int, body: bytes, due: float | None) -> bool:  # noqa: A002
        """Keep a revision of a document: 1 is a new one. False if somebody else's was first, or the document is gone.
        `due` is when something of it has to be forgotten, None for never.
        """
        ...

    async def document(self, id: str) -> bytes | None:  # noqa: A002
        """The newest revision of the document with this id; None if there is none."""
        ...

    async def due_documents(self, now: float, prefix: str = "") -> Sequence[str]:
        """The ids of the documents that begin with this and are due by now, the longest due first."""
        ...

    async def drop_document(self, id: str) -> None:  # noqa: A002
        """The document is gone."""
        ...

    def clock(self) -> float:
        """The seconds since 1970, the same for all processes that share the store: never ahead of it."""
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
        """Take over the turns at up to n tables where a bot or a clock is due, for `lease` seconds: nobody else gets
        them until then, or until the table has another entry or setup. Returns until when each is held.

        Due is what was due by `now`, or by the database's clock where that has one; and what is due later than
        `LATEST`: the clock has been set back since that was written. Tables that are not `mine` are due `patience`
        seconds later; those that are `busy` are left alone.
        """
        ...

    async def renew(self, held: Mapping[str, float], lease: float, now: float) -> dict[str, float]:
        """Hold on to what was claimed for so many seconds from now; 0 gives it back. What is no longer held as it was
        given stays as it is, and does not come back.
        """
        ...

    async def newest(self) -> float | None:
        """When a table was last touched; None where there is none."""
        ...

    async def forget(self, before: float) -> Sequence[str]:
        """Delete what was last touched before: tables that wait, are over or closed, decks nobody uses; of
        unfinished tables the names. A table with a turn that is due later stays as it is. Returns the ids of all
        tables that were changed.
        """
        ...

    async def delete(self, table: str) -> None:
        """The table with its log and seed is gone."""
        ...

    async def check(self) -> None:
        """Write what changes nothing; Unsaved where that cannot be done."""
        ...

    async def can_write_anew(self) -> bool:
        """Return whether a new connection, beside those in use, can write. It waits two seconds at most."""
        ...

    @property
    def waiting(self) -> int:
        """How many changes wait to be written."""
        ...

    @property
    def waits(self) -> float:
        """The seconds for which the changes that are being written have waited; 0.0 if there are none."""
        ...

    @property
    def is_failing(self) -> bool:
        """Whether the last change could not be written, or waits for long. Asking costs nothing; `check` is sure."""
        ...

    async def count(self) -> int:
        """How many tables there are."""
        ...

    async def ids(self) -> Sequence[str]:
        """The ids of all tables."""
        ...

    async def games(self, code: str) -> Sequence[str]:
        """The ids of the games that share this code, in the order of their numbers."""
        ...

    async def touched_last(self, n: int, skip: int = 0) -> Sequence[TableSetup]:
        """The n tables that were touched last, the last one first, after so many of them."""
        ...

    async def close(self, seconds: float | None = None) -> None:
        """Write what waits, for so long where a database is away, then let go of it."""
        ...
