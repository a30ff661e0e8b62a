"""Refusals and errors, in words: a page for people, problem details (RFC 9457) for programs."""

import logging
from collections.abc import Callable
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from msgspec import Struct

from spieltisch import i18n
from spieltisch.game import Illegal, Invalid, Refused, Stale
from spieltisch.i18n import Translator
from spieltisch.table.host import Missing
from spieltisch.web.house import Asker, House

log = logging.getLogger(__name__)

WORDS = {
    400: "This request could not be read.",
    403: "This is not yours to do.",
    404: "There is nothing at this address.",
    405: "This address does not take that.",
    413: "That is too much at once.",
    429: "Too many tries. Please wait a moment.",
    500: "Something went wrong here. Nothing of the game is lost; please load the page again.",
}


_HEADINGS: dict[int, Callable[[Translator], str]] = {
    404: lambda tr: tr._("Not here"),
    0: lambda tr: tr._("That did not work"),
}


class Problem(Struct, frozen=True, omit_defaults=True):
    """Problem details."""

    title: str
    status: int
    detail: str = ""
    type: str = "about:blank"


class Forbidden(Refused):
    """Not this seat's, or only for who opened the table."""


class TooMany(Refused):
    """Asked too often."""


def status_of(error: Refused) -> int:
    """The HTTP status of a refusal."""
    for kind, status in (
        (Missing, 404),
        (Forbidden, 403),
        (TooMany, 429),
        (Stale, 409),
        (Illegal, 422),
        (Invalid, 422),
    ):
        if isinstance(error, kind):
            return status
    return 422


def problem(status: int, text: str, kind: str = "") -> Response[Any]:
    """The answer to a program."""
    return Response(Problem(kind or "Refused", status, text), status_code=status, media_type="application/problem+json")


def page(house: House, asker: Asker, status: int, text: str) -> Response[Any]:
    """The answer to a person."""
    html = house.pages.render(
        "page.html", asker.tr, heading=_HEADINGS.get(status, _HEADINGS[0])(asker.tr), message=text, back=""
    )
    return Response(html, status_code=status, media_type="text/html")


def _answer(request: Request[Any, Any, Any], status: int, text: str, kind: str) -> Response[Any]:
    house: House = request.app.state.house
    asker = Asker(request, house)
    if asker.wants_json or asker.sends_json:
        return problem(status, text, kind)
    return page(house, asker, status, text)


def refused(request: Request[Any, Any, Any], error: Refused) -> Response[Any]:
    """A refusal that no route has answered itself."""
    tr: Translator = Asker(request, request.app.state.house).tr
    return _answer(request, status_of(error), tr.refusal(error), type(error).__name__)


def failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """What the framework refuses, and what should not have happened. Neither says more than it must."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status >= 500:
        log.error("%s %s", request.method, request.scope["path"], exc_info=error)
    words = WORDS.get(status, WORDS[400])
    lang = Asker(request, request.app.state.house).lang
    return _answer(request, status, i18n.common_translator(lang)._(words), "Refused")
