"""What terms of a game are called and in which order they stand: chosen by each person, kept in a cookie.

Rooms whose page has `TERMS` let it be chosen: hic – haec – hoc, whose cases every school names and orders in its way.
"""

from typing import Any

from litestar import Response, post

from spieltisch.game import Invalid, read
from spieltisch.i18n import Terms
from spieltisch.web.deeds import field
from spieltisch.web.house import TERMS, Asker
from spieltisch.web.tables import Ask, fields_of, following, house_of, to_page


@post("/terms", name="terms", status_code=200)
async def choose(request: Ask) -> Response[Any]:
    """These names and this order, from now on."""
    house = house_of(request)
    fields = await fields_of(request)
    try:
        chosen = read({"names": field(fields, "names"), "order": field(fields, "order")}, Terms)
    except Invalid:
        raise Invalid("This is not one of the choices.") from None
    answer = to_page(house, following(fields))
    value = f"{chosen.names}.{chosen.order}"
    answer.set_cookie(house.cookies.plain(TERMS, value, secure=Asker(request, house).secure))
    return answer


HANDLERS = [choose]
