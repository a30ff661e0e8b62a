"""Who sends a request, read from the request alone."""

from collections.abc import Mapping
from urllib.parse import unquote

import msgspec
from litestar.connection import ASGIConnection
from litestar.types import Scope
from msgspec import Struct

from spieltisch import i18n
from spieltisch.i18n import Terms, Translator
from spieltisch.web.core.http.cookies import LANGUAGE, NAME, TERMS
from spieltisch.web.core.http.headers import RequestHead

API = "/api"  # what programs use is below it
LONGEST = 96  # characters of a name


class Client(Struct, frozen=True):
    """A browser or a program, as far as its request tells."""

    lang: str
    name: str = ""  # what they called themselves last
    cookies: Mapping[str, str] = {}
    token: str = ""  # of a program: the key of its seat
    address: str = ""  # where the request comes from, to be counted
    origin: str = ""  # scheme and host as others can reach them: for links and QR codes
    holder: str = ""  # whoever has a key for this address, as they are counted
    secure: bool = False
    path: str = "/"  # of this request, below the sub-path
    wants_json: bool = False
    sends_json: bool = False

    @property
    def is_program(self) -> bool:
        """Whether it reads JSON, or sends it, or asks at an address for programs."""
        return self.wants_json or self.sends_json or self.path.startswith(f"{API}/")

    @property
    def tr(self) -> Translator:
        """The common words in the client's language."""
        return i18n.common_translator(self.lang)

    @property
    def terms(self) -> Terms:
        """How this reader wants to have terms called and ordered; the usual way if the cookie says anything odd."""
        names, _, order = self.cookies.get(TERMS, "").partition(".")
        try:
            return msgspec.convert({"names": names, "order": order}, Terms)
        except msgspec.ValidationError:
            return Terms()


def client_of(scope: Scope) -> Client:
    """The client of a request or a socket."""
    head: RequestHead = scope["state"]["head"]
    headers, cookies = head.headers, ASGIConnection(scope).cookies
    chosen = cookies.get(LANGUAGE, "")
    kind, _, token = headers.get(b"authorization", b"").partition(b" ")
    return Client(
        lang=chosen if chosen in i18n.LANGUAGES else i18n.accepted(head.header(b"accept-language")),
        name=unquote(cookies.get(NAME, "")[: 12 * LONGEST])[:LONGEST],  # a sign is up to four escaped bytes
        cookies=cookies,
        token=token.strip().decode("latin-1") if kind.lower() == b"bearer" else "",
        address=head.address,
        origin=head.origin,
        holder=scope["state"].get("holder", ""),
        secure=head.secure,
        path=scope["path"],
        wants_json=head.wants_json,
        sends_json=head.sends_json,
    )
