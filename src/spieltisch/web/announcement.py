"""What whoever runs the server announces to everybody: that it restarts soon. It lasts as long as this server does."""

import asyncio
import math
from collections.abc import Callable

from spieltisch.i18n import Translator

STEPS = (0, 1, 2, 5, 10, 15, 30, 60)  # minutes that are told: not each of them disturbs
AGAIN = 30.0  # seconds after which open pages are told anew how long it is still


class Announcement:
    """A restart, told on every page. `now()` is the time in seconds; `tell()` is called when pages have to look."""

    def __init__(self, now: Callable[[], float], tell: Callable[[], None]) -> None:
        self._now = now
        self._tell = tell
        self._next: asyncio.TimerHandle | None = None
        self.at: float | None = None  # when the server restarts, by its clock; None: not soon

    def restart(self, minutes: int) -> None:
        """The server restarts in so many minutes; 0: it does not."""
        self.at = self._now() + minutes * 60 if minutes else None
        self._look_again()

    def _look_again(self) -> None:
        if self._next is not None:
            self._next.cancel()
        self._next = None if self.at is None else asyncio.get_running_loop().call_later(AGAIN, self._look_again)
        self._tell()

    def words(self, tr: Translator) -> str:
        """What pages say; "" if nothing is announced."""
        if self.at is None:
            return ""
        left = math.ceil((self.at - self._now()) / 60 - 0.2)
        minutes = next((step for step in STEPS if left <= step), left)
        if minutes < 1:
            return tr._("The server restarts in a moment. Every game goes on afterwards.")
        return tr.ngettext(
            "The server restarts within {n} minute. Every game goes on afterwards.",
            "The server restarts within {n} minutes. Every game goes on afterwards.",
            minutes,
        ).format(n=minutes)
