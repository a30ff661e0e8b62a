"""For whoever keeps the server running: is it there, is it ready, how is it doing."""

from typing import Any

from litestar import Response, get

from spieltisch.web.http.problems import Forbidden, problem
from spieltisch.web.inject import ClientHere, ServicesHere
from spieltisch.web.metrics import CONTENT


@get("/health", name="health")
async def health() -> dict[str, str]:
    """That the server is there."""
    return {"status": "ok"}


@get("/ready", name="ready")
async def ready(services: ServicesHere, client: ClientHere) -> Response[Any]:
    """Whether it is worth sending people here, and how this request looks from here; 503 with the reason if not."""
    if reason := await services.readiness.why_not():
        return problem(503, reason, "NotReady")
    return Response({"status": "ready", "origin": client.origin, "address": client.address, "base": services.base})


@get("/metrics", name="metrics")
async def metrics(services: ServicesHere, client: ClientHere) -> Response[bytes]:
    """The figures for Prometheus, for who sends the key for them; Forbidden for all others."""
    if not services.deck_keys.opens_metrics(client.token):
        services.guesses.require(client.address)
        raise Forbidden("This address asks for a key; spieltisch link --metrics prints it.")
    return Response(await services.metrics.text(), media_type=CONTENT)


HANDLERS = [health, ready, metrics]
