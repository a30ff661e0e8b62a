"""What a language's folder holds, held against the program (`findings`), and how a new one begins (`begin`)."""

import contextlib
import functools
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from math import ceil
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from spieltisch import games
from spieltisch.game import Invalid
from spieltisch.i18n import MESSAGES, N_, fullest, usable
from spieltisch.languages import DEFAULT, FILE, LANGUAGES, OWN, TAG, Language, decoded, po, read, utf8

PLACEHOLDER = re.compile(r"\{(\w*)[^{}]*\}")
MARKUP = re.compile(r"</?\w+[^<>]*>|\*\*")
WORD = re.compile(r"[^\W\d_]{2,}")
ANYWHERE = {"README.md", "LICENSE", "LICENSE.md", "LICENSE.txt"}

# A button at 320 pixels: margins of 16 at both sides, 18 and the border inside. See parts.css.
ROOM = 320 - 2 * 16 - 2 * 18 - 3
SIZE = 15  # pixels
NAME, NUMBER = "Magdalena", "28"  # for what fills a placeholder; those of one letter are numbers


class Finding(Struct, frozen=True):
    """What is missing or wrong in a file, at this line if one is to blame."""

    file: str
    text: str
    values: dict[str, object] = {}
    line: int = 0
    wrong: bool = True  # it would show on a page; otherwise it is just not done yet


def findings(folder: Path) -> Iterator[Finding]:
    """What is missing or wrong in a language's folder. Raises Invalid if its `language.toml` cannot be read."""
    own = read(folder.resolve())
    yield from _of_settings(own)
    yield from _of_files(folder)
    for name in _names():
        yield from _of_catalogue(folder, name)


def _of_settings(own: Language) -> Iterator[Finding]:
    for tag in own.falls_back:
        if tag not in LANGUAGES:
            yield Finding(FILE, N_("falls_back: there is no language {tag}."), {"tag": tag})
    if not own.read_by:
        yield Finding(FILE, N_("No native teacher has read it yet: read_by is empty."), wrong=False)


def _of_files(folder: Path) -> Iterator[Finding]:
    known = {_relative(file, one.folder) for one in LANGUAGES.values() for file in one.folder.rglob("*")}
    known |= {f"rules/{package.folder.name}.md" for package in games.packages().values()} | ANYWHERE
    known |= {f"{MESSAGES}/{name}{ending}" for name in _names() for ending in (".po", ".mo")}
    here = {_relative(file, folder) for file in folder.rglob("*") if file.is_file()}
    yield from (Finding(one, N_("Nothing reads this file.")) for one in sorted(here - known))
    whole = {_relative(file, OWN / DEFAULT) for file in (OWN / DEFAULT).rglob("*.md")}
    yield from (Finding(one, N_("This file is missing."), wrong=False) for one in sorted(whole - here))
    for name, shape in shapes():
        if name in here:
            try:
                decoded(folder / name, shape)
            except Invalid as error:
                yield Finding(name, error.text, dict(error.values))
    for name in sorted(one for one in here if one.endswith((".md", ".csv", ".txt"))):
        try:
            utf8(folder / name)
        except Invalid as error:
            yield Finding(name, error.text, dict(error.values))


def shapes() -> Iterator[tuple[str, type[Struct]]]:
    """What the files of a language hold besides its messages, by their names."""
    from spieltisch.decks.dates import words as dates
    from spieltisch.decks.importing.headings import Headings
    from spieltisch.decks.lint import words as lint

    yield from (("dates.toml", dates.Words), ("headings.toml", Headings), ("lint.toml", lint.Words))
    with contextlib.suppress(ImportError):  # it needs the extra `study`
        from spieltisch.study.lab.languages import Lab

        yield "lab.toml", Lab


def _relative(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()


def _names() -> list[str]:
    """The catalogues that a language may have."""
    return sorted({file.stem for one in LANGUAGES.values() for file in (one.folder / MESSAGES).glob("*.[mp]o")})


def _of_catalogue(folder: Path, name: str) -> Iterator[Finding]:
    path, file = folder / MESSAGES / f"{name}.po", f"{MESSAGES}/{name}.po"
    wanted = {one.key: one for one in fullest(name)[1:]}
    if not path.is_file():
        yield Finding(file, N_("This file is missing, with {n} messages."), {"n": len(wanted)}, wrong=False)
        return
    try:
        head, *messages = po.read(utf8(path)) or [po.Message(("",))]
        usable(io.BytesIO(po.compiled([head])))
    except Invalid as error:
        yield Finding(file, error.text, dict(error.values))
        return
    except ValueError as error:
        yield Finding(file, N_("{file} cannot be read: {reason}"), {"file": file, "reason": error})
        return
    forms = re.search(r"nplurals\s*=\s*(\d+)", head.strings[0])
    if head.ids != ("",) or forms is None:
        yield Finding(file, N_("The header lacks Plural-Forms."))
    held = {one.key for one in messages if one.translated}
    lacks = [key for key in wanted if key not in held]
    if lacks:
        first = next((one.line for one in messages if one.key in wanted and not one.translated), 0)
        values: dict[str, object] = {"n": len(lacks), "m": len(wanted)}
        yield Finding(file, N_("{n} of {m} messages are not translated."), values, first, wrong=False)
    for one in messages:
        if one.key not in wanted:
            yield Finding(file, N_("The program does not say “{text}”."), {"text": _brief(one)}, one.line, wrong=False)
        elif one.translated:
            number = int(forms[1]) if forms and len(one.ids) > 1 else 1
            yield from (replace(found, file=file, line=one.line) for found in _of_message(one, wanted[one.key], number))


def _of_message(one: po.Message, other: po.Message, forms: int) -> Iterator[Finding]:
    if len(one.strings) != forms:
        values: dict[str, object] = {"text": _brief(one), "n": forms, "m": len(one.strings)}
        yield Finding("", N_("“{text}” needs {n} forms, not {m}."), values)
    wanted = {*PLACEHOLDER.findall(" ".join(one.ids))}
    spared = {"n"} if len(one.ids) > 1 else set()  # a singular may do without its number
    for said in one.strings:
        found = {*PLACEHOLDER.findall(said)}
        for name in sorted(found - wanted):
            yield Finding("", N_("Nothing fills {field} in “{text}”."), {"field": f"{{{name}}}", "text": said[:60]})
        for name in sorted(wanted - found - spared):
            yield Finding("", N_("{field} is lost in “{text}”."), {"field": f"{{{name}}}", "text": said[:60]})
        if Counter(MARKUP.findall(said)) != Counter(MARKUP.findall(one.ids[-1])):
            yield Finding("", N_("The markup is not that of “{text}”."), {"text": _brief(one)})
    english = len(WORD.findall(PLACEHOLDER.sub("", one.ids[0]))) > 2 and other.strings != other.ids  # no Latin, no name
    if one.strings[0] == one.ids[0] and english:
        yield Finding("", N_("“{text}” is still in English."), {"text": _brief(one)}, wrong=False)
    if one.key in _buttons() and (longest := max(one.strings, key=lines)) and lines(longest) > max(map(lines, one.ids)):
        values = {"text": longest, "n": round(width(longest) - ROOM), "m": ROOM}
        wrong = any(width(word) > ROOM for word in longest.split())
        yield Finding("", N_("“{text}” is too long for a button at 320 pixels, by {n} of {m}."), values, wrong=wrong)


def _brief(one: po.Message) -> str:
    return one.ids[0] if len(one.ids[0]) <= 60 else f"{one.ids[0][:59]}…"


# -- buttons -----------------------------------------------------------------------------------------------------

_BUTTON = re.compile(r'<(button|a)\b[^>]*class="[^"]*\bbtn\b[^"]*"[^>]*>(.*?)</\1>', re.DOTALL)
_STRING = r'"((?:[^"\\]|\\.)*)"'
_SAID = re.compile(rf"\b(?:_\({_STRING}|pgettext\({_STRING}, {_STRING}|ngettext\({_STRING}, {_STRING})")


@functools.cache
def _buttons() -> frozenset[tuple[tuple[str, ...], str | None]]:
    """The keys of the messages that templates put on buttons."""
    places = [Path(OWN).parent / "web", *(package.folder for package in games.packages().values())]
    found = set()
    for file in (file for place in places for file in place.rglob("templates/*.html")):
        for _tag, inside in _BUTTON.findall(file.read_text(encoding="utf-8")):
            for one, context, said, single, several in _SAID.findall(inside):
                if one or said:
                    found.add(((one or said,), context or None))
                elif single:
                    found.add(((single, several), None))
    return frozenset(found)


@functools.cache
def _widths() -> dict[str, int]:
    lines = (OWN / "widths.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" ", 1) for line in lines if not line.startswith("#"))
    return {sign: int(n) for n, signs in pairs for sign in signs} | {" ": 278, "\u00a0": 278, "\u202f": 139}


def width(text: str) -> float:
    """How wide a label is in pixels; its placeholders are filled with a word."""
    known, widest = _widths(), max(_widths().values())
    plain = unicodedata.normalize("NFD", PLACEHOLDER.sub(lambda found: NAME if len(found[1]) > 1 else NUMBER, text))
    return SIZE / 1000 * sum(known.get(sign, widest) for sign in plain if not unicodedata.combining(sign))


def lines(text: str) -> int:
    """How many lines a label takes on a button at 320 pixels; one more for a word that is wider than the button."""
    return ceil(width(text) / ROOM) + any(width(word) > ROOM for word in text.split())


# -- a new one ---------------------------------------------------------------------------------------------------


def begin(tag: str, source: str, to: Path) -> Path:
    """Make the folder of a new language, to be translated from `source`. Raises Invalid for a tag that is none, or one
    that is there.
    """
    if not TAG.fullmatch(tag):
        raise Invalid("“{tag}” is no tag of a language, such as it or pt-BR.", tag=tag)
    folder = to / tag
    if folder.exists():
        raise Invalid("{file} is there already", file=folder)
    (folder / MESSAGES).mkdir(parents=True)
    (folder / "rules").mkdir()
    (folder / "plans").mkdir()
    written = (LANGUAGES[source].folder / FILE).read_text(encoding="utf-8")
    (folder / FILE).write_text("".join(_settings(written.splitlines(keepends=True), tag, source)), encoding="utf-8")
    for name in _names():
        told = {one.key: one for one in fullest(name, source)[1:]} if source != DEFAULT else {}
        head = po.Message(("",), (_header(tag),))
        messages = [_open(one, told.get(one.key), _forms(tag)[0]) for one in fullest(name)[1:]]
        (folder / MESSAGES / f"{name}.po").write_text(po.written([head, *messages]), encoding="utf-8")
    return folder


def _settings(lines: Iterable[str], tag: str, source: str) -> Iterator[str]:
    own = {
        "name": f'name = "{tag}"  # in itself\n', "english": f'english = "{tag}"  # in English\n',
        "falls_back": f'falls_back = ["{source}"]\n', "read_by": 'read_by = ""  # the native teacher who has read it\n',
        "column": "",
    }  # fmt: skip
    for line in lines:
        yield own.get(line.partition(" =")[0], line)


def _open(one: po.Message, told: po.Message | None, forms: int) -> po.Message:
    said = () if told is None else told.strings
    comments = (*one.comments, *said)
    return po.Message(one.ids, ("",) * (forms if len(one.ids) > 1 else 1), one.context, comments=comments)


def _header(tag: str) -> str:
    n, plural = _forms(tag)
    return (
        f"Language: {tag}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        f"Content-Transfer-Encoding: 8bit\nPlural-Forms: nplurals={n}; plural=({plural});\n"
    )


def _forms(tag: str) -> tuple[int, str]:
    """How many plural forms a language has, and which one a number takes; two as in English if it is not known."""
    known = (line.split(" ", 2) for line in (OWN / "plurals.txt").read_text(encoding="utf-8").splitlines())
    found = {one: (int(n), rule) for one, n, rule in known if one != "#"}
    return found.get(tag) or found.get(tag.partition("-")[0]) or (2, "n != 1")
