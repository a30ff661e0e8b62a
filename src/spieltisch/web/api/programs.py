"""What programs may use: JSON at the tables' own addresses, described as OpenAPI.

The description is written by hand: the same addresses serve people, and only this half of them is for programs.
"""

from typing import Any

import msgspec
from litestar import Response, get
from msgspec import Struct

from spieltisch import __version__, games
from spieltisch.web.commands.messages import Answer, Asked, Choice, Name, Opened, Seat, Took
from spieltisch.web.http.problems import Problem
from spieltisch.web.inject import ServicesHere
from spieltisch.web.view.snapshot import Snapshot

CODE = {
    "name": "code",
    "in": "path",
    "required": True,
    "schema": {"type": "string"},
    "description": "The code.",
}
NUMBER = {"type": "integer", "minimum": 0, "maximum": 999999999}
AFTER = {
    "name": "after",
    "in": "query",
    "required": False,
    "schema": NUMBER,
    "description": "The `seq` seen last: answer as soon as there is a later entry; at the latest after 25 seconds.",
}
REVISION = {
    "name": "revision",
    "in": "query",
    "required": False,
    "schema": NUMBER,
    "description": "The `revision` seen last: with `after`, answer also as soon as there is a later one. "
    "Without it, only changes that come while the server waits are heard.",
}
REFUSALS = {
    "400": "could not be read",
    "403": "not this seat's",
    "404": "no such table",
    "409": "the table has moved on",
    "413": "too long",
    "415": "neither JSON nor a form",
    "422": "not possible, or not an action",
    "429": "too often",
}


def _ref(shape: type[Struct]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{shape.__name__}"}


def _json(shape: type[Struct], words: str) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": _ref(shape)}}}


def _operation(
    name: str, words: str, sends: type[Struct] | None, gets: type[Struct], status: int = 200, *, at_table: bool = True
) -> dict[str, Any]:
    problem = {"application/problem+json": {"schema": _ref(Problem)}}
    refusals = {code: {"description": said, "content": problem} for code, said in REFUSALS.items()}
    described: dict[str, Any] = {
        "operationId": name,
        "summary": words,
        "parameters": [CODE] if at_table else [],
        "responses": {str(status): _json(gets, "so it is"), **refusals},
    }
    if sends is not None:
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": _ref(sends)}}}
    if at_table:
        described["security"] = [{"seat": []}, {}]
    return described


def description(base: str) -> dict[str, Any]:
    """The OpenAPI document."""
    shapes = (Choice, Opened, Name, Seat, Answer, Asked, Took, Snapshot, Problem)
    _, components = msgspec.json.schema_components(shapes, ref_template="#/components/schemas/{name}")
    components["Choice"]["properties"]["game"]["enum"] = sorted(games.packages())
    look = _operation("look", "A table as one's seat sees it", None, Snapshot)
    look["parameters"] = [CODE, AFTER, REVISION]
    table = {
        "sit": _operation("sit", "Take a free seat; answers with its token", Name, Seat),
        "move": _operation("move", "Answer the question that one's seat is asked", Answer, Took),
        "undo": _operation("undo", "Take the last move back (games for one)", Asked, Took),
        "hint": _operation("hint", "What the game's bot would do (games for one)", Asked, Took),
        "start": _operation("start", "Begin the game (who opened the table)", None, Took),
        "rematch": _operation("rematch", "The same again; answers with the next table", None, Took),
        "leave": _operation("leave", "Stand up; in the middle of a game a bot plays on", None, Took),
        "pause": _operation("pause", "Nobody moves until the game goes on (who opened the table)", None, Took),
        "resume": _operation("resume", "The game goes on", None, Took),
        "close": _operation("close", "Nothing more is played here (who opened the table)", None, Took),
        "delete": _operation("delete", "The table and all of it is gone (who opened the table)", None, Took),
    }
    opening = {
        "play": _operation("play", "A table with bots, begun at once", Choice, Opened, 201, at_table=False),
        "tables": _operation("open", "A table for others to join", Choice, Opened, 201, at_table=False),
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Spieltisch",
            "version": __version__,
            "description": "What programs may use. Send `Accept: application/json`.",
        },
        "servers": [{"url": base or "/"}],
        "paths": {
            "/t/{code}": {"get": look},
            **{f"/t/{{code}}/{to}": {"post": one} for to, one in table.items()},
            **{f"/{to}": {"post": one} for to, one in opening.items()},
        },
        "components": {
            "schemas": components,
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer", "description": "The token of a seat."}},
        },
    }


@get("/schema/openapi.json", name="openapi")
async def openapi(services: ServicesHere) -> Response[Any]:
    """The description of what programs may use."""
    return Response(description(services.base))


HANDLERS = [openapi]
