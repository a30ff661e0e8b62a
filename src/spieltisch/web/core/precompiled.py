"""Templates with everything put in that is the same at each drawing, before the engine compiles them.

The engine looks up blocks and messages at each drawing; blocks alone take a sixth of the time (decision 0054). Nothing
depends on this module: a renderer that reads templates anew each time leaves all of it to the engine.
"""

import html
import re
from collections.abc import Callable, Mapping

import msgspec

from spieltisch.i18n import Catalog, bind_dashes

Source = Callable[[str], str | None]  # the text of a template by its name; None if there is none
Drawing = Callable[[str, str], str]  # the HTML of a drawing, by its name and class

_STRING = r'"(?:[^"\\]|\\.)*"'
_SAID = rf"\b(?:_\(|pgettext\(({_STRING}), )({_STRING})"  # with its context, if it has one
MESSAGE = re.compile(rf"{_SAID}\s*([,)])")
_PLAIN = r"[\w.\[\]]+"
_VALUE = rf"_\({_STRING}(?:, \w+={_PLAIN})*\)|{_STRING}|{_PLAIN}"
ALONE = re.compile(rf"\{{\{{ {_SAID}((?:, \w+=(?:{_VALUE}))*)\) \}}\}}")  # with plain values, texts and messages only
GIVEN = re.compile(rf", (\w+)=({_VALUE})")
EDGES = re.compile(r"\A\s|\s\Z")
BRACES = re.compile(r"\{(\w+)\}")
EXTENDS = re.compile(r'\{% extends "([^"]+)" %\}\n')
BLOCK = re.compile(r"\{% block (\w+) %\}(.*?)\{% endblock %\}", re.DOTALL)
DRAWING = re.compile(r'\{\{ (icon|glyph)\("([\w-]+)"(?:, "([\w -]*)")?\) \}\}')


def precompiled(name: str, source: Source, catalog: Catalog, drawings: Mapping[str, Drawing]) -> str | None:
    """Return the template of this name for one language; None if there is none. `drawings` are `icon` and `glyph`."""
    text = flat(name, source)
    return None if text is None else _constant(text, catalog, drawings)


def flat(name: str, source: Source) -> str | None:
    """Return a template inside the one that it extends. Templates with nested blocks are left to the engine."""
    text = source(name)
    found = EXTENDS.search(text or "")
    around = found and flat(found[1], source)
    if text is None or found is None or around is None or any(map(_is_nested, (text, around))):
        return text
    if EXTENDS.search(around):  # the engine puts the outer ones together, so it needs this one as it is
        return text
    own = {block: _in_scope(inner) for block, inner in BLOCK.findall(text)}
    return BLOCK.sub("", EXTENDS.sub("", text)) + BLOCK.sub(lambda place: own.get(place[1], place[2]), around)


def _is_nested(text: str) -> bool:
    return any("{% block" in inner or "super()" in inner for _, inner in BLOCK.findall(text))


def _in_scope(block: str) -> str:
    """Keep what a block sets inside it, as the engine does."""
    return f"{{% with %}}{block}{{% endwith %}}" if "{% set" in block else block


def _constant(template: str, catalog: Catalog, drawings: Mapping[str, Drawing]) -> str:
    """Return a template with its messages translated and its drawings drawn.

    Messages `{{ _("… {x} …", x=y) }}` become text, `… {{ y }} …`, also if y is a text or another message. A message in
    an expression becomes a string, and with braces to fill a call: `_("…", x=1)` becomes `fill("…", x=1)`. So do
    messages with a context, `pgettext("button", "…")`. Drawings `{{ icon("…") }}` become their HTML. Braces without a
    value stay for the page's script.
    """

    def text(found: re.Match[str]) -> str:
        given = {f"{{{name}}}": filling(value) for name, value in GIVEN.findall(found[3])}
        filled = BRACES.sub(lambda name: given.get(name[0], name[0]), html.escape(translated(found)))
        return EDGES.sub(lambda space: f'{{{{ "{space[0]}" }}}}', filled)  # or a `{%-` beside it would take it away

    def filling(value: str) -> str:
        return html.escape(msgspec.json.decode(value)) if value[0] == '"' else ALONE.sub(text, f"{{{{ {value} }}}}")

    def message(found: re.Match[str]) -> str:
        quoted = msgspec.json.encode(translated(found)).decode()
        return f"({quoted})" if found[3] == ")" else f"fill({quoted},"

    def translated(found: re.Match[str]) -> str:
        said = msgspec.json.decode(found[2])
        return bind_dashes(catalog.pgettext(msgspec.json.decode(found[1]), said) if found[1] else catalog.gettext(said))

    def drawing(found: re.Match[str]) -> str:
        return drawings[found[1]](found[2], found[3] or "")

    return DRAWING.sub(drawing, MESSAGE.sub(message, ALONE.sub(text, template)))
