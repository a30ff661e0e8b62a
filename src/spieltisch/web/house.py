"""What the pages share while the server runs, and who is asking."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Generator, Mapping
from typing import Any
from urllib.parse import unquote

import msgspec
from litestar.connection import ASGIConnection
from msgspec import Struct

from spieltisch import i18n
from spieltisch.decks import library
from spieltisch.decks.inbox import Inbox
from spieltisch.i18n import Terms, Translator
from spieltisch.table.host import Host
from spieltisch.table.log import TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.web import device, guard, seats
from spieltisch.web.counsel import Counsel
from spieltisch.web.fragments import Fragments
from spieltisch.web.frame import Viewer
from spieltisch.web.makers import HOST, Makers
from spieltisch.web.render import Pages
from spieltisch.web.talk import Talk

NAME = "spieltisch_name"  # the cookie that remembers how one calls oneself
LANGUAGE = "spieltisch_lang"
TERMS = "spieltisch_terms"  # the cookie that remembers names and order, with a point between them


class Settings(Struct, frozen=True):
    """How the server was started."""

    secret: bytes
    root_path: str = ""  # the sub-path, "" or like /games
    trusted: bool = False  # a proxy in front names host and scheme
    keep_days: float = 30.0
    limits: bool = True
    fresh: bool = False  # read templates anew, for those who write them
    lan: str = ""  # the address for others in the house, where somebody looks at localhost


class House:
    """Everything that routes need besides the request."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self.host = host
        self.settings = settings
        self.base = settings.root_path
        self.pages = Pages(settings.root_path, fresh=settings.fresh)
        self.fragments = Fragments(self.pages)
        self.cookies = seats.Cookies(settings.secret, settings.root_path)
        self.makers = Makers(settings.secret, settings.root_path)
        self.buckets = guard.Buckets() if settings.limits else None
        self._looking: Counter[tuple[str, str]] = Counter()  # the open pages of a table, by who has them
        self.talk = Talk()
        self.inbox = None if host.library.folder is None else Inbox(host.library.folder)
        self.counsel = Counsel()
        self.ending = asyncio.Event()  # the server stops: whoever waits is let go

    def url(self, code: str) -> str:
        """A table's address on this server."""
        return f"{self.base}/t/{code}"

    @contextlib.contextmanager
    def looking(self, code: str, key: str) -> Generator[None]:
        """While a page of the table is open with this key."""
        who = (code, key_of(key))
        self._looking[who] += 1
        try:
            yield
        finally:
            self._looking[who] -= 1
            if not self._looking[who]:
                del self._looking[who]

    def is_here(self, code: str, key_hash: str) -> bool:
        """Whether whose key this is the hash of has a page of the table open (at this server)."""
        return (code, key_hash) in self._looking

    def allows(self, kind: str, address: str, burst: float, rate: float) -> bool:
        """Whether this address may do this once more."""
        return self.buckets is None or self.buckets.take(kind, address, burst, rate)


class Asker:
    """Who asks: language, name, keys. Made anew for each request from what it brings."""

    def __init__(self, connection: ASGIConnection[Any, Any, Any, Any], house: House) -> None:
        self._house = house
        self._scope = connection.scope
        self.jar: Mapping[str, str] = connection.cookies
        chosen = self.jar.get(LANGUAGE, "")
        spoken = guard.header(connection.scope, b"accept-language")
        self.lang = chosen if chosen in i18n.LANGUAGES else i18n.accepted(spoken)
        self.name = unquote(self.jar.get(NAME, ""))[:24]
        kind, _, token = guard.header(connection.scope, b"authorization").partition(" ")
        self.token = token.strip() if kind.lower() == "bearer" else ""
        self.wants_json = _wants_json(guard.header(connection.scope, b"accept"))
        self.sends_json = guard.header(connection.scope, b"content-type").startswith("application/json")

    @property
    def tr(self) -> Translator:
        return i18n.common_translator(self.lang)

    @property
    def terms(self) -> Terms:
        """How this reader wants to have terms called and ordered."""
        names, _, order = self.jar.get(TERMS, "").partition(".")
        try:
            return msgspec.convert({"names": names, "order": order}, Terms)
        except msgspec.ValidationError:
            return Terms()

    @property
    def is_host(self) -> bool:
        """Whether this browser has the key of whoever runs the server."""
        return self._house.makers.is_host(self.jar.get(HOST, ""))

    @property
    def made(self) -> tuple[str, ...]:
        """The decks that this browser has the key of."""
        return self._house.makers.held(self.jar)

    @property
    def decks(self) -> tuple[str, ...]:
        """The decks of which this browser may see the backs: those that it has the key of, for the host all."""
        return (*self._house.host.library.own(), *library.shipped()) if self.is_host else self.made

    @property
    def address(self) -> str:
        """Whose request it is, for counting."""
        return guard.address_of(self._scope)

    @property
    def here(self) -> str:
        """The path of this page, below the sub-path."""
        return str(self._scope["path"])

    @property
    def secure(self) -> bool:
        return self._scope["scheme"] in {"https", "wss"}

    @property
    def origin(self) -> str:
        """Scheme and host as others can reach them: of use in links and QR codes."""
        host = self._scope["state"].get("host", "") or "localhost"
        name = host.rsplit(":", 1)[0].strip("[]")
        if name in {"localhost", "127.0.0.1", "::1"} and self._house.settings.lan:
            return self._house.settings.lan
        return f"{'https' if self.secure else 'http'}://{host}"

    def viewer(self, table: Table, *, screen: bool = False) -> Viewer:
        """What a table's drawing depends on."""
        if screen:
            return Viewer(None, self.lang, screen=True, origin=self.origin, terms=self.terms)
        setup, key = table.setup, self.key(table.id)
        mine, owner = seats.seats_of(setup, key), seats.owns(setup, key)
        seat, shared = device.eyes(table, mine), mine if len(mine) > 1 else ()
        waiting = setup.stage == "waiting"
        decks, made = self.decks if owner and waiting else (), self.made if waiting else ()
        own = key if seats.recognizes(setup, key) else ""
        return Viewer(
            seat, self.lang, owner=owner, origin=self.origin, key=own, decks=decks, made=made, terms=self.terms,
            shared=shared,
        )  # fmt: skip

    def key(self, code: str) -> str:
        """The key that this browser or program has for the table, "" if none."""
        return self.token or self._house.cookies.key(self.jar, code)

    def seat(self, table: Table) -> int | None:
        """The seat with whose eyes this browser or program sees the table."""
        return device.eyes(table, seats.seats_of(table.setup, self.key(table.id)))

    def owns(self, setup: TableSetup) -> bool:
        return seats.owns(setup, self.key(setup.id))


def _wants_json(accept: str) -> bool:
    """Programs ask for JSON; browsers for text/html, and take anything besides."""
    return "application/json" in accept or "application/problem+json" in accept
