"""Counts wrong codes and keys by browser first, then by address, so one browser cannot shut out a school.

A browser that sends a wrong code gets a random session cookie. Clients without it are counted by address alone.
"""

import re
import secrets
from contextvars import ContextVar

from msgspec import Struct

from spieltisch.web.core.http.rate_limits import RateLimits

_MARK = re.compile(r"[A-Za-z0-9_-]{22}")


class Browser(Struct):
    """The mark by which wrong codes of one browser are counted."""

    sent: str = ""  # as its cookie says
    new_mark: str = ""  # to be set as a cookie


BROWSER: ContextVar[Browser] = ContextVar("browser")  # set with each request


class Guesses:
    """Counts wrong codes and keys."""

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits

    def require_left(self, address: str) -> None:
        """Raise TooMany after too many wrong ones. Counts nothing."""
        if _MARK.fullmatch(sent := _browser().sent):
            self._limits.require_left("tries", sent)
        self._limits.require_left("guess", address)

    def require(self, address: str) -> None:
        """Count a wrong one. Raises TooMany after too many."""
        browser = _browser()
        if _MARK.fullmatch(browser.sent):
            self._limits.require("tries", browser.sent)
        else:
            browser.new_mark = secrets.token_urlsafe(16)
        self._limits.require("guess", address)


def _browser() -> Browser:
    return BROWSER.get(None) or Browser()
