"""What each language's `lint.toml` says about its texts. A language without such a file is not checked for that."""

import re
from collections.abc import Iterable, Mapping
from string import Template
from typing import Literal

from spieltisch.languages import data
from spieltisch.languages.patterns import Joined, Usable, require_patterns

Tell = Literal["year", "century", "decade", "era", "ruler", "hundred"]
RULER = r"[A-ZÄÖÜ][\w’-]{1,40}"


def _joined(pattern: str) -> str:
    """A pattern that was broken into lines."""
    return "".join(pattern.split("\n")).strip()


class Eras(Usable, frozen=True, forbid_unknown_fields=True):
    """How a text speaks of years before our era, and of years of it."""

    before: str
    after: str

    def require_usable(self) -> None:
        require_patterns([self.before, self.after])


class Words(Usable, frozen=True, forbid_unknown_fields=True):
    """A language's small words, its words that say nothing and words that hurt, what it calls eras, and by which words
    it gives a date away.
    """

    small: str = ""
    common: str = ""
    unsafe: str = ""
    before_i: str = ""
    eras: Eras | None = None
    words: Mapping[str, str] = {}
    tells: Mapping[Tell, tuple[str, ...]] = {}

    def require_usable(self) -> None:
        if self.eras is not None:
            self.eras.require_usable()
        require_patterns([_joined(self.unsafe), *(one for kind in self.tells for one in self.telling(kind))])

    def telling(self, kind: Tell) -> list[str]:
        """The regular expressions for what tells a date in this way."""
        said = {name: _joined(words) for name, words in self.words.items()}
        said |= {name.title(): words.title() for name, words in said.items()} | {"ruler": RULER}
        return [Template(one).safe_substitute(said) for one in self.tells.get(kind, ())]


WORDS = data("lint.toml", Words)


def telling(kind: Tell) -> list[str]:
    """The regular expressions for what tells a date in this way, in any language."""
    return [one for words in WORDS.values() for one in words.telling(kind)]


def said(key: Literal["small", "common", "before_i"]) -> frozenset[str]:
    """These words of all languages."""
    return frozenset(word for words in WORDS.values() for word in getattr(words, key).split())


def either(patterns: Iterable[str], flags: re.RegexFlag = re.NOFLAG) -> Joined:
    """What any of these patterns finds; nothing if there is none."""
    return Joined("|".join(patterns) or "(?!)", flags)


def hurting() -> str:
    """The regular expression for words that hurt, in any language."""
    return "|".join(_joined(words.unsafe) for words in WORDS.values() if words.unsafe) or r"(?!)"
