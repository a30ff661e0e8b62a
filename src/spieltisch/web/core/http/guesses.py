"""Wrong codes and keys: counted by browser first, then by address, so that one browser does not shut out a school.

A browser that sent a wrong code gets a cookie with random signs, until it is closed. Whoever drops the cookie is
counted by the address alone, as programs are.
"""

import re
import secrets
from contextvars import ContextVar

from spieltisch.web.core.http.rate_limits import RateLimits

_MARK = re.compile(r"[A-Za-z0-9_-]{22}")


class Browser:
    """The browser that sends a request, as far as wrong codes concern it."""

    def __init__(self, mark: str) -> None:
        self.mark = mark if _MARK.fullmatch(mark) else ""
        self.new_mark = ""  # for a cookie


BROWSER: ContextVar[Browser] = ContextVar("browser")  # set with each request


class Guesses:
    """Counts wrong codes and keys."""

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits

    def require_left(self, address: str) -> None:
        """TooMany after too many wrong ones; counts nothing."""
        if mark := _browser().mark:
            self._limits.require_left("tries", mark)
        self._limits.require_left("guess", address)

    def require(self, address: str) -> None:
        """Count a wrong one; TooMany after too many."""
        browser = _browser()
        if browser.mark:
            self._limits.require("tries", browser.mark)
        else:
            browser.new_mark = secrets.token_urlsafe(16)
        self._limits.require("guess", address)


def _browser() -> Browser:
    return BROWSER.get(None) or Browser("")
