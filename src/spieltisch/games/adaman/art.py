"""The faces of the Decktet for paper, in the colours of their suits."""

import functools

from spieltisch.assets import colours, drawings, mixed, symbols
from spieltisch.games.adaman.decktet import Card

_XMLNS = 'xmlns="http://www.w3.org/2000/svg"'


def art(card: Card) -> str:
    """The picture on a face as a separate SVG."""
    one, clips = drawings("decktet")[card.id], drawings("decktet")["clips"]
    defs = f"{clips.content}{_sprite()}" if "<use" in one.content else clips.content
    style = _style([colours()[suit] for suit in card.suits] or [colours()["ink"]])
    return f'<svg {_XMLNS} viewBox="{one.box}"><style>{style}</style><defs>{defs}</defs>{one.content}</svg>'


_sprite = functools.cache(lambda: symbols("sprite"))


def _style(suits: list[str]) -> str:
    """The classes that the faces use in Adaman's style sheet, in the colours for paper."""
    a, b, c = suits[0], suits[min(1, len(suits) - 1)], suits[min(2, len(suits) - 1)]
    ink, paper = colours()["ink"], colours()["paper"]
    filled = {"a": a, "b": b, "c": c, "k": paper, "i": ink, "h": mixed(ink, paper, 0.18), "bg": mixed(a, paper, 0.15)}
    drawn = {"A": (a, 4), "B": (b, 4), "Bt": (b, 4), "A6": (a, 9), "B6": (b, 9), "K": (paper, 3), "KW": (paper, 3)}
    fills = "".join(f".{name}{{fill:{colour}}}" for name, colour in filled.items())
    lines = "".join(
        f".{name}{{fill:none;stroke:{colour};stroke-width:{width};stroke-linecap:round}}"
        for name, (colour, width) in drawn.items()
    )
    return f"{fills}{lines}svg{{color:{a};fill:{a}}}"
