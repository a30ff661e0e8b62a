"""Templates and static files: the site's own by their names, a game's or a feature's as `<folder>/<file>`.

A game's or feature's templates lie in its `templates/`, what browsers load in its `static/`. Nothing else is served.
"""

import functools
import hashlib
import html
import io
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Literal

import minijinja
import msgspec
import segno

from spieltisch import assets, games
from spieltisch.i18n import Catalog, Translator
from spieltisch.notation import kind
from spieltisch.package import Package
from spieltisch.web.core.http import actions

WEB = Path(__file__).parents[1]
PAGES = WEB / "core" / "templates"
STATIC = WEB / "core" / "static"
GENERIC_SCREEN = "screen-generic.html"  # the same for a big screen
CUT = "<!--|-->"  # between the parts of a table that are sent by themselves, such as its rows
GENERIC = "generic.html"  # draws any game without a page of its own


def source(name: str) -> str | None:
    """The text of a template; None if there is none. Names come from templates of ours only."""
    file = _file(name, PAGES, "templates")
    return None if file is None else file.read_text(encoding="utf-8")


LONGEST = 100  # characters of a file's name: longer ones no system may have to look for


def static_file(name: str) -> Path | None:
    """The file behind `/static/<name>`; None if there is none. The name may come from anywhere."""
    return assets.PALETTE if name == assets.PALETTE.name else _file(name, STATIC, "static")


def _file(name: str, common: Path, part: str) -> Path | None:
    package, _, file = name.rpartition("/")
    folders = {one.folder.name: one.folder / part for one in games.packages().values()} | _features(part) | {"": common}
    folder = folders.get(package)
    path = None if folder is None or len(file) > LONGEST else folder / file
    return path if path is not None and path.parent == folder and path.is_file() else None


@cache
def _features(part: str) -> dict[str, Path]:
    """The folders of features of the web that bring their own templates or static files."""
    return {one.parent.name: one for one in WEB.glob(f"*/{part}") if one.parent.name != "core"}


@cache
def own_file(package: Package, part: Literal["templates", "static"], file: str) -> str:
    """The name of a game's own template or static file, for `render` or `asset`; "" if it brings none."""
    return f"{package.folder.name}/{file}" if (package.folder / part / file).is_file() else ""


class Html(str):
    """A part of a page, as it is to be sent: templates do not escape it again, as they do what somebody wrote."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


MOST = 8192  # pieces that are kept of a game, in each language

Shows = Callable[..., dict[str, object]]  # what a piece's template shows

_STRING = r'"(?:[^"\\]|\\.)*"'
_SAID = rf"\b(?:_\(|pgettext\(({_STRING}), )({_STRING})"  # with its context, if it has one
MESSAGE = re.compile(rf"{_SAID}\s*([,)])")
ALONE = re.compile(rf"\{{\{{ {_SAID}((?:, \w+=[\w.\[\]]+)*)\) \}}\}}")  # with plain values only
BRACES = re.compile(r"\{(\w+)\}")
EXTENDS = re.compile(r'\{% extends "([^"]+)" %\}\n')
BLOCK = re.compile(r"\{% block (\w+) %\}(.*?)\{% endblock %\}", re.DOTALL)
DRAWING = re.compile(r'\{\{ (icon|glyph)\("([\w-]+)"(?:, "([\w -]*)")?\) \}\}')


def glyph(id: str, cls: str = "") -> str:  # noqa: A002 - what it is called in the sprite
    """A drawing of the sprite."""
    return Html(f'<svg class="{cls}" aria-hidden="true"><use href="#{id}"/></svg>')


def drawing(sheet: assets.Sheet, name: str, default: str = "") -> str:
    """What stands in a drawing of the assets; that of `default` where there is none of this name."""
    found = assets.drawings(sheet)
    return Html(found[name if name in found else default].content)


def icon(name: str, cls: str = "") -> str:
    """One of the small ones, as high as the letters beside it."""
    return glyph(f"icon-{name}", f"i {cls}".strip())


def fill(text: str, /, **values: object) -> str:
    """A translated message, its braces filled."""
    return text.format_map(values)


def flat(name: str) -> str | None:
    """The text of a template with that of the one it extends around it, its blocks put into their places: the engine,
    which looks them up at each drawing, takes a sixth longer. It is left to it where blocks hold others.
    """
    text = source(name)
    found = EXTENDS.search(text or "")
    around = found and flat(found[1])
    if text is None or found is None or around is None or any(map(_is_nested, (text, around))):
        return text
    if EXTENDS.search(around):  # the engine puts the outer ones together, so it needs this one as it is
        return text
    own = {block: _in_scope(inner) for block, inner in BLOCK.findall(text)}
    return BLOCK.sub("", EXTENDS.sub("", text)) + BLOCK.sub(lambda place: own.get(place[1], place[2]), around)


def _is_nested(text: str) -> bool:
    return any("{% block" in inner or "super()" in inner for _, inner in BLOCK.findall(text))


def _in_scope(block: str) -> str:
    """What is set in a block counts there alone."""
    return f"{{% with %}}{block}{{% endwith %}}" if "{% set" in block else block


def prepared(template: str, catalog: Catalog) -> str:
    """A template in one language: what is the same at each drawing is put in before it is compiled.

    Messages `{{ _("… {x} …", x=y) }}` become text, `… {{ y }} …`. Where a message stands in an expression, it becomes a
    string, and with braces to be filled a call: `_("…", x=1)` becomes `fill("…", x=1)`. So do messages with a context,
    `pgettext("button", "…")`. Drawings `{{ icon("…") }}` become their HTML. Braces without a value are the page's to
    fill.
    """

    def text(found: re.Match[str]) -> str:
        given = {
            f"{{{name}}}": f"{{{{ {value} }}}}" for name, value in (one.split("=") for one in found[3].split(", ")[1:])
        }
        return BRACES.sub(lambda name: given.get(name[0], name[0]), html.escape(translated(found)))

    def message(found: re.Match[str]) -> str:
        quoted = msgspec.json.encode(translated(found)).decode()
        return f"({quoted})" if found[3] == ")" else f"fill({quoted},"

    def translated(found: re.Match[str]) -> str:
        said = msgspec.json.decode(found[2])
        return catalog.pgettext(msgspec.json.decode(found[1]), said) if found[1] else catalog.gettext(said)

    def drawing(found: re.Match[str]) -> str:
        return {"icon": icon, "glyph": glyph}[found[1]](found[2], found[3] or "")

    return DRAWING.sub(drawing, MESSAGE.sub(message, ALONE.sub(text, template)))


@cache
def pieces_of(package: Package) -> Callable[[str], tuple[str, Shows]]:
    """How the pieces that this game's page uses are drawn: the template `name.html`, and the function that says what it
    shows; the game's own functions stand in its page's `pieces`.
    """

    def find(name: str) -> tuple[str, Shows]:
        return SHARED[name] if name in SHARED else (f"{package.folder.name}/{name}.html", package.page.pieces[name])

    return find


def _mark(_speaker: Translator, i: int, name: str, small: bool) -> dict[str, object]:
    return {"i": i, "name": name, "small": small}


def _entry(_speaker: Translator, *given: object) -> dict[str, object]:
    fields = ("i", "name", "mark", "me", "bot", "away", "acting", "count", "note", "gone", "since")
    return dict(zip(fields, given, strict=True))


SHARED: dict[str, tuple[str, Shows]] = {"mark": ("mark.html", _mark), "seat-entry": ("seat-entry.html", _entry)}


class Pieces:
    """Draws pieces, see `protocols.Pieces`."""

    __slots__ = ("_rows", "piece")

    def __init__(self, piece: Callable[..., str]) -> None:
        self.piece = piece
        self._rows: dict[str, tuple[int, Html]] = {}  # the last one of each name, by the hash of what it was given

    def row(self, name: str, several: Iterable[tuple[object, ...]], /) -> Html:
        """The same piece once for each of several, one after the other. One that is as it was is not put together
        again.
        """
        several = tuple(several)
        mark, known = hash(several), self._rows.get(name)
        if known is not None and known[0] == mark:
            return known[1]
        piece = self.piece
        row = Html("".join([piece(name, *given) for given in several]))
        self._rows[name] = mark, row
        return row


class Renderer:
    """Renders templates, compiled once a language. `fresh` reads them anew each time, for those who write them;
    `notice` is what every page says besides its own.
    """

    def __init__(
        self, base: str = "", *, fresh: bool = False, notice: Callable[[Translator], str] = lambda _tr: ""
    ) -> None:
        self.base = base
        self._notice = notice
        self._fresh = fresh
        self._environments: dict[Catalog, minijinja.Environment] = {}
        self._pieces: dict[tuple[object, ...], dict[tuple[object, ...], str]] = {}

    def _speaking(self, tr: Translator) -> minijinja.Environment:
        catalog = tr.catalog
        found = self._environments.get(catalog)
        if found is None:
            found = self._environments[catalog] = minijinja.Environment(
                loader=lambda name: None if (text := flat(name)) is None else prepared(text, catalog),
                auto_escape_callback=lambda _name: True,
                undefined_behavior="lenient",
                reload_before_render=self._fresh,
                trim_blocks=True,
                lstrip_blocks=True,
                globals={
                    "base": Html(self.base),
                    "asset": self.asset,
                    "fill": fill,
                    "icon": icon,
                    "glyph": glyph,
                    "drawing": drawing,
                    "ground": assets.ground(),
                    "sprite": Html(assets.symbols("sprite")),
                    "kind": kind,
                    "encode": actions.encode,
                    "lang": tr.lang,
                    "notice": lambda: self._notice(tr),
                    "ngettext": catalog.counted,
                },
            )
        return found

    def asset(self, file: str) -> str:
        """The address of a static file, with its content hash, so that it may be kept for ever."""
        mark = _hash(file) if not self._fresh else _hash.__wrapped__(file)
        return Html(f"{self.base}/static/{file}?{mark}")

    def render(self, template: str, tr: Translator, /, **context: object) -> str:
        """The template's text, in the reader's words."""
        return self._speaking(tr).render_template(template, **context)

    def pieces(self, tr: Translator, find: Callable[[str], tuple[str, Shows]]) -> "Pieces":
        """`pieces.piece(name, *given)`: a part of a page, drawn once for the same arguments and kept for all tables.

        `find` knows its template and what that shows: `shows(speaker, *given)`. The speaker has the language of `tr`
        but knows no names and not who looks, so that nothing but what is given can come to be seen.
        """
        drawn, speaker = self._pieces.setdefault((tr.catalog, find), {}), Translator(tr.catalog, tr.lang)

        def piece(name: str, *given: object) -> str:
            found = drawn.get((name, given))
            if found is None or self._fresh:
                template, shows = find(name)
                found = drawn[name, given] = Html(self.render(template, speaker, **shows(speaker, *given)))
                if len(drawn) > MOST:
                    del drawn[next(iter(drawn))]  # the oldest one
            return found

        return Pieces(piece)


@cache
def _hash(file: str) -> str:
    path = static_file(file)
    return "0" if path is None else hashlib.sha256(path.read_bytes()).hexdigest()[:12]


@functools.lru_cache(64)
def qr(address: str) -> str:
    """An address as a QR code, in SVG."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", border=2, light="#fff", dark="#111", xmldecl=False, svgclass="qr", omitsize=True
    )
    return out.getvalue().decode()
