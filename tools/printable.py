"""Lists the characters in the typesetter's fonts. Run it after an update of the typesetter.

The fonts are inside its library, without a list of their characters, so this script reads them there. It checks the
result with the typesetter, which refuses characters that it lacks when it writes an archive PDF.
"""

import json
import struct
from collections.abc import Iterator
from pathlib import Path

import typst

HERE = Path(__file__).parents[1] / "src/spieltisch/decks/lint/printable.txt"
MOST = 5_000_000  # bytes of a font
FONTS = typst.Fonts(include_system_fonts=False)
ALL = b'#set text(font: "Libertinus Serif")\n#for c in json(bytes(sys.inputs.data)) { text(c); parbreak() }'
STARTS = (b"OTTO", b"\x00\x01\x00\x00")


def tables(data: bytes, at: int) -> dict[bytes, int]:
    """The positions of the tables of the font that starts here; empty if no font does."""
    (many,) = struct.unpack(">H", data[at + 4 : at + 6])
    found = {}
    for number in range(many if 8 <= many <= 30 else 0):
        tag, _, start, length = struct.unpack(">4sIII", data[at + 12 + 16 * number : at + 28 + 16 * number])
        if max(start, length) > MOST or not all(32 <= sign < 127 for sign in tag):
            return {}
        found[tag] = at + start
    return found


def characters(data: bytes, at: int) -> Iterator[int]:
    """The characters in a table `cmap` of its two usual formats (4 and 12)."""
    (many,) = struct.unpack(">H", data[at + 2 : at + 4])
    for number in range(many):
        (offset,) = struct.unpack(">I", data[at + 8 + 8 * number : at + 12 + 8 * number])
        start = at + offset
        (form,) = struct.unpack(">H", data[start : start + 2])
        if form == 4:
            yield from segments(data, start)
        elif form == 12:
            (groups,) = struct.unpack(">I", data[start + 12 : start + 16])
            for first, last, _ in struct.iter_unpack(">III", data[start + 16 : start + 16 + 12 * groups]):
                yield from range(first, last + 1)


def segments(data: bytes, at: int) -> Iterator[int]:
    """The characters in a table of format 4 that have a glyph."""
    (double,) = struct.unpack(">H", data[at + 6 : at + 8])
    words = struct.Struct(f">{double // 2}H")
    ends, starts, deltas, offsets = (
        words.unpack_from(data, at + place) for place in (14, 16 + double, 16 + 2 * double, 16 + 3 * double)
    )
    for number, (first, last) in enumerate(zip(starts, ends, strict=True)):
        for one in range(first, last + 1):
            glyph = (one + deltas[number]) % 0x10000
            if offsets[number]:
                place = at + 16 + 3 * double + 2 * number + offsets[number] + 2 * (one - first)
                (glyph,) = struct.unpack(">H", data[place : place + 2])
            if glyph and one != 0xFFFF:
                yield one


def ranges(numbers: set[int]) -> str:
    """Numbers as ranges, one a line."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return "".join(f"{first:x}-{last:x}\n" for first, last in found)


def shown(numbers: list[int]) -> list[int]:
    """Those of these characters that the typesetter can show."""
    inputs = {"data": json.dumps([*map(chr, numbers)])}
    try:
        typst.compile(ALL, format="pdf", font_paths=FONTS, pdf_standards="a-2b", sys_inputs=inputs)
    except typst.TypstError:
        half = len(numbers) // 2
        return shown(numbers[:half]) + shown(numbers[half:]) if half else []
    return numbers


def main() -> None:
    """Read the fonts in the library."""
    data = next(Path(typst.__file__).parent.glob("_typst*")).read_bytes()
    known: set[int] = set()
    for start in STARTS:
        at = data.find(start)
        while at >= 0:
            if (cmap := tables(data, at).get(b"cmap")) is not None:
                known |= {*characters(data, cmap)}
            at = data.find(start, at + 4)
    HERE.write_text(ranges({*shown(sorted(known))}))


if __name__ == "__main__":
    main()
