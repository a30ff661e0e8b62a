"""The JSON API for programs: open a table, look at it from a seat, and act there.

It has the same commands and views as the pages, with typed messages instead of forms. Programs send the token of their
seat as `Authorization: Bearer …`.
"""

from typing import Annotated, Any

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from spieltisch.game import Refused
from spieltisch.table.store import Unknown, Unsaved
from spieltisch.table.table import Table
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.forms import Fields, fields_of, query_number
from spieltisch.web.core.http.problems import Problem
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.core.opening import open_asked
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.viewer import translator_for, viewer_of
from spieltisch.web.table.bodies import Answer, Asked, Choice, Name, NewStart, Opened, Permission, Ready, Seat, Took
from spieltisch.web.table.command import CommandResult
from spieltisch.web.table.commands import COMMANDS
from spieltisch.web.table.snapshot import Snapshot, snapshot

REFUSALS = {
    status: ResponseSpec(Problem, generate_examples=False, description=said, media_type="application/problem+json")
    for status, said in {
        400: "not readable",
        403: "not allowed for this seat",
        404: "no such table",
        409: "the table has moved on",
        413: "too long",
        422: "against the rules, or of the wrong form",
        429: "too often",
    }.items()
}
NUMBER = {"type": "integer", "minimum": 0, "maximum": 999999999, "default": None}
AFTER = "The last `seq` you saw. The server answers when there is a later entry, or after 25 seconds."
REVISION = (
    "The last `revision` you saw. With `after`, the server also answers when there is a later one. "
    "Without it, you only hear of changes made while the server waits."
)

SAID: Any = {"responses": REFUSALS, "response_description": "done"}
SEATED: Any = {"security": [{"seat": []}, {}], **SAID}


async def opened(services: Services, client: Client, fields: Fields, *, now: bool) -> Opened:
    """Open a table for the client, and return its code and token."""
    code, key = await open_asked(services, client, fields, now=now)
    return Opened(code, 0, key)


async def seen(services: Services, client: Client, table: Table, after: str, revision: str) -> Snapshot:
    """Return the table as the client's seat sees it. With `after`, wait for news first."""
    actor = services.actor(client, table.id)
    await services.met(table, actor.key)
    entry, known = query_number("after", after), query_number("revision", revision)
    if entry is not None:
        table = await services.news(table, entry, table.setup.rev if known is None else known)
    await services.met(table, actor.key)  # it has waited here
    return snapshot(table, viewer_of(actor, table), entry or 0, services.presence.attendance(table.setup))


async def done(services: Services, client: Client, table: Table, to: str, fields: Fields) -> Seat | Took:
    """Carry out a command. Refusals are translated in the words of the table's game."""
    actor = services.actor(client, table.id)
    await services.met(table, actor.key)
    try:
        services.limits.require("command", client.address, actor.known(table.setup))
        return await _told(services, table.id, to, await COMMANDS[to](services, table, actor, fields))
    except Refused as error:
        raise type(error)(translator_for(table, None, client.lang).refusal(error)) from None


async def _told(services: Services, table_id: str, to: str, result: CommandResult) -> Seat | Took:
    if to in {"sit", "renew"}:
        return Seat(result.seat, result.key)
    if to == "delete":
        return Took()
    try:
        table = await services.host.table(table_id)
    except Unsaved as error:  # it is done, but a standby that lacks it may have taken over
        raise Unknown from error
    hinted = None if result.hint is None else result.hint.action
    return Took(result.moot, table.seq, hinted, table.setup.rematch if to in {"rematch", "anew"} else "")


@post("/play", operation_id="play", summary="Start a game against bots", **SAID)
async def play(services: ServicesHere, client: ClientHere, data: JSONBody[Choice]) -> Opened:
    """Opens a table with bots and starts the game."""
    return await opened(services, client, fields_of(data), now=True)


@post("/tables", operation_id="open", summary="Open a table for others to join", **SAID)
async def tables(services: ServicesHere, client: ClientHere, data: JSONBody[Choice]) -> Opened:
    """Opens a table for others to join."""
    return await opened(services, client, fields_of(data), now=False)


@get("/tables/{code:str}", operation_id="look", summary="See a table from your seat", **SEATED)
async def look(
    services: ServicesHere,
    client: ClientHere,
    table: TableHere,
    after: Annotated[str, QueryParameter(description=AFTER, schema_extra=NUMBER)] = "",
    revision: Annotated[str, QueryParameter(description=REVISION, schema_extra=NUMBER)] = "",
) -> Snapshot:
    """Returns the table as your seat sees it."""
    return await seen(services, client, table, after, revision)


def _command(to: str, words: str, message: Any = None, answer: Any = Took) -> HTTPRouteHandler:
    """Return the handler of a command that takes this message, or none."""

    async def with_message(services: ServicesHere, client: ClientHere, table: TableHere, data: JSONBody[Any]) -> Any:
        fields = data.fields() if isinstance(data, NewStart) else fields_of(data)
        return await done(services, client, table, to, fields)

    async def without(services: ServicesHere, client: ClientHere, table: TableHere) -> Any:
        return await done(services, client, table, to, ())

    act = without if message is None else with_message
    act.__annotations__ |= {"return": answer} | ({} if message is None else {"data": JSONBody[message]})
    return post(f"/tables/{{code:str}}/{to}", status_code=200, operation_id=to, summary=words, **SEATED)(act)


COMMANDS_HERE = [
    _command("sit", "Take a seat or ask for it. Returns the token of the seat.", Name, Seat),
    _command("admit", "Answer somebody who asks for a seat", Permission),
    _command("move", "Answer your seat's question", Answer),
    _command("undo", "Take back the last move (solo games)", Asked),
    _command("hint", "Get the move of the game's bot (solo games)", Asked),
    _command("start", "Start the game (only the person who opened the table)"),
    _command("rematch", "Start the next game with the same people. Returns its code."),
    _command("anew", "Propose or answer a new start. Returns the next game's code once all agree.", NewStart),
    _command("ready", "Join the next game or take a break. During a break a bot plays in your seat.", Ready),
    _command("hold", "Stop the countdown to the next game (only the person who opened the table)"),
    _command("renew", "Replace your token. The old one stops working.", answer=Seat),
    _command("leave", "Leave your seat. In a running game a bot plays on."),
    _command("pause", "Pause the game (only the person who opened the table)"),
    _command("resume", "Resume the game"),
    _command("close", "Close the table (only the person who opened it)"),
    _command("delete", "Delete the table and everything on it (only the person who opened it)"),
]

HANDLERS = [play, tables, look, *COMMANDS_HERE]
