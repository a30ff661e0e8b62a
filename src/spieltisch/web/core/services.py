"""What runs while the server runs: the tables' host, keys, limits, views, and who is at a table now.

Assembled once, at the start; nothing of a request is kept here.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.classroom.classrooms import TAUGHT, Classrooms
from spieltisch.classroom.desk import Desk
from spieltisch.classroom.keys import ClassKeys
from spieltisch.decks.inbox import Inbox
from spieltisch.decks.uses import DAY, Uses
from spieltisch.table.analysis import AnalysisService
from spieltisch.table.chairs import back
from spieltisch.table.evening import code_of
from spieltisch.table.fleet import Fleet
from spieltisch.table.host import Host, Missing
from spieltisch.table.seat_keys import recognizes, seats_of
from spieltisch.table.signing import Signer
from spieltisch.table.store import Unsaved
from spieltisch.table.table import Table
from spieltisch.table.turns import TurnRunner
from spieltisch.web.core.access.actor import Actor, actor_of
from spieltisch.web.core.access.class_cookies import ClassCookies
from spieltisch.web.core.access.deck_keys import DeckKeys, Renewals
from spieltisch.web.core.access.holders import Holders
from spieltisch.web.core.access.seat_cookies import SeatCookies
from spieltisch.web.core.announcement import Announcement
from spieltisch.web.core.chat import Chat
from spieltisch.web.core.heavy import HeavyWork
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.connections import Connections
from spieltisch.web.core.http.cookies import Cookies
from spieltisch.web.core.http.guesses import Guesses
from spieltisch.web.core.http.problems import TooMany
from spieltisch.web.core.http.rate_limits import ASKING, RateLimits
from spieltisch.web.core.http.shares import Shares
from spieltisch.web.core.metrics import Metrics
from spieltisch.web.core.presence import Presence
from spieltisch.web.core.readiness import Readiness
from spieltisch.web.core.renderer import Renderer
from spieltisch.web.core.view.fragments import FragmentCache

CODE = re.compile(r"[A-Z0-9]{1,12}(-[1-9][0-9]{0,3})?")  # of a table, and which game of its evening
PATIENCE = 25.0  # seconds that a program may wait for news


class Settings(Struct, frozen=True):
    """How the server was started."""

    secret: bytes
    folder: Path | None = None  # with the data
    name: str = ""  # of this process, for those who watch several: host and port
    root_path: str = ""  # the sub-path, "" or like /games
    proxies: tuple[str, ...] = ()  # in front of the server; they name host, scheme and client
    origin: str = ""  # scheme and host of the server, if whoever runs it names them
    keep_days: float = 30.0
    class_hours: float = 24.0  # after a lesson's time is up, until its names are gone
    operator: str = ""  # who runs the server, as they name themselves
    in_database: bool = False  # the tables are in PostgreSQL
    most_decks: int = 1_000  # that are made in the browser
    limits: bool = True
    fresh: bool = False  # read templates anew, for those who write them
    lan: str = ""  # the address for others in the network, where somebody looks at localhost


class Services:
    """Everything that routes and commands need besides the request."""

    def __init__(self, host: Host, settings: Settings, heavy: HeavyWork | None = None) -> None:
        self.host = host
        self.settings = settings
        self.base = settings.root_path
        signer, self.cookies = Signer(settings.secret), Cookies(settings.root_path)
        self.seat_cookies = SeatCookies(signer, self.cookies)
        self.class_keys = ClassKeys(signer)
        self.class_cookies = ClassCookies(self.class_keys, self.cookies)
        self.classes = Classrooms(host, settings.class_hours, settings.keep_days)
        self.desk = Desk(host, self.classes, self.class_keys, self._require_tables, self._dealt)
        self.deck_keys = DeckKeys(signer, self.cookies, Renewals(host.library.folder, host.library.files))
        self.heavy = heavy or HeavyWork(RateLimits(enabled=settings.limits))
        self.limits = self.heavy.limits
        self.shares = Shares(enabled=settings.limits)
        self.guesses = Guesses(self.limits)
        self.holders = Holders(self.seat_cookies, self.class_cookies, self.deck_keys)
        self.renderer = Renderer(settings.root_path, fresh=settings.fresh)
        self.presence = Presence(host.clock, lambda table: host.hub.wake(table, 0))
        host.screened = self.presence.has_screen
        self.fragments = FragmentCache(self.renderer, self.presence)
        self.chat = Chat(host.clock)
        self.uses = None if host.library.folder is None else Uses(host.library.folder, host.library.files)
        self.inbox = None if host.library.folder is None else Inbox(host.library.folder, host.library.files)
        self.analysis = AnalysisService()
        self.stopping = asyncio.Event()  # the server stops: whoever waits is let go
        self.leaving = asyncio.Event()  # pages are told to come back: it stops now
        self.announcement = Announcement(host.clock, host.hub.wake_all)
        self.renderer.notice = self.announcement.words
        self.readiness = Readiness(host.store, self.stopping)
        self.turns = TurnRunner(host)
        self.connections = Connections()
        self.metrics = Metrics(
            host, self.turns, self.limits, self.analysis, self.connections, self.readiness.why_not,
            settings.name, settings.folder,
        )  # fmt: skip
        self.fleet = Fleet(self.metrics.here)
        # what goes on until the server stops
        self.beside: list[Callable[[], Coroutine[Any, Any, None]]] = [
            self.turns.run, self.metrics.watch, self._watch_saving,
        ]  # fmt: skip

    def stop(self) -> None:
        """The server stops: it is no longer ready, whoever waits is let go, bots and clocks begin no more turns."""
        self.stopping.set()
        self.turns.stop()

    async def _watch_saving(self) -> None:
        await self.readiness.watch(lambda fails: self.announcement.saving(fails=fails))

    def url(self, path: str) -> str:
        """An address of this server: the sub-path and the path."""
        return f"{self.base}{path}"

    async def table(self, code: str, client: Client) -> Table:
        """The table with this code; Missing if there is none.

        Codes are not to be guessed: an address may miss a few only, and visit so many tables that it has no key for;
        then it is TooMany, without a look whether there is such a table.
        """
        code, address = code.strip().upper().removesuffix("-1"), client.address
        if not CODE.fullmatch(code):
            raise Missing("There is no table {table}.", table=code[:12])
        held = self.seat_cookies.key(client.cookies, code)  # which we have given to this browser
        if not held:
            self.guesses.require_left(address)
        try:
            table = await self._table(code)
        except Missing:
            self.guesses.require(address)
            raise
        if not recognizes(table.setup, client.token or held):
            self.limits.require("visit", address)
        return table

    async def _table(self, code: str) -> Table:
        """The table with this id; where the first game of an evening is forgotten, the newest."""
        try:
            return await self.host.latest(code)
        except Missing:
            found = await self.host.store.games(code)
            if not found:
                raise
            return await self.host.latest(found[-1])

    async def use_decks(self, names: Iterable[str], *, new: bool = False, played: bool = False) -> None:
        """Keep these decks, with which somebody works or has `played`, or which are `new`: played ones as long as a
        class that was taught. Whoever uses a deck is not refused because that cannot be written.
        """
        days = max(self.settings.keep_days, TAUGHT) if played else self.settings.keep_days
        if self.uses is not None:
            with contextlib.suppress(Unsaved, OSError):
                await self.uses.keep(names, self.host.clock() + days * DAY, new=new)

    async def decks_in_use(self) -> set[str]:
        """The names of the decks that running tables play with."""
        return {name async for setup in self.host.store.playing() for name in setup.decks}

    async def forget_decks(self) -> None:
        """Decks that were made in the browser are gone when nobody has used them for long enough."""
        if self.uses is not None:
            unused = self.uses.unused(self.host.clock())
            playing = await self.decks_in_use() if unused else set()
            gone = [name for name in unused if name not in playing]
            for name in gone:
                await self.host.library.delete(name)
            await self.uses.drop(gone)

    def _require_tables(self, tables: int) -> None:
        """Count so many dealt tables for the address that is asking. Raises TooMany if it has opened too many."""
        self.limits.require_left("dealt", ASKING.get())
        self.limits.charge("dealt", ASKING.get(), tables)

    async def _dealt(self, decks: Iterable[str]) -> None:
        await self.use_decks(decks, played=True)

    def require_room(self, client: Client, what: str) -> None:
        """Count a deck or a class ("decks", "classes"), which is kept for weeks. TooMany if this address has made too
        many; the host may make any number.
        """
        if not self.deck_keys.is_host(client.cookies) and not self.limits.take(what, client.address):
            raise TooMany("Too many have been made here. Try again tomorrow, or ask the person who runs this server.")

    async def met(self, table: Table, key: str) -> None:
        """Somebody with this key asks for something: they are here, and play on where a bot was put in for them."""
        self.presence.heard(table.setup, key)
        if any(table.setup.chairs[seat].away for seat in seats_of(table.setup, key)):
            with contextlib.suppress(Unsaved):  # the bot goes on until it can be written that it need not
                await self.host.change(table.id, lambda setup: back(setup, key) if seats_of(setup, key) else setup)

        await self.hand_over(table)

    def passes_on(self, table: Table) -> bool:
        """Whether somebody else has to decide at this table than does now."""
        return table.setup.stage != "closed" and self.presence.heir(table.setup) != table.setup.deputy

    async def hand_over(self, table: Table) -> None:
        """What who opened the table may do goes to who stands in for them, and comes back with them."""
        if self.passes_on(table):
            with contextlib.suppress(Unsaved):
                await self.host.change(table.id, lambda setup: replace(setup, deputy=self.presence.heir(setup)))

    async def newest(self, table: Table) -> Table:
        """The newest game of the evening that this one belongs to. (Before games were numbered, each had a code.)"""
        with contextlib.suppress(Missing):
            while table.setup.rematch:
                table = await self.host.table(table.setup.rematch)
                if games := await self.host.store.games(code_of(table.id)):
                    table = await self.host.table(games[-1])
        return table

    def actor(self, client: Client, code: str = "") -> Actor:
        """The client as somebody at the table of this code; "" for a table that is still to be opened."""
        return actor_of(client, code, self.seat_cookies, self.deck_keys, self.host.library)

    async def news(self, table: Table, entry: int, revision: int) -> Table:
        """The table as soon as it has a later entry, or its setup a later revision, than these, or patience ends.

        Both are what the program was shown last: what came between that and this call is news, too.
        """
        with self.host.hub.listen(table.id) as news:
            stopping = asyncio.ensure_future(self.stopping.wait())
            try:
                deadline = asyncio.get_running_loop().time() + PATIENCE
                back = table.seq < entry  # the store has lost what the program was shown
                while not back and table.seq <= entry and table.setup.rev <= revision and not self.stopping.is_set():
                    left = deadline - asyncio.get_running_loop().time()
                    if left <= 0:
                        break
                    heard = asyncio.ensure_future(news.wait())
                    await asyncio.wait({heard, stopping}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                    heard.cancel()
                    table = await self.host.table(table.id)
            finally:
                stopping.cancel()
        return await self.host.table(table.id)
