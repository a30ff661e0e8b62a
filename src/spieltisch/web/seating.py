"""Who sits where: sitting down, standing up, bots that play on, seats that are given to somebody else and back.

In a running game nobody can hold up the others: anybody at the table may let a bot play for who is not there. Who
has gone, or lets others have their seat, keeps it all the same: they take it back when they come.
"""

from msgspec.structs import replace

from spieltisch.game import Illegal, Invalid
from spieltisch.games import GamePackage
from spieltisch.table.host import Table
from spieltisch.table.log import Chair, TableSetup
from spieltisch.web import people, seats
from spieltisch.web.answers import Fields
from spieltisch.web.house import House
from spieltisch.web.who import Done, Who, field, my_seat, number, only_owner


async def sit(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Take a seat that is free (a new one, where there is room for it), or come back to one's own."""
    key = who.key or seats.new_key()
    wanted = number(fields, "seat", len(table.setup.chairs))
    name = people.tidy(field(fields, "name")) or who.name
    most = table.package.rules.seats[-1]

    def take(setup: TableSetup) -> TableSetup:
        mine, lent = seats.seats_of(setup, key), seats.lent_by(setup, key)
        if mine:
            for seat in mine:
                setup = people.with_chair(setup, seat, replace(setup.chairs[seat], away=False, offered=False))
            old = setup.chairs[mine[0]]
            new = people.free_name(people.tidy(name) or old.name, setup, mine[0])
            return people.with_chair(setup, mine[0], replace(old, name=new))
        if lent is not None and (own := setup.chairs[lent].lender) is not None:
            return people.with_chair(setup, lent, replace(own, away=False, offered=False, up=False))
        free = [i for i, chair in enumerate(setup.chairs) if seats.can_be_taken(setup, chair) and wanted in {None, i}]
        if free:
            return _seated(setup, free[0], people.person(name, key, who.lang, setup, free[0]))
        if wanted is None and setup.stage == "waiting" and len(setup.chairs) < most:
            return replace(setup, chairs=(*setup.chairs, people.person(name, key, who.lang, setup)))
        raise Illegal("This seat is taken." if wanted is not None else "All seats are taken.")

    setup = await house.host.change(table.id, take)
    return Done(key=key, seat=seats.seat_of(setup, key), name=people.tidy(field(fields, "name")))


def _seated(setup: TableSetup, seat: int, new: Chair) -> TableSetup:
    """Somebody sits down; whoever has let others have this seat can take it back."""
    old = setup.chairs[seat]
    return people.with_chair(setup, seat, replace(new, lender=old.lender or (old if old.key else None)))


async def leave(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """Stand up, with whoever shares the device. In the middle of a game a bot plays on, and one can come back."""

    def go(setup: TableSetup) -> TableSetup:
        my_seat(setup, who)
        for seat in seats.seats_of(setup, who.key):
            chair = replace(setup.chairs[seat], away=True) if setup.stage == "playing" else Chair()
            setup = people.with_chair(setup, seat, chair)
        return setup

    await house.host.change(table.id, go)
    return Done(go="/")


async def lift(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Who is asked has the device in hand now, and sees their cards; nobody else's can be seen on it any more."""
    seat = number(fields, "seat", len(table.setup.chairs))

    def take(setup: TableSetup) -> TableSetup:
        mine = seats.seats_of(setup, who.key)
        if seat is None or seat not in mine:
            raise Invalid("There is no such seat.")
        if seat not in table.to_act:
            raise Illegal("It is not {name}’s turn.", name=setup.chairs[seat].name)
        chairs = (replace(chair, up=i == seat) if i in mine else chair for i, chair in enumerate(setup.chairs))
        return replace(setup, chairs=tuple(chairs))

    await house.host.change(table.id, take)
    return Done()


async def chairs(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Set the chairs: `seat` is which, `do` is what.

    Before the game more, fewer, bot, level (of a bot) and free; in it bot (one plays on), wait (for its person), offer
    (the seat to whoever comes) and keep (it); before and in it person (on the same device); at any time name and
    patience.
    """
    seat = number(fields, "seat", len(table.setup.chairs))
    do = field(fields, "do")

    def change(setup: TableSetup) -> TableSetup:
        if do == "fewer":
            return _one_less(table.package, setup, who)
        if do in {"more", "bot"} and seat is None:
            return _one_more(table.package, setup, who, with_bot=do == "bot")
        if do == "person":
            return _beside(table.package, setup, who, field(fields, "name"), seat)
        if seat is None:
            raise Invalid("There is no such seat.")
        chair = setup.chairs[seat]
        mine = seat in seats.seats_of(setup, who.key)
        if do == "name" and mine:
            name = people.free_name(people.tidy(field(fields, "name")) or chair.name, setup, seat)
            return people.with_chair(setup, seat, replace(chair, name=name))
        if do == "patience" and (mine or who.owns(setup)):
            return people.with_chair(setup, seat, replace(chair, patience=_patience(field(fields, "patience"))))
        if setup.stage == "playing" and do in PLAYING and chair.kind == "person":
            if not who.owns(setup):
                my_seat(setup, who)  # anybody at the table may do it: nobody blocks a game
            if do == "offer" and not mine and house.is_here(setup.id, chair.key):
                raise Illegal("{name} is here: only {name} can give this seat away.", name=chair.name)
            return people.with_chair(setup, seat, replace(chair, **PLAYING[do]))
        if setup.stage not in {"waiting", "over"}:
            raise Illegal("That cannot be done with this seat.")
        if do == "free" and mine:
            return people.with_chair(setup, seat, Chair())
        only_owner(setup, who)
        if do == "bot":
            return people.with_chair(setup, seat, people.bot(setup, who.lang))
        if do == "level" and chair.kind == "bot" and setup.stage == "waiting":
            return people.with_chair(setup, seat, replace(chair, level=_level(table.package, field(fields, "level"))))
        if do == "free":
            return people.with_chair(setup, seat, Chair())
        raise Illegal("That cannot be done with this seat.")

    await house.host.change(table.id, change)
    return Done(name=people.tidy(field(fields, "name")) if do == "name" else "")


PLAYING = {  # what can be done with a person's seat in a running game
    "bot": {"away": True},
    "wait": {"away": False, "offered": False},
    "offer": {"away": True, "offered": True},
    "keep": {"offered": False},
}


def _beside(package: GamePackage, setup: TableSetup, who: Who, name: str, seat: int | None) -> TableSetup:
    """Somebody else sits down with the same device; in a running game on a seat that whoever comes may take over."""
    if setup.stage not in {"waiting", "playing"} or who.seat(setup) is None:
        raise Illegal("That cannot be done with this seat.")
    mine = seats.seats_of(setup, who.key)
    takes = [i for i, one in enumerate(setup.chairs) if seats.can_be_taken(setup, one) and i not in mine]
    free = [i for i in takes if seat in {None, i}]
    if free:
        return _seated(setup, free[0], people.person(name, who.key, who.lang, setup, free[0]))
    if seat is not None or setup.stage == "playing" or len(setup.chairs) >= package.rules.seats[-1]:
        raise Illegal("All seats are taken.")
    return replace(setup, chairs=(*setup.chairs, people.person(name, who.key, who.lang, setup)))


def _one_more(package: GamePackage, setup: TableSetup, who: Who, *, with_bot: bool) -> TableSetup:
    only_owner(setup, who)
    chair = people.bot(setup, who.lang) if with_bot else Chair()
    free = [i for i, old in enumerate(setup.chairs) if old.kind == "free"]
    if with_bot and free:
        return people.with_chair(setup, free[0], chair)
    if len(setup.chairs) >= package.rules.seats[-1]:
        raise Illegal("There are no more seats in this game.")
    return replace(setup, chairs=(*setup.chairs, chair))


def _one_less(package: GamePackage, setup: TableSetup, who: Who) -> TableSetup:
    only_owner(setup, who)
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
    if not 0 <= value <= 20:
        raise Invalid("The time is a number from 0 (no limit) to 20.")
    return value
