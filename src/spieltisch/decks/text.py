"""A text in both languages, and texts in one way of writing: `folded` tells whether two are the same words."""

import unicodedata

from msgspec import Struct

_MARKS = 30  # in a row: with no more of them a text is stream-safe (Unicode Standard Annex 15)
_ONE_SIGN = str.maketrans(
    dict.fromkeys("’‘ʼʹ`´′＇", "'") | dict.fromkeys("‐‑", "-") | dict.fromkeys("\u00ad\u200b\u2060\ufeff")
)


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


def folded(text: str, *, marks: bool = True) -> str:
    """The text as it is compared, everywhere: two are the same words if this is the same of both. Case, composed or
    single marks, the kind of apostrophe or hyphen and what cannot be seen make no difference; without `marks` macrons
    and accents make none either, so that "hōrum" is "horum" and "für" is "fur". `find.js` does the same.
    """
    plain = composed(composed(text.translate(_ONE_SIGN)).casefold())
    if marks:
        return plain
    bare = "".join(sign for sign in unicodedata.normalize("NFD", plain) if not unicodedata.combining(sign))
    return unicodedata.normalize("NFC", bare)


def ended(text: str) -> str:
    """The text as a sentence, with one dot: “44 v. Chr.” has its own."""
    return text if text.endswith((".", "!", "?", "…", ".“", ".”")) else f"{text}."
