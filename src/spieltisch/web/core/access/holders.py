"""Which key a request holds for the page it asks for. Key holders have rate limits of their own.

Only signed keys count, since anybody can make one up. For programs, whose keys are not signed, see `table/api.py`.
"""

from collections.abc import Mapping

from spieltisch.web.core.access.class_cookies import ClassCookies
from spieltisch.web.core.access.deck_keys import PREFIX, DeckKeys
from spieltisch.web.core.access.seat_cookies import SeatCookies


class Holders:
    """Finds the holder of a request."""

    def __init__(self, seat_cookies: SeatCookies, class_cookies: ClassCookies, deck_keys: DeckKeys) -> None:
        self._seat_cookies = seat_cookies
        self._class_cookies = class_cookies
        self._deck_keys = deck_keys

    def holder(self, path: str, jar: Mapping[str, str]) -> str:
        """Return a name for the holder of a key for this path below the sub-path, the same for all requests with that
        key; "" for strangers.
        """
        kind, _, rest = path.removeprefix("/").partition("/")
        name = rest.partition("/")[0]
        match kind:
            case "t":
                return self._seat_cookies.key(jar, name.upper())
            case "class":
                return self._of_class(name.upper(), jar)
            case "decks" if name and self._deck_keys.held({PREFIX + name: jar.get(PREFIX + name, "")}):
                return f"deck {name}"
            case "host" if self._deck_keys.is_host(jar):
                return "host"
        return ""

    def _of_class(self, code: str, jar: Mapping[str, str]) -> str:
        if self._class_cookies.leads(jar, code):
            return f"teacher {code}"
        held = self._class_cookies.was_pupil(jar, code)
        return "" if held is None else f"pupil {code} {held.number}"
