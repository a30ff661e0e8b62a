"""What texts may not have in them: markup, letters that were misread, formulas, words that hurt.

And what their small words tell: which language they are in, and of which era they speak.
"""

import re
import unicodedata
from collections.abc import Iterator
from html import unescape

from spieltisch.decks.findings import Message, Severity, message
from spieltisch.decks.lint.words import WORDS, either, hurting
from spieltisch.decks.text import folded
from spieltisch.languages.patterns import Joined

Found = tuple[Severity, str, Message, Message]
Unfit = tuple[Severity, str, Message, Message, str | None]  # and the text as it may stand there

_MARKUP = re.compile(r"<[a-z/!?][^>]*>?", re.IGNORECASE)
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|$)", re.IGNORECASE | re.DOTALL)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_MISREAD = re.compile(r"[ÃÂâÅ][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ ¡-¿]|\ufffd")
_FOOTNOTE = re.compile(r"\[\d{1,3}\]|(?<=[^\W\d_]{3})[⁰¹²³⁴-⁹]+|(?<=[.,!?”“»])[⁰¹²³⁴-⁹]+")  # but not m²
_FORMULA = re.compile(r"[=+@|\t\r]|-(?=[\w(=+@])")

_UNSAFE = Joined(rf"\b(?:{hurting()})\b", re.IGNORECASE)
_SMALL = {lang: frozenset(words.small.split()) for lang, words in WORDS.items() if words.small}
_ERAS = [words.eras for words in WORDS.values() if words.eras]
_BEFORE = either(one.before for one in _ERAS)
_AFTER = either(one.after for one in _ERAS)


def unfit(text: str) -> Iterator[Unfit]:
    """What cannot stand on a card: markup, entities, invisible characters, misread letters, the start of a formula."""
    if _MARKUP.search(text):
        wrong = message("HTML does not belong on a card: {words}", words=_MARKUP.findall(text)[0][:40])
        yield "error", "markup", wrong, *_write(plain(text))
    elif _ENTITY.search(text):
        wrong = message("{words} is HTML", words=_ENTITY.findall(text)[0])
        yield "error", "markup", wrong, *_write(_unescaped(text))
    if _CONTROL.search(text):
        yield "error", "signs", message("the text has an invisible character"), *_write(_CONTROL.sub("", text))
    if found := _MISREAD.search(text):
        wrong = message("letters were misread: “{words}”", words=text[max(0, found.start() - 5) : found.end() + 5])
        right = reread(text)
        again = message("Save the file as “CSV UTF-8” once more.")
        yield "error", "signs", wrong, *(_write(right) if right else (again, None))
    if _FOOTNOTE.search(text):
        wrong = message("the text has a footnote mark: {words}", words=_FOOTNOTE.findall(text)[0])
        yield "warning", "footnote", wrong, *_write(" ".join(_FOOTNOTE.sub("", text).split()))
    if is_formula(text):
        wrong = message("“{words}” begins like a formula", words=text[:20])
        yield "error", "formula", wrong, message("Write the text itself, without {sign} in front.", sign=text[0]), None


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would compute this cell. Those of East Asia take full-width signs for the others."""
    start = unicodedata.normalize("NFKC", text.lstrip()[:2])
    return any(map(_FORMULA.match, (text, start)))


def unsafe(text: str) -> Iterator[Found]:
    """Words that hurt or are coarse."""
    for found in _UNSAFE.finditer(text):
        wrong = message("“{words}”: would you say that to children of ten?", words=found[0])
        yield "warning", "unsafe", wrong, message("Say it differently.")


def plain(text: str) -> str:
    """The text without its markup, also without that of which markup inside it makes some."""
    left = _MARKUP.sub("", _SCRIPT.sub("", text))
    if _MARKUP.search(left):
        left = left.replace("<", "")
    return " ".join(_unescaped(left).split())


def _unescaped(text: str) -> str:
    """The text with the characters that its entities name. Only entities that `_ENTITY` knows: others may have more
    digits than a number can.
    """
    return _ENTITY.sub(lambda found: unescape(found[0]), text)


def reread(text: str) -> str | None:
    """The text as it was before UTF-8 was read as Windows' letters; None where that was not what happened."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return None


def language(text: str) -> str | None:
    """The language of a text by its small words; None where they do not tell."""
    words = re.findall(r"\w+", folded(text))
    n = {lang: sum(word in small for word in words) for lang, small in _SMALL.items()}
    likely, *others = sorted(n, key=lambda lang: -n[lang]) or [""]
    most = max((n[other] for other in others), default=0)
    return likely if likely and n[likely] >= max(3, 2 * most) else None


def eras(text: str) -> tuple[bool, bool]:
    """Whether a text speaks of years before our era, and of years of it."""
    return _BEFORE.search(text) is not None, _AFTER.search(text) is not None


def _write(text: str) -> tuple[Message, str | None]:
    shown = text if len(text) <= 100 else f"{text[:99]}…"
    return (message("Write: {text}", text=shown), text) if shown else (message("Leave it out."), None)
