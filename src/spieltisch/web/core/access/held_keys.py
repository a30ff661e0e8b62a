"""The cookies in which browsers hold the keys of seats and classes. No script can read them."""

from collections.abc import Iterator, Mapping
from typing import Literal

from litestar.datastructures import Cookie

from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.keys import ClassKeys, HeldStrip
from spieltisch.table.evening import code_of
from spieltisch.table.signing import Signer
from spieltisch.web.core.access.deck_keys import DECK, DeckKeys
from spieltisch.web.core.http.cookies import Cookies

SEAT = "spieltisch-"
TEACHER = "spieltisch_class_"
PUPIL = "spieltisch_pupil"
MOST = 30  # cookies of tables a browser is given; the oldest finished ones go first


class SeatCookies:
    """Reads and writes the cookies that hold the keys of seats.

    Each table has a cookie of its own, signed with the server's secret. So two pages that open tables at once cannot
    overwrite each other's seats, and a cookie of another server on the same host is not taken for ours.
    """

    def __init__(self, signer: Signer, cookies: Cookies) -> None:
        self._signer = signer
        self._cookies = cookies

    def key(self, jar: Mapping[str, str], code: str) -> str:
        """Return the browser's key for a table; "" if it has none from us."""
        code = code_of(code)
        key, _, signature = jar.get(SEAT + code, "").partition(".")
        return key if signature and self._signer.is_signature(signature, f"{code} {key}") else ""

    def tables(self, jar: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the codes of the tables that this browser has a key for, with the key."""
        for name in jar:
            if name.startswith(SEAT):
                code = name.removeprefix(SEAT)
                if key := self.key(jar, code):
                    yield code, key

    def hold(self, code: str, key: str, *, secure: bool) -> Cookie:
        """Return the cookie that gives a browser its key."""
        code = code_of(code)
        signed = f"{key}.{self._signer.sign(f'{code} {key}')}"
        return self._cookies.keep(SEAT + code, signed, secure=secure)

    def drop(self, code: str) -> Cookie:
        """Return the cookie that takes a key away."""
        return self._cookies.drop(SEAT + code_of(code))


class ClassCookies:
    """Reads and writes the cookies of teachers and pupils."""

    def __init__(self, keys: ClassKeys, cookies: Cookies) -> None:
        self._keys = keys
        self._cookies = cookies

    def leads(self, jar: Mapping[str, str], code: str) -> bool:
        """Return whether this browser has the teacher's key of that class."""
        return self._keys.opens(jar.get(TEACHER + code, ""), code)

    def led(self, jar: Mapping[str, str]) -> Iterator[str]:
        """Yield the codes of the classes whose teacher's key this browser has."""
        codes = (name.removeprefix(TEACHER) for name in sorted(jar) if name.startswith(TEACHER))
        return (code for code in codes if self.leads(jar, code))

    def hold_teacher(self, code: str, *, secure: bool) -> Cookie:
        """Return the cookie that gives a browser the teacher's key."""
        return self._cookies.keep(TEACHER + code, self._keys.teacher_key(code), secure=secure)

    def drop_teacher(self, code: str) -> Cookie:
        """Return the cookie that takes the teacher's key away."""
        return self._cookies.drop(TEACHER + code)

    def pupil(self, jar: Mapping[str, str], room: Classroom) -> int | None:
        """Return the number of this browser's pupil in the class; None without one, or if the strip was renewed."""
        held = self.held(jar)
        return held.number if held is not None and self._keys.is_current(held, room) else None

    def held(self, jar: Mapping[str, str]) -> HeldStrip | None:
        """Return what the browser says of its pupil. Only with the class can it be checked."""
        code, _, rest = jar.get(PUPIL, "").partition(".")
        number, _, key = rest.partition(".")
        able = number.isascii() and number.isdigit() and len(number) < 3 and key.isascii()
        return HeldStrip(code, int(number), key) if able and key else None

    def was_pupil(self, jar: Mapping[str, str], code: str) -> HeldStrip | None:
        """Return the pupil of that class that this browser is, or was before its strip was renewed."""
        held = self.held(jar)
        return held if held is not None and held.code == code and self._keys.was_pupil(held) else None

    def left(self, jar: Mapping[str, str], room: Classroom) -> Literal["", "sent away", "strip renewed"]:
        """Return why this browser's pupil is not in the class any more; "" without a reason that can be known."""
        held = self.held(jar)
        if held is None or ((number := self.pupil(jar, room)) is not None and room.pupil(number) is not None):
            return ""
        if self._keys.was_sent_away(held, room):
            return "sent away"
        renewed = number is None and held.number <= room.strips and self.was_pupil(jar, room.id) is not None
        return "strip renewed" if renewed else ""

    def hold_pupil(self, room: Classroom, number: int, *, secure: bool) -> Cookie:
        """Return the cookie that makes a browser this pupil."""
        return self._cookies.keep(PUPIL, f"{room.id}.{number}.{self._keys.pupil_key(room, number)}", secure=secure)


class Holders:
    """Finds which key a request holds for the page it asks for. Key holders have rate limits of their own.

    Only signed keys count, since anybody can make one up. For programs, whose keys are not signed, see `table/api.py`.
    """

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
            case "decks" if name and self._deck_keys.held({DECK + name: jar.get(DECK + name, "")}):
                return f"deck {name}"
            case "host" if self._deck_keys.is_host(jar):
                return "host"
        return ""

    def _of_class(self, code: str, jar: Mapping[str, str]) -> str:
        if self._class_cookies.leads(jar, code):
            return f"teacher {code}"
        held = self._class_cookies.was_pupil(jar, code)
        return "" if held is None else f"pupil {code} {held.number}"
