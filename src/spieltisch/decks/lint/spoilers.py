"""What a text on a card gives away about its date: years, centuries, eras and the numbers of rulers."""

import re
from collections.abc import Iterator

from msgspec import Struct

from spieltisch.decks.findings import Message, Severity, message
from spieltisch.decks.lint.words import RULER, either, said, telling
from spieltisch.languages.patterns import Joined


class Tell(Struct, frozen=True):
    """The words that give something away, how bad that is, what they are and what would be right."""

    words: str
    severity: Severity
    wrong: Message
    right: Message


_YEAR = message("“{words}” gives the year away")
_CENTURY = message("“{words}” gives the century away")
_DECADE = message("“{words}” may give the decade away")
_ERA = message("“{words}” gives the era away")
_RULERS = message("“{words}” is a numbered ruler and gives the time away")
NUMBER = message("“{words}” is a number: does it give the year away?")
_HUNDRED = message("“{words}” may give the century away")
_LEAVE_OUT = message("Leave it out or say it without a number.")
_WITHOUT = message("Say who it is without the number: a king, an emperor, a pope.")
_IN_WORDS = message("If it counts something, write it in words.")
_SURE = message("Leave it, if it gives nothing away.")

_BEFORE_I = "|".join(map(re.escape, sorted(said("before_i")))) or "(?!)"
_NUMBERED = (
    rf"\b{RULER} (?:[IVX]{{2,6}}|[VX])\b\.?",
    rf"\b(?!(?:{_BEFORE_I})\b){RULER} I(?:\.(?= ?\w)|(?=[.,;:’']))",
)
_ANY_CASE, _AS_WRITTEN = re.IGNORECASE, re.NOFLAG


_TELLS: tuple[tuple[Joined, Severity, Message, Message], ...] = (
    (
        either([r"(?<![\d.,])(?:1\d{3}|20\d{2})(?![\d]|[.,]\d)", *telling("year")], _ANY_CASE),
        "error", _YEAR, _LEAVE_OUT,
    ),
    (either(telling("century"), _ANY_CASE), "error", _CENTURY, _LEAVE_OUT),
    (either(telling("decade"), _ANY_CASE), "warning", _DECADE, _SURE),
    (either((rf"(?:\b\d+ ?)?(?:{one})" for one in telling("era")), _AS_WRITTEN), "error", _ERA, _LEAVE_OUT),
    (either([*_NUMBERED, *telling("ruler")], _AS_WRITTEN), "warning", _RULERS, _WITHOUT),
    (either(telling("hundred"), _ANY_CASE), "warning", _HUNDRED, _SURE),
    (Joined(r"\d[\d.,]*\d"), "warning", NUMBER, _IN_WORDS),
    (Joined(r"\d"), "note", NUMBER, _IN_WORDS),
)  # fmt: skip


def spoilers(text: str) -> Iterator[Tell]:
    """What gives the date away in this text, the plainest first, each part of the text told once."""
    taken = bytearray(len(text))  # 1: told already
    for pattern, severity, wrong, right in _TELLS:
        for found in pattern.finditer(text):
            start, end = found.span()
            if any(taken[start:end]):
                continue
            taken[start:end] = bytes([1]) * (end - start)
            words = found[0].strip()
            yield Tell(words, severity, Message(wrong.text, {"words": words}), right)
