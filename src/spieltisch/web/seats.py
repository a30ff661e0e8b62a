"""Who may do what at a table: keys, and the cookies that hold them.

A *key* is 128 random bits, made for one browser (or program) and one table. The table's plan holds only its
SHA-256: as a chair's `key` for who sits there, as `owner` for who opened the table. A browser keeps its key in
a cookie of that table, `spieltisch-CODE`, http-only and signed with the server's secret: so no script reads it,
and a cookie of another server on the same host is not taken for ours. One cookie a table, not one for all: two
pages that open tables at the same moment cannot overwrite each other's seats.
"""

import base64
import hmac
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

from litestar.datastructures import Cookie

from spieltisch.table.log import Chair, TableSetup, key_of

PREFIX = "spieltisch-"
AGE = 90 * 24 * 3600  # seconds that a browser keeps a seat
MOST = 30  # cookies of tables a browser is given; the oldest finished ones go first


def new_key() -> str:
    """A fresh key, 22 signs."""
    return secrets.token_urlsafe(16)


def seats_of(setup: TableSetup, key: str) -> tuple[int, ...]:
    """The seats that this key opens at the table: more than one where people share a device."""
    if not key:
        return ()
    wanted = key_of(key)
    return tuple(
        seat
        for seat, chair in enumerate(setup.chairs)
        if chair.kind == "person" and chair.key and hmac.compare_digest(chair.key, wanted)
    )


def seat_of(setup: TableSetup, key: str) -> int | None:
    """The (first) seat that this key opens at the table."""
    return next(iter(seats_of(setup, key)), None)


def lent_by(setup: TableSetup, key: str) -> int | None:
    """The seat that this key can take back: somebody else plays there meanwhile."""
    if not key:
        return None
    wanted = key_of(key)
    for seat, chair in enumerate(setup.chairs):
        if chair.lender is not None and hmac.compare_digest(chair.lender.key, wanted):
            return seat
    return None


def can_be_taken(setup: TableSetup, chair: Chair) -> bool:
    """Whether whoever comes may sit down here. In a running game a bot makes room, too."""
    return chair.kind == "free" or (setup.stage == "playing" and (chair.kind == "bot" or chair.offered))


def recognizes(setup: TableSetup, key: str) -> bool:
    """Whether the table knows this key: it opens a seat, can take one back, or opened the table."""
    return seat_of(setup, key) is not None or lent_by(setup, key) is not None or owns(setup, key)


def owns(setup: TableSetup, key: str) -> bool:
    """Whether the table was opened with this key."""
    return bool(key and setup.owner) and hmac.compare_digest(setup.owner, key_of(key))


def secret_of(folder: Path) -> bytes:
    """The server's secret, made at the first start and kept readable for this user only."""
    file = folder / "secret"
    if not file.exists():
        draft = folder / f"secret.{secrets.token_hex(4)}"
        draft.touch(mode=0o600)
        draft.write_bytes(secrets.token_bytes(32))
        try:
            file.hardlink_to(draft)  # of two servers that start at once, one makes the secret
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return file.read_bytes()


class Cookies:
    """Reads and writes the cookies that hold keys."""

    def __init__(self, secret: bytes, base: str) -> None:
        self._secret = secret
        self._path = base or "/"

    def _sign(self, code: str, key: str) -> str:
        mac = hmac.digest(self._secret, f"{code} {key}".encode(), "sha256")[:16]
        return base64.urlsafe_b64encode(mac).decode().rstrip("=")

    def key(self, jar: Mapping[str, str], code: str) -> str:
        """The browser's key for a table, "" if it has none (or not from us)."""
        key, _, signature = jar.get(PREFIX + code, "").partition(".")
        good = bool(signature) and hmac.compare_digest(signature.encode(), self._sign(code, key).encode())
        return key if good else ""

    def tables(self, jar: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """The codes of the tables that this browser has a key for, with the key."""
        for name in jar:
            if name.startswith(PREFIX):
                code = name.removeprefix(PREFIX)
                if key := self.key(jar, code):
                    yield code, key

    def hold(self, code: str, key: str, *, secure: bool) -> Cookie:
        """The cookie that gives a browser its key."""
        return self.plain(PREFIX + code, f"{key}.{self._sign(code, key)}", secure=secure)

    def drop(self, code: str) -> Cookie:
        """The cookie that takes a key away."""
        return Cookie(PREFIX + code, value="", path=self._path, max_age=0, httponly=True, samesite="lax")

    def plain(self, name: str, value: str, *, secure: bool) -> Cookie:
        """A cookie as all of ours are."""
        return Cookie(name, value=value, path=self._path, max_age=AGE, httponly=True, secure=secure, samesite="lax")
