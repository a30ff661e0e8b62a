"""Map refusals to HTTP status codes, and to problem details (RFC 9457) for programs."""

from litestar import Response
from msgspec import Struct

from spieltisch.game import Faulty, Illegal, Invalid, Refused, Stale
from spieltisch.i18n import N_
from spieltisch.table.host import Missing
from spieltisch.table.store import Unsaved

WORDS = {
    400: N_("This request could not be read."),
    403: N_("You can’t do that here."),
    404: N_("There is nothing at this address."),
    405: N_("This address does not accept that."),
    408: N_("This took too long to arrive. Please try again."),
    413: N_("That is too much at once."),
    421: N_("This server does not know that name. The host can add it with --origin."),
    429: N_("Too many tries. Please wait a moment."),
    503: Unsaved.SAID,
    500: N_("Something went wrong. Your game is safe. Please reload the page."),
}


class Problem(Struct, frozen=True, omit_defaults=True):
    """Problem details."""

    title: str
    status: int
    detail: str = ""
    type: str = "about:blank"


class Forbidden(Refused):
    """The seat may not do that, or only the owner of the table may."""


class Unreadable(Refused):
    """The request is malformed."""


class Misdirected(Refused):
    """The request names another host."""


class TooMany(Refused):
    """The client asked too often."""


class Busy(Refused):
    """The server is overloaded."""


STATUS: tuple[tuple[type[Refused], int], ...] = (
    (Unreadable, 400),
    (Missing, 404),
    (Forbidden, 403),
    (Misdirected, 421),
    (TooMany, 429),
    (Busy, 503),
    (Unsaved, 503),
    (Stale, 409),
    (Faulty, 500),
    (Illegal, 422),
    (Invalid, 422),
)


def status_of(error: Refused) -> int:
    """Return the HTTP status of a refusal."""
    return next((status for kind, status in STATUS if isinstance(error, kind)), 422)


def problem(status: int, text: str, title: str = "Refused") -> Response[object]:
    """Return problem details: `text` in the program's language, `title` the refusal's name."""
    return Response(Problem(title, status, text), status_code=status, media_type="application/problem+json")


def problem_of(error: Refused, text: str) -> Response[object]:
    """Return the answer to a program whose request was refused."""
    return problem(status_of(error), text, type(error).__name__)
