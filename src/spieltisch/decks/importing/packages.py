"""The parts of a workbook: unpacked and parsed within limits.

A small archive can hold far more than its size suggests, and XML entities can grow without end. So parts are measured
while they are unpacked, and a document type declaration is refused.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import NoReturn
from xml.parsers import expat

from spieltisch.game import Invalid

UNPACKED = 64 * 1024 * 1024
_PARTS = 500
_ELEMENTS = 1_500_000  # of a part; 10,000 rows of 40 cells have fewer
_XML = (".xml", ".rels")

Begins = Callable[[str, Mapping[str, str]], object]


def unpacked(content: bytes) -> dict[str, bytes]:
    """The XML parts by name, in lower case and with slashes, whatever the program wrote."""
    parts: dict[str, bytes] = {}
    left = UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = [one for one in packed.infolist() if one.filename.lower().endswith(_XML)]
            if len(entries) > _PARTS:
                raise Invalid("the workbook has more than {n} parts", n=_PARTS)
            for entry in entries:
                name = entry.filename.replace("\\", "/").lstrip("/").lower()
                with packed.open(entry) as part:
                    parts[name] = part.read(left + 1)
                left -= len(parts[name])
                if left < 0:
                    raise Invalid("unpacked the workbook has more than {n} MB", n=UNPACKED // 2**20)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
        no_workbook()
    return parts


def parse(
    part: bytes,
    begins: Begins,
    ends: Callable[[str], object] = lambda _: None,
    says: Callable[[str], object] = lambda _: None,
) -> None:
    """Parse a part. Elements and attributes get their local names. Raises Invalid if it is not XML."""
    if not part:
        return
    elements = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal elements
        elements += 1
        if elements > _ELEMENTS:
            raise Invalid("the workbook has too many cells, most of them empty: copy the filled ones to a new workbook")
        begins(_local(name), {_local(key): value for key, value in attributes.items()})

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda name: ends(_local(name))
    parser.CharacterDataHandler = says
    parser.StartDoctypeDeclHandler = lambda *_: no_workbook()
    try:
        parser.Parse(part, True)
    except (expat.ExpatError, UnicodeError):
        no_workbook()


def no_workbook() -> NoReturn:
    raise Invalid("this workbook cannot be read: save it as XLSX, ODS or CSV") from None


def number(text: str | None, otherwise: int = 0) -> int:
    """The whole number in an attribute."""
    return int(text) if text and re.fullmatch("[0-9]{1,9}", text) else otherwise


def is_true(text: str | None) -> bool:
    return text in {"1", "true", "on"}


def _local(name: str) -> str:
    return name.rpartition(":")[2]
