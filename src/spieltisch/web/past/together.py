"""Looking back together: who opened the table leads, and every phone and screen shows the same moment.

The moment stands in the table's setup, so that all servers know it. Anybody at the table may ask "what if?": then all
see a fork from that moment, until somebody goes back or the leader steps on.
"""

from collections.abc import Callable

import msgspec
from litestar import Response, get, post
from litestar.params import FromQuery
from msgspec.structs import replace

from spieltisch.game import Illegal, Invalid, Stale
from spieltisch.table import seat_keys
from spieltisch.table.log import LookBack, TableSetup, key_of
from spieltisch.table.replay import Replay
from spieltisch.table.table import Table
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.http import forms
from spieltisch.web.core.http.actions import action_of_form
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import Fields, field, read_form
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.http.responses import page, redirect
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.core.presence import Presence
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.viewer import Screen, Viewer
from spieltisch.web.past.routes import PastHere
from spieltisch.web.past.views import Role

MOST = 40  # moves that can be tried one after the other


def role_of(setup: TableSetup, key: str, presence: Presence) -> Role:
    """Return what the holder of this key may do while all look back."""
    look, sits = setup.look, seat_keys.seat_of(setup, key) is not None
    leads = look is not None and bool(key) and look.leads == key_of(key)
    gone = look is not None and not presence.is_here(setup.id, look.leads)
    return Role(leads=leads, sits=sits or leads, can_lead=sits and not leads and gone)


async def change(services: Services, table: Table, actor: Actor, fields: Fields) -> None:
    """Carry out what a page asks (`do`). Raises Forbidden for who may not do it."""
    game, do = await services.host.replay(table.id), field(fields, "do")
    find = {"begin": _begin, "step": _step, "eyes": _eyes, "lead": _lead, "end": _end, "whatif": _fork, "undo": _undo}
    make = (find | {"back": _back, "move": _move}).get(do)
    if make is None:
        raise Invalid("This is not one of the choices.")

    def changed(setup: TableSetup) -> TableSetup:
        role = role_of(setup, actor.key, services.presence)
        if do == "begin":
            _require_may_begin(services.presence, setup, actor)
        elif setup.look is None:
            raise Stale("Nobody is looking back together any more.")
        elif not {"step": role.leads, "eyes": role.leads, "end": role.leads, "lead": role.can_lead}.get(do, role.sits):
            raise Forbidden("Only the person who leads can do that.")
        return replace(setup, look=make(game, setup.look or LookBack(key_of(actor.key)), fields, actor))

    await services.host.change(table.id, changed)


def _require_may_begin(presence: Presence, setup: TableSetup, actor: Actor) -> None:
    if setup.classroom:
        raise Illegal("In a class, your teacher decides that.")
    if not actor.owns(setup):
        actor.own_seat(setup)
        if presence.is_here(setup.id, setup.owner):
            raise Forbidden("Only the person who opened the table can do that.")


Change = Callable[[Replay, LookBack, Fields, Actor], LookBack | None]


def _begin(_game: Replay, look: LookBack, _fields: Fields, _actor: Actor) -> LookBack:
    return look


def _step(game: Replay, look: LookBack, fields: Fields, _actor: Actor) -> LookBack:
    text = field(fields, "step")
    if not (forms.is_number(text, 5) and 1 <= int(text) <= len(game)):
        raise Invalid("This game has {last} steps. Choose one from 1 to {last}.", last=len(game))
    return replace(look, step=int(text), tried=None)


def _eyes(game: Replay, look: LookBack, fields: Fields, _actor: Actor) -> LookBack:
    return replace(look, seat=forms.number(fields, "seat", len(game.at(1).setup.chairs)))


def _lead(_game: Replay, look: LookBack, _fields: Fields, actor: Actor) -> LookBack:
    return replace(look, leads=key_of(actor.key))


def _end(_game: Replay, _look: LookBack, _fields: Fields, _actor: Actor) -> None:
    return None


def _fork(_game: Replay, look: LookBack, _fields: Fields, _actor: Actor) -> LookBack:
    return replace(look, tried=look.tried or ())


def _undo(_game: Replay, look: LookBack, _fields: Fields, _actor: Actor) -> LookBack:
    return replace(look, tried=_tried(look)[:-1])


def _back(_game: Replay, look: LookBack, _fields: Fields, _actor: Actor) -> LookBack:
    return replace(look, tried=None)


def _move(game: Replay, look: LookBack, fields: Fields, _actor: Actor) -> LookBack:
    tried = _tried(look)
    now = game.what_if(look.step, tried)
    if not now.to_act or now.question(now.to_act[0]) != forms.question(fields):
        raise Stale("The game has moved on. Please look again.")
    if len(tried) >= MOST:
        raise Illegal("That is far enough. Take moves back, or go back to the game.")
    new = *tried, msgspec.to_builtins(action_of_form(now.package, fields))
    game.what_if(look.step, new)  # raises what the rules say against it
    return replace(look, tried=new)


def _tried(look: LookBack) -> tuple[object, ...]:
    if look.tried is None:
        raise Stale("Nothing is being tried any more.")
    return look.tried


# -- pages ---------------------------------------------------------------------------------------------------


def viewer_of(client: Client, screen: Screen) -> Viewer:
    """Return who looks: the same for all who see the same picture."""
    return Viewer(None, client.lang, screen, origin=client.origin, terms=client.terms)


async def _page(services: Services, past: PastHere, client: Client, table: Table, screen: Screen) -> Response[object]:
    look = table.setup.look
    if look is None or table.setup.rematch:
        return redirect(services.url(f"/t/{table.id}{'/screen' if screen else ''}"))
    game, actor = await services.host.replay(table.id), services.actor(client, table.id)
    key = "" if screen else actor.key
    await services.met(table, key)
    role = role_of(table.setup, key, services.presence)
    return page(past.together(table, game, look, viewer_of(client, screen), role))


@get("/t/{code:str}/together", name="together")
async def show(services: ServicesHere, past: PastHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Show the moment that all look back at. Without one it leads to the table."""
    return await _page(services, past, client, table, "")


@get("/t/{code:str}/together/screen", name="together_screen")
async def screen(
    services: ServicesHere, past: PastHere, client: ClientHere, table: TableHere, small: FromQuery[str] = ""
) -> Response[object]:
    """Show it to everybody."""
    return await _page(services, past, client, table, "small" if small else "big")


async def _done(services: Services, client: Client, table: Table, fields: Fields) -> Response[object]:
    actor = services.actor(client, table.id)
    services.limits.require("command", client.address, actor.known(table.setup))
    await change(services, table, actor, fields)
    return Response(None, status_code=204) if client.is_program else redirect(services.url(f"/t/{table.id}/together"))


@post("/t/{code:str}/together", name="look_back", status_code=200)
async def act(request: HttpRequest, services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Carry out what a page asks (`do`)."""
    return await _done(services, client, table, await read_form(request))


@post("/t/{code:str}/together/move", name="look_back_move", status_code=200)
async def move(request: HttpRequest, services: ServicesHere, client: ClientHere, table: TableHere) -> Response[object]:
    """Make a move of the fork."""
    return await _done(services, client, table, [*await read_form(request), ("do", "move")])


HANDLERS = [show, screen, act, move]
