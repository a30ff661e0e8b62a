"""Translations, and who speaks to whom: messages are English, their German stands in `.po` files.

The files are read once, at the start, and live in memory: the house's `web/locale/de.po` and each room's
`locale/de.po`, which falls back to the house's.
"""

import gettext
import io
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from msgspec import Struct

from spieltisch.decks.findings import LOCALE as DECKS
from spieltisch.game import Refused
from spieltisch.games import Room, room
from spieltisch.web.markup import Html

LANGUAGES = ("de", "en")
HOUSE = Path(__file__).parent / "locale"


class Words:
    """The translations into one language: a dictionary, and who knows about plurals."""

    __slots__ = ("_counted", "_filled", "order", "plural", "singular")

    def __init__(self, singular: dict[str, str], plural: gettext.NullTranslations, order: str = "") -> None:
        self.order = order  # in which a reader wants to see a room's terms, see `Terms`
        self.singular = singular
        self.plural = plural
        self._counted: dict[tuple[str, str, int], str] = {}
        self._filled: dict[tuple[str, str, int], str] = {}

    def before(self, other: "Words") -> "Words":
        """These words, and the other ones for what is not among them."""
        self.plural.add_fallback(other.plural)
        return Words(other.singular | self.singular, self.plural)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The translation for this number, its braces not yet filled."""
        found = self._counted.get((one, many, n))
        if found is None:
            found = self._counted[one, many, n] = self.plural.ngettext(one, many, n)
        return found

    def counted(self, one: str, many: str, n: int, /, **values: object) -> str:
        """`counted("{n} card", "{n} cards", n)`: translated for the number, then filled."""
        if values:
            return self.ngettext(one, many, n).format_map({"n": n, **values})
        found = self._filled.get((one, many, n))
        if found is None:
            found = self._filled[one, many, n] = self.ngettext(one, many, n).format_map({"n": n})
        return found


def read(file: Path) -> Words:
    """The translations of a `.po` file; none if there is no such file."""
    if not file.exists():
        return Words({}, gettext.NullTranslations())
    with file.open("rb") as po:
        catalog = read_po(po, locale=file.stem, abort_invalid=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    said = {
        m.id: m.string for m in catalog if isinstance(m.id, str) and m.id and isinstance(m.string, str) and m.string
    }
    return Words(said, gettext.GNUTranslations(compiled))


@cache
def house(lang: str) -> Words:
    """What the house says in this language, and what decks are told; English needs no file."""
    return read(HOUSE / f"{lang}.po").before(read(DECKS / f"{lang}.po"))


@cache
def _room(folder: Path, lang: str) -> Words:
    return read(folder / "locale" / f"{lang}.po").before(house(lang))


class Terms(Struct, frozen=True):
    """What somebody chose for terms that every school calls otherwise (rooms whose page has `TERMS`): the language of
    their names, one of ours or Latin, and their order; "": as they usually are.
    """

    names: Literal["", "de", "en", "la"] = ""
    order: Literal["", "british"] = ""


def of(room: Room, lang: str, terms: Terms = Terms()) -> Words:  # noqa: B008 - frozen
    """What a room says, falling back to the house; with these terms, where it has such."""
    usual = _room(room.folder, lang)
    if terms == Terms() or not hasattr(room.page, "TERMS"):
        return usual
    return _in_terms(room.name, lang, terms)


@cache
def _in_terms(name: str, lang: str, terms: Terms) -> Words:
    own = room(name)
    usual, latin = _room(own.folder, lang), getattr(own.page, "TERMS", {})
    if not terms.names:
        names = {}
    elif terms.names == "la":
        names = latin
    else:
        there = _room(own.folder, terms.names).singular
        names = {one: there.get(one, one) for one in latin}
    return Words(usual.singular | names, usual.plural, terms.order)


def _undrawn(_name: str, *_given: object) -> str:
    return ""


class Says:
    """Words for one listener: a language, the seats' names, and which seat (or none) is listening.

    `piece(name, *given)` draws a part of a room's page that hangs on nothing but what is given: see `Pages.pieces`.
    """

    __slots__ = ("_names", "_singular", "lang", "me", "piece", "public", "words")

    def __init__(self, words: Words, lang: str, names: Sequence[str] = (), me: int | None = None) -> None:
        self.words = words
        self._singular = words.singular
        self._names = names
        self.lang = lang
        self.me = me
        self.public: Any = None  # what the news belong to: the public room as it is now
        self.piece: Callable[..., str] = _undrawn

    def row(self, name: str, several: Iterable[tuple[Any, ...]]) -> Html:
        """The same part once for each of several, one after the other."""
        piece = self.piece
        return Html("".join([piece(name, *given) for given in several]))

    def _(self, message: str, /) -> str:
        """The translation, its braces not yet filled."""
        return self._singular.get(message, message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The translation for this number, its braces not yet filled."""
        return self.words.ngettext(one, many, n)

    def name(self, seat: int, /) -> str:
        return self._names[seat]

    def refusal(self, error: Refused) -> str:
        """A refusal in words."""
        text = self._(error.text)
        return text.format_map(error.values) if error.values else text


def retold(text: str, room: Room, says: Says) -> str:
    """A text of a room in the terms of `says`."""
    words = getattr(room.page, "retold", None)
    return text if words is None else words(text, Says(of(room, says.lang), says.lang), says)


def speaker(lang: str) -> Says:
    """The house's words in a language, for pages without a table."""
    return Says(house(lang), lang)


def accepted(header: str) -> str:
    """The language that an Accept-Language header likes best of those there are; English if none."""
    best, weight = "en", 0.0
    for part in header[:500].split(","):
        tag, _, parameter = part.strip().partition(";")
        lang = tag.strip().lower().split("-")[0]
        try:
            q = float(parameter.strip().removeprefix("q=")) if parameter else 1.0
        except ValueError:
            continue
        if lang in LANGUAGES and q > weight:
            best, weight = lang, q
    return best
