"""Translations. Messages are English in the code; a language's folder holds their translations in `messages/*.po`.

A `Catalog` holds the translations into one language, a `Translator` speaks to one reader at one table. A game's catalog
falls back to the common one; a message without a translation comes from the next language of the reader's chain. Wheels
hold compiled catalogs (`.mo`); a `.po` file is read where it is newer, as in a working copy, or alone.
"""

import gettext
import io
import itertools
import os
import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from pathlib import Path
from typing import BinaryIO, Literal

from msgspec import Struct

from spieltisch.game import Invalid, Refused
from spieltisch.languages import (
    BROKEN,
    DEFAULT,
    LANGUAGES,
    LATIN,
    OWN,
    chain,
    language,
    matching,
    own_text,
    po,
    unless_broken,
    utf8,
)

MESSAGES = "messages"  # a language's folder of catalogues
SHARED = ("spieltisch", "decks", "study")  # the catalogues that all games share


def N_(message: str, /) -> str:  # noqa: N802 - gettext's usual name
    """The message itself: marks it for the catalogues where it is written, to be translated where it is shown."""
    return message


class Catalog:
    """The translations into one language, with plurals. `order` is the reader's order of terms, see `Terms`."""

    __slots__ = ("_counted", "_filled", "_known", "order", "translations")

    def __init__(
        self, translations: gettext.NullTranslations, known: Mapping[str, str] | None = None, order: str = ""
    ) -> None:
        self.order = order
        self.translations = translations
        self._known: dict[str, str] = dict(known or {})
        self._counted: dict[tuple[str, str, int], str] = {}
        self._filled: dict[tuple[str, str, int], str] = {}

    def gettext(self, message: str, /) -> str:
        """The translation, its braces not yet filled; the message itself if there is none."""
        found = self._known.get(message)
        if found is None:
            found = self._known[message] = self.translations.gettext(message)
        return found

    def pgettext(self, context: str, message: str, /) -> str:
        """The translation of a short message that means several things; `context` says which."""
        return self.translations.pgettext(context, message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The translation for this number, its braces not yet filled."""
        found = self._counted.get((one, many, n))
        if found is None:
            found = self._counted[one, many, n] = self.translations.ngettext(one, many, n)
        return found

    def counted(self, one: str, many: str, n: int, /, **values: object) -> str:
        """`counted("{n} card", "{n} cards", n)`: translated for the number, then filled."""
        if values:
            return self.ngettext(one, many, n).format_map({"n": n, **values})
        found = self._filled.get((one, many, n))
        if found is None:
            found = self._filled[one, many, n] = self.ngettext(one, many, n).format_map({"n": n})
        return found


@cache
def read_catalog(folder: Path, name: str) -> gettext.NullTranslations:
    """The translations in a file of this folder; none if there is no such file."""
    file = _compiled(folder, name)
    found = None if file is None else unless_broken(folder / f"{name}.po", lambda _: usable(file))
    return found or gettext.NullTranslations()


def usable(compiled: BinaryIO) -> gettext.NullTranslations:
    """The translations in a compiled file, which is closed. Raises ValueError if they cannot be used."""
    with compiled:
        try:
            found = gettext.GNUTranslations(compiled)
            for n in range(3):
                found.plural(n)  # ty: ignore[missing-attribute] - not in the stubs
        except (struct.error, LookupError, ArithmeticError) as error:
            raise ValueError(*error.args) from None
    return found


def _compiled(folder: Path, name: str) -> BinaryIO | None:
    """The `.mo` file of this name, or what its `.po` file makes if that is newer; None if there is neither."""
    source, compiled = folder / f"{name}.po", folder / f"{name}.mo"
    if source.is_file() and not (compiled.is_file() and compiled.stat().st_mtime >= source.stat().st_mtime):
        return unless_broken(source, _of_source)
    return compiled.open("rb") if compiled.is_file() else None


def _of_source(file: Path) -> BinaryIO:
    """What a `.po` file makes, without the messages that cannot be filled."""
    messages = po.read(utf8(file))
    fit = [one for one in messages if one.fits]
    if left_out := len(messages) - len(fit):
        text = N_("{file}: messages that are left out, since their braces are not those of the English: {n}")
        BROKEN[file] = Invalid(text, file=file, n=left_out)
    return io.BytesIO(po.compiled(fit))


def _chained(lang: str, files: Callable[[str], Iterable[tuple[Path, str]]]) -> gettext.NullTranslations:
    """The translations in these files, message by message from the reader's languages, the best one first. Messages are
    written in the default language, so nothing follows it.
    """
    joined = gettext.NullTranslations()
    for one in itertools.takewhile(lambda tag: tag != DEFAULT, chain(lang)):
        for folder, name in files(one):
            joined.add_fallback(
                copy(read_catalog(folder, name))
            )  # a copy shares its messages, not what it falls back to
    return joined


def _shared(lang: str) -> list[tuple[Path, str]]:
    return [(LANGUAGES[lang].folder / MESSAGES, name) for name in SHARED]


def _games(lang: str, folders: Iterable[Path]) -> list[tuple[Path, str]]:
    """A game's own messages, then those that the language brings for it."""
    return [
        place
        for folder in folders
        for place in ((folder / "locale", lang), (LANGUAGES[lang].folder / MESSAGES, folder.name))
    ]


@cache
def joined_catalog(lang: str, folders: tuple[Path, ...]) -> Catalog:
    """What the site, the defaults and the decks say, and after them these games' packages."""
    return Catalog(_chained(lang, lambda one: [*_shared(one), *_games(one, folders)]))


@cache
def common_catalog(lang: str) -> Catalog:
    """What the site, the defaults and the decks say in this language."""
    return joined_catalog(lang, ())


@cache
def package_catalog(folder: Path, lang: str) -> Catalog:
    """What a game's package says, and after it the site."""
    translations = _chained(lang, lambda one: [*_games(one, [folder]), *_shared(one)])
    return Catalog(translations, order=language(lang).cases)


def broken() -> list[Invalid]:
    """Why files of languages cannot be read or used. Those that do not come with the program are all read for it."""
    for tag, one in LANGUAGES.items():
        if one.folder.parent != OWN:
            for name in _catalogues(tag):
                read_catalog(one.folder / MESSAGES, name)
            for file in one.folder.rglob("*.md"):
                own_text(tag, file.relative_to(one.folder).as_posix())
    return [*BROKEN.values()]


def _number(folder: Path, name: str) -> int:
    """The number of translations in a file of this folder."""
    file = _compiled(folder, name)
    if file is None:
        return 0
    with file:
        return po.number(file.read(12))


@cache
def _catalogues(tag: str) -> dict[str, int]:
    """The number of translations in each file of a language, by its name."""
    folder = LANGUAGES[tag].folder / MESSAGES
    return {name: _number(folder, name) for name in sorted({file.stem for file in folder.glob("*.[mp]o")})}


def fullest(name: str, lang: str = "") -> list[po.Message]:
    """The messages of a catalogue, its header first, in this language; in the one that has most of them by default."""
    tag = lang or max(LANGUAGES, key=lambda one: _number(LANGUAGES[one].folder / MESSAGES, name))
    folder = LANGUAGES[tag].folder / MESSAGES
    source, compiled = folder / f"{name}.po", folder / f"{name}.mo"
    if source.is_file():
        return po.read(utf8(source))
    return po.decompiled(compiled.read_bytes()) if compiled.is_file() else []


@cache
def translated(tag: str) -> float:
    """The share of all messages that a language has; those of the language that has most of them are all."""
    if tag == DEFAULT:
        return 1.0
    every: dict[str, int] = {}
    for one in LANGUAGES:
        for name, n in _catalogues(one).items():
            every[name] = max(n, every.get(name, 0))
    return sum(_catalogues(tag).values()) / (sum(every.values()) or 1)


class Terms(Struct, frozen=True):
    """What somebody chose for terms that every school calls otherwise (games whose page has `terms`): the language of
    their names, one of ours or Latin, and their order; "": as they usually are.
    """

    names: str = ""
    order: Literal["", "german", "british"] = ""

    def __post_init__(self) -> None:
        if self.names not in ("", LATIN, *LANGUAGES):
            raise ValueError(self.names)


@cache
def catalog_in_terms(folder: Path, lang: str, terms: Terms, latin: tuple[tuple[str, str], ...]) -> Catalog:
    """A game's catalog in these terms. `latin` holds the Latin name of each term."""
    usual = package_catalog(folder, lang)
    if not terms.names:
        names = {}
    elif terms.names == LATIN:
        names = dict(latin)
    else:
        there = package_catalog(folder, terms.names)
        names = {one: there.gettext(one) for one, _ in latin}
    return Catalog(usual.translations, names, terms.order or usual.order)


class Translator:
    """Speaks to one reader: a language, the seats' names and marks, and which seat (None: nobody's) the reader has."""

    __slots__ = ("_marks", "_names", "catalog", "lang", "me")

    def __init__(
        self,
        catalog: Catalog,
        lang: str,
        names: Sequence[str] = (),
        me: int | None = None,
        marks: Sequence[int] | None = None,
    ) -> None:
        self.catalog = catalog
        self._names = names
        self._marks = marks
        self.lang = lang
        self.me = me

    def _(self, message: str, /) -> str:
        """The translation, its braces not yet filled."""
        return self.catalog.gettext(message)

    def pgettext(self, context: str, message: str, /) -> str:
        """The translation of a short message that means several things; `context` says which."""
        return self.catalog.pgettext(context, message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The translation for this number, its braces not yet filled."""
        return self.catalog.ngettext(one, many, n)

    def labelled(self, name: object, words: object, /) -> str:
        """`name: words`, with a space before the colon in languages that write one."""
        return self._("{name}: {words}").format(name=name, words=words)

    def name(self, seat: int, /) -> str:
        """The name of who sits there."""
        return self._names[seat]

    def of(self, seat: int, theirs: str, mine: str, /, **values: object) -> str:
        """A sentence about who sits there ("{name} passes."), or to the reader who does ("You pass."), its braces
        filled.
        """
        return self._(mine if seat == self.me else theirs).format(name=self._names[seat], **values)

    def mark(self, seat: int, /) -> int:
        """The shape and colour of who sits there, from 0: people keep theirs when they change seats."""
        return seat if self._marks is None else self._marks[seat]

    def refusal(self, error: Refused) -> str:
        """A refusal as a sentence."""
        return sentence(self._(error.text), error.values)


def sentence(text: str, values: Mapping[str, object]) -> str:
    """A refusal's text as a sentence, its braces filled.

    Some refusals begin small and lack a full stop, since they may follow a colon. A name at the beginning keeps its
    case.
    """
    said = text.format_map(values) if values else text
    if not text[:1].islower():
        return said
    return said[0].upper() + said[1:] + ("" if said.endswith((".", "!", "?", "…")) else ".")


def bind_dashes(text: str) -> str:
    """Return the text with each dash bound to the word before it, so that no line begins with it."""
    return text.replace(" – ", "\u00a0– ")


def common_translator(lang: str) -> Translator:
    """The common words in a language, for what has no game."""
    return Translator(common_catalog(lang), lang)


def system_language() -> str:
    """The language of this machine if it is one of ours, else the default."""
    setting = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return matching(re.split("[.@]", setting)[0]) or DEFAULT


def in_system_language(text: str, /, **values: object) -> str:
    """A message in the language of this machine, its braces filled."""
    return common_catalog(system_language()).gettext(text).format_map(values)


def accepted(header: str) -> str:
    """The language that an Accept-Language header likes best of those there are; the default if none."""
    best, weight = DEFAULT, 0.0
    for part in header[:500].split(","):
        tag, _, parameter = part.strip().partition(";")
        try:
            q = float(parameter.strip().removeprefix("q=")) if parameter else 1.0
        except ValueError:
            continue
        if q > weight and (lang := matching(tag)):
            best, weight = lang, q
    return best
