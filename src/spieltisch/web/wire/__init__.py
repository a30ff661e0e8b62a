"""How connections are served: quickly, through parts of uvicorn that may change any day, or plainly, by ASGI alone.

The quick way saves a fifth of the processor time of a move and 14 kB a page (decisions 0052, 0054 and 0062), and bounds
what ASGI cannot see, such as slow heads. It is taken only with the versions it was written and tested for. With any
others, or with SPIELTISCH_WIRE=plain in the environment, everything works the plain way; see `line.Line`.
"""

import asyncio
import os
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from spieltisch.web.core.http.connections import Connections

KNOWN = {"httptools": "0.9.0", "uvicorn": "0.54.0", "websockets": "17.4"}
MESSAGE = 64 * 1024  # bytes of a page's message
HEAD = 32 * 1024  # bytes of a request's head
PING = 10.0  # seconds: a page that does not answer has gone; see `presence`


def is_quick() -> bool:
    """Return whether the quick way is taken here."""
    return os.environ.get("SPIELTISCH_WIRE") != "plain" and all(version(name) == known for name, known in KNOWN.items())


def options(
    proxies: Sequence[str], allowed: Connections, stopping: asyncio.Event, *, limited: bool = True, ping: float = PING
) -> dict[str, Any]:
    """Return what `uvicorn.Config` is told of connections: how many are `allowed` in all. One address gets fewer,
    unless it is one of the `proxies`. Each answer after `stopping` is the last one on its connection.
    """
    common = {
        "ws_max_size": MESSAGE,
        "ws_ping_interval": ping,
        "ws_ping_timeout": ping,
        "ws_per_message_deflate": False,  # decision 0051
    }
    if not is_quick():
        return common | {
            "http": "h11",  # the only one of uvicorn's that bounds a head
            "h11_max_incomplete_event_size": HEAD,
            "ws": "websockets-sansio",
            "limit_concurrency": allowed.most,
        }
    from spieltisch.web.wire.frames import QuickLine, UnlimitedLine  # noqa: PLC0415 - not with other versions
    from spieltisch.web.wire.requests import bounded_protocol  # noqa: PLC0415

    return common | {
        "http": bounded_protocol(proxies, allowed, stopping, limited=limited),
        "ws": QuickLine if limited else UnlimitedLine,
    }
