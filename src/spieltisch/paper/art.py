"""Drawings for paper: glyphs and motifs in one colour."""

from spieltisch.assets import drawings

_XMLNS = 'xmlns="http://www.w3.org/2000/svg"'


def glyph(name: str, colour: str) -> str:
    """A drawing of the sprite, or the motif of a field (`field-art`), in a colour, as an SVG of its own."""
    motifs = drawings("motifs")
    if name.startswith("field-"):
        one = motifs.get(name.removeprefix("field-"), motifs["other"])
    else:
        one = drawings("sprite")[name]
    return f'<svg {_XMLNS} viewBox="{one.box}" fill="{colour}" color="{colour}">{one.content}</svg>'
