"""Catalogues of messages as gettext has them: `.po` files, which people write, and `.mo` files, which programs read.

Wheels hold `.mo` files. A language that somebody has sent holds `.po` files only, and a server has no Babel to compile
them.
"""

import re
import struct
from collections.abc import Iterable, Iterator

from msgspec import Struct

from spieltisch.game import Invalid
from spieltisch.languages.patterns import fields

MAGIC = 0x950412DE
_LINE = re.compile(r'\s*(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+)?"((?:[^"\\]|\\.)*)"\s*')
_ESCAPE = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t", "r": "\r"}


class Message(Struct):
    """A message and its translation; `ids` are two for a message with a number, `strings` as many as the language has
    forms, empty where it is not translated.
    """

    ids: tuple[str, ...]
    strings: tuple[str, ...] = ("",)
    context: str | None = None
    fuzzy: bool = False
    comments: tuple[str, ...] = ()  # for translators: `#.`
    line: int = 0

    @property
    def key(self) -> tuple[tuple[str, ...], str | None]:
        """What tells it from the others."""
        return self.ids, self.context

    @property
    def translated(self) -> bool:
        """Whether it is translated, in all forms and for certain."""
        return all(self.strings) and not self.fuzzy

    @property
    def fits(self) -> bool:
        """Whether the program can fill its translations: nothing stands in braces but what does in the message."""
        if self.ids == ("",) or not any("{" in said or "}" in said for said in self.strings):
            return True
        try:
            known = {one for said in self.ids for one in fields(said)}
        except ValueError:
            return True  # the program does not fill it
        try:
            return all(fields(said) <= known for said in self.strings)
        except ValueError:
            return False


def read(text: str) -> list[Message]:
    """The messages of a `.po` file, its header first. Raises Invalid with the line that cannot be read."""
    found: list[Message] = []
    parts: dict[str, str] = {}
    comments: list[str] = []
    fuzzy, first, at = False, 0, ""

    def end() -> None:
        nonlocal parts, comments, fuzzy
        if parts:
            ids = tuple(parts[one] for one in ("msgid", "msgid_plural") if one in parts)
            strings = tuple(said for name, said in parts.items() if name.startswith("msgstr"))
            found.append(Message(ids, strings, parts.get("msgctxt"), fuzzy, tuple(comments), first))
        parts, comments, fuzzy = {}, [], False

    for n, line in enumerate(text.split("\n"), start=1):
        if line.startswith("#"):
            if at.startswith("msgstr"):
                end()
                at = ""
            if line.startswith("#."):
                comments.append(line[2:].strip())
            fuzzy |= line.startswith("#,") and "fuzzy" in line
        elif line.strip():
            matched = _LINE.fullmatch(line)
            name = matched and (matched[1] or at)
            if not matched or not name:
                raise Invalid("line {line} of a catalogue cannot be read: {text}", line=n, text=line[:80])
            if name in {"msgctxt", "msgid"} and matched[1] and at.startswith("msgstr"):
                end()
            first = n if not parts else first
            at = name
            parts[at] = parts.get(at, "") + _ESCAPE.sub(lambda one: _MEANT.get(one[1], one[1]), matched[2])
    end()
    return found


def compiled(messages: Iterable[Message]) -> bytes:
    """The translated messages as an `.mo` file."""
    pairs = sorted(_pairs(messages))
    ids, strings, table = bytearray(), bytearray(), []
    for said, string in pairs:
        table.append((len(said), len(ids), len(string), len(strings)))
        ids += said + b"\0"
        strings += string + b"\0"
    n = len(pairs)
    texts = 28 + 16 * n
    head = struct.pack("<7I", MAGIC, 0, n, 28, 28 + 8 * n, 0, texts)
    originals = b"".join(struct.pack("<2I", length, texts + at) for length, at, _, _ in table)
    translations = b"".join(struct.pack("<2I", length, texts + len(ids) + at) for _, _, length, at in table)
    return head + originals + translations + bytes(ids) + bytes(strings)


def _pairs(messages: Iterable[Message]) -> Iterator[tuple[bytes, bytes]]:
    for one in messages:
        if one.translated:
            said = "\0".join(one.ids) if one.context is None else f"{one.context}\x04" + "\0".join(one.ids)
            yield said.encode(), "\0".join(one.strings).encode()


def decompiled(file: bytes) -> list[Message]:
    """The messages in an `.mo` file, its header first."""
    n, ids, strings = struct.unpack("<3I", file[8:20])

    def texts(table: int) -> Iterator[str]:
        for length, at in struct.iter_unpack("<2I", file[table : table + 8 * n]):
            yield file[at : at + length].decode()

    found = []
    for said, string in zip(texts(ids), texts(strings), strict=True):
        context, mark, own = said.rpartition("\x04")
        found.append(Message(tuple(own.split("\0")), tuple(string.split("\0")), context if mark else None))
    return found


def number(file: bytes) -> int:
    """The number of translations in an `.mo` file, of which the first 12 bytes are enough."""
    return max(int.from_bytes(file[8:12], "little") - 1, 0)  # without the header


def written(messages: Iterable[Message]) -> str:
    """The messages as a `.po` file."""
    return "\n".join("".join(_lines(one)) for one in messages)


def _lines(one: Message) -> Iterator[str]:
    yield from (f"#. {line}\n" for comment in one.comments for line in comment.split("\n"))
    if one.fuzzy:
        yield "#, fuzzy\n"
    if one.context is not None:
        yield f"msgctxt {_quoted(one.context)}\n"
    if one.ids == ("",):
        yield 'msgid ""\nmsgstr ""\n'
        yield from (f"{_quoted(line)}\n" for line in one.strings[0].splitlines(keepends=True))
        return
    yield f"msgid {_quoted(one.ids[0])}\n"
    if len(one.ids) > 1:
        yield f"msgid_plural {_quoted(one.ids[1])}\n"
        yield from (f"msgstr[{n}] {_quoted(said)}\n" for n, said in enumerate(one.strings))
    else:
        yield f"msgstr {_quoted(one.strings[0])}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
