"""The services of a running server: tables, keys, limits, views, presence.

They are assembled once, at the start. Nothing about a single request is kept here.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.classroom.classrooms import TAUGHT, Classrooms
from spieltisch.classroom.desk import Desk
from spieltisch.classroom.keys import ClassKeys
from spieltisch.cluster.fleet import Fleet
from spieltisch.cluster.peers import Part, Peers
from spieltisch.decks.inbox import Inbox
from spieltisch.decks.uses import DAY, Uses
from spieltisch.privacy.retention import CLASS_HOURS, KEEP_DAYS
from spieltisch.table.analysis import AnalysisService
from spieltisch.table.chairs import back
from spieltisch.table.evening import code_of
from spieltisch.table.host import Host, Missing
from spieltisch.table.patience import left_to_look
from spieltisch.table.reminders import ReminderService
from spieltisch.table.seat_keys import seats_of
from spieltisch.table.signing import Signer
from spieltisch.table.store import Unsaved
from spieltisch.table.table import Table
from spieltisch.table.turns import TurnRunner
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.access.deck_keys import DeckKeys, Renewals
from spieltisch.web.core.access.held_keys import ClassCookies, Holders, SeatCookies
from spieltisch.web.core.announcement import Announcement
from spieltisch.web.core.chat import Chat
from spieltisch.web.core.heavy import HeavyWork
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.connections import Connections
from spieltisch.web.core.http.cookies import Cookies
from spieltisch.web.core.http.guesses import Guesses
from spieltisch.web.core.http.problems import TooMany
from spieltisch.web.core.http.queues import Shares
from spieltisch.web.core.http.rate_limits import ASKING, RateLimits
from spieltisch.web.core.mailing import server_at
from spieltisch.web.core.metrics import Metrics
from spieltisch.web.core.outgoing import Hosts
from spieltisch.web.core.presence import Presence
from spieltisch.web.core.readiness import Readiness
from spieltisch.web.core.reminding import Reminding
from spieltisch.web.core.renderer import Renderer
from spieltisch.web.core.view.fragments import FragmentCache

PATIENCE = 25.0  # seconds a program may wait for news
NOTED = 1.0  # seconds for which a request waits at most until it is noted who is present


class Settings(Struct, frozen=True):
    """How the server was started."""

    secret: bytes
    folder: Path | None = None  # data folder
    name: str = ""  # of this process in metrics: host and port
    root_path: str = ""  # the sub-path, "" or like /games
    proxies: tuple[str, ...] = ()  # trusted to name host, scheme and client
    origin: str = ""  # scheme and host of the server, if set
    keep_days: float = KEEP_DAYS
    class_hours: float = CLASS_HOURS  # from the end of a lesson until its names are deleted
    operator: str = ""  # the name of the host, as they give it
    in_database: bool = False  # tables are in PostgreSQL
    webhooks: tuple[str, ...] = ()  # hosts that may be told whose turn it is
    mail: str = ""  # address of the mail server, with its password; "" if there is none
    mail_from: str = ""
    most_decks: int = 1_000  # made in the browser
    limits: bool = True
    fresh: bool = False  # read templates at each request, for development
    lan: str = ""  # the address for other machines, used in links instead of localhost


class Services:
    """Everything routes and commands need besides the request."""

    def __init__(
        self, host: Host, settings: Settings, heavy: HeavyWork | None = None, peers: Peers | None = None
    ) -> None:
        peers = peers or Peers()
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
        self.announcement = Announcement(host.clock, host.hub.wake_all, peers.part("restart"))
        self.hosts = Hosts(settings.webhooks)
        self.mails = bool(settings.mail)  # whether people can be told by mail
        self.renderer = Renderer(
            settings.root_path, fresh=settings.fresh, notice=self.announcement.words,
            reminds=bool(self.hosts) or self.mails,
        )  # fmt: skip
        self.reminding = Reminding(
            host, self.hosts, server_at(settings.mail, settings.mail_from) if self.mails else None, signer, self.limits,
            f"{settings.origin}{settings.root_path}",
        )  # fmt: skip
        self.reminders = ReminderService(host, self.reminding.send)
        self.presence = Presence(host.clock, lambda table: host.hub.wake(table, 0), peers.part("here"), host.screens)
        self.fragments = FragmentCache(self.renderer, self.presence)
        self.chat = Chat(host.clock, peers.part("voice"))
        self.uses = None if host.library.folder is None else Uses(host.library.folder, host.library.files)
        self.inbox = None if host.library.folder is None else Inbox(host.library.folder, host.library.files)
        self.analysis = AnalysisService()
        self.stopping = asyncio.Event()  # set when the server stops: long polls end
        self.leaving = asyncio.Event()  # set when pages are told to reconnect
        self.readiness = Readiness(host.store, self.stopping)
        self.turns = TurnRunner(host)
        self.connections = Connections()
        self.metrics = Metrics(
            host, self.turns, self.limits, self.analysis, self.connections, self.readiness.why_not, peers,
            settings.name, settings.folder,
        )  # fmt: skip
        self.fleet = Fleet(self.metrics.here, peers.part("fleet"))
        self.parts: dict[str, Part] = {  # each hears other servers under the name it tells them by
            "voice": self.chat, "here": self.presence, "restart": self.announcement, "fleet": self.fleet,
        }  # fmt: skip
        # tasks that run until the server stops
        self.beside: list[Callable[[], Coroutine[object, object, None]]] = [
            self.turns.run, self.metrics.watch, self._watch_saving, self.reminders.run,
        ]  # fmt: skip

    def stop(self) -> None:
        """Begin to stop: not ready any more, long polls end, bots and clocks begin no more turns."""
        self.stopping.set()
        self.turns.stop()

    async def _watch_saving(self) -> None:
        await self.readiness.watch(lambda fails: self.announcement.saving(fails=fails))

    def url(self, path: str) -> str:
        """Return a path with the server's sub-path."""
        return f"{self.base}{path}"

    async def use_decks(self, names: Iterable[str], *, new: bool = False, played: bool = False) -> None:
        """Extend the life of these decks, which somebody edits, has `played`, or has just made (`new`). Played ones are
        kept as long as a class that was taught. If that cannot be saved, the caller goes on all the same.
        """
        days = max(self.settings.keep_days, TAUGHT) if played else self.settings.keep_days
        if self.uses is not None:
            with contextlib.suppress(Unsaved, OSError):
                await self.uses.keep(names, self.host.clock() + days * DAY, new=new)

    async def decks_in_use(self) -> set[str]:
        """Return the names of decks in use at running tables."""
        return {name async for setup in self.host.store.playing() for name in setup.decks}

    async def forget_decks(self) -> None:
        """Delete decks made in the browser that nobody has used for long enough."""
        if self.uses is not None:
            unused = self.uses.unused(self.host.clock())
            playing = await self.decks_in_use() if unused else set()
            gone = [name for name in unused if name not in playing]
            for name in gone:
                await self.host.library.delete(name)
            await self.uses.drop(gone)

    def _require_tables(self, tables: int) -> None:
        """Count this many dealt tables for the asking address. Raises TooMany if it has opened too many."""
        self.limits.require_left("dealt", ASKING.get())
        self.limits.charge("dealt", ASKING.get(), tables)

    async def _dealt(self, decks: Iterable[str]) -> None:
        await self.use_decks(decks, played=True)

    def require_room(self, client: Client, what: str) -> None:
        """Count a new deck or class ("decks", "classes"). Raises TooMany if this address has made too many; the host
        may make any number.
        """
        if not self.deck_keys.is_host(client.cookies) and not self.limits.take(what, client.address):
            raise TooMany(
                "Too many have been made from this address. Try again tomorrow, or ask the host of this server."
            )

    async def met(self, table: Table, key: str) -> None:
        """Note that the holder of this key is present. They take over again from a bot that stood in."""
        self.presence.heard(table.setup, key)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(NOTED, left_to_look())):
                await self._take_over(table, key)

    async def _take_over(self, table: Table, key: str) -> None:
        if any(table.setup.chairs[seat].away for seat in seats_of(table.setup, key)):
            with contextlib.suppress(Unsaved):  # until this can be saved, the bot plays on
                await self.host.change(table.id, lambda setup: back(setup, key) if seats_of(setup, key) else setup)
        await self.hand_over(table)

    def passes_on(self, table: Table) -> bool:
        """Whether the owner's rights at this table should pass on or come back."""
        return table.setup.stage != "closed" and self.presence.heir(table.setup) != table.setup.deputy

    async def hand_over(self, table: Table) -> None:
        """Pass the owner's rights to whoever stands in for them, or back."""
        if self.passes_on(table):
            with contextlib.suppress(Unsaved):
                await self.host.change(table.id, lambda setup: replace(setup, deputy=self.presence.heir(setup)))

    async def newest(self, table: Table) -> Table:
        """Return the newest game of this table's evening. (Old games have a code each, not a number.)"""
        with contextlib.suppress(Missing):
            while table.setup.rematch:
                table = await self.host.table(table.setup.rematch)
                if games := await self.host.store.games(code_of(table.id)):
                    table = await self.host.table(games[-1])
        return table

    def actor(self, client: Client, code: str = "") -> Actor:
        """Return the client as an actor at the table of this code; "" for a table about to be opened."""
        readable, held = self.deck_keys.opened(client.cookies, self.host.library)
        return Actor(
            key=(client.token or self.seat_cookies.key(client.cookies, code)) if code else "",
            lang=client.lang,
            name=client.name,
            decks=readable,
            made=held,
            address=client.address,
            origin=client.origin,
            terms=client.terms,
        )

    async def news(self, table: Table, entry: int, revision: int) -> Table:
        """Return the table once it stands at another entry or has a later revision, or after PATIENCE seconds.

        `entry` and `revision` are what the program saw last, so news since then returns at once.
        """
        with self.host.hub.listen(table.id) as news:
            stopping = asyncio.ensure_future(self.stopping.wait())
            try:
                deadline = asyncio.get_running_loop().time() + PATIENCE
                # Fewer entries are news, too: a standby that takes over may lack some that the program saw.
                while table.seq == entry and table.setup.rev <= revision and not self.stopping.is_set():
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
