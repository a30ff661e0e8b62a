"""When a game is over: a rematch, another try, closing the table, deleting it."""

from typing import Any

from msgspec.structs import replace

from spieltisch.game import Illegal, Invalid
from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.web.access.actor import Actor
from spieltisch.web.commands.command import CommandResult
from spieltisch.web.http.forms import Fields, number
from spieltisch.web.services import Services
from spieltisch.web.view.outcome import wins


async def rematch(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """The same people play the same again; who comes second finds the table that the first one opened. Whoever opened
    the table may change what the game's page lets them change from game to game. Illegal before the end.
    """
    actor.own_seat(table.setup)
    if table.setup.stage not in {"over", "closed"}:
        raise Illegal("This game is not over yet.")
    if not table.setup.rematch:
        old = table.setup
        top = _changed(table, fields) if actor.owns(old) else old.top
        new = await services.host.open(old.game, len(old.chairs), top, old.owner, old.lang)
        same = tuple(
            replace(chair, offered=False, holding=False, wins=n)
            for chair, n in zip(old.chairs, wins(table), strict=True)
        )

        def take_seats(setup: TableSetup) -> TableSetup:
            times = {"answer_seconds": old.answer_seconds, "turn_seconds": old.turn_seconds}
            return replace(setup, chairs=same, before=old.id, **times)

        def name_it(setup: TableSetup) -> TableSetup:
            return setup if setup.rematch else replace(setup, rematch=new.id)

        await services.host.change(new.id, take_seats)
        if (await services.host.change(table.id, name_it)).rematch != new.id:
            await services.host.delete(new.id)
        elif all(chair.kind != "free" for chair in same):
            await services.host.start(new.id)
    return CommandResult(go=f"/t/{table.id}/next")


def _changed(table: Table, fields: Fields) -> dict[str, Any]:
    """What the next game is played with."""
    may, top = table.package.page.again, table.setup.top
    chosen = {name: value for name, value in fields if value in may.get(name, ())}
    return {**top, "options": {**top.get("options", {}), **chosen}} if chosen else top


async def retry(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """A finished game from this moment of it again: the moves after it are taken back (games for one). Invalid if it
    has no such moment.
    """
    seat, step = actor.own_seat(table.setup), number(fields, "step", 1000)
    whole = await services.host.replay(table.id)
    if not step or step >= len(whole):
        raise Invalid("This game has {last} steps: choose one from 1 to {last}.", last=len(whole) - 1)
    for _ in range(len(whole) - step):
        await services.host.undo(table.id, seat, table.question(seat))
    return CommandResult()


async def close(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Nothing more is played here."""
    actor.require_owner(table.setup)
    await services.host.close(table.id)
    return CommandResult()


async def delete(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """The table and everything of it is gone."""
    actor.require_owner(table.setup)
    await services.host.delete(table.id)
    return CommandResult(go="/")
