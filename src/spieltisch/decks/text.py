"""A text in both languages, and texts in one way of writing."""

import unicodedata

from msgspec import Struct

_MARKS = 30  # in a row: with no more of them a text is stream-safe (Unicode Standard Annex 15)


class Text(Struct, frozen=True, order=True):
    """What is said, in German and in English."""

    de: str
    en: str

    def __getitem__(self, lang: str) -> str:
        """The text in the language `de` or `en`."""
        return self.de if lang == "de" else self.en


def composed(text: str) -> str:
    """The text in NFC, without marks beyond `_MARKS` in a row: putting those in order takes quadratic time."""
    if unicodedata.is_normalized("NFC", text):
        return text
    kept, row = [], 0
    for sign in text:
        row = row + 1 if unicodedata.combining(sign) else 0
        if row <= _MARKS:
            kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept))


_RAISED = str.maketrans("0123456789+-=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾")


def raised(text: str) -> str:
    """The text as it looks above the line: digits have signs of their own there, letters stay."""
    return text.translate(_RAISED)
