"""The routes below `/api` and their OpenAPI document, which the framework makes of them."""

import functools
import inspect

from litestar import Litestar, Response, Router, get
from litestar.exceptions import ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Server
from litestar.types import ExceptionHandlersMap

from spieltisch import __version__, games
from spieltisch.bounded import aside
from spieltisch.game import Invalid
from spieltisch.web.core.http.client import API, HttpRequest, client_of
from spieltisch.web.core.http.problems import Problem, problem_of
from spieltisch.web.core.inject import ServicesHere, dependencies
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.anew import Proposed
from spieltisch.web.table import api
from spieltisch.web.table.bodies import Answer, Asked, Choice, Name, NewStart, Opened, Permission, Seat, Took
from spieltisch.web.table.snapshot import Snapshot

SHAPES = (Choice, Opened, Name, Permission, Seat, Answer, Asked, NewStart, Proposed, Took, Snapshot, Problem)
TOKEN = SecurityScheme(type="http", scheme="bearer", description="The token of a seat.")


def _unreadable(request: HttpRequest, error: Exception) -> Response[object]:
    """Refuse a message that is no JSON, or has another shape."""
    refused = Invalid("This is not JSON.")
    if isinstance(error, ValidationException) and isinstance(error.extra, list) and error.extra:
        found = error.extra[0]
        reason = ": ".join(str(found[part]) for part in ("key", "message") if found.get(part))
        refused = Invalid("This request has the wrong form: {reason}", reason=reason)
    return problem_of(refused, client_of(request.scope).refusal(refused))


def router() -> Router:
    """Return the routes for programs."""
    unreadable: ExceptionHandlersMap = {400: _unreadable, RecursionError: _unreadable}
    return Router(API, route_handlers=api.HANDLERS, exception_handlers=unreadable)


@functools.lru_cache(1)
def description(services: Services) -> dict[str, object]:
    """Return the OpenAPI document, made by an application that holds nothing but these routes."""
    config = OpenAPIConfig(
        title="Spieltisch",
        version=__version__,
        description="What programs may use.",
        servers=[Server(url=services.base or "/")],
        components=Components(security_schemes={"seat": TOKEN}),
    )
    described = Litestar([router()], dependencies=dependencies(lambda: services), openapi_config=config)
    document = described.openapi_schema.to_schema()
    shapes = document["components"]["schemas"]
    for shape in SHAPES:
        shapes[shape.__name__]["description"] = inspect.getdoc(shape)
    shapes["Choice"]["properties"]["game"]["enum"] = sorted(games.packages())
    return document


@get(f"{API}/openapi.json", name="openapi")
async def openapi(services: ServicesHere) -> Response[object]:
    """The description of what programs may use."""
    return Response(await aside(description, services, large=True))


HANDLERS = [router(), openapi]
