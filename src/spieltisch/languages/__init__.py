"""Languages are folders: `language.toml`, and beside it messages, rules and plans of lessons.

    it/language.toml                 names, dates, numbers: the fields of `Language`
    it/messages/spieltisch.po        the site; `decks.po`, `study.po`, and by its folder's name each game: `adaman.po`
    it/rules/adaman.md               the rules of a game, by its folder's name
    it/plans/latin.md                a page for teachers
    it/headings.toml                 words by which sheets name the columns of decks
    it/dates.toml                    how dates are written and read; `lint.toml`, `lab.toml`: how decks are checked
    it/examples/events.csv           a sheet to fill in, by the kind of decks; `dates.txt`: dates as people write them

A folder is found, not registered. SPIELTISCH_LANGUAGES names further folders with languages, separated like PATH; a
language there replaces ours of the same tag. What a language lacks comes from those that it falls back to.

A reader's language is a tag of RFC 5646: `it`, or `it-x-de` for somebody who wants German where Italian is missing.
"""

import os
import re
from collections.abc import Callable, Generator, Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from spieltisch.game import Invalid
from spieltisch.languages.patterns import Usable, require_fields

DEFAULT = "en"  # messages are written in it, so it lacks none
OWN = Path(__file__).parent
FILE = "language.toml"
LATIN = "la"  # names terms, and has no readers
TAG = re.compile(  # language, script, region, variants
    rf"(?!{LATIN}$)[a-z]{{2,3}}(-[A-Z][a-z]{{3}})?(-([A-Z]{{2}}|[0-9]{{3}}))?(-([a-z0-9]{{5,8}}|[0-9][a-z0-9]{{3}}))*"
)
CHOSEN = "-x-"  # between a language and the one that its reader chose for what is missing

T = TypeVar("T")
Words = Annotated[tuple[str, ...], Meta(min_length=1)]


class Pseudonyms(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for the names of pupils. `pattern` puts them together: `{place}{animal}` makes "Nebelfuchs"."""

    places: Words
    animals: Words
    pattern: str = "{place} {animal}"


class Language(Struct, frozen=True, forbid_unknown_fields=True):
    """A language: what its `language.toml` says."""

    name: str  # in itself: "Deutsch"
    english: str  # in English: "German"
    birds: Words  # names of bots
    pseudonyms: Pseudonyms
    weekdays: tuple[str, str, str, str, str, str, str]  # from Monday, as short as in a calendar: "Mo"
    months: tuple[str, str, str, str, str, str, str, str, str, str, str, str]  # short: "Jan"
    day: str = "{day} {month}"  # a short date; `{month}` is its short name, `{number}` its number
    decimal: str = "."
    thousands: str = ","
    percent: str = "{n}%"
    quotes: tuple[str, str] = ("“", "”")
    cases: Literal["german", "british"] = (
        "german"  # order of Latin cases at school: nom. gen. dat. acc., or nom. acc. gen.
    )
    column: str = ""  # of the texts on cards, where decks do not call it `text_it`
    falls_back: tuple[str, ...] = ()  # tags of the languages that stand in for what is missing, the best one first
    read_by: str = ""  # the native teacher who has read it; "" if nobody has
    tag: str = ""  # the folder's name
    folder: Path = OWN

    def __post_init__(self) -> None:
        require_fields([self.day], "day", "month", "number")
        require_fields([self.percent], "n", whole=True)
        require_fields([self.pseudonyms.pattern], "place", "animal", whole=True)

    def number(self, value: float, digits: int = 0) -> str:
        """A number as it is written: "1,234.5"."""
        return f"{value:z,.{digits}f}".translate({ord(","): self.thousands, ord("."): self.decimal})

    def share(self, value: float, digits: int = 0) -> str:
        """A share in per cent: 0.125 is "13%"."""
        return self.percent.format(n=self.number(100 * value, digits))

    def quoted(self, text: str) -> str:
        """The text in quotation marks."""
        return text.join(self.quotes)


def read(folder: Path) -> Language:
    """The language in this folder, named by its tag. Raises Invalid with the reason if its file cannot be read."""
    found = decoded(folder / FILE, Language)
    if not TAG.fullmatch(folder.name):
        raise Invalid("“{tag}” is no tag of a language, such as it or pt-BR.", tag=folder.name)
    if found.column not in {"", folder.name}:
        raise Invalid("{file} cannot be read: {reason}", file=folder / FILE, reason=f"column = {found.column!r}")
    return msgspec.structs.replace(found, tag=folder.name, folder=folder)


def utf8(file: Path) -> str:
    """What a text file says, without a byte order mark. Raises Invalid with the line that is in another encoding."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + error.object.count(b"\n", 0, error.start)
        raise Invalid("line {line} is not in UTF-8. Save the file in this encoding.", line=line) from None


def decoded(file: Path, shape: type[T]) -> T:
    """What a `.toml` file says. Raises Invalid with the reason if it cannot be read."""
    try:
        found = msgspec.toml.decode(utf8(file), type=shape)
        if isinstance(found, Usable) and not file.is_relative_to(OWN):
            found.require_usable()
    except OSError as error:
        raise Invalid("{file} cannot be read: {reason}", file=file, reason=error.strerror or error) from None
    except (msgspec.DecodeError, ValueError, Invalid) as error:
        raise Invalid("{file} cannot be read: {reason}", file=file, reason=error) from None
    return found


def folders(places: Iterable[Path]) -> Generator[Path]:
    """The folders of languages in these places; a place may be such a folder itself."""
    for place in places:
        if (place / FILE).is_file():
            yield place
        elif place.is_dir():
            yield from sorted(one for one in place.iterdir() if (one / FILE).is_file())


def _places() -> Generator[Path]:
    yield OWN
    yield from (Path(one) for one in os.environ.get("SPIELTISCH_LANGUAGES", "").split(os.pathsep) if one)


BROKEN: dict[Path, Invalid] = {}
"""Files of languages that could not be read, and why. A language without its `language.toml` is left out; what another
file would say comes from the next language.
"""


def unless_broken(file: Path, made: Callable[[Path], T]) -> T | None:
    """What `made` makes of a language's file; None, and a line in `BROKEN`, if it cannot be read."""
    try:
        return made(file)
    except Invalid as error:
        named = "file" in error.values
        BROKEN[file] = error if named else Invalid("{file} cannot be read: {reason}", file=file, reason=error)
    except (OSError, ValueError) as error:
        BROKEN[file] = Invalid("{file} cannot be read: {reason}", file=file, reason=error)
    return None


def _in_place(place: Path) -> list[Path]:
    if not (found := [*folders([place])]):
        raise Invalid("there is no language in {file}", file=place)
    return found


def _found() -> Generator[Language]:
    for place in _places():
        for folder in unless_broken(place, _in_place) or ():
            if (one := unless_broken(folder / FILE, lambda file: read(file.parent.absolute()))) is not None:
                yield one


LANGUAGES: dict[str, Language] = {one.tag: one for one in _found()}
"""All languages by their tags."""


def language(tag: str) -> Language:
    """The language of a reader; the default for a tag that is not known, such as one stored before its folder went."""
    return LANGUAGES.get(tag.partition(CHOSEN)[0]) or LANGUAGES[DEFAULT]


def is_known(tag: str) -> bool:
    """Whether readers may have this language, and the one they chose for what is missing."""
    own, chosen, other = tag.partition(CHOSEN)
    return own in LANGUAGES and (not chosen or (other in LANGUAGES and other != own))


def require(tag: str) -> None:
    """Raise Invalid with the list of languages unless this is one."""
    if not is_known(tag):
        raise Invalid("there is no language {lang}, only {known}", lang=tag, known=", ".join(LANGUAGES))


@cache
def chain(tag: str) -> tuple[str, ...]:
    """The languages for a reader, the best one first: their own, the one they chose for what is missing, those that it
    falls back to, the default.
    """
    own, other = language(tag), tag.partition(CHOSEN)[2]
    return tuple(dict.fromkeys(one for one in (own.tag, other, *own.falls_back, DEFAULT) if one in LANGUAGES))


def matching(tag: str) -> str:
    """The language there is for a tag: itself or its base, so `pt-BR` finds `pt`; "" if there is none."""
    by_case = {one.lower(): one for one in LANGUAGES}
    parts = tag.strip().lower().replace("_", "-").split("-")
    return next((by_case[one] for n in range(len(parts), 0, -1) if (one := "-".join(parts[:n])) in by_case), "")


def own_text(tag: str, name: str) -> str | None:
    """The text of this name in a language's folder, such as `plans/latin.md`; None if it has none."""
    file = LANGUAGES[tag].folder / name
    return unless_broken(file, utf8) if file.is_file() else None


def text(tag: str, name: str) -> tuple[str, str] | None:
    """The text of this name in the first of the reader's languages that has it, and that language; None if none has."""
    found = ((own_text(one, name), one) for one in chain(tag))
    return next(((said, one) for said, one in found if said is not None), None)


def data(name: str, shape: type[T]) -> dict[str, T]:
    """What the languages say in a file of this name, such as `dates.toml`, by the tags of those that have it."""
    found = {}
    for tag, one in LANGUAGES.items():
        file = one.folder / name
        if file.is_file() and (said := unless_broken(file, lambda file: decoded(file, shape))) is not None:
            found[tag] = said
    return found
