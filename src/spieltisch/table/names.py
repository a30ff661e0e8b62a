"""Names that people may choose: how they are shown, and which imitate other people's names.

Names are compared by their skeleton (Unicode Technical Standard 39), so that characters that look alike are equal.
"""

import unicodedata
from functools import cache
from importlib.resources import files

import msgspec
import regex

from spieltisch.decks.text import folded

LONGEST = 24  # characters, as people count them
CODES = 96  # code points in total: one emoji of a family has eleven
MARKS = 3  # on one letter, as Hebrew and Thai need; a pile of them would cover the line above
# Words that address the reader in sentences. "You doubt" must not be about somebody else.
ADDRESSES = frozenset({"you", "your", "me", "i", "du", "dir", "dich", "ich", "mir", "mich", "sie", "ihr", "wir", "we"})

_EMOJI = r"\p{Extended_Pictographic}[\ufe0f\U0001f3fb-\U0001f3ff]?"
# Joiners that must stay: within emoji (Unicode TS 51), after an Indian virama, in Persian.
_JOINED = (
    rf"{_EMOJI}(?:[\U000e0020-\U000e007e]+\U000e007f)?(?:\u200d{_EMOJI})*|\p{{Regional_Indicator}}{{2}}|[0-9#*]\ufe0f?\u20e3"
    r"|(?<=\p{Canonical_Combining_Class=Virama})[\u200c\u200d](?=\p{L})|(?<=\p{Arabic})\u200c(?=\p{Arabic})"
)
_UNSEEN = regex.compile(rf"({_JOINED})|[\p{{C}}\p{{Default_Ignorable_Code_Point}}\u2800]")
_HEAPED = regex.compile(rf"((?:\p{{Mc}}*[\p{{Mn}}\p{{Me}}]){{{MARKS}}})\p{{M}}+|(\p{{Mc}}{{{MARKS}}})\p{{Mc}}+")
_BARE = regex.compile(r"(?<!\S)\p{M}+")  # they would attach to the text before the name
# Two people of one name may differ in these: dots, spaces, strokes through letters, joiners.
_BESIDE = regex.compile(r"[\p{C}\p{P}\p{Z}[\p{M}&&\p{Script=Inherited}]\p{Default_Ignorable_Code_Point}]+", regex.V1)
_ASIDE = "\u200e"  # the data has it around letters that are written from right to left


class _Alike(msgspec.Struct):
    """A character that looks like another."""

    c: str


def tidy(name: str, longest: int = LONGEST) -> str:
    """A name fit for pages and records: one line, whole characters, none invisible."""
    plain = "".join(" " if sign.isspace() else sign for sign in unicodedata.normalize("NFC", name[:400]))
    seen = _BARE.sub("", _HEAPED.sub(r"\1\2", _UNSEEN.sub(r"\1", plain)))
    signs = regex.findall(r"\X", " ".join(seen.split()))
    while len(signs) > longest or sum(map(len, signs)) > CODES:
        signs.pop()
    return "".join(signs).strip()


def initial(name: str) -> str:
    """The first character of a name as people count them, such as a whole family in one emoji, in upper case."""
    found = regex.match(r"\X", name)
    return found[0].upper() if found else ""


def same(name: str, other: str) -> bool:
    """Whether two names are equal, apart from case. Two people may have the same name."""
    return _letters(name) == _letters(other)


def imitates(name: str, other: str) -> bool:
    """Whether this is a different name that looks like the other."""
    return not same(name, other) and bool(_skeletons(name) & _skeletons(other))


def addresses(name: str) -> bool:
    """Whether sentences with this name would seem to address their reader, as "You" or "Du!" do."""
    only = regex.sub(r"\P{L}+", "", unicodedata.normalize("NFKC", name))
    return bool((_skeletons(name) | _skeletons(only)) & _addresses())


@cache
def _addresses() -> frozenset[str]:
    return frozenset(one for word in ADDRESSES for one in _skeletons(word))


def _letters(name: str) -> str:
    """The letters of a name in one case; the whole name if it has none."""
    plain = folded(name)
    return _BESIDE.sub("", plain) or plain


def _skeletons(name: str) -> set[str]:
    """The skeletons of the name as written and in lower case, both without case."""
    written = unicodedata.normalize("NFKC", _BESIDE.sub("", name) or name)
    return {_skeleton(_skeleton(one).casefold()) for one in (written, written.casefold())}


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    found = "".join(prototypes.get(sign, sign) for sign in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", found)


@cache
def _prototypes() -> dict[str, str]:
    """The prototype of each confusable character. The data has both directions; a prototype may have several."""
    file = files("confusable_homoglyphs") / "confusables.json"  # its module would keep 7 MB of names of characters
    found = msgspec.json.decode(file.read_bytes(), type=dict[str, list[_Alike]])
    alike = {sign.strip(_ASIDE): [one.c.strip(_ASIDE) for one in others] for sign, others in found.items()}
    return {
        sign: others[0]
        for sign, others in alike.items()
        if len(sign) == len(others) == 1 and (len(alike.get(others[0], ())) > 1 or others[0] < sign)
    }
