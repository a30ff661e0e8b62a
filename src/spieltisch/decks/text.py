"""A text in several languages, and texts in one way of writing: `folded` tells whether two are the same words."""

import html
import unicodedata
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Self

from msgspec import Struct, defstruct
from msgspec.structs import astuple

from spieltisch.languages import LANGUAGES, chain

_MARKS = 30  # in a row: with no more of them a text is stream-safe (Unicode Standard Annex 15)
_ONE_SIGN = str.maketrans(
    dict.fromkeys("’‘ʼʹ`´′＇", "'") | dict.fromkeys("‐‑", "-") | dict.fromkeys("\u00ad\u200b\u2060\ufeff")
)


ALWAYS = tuple(tag for tag, one in LANGUAGES.items() if one.column)
"""The languages that files have had from the beginning: their key is in every text's JSON, even if it is empty."""
TAGS = (*ALWAYS, *(tag for tag in LANGUAGES if tag not in ALWAYS))
"""All languages, in the order in which files name them."""
_FIELDS = {tag: tag.replace("-", "_") for tag in TAGS}


class Spoken(str):
    """A text in another language than its page. There, between tags, it says so to screen readers."""

    __slots__ = ("lang",)

    def __new__(cls, text: str, lang: str) -> Self:
        made = super().__new__(cls, text)
        made.lang = lang
        return made

    def __reduce__(self) -> "tuple[type[Spoken], tuple[str, str]]":
        return Spoken, (str(self), self.lang)

    def __html__(self) -> str:
        return f'<span lang="{self.lang}">{html.escape(self)}</span>'


class _Text(Struct, frozen=True, order=True, gc=False, omit_defaults=True, repr_omit_defaults=True):
    def __getitem__(self, lang: str) -> str:
        """The text for a reader of this language. What is missing in it falls back: see `given`."""
        return getattr(self, lang, "") or self._fallen(lang)

    def _fallen(self, lang: str) -> str:
        return next((said for one in _order(lang) if (said := self._in(one))), "")

    def _in(self, tag: str) -> str:
        """The text in this language alone, "" if it has none: also in a language that was read after this module."""
        return getattr(self, _FIELDS.get(tag, ""), "")

    def given(self, lang: str) -> str:
        """The language of the text that this reader gets: the first of their languages that it is in, otherwise the
        first one it is in. A name or a number, the same in `ALWAYS`, is in every language.
        """
        own, *others = _order(lang)
        said = [getattr(self, one) for one in ALWAYS]
        if self._in(own) or (said[0] and len({*said}) == 1):
            return own
        return next((one for one in others if self._in(one)), own)

    def spoken(self, lang: str) -> str:
        """The same as `text[lang]`, to be put between the tags of a page: see `Spoken`."""
        said = getattr(self, lang, "")
        if said:
            return said
        given = self.given(lang)
        return self[lang] if given == _order(lang)[0] else Spoken(self[lang], given)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it is in."""
        return tuple(tag for tag, said in zip(TAGS, astuple(self), strict=True) if said)

    @property
    def first(self) -> str:
        """The text in the first of its languages: what stands for it in files, whoever reads them."""
        return next(filter(None, astuple(self)), "")

    @property
    def by_language(self) -> dict[str, str]:
        """The texts by the languages that it is in."""
        return {tag: said for tag, said in zip(TAGS, astuple(self), strict=True) if said}

    def within(self, languages: Collection[str]) -> "Text":
        """The text in these languages and `ALWAYS` alone."""
        each = zip(TAGS, astuple(self), strict=True)
        return Text(*[said if tag in languages or tag in ALWAYS else "" for tag, said in each])

    def each(self, change: Callable[[str], str]) -> "Text":
        """The text, changed in each language that it is in."""
        return Text(*[said and change(said) for said in astuple(self)])


if TYPE_CHECKING:

    class Text(_Text, frozen=True):
        """What is said, in some of the languages there are: by position in `ALWAYS`, the others by their tags."""

        def __init__(self, *said: str, **by_language: str) -> None: ...

else:
    Text = defstruct(
        "Text",
        [(_FIELDS[tag], str) if tag in ALWAYS else (_FIELDS[tag], str, "") for tag in TAGS],
        bases=(_Text,),
        module=__name__,
        namespace={"__doc__": "What is said, in some of the languages there are."},
        frozen=True,
        order=True,
        gc=False,
        omit_defaults=True,
        repr_omit_defaults=True,
        rename={field: tag for tag, field in _FIELDS.items() if field != tag},
    )


@cache
def _order(lang: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*chain(lang), *TAGS)))


def text_of(said: Mapping[str, str]) -> Text:
    """The text that says this in each of these languages; others than those there are, are left out."""
    return Text(*[said.get(tag, "") for tag in TAGS])


def same(said: str) -> Text:
    """A name or a number, which is the same in every language."""
    return Text(*[said] * len(ALWAYS))


def together(say: Callable[[str], str], *texts: Text) -> Text:
    """A text in each language that one of these is in; `say` says it in one."""
    return text_of({tag: say(tag) for tag in TAGS if any(tag in one.languages for one in texts)})


NOTHING = same("")


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
