"""What each person chooses for themselves, kept in cookies: the language, and what terms are called.

Games whose page has `terms` let these be chosen: hic – haec – hoc, whose cases every school names and orders in its
way.
"""

from typing import Any

from litestar import Request, Response, post
from litestar.exceptions import ClientException

from spieltisch import i18n
from spieltisch.game import Invalid, read
from spieltisch.i18n import Terms
from spieltisch.web.http.cookies import LANGUAGE, TERMS
from spieltisch.web.http.forms import field, following, read_form
from spieltisch.web.http.responses import redirect
from spieltisch.web.inject import ClientHere, ServicesHere


@post("/language", name="language", status_code=200)
async def language(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """German or English, from now on."""
    fields = await read_form(request)
    lang = field(fields, "lang")
    if lang not in i18n.LANGUAGES:
        raise ClientException(status_code=400)
    answer = redirect(services.url(following(fields)))
    answer.set_cookie(services.cookies.keep(LANGUAGE, lang, secure=client.secure))
    return answer


@post("/terms", name="terms", status_code=200)
async def terms(request: Request[Any, Any, Any], services: ServicesHere, client: ClientHere) -> Response[Any]:
    """These names and this order, from now on; Invalid if there are no such."""
    fields = await read_form(request)
    try:
        chosen = read({"names": field(fields, "names"), "order": field(fields, "order")}, Terms)
    except Invalid:
        raise Invalid("This is not one of the choices.") from None
    answer = redirect(services.url(following(fields)))
    value = f"{chosen.names}.{chosen.order}"
    answer.set_cookie(services.cookies.keep(TERMS, value, secure=client.secure))
    return answer


HANDLERS = [language, terms]
