"""Who sits where: sitting down, asking for a seat, leaving, bots that stand in, lent seats, a new key.

In a running game nobody can hold up the others: anybody at the table may let a bot play for an absent player. A player
who has left or lent a seat keeps it, and takes it back on return. `core.permission` says who may sit down where, and
who may allow it.
"""

from msgspec.structs import replace

from spieltisch import i18n
from spieltisch.game import Illegal, Invalid
from spieltisch.i18n import N_
from spieltisch.package import Package
from spieltisch.table import chairs, evening, seat_keys
from spieltisch.table.evening import code_of
from spieltisch.table.log import Ask, Chair, TableSetup, key_of
from spieltisch.table.names import tidy
from spieltisch.table.table import Table
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.http.forms import Fields, field, is_number, number
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.permission import asks_for, may_allow, own_ask, way_to
from spieltisch.web.core.services import Services
from spieltisch.web.table.command import CommandResult

MOST_ASKS = 4  # people who ask for seats of one table at a time
KEPT_ASKS = 12  # with those who were refused
IN_CLASS = frozenset({"bot", "wait", "patience"})  # what can be done with chairs at a table of a class
CLASS_DECIDES = N_("Your teacher decides who sits at this table.")
NOT_YOURS = N_(
    "Only the person who opened the table can allow that. While they are away, the player seated longest can."
)


async def sit(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Take a free seat (or a new one, if there is room), return to one's own, or ask for one that needs permission;
    then the result names no seat. Raises Illegal if there is none.
    """
    key = actor.key or seat_keys.new_key()
    wanted = number(fields, "seat", len(table.setup.chairs))
    name = tidy(field(fields, "name")) or actor.name
    newcomer = replace(actor, key=key)

    def take(setup: TableSetup) -> TableSetup:
        mine = seat_keys.seats_of(setup, key)
        if mine or seat_keys.returns_to(setup, key):
            if setup.classroom and field(fields, "name"):
                raise Illegal("In a class, you keep the name you were given.")
            setup = chairs.back(setup, key)
            return _renamed(setup, mine[0], name) if mine and not setup.classroom else setup
        return _taken(services, table.package, setup, newcomer, name, wanted)

    setup = await services.host.change(table.id, take)
    return CommandResult(key=key, seat=seat_keys.seat_of(setup, key), name=tidy(field(fields, "name")))


def _taken(
    services: Services, package: Package, setup: TableSetup, actor: Actor, name: str, wanted: int | None
) -> TableSetup:
    """Return the setup with a seat taken or asked for. Raises TooMany for an address that asks too often."""
    if setup.classroom:
        raise Illegal(CLASS_DECIDES)
    here, now, most = services.presence.attendance(setup), services.host.clock(), package.rules.seats[-1]
    ways = {
        seat: way_to(package, setup, seat, here)
        for seat in range(len(setup.chairs))
        if wanted in {None, seat} and not actor.has(setup, seat)
    }
    found = next((seat for seat, way in ways.items() if way == "open"), None)
    if found is None and wanted is None and setup.stage == "waiting" and len(setup.chairs) < most:
        new = chairs.person(name, actor.key, actor.lang, setup, now)
        return replace(setup, chairs=(*setup.chairs, new))
    if found is None:
        found = next((seat for seat, way in ways.items() if way == "ask"), None)
        if found is None:
            raise Illegal(N_("This seat is taken.") if wanted is not None else N_("All seats are taken."))
        if not may_allow(setup, found, actor.key, here):
            return _asked(services, package, setup, actor, name, found)
    return _seated(setup, found, chairs.person(name, actor.key, actor.lang, setup, now, found))


def _asked(services: Services, package: Package, setup: TableSetup, actor: Actor, name: str, seat: int) -> TableSetup:
    """Return the setup with a request for this seat: one for each person, a few for each table, and not again soon
    after a no.
    """
    here, now = services.presence.attendance(setup), services.host.clock()
    before = own_ask(package, setup, actor.key, here)
    if before is not None and before.refused:
        raise Illegal("The answer was no. Please wait before you ask again.")
    if before is not None:
        raise Illegal("You have already asked. Please wait.")
    if sum(not ask.refused for ask in here.asks) >= MOST_ASKS:
        raise Illegal("Several people are already asking. Please wait a moment.")
    services.limits.require("ask", f"{setup.id} {actor.address}")
    said = chairs.person(name, actor.key, actor.lang, setup, now).name
    ask = Ask(setup.rev, seat, said, key_of(actor.key), now)
    others = [one for one in here.asks if one.key != ask.key]  # what was asked for before may be taken meanwhile
    return replace(setup, asks=(*others, ask)[-KEPT_ASKS:])


def _seated(setup: TableSetup, seat: int, new: Chair) -> TableSetup:
    """Seat somebody. A player who has lent this seat can take it back; nobody asks for it any more."""
    old = setup.chairs[seat]
    setup = replace(setup, asks=tuple(ask for ask in setup.asks if ask.seat != seat and ask.key != new.key))
    return chairs.with_chair(setup, seat, replace(new, lender=old.lender or (old if old.key else None)))


async def reserve(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Reserve a seat in the next game for somebody without one (`do` "drop": give it back). Raises Illegal if no seat
    is left, or if the class decides.
    """
    key = actor.key or seat_keys.new_key()
    most = table.package.rules.seats[-1]

    def take(setup: TableSetup) -> TableSetup:
        others = tuple(one for one in setup.guests if one.key != key_of(key))
        if field(fields, "do") == "drop":
            return replace(setup, guests=others)
        if setup.classroom:
            raise Illegal(CLASS_DECIDES)
        if setup.stage not in {"playing", "over"} or setup.rematch:
            raise Illegal("There is no next game to wait for.")
        if seat_keys.seats_of(setup, key) or seat_keys.returns_to(setup, key):
            raise Illegal("You have a seat already.")
        if len(others) >= evening.guests_left(setup, most):
            raise Illegal("All seats of the next game are taken.")
        known = replace(setup, chairs=(*setup.chairs, *others))
        said = tidy(field(fields, "name")) or actor.name
        return replace(setup, guests=(*others, chairs.person(said, key, actor.lang, known, services.host.clock())))

    await services.host.change(table.id, take)
    return CommandResult(key=key, name=tidy(field(fields, "name")))


async def typing(services: Services, table: Table, _actor: Actor, _fields: Fields) -> CommandResult:
    """Let the next game wait a little longer for somebody who is typing a name."""
    now = services.host.clock()

    def wait(setup: TableSetup) -> TableSetup:
        if setup.countdown is None or setup.classroom:
            return setup
        return replace(setup, countdown=evening.longer(setup.countdown, setup.created, now))

    await services.host.change(table.id, wait)
    return CommandResult()


async def admit(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Answer a request for a seat: `ask` is its number, `yes` the answer. Raises Illegal if it is gone, Forbidden if
    the actor cannot allow it.
    """
    wanted, yes, told = field(fields, "ask"), field(fields, "yes") == "true", ""

    def answer(setup: TableSetup) -> TableSetup:
        nonlocal told
        here, now = services.presence.attendance(setup), services.host.clock()
        ask = next((one for one in here.asks if is_number(wanted, 9) and one.number == int(wanted)), None)
        if ask is None or ask.refused or way_to(table.package, setup, ask.seat, here) != "ask":
            raise Illegal("Nobody is asking for this seat any more.")
        if ask not in asks_for(table.package, setup, actor.key, here):
            raise Forbidden(NOT_YOURS)
        if not yes:
            told = ask.name
            refused = replace(ask, refused=True, at=now)
            return replace(setup, asks=tuple(refused if one == ask else one for one in here.asks))
        new = Chair(name=chairs.free_name(ask.name, setup, ask.seat), kind="person", key=ask.key, sat=now)
        return _seated(setup, ask.seat, new)

    await services.host.change(table.id, answer, actor.seat_name(table.setup))
    tr = i18n.common_translator(actor.lang)
    return CommandResult(note=tr._("{name} knows that you said no.").format(name=told) if told else "")


async def leave(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Leave, with everybody who shares the device. In a running game a bot plays on; they can return, and until then
    see nothing of the hand.
    """

    def go(setup: TableSetup) -> TableSetup:
        actor.own_seat(setup)
        for seat in actor.seats(setup):
            stays = setup.stage == "playing" or setup.classroom  # a pupil's seat is theirs until the class decides
            chair = replace(setup.chairs[seat], **LEFT) if stays else Chair()
            setup = chairs.with_chair(setup, seat, chair)
        return setup

    await services.host.change(table.id, go)
    return CommandResult(go="/")


async def take_device(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Hand the device to the seat whose turn it is: its cards are shown, nobody else's can be. Raises Illegal if it is
    not their turn, Invalid for another device's seat.
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
    """Change a chair: `seat` says which, `do` what.

    Before the game: more, fewer, bot, level (of a bot), free. In it: bot (it stands in), wait (for the player), offer
    (the seat to others), keep (it). Before and in it: person (on the same device). At any time: name, patience. Raises
    Invalid for an unknown seat, Illegal for what cannot be done with it now.
    """
    seat = number(fields, "seat", len(table.setup.chairs))
    do = field(fields, "do")

    def change(setup: TableSetup) -> TableSetup:
        if setup.classroom and do not in IN_CLASS:
            raise Illegal(CLASS_DECIDES)
        if do == "fewer":
            return _one_less(table.package, setup, actor)
        if do in {"more", "bot"} and seat is None:
            return _one_more(table.package, setup, actor, with_bot=do == "bot")
        if do == "person":
            if setup.stage not in {"waiting", "playing"} or actor.seat(setup) is None:
                raise Illegal("You cannot do that with this seat.")
            return _taken(services, table.package, setup, actor, field(fields, "name"), seat)
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
        if setup.stage == "playing" and do in PLAYING and len(setup.chairs) > 1:
            if not mine:
                _require_may(services, table.package, setup, actor, seat, do)
            new = PLAYING[do] | (MINE.get(do, {}) if mine else {})
            if chair.kind == "bot":
                new = {"offered": new["offered"]}
            return chairs.with_chair(setup, seat, replace(chair, **new))
        if setup.stage not in {"waiting", "over"} or setup.classroom:
            raise Illegal("You cannot do that with this seat.")
        if do == "free" and mine:
            return chairs.with_chair(setup, seat, Chair())
        actor.require_owner(setup)
        if do == "bot":
            return chairs.with_chair(setup, seat, chairs.bot(setup, actor.lang))
        if do == "level" and chair.kind == "bot" and setup.stage == "waiting":
            return chairs.with_chair(setup, seat, replace(chair, level=_level(table.package, field(fields, "level"))))
        if do == "free":
            return chairs.with_chair(setup, seat, Chair())
        raise Illegal("You cannot do that with this seat.")

    await services.host.change(table.id, change, actor.seat_name(table.setup))
    return CommandResult(name=tidy(field(fields, "name")) if do == "name" else "")


ENDLESS = float("inf")  # what a patience of 0 means
PLAYING: dict[str, dict[str, bool]] = {  # what can be done with a seat in a running game
    "bot": {"away": True},
    "wait": {"away": False, "offered": False},
    "offer": {"away": True, "offered": True},
    "keep": {"offered": False},
}
LEFT = {"away": True, "left": True}
MINE = {"bot": LEFT, "wait": {"left": False}, "offer": LEFT}  # with one's own besides: that is to leave, to come back


def _require_may(services: Services, package: Package, setup: TableSetup, actor: Actor, seat: int, do: str) -> None:
    """Raise Forbidden or Illegal unless the actor may do this to the seat. Present players cannot be replaced, nobody
    is made to play who has left, and only some may give a seat away.
    """
    if not actor.owns(setup):
        actor.own_seat(setup)  # anybody at the table may do the rest: nobody blocks a game
    chair, here = setup.chairs[seat], services.presence.attendance(setup)
    if do in {"bot", "wait"}:
        if chair.kind != "person":
            raise Illegal("You cannot do that with this seat.")
        if do == "bot" and not any(one.seat == seat and one.long for one in here.absent):
            raise Illegal("A bot can play for somebody after one minute away.")
        if do == "wait" and chair.left:
            raise Illegal("{name} has left. A bot plays until they come back.", name=chair.name)
    elif do == "offer" and way_to(package, setup, seat, here) == "taken":
        raise Illegal("{name} is here: only {name} can give this seat away.", name=chair.name)
    elif not may_allow(setup, seat, actor.key, here):
        raise Forbidden(NOT_YOURS)


def _renamed(setup: TableSetup, seat: int, name: str) -> TableSetup:
    chair = setup.chairs[seat]
    name = chairs.free_name(tidy(name) or chair.name, setup, seat)
    return chairs.with_chair(setup, seat, replace(chair, name=name))


def _one_more(package: Package, setup: TableSetup, actor: Actor, *, with_bot: bool) -> TableSetup:
    actor.require_owner(setup)
    chair = chairs.bot(setup, actor.lang) if with_bot else Chair()
    free = [i for i, old in enumerate(setup.chairs) if old.kind == "free"]
    if with_bot and free:
        return chairs.with_chair(setup, free[0], chair)
    if len(setup.chairs) >= package.rules.seats[-1]:
        raise Illegal("This game has no more seats.")
    return replace(setup, chairs=(*setup.chairs, chair))


def _one_less(package: Package, setup: TableSetup, actor: Actor) -> TableSetup:
    actor.require_owner(setup)
    free = [i for i, old in enumerate(setup.chairs) if old.kind == "free"]
    if not free or len(setup.chairs) <= package.rules.seats[0]:
        raise Illegal("No seat can be removed now.")
    return replace(setup, chairs=tuple(chair for i, chair in enumerate(setup.chairs) if i != free[-1]))


def _level(package: Package, level: str) -> str:
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


# -- a new key in place of one that others may have seen -----------------------------------------------------


async def renew(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Make another key with all that the old one opens, in all games of the evening. The old one opens nothing any
    more, not even on open pages. Raises Forbidden without a key.
    """
    tr = i18n.common_translator(actor.lang)
    key = seat_keys.new_key()
    if table.setup.classroom:
        raise Illegal("Your seat belongs to your class. Ask your teacher for a new strip.")
    if not seat_keys.recognizes(table.setup, actor.key):
        raise Forbidden("You have no seat at this table.")

    def change(setup: TableSetup) -> TableSetup:
        old, new = key_of(actor.key), key_of(key)
        return replace(
            setup,
            owner=new if setup.owner == old else setup.owner,
            deputy=new if setup.deputy == old else setup.deputy,
            chairs=tuple(_rekeyed(chair, old, new) for chair in setup.chairs),
            asks=tuple(replace(ask, key=new) if ask.key == old else ask for ask in setup.asks),
        )

    for game in await services.host.store.games(code_of(table.id)):
        await services.host.change(game, change)
    await services.reminders.forget(code_of(table.id), key_of(actor.key))
    seat = seat_keys.seat_of((await services.host.table(table.id)).setup, key)
    note = tr._("Your seat has a new address. You find it in the menu; the old one no longer works.")
    return CommandResult(key=key, seat=seat, note=note)


def _rekeyed(chair: Chair, old: str, new: str) -> Chair:
    lender = None if chair.lender is None else _rekeyed(chair.lender, old, new)
    mine = {"key": new, "feed": None} if chair.key == old else {}
    return replace(chair, **mine, lender=lender)
