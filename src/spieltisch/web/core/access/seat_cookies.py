"""The cookies that hold the keys of seats.

A browser keeps its key in a cookie of that table, `spieltisch-CODE`, http-only and signed with the server's secret. So
no script reads it, and a cookie of another server on the same host is not taken for ours. Each table has a cookie of
its own: two pages that open tables at the same moment cannot overwrite each other's seats.
"""

from collections.abc import Iterator, Mapping

from litestar.datastructures import Cookie

from spieltisch.table.evening import code_of
from spieltisch.table.signing import Signer
from spieltisch.web.core.http.cookies import Cookies

PREFIX = "spieltisch-"
MOST = 30  # cookies of tables a browser is given; the oldest finished ones go first


class SeatCookies:
    """Reads and writes the cookies that hold the keys of seats."""

    def __init__(self, signer: Signer, cookies: Cookies) -> None:
        self._signer = signer
        self._cookies = cookies

    def key(self, jar: Mapping[str, str], code: str) -> str:
        """The browser's key for a table, "" if it has none (or not from us)."""
        code = code_of(code)
        key, _, signature = jar.get(PREFIX + code, "").partition(".")
        return key if signature and self._signer.is_signature(signature, f"{code} {key}") else ""

    def tables(self, jar: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """The codes of the tables that this browser has a key for, with the key."""
        for name in jar:
            if name.startswith(PREFIX):
                code = name.removeprefix(PREFIX)
                if key := self.key(jar, code):
                    yield code, key

    def hold(self, code: str, key: str, *, secure: bool) -> Cookie:
        """The cookie that gives a browser its key."""
        code = code_of(code)
        signed = f"{key}.{self._signer.sign(f'{code} {key}')}"
        return self._cookies.keep(PREFIX + code, signed, secure=secure)

    def drop(self, code: str) -> Cookie:
        """The cookie that takes a key away."""
        return self._cookies.drop(PREFIX + code_of(code))
