"""The keys of decks and of whoever runs the server, and the cookies that hold them.

The key of a deck is its name signed with the server's secret, so nothing is kept of it but how often it was renewed.
Who has it may look at the deck's backs, change it, and put it on a table while it is private. The host makes it with
`spieltisch deck link`. The host's own key opens every deck and the host's page; `serve` and `spieltisch link` print it.
"""

from collections.abc import Mapping

from litestar.datastructures import Cookie

from spieltisch.decks import library
from spieltisch.decks.library import Library
from spieltisch.table.signing import Signer
from spieltisch.web.access.renewals import Renewals
from spieltisch.web.http.cookies import Cookies

PREFIX = "spieltisch_deck_"
HOST = "spieltisch_host"
MADE = "spieltisch_made"  # the deck that was made just now


class DeckKeys:
    """Makes and reads the keys of decks and of the host."""

    def __init__(self, signer: Signer, cookies: Cookies, renewals: Renewals) -> None:
        self._signer = signer
        self._cookies = cookies
        self._renewals = renewals

    def key(self, name: str) -> str:
        """The key of the deck of this name, 22 characters."""
        return self._key(f"deck {name}")

    def host_key(self) -> str:
        """The key of whoever runs the server, 22 characters."""
        return self._key("host")

    def metrics_key(self) -> str:
        """The key for the server's figures, 22 characters: it opens nothing else."""
        return self._key("metrics")

    async def renew(self, name: str) -> None:
        """The deck gets another key; the old one opens nothing any more. OSError, or Unsaved, where that cannot be
        kept.
        """
        await self._renewals.renew(f"deck {name}")

    async def renew_host(self) -> None:
        """The host has other keys, also for the figures. OSError, or Unsaved, as above."""
        await self._renewals.renew("host", "metrics")

    def opens(self, key: str, name: str) -> bool:
        """Whether this is the key of that deck."""
        return self._is_key(key, f"deck {name}")

    def opens_host(self, key: str) -> bool:
        """Whether this is the host's key."""
        return self._is_key(key, "host")

    def opens_metrics(self, key: str) -> bool:
        """Whether this is the key for the server's figures."""
        return self._is_key(key, "metrics")

    def _key(self, what: str) -> str:
        return self._signer.sign(self._renewals.signed(what))

    def _is_key(self, key: str, what: str) -> bool:
        return self._signer.is_signature(key, self._renewals.signed(what))

    def is_host(self, jar: Mapping[str, str]) -> bool:
        """Whether this browser has the host's key."""
        return HOST in jar and self.opens_host(jar[HOST])

    def held(self, jar: Mapping[str, str]) -> tuple[str, ...]:
        """The decks whose keys this browser has."""
        names = (name.removeprefix(PREFIX) for name in sorted(jar) if name.startswith(PREFIX))
        return tuple(name for name in names if self.opens(jar[PREFIX + name], name))

    def readable(self, jar: Mapping[str, str], decks: Library) -> tuple[str, ...]:
        """The decks whose backs this browser may see: those that it has the key of, for the host all."""
        return (*decks.own(), *library.shipped()) if self.is_host(jar) else self.held(jar)

    def hold(self, name: str, *, secure: bool) -> Cookie:
        """The cookie that gives a browser the key of a deck."""
        return self._cookies.keep(PREFIX + name, self.key(name), secure=secure)

    def hold_host(self, *, secure: bool) -> Cookie:
        """The cookie that gives a browser the host's key."""
        return self._cookies.keep(HOST, self.host_key(), secure=secure)

    def note_made(self, name: str, *, secure: bool) -> Cookie:
        """The cookie that says that a deck was made just now: its page shows the key open, once."""
        return self._cookies.until_closed(MADE, name, secure=secure)

    def made(self, jar: Mapping[str, str]) -> str:
        """The deck that this browser made just now, and whose page it has not seen yet."""
        return jar.get(MADE, "")

    def drop_made(self) -> Cookie:
        """The cookie that says that the page was seen."""
        return self._cookies.drop(MADE)

    def drop(self, name: str) -> Cookie:
        """The cookie that takes a deck's key away."""
        return self._cookies.drop(PREFIX + name)
