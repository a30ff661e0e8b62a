"""Parts of pages that take long to draw: they are drawn in another process, where the question for them is answered."""

from functools import cache
from typing import Any

from spieltisch.i18n import Translator
from spieltisch.web.view.renderer import Html, Renderer


def drawn(base: str, template: str, tr: Translator, /, **shown: Any) -> Html:
    """A part of a page of the server below this sub-path. Never within a template that says who looks."""
    return Html(_renderer(base).render(template, tr, **shown))


@cache
def _renderer(base: str) -> Renderer:
    return Renderer(base)
