"""What runs while the server runs: the tables' host, keys, limits, views, and who is at a table now.

Assembled once, at the start; nothing of a request is kept here.
"""

import asyncio

from msgspec import Struct

from spieltisch.decks.inbox import Inbox
from spieltisch.table.analysis import AnalysisService
from spieltisch.table.host import Host, Missing
from spieltisch.table.table import Table
from spieltisch.web.access.actor import Actor, actor_of
from spieltisch.web.access.deck_keys import DeckKeys
from spieltisch.web.access.seat_keys import SeatKeys
from spieltisch.web.access.signing import Signer
from spieltisch.web.chat import Chat
from spieltisch.web.http.client import Client
from spieltisch.web.http.cookies import Cookies
from spieltisch.web.http.rate_limits import RateLimits
from spieltisch.web.presence import Presence
from spieltisch.web.view.past import PastViews
from spieltisch.web.view.renderer import Renderer
from spieltisch.web.view.tables import TableViews

PATIENCE = 25.0  # seconds that a program may wait for news


class Settings(Struct, frozen=True):
    """How the server was started."""

    secret: bytes
    root_path: str = ""  # the sub-path, "" or like /games
    trusted: bool = False  # a proxy in front names host and scheme
    keep_days: float = 30.0
    limits: bool = True
    fresh: bool = False  # read templates anew, for those who write them
    lan: str = ""  # the address for others in the network, where somebody looks at localhost


class Services:
    """Everything that routes and commands need besides the request."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self.host = host
        self.settings = settings
        self.base = settings.root_path
        signer, self.cookies = Signer(settings.secret), Cookies(settings.root_path)
        self.seat_keys = SeatKeys(signer, self.cookies)
        self.deck_keys = DeckKeys(signer, self.cookies)
        self.limits = RateLimits(enabled=settings.limits)
        self.renderer = Renderer(settings.root_path, fresh=settings.fresh)
        self.views = TableViews(self.renderer, host.library, host.clock)
        self.past = PastViews(self.renderer, self.views.fragments)
        self.presence = Presence()
        self.chat = Chat()
        self.inbox = None if host.library.folder is None else Inbox(host.library.folder)
        self.analysis = AnalysisService()
        self.stopping = asyncio.Event()  # the server stops: whoever waits is let go

    def url(self, path: str) -> str:
        """An address of this server: the sub-path and the path."""
        return f"{self.base}{path}"

    async def table(self, code: str, address: str) -> Table:
        """The table with this code; Missing if there is none. Codes are guessed as seldom as possible: an address may
        miss a few only, then it is TooMany.
        """
        code = code.strip().upper()
        if not (code.isascii() and code.isalnum() and len(code) <= 12):
            raise Missing("There is no table {table}.", table=code[:12])
        try:
            return await self.host.table(code)
        except Missing:
            self.limits.require("guess", address)
            raise

    def actor(self, client: Client, code: str = "") -> Actor:
        """The client as somebody at the table of this code; "" for a table that is still to be opened."""
        return actor_of(client, code, self.seat_keys, self.deck_keys, self.host.library)

    async def news(self, table: Table, entry: int, revision: int) -> Table:
        """The table as soon as it has a later entry, or its setup a later revision, than these, or patience ends.

        Both are what the program was shown last: what came between that and this call is news, too.
        """
        with self.host.hub.listen(table.id) as news:
            stopping = asyncio.ensure_future(self.stopping.wait())
            try:
                deadline = asyncio.get_running_loop().time() + PATIENCE
                while table.seq <= entry and table.setup.rev <= revision and not self.stopping.is_set():
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
