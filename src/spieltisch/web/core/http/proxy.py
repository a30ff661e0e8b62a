"""What a proxy in front says of the request: believed where the request comes from it, and from nobody else."""

from collections.abc import Container, Sequence
from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

FORWARDED_HOST = b"x-forwarded-host"


def trusted_hosts(proxies: Sequence[str]) -> Container[str]:
    """The addresses of these proxies: addresses, networks, or "*" for any."""
    return _middleware(None, proxies).trusted_hosts


def _middleware(app: Any, proxies: Sequence[str]) -> ProxyHeadersMiddleware:
    return ProxyHeadersMiddleware(app, list(proxies))


class BehindProxy:
    """The application `app` behind `proxies`: addresses, networks, or "*" for any.

    uvicorn's middleware takes the client's address and the scheme from them; the host's name, which it leaves alone,
    goes on only if a proxy sent it.
    """

    def __init__(self, app: ASGIApp, proxies: Sequence[str]) -> None:
        self._app = _middleware(app, proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            client = scope.get("client")
            if (client[0] if client else None) not in self._app.trusted_hosts:
                headers = [pair for pair in scope["headers"] if pair[0] != FORWARDED_HOST]
                scope = {**scope, "headers": headers}  # ty: ignore[invalid-assignment]
            else:
                scope = {**scope, "proxied": True}  # ty: ignore[invalid-assignment]
        await self._app(scope, receive, send)  # ty: ignore[invalid-argument-type]
