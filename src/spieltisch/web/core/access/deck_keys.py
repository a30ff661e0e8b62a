"""The keys of decks and of the host, and the cookies that hold them.

The key of a deck is its name signed with the server's secret, so only the number of renewals is stored. Its holder may
see the deck's backs, change the deck, and play with it while it is private. The host makes it with `spieltisch deck
link`. The host's own key opens every deck and the host's page; `serve` and `spieltisch link` print it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from litestar.datastructures import Cookie

from spieltisch import paths
from spieltisch.decks import library
from spieltisch.decks.files import Files, read_json, version
from spieltisch.decks.library import Library
from spieltisch.table.signing import Signer
from spieltisch.web.core.http.cookies import Cookies

DECK = "spieltisch_deck_"
HOST = "spieltisch_host"
MADE = "spieltisch_made"  # the deck that was made just now


class Renewals:
    """How often keys that are made from the server's secret were renewed, in a file beside the decks: the server and
    the command line can both write it, also while the server runs. Without a folder nothing can be renewed.
    """

    def __init__(self, folder: Path | None, files: Files) -> None:
        self._file = None if folder is None else folder / paths.KEYS
        self._files = files
        self._read: tuple[int, dict[str, int]] = (0, {})

    def signed(self, what: str) -> str:
        """Return the text that a key for this signs."""
        times = self._times().get(what, 0)
        return f"{what} #{times}" if times else what

    async def renew(self, *whats: str) -> None:
        """Make other keys for these from now on. Raises OSError or Unsaved if that cannot be written."""
        if self._file is None:
            raise FileNotFoundError(paths.KEYS)
        written = False
        while not written:  # another process may be renewing another key
            times = self._times()
            more = msgspec.json.encode(times | {what: times.get(what, 0) + 1 for what in whats})
            written = await self._files.put(self._file, more, self._read[0])

    def _times(self) -> dict[str, int]:
        """Return the counts. Raises DataError if the file is damaged, so that no old key works again by that."""
        if self._file is None:
            return {}
        if (now := version(self._file)) != self._read[0]:
            self._read = (now, read_json(self._file, dict[str, int], {}))
        return self._read[1]


class OpenedDecks(NamedTuple):
    """The decks that a browser's keys open."""

    readable: tuple[str, ...]  # it may see their backs; for the host these are all
    held: tuple[str, ...]  # it has their own keys


class DeckKeys:
    """Makes and checks the keys of decks and of the host."""

    def __init__(self, signer: Signer, cookies: Cookies, renewals: Renewals) -> None:
        self._signer = signer
        self._cookies = cookies
        self._renewals = renewals

    def key(self, name: str) -> str:
        """Return the key of this deck, 22 characters."""
        return self._key(f"deck {name}")

    def host_key(self) -> str:
        """Return the host's key, 22 characters."""
        return self._key("host")

    def metrics_key(self) -> str:
        """Return the key for /metrics, 22 characters. It opens nothing else."""
        return self._key("metrics")

    async def renew(self, name: str) -> None:
        """Give the deck another key. Raises OSError or Unsaved if that cannot be written."""
        await self._renewals.renew(f"deck {name}")

    async def renew_host(self) -> None:
        """Give the host other keys, also for /metrics. Raises OSError or Unsaved if that cannot be written."""
        await self._renewals.renew("host", "metrics")

    def opens(self, key: str, name: str) -> bool:
        """Whether this is the key of that deck."""
        return self._is_key(key, f"deck {name}")

    def opens_host(self, key: str) -> bool:
        """Whether this is the host's key."""
        return self._is_key(key, "host")

    def opens_metrics(self, key: str) -> bool:
        """Whether this is the key for /metrics."""
        return self._is_key(key, "metrics")

    def _key(self, what: str) -> str:
        return self._signer.sign(self._renewals.signed(what))

    def _is_key(self, key: str, what: str) -> bool:
        return self._signer.is_signature(key, self._renewals.signed(what))

    def is_host(self, jar: Mapping[str, str]) -> bool:
        """Whether this browser has the host's key."""
        return HOST in jar and self.opens_host(jar[HOST])

    def held(self, jar: Mapping[str, str]) -> tuple[str, ...]:
        """Return the decks whose keys this browser has."""
        names = (name.removeprefix(DECK) for name in sorted(jar) if name.startswith(DECK))
        return tuple(name for name in names if self.opens(jar[DECK + name], name))

    def opened(self, jar: Mapping[str, str], decks: Library) -> OpenedDecks:
        """Return the decks that this browser's keys open."""
        held = self.held(jar)
        return OpenedDecks((*decks.own(), *library.shipped()) if self.is_host(jar) else held, held)

    def hold(self, name: str, *, secure: bool) -> Cookie:
        """Return the cookie with a deck's key."""
        return self._cookies.keep(DECK + name, self.key(name), secure=secure)

    def hold_host(self, *, secure: bool) -> Cookie:
        """Return the cookie with the host's key."""
        return self._cookies.keep(HOST, self.host_key(), secure=secure)

    def note_made(self, name: str, *, secure: bool) -> Cookie:
        """Return the cookie that lets the page of a new deck show its key, once."""
        return self._cookies.until_closed(MADE, name, secure=secure)

    def made(self, jar: Mapping[str, str]) -> str:
        """Return the deck that this browser has just made, until its page was shown."""
        return jar.get(MADE, "")

    def drop_made(self) -> Cookie:
        """Return the cookie that ends that."""
        return self._cookies.drop(MADE)

    def drop(self, name: str) -> Cookie:
        """Return the cookie that takes a deck's key away."""
        return self._cookies.drop(DECK + name)
