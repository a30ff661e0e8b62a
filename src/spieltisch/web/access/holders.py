"""Which of our keys a request holds for what it asks for: such a holder has limits of their own.

Only signed keys count, since anybody can make one up. For programs, whose keys are not signed, see `api/tables.py`.
"""

from collections.abc import Mapping

from spieltisch.web.access.class_keys import ClassKeys
from spieltisch.web.access.deck_keys import PREFIX, DeckKeys
from spieltisch.web.access.seat_keys import SeatKeys


class Holders:
    """Finds the holder of a request."""

    def __init__(self, seat_keys: SeatKeys, class_keys: ClassKeys, deck_keys: DeckKeys) -> None:
        self._seat_keys = seat_keys
        self._class_keys = class_keys
        self._deck_keys = deck_keys

    def holder(self, path: str, jar: Mapping[str, str]) -> str:
        """A name for whoever holds a key for this path below the sub-path, the same for all requests with that key.
        "" for strangers.
        """
        kind, _, rest = path.removeprefix("/").partition("/")
        name = rest.partition("/")[0]
        match kind:
            case "t":
                return self._seat_keys.key(jar, name.upper())
            case "class":
                return self._of_class(name.upper(), jar)
            case "decks" if name and self._deck_keys.held({PREFIX + name: jar.get(PREFIX + name, "")}):
                return f"deck {name}"
            case "host" if self._deck_keys.is_host(jar):
                return "host"
        return ""

    def _of_class(self, code: str, jar: Mapping[str, str]) -> str:
        if self._class_keys.leads(jar, code):
            return f"teacher {code}"
        held = self._class_keys.held(jar)
        if held is not None and held.code == code and self._class_keys.was_pupil(held):
            return f"pupil {code} {held.number}"
        return ""
