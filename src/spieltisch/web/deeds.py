"""What people do at a table, by form, by socket or by program: each deed once, whatever it came by.

A deed takes the table, who asks, and the form's fields; it returns what came of it. Refusals are raised.
"""

import asyncio
from typing import Any

from msgspec.structs import replace

from spieltisch.game import Illegal, Invalid
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.table.host import Table
from spieltisch.table.log import TableSetup, key_of
from spieltisch.web import answers, options, outcome, people, reports, seating, seats, wire
from spieltisch.web.answers import Fields
from spieltisch.web.house import House
from spieltisch.web.problems import Forbidden, TooMany
from spieltisch.web.talk import Voice
from spieltisch.web.who import Deed, Done, Who, answering, deal, field, my_seat, number, only_owner

__all__ = ["DEEDS", "Done", "Who", "bots_now", "deal", "field", "number", "open_table", "words"]


# -- before the game -----------------------------------------------------------------------------------------


async def choose(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Set the game's options and the times to answer and to move."""
    form: dict[str, list[str]] = {}
    for name, value in fields:
        form.setdefault(name, []).append(value)

    def change(setup: TableSetup) -> TableSetup:
        only_owner(setup, who)
        if "seconds" in form:
            setup = replace(setup, answer_seconds=_seconds(form["seconds"][-1]))
        if "turn_seconds" in form:
            setup = replace(setup, turn_seconds=_seconds(form["turn_seconds"][-1]))
        if set(form) <= {"seconds", "turn_seconds"}:
            return setup
        return replace(setup, top=options.choose(table.package, setup.top, form, house.host.library, who.decks))

    await house.host.change(table.id, change)
    return Done()


def _seconds(text: str) -> float | None:
    if text in {"", "0", "off"}:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 5 <= int(text) <= 600):
        raise Invalid("A time is 5 to 600 seconds, or none.")
    return float(text)


async def start(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """Begin. Chairs that nobody took are put away, where enough are left."""
    least = table.package.rules.seats[0]

    def ready(setup: TableSetup) -> TableSetup:
        only_owner(setup, who)
        taken = tuple(chair for chair in setup.chairs if chair.kind != "free")
        if len(taken) < least:
            raise Illegal("There is still a free chair: somebody or a bot has to sit down first.")
        return replace(setup, chairs=taken) if setup.stage == "waiting" else setup

    await house.host.change(table.id, ready)
    await house.host.start(table.id)
    return Done()


# -- play ----------------------------------------------------------------------------------------------------


async def move(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Answer the question that one's seat is asked."""
    seat = answering(table, who, fields)
    asked = answers.question(fields)
    action = answers.action_of_form(table.package, fields)
    return Done(moot=await house.host.answer(table.id, seat, asked, action) == "moot")


async def undo(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Take the last move back."""
    await house.host.undo(table.id, my_seat(table.setup, who), answers.question(fields))
    return Done()


async def hint(_house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Ask what the house's bot would do, step by step."""
    asked, step = answers.question(fields), number(fields, "step", 10)
    seat = my_seat(table.setup, who)
    found = await asyncio.to_thread(wire.hint, table, seat, asked, step)  # it takes thought: others go on meanwhile
    return Done(hint=found, go=f"/t/{table.id}?hint={asked}&step={found.step}")


async def pause(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """Nobody moves and no clock runs, until the game goes on."""

    def stop(setup: TableSetup) -> TableSetup:
        only_owner(setup, who)
        if setup.stage != "playing" or len(setup.chairs) == 1:
            raise Illegal("There is nothing to pause.")
        return replace(setup, paused=True)

    await house.host.change(table.id, stop)
    return Done()


async def resume(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """The game goes on. If who opened the table has gone, anybody who sits there may say so."""

    def go_on(setup: TableSetup) -> TableSetup:
        if not who.owns(setup):
            my_seat(setup, who)
            if house.is_here(setup.id, setup.owner):
                raise Forbidden("Who opened the table paused the game and is here: they say when it goes on.")
        return replace(setup, paused=False)

    await house.host.change(table.id, go_on)
    return Done()


async def say(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """Say one of the set phrases: everybody who looks on hears it, each in their own language."""
    seat, said = answering(table, who, fields), table.package.page.phrases
    phrase = field(fields, "phrase")
    if not (phrase.isascii() and phrase.isdigit() and len(phrase) < 3 and int(phrase) < len(said)):
        raise Invalid("Choose one of the phrases.")
    if not house.talk.say(table.id, Voice(seat, int(phrase))):
        raise TooMany("One thing after the other: please wait a moment.")
    return Done()


# -- afterwards ----------------------------------------------------------------------------------------------


async def rematch(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """The same people play the same again; who comes second finds the table that the first one opened."""
    my_seat(table.setup, who)
    if table.setup.stage not in {"over", "closed"}:
        raise Illegal("This game is not over yet.")
    if not table.setup.rematch:
        old = table.setup
        new = await house.host.open(old.game, len(old.chairs), old.top, old.owner, old.lang)
        won = outcome.wins(table)
        same = tuple(replace(chair, away=False, up=False, wins=n) for chair, n in zip(old.chairs, won, strict=True))

        def take_seats(setup: TableSetup) -> TableSetup:
            times = {"answer_seconds": old.answer_seconds, "turn_seconds": old.turn_seconds}
            return replace(setup, chairs=same, before=old.id, **times)

        def name_it(setup: TableSetup) -> TableSetup:
            return setup if setup.rematch else replace(setup, rematch=new.id)

        await house.host.change(new.id, take_seats)
        if (await house.host.change(table.id, name_it)).rematch != new.id:
            await house.host.delete(new.id)
        elif all(chair.kind != "free" for chair in same):
            await house.host.start(new.id)
    return Done(go=f"/t/{table.id}/next")


async def retry(house: House, table: Table, who: Who, fields: Fields) -> Done:
    """A finished game from this moment of it again: the moves after it are taken back (games for one)."""
    seat, step = my_seat(table.setup, who), number(fields, "step", 1000)
    whole = await house.host.replay(table.id)
    if not step or step >= len(whole):
        raise Invalid("This game has {last} steps: choose one from 1 to {last}.", last=len(whole) - 1)
    for _ in range(len(whole) - step):
        await house.host.undo(table.id, seat, table.question(seat))
    return Done()


async def close(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """Nothing more is played here."""
    only_owner(table.setup, who)
    await house.host.close(table.id)
    return Done()


async def delete(house: House, table: Table, who: Who, _fields: Fields) -> Done:
    """The table and everything of it is gone."""
    only_owner(table.setup, who)
    await house.host.delete(table.id)
    return Done(go="/")


DEEDS: dict[str, Deed] = {
    "sit": seating.sit,
    "leave": seating.leave,
    "chairs": seating.chairs,
    "lift": seating.lift,
    "options": choose,
    "start": start,
    "move": move,
    "undo": undo,
    "hint": hint,
    "pause": pause,
    "resume": resume,
    "say": say,
    "report": reports.report,
    "rematch": rematch,
    "retry": retry,
    "close": close,
    "delete": delete,
}

# -- opening -------------------------------------------------------------------------------------------------


async def open_table(
    house: House,
    package: GamePackage,
    who: Who,
    *,
    bots: int | None,
    name: str,
    top: dict[str, Any] | None = None,
    deal: int = 0,
) -> tuple[str, str]:
    """A new table with its opener in the first seat; with `bots`, these sit down too and the game begins.

    `top` is what is chosen, None the game's default; `deal` the number of its deal. Returns the code and the
    opener's key.
    """
    key = seats.new_key()
    least, most = package.rules.seats[0], package.rules.seats[-1]
    n = max(least, min(4, most)) if bots is None else 1 + bots
    if n not in package.rules.seats:
        raise Invalid("This game is for {least} to {most} people.", least=least, most=most)
    setup = await house.host.open(package.name, n, top, key_of(key), who.lang, deal)

    def sit_down(setup: TableSetup) -> TableSetup:
        setup = people.with_chair(setup, 0, people.person(name or who.name, key, who.lang, setup))
        for seat in range(1, n if bots is not None else 1):
            setup = people.with_chair(setup, seat, people.bot(setup, who.lang))
        return setup

    await house.host.change(setup.id, sit_down)
    if bots is not None:
        await house.host.start(setup.id)
    return setup.id, key


def bots_now(package: GamePackage) -> int:
    """How many bots join when one plays at once."""
    return max(0, min(3, package.rules.seats[-1]) - 1)


def words(tr: Translator, done: Done) -> str:
    """What is said after a deed that cannot be seen at the table."""
    return tr._("Somebody was faster.") if done.moot else done.note
