"""What people do at a table, by form, by socket or by program: each deed once, whatever it came by.

A deed takes the table, who asks, and the form's fields; it returns what came of it. Refusals are raised.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.game import Illegal, Unreadable
from spieltisch.games import Room
from spieltisch.table.host import Table
from spieltisch.table.log import Chair, Plan, key_of
from spieltisch.web import answers, options, outcome, people, seats, wire
from spieltisch.web.answers import Fields
from spieltisch.web.house import House
from spieltisch.web.problems import Forbidden
from spieltisch.web.texts import Says


class Who(Struct, frozen=True):
    """Who does something at a table: their key there, and the language they read."""

    key: str
    lang: str
    name: str = ""
    decks: tuple[str, ...] = ()  # the private ones that they have the key of

    def seat(self, plan: Plan) -> int | None:
        return seats.seat_of(plan, self.key)

    def owns(self, plan: Plan) -> bool:
        return seats.owns(plan, self.key)


class Done(Struct, frozen=True):
    """What came of a deed: a key that was made for it, where to go from here, a hint, a word."""

    key: str = ""
    go: str = ""  # an address below the sub-path
    hint: Any = None
    moot: bool = False
    seat: int | None = None
    name: str = ""  # what the person called themselves, to be remembered


Deed = Callable[[House, Table, Who, Fields], Awaitable[Done]]


def field(fields: Fields, name: str, default: str = "") -> str:
    """The last value of a field."""
    return next((value for key, value in reversed(fields) if key == name), default)


def number(fields: Fields, name: str, below: int) -> int | None:
    """A field that is a number from 0 to below it; None where it is not there."""
    value = field(fields, name)
    if value == "":
        return None
    if not (value.isascii() and value.isdigit() and len(value) < 4 and int(value) < below):
        raise Unreadable("There is no such seat.")
    return int(value)


def _my_seat(plan: Plan, who: Who) -> int:
    seat = who.seat(plan)
    if seat is None:
        raise Forbidden("You have no seat at this table.")
    return seat


def _owner(plan: Plan, who: Who) -> None:
    if not who.owns(plan):
        raise Forbidden("Only the person who opened the table can do that.")


# -- seats ---------------------------------------------------------------------------------------------------


async def sit(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Take a free seat (a new one, where there is room for it), or come back to one's own."""
    key = who.key or seats.new_key()
    wanted = number(fields, "seat", len(table.plan.chairs))
    name = people.tidy(field(fields, "name")) or who.name
    most = table.room.rules.seats[-1]

    def take(plan: Plan) -> Plan:
        mine = seats.seat_of(plan, key)
        if mine is not None:
            old = plan.chairs[mine]
            new = people.free_name(people.tidy(name) or old.name, plan, mine)
            return people.with_chair(plan, mine, replace(old, name=new, away=False))
        free = [i for i, chair in enumerate(plan.chairs) if chair.kind == "free" and wanted in {None, i}]
        if free:
            return people.with_chair(plan, free[0], people.person(name, key, who.lang, plan, free[0]))
        if wanted is None and plan.stage == "waiting" and len(plan.chairs) < most:
            return replace(plan, chairs=(*plan.chairs, people.person(name, key, who.lang, plan)))
        raise Illegal("This seat is taken." if wanted is not None else "All seats are taken.")

    plan = await house.host.change(table.id, take)
    return Done(key=key, seat=seats.seat_of(plan, key), name=people.tidy(field(fields, "name")))


async def leave(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """Stand up. In the middle of a game a bot plays on, and one can come back."""

    def go(plan: Plan) -> Plan:
        seat = _my_seat(plan, who)
        chair = replace(plan.chairs[seat], away=True) if plan.stage == "playing" else Chair()
        return people.with_chair(plan, seat, chair)

    await house.host.change(table.id, go)
    return Done(go="/")


async def chairs(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Set the chairs: `do` is more, fewer, bot, level, free, away, name or patience; `seat` is which."""
    seat = number(fields, "seat", len(table.plan.chairs))
    do = field(fields, "do")

    def change(plan: Plan) -> Plan:
        if do == "fewer":
            return _one_less(table.room, plan, who)
        if do in {"more", "bot"} and seat is None:
            return _one_more(table.room, plan, who, with_bot=do == "bot")
        if seat is None:
            raise Unreadable("There is no such seat.")
        chair = plan.chairs[seat]
        mine = who.seat(plan) == seat
        if do == "name" and mine:
            name = people.free_name(people.tidy(field(fields, "name")) or chair.name, plan, seat)
            return people.with_chair(plan, seat, replace(chair, name=name))
        if do == "patience" and (mine or who.owns(plan)):
            return people.with_chair(plan, seat, replace(chair, patience=_patience(field(fields, "patience"))))
        if do in {"bot", "away"} and plan.stage == "playing" and chair.kind != "bot":
            if not who.owns(plan):
                _my_seat(plan, who)  # anybody at the table may let a bot play for who is not there: nobody blocks it
            return people.with_chair(plan, seat, replace(chair, away=True) if chair.key else people.bot(plan, who.lang))
        _owner(plan, who)
        if do == "bot":
            return people.with_chair(plan, seat, people.bot(plan, who.lang))
        if do == "level" and chair.kind == "bot" and plan.stage == "waiting":
            return people.with_chair(plan, seat, replace(chair, level=_level(table.room, field(fields, "level"))))
        if do == "free":
            return people.with_chair(plan, seat, Chair())
        raise Illegal("That cannot be done with this seat.")

    await house.host.change(table.id, change)
    return Done(name=people.tidy(field(fields, "name")) if do == "name" else "")


def _one_more(room: Room, plan: Plan, who: Who, *, with_bot: bool) -> Plan:
    _owner(plan, who)
    chair = people.bot(plan, who.lang) if with_bot else Chair()
    free = [i for i, old in enumerate(plan.chairs) if old.kind == "free"]
    if with_bot and free:
        return people.with_chair(plan, free[0], chair)
    if len(plan.chairs) >= room.rules.seats[-1]:
        raise Illegal("There are no more seats in this game.")
    return replace(plan, chairs=(*plan.chairs, chair))


def _one_less(room: Room, plan: Plan, who: Who) -> Plan:
    _owner(plan, who)
    free = [i for i, old in enumerate(plan.chairs) if old.kind == "free"]
    if not free or len(plan.chairs) <= room.rules.seats[0]:
        raise Illegal("There have to be seats enough for those who sit.")
    return replace(plan, chairs=tuple(chair for i, chair in enumerate(plan.chairs) if i != free[-1]))


def _level(room: Room, level: str) -> str:
    if level not in room.levels:
        raise Unreadable("The bots of this game have no such level.")
    return level


def _patience(text: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 20:
        raise Unreadable("The time is a number from 0 (no limit) to 20.")
    return value


# -- before the game -----------------------------------------------------------------------------------------


async def choose(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Set the game's options and the time to answer."""
    form: dict[str, list[str]] = {}
    for name, value in fields:
        form.setdefault(name, []).append(value)

    def change(plan: Plan) -> Plan:
        _owner(plan, who)
        if "seconds" in form:
            plan = replace(plan, answer_seconds=_seconds(form["seconds"][-1]))
        if set(form) <= {"seconds"}:
            return plan
        return replace(plan, top=options.choose(table.room, plan.top, form, house.host.shelf, who.decks))

    await house.host.change(table.id, change)
    return Done()


def _seconds(text: str) -> float | None:
    if text in {"", "0", "off"}:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 5 <= int(text) <= 600):
        raise Unreadable("The time to answer is 5 to 600 seconds, or none.")
    return float(text)


async def start(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """Begin. Chairs that nobody took are put away, where enough are left."""
    least = table.room.rules.seats[0]

    def ready(plan: Plan) -> Plan:
        _owner(plan, who)
        taken = tuple(chair for chair in plan.chairs if chair.kind != "free")
        if len(taken) < least:
            raise Illegal("There is still a free chair: somebody or a bot has to sit down first.")
        return replace(plan, chairs=taken) if plan.stage == "waiting" else plan

    await house.host.change(table.id, ready)
    await house.host.start(table.id)
    return Done()


# -- play ----------------------------------------------------------------------------------------------------


async def move(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Answer the question that one's seat is asked."""
    seat = _my_seat(table.plan, who)
    asked = answers.question(fields)
    action = answers.action_of_form(table.room.rules, fields, table.room.page)
    return Done(moot=await house.host.answer(table.id, seat, asked, action) == "moot")


async def undo(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Take the last move back."""
    await house.host.undo(table.id, _my_seat(table.plan, who), answers.question(fields))
    return Done()


async def hint(_house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Ask what the house's bot would do."""
    asked = answers.question(fields)
    return Done(hint=wire.hint(table, _my_seat(table.plan, who), asked), go=f"/t/{table.id}?hint={asked}")


# -- afterwards ----------------------------------------------------------------------------------------------


async def rematch(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """The same people play the same again; who comes second finds the table that the first one opened."""
    _my_seat(table.plan, who)
    if table.plan.stage not in {"over", "closed"}:
        raise Illegal("This game is not over yet.")
    if not table.plan.rematch:
        old = table.plan
        new = await house.host.open(old.game, len(old.chairs), old.top, old.owner, old.lang)
        won = outcome.wins(table)
        same = tuple(replace(chair, away=False, wins=n) for chair, n in zip(old.chairs, won, strict=True))

        def take_seats(plan: Plan) -> Plan:
            return replace(plan, chairs=same, answer_seconds=old.answer_seconds)

        def name_it(plan: Plan) -> Plan:
            return plan if plan.rematch else replace(plan, rematch=new.id)

        await house.host.change(new.id, take_seats)
        if (await house.host.change(table.id, name_it)).rematch != new.id:
            await house.host.delete(new.id)
        elif all(chair.kind != "free" for chair in same):
            await house.host.start(new.id)
    return Done(go=f"/t/{table.id}/next")


async def close(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """Nothing more is played here."""
    _owner(table.plan, who)
    await house.host.close(table.id)
    return Done()


async def delete(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """The table and everything of it is gone."""
    _owner(table.plan, who)
    await house.host.delete(table.id)
    return Done(go="/")


DEEDS: dict[str, Deed] = {
    "sit": sit,
    "leave": leave,
    "chairs": chairs,
    "options": choose,
    "start": start,
    "move": move,
    "undo": undo,
    "hint": hint,
    "rematch": rematch,
    "close": close,
    "delete": delete,
}

# -- opening -------------------------------------------------------------------------------------------------


async def open_table(house: House, room: Room, who: Who, *, bots: int | None, name: str) -> tuple[str, str]:
    """A new table with its opener in the first seat; with `bots`, these sit down too and the game begins.

    Returns the code and the opener's key.
    """
    key = seats.new_key()
    least, most = room.rules.seats[0], room.rules.seats[-1]
    n = max(least, min(4, most)) if bots is None else 1 + bots
    if n not in room.rules.seats:
        raise Unreadable("This game is for {least} to {most} people.", least=least, most=most)
    plan = await house.host.open(room.name, n, None, key_of(key), who.lang)

    def sit_down(plan: Plan) -> Plan:
        plan = people.with_chair(plan, 0, people.person(name or who.name, key, who.lang, plan))
        for seat in range(1, n if bots is not None else 1):
            plan = people.with_chair(plan, seat, people.bot(plan, who.lang))
        return plan

    await house.host.change(plan.id, sit_down)
    if bots is not None:
        await house.host.start(plan.id)
    return plan.id, key


def bots_now(room: Room) -> int:
    """How many bots join when one plays at once."""
    return max(0, min(3, room.rules.seats[-1]) - 1)


def words(says: Says, done: Done) -> str:
    """What is said after a deed that changed nothing."""
    return says._("Somebody was faster.") if done.moot else ""
