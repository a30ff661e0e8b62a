"""What people may call themselves: names as they can be shown, and imitations of others' names.

Names are compared by a skeleton, as Unicode's Technical Standard 39 has it: characters that look alike are one.
"""

import unicodedata
from functools import cache

import regex
from confusable_homoglyphs.confusables import confusables_data

LONGEST = 24  # characters, as people count them
CODES = 96  # code points in all: a family of emoji has eleven
MARKS = 3  # on one letter: points of Hebrew and vowels of Thai are marks, and a heap of them hides the line above
# Words by which sentences speak to whoever reads them. "You doubt" must not be somebody else.
ADDRESSES = frozenset({"you", "your", "me", "i", "du", "dir", "dich", "ich", "mir", "mich", "sie", "ihr", "wir", "we"})
_EMOJI = regex.compile(r"\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\ufe0f?\u20e3")
_UNSEEN = regex.compile(r"[\p{C}\p{Default_Ignorable_Code_Point}\u2800]")


def tidy(name: str, longest: int = LONGEST) -> str:
    """A name as it may stand on a page and in a record: one line, nothing that cannot be seen, whole characters."""
    plain = unicodedata.normalize("NFC", name[:400])
    plain = "".join(" " if sign.isspace() else sign for sign in plain)
    signs = regex.findall(r"\X", " ".join("".join(map(_shown, regex.findall(r"\X", plain))).split()))
    while len(signs) > longest or sum(map(len, signs)) > CODES:
        signs.pop()
    return "".join(signs).strip()


def _shown(sign: str) -> str:
    """One character as people count them, without what cannot be seen. What joins an emoji's parts stays."""
    if _EMOJI.search(sign):
        return sign if len(sign) <= 16 else sign[:1]
    seen, marks = "", 0
    for one in _UNSEEN.sub("", sign):
        marks += unicodedata.category(one) in {"Mn", "Me"}
        if marks <= MARKS:
            seen += one
    return seen


def same(name: str, other: str) -> bool:
    """Whether these are one name, perhaps in other case: two people may be called so."""
    return name.casefold() == other.casefold()


def imitates(name: str, other: str) -> bool:
    """Whether this is another name that looks like that one."""
    return not same(name, other) and bool({*_skeletons(name)} & {*_skeletons(other)})


def addresses(name: str) -> bool:
    """Whether sentences would speak to whoever reads them with this name."""
    return bool({*_skeletons(name)} & _addresses())


@cache
def _addresses() -> frozenset[str]:
    return frozenset(one for word in ADDRESSES for one in _skeletons(word))


def _skeletons(name: str) -> tuple[str, str]:
    """The skeleton of the name, and of the name in small letters."""
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", name))
    return _skeleton(plain), _skeleton(plain.casefold())


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    found = "".join(prototypes.get(sign, sign) for sign in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", found).replace(" ", "")


@cache
def _prototypes() -> dict[str, str]:
    """For each character that looks like others the first of them, which stands for all."""
    found = {}
    for sign, alike in confusables_data.items():
        others = [one["c"] for one in alike if len(one["c"]) == 1]
        if len(sign) == 1 and others:
            found[sign] = min(sign, *others)
    return {sign: found.get(first, first) for sign, first in found.items()}
