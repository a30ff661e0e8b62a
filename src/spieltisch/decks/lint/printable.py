"""Characters that the fonts for printing do not have. `printable.txt` is written by tools/printable.py."""

import functools
import unicodedata
from pathlib import Path

_KNOWN = Path(__file__).with_name("printable.txt")
_UNSEEN = {"Cc", "Cf", "Zs", "Zl", "Zp"}
_CHOSEN = {*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0x1F3FB, 0x1F400))}  # how another sign is to look


def unprintable(text: str) -> list[str]:
    """The signs of a text, each once, for which a box would stand on paper."""
    if text.isascii():
        return []
    known = _known()
    strange = (sign for sign in text if ord(sign) not in known and sign not in _CHOSEN)
    return [sign for sign in dict.fromkeys(strange) if unicodedata.category(sign) not in _UNSEEN]


@functools.cache
def _known() -> frozenset[int]:
    lines = (line.split("-") for line in _KNOWN.read_text("ascii").split())
    return frozenset(n for first, last in lines for n in range(int(first, 16), int(last, 16) + 1))
