"""The keys of a class: the teacher's, each pupil's, and the short code on a pupil's strip.

All are signatures with the server's secret. Nothing is stored but how often each strip was renewed. A strip's code is
the class's code and five more signs that nobody can guess: `KM4T7` and `2XQ9B`. A pupil has one key for all tables of
the class; it opens the seat where that pupil sits.
"""

import hmac

from msgspec import Struct

from spieltisch.classroom.classroom import NUMBERS, Classroom
from spieltisch.classroom.classrooms import CODE
from spieltisch.table.lobby import SIGNS, code_in
from spieltisch.table.log import key_of
from spieltisch.table.signing import Signer

_OWN = 5  # signs of a strip's code after the class's
_EDITIONS = 4  # of a strip, for which a key is recognized without its class


class HeldStrip(Struct, frozen=True):
    """What a browser claims: the class's code, the pupil's number, and their key, which may be out of date."""

    code: str
    number: int
    key: str


class ClassKeys:
    """Makes and checks the keys of classes."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def teacher_key(self, code: str) -> str:
        """Return the teacher's key of this class, 22 characters."""
        return self._signer.sign(f"class {code}")

    def opens(self, key: str, code: str) -> bool:
        """Return whether this is the teacher's key of that class."""
        return self._signer.is_signature(key, f"class {code}")

    def seed(self, room: Classroom, cards: str) -> bytes:
        """Return the 16 bytes from which all tables of a distribution deal the same cards."""
        return self._signer.digest(f"deal {room.id} {cards}")[:16]

    def pupil_key(self, room: Classroom, number: int) -> str:
        """Return this pupil's key, 22 characters."""
        return self._signer.sign(_pupil_in(room, number))

    def strip(self, room: Classroom, number: int) -> str:
        """Return the code on this pupil's strip: ten signs."""
        rest, signs = int.from_bytes(self._signer.digest(f"strip {_pupil_in(room, number)}")), ""
        for _ in range(_OWN):
            rest, sign = divmod(rest, len(SIGNS))
            signs += SIGNS[sign]
        return room.id + signs

    def number_of(self, room: Classroom, strip: str) -> int | None:
        """Return the number of the pupil whose strip has this code; None if no strip has it (any more)."""
        given, found = strip.encode(), None
        for number in range(1, NUMBERS + 1):
            if hmac.compare_digest(self.strip(room, number).encode(), given):
                found = number
        return found

    def numbers(self, room: Classroom) -> dict[str, int]:
        """Return the pupils' numbers by the hashes of their keys, which stand on chairs."""
        return {key_of(self.pupil_key(room, one.number)): one.number for one in room.pupils}

    def is_current(self, held: HeldStrip, room: Classroom) -> bool:
        """Return whether this key is the present key of a pupil of this class."""
        if held.code != room.id or not 1 <= held.number <= NUMBERS:
            return False
        return hmac.compare_digest(held.key, self.pupil_key(room, held.number))

    def was_sent_away(self, held: HeldStrip, room: Classroom) -> bool:
        """Return whether this key is of a pupil whom the teacher sent away in this lesson."""
        return held.code == room.id and any(
            number == held.number and self._signer.is_signature(held.key, _pupil(room.id, number, edition))
            for number, edition in room.sent_away
        )

    def was_pupil(self, held: HeldStrip) -> bool:
        """Return whether the server made this key for a pupil. The strip may have been renewed since, so the key opens
        nothing by that. After some renewals it is not recognized any more.
        """
        texts = (_pupil(held.code, held.number, edition) for edition in range(_EDITIONS))
        return any(self._signer.is_signature(held.key, text) for text in texts)


def _pupil_in(room: Classroom, number: int) -> str:
    return _pupil(room.id, number, room.editions.get(number, 0))


def _pupil(code: str, number: int, edition: int) -> str:
    return f"pupil {code} {number} {edition}"


def split(strip: str) -> tuple[str, str] | None:
    """Split a code as people type it into the class's code and the whole strip's. The second is "" if only the class's
    code was typed. Return None for anything else.
    """
    plain = code_in(strip)
    if any(sign not in SIGNS for sign in plain) or len(plain) not in {CODE, CODE + _OWN}:
        return None
    return plain[:CODE], plain if len(plain) > CODE else ""
