"""What goes over a page's line: fragments out as the table moves on, forms' fields in.

The page says first what it has seen, in which language it is written and, by a number of its own, which page it is:
`{"seen": seq, "lang": "de", "page": "…", "keeps": 512}` (not every browser says Accept-Language of a socket). It gets a
`LiveUpdate` as JSON after each entry (one message for the entries of one moment, and for many if it or the server is
slow), and an answer to each of its own messages.

The page keeps the parts that it got on this socket, as many as it says, and numbers them as they come. The server sends
each part once: see `PageParts`. A part with holes (U+007F) is filled with those that come next. A page loaded before
0.3.0 sends no `keeps` and gets each picture whole.

`{"id": k, "to": "move", "fields": […]}` is answered `{"id": k, "ok": true, "update": {…}}`, without an update if the
page shows that already or can wait for it, or `{"id": k, "ok": false, "error": "in words"}`; `{"ping": k}` by
`{"pong": k}`, at once, also while something else is being worked out, and by what the page has missed, if anything. A
page whose line broke sends what was not answered again under its `id`: what has been done is not done twice, but
answered as before.
`{"goto": address}` asks the page to load another address, after what it reveals just now; with `"called": true`, at
once: who leads the class calls.
"""

import msgspec
from msgspec import Struct

from spieltisch.web.core.view.fragments import LiveUpdate
from spieltisch.web.core.view.viewer import Screen
from spieltisch.web.table.idempotency import Answer

LONGEST = 64 * 1024  # bytes of a message


class Said(Struct, frozen=True):
    seen: int = -1
    lang: str = ""
    id: int = 0
    to: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    ping: int = 0
    page: str = ""
    screen: Screen = ""
    keeps: int = 0  # how many parts of pictures the page keeps
    cache: int = 0  # of a page that was loaded from an older program, with other styles


class Done(Answer, frozen=True, omit_defaults=True):
    """The answer to a command, with what the page shows then."""

    update: LiveUpdate | None = None


_decoder = msgspec.json.Decoder(Said)

written = msgspec.json.Encoder().encode


def read(data: bytes | str) -> Said | None:
    """Read a page's message; None if it cannot be read."""
    try:
        return _decoder.decode(data) if len(data) <= LONGEST else None
    except (ValueError, RecursionError):
        return None
