"""One moment of a game as HTML for a notebook. It looks like the page, includes its styles, and loads nothing.

The board is in a sandboxed frame. Neither its styles nor the notebook's reach the other, and it runs no scripts.
"""

import base64
import html
import re
from pathlib import Path

from spieltisch.table.replay import Past
from spieltisch.web.core import catalog
from spieltisch.web.core.presence import Presence
from spieltisch.web.core.renderer import Html, Renderer, own_file, static_file
from spieltisch.web.core.view.fragments import FragmentCache
from spieltisch.web.core.view.viewer import Viewer, translator_for

HEIGHT = "44rem"
_URL = re.compile(r'url\("([\w.-]+)"\)')
_RENDERER = Renderer()


def board(past: Past, seat: int | None, lang: str) -> str:
    """Return the table as this seat (None: a spectator) sees it."""
    viewer, tr = Viewer(seat, lang), translator_for(past, seat, lang)
    files = ["palette.css", "base.css", "parts.css", "table.css", own_file(past.package, "static", "style.css")]
    page = _RENDERER.render(
        "notebook.html",
        tr,
        box=catalog.box(past.package, tr),
        title=catalog.title(past.package, tr),
        own_symbols=own_file(past.package, "templates", "symbols.html"),
        styles=Html("".join(_style(file) for file in files if file)),
        fragment=FragmentCache(_RENDERER, Presence()).past(past, viewer),
    )
    return (
        f'<iframe sandbox title="{html.escape(catalog.title(past.package, tr))}" srcdoc="{html.escape(page)}" '
        f'style="width: 100%; height: {HEIGHT}; border: 0; resize: vertical"></iframe>'
    )


def _style(file: str) -> str:
    """Return a style sheet with the files that it would load as data URLs."""
    path = static_file(file)
    assert path is not None
    return _URL.sub(lambda found: f'url("{_data(path.parent / found[1])}")', path.read_text(encoding="utf-8"))


def _data(file: Path) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(file.read_bytes()).decode()}"
