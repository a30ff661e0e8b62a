"""What a text on a card gives away about its date: years, centuries, eras and the numbers of rulers."""

import re
from collections.abc import Iterator

from msgspec import Struct

from spieltisch.decks.findings import Message, Severity, message


class Tell(Struct, frozen=True):
    """The words that give something away, how bad that is, what they are and what would be right."""

    words: str
    severity: Severity
    wrong: Message
    right: Message


_DE_UNITS = "ein(?:s|und)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
_DE_TEENS = "elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|achtzehn|neunzehn"
_DE_ORDINALS = (
    "erste|zweite|dritte|vierte|fünfte|sechste|siebte|siebente|achte|neunte|zehnte|elfte|zwölfte|dreizehnte|vierzehnte|"
    "fünfzehnte|sechzehnte|siebzehnte|achtzehnte|neunzehnte|zwanzigste|einundzwanzigste"
)
_DE_TENS = "zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig"
_EN_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_EN_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_EN_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_EN_ORDINALS = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|"
    "sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty[- ]first"
)
_RULER = r"[A-ZÄÖÜ][\w’-]{1,40}"
_NOT_RULERS = (
    "And|As|Before|But|Can|Could|Did|Do|Here|How|If|May|Must|Now|Shall|Should|So|That|Then|There|Today|What|When|Where|"
    "While|Who|Why|Will|Would|Yes"
)

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

_TELLS: tuple[tuple[re.Pattern[str], Severity, Message, Message], ...] = (
    (
        re.compile(
            r"(?<![\d.,])(?:1\d{3}|20\d{2})(?![\d]|[.,]\d)"
            r"|\b(?:im Jahre?|in the year|anno(?: domini)?|Jahr) \d+\b"
            rf"|\b(?:(?:{_DE_TEENS})hundert(?:und)?(?:{_DE_UNITS}|{_DE_TEENS}|\w*(?:{_DE_TENS}))"
            rf"|zweitausend(?:und)?(?:{_DE_UNITS}|{_DE_TEENS}|\w*zwanzig))\b"
            rf"|\b(?:{_EN_TEENS}|twenty)[ -](?:oh[ -](?:{_EN_UNITS})|(?:{_EN_TENS})(?:[ -](?:{_EN_UNITS}))?(?!-year)"
            rf"|(?:{_EN_TEENS})(?!-year)|hundred and (?:{_EN_UNITS}|{_EN_TEENS}|{_EN_TENS})\b)",
            re.IGNORECASE,
        ),
        "error", _YEAR, _LEAVE_OUT,
    ),
    (
        re.compile(
            rf"\b\d+(?:\.|st|nd|rd|th)[ -](?:Jh\.?|Jahrhunderts?|Jahrtausends?|c\.|century|millennium)"
            rf"|\b(?:{_DE_ORDINALS})[nrs]? (?:Jahrhunderts?|Jahrtausends?)\b"
            rf"|\b(?:{_EN_ORDINALS})[- ](?:century|millennium)\b|\b(?:Jh|Jhdt)\.",
            re.IGNORECASE,
        ),
        "error", _CENTURY, _LEAVE_OUT,
    ),
    (
        re.compile(
            rf"(?<!\w)’?\d*\d0(?:er|s)\b|\b(?:{_DE_TENS})er[- ]?Jahre[ns]?\b"
            r"|\bthe (?:\w+ )?(?:twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b",
            re.IGNORECASE,
        ),
        "warning", _DECADE, _SURE,
    ),
    (
        re.compile(
            r"(?:\b\d+ ?)?(?:\b[vn]\. ?Chr\b\.?|\b[vn]\. ?u\. ?Z\.|\bBCE?\b|\bB\.C\.|\bAD\b|\bA\.D\.|\bCE\b"
            r"|\b(?:[Vv]or|[Nn]ach) Christ(?:us|i)\b|\b(?:[Bb]efore|[Aa]fter) Christ\b)"
        ),
        "error", _ERA, _LEAVE_OUT,
    ),
    (
        re.compile(
            rf"\b{_RULER} (?:[IVX]{{2,6}}|[VX])\b\.?|\b(?!(?:{_NOT_RULERS})\b){_RULER} I(?:\.(?= ?\w)|(?=[.,;:’']))"
            rf"|\b{_RULER} (?:der|die|des|dem|den) (?:{_DE_ORDINALS.title()})[nrs]?\b(?! [A-ZÄÖÜ])"
            rf"|\b{_RULER} the (?:{_EN_ORDINALS.title()})\b(?! [A-Z])"
        ),
        "warning", _RULERS, _WITHOUT,
    ),
    (
        re.compile(
            rf"\b(?:{_DE_TEENS})hundert\b|\b(?:{_EN_TEENS}) hundred\b|\bJahrhunderts?\b|\bcentury\b", re.IGNORECASE
        ),
        "warning", _HUNDRED, _SURE,
    ),
    (re.compile(r"\d[\d.,]*\d"), "warning", NUMBER, _IN_WORDS),
    (re.compile(r"\d"), "note", NUMBER, _IN_WORDS),
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
