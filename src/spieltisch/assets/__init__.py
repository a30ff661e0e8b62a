"""Drawings and colours, each in one place: `*.svg` are sheets of symbols, `palette.css` holds the colours. Pages and
paper are drawn from them alike. Never here: anything that knows a page, a sheet of paper or a game.
"""

import functools
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

Sheet = Literal["sprite", "motifs", "decktet"]

FOLDER = Path(__file__).parent
PALETTE = FOLDER / "palette.css"
_SVG = "http://www.w3.org/2000/svg"
_COLOUR = re.compile(r"^ *--([\w-]+): *(?:light-dark\()?(#[0-9A-F]{6})", re.MULTILINE)

ET.register_namespace("", _SVG)


class Drawing(Struct, frozen=True):
    """A drawing: its viewBox, and what stands in it as SVG."""

    box: str
    content: str


@functools.cache
def drawings(sheet: Sheet) -> Mapping[str, Drawing]:
    """The drawings of a sheet by their ids.

    `sprite` is in one colour (`currentColor`), and so are the `motifs` of the fields of firsts. `decktet` has the faces
    of the cards, in classes that take the colours of their suits, and `clips`, the shapes they are cut to.
    """
    root = ET.parse(FOLDER / f"{sheet}.svg").getroot()  # noqa: S314 - a file of ours
    return {one.get("id", ""): Drawing(one.get("viewBox", ""), "".join(map(_text, one))) for one in root}


def _text(element: ET.Element) -> str:
    element.tail = None
    return ET.tostring(element, "unicode").replace(f' xmlns="{_SVG}"', "").replace(" />", "/>")


def glyph(name: str, colour: str) -> str:
    """Return a drawing of the sprite, or the motif of a field (`field-art`), in one colour, as an SVG document."""
    motifs = drawings("motifs")
    if name.startswith("field-"):
        one = motifs.get(name.removeprefix("field-"), motifs["other"])
    else:
        one = drawings("sprite")[name]
    return f'<svg xmlns="{_SVG}" viewBox="{one.box}" fill="{colour}" color="{colour}">{one.content}</svg>'


def symbols(sheet: Sheet, prefix: str = "") -> str:
    """All drawings of a sheet as symbols, one a line, for `<use href="#id"/>`."""
    return "".join(
        f'<symbol id="{prefix}{name}" viewBox="{one.box}">{one.content}</symbol>\n'
        for name, one in drawings(sheet).items()
    )


@functools.cache
def colours() -> Mapping[str, str]:
    """The colours by their names in `palette.css`, as they are on light ground: `#RRGGBB`."""
    return dict(_COLOUR.findall(PALETTE.read_text(encoding="utf-8")))


@functools.cache
def ground() -> tuple[str, str]:
    """The colour of the table in the light and in the dark, `#RRGGBB`: what a phone paints its own bar with."""
    found = re.search(r"--table: *light-dark\((#\w+), *(#\w+)\)", PALETTE.read_text(encoding="utf-8"))
    assert found
    return found[1], found[2]


def mixed(colour: str, ground: str, part: float) -> str:
    """So great a part of a colour on a ground, both as `#RRGGBB`."""
    pairs = ((int(one[n : n + 2], 16) for one in (colour, ground)) for n in (1, 3, 5))
    return "#" + "".join(f"{round(part * a + (1 - part) * b):02X}" for a, b in pairs)
