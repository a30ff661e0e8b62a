"""The notice on every page: the server restarts soon, or has not been able to save for a while.

The host announces a restart; several servers on one database announce it together.
"""

import asyncio
import math
from collections.abc import Callable

from spieltisch.i18n import Translator

STEPS = (0, 1, 2, 5, 10, 15, 30, 60)  # minutes that are told: not each of them disturbs
AGAIN = 30.0  # seconds after which open pages are told anew how long it is still


class Announcement:
    """The notice on every page. `now()` is the time in seconds; `show()` is called when pages have to look; `tell`
    tells all other servers.
    """

    def __init__(
        self, now: Callable[[], float], show: Callable[[], None], tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self._now = now
        self._show = show
        self._tell = tell
        self._next: asyncio.TimerHandle | None = None
        self.cannot_save = False
        self.at: float | None = None  # when the server restarts, by its clock; None: not soon

    def restart(self, minutes: int) -> None:
        """Announce a restart in some minutes; 0: none."""
        self.at = self._now() + minutes * 60 if minutes else None
        self._tell(str(self.at or 0))
        self._look_again()

    def hear_from(self, process: str, words: str) -> None:  # noqa: ARG002
        """Take over what another server announces: a time, or 0 for no restart."""
        at = float(words)
        if not at or at > self._now():
            self.at = at or None
            self._look_again()

    def repeat(self) -> None:
        """Tell a server that has just come."""
        if self.at is not None and self.at > self._now():
            self._tell(str(self.at))

    def keep(self, processes: set[str]) -> None:
        """Keep the notice even if the server that announced it has gone."""

    def saving(self, *, fails: bool) -> None:
        """Say on every page that this server cannot save, or no longer."""
        self.cannot_save = fails
        self._show()

    def _look_again(self) -> None:
        if self._next is not None:
            self._next.cancel()
        self._next = None if self.at is None else asyncio.get_running_loop().call_later(AGAIN, self._look_again)
        self._show()

    def words(self, tr: Translator) -> str:
        """Return the notice; "" if there is none."""
        if self.cannot_save:
            return tr._(
                "The server has been unable to save for a while. What you see is safe. The game goes on once it can"
                " save again."
            )
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
