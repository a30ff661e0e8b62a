"""The keys of a class: the teacher's, and each pupil's, with the short code on the strip that stands for it.

All are signatures with the server's secret, so nothing is kept of them but how often a strip was made anew. The code on
a strip is that of the class and five signs more, which nobody guesses: `KM4T7` and `2XQ9B`. The pupil's key is the same
at all tables of the class: it opens the seat where that pupil sits.
"""

import hmac
from collections.abc import Iterator, Mapping

from litestar.datastructures import Cookie
from msgspec import Struct

from spieltisch.classroom.classroom import NUMBERS, Classroom
from spieltisch.classroom.classrooms import CODE
from spieltisch.table.lobby import SIGNS, code_in
from spieltisch.table.log import TableSetup, key_of
from spieltisch.web.access.seat_keys import recognizes
from spieltisch.web.access.signing import Signer
from spieltisch.web.http.cookies import Cookies

TEACHER = "spieltisch_class_"
PUPIL = "spieltisch_pupil"
_OWN = 5  # signs of a strip's code behind that of the class
_EDITIONS = 4  # of a strip, for which a key is recognized without its class


class HeldStrip(Struct, frozen=True):
    """What a browser says of its pupil: the code of the class, the number, and the key, which may be an old one."""

    code: str
    number: int
    key: str


class ClassKeys:
    """Makes and reads the keys of classes."""

    def __init__(self, signer: Signer, cookies: Cookies) -> None:
        self._signer = signer
        self._cookies = cookies

    # The teacher

    def teacher_key(self, code: str) -> str:
        """The key of who leads this class, 22 characters."""
        return self._signer.sign(f"class {code}")

    def opens(self, key: str, code: str) -> bool:
        """Whether this is the key of who leads that class."""
        return self._signer.is_signature(key, f"class {code}")

    def leads(self, jar: Mapping[str, str], code: str) -> bool:
        """Whether this browser has the key of who leads that class."""
        return self.opens(jar.get(TEACHER + code, ""), code)

    def led(self, jar: Mapping[str, str]) -> Iterator[str]:
        """The codes of the classes that this browser leads."""
        codes = (name.removeprefix(TEACHER) for name in sorted(jar) if name.startswith(TEACHER))
        return (code for code in codes if self.leads(jar, code))

    def hold_teacher(self, code: str, *, secure: bool) -> Cookie:
        """The cookie that gives a browser the teacher's key."""
        return self._cookies.keep(TEACHER + code, self.teacher_key(code), secure=secure)

    def drop_teacher(self, code: str) -> Cookie:
        """The cookie that takes the teacher's key away."""
        return self._cookies.drop(TEACHER + code)

    def seed(self, room: Classroom, cards: str) -> bytes:
        """What the dice of all tables of a distribution begin with where the cards are the same, 16 bytes."""
        return self._signer.digest(f"deal {room.id} {cards}")[:16]

    # The pupils

    def pupil_key(self, room: Classroom, number: int) -> str:
        """The key of the seats of this pupil, 22 characters."""
        return self._signer.sign(self._pupil(room, number))

    def strip(self, room: Classroom, number: int) -> str:
        """The code on this pupil's strip: ten signs."""
        rest, signs = int.from_bytes(self._signer.digest(f"strip {self._pupil(room, number)}")), ""
        for _ in range(_OWN):
            rest, sign = divmod(rest, len(SIGNS))
            signs += SIGNS[sign]
        return room.id + signs

    def number_of(self, room: Classroom, strip: str) -> int | None:
        """Whose strip has this code; None if nobody's has (any more)."""
        given, found = strip.encode(), None
        for number in range(1, NUMBERS + 1):
            if hmac.compare_digest(self.strip(room, number).encode(), given):
                found = number
        return found

    def numbers(self, room: Classroom) -> dict[str, int]:
        """The numbers of the pupils of this lesson by the hashes of their keys, as chairs have them."""
        return {key_of(self.pupil_key(room, one.number)): one.number for one in room.pupils}

    def was_pupil(self, held: HeldStrip) -> bool:
        """Whether we made this key for a pupil, perhaps with a strip that was made anew since. It opens nothing by
        that; after some new strips it is not recognized here.
        """
        texts = (_pupil(held.code, held.number, edition) for edition in range(_EDITIONS))
        return any(self._signer.is_signature(held.key, text) for text in texts)

    def _pupil(self, room: Classroom, number: int) -> str:
        return _pupil(room.id, number, room.editions.get(number, 0))

    def pupil(self, jar: Mapping[str, str], room: Classroom) -> int | None:
        """The pupil that this browser is in the class; None if it is none, or its strip was made anew."""
        held = self.held(jar)
        if held is None or held.code != room.id or not 1 <= held.number <= NUMBERS:
            return None
        return held.number if hmac.compare_digest(held.key, self.pupil_key(room, held.number)) else None

    def held(self, jar: Mapping[str, str]) -> HeldStrip | None:
        """What the browser says of its pupil; only with the class can it be found out whether that is right."""
        code, _, rest = jar.get(PUPIL, "").partition(".")
        number, _, key = rest.partition(".")
        able = number.isascii() and number.isdigit() and len(number) < 3 and key.isascii()
        return HeldStrip(code, int(number), key) if able and key else None

    def hold_pupil(self, room: Classroom, number: int, *, secure: bool) -> Cookie:
        """The cookie that makes a browser this pupil."""
        return self._cookies.keep(PUPIL, f"{room.id}.{number}.{self.pupil_key(room, number)}", secure=secure)


def _pupil(code: str, number: int, edition: int) -> str:
    return f"pupil {code} {number} {edition}"


def split(strip: str) -> tuple[str, str] | None:
    """A code as somebody types it: that of the class, and that of the whole strip, "" if it is the class's alone. None
    for what is neither.
    """
    plain = code_in(strip)
    if any(sign not in SIGNS for sign in plain) or len(plain) not in {CODE, CODE + _OWN}:
        return None
    return plain[:CODE], plain if len(plain) > CODE else ""


def moved_from(setup: TableSetup, key: str) -> str:
    """Where the page of a pupil leads who sits at this table of a class no more or is called away; "" for others."""
    away = setup.classroom and key and (setup.called or not recognizes(setup, key))
    return f"/class/{setup.classroom}/seat" if away else ""
