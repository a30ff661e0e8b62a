"""What handlers of a class are given by the framework: the class that an address names, and its views.

A handler with a parameter `room: RoomHere` or `views: ViewsHere` gets it. The parameter names count, too.
"""

from typing import TypeAlias

from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from spieltisch.classroom.classroom import Classroom
from spieltisch.table.host import Missing
from spieltisch.web.classroom.debrief import Debrief
from spieltisch.web.classroom.views import ClassViews
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.inject import CODE, ClientHere, ServicesHere
from spieltisch.web.core.services import Services

RoomHere: TypeAlias = NamedDependency[SkipValidation[Classroom]]
ViewsHere: TypeAlias = NamedDependency[SkipValidation[ClassViews]]


async def find_room(services: Services, client: Client, code: str) -> Classroom:
    """Return the class with this code. Raises Missing if there is none, TooMany for an address that guesses codes.
    Other people's guesses don't count against a browser that has a key of the class.
    """
    code, address, cookies = code.strip().upper(), client.address, services.class_cookies
    held, leads = cookies.held(client.cookies), cookies.leads(client.cookies, code)
    claims = held is not None and held.code == code
    if not leads and not claims:
        services.guesses.require_left(address)
    try:
        room = await services.classes.get(code if CODE.fullmatch(code) else "")
    except Missing:
        services.guesses.require(address)
        raise
    if claims and not leads and cookies.pupil(client.cookies, room) is None:
        services.guesses.require_left(address)
    return room


def require_teacher(services: Services, client: Client, room: Classroom) -> None:
    """Raise Forbidden unless this browser has the teacher's key of the class."""
    if not services.class_cookies.leads(client.cookies, room.id):
        raise Forbidden("Only the teacher of this class can do that.")


async def room_at(services: ServicesHere, client: ClientHere, code: FromPath[str]) -> Classroom:
    """Return the class of the address `/class/{code}/…`."""
    return await find_room(services, client, code)


def given(services: Services, debrief: Debrief) -> dict[str, object]:
    """Return what handlers of a class are given, by its name."""
    views = ClassViews(
        services.renderer, services.host, services.desk, services.class_keys, services.presence, debrief,
        services.chat.nudged,
    )  # fmt: skip
    return {"views": views}
