"""What a language's files bring besides words: regular expressions and phrases with braces, and their checks.

The program joins the expressions of all languages, so one that is right by itself may still break the others.
"""

import re
from collections.abc import Iterable, Iterator
from string import Formatter

from msgspec import Struct


class Joined:
    """A regular expression of many languages' words, compiled when it is first used. To compile them all at the start
    of each process would be a tenth of it, and most processes read no dates.
    """

    __slots__ = ("_compiled", "_flags", "_form")

    def __init__(self, form: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._form, self._flags = form, flags
        self._compiled: re.Pattern[str] | None = None

    def _ready(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._form, self._flags)
        return self._compiled

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As `re.Pattern`'s."""
        return self._ready().fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        """As `re.Pattern`'s."""
        return self._ready().search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern`'s."""
        return self._ready().finditer(text)

    def sub(self, right: str, text: str) -> str:
        """As `re.Pattern`'s."""
        return self._ready().sub(right, text)


class Usable(Struct, frozen=True):
    """What a file says that may have to be checked. The program's own files are checked by tests, not at each start."""

    def require_usable(self) -> None:
        """Raise ValueError, with the reason, if the program could not work with it."""


def require_patterns(patterns: Iterable[str], *, own_groups: bool = False) -> None:
    """Raise ValueError unless each regular expression can stand among others. Named groups are for `own_groups` only,
    where each language has its own.
    """
    for one in patterns:
        inside = one.replace("(?P<", "(?P<own__") if own_groups else rf"{one})|(?:{one}"
        try:
            re.compile(one)
            re.compile(rf"((?:{inside}))")
        except re.error as error:
            raise ValueError(f"{one!r} is no regular expression that can be joined with others: {error}") from None


def require_fields(phrases: Iterable[str], *names: str, whole: bool = False) -> None:
    """Raise ValueError unless nothing but these names stands in the braces of the phrases; if `whole`, all of them."""
    known = {(name, "", "") for name in names}
    for one in phrases:
        found = fields(one)
        if not found <= known or (whole and found != known):
            raise ValueError(f"{one!r} is filled with {' '.join(f'{{{name}}}' for name in names)}")


def fields(phrase: str) -> set[tuple[str, str, str]]:
    """What stands in the braces of a phrase: name, format and conversion. Raises ValueError if they are not closed."""
    parsed = Formatter().parse(phrase)
    return {(name, form or "", conversion or "") for _, name, form, conversion in parsed if name is not None}
