"""Who sits where: sitting down, standing up, bots that play on, seats that are given to somebody else and back.

In a running game nobody can hold up the others: anybody at the table may let a bot play for who is not there. Who
has gone, or lets others have their seat, keeps it all the same: they take it back when they come.
"""

from msgspec.structs import replace

from spieltisch.game import Illegal, Invalid
from spieltisch.games import GamePackage
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.table import Table
from spieltisch.web.access import chairs, seat_keys
from spieltisch.web.access.actor import Actor
from spieltisch.web.commands.command import CommandResult
from spieltisch.web.http.forms import Fields, field, number
from spieltisch.web.services import Services


async def sit(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Take a seat that is free (a new one, where there is room for it), or come back to one's own.
    Illegal where there is none.
    """
    key = actor.key or seat_keys.new_key()
    wanted = number(fields, "seat", len(table.setup.chairs))
    name = chairs.tidy(field(fields, "name")) or actor.name
    most = table.package.rules.seats[-1]

    def take(setup: TableSetup) -> TableSetup:
        mine = seat_keys.seats_of(setup, key)
        if mine or seat_keys.returns_to(setup, key):
            setup = chairs.back(setup, key)
            return _renamed(setup, mine[0], name) if mine else setup
        free = [
            i for i, chair in enumerate(setup.chairs) if seat_keys.can_be_taken(setup, chair) and wanted in {None, i}
        ]
        if free:
            return _seated(setup, free[0], chairs.person(name, key, actor.lang, setup, free[0]))
        if wanted is None and setup.stage == "waiting" and len(setup.chairs) < most:
            return replace(setup, chairs=(*setup.chairs, chairs.person(name, key, actor.lang, setup)))
        raise Illegal("This seat is taken." if wanted is not None else "All seats are taken.")

    setup = await services.host.change(table.id, take)
    return CommandResult(key=key, seat=seat_keys.seat_of(setup, key), name=chairs.tidy(field(fields, "name")))


def _seated(setup: TableSetup, seat: int, new: Chair) -> TableSetup:
    """Somebody sits down; whoever has let others have this seat can take it back."""
    old = setup.chairs[seat]
    return chairs.with_chair(setup, seat, replace(new, lender=old.lender or (old if old.key else None)))


async def leave(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Stand up, with whoever shares the device. In the middle of a game a bot plays on; one can come back, and sees
    nothing of the hand until then.
    """

    def go(setup: TableSetup) -> TableSetup:
        actor.own_seat(setup)
        for seat in actor.seats(setup):
            chair = replace(setup.chairs[seat], **LEFT) if setup.stage == "playing" else Chair()
            setup = chairs.with_chair(setup, seat, chair)
        return setup

    await services.host.change(table.id, go)
    return CommandResult(go="/")


async def take_device(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Who is asked is holding the device now, and sees their cards; nobody else's can be seen on it any more. Illegal
    if it is not their turn, Invalid if the seat is none of this device's.
    """
    seat = number(fields, "seat", len(table.setup.chairs))

    def take(setup: TableSetup) -> TableSetup:
        mine = actor.seats(setup)
        if seat is None or seat not in mine:
            raise Invalid("There is no such seat.")
        if seat not in table.to_act:
            raise Illegal("It is not {name}’s turn.", name=setup.chairs[seat].name)
        taken = (replace(chair, holding=i == seat) if i in mine else chair for i, chair in enumerate(setup.chairs))
        return replace(setup, chairs=tuple(taken))

    await services.host.change(table.id, take)
    return CommandResult()


async def set_chairs(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Set the chairs: `seat` is which, `do` is what.

    Before the game more, fewer, bot, level (of a bot) and free; in it bot (one plays on), wait (for its person), offer
    (the seat to whoever comes) and keep (it); before and in it person (on the same device); at any time name and
    patience. Invalid for a seat that there is not, Illegal for what cannot be done with it now.
    """
    seat = number(fields, "seat", len(table.setup.chairs))
    do = field(fields, "do")

    def change(setup: TableSetup) -> TableSetup:
        if do == "fewer":
            return _one_less(table.package, setup, actor)
        if do in {"more", "bot"} and seat is None:
            return _one_more(table.package, setup, actor, with_bot=do == "bot")
        if do == "person":
            return _beside(table.package, setup, actor, field(fields, "name"), seat)
        if seat is None:
            raise Invalid("There is no such seat.")
        chair = setup.chairs[seat]
        mine = actor.has(setup, seat)
        if do == "name" and mine:
            return _renamed(setup, seat, field(fields, "name"))
        if do == "patience" and (mine or actor.owns(setup)):
            patience = _patience(field(fields, "patience"))
            if not mine and (patience or ENDLESS) < (chair.patience or ENDLESS):
                raise Illegal("Only {name} can shorten this time.", name=chair.name)
            return chairs.with_chair(setup, seat, replace(chair, patience=patience))
        if setup.stage == "playing" and do in PLAYING and chair.kind == "person":
            if mine:
                return chairs.with_chair(setup, seat, replace(chair, **PLAYING[do] | MINE.get(do, {})))
            if not actor.owns(setup):
                actor.own_seat(setup)  # anybody at the table may do it: nobody blocks a game
            _require_may(services, setup, seat, do)
            return chairs.with_chair(setup, seat, replace(chair, **PLAYING[do]))
        if setup.stage not in {"waiting", "over"}:
            raise Illegal("That cannot be done with this seat.")
        if do == "free" and mine:
            return chairs.with_chair(setup, seat, Chair())
        actor.require_owner(setup)
        if do == "bot":
            return chairs.with_chair(setup, seat, chairs.bot(setup, actor.lang))
        if do == "level" and chair.kind == "bot" and setup.stage == "waiting":
            return chairs.with_chair(setup, seat, replace(chair, level=_level(table.package, field(fields, "level"))))
        if do == "free":
            return chairs.with_chair(setup, seat, Chair())
        raise Illegal("That cannot be done with this seat.")

    await services.host.change(table.id, change)
    return CommandResult(name=chairs.tidy(field(fields, "name")) if do == "name" else "")


ENDLESS = float("inf")  # what a patience of 0 means
PLAYING: dict[str, dict[str, bool]] = {  # what can be done with a person's seat in a running game
    "bot": {"away": True},
    "wait": {"away": False, "offered": False},
    "offer": {"away": True, "offered": True},
    "keep": {"offered": False},
}
LEFT = {"away": True, "left": True}
MINE = {"bot": LEFT, "wait": {"left": False}, "offer": LEFT}  # with one's own besides: that is to leave, to come back


def _require_may(services: Services, setup: TableSetup, seat: int, do: str) -> None:
    """Illegal for what nobody else may do with this person's seat: nobody is shut out who is here, or was a moment
    ago, and nobody is made to play who has left.
    """
    name = setup.chairs[seat].name
    if do == "offer" and services.presence.is_here(setup.id, setup.chairs[seat].key):
        raise Illegal("{name} is here: only {name} can give this seat away.", name=name)
    if do == "bot" and not services.presence.is_long_away(setup, seat):
        raise Illegal("A bot plays only for somebody who has been away for a minute.")
    if do == "wait" and setup.chairs[seat].left:
        raise Illegal("{name} has left: a bot plays until they come back.", name=name)


def _renamed(setup: TableSetup, seat: int, name: str) -> TableSetup:
    chair = setup.chairs[seat]
    name = chairs.free_name(chairs.tidy(name) or chair.name, setup, seat)
    return chairs.with_chair(setup, seat, replace(chair, name=name))


def _beside(package: GamePackage, setup: TableSetup, actor: Actor, name: str, seat: int | None) -> TableSetup:
    """Somebody else sits down with the same device; in a running game on a seat that whoever comes may take over."""
    if setup.stage not in {"waiting", "playing"} or actor.seat(setup) is None:
        raise Illegal("That cannot be done with this seat.")
    mine = actor.seats(setup)
    takes = [i for i, one in enumerate(setup.chairs) if seat_keys.can_be_taken(setup, one) and i not in mine]
    free = [i for i in takes if seat in {None, i}]
    if free:
        return _seated(setup, free[0], chairs.person(name, actor.key, actor.lang, setup, free[0]))
    if seat is not None or setup.stage == "playing" or len(setup.chairs) >= package.rules.seats[-1]:
        raise Illegal("All seats are taken.")
    return replace(setup, chairs=(*setup.chairs, chairs.person(name, actor.key, actor.lang, setup)))


def _one_more(package: GamePackage, setup: TableSetup, actor: Actor, *, with_bot: bool) -> TableSetup:
    actor.require_owner(setup)
    chair = chairs.bot(setup, actor.lang) if with_bot else Chair()
    free = [i for i, old in enumerate(setup.chairs) if old.kind == "free"]
    if with_bot and free:
        return chairs.with_chair(setup, free[0], chair)
    if len(setup.chairs) >= package.rules.seats[-1]:
        raise Illegal("There are no more seats in this game.")
    return replace(setup, chairs=(*setup.chairs, chair))


def _one_less(package: GamePackage, setup: TableSetup, actor: Actor) -> TableSetup:
    actor.require_owner(setup)
    free = [i for i, old in enumerate(setup.chairs) if old.kind == "free"]
    if not free or len(setup.chairs) <= package.rules.seats[0]:
        raise Illegal("There have to be seats enough for those who sit.")
    return replace(setup, chairs=tuple(chair for i, chair in enumerate(setup.chairs) if i != free[-1]))


def _level(package: GamePackage, level: str) -> str:
    if level not in package.bot.levels:
        raise Invalid("The bots of this game have no such level.")
    return level


def _patience(text: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1.0
    if not (value == 0 or 1 <= value <= 20):
        raise Invalid("The time is a number from 1 to 20, or 0 for no limit.")
    return value
