"""What people may call themselves: names as they can be shown, and imitations of others' names.

Names are compared by a skeleton, as Unicode's Technical Standard 39 has it: characters that look alike are one.
"""

import unicodedata
from functools import cache

import regex
from confusable_homoglyphs.confusables import confusables_data

from spieltisch.decks.text import folded

LONGEST = 24  # characters, as people count them
CODES = 96  # code points in all: a family of emoji has eleven
MARKS = 3  # on one letter: points of Hebrew and vowels of Thai are marks, and a heap of them hides the line above
# Words by which sentences speak to whoever reads them. "You doubt" must not be somebody else.
ADDRESSES = frozenset({"you", "your", "me", "i", "du", "dir", "dich", "ich", "mir", "mich", "sie", "ihr", "wir", "we"})

_EMOJI = r"\p{Extended_Pictographic}[\ufe0f\U0001f3fb-\U0001f3ff]?"
# What joins something, and stays: an emoji's parts (Unicode TS 51), letters of India (after a virama), of Persian.
_JOINED = (
    rf"{_EMOJI}(?:[\U000e0020-\U000e007e]+\U000e007f)?(?:\u200d{_EMOJI})*|\p{{Regional_Indicator}}{{2}}|[0-9#*]\ufe0f?\u20e3"
    r"|(?<=\p{Canonical_Combining_Class=Virama})[\u200c\u200d](?=\p{L})|(?<=\p{Arabic})\u200c(?=\p{Arabic})"
)
_UNSEEN = regex.compile(rf"({_JOINED})|[\p{{C}}\p{{Default_Ignorable_Code_Point}}\u2800]")
_HEAPED = regex.compile(rf"((?:\p{{Mc}}*[\p{{Mn}}\p{{Me}}]){{{MARKS}}})\p{{M}}+|(\p{{Mc}}{{{MARKS}}})\p{{Mc}}+")
_BARE = regex.compile(r"(?<!\S)\p{M}+")  # they would stand on what is in front of the name
# What two people of one name may differ in: dots, blanks, strokes through letters, joiners.
_BESIDE = regex.compile(r"[\p{C}\p{P}\p{Z}[\p{M}&&\p{Script=Inherited}]\p{Default_Ignorable_Code_Point}]+", regex.V1)
_ASIDE = "\u200e"  # in the data around letters that are written from right to left


def tidy(name: str, longest: int = LONGEST) -> str:
    """A name as it may stand on a page and in a record: one line, nothing that cannot be seen, whole characters."""
    plain = "".join(" " if sign.isspace() else sign for sign in unicodedata.normalize("NFC", name[:400]))
    seen = _BARE.sub("", _HEAPED.sub(r"\1\2", _UNSEEN.sub(r"\1", plain)))
    signs = regex.findall(r"\X", " ".join(seen.split()))
    while len(signs) > longest or sum(map(len, signs)) > CODES:
        signs.pop()
    return "".join(signs).strip()


def same(name: str, other: str) -> bool:
    """Whether these are one name, perhaps in other case: two people may be called so."""
    return _letters(name) == _letters(other)


def imitates(name: str, other: str) -> bool:
    """Whether this is another name that looks like that one."""
    return not same(name, other) and bool(_skeletons(name) & _skeletons(other))


def addresses(name: str) -> bool:
    """Whether sentences would speak to whoever reads them with this name, as with "You" or "Du!"."""
    only = regex.sub(r"\P{L}+", "", unicodedata.normalize("NFKC", name))
    return bool((_skeletons(name) | _skeletons(only)) & _addresses())


@cache
def _addresses() -> frozenset[str]:
    return frozenset(one for word in ADDRESSES for one in _skeletons(word))


def _letters(name: str) -> str:
    """The name without its case and what stands beside letters; as it is if there is nothing else."""
    plain = folded(name)
    return _BESIDE.sub("", plain) or plain


def _skeletons(name: str) -> set[str]:
    """The skeletons of the name as it is written and in small letters, both without case."""
    written = unicodedata.normalize("NFKC", _BESIDE.sub("", name) or name)
    return {_skeleton(_skeleton(one).casefold()) for one in (written, written.casefold())}


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    found = "".join(prototypes.get(sign, sign) for sign in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", found)


@cache
def _prototypes() -> dict[str, str]:
    """What stands for each character that looks like others. The data list them both ways; a prototype has several."""
    alike = {
        sign.strip(_ASIDE): [one["c"].strip(_ASIDE) for one in others] for sign, others in confusables_data.items()
    }
    return {
        sign: others[0]
        for sign, others in alike.items()
        if len(sign) == len(others) == 1 and (len(alike.get(others[0], ())) > 1 or others[0] < sign)
    }
