"""Templates and static files: the site's own by their names, a game's or a feature's as `<folder>/<file>`.

A game's or feature's templates lie in its `templates/`, what browsers load in its `static/`. Nothing else is served.
"""

import functools
import hashlib
import io
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Literal

import minijinja
import segno

from spieltisch import assets, games
from spieltisch.i18n import Catalog, Translator, bind_dashes
from spieltisch.languages import LANGUAGES, language
from spieltisch.notation import kind
from spieltisch.package import Package
from spieltisch.table.names import initial
from spieltisch.web.core.http import actions
from spieltisch.web.core.precompiled import BRACES, precompiled

WEB = Path(__file__).parents[1]
PAGES = WEB / "core" / "templates"
STATIC = WEB / "core" / "static"
GENERIC_SCREEN = "screen-generic.html"  # the same on a big screen
CUT = "\x1e"  # `<!--|-->` in a template: separates the parts of a table that are sent by themselves
HOLE = "\x7f"  # `<!--*-->`: stands before and after what differs from row to row; in a part, for a part that comes next
MENU = "<!--menu-->"  # the part of a table where its menu goes
GENERIC = "generic.html"  # draws games without a template of their own


def source(name: str) -> str | None:
    """The text of a template; None if there is none. Names come from templates of ours only.

    Indentation is for makers alone: pages are sent without it.
    """
    file = _file(name, PAGES, "templates")
    if file is None:
        return None
    text = "\n".join(map(str.lstrip, file.read_text(encoding="utf-8").split("\n")))
    return text.replace("<!--|-->", CUT).replace("<!--*-->", HOLE)


LONGEST = 100  # characters of a file's name; some systems fail on longer ones


def static_file(name: str) -> Path | None:
    """Return the file behind `/static/<name>`; None if there is none. The name may come from anywhere."""
    return assets.PALETTE if name == assets.PALETTE.name else _file(name, STATIC, "static")


def _file(name: str, common: Path, part: str) -> Path | None:
    package, _, file = name.rpartition("/")
    folders = {one.folder.name: one.folder / part for one in games.packages().values()} | _features(part) | {"": common}
    folder = folders.get(package)
    path = None if folder is None or len(file) > LONGEST else folder / file
    return path if path is not None and path.parent == folder and path.is_file() else None


@cache
def _features(part: str) -> dict[str, Path]:
    """Return the folders of the web's features that bring their own templates or static files."""
    return {one.parent.name: one for one in WEB.glob(f"*/{part}") if one.parent.name != "core"}


@cache
def own_file(package: Package, part: Literal["templates", "static"], file: str) -> str:
    """Return the name of a game's own template or static file, for `render` or `asset`; "" if it brings none."""
    return f"{package.folder.name}/{file}" if (package.folder / part / file).is_file() else ""


class Html(str):
    """A part of a page, ready to be sent. Templates do not escape it again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


MOST = 8192  # cached pieces of a game, in each language

Shows = Callable[..., dict[str, object]]  # what a piece's template shows


def glyph(id: str, cls: str = "") -> str:  # noqa: A002 - what it is called in the sprite
    """Return a drawing of the sprite."""
    return Html(f'<svg class="{cls}" aria-hidden="true"><use href="#{id}"/></svg>')


@cache
def drawing(sheet: assets.Sheet, name: str) -> str:
    """Return the content of a drawing of the assets."""
    return Html(assets.drawings(sheet)[name].content)


@cache
def symbols(sheet: assets.Sheet, prefix: str = "") -> str:
    """Return all drawings of a sheet of the assets, for `<use href="#prefix…"/>`."""
    return Html(assets.symbols(sheet, prefix))


def href(address: str) -> str:
    """Return an address for an attribute. The engine would escape its slashes, too, and make each six characters."""
    return Html(escape(address))


def icon(name: str, cls: str = "") -> str:
    """Return a small drawing, as high as the text beside it."""
    return glyph(f"icon-{name}", f"i {cls}".strip())


def fill(text: str, /, **values: object) -> str:
    """Return a message with these braces filled. Braces without a value stay for the page's script."""
    return BRACES.sub(lambda name: str(values.get(name[1], name[0])), text)


DRAWINGS = {"icon": icon, "glyph": glyph}


@cache
def pieces_of(package: Package) -> Callable[[str], tuple[str, Shows]]:
    """Return how to draw a piece of this game's page by its name: the template, and the function that returns its
    context. The game's own functions are in its page's `pieces`.
    """

    def find(name: str) -> tuple[str, Shows]:
        return SHARED[name] if name in SHARED else (f"{package.folder.name}/{name}.html", package.page.pieces[name])

    return find


def _mark(_speaker: Translator, i: int, name: str, small: bool) -> dict[str, object]:
    return {"i": i, "initial": initial(name), "small": small}


def _entry(_speaker: Translator, *given: object) -> dict[str, object]:
    fields = ("i", "name", "mark", "me", "bot", "away", "acting", "count", "note", "gone", "since")
    return dict(zip(fields, given, strict=True))


SHARED: dict[str, tuple[str, Shows]] = {"mark": ("mark.html", _mark), "seat-entry": ("seat-entry.html", _entry)}


class Pieces:
    """Draws pieces: see `package.Pieces`."""

    __slots__ = ("_rows", "piece")

    def __init__(self, piece: Callable[..., str]) -> None:
        self.piece = piece
        self._rows: dict[str, tuple[int, Html]] = {}  # the last row of each name, with the hash of its arguments

    def row(self, name: str, several: Iterable[tuple[object, ...]], /) -> Html:
        """Return the piece once for each of several, one after the other. Cached as long as nothing changes."""
        several = tuple(several)
        mark, known = hash(several), self._rows.get(name)
        if known is not None and known[0] == mark:
            return known[1]
        piece = self.piece
        row = Html("".join([piece(name, *given) for given in several]))
        self._rows[name] = mark, row
        return row


class Renderer:
    """Renders templates, compiled once for each language.

    `fresh` reads them anew each time, for people who write templates. The engine then does all the work, so that its
    errors name the lines of the files. `notice` returns what every page says besides its own text.
    """

    def __init__(
        self,
        base: str = "",
        *,
        fresh: bool = False,
        notice: Callable[[Translator], str] = lambda _tr: "",
        reminds: bool = False,
    ) -> None:
        self.base = base
        self._notice = notice
        self._fresh = fresh
        self._reminds = reminds  # people can be told beyond the page that it is their turn
        self._environments: dict[Catalog, minijinja.Environment] = {}
        self._pieces: dict[tuple[object, ...], dict[tuple[object, ...], str]] = {}

    def _speaking(self, tr: Translator) -> minijinja.Environment:
        catalog = tr.catalog
        found = self._environments.get(catalog)
        if found is None:
            found = self._environments[catalog] = minijinja.Environment(
                loader=source if self._fresh else lambda name: precompiled(name, source, catalog, DRAWINGS),
                auto_escape_callback=lambda _name: True,
                undefined_behavior="lenient",
                reload_before_render=self._fresh,
                trim_blocks=True,
                lstrip_blocks=True,
                globals={
                    "base": Html(self.base),
                    "reminds": self._reminds,
                    "asset": self.asset,
                    "_": lambda text, **values: fill(bind_dashes(catalog.gettext(text)), **values),
                    "pgettext": lambda context, text, **values: fill(
                        bind_dashes(catalog.pgettext(context, text)), **values
                    ),
                    "fill": fill,
                    "icon": icon,
                    "glyph": glyph,
                    "drawing": drawing,
                    "ground": assets.ground(),
                    "symbols": symbols,
                    "href": href,
                    "kind": kind,
                    "encode": actions.encode,
                    "lang": tr.lang,
                    "language": language(tr.lang),
                    "tongues": [(tag, one.name) for tag, one in LANGUAGES.items()],
                    "notice": lambda: self._notice(tr),
                    "ngettext": catalog.counted,
                },
            )
        return found

    def asset(self, file: str) -> str:
        """Return the address of a static file with the hash of its content, so that browsers may cache it forever."""
        mark = _hash(file) if not self._fresh else _hash.__wrapped__(file)
        return Html(f"{self.base}/static/{file}?{mark}")

    def render(self, template: str, tr: Translator, /, **context: object) -> str:
        """Return the rendered template in the reader's language."""
        return self._raw(template, tr, context).replace(CUT, "").replace(HOLE, "")

    def parts(self, template: str, tr: Translator, context: Mapping[str, object]) -> tuple[str, ...]:
        """Return the same in parts, to be sent by themselves. `html_of` puts them together."""
        parts = [part for part in self._raw(template, tr, context).split(CUT) if part]
        for at in reversed([at for at, part in enumerate(parts) if HOLE in part]):
            pieces = parts[at].split(HOLE)
            if len(pieces) % 2 == 0:  # somebody has written that sign
                pieces.append("")
            parts[at : at + 1] = (HOLE.join(pieces[::2]), *pieces[1::2])
        return tuple(parts)

    def _raw(self, template: str, tr: Translator, context: Mapping[str, object]) -> str:
        return self._speaking(tr).render_template(template, **context)

    def pieces(self, tr: Translator, find: Callable[[str], tuple[str, Shows]]) -> "Pieces":
        """Return the pieces of a game. `pieces.piece(name, *given)` is drawn once for these arguments, for all tables.

        `find` returns the template and the function `shows(speaker, *given)` for its context. The speaker has the
        language of `tr`, but no names and no viewer. So a piece can show only what it was given.
        """
        drawn, speaker = self._pieces.setdefault((tr.catalog, find), {}), Translator(tr.catalog, tr.lang)

        def piece(name: str, *given: object) -> str:
            found = drawn.get((name, given))
            if found is None or self._fresh:
                template, shows = find(name)
                found = drawn[name, given] = Html(self._raw(template, speaker, shows(speaker, *given)))
                if len(drawn) > MOST:
                    del drawn[next(iter(drawn))]  # the oldest one
            return found

        return Pieces(piece)


def html_of(parts: Iterable[str]) -> Html:
    """Return the HTML of these parts, with their holes filled. `live.js` does the same."""
    html, rest = list[str](), iter(parts)
    for part in rest:
        if HOLE in part:
            first, *others = part.split(HOLE)
            html.append(first)
            for one in others:
                html += (next(rest), one)
        else:
            html.append(part)
    return Html("".join(html))


@cache
def _hash(file: str) -> str:
    path = static_file(file)
    return "0" if path is None else hashlib.sha256(path.read_bytes()).hexdigest()[:12]


@functools.lru_cache(64)
def qr(address: str) -> str:
    """Return an address as a QR code, in SVG."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", border=2, light="#fff", dark="#111", xmldecl=False, svgclass="qr", omitsize=True
    )
    return out.getvalue().decode()
