"""After a game: the next one, another try, closing the table, deleting it."""

from msgspec.structs import replace

from spieltisch import games, options
from spieltisch.game import Illegal, Invalid
from spieltisch.package import Package
from spieltisch.table import chairs, evening
from spieltisch.table.log import Anew, TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.http.forms import Fields, field, number
from spieltisch.web.core.opening import winnable_deal
from spieltisch.web.core.services import Services
from spieltisch.web.core.view.outcome import wins
from spieltisch.web.table.command import CommandResult


async def rematch(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Open the next game for the same people, under the same code.

    It begins after a countdown if anybody else has to agree. A second call returns the game that the first one opened.
    The owner may change what the game's page lets them change between games, or choose another `game`, which then waits
    for its options. Raises Illegal before the end, or if there are too many people for that game.
    """
    actor.own_seat(table.setup)
    old = table.setup
    if old.stage not in {"over", "closed"}:
        raise Illegal("This game is not over yet.")
    if not old.rematch:
        services.limits.require("again", actor.address)
    package = games.package(field(fields, "game") or old.game)
    same = package is table.package
    if not same:
        actor.require_owner(old)
    top = _changed(table, fields if actor.owns(old) else ()) if same else await _last_top(services, old, package)
    again = same and old.winnable and not old.rematch
    deal = await winnable_deal(services, actor.address, package, top) if again else 0
    new = await _open_next(services, table, actor, package, top, deal)
    await _ready(services, new.id, actor, plays=True)
    return CommandResult(go=f"/t/{table.id}/next")


async def _open_next(
    services: Services, table: Table, actor: Actor, package: Package, top: dict[str, object], deal: int = 0
) -> TableSetup:
    """Open the next game with `top`. It has a countdown if it is the same game and no chair is free."""
    now, most, same = services.host.clock(), package.rules.seats[-1], package is table.package
    least = package.rules.seats[0] if same else min(4, most)

    def following(setup: TableSetup) -> TableSetup:
        old = table.setup  # as it is now: somebody may have been taken out of the class meanwhile
        actor.own_seat(old)
        won = wins(table)
        setup = replace(
            setup,
            game=package.name,
            top=top,
            deal=deal,
            winnable=bool(deal),
            chairs=evening.next_chairs(package, evening.with_guests(_with_bots(old), most), won, least),
            answer_seconds=old.answer_seconds,
            turn_seconds=old.turn_seconds,
            evening=evening.listed(old, [seat for seat, n in enumerate(won) if n > old.chairs[seat].wins]),
        )
        full = same and all(chair.kind != "free" for chair in setup.chairs)
        return evening.countdown(setup, key_of(actor.key), now) if full else setup

    return await services.host.open_next(table.id, following)


def _with_bots(setup: TableSetup) -> TableSetup:
    """Return the setup with a bot for each pupil who left since the game was over."""
    for seat, chair in enumerate(setup.chairs):
        if chair.kind == "person" and not chair.key:
            setup = chairs.with_chair(setup, seat, replace(chairs.bot(setup, setup.lang), level=chair.level))
    return setup


async def _ready(services: Services, game: str, actor: Actor, *, plays: bool) -> None:
    """Begin at once if everybody has agreed."""
    setup = await services.host.change(game, lambda setup: evening.ready(setup, key_of(actor.key), plays=plays))
    if setup.countdown is not None and evening.all_ready(setup):
        await services.host.begin(game)


async def anew(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Propose to begin anew with another choice (`mode` "assisted"), or answer the proposal (`yes` "true", "false", or
    "" to put a no away).

    Once everybody agrees, this game ends and the next one begins. Raises Illegal if nothing is played or proposed, or
    if the class decides.
    """
    said, now = field(fields, "yes"), table.setup.anew
    chosen = next(iter(_chosen(table, fields).items()), None)
    new = chosen is not None and (now is None or bool(now.refused))
    if new:
        services.limits.require("ask", f"{table.id} anew {actor.address}")

    def change(setup: TableSetup) -> TableSetup:
        seat, wanted = actor.own_seat(setup), setup.anew
        key = setup.chairs[seat].key
        if setup.classroom:
            raise Illegal("In a class, your teacher decides that.")
        if setup.stage != "playing" or setup.rematch:
            raise Illegal("No game is being played here.")
        if chosen is not None and (wanted is None or wanted.refused):
            return replace(setup, anew=Anew(*chosen, agreed=(key,)))
        if wanted is None or (wanted.refused and said):
            raise Illegal("This proposal is no longer open.")
        if said == "true" or (chosen is not None and chosen == (wanted.option, wanted.value)):
            others = tuple(one for one in wanted.agreed if one != key)
            return replace(setup, anew=replace(wanted, agreed=(*others, key) if others else (key,)))
        if said == "false" and key != wanted.agreed[0]:
            return replace(setup, anew=replace(wanted, refused=key))
        if said == "false" or wanted.refused:
            return replace(setup, anew=None)  # taken back by whoever proposed it, or a no that has been read
        raise Illegal("Answer the other proposal first.")

    setup = await services.host.change(table.id, change)
    if new or setup.anew is None or setup.anew.refused or evening.undecided(setup):
        return CommandResult()  # who sits there with bots alone says it twice, too
    following = await _open_next(
        services, table, actor, table.package, _with(setup.top, setup.anew.option, setup.anew.value)
    )
    if table.setup.stage == "playing":
        await services.host.close(table.id)
    await services.host.begin(following.id)
    return CommandResult(go=f"/t/{table.id}/next")


def _with(top: dict[str, object], option: str, value: str) -> dict[str, object]:
    return {**top, "options": {**options.chosen(top), option: value}}


def _chosen(table: Table, fields: Fields) -> dict[str, str]:
    """Return what somebody chose, of what may change between games."""
    may = table.package.page.again
    return {name: value for name, value in fields if value in may.get(name, ())}


def _changed(table: Table, fields: Fields) -> dict[str, object]:
    """Return the top keys of the next game's record."""
    top, chosen = table.setup.top, _chosen(table, fields)
    return {**top, "options": {**options.chosen(top), **chosen}} if chosen else top


async def _last_top(services: Services, old: TableSetup, package: Package) -> dict[str, object]:
    """Return the top keys of the last game of this kind in the evening, or the game's default."""
    for one in reversed(old.evening):
        if one.game == package.name and (setup := await services.host.store.setup(one.id)) is not None:
            return setup.top
    return dict(package.record.default)


async def ready(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Play in the next game, or pause (`plays` false): the seat stays theirs and a bot plays. Raises Illegal if no game
    is about to begin.
    """
    if not actor.returns(table.setup):
        actor.own_seat(table.setup)
    if table.setup.countdown is None:
        raise Illegal("No game is about to begin.")
    await _ready(services, table.id, actor, plays=field(fields, "plays") != "false")
    return CommandResult()


async def hold(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Stop the countdown: the owner begins the next game."""
    actor.require_owner(table.setup)
    await services.host.change(table.id, lambda setup: replace(setup, countdown=None))
    return CommandResult()


async def retry(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Play a finished game for one again from this moment. Raises Invalid if it has no such moment."""
    seat, step = actor.own_seat(table.setup), number(fields, "step", 1000)
    whole = await services.host.replay(table.id)
    if not step or step >= len(whole):
        raise Invalid("This game has {last} steps. Choose one from 1 to {last}.", last=len(whole) - 1)
    for _ in range(len(whole) - step):
        await services.host.undo(table.id, seat, table.question(seat))
    return CommandResult()


async def close(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Close the table."""
    actor.require_owner(table.setup)
    await services.host.close(table.id)
    return CommandResult()


async def delete(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Delete the table with all games of its evening."""
    actor.require_opener(table.setup)
    for one in await services.host.store.games(evening.code_of(table.id)):
        await services.host.delete(one)
    return CommandResult(go="/")
