"""Answers to refusals and errors that no handler caught: a page for people, problem details for programs."""

import errno
import logging
import sqlite3
from collections.abc import Callable, Sequence

from litestar import Response
from litestar.exceptions import HTTPException
from litestar.routes import BaseRoute
from litestar.types import ExceptionHandlersMap

from spieltisch.game import Refused
from spieltisch.i18n import Translator
from spieltisch.web.core.http.client import Client, HttpRequest, client_of
from spieltisch.web.core.http.problems import WORDS, problem, status_of
from spieltisch.web.core.http.responses import page
from spieltisch.web.core.renderer import Renderer

log = logging.getLogger(__name__)

CUT_OFF = "client disconnected prematurely"  # what the framework says of a body that breaks off

_HEADINGS: dict[int, Callable[[Translator], str]] = {
    404: lambda tr: tr._("Nothing here"),
    0: lambda tr: tr._("That did not work"),
}


def _is_disk(error: Exception) -> bool:
    """Return whether the disk is full or may not be written."""
    full = isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG}
    return full or isinstance(error, sqlite3.OperationalError)


def _methods(request: HttpRequest) -> set[str]:
    """Return the methods that this address takes."""
    asked = request.scope["path"].split("/")
    return {method for route in request.app.routes if _fits(route, asked) for method in getattr(route, "methods", ())}


def _fits(route: BaseRoute, asked: Sequence[str]) -> bool:
    parts = route.path_format.split("/")
    return len(parts) == len(asked) and all(p.startswith("{") or p == a for p, a in zip(parts, asked, strict=True))


def error_page(renderer: Renderer, client: Client, status: int, text: str) -> Response[object]:
    """Return the answer to a person."""
    heading = _HEADINGS.get(status, _HEADINGS[0])(client.tr)
    return page(renderer.render("page.html", client.tr, heading=heading, message=text, back=""), status)


def error_handlers(renderer: Callable[[], Renderer]) -> ExceptionHandlersMap:
    """Return the handlers by what is raised. `renderer` returns the one that draws their pages."""

    def answer(client: Client, status: int, text: str, title: str) -> Response[object]:
        return problem(status, text, title) if client.is_program else error_page(renderer(), client, status, text)

    def refused(request: HttpRequest, error: Refused) -> Response[object]:
        client = client_of(request.scope)
        return answer(client, status_of(error), client.refusal(error), type(error).__name__)

    def failed(request: HttpRequest, error: Exception) -> Response[object]:
        """Answer to what the framework refuses and to what should not have happened. The answer gives no details."""
        status = error.status_code if isinstance(error, HTTPException) else 503 if _is_disk(error) else 500
        if isinstance(error, HTTPException) and error.detail == CUT_OFF:
            status = 400  # whoever sent it has gone: nobody reads this, and nothing is wrong here
        if status >= 500:
            log.error("%s %s", request.method, request.scope.get("path_template", "?"), exc_info=error)
        client = client_of(request.scope)
        answered = answer(client, status, client.tr._(WORDS.get(status, WORDS[400])), "Refused")
        if status == 405:  # RFC 9110, 15.5.6
            answered.headers["allow"] = ", ".join(sorted(_methods(request)))
        return answered

    return {Refused: refused, Exception: failed}
