"""Drawings for paper: the sprite's glyphs in one colour, and the Decktet's faces in those of their suits."""

import functools
import re

from minijinja import Environment

from spieltisch import games
from spieltisch.decks.decktet import Card
from spieltisch.web.render import PAGES

SUITS = {
    "moon": "#4C5B77", "sun": "#A85F00", "wave": "#0A6C93", "leaf": "#39731B", "wyrm": "#B0261B", "knot": "#83368C",
}  # fmt: skip
_INK, _PAPER = "#17211E", "#FFFEFB"
_SYMBOL = re.compile(r'<symbol\s+id="([\w-]+)"\s+viewBox="([\d. ]+)">(.*?)</symbol>', re.DOTALL)
_ART = re.compile(r'<svg\s+class="art"[^>]*>(.*)</svg><span\s+class="ft"', re.DOTALL)


@functools.cache
def _sprite() -> dict[str, tuple[str, str]]:
    found = _SYMBOL.findall((PAGES / "sprite.html").read_text("utf-8"))
    return {name: (box, drawn) for name, box, drawn in found}


def glyph(name: str, colour: str) -> str:
    """A drawing of the sprite, or the motif of a field (`field-art`), as an SVG of its own."""
    if name.startswith("field-"):
        svg = _motifs().render_template("one", field=name.removeprefix("field-"))
        return svg.replace(' width="100%" height="100%"', ' xmlns="http://www.w3.org/2000/svg"').replace(
            "currentColor", colour
        )
    box, drawn = _sprite()[name]
    inner = drawn.replace("currentColor", colour)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" fill="{colour}">{inner}</svg>'


@functools.cache
def _drawings() -> Environment:
    folder = games.package("adaman").folder
    text = (folder / "templates" / "faces.html").read_text("utf-8")
    one = '{% from "faces" import face, clips %}{{ clips() }}{{ face(card, "") }}'
    return Environment(templates={"faces": text, "one": one})


@functools.cache
def _motifs() -> Environment:
    text = (games.package("trailblaze").folder / "templates" / "motifs.html").read_text("utf-8")
    return Environment(templates={"motifs": text, "one": '{% from "motifs" import motif %}{{ motif(field) }}'})


def art(card: Card) -> str | None:
    """The picture on a face."""
    suits = [SUITS[suit] for suit in card.suits] or [_INK]
    html = _drawings().render_template("one", card=card)
    found = _ART.search(html)
    if found is None:
        return None
    inner = re.sub(r'<svg class="su-(\w+)"([^>]*)><use href="#suit-\w+"/></svg>', _suit, found[1])
    clips = "".join(re.findall(r"<clipPath.*?</clipPath>", html))
    a, b, c = suits[0], suits[min(1, len(suits) - 1)], suits[min(2, len(suits) - 1)]
    style = _style(a, b, c)
    inner = f"<style>{style}</style><defs>{clips}</defs>{inner}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 84">{inner}</svg>'


def _suit(found: re.Match[str]) -> str:
    place = dict(re.findall(r'(\w+)="([\d.]+)"', found[2]))
    size = float(place["width"]) / 24
    drawn = _sprite()[f"suit-{found[1]}"][1].replace("currentColor", SUITS[found[1]])
    return f'<g fill="{SUITS[found[1]]}" transform="translate({place["x"]} {place["y"]}) scale({size})">{drawn}</g>'


def _style(a: str, b: str, c: str) -> str:
    """The drawings' classes, as the page's style sheet has them, in the colours of paper."""
    filled = {"a": a, "b": b, "c": c, "k": _PAPER, "i": _INK, "h": "#D5D6D1", "bg": _tint(a)}
    drawn = {
        "A": (a, 4), "B": (b, 4), "Bt": (b, 4), "A6": (a, 9), "B6": (b, 9), "K": (_PAPER, 3), "KW": (_PAPER, 3),
    }  # fmt: skip
    fills = "".join(f".{name}{{fill:{colour}}}" for name, colour in filled.items())
    lines = "".join(
        f".{name}{{fill:none;stroke:{colour};stroke-width:{width};stroke-linecap:round}}"
        for name, (colour, width) in drawn.items()
    )
    return fills + lines


def _tint(colour: str) -> str:
    """The colour, thinned with paper."""
    parts = ((int(colour[n : n + 2], 16) * 15 + int(_PAPER[n : n + 2], 16) * 85) // 100 for n in (1, 3, 5))
    return "#" + "".join(f"{part:02X}" for part in parts)
