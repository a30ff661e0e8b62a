"""The games of one evening: they share a code, each has its number, and the people begin one after the other.

The first game of the table ABCD2345 has the code itself as its id, the second one ABCD2345-2. Each is a table of its
own, with its own log, record and seal; who knows the code gets to the newest. Games for one have a code each.
"""

from collections.abc import Sequence
from itertools import chain, count, repeat

from msgspec.structs import replace

from spieltisch.game import Illegal
from spieltisch.package import Package
from spieltisch.table.log import Chair, Countdown, GameOver, TableSetup

TYPING = 20.0  # seconds that the next game waits for who types a name
LONGEST = 90.0  # seconds after which it waits for nobody who only types
SECONDS = 10.0  # until the next game begins, unless all want it sooner or somebody holds it
KEPT = 30  # games of an evening that are listed


def code_of(table: str) -> str:
    """The code that the games of this one's evening share."""
    return table.partition("-")[0]


def id_of(code: str, number: int) -> str:
    """The id of the game with this number, from 1."""
    return code if number == 1 else f"{code}-{number}"


def in_order(games: Sequence[str]) -> list[str]:
    """The ids of the games of an evening by their numbers."""
    return sorted(games, key=lambda table: int(table.partition("-")[2] or 1))


def marks_of(chairs: Sequence[Chair]) -> list[int]:
    """The mark (shape and colour) of each seat: whoever plays on in another seat keeps theirs."""
    kept = {chair.mark for chair in chairs}
    marks = [seat if chair.mark is None and seat not in kept else chair.mark for seat, chair in enumerate(chairs)]
    for seat, mark in enumerate(marks):
        if mark is None:
            marks[seat] = next(free for free in count() if free not in marks)
    return [mark for mark in marks if mark is not None]


def with_guests(setup: TableSetup, most: int) -> TableSetup:
    """The setup with the people who have a seat in the next game behind those who sit there, as far as that is for so
    many. Bots make room.
    """
    return replace(setup, chairs=(*setup.chairs, *setup.guests[: guests_left(setup, most)]))


def guests_left(setup: TableSetup, most: int) -> int:
    """How many guests the next game has room for, if it is for so many people."""
    return max(0, most - sum(chair.kind == "person" for chair in setup.chairs))


def next_chairs(package: Package, old: TableSetup, wins: Sequence[int], least: int) -> tuple[Chair, ...]:
    """Who sits where in the next game, which is `package`'s: whoever sat second begins, guests have won nothing yet.
    Seats that nobody took are put away, and bots where there are too many for the game; free ones are added up to
    `least`. Illegal where there are too many people.
    """
    most = package.rules.seats[-1]
    moved = [
        replace(chair, mark=mark if mark < most else None, wins=n, offered=False, holding=False, ready=False)
        for chair, mark, n in zip(old.chairs, marks_of(old.chairs), chain(wins, repeat(0)), strict=False)
        if chair.kind != "free"
    ]
    if old.chairs[0].kind != "free":
        moved = [*moved[1:], moved[0]]
    while len(moved) > most:
        spare = next((seat for seat in reversed(range(len(moved))) if moved[seat].kind == "bot"), None)
        if spare is None:
            raise Illegal("There are {n} of you, and this game is for up to {most}.", n=len(moved), most=most)
        del moved[spare]
    return (*moved, *(Chair() for _ in range(least - len(moved))))


def sat_before(now: Sequence[Chair], then: Sequence[Chair]) -> list[int | None]:
    """For each chair of now the seat that its person or bot had then; None where they did not play."""
    seats = {_who(chair, mark): seat for seat, (chair, mark) in enumerate(zip(then, marks_of(then), strict=True))}
    return [seats.get(_who(chair, mark)) for chair, mark in zip(now, marks_of(now), strict=True)]


def _who(chair: Chair, mark: int) -> tuple[str, int]:
    return chair.key or chair.name, mark


def countdown(setup: TableSetup, key: str, now: float) -> TableSetup:
    """The setup of the next game that whoever has the key with this hash wants: it begins by itself after a while."""
    seat = next(seat for seat, chair in enumerate(setup.chairs) if chair.key == key)
    return replace(setup, countdown=Countdown(now + SECONDS, seat))


def longer(wanted: Countdown, created: float, now: float) -> Countdown:
    """The countdown, a little longer for who types a name; `created`: when the next game was wanted."""
    return replace(wanted, until=max(wanted.until, min(now + TYPING, created + LONGEST)))


def ready(setup: TableSetup, key: str, *, plays: bool) -> TableSetup:
    """The setup with the person of this key's hash playing in the next game, or pausing: then a bot plays for them
    until they come back. Where everybody pauses it waits. Nothing changes where no game is about to begin.
    """
    if setup.countdown is None:
        return setup
    chairs = tuple(
        replace(chair, ready=plays, away=not plays, left=not plays) if chair.key == key else chair
        for chair in setup.chairs
    )
    waits = all(chair.plays_itself for chair in chairs)
    return replace(setup, chairs=chairs, countdown=None if waits else setup.countdown)


def undecided(setup: TableSetup) -> list[int]:
    """The seats of the people who have not agreed yet that the game begins anew. Bots agree."""
    agreed = () if setup.anew is None else setup.anew.agreed
    return [seat for seat, one in enumerate(setup.chairs) if not one.plays_itself and one.key not in agreed]


def all_ready(setup: TableSetup) -> bool:
    """Whether nobody has to be waited for any more."""
    return all(chair.ready or chair.plays_itself for chair in setup.chairs)


def listed(old: TableSetup, winners: Sequence[int]) -> tuple[GameOver, ...]:
    """The games of the evening so far, `old` the last one."""
    names = tuple(old.chairs[seat].name for seat in winners)
    return (*old.evening, GameOver(old.id, old.game, names))[-KEPT:]
