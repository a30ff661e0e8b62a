"""Who made a deck, and who runs the server: keys like those of seats, and the cookies that hold them.

The key of a deck is its name signed with the server's secret, so nothing is kept of it. Who has it may look at the
deck's backs, change it, and put it on a table while it is private. The host makes it with `spieltisch deck link`.
The host's own key opens every deck and the inbox of reported cards; `serve` prints its address.
"""

import base64
import hmac
from collections.abc import Mapping

from litestar.datastructures import Cookie

from spieltisch.web.seats import AGE

PREFIX = "spieltisch_deck_"
HOST = "spieltisch_host"


class Makers:
    """Makes and reads the keys of decks."""

    def __init__(self, secret: bytes, base: str) -> None:
        self._secret = secret
        self._path = base or "/"

    def key(self, name: str) -> str:
        """The key of the deck of this name, 22 signs."""
        return self._signed(f"deck {name}")

    def host_key(self) -> str:
        """The key of whoever runs the server, 22 signs."""
        return self._signed("host")

    def _signed(self, what: str) -> str:
        mac = hmac.digest(self._secret, what.encode(), "sha256")[:16]
        return base64.urlsafe_b64encode(mac).decode().rstrip("=")

    def opens(self, key: str, name: str) -> bool:
        """Whether this is the key of that deck."""
        return hmac.compare_digest(key.encode(), self.key(name).encode())

    def is_host(self, key: str) -> bool:
        """Whether this is the host's key."""
        return hmac.compare_digest(key.encode(), self.host_key().encode())

    def held(self, jar: Mapping[str, str]) -> tuple[str, ...]:
        """The decks whose keys this browser has."""
        names = (name.removeprefix(PREFIX) for name in sorted(jar) if name.startswith(PREFIX))
        return tuple(name for name in names if self.opens(jar[PREFIX + name], name))

    def hold(self, name: str, *, secure: bool) -> Cookie:
        """The cookie that gives a browser the key of a deck."""
        return self._cookie(PREFIX + name, self.key(name), secure=secure)

    def hold_host(self, *, secure: bool) -> Cookie:
        """The cookie that gives a browser the host's key."""
        return self._cookie(HOST, self.host_key(), secure=secure)

    def _cookie(self, name: str, value: str, *, secure: bool) -> Cookie:
        return Cookie(name, value=value, path=self._path, max_age=AGE, httponly=True, secure=secure, samesite="lax")

    def drop(self, name: str) -> Cookie:
        """The cookie that takes it away."""
        return Cookie(PREFIX + name, value="", path=self._path, max_age=0, httponly=True, samesite="lax")
