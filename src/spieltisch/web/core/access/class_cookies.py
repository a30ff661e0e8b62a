"""The cookies that hold the keys of a class."""

from collections.abc import Iterator, Mapping

from litestar.datastructures import Cookie

from spieltisch.classroom.classroom import Classroom
from spieltisch.classroom.keys import ClassKeys, HeldStrip
from spieltisch.table.log import TableSetup
from spieltisch.table.seat_keys import recognizes
from spieltisch.web.core.http.cookies import Cookies

TEACHER = "spieltisch_class_"
PUPIL = "spieltisch_pupil"


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

    def hold_pupil(self, room: Classroom, number: int, *, secure: bool) -> Cookie:
        """Return the cookie that makes a browser this pupil."""
        return self._cookies.keep(PUPIL, f"{room.id}.{number}.{self._keys.pupil_key(room, number)}", secure=secure)


def moved_from(setup: TableSetup, key: str) -> str:
    """Return the pupil's page if this pupil no longer sits at this table or is called away from it; else ""."""
    away = setup.classroom and key and (setup.called or not recognizes(setup, key))
    return f"/class/{setup.classroom}/seat" if away else ""
