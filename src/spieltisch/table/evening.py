"""The games of an evening. They share a code, each has a number, and the players take turns to begin.

The first game of table ABCD2345 has the code as its id, the second one ABCD2345-2. Each is a table of its own, with its
log, record and seal; the code leads to the newest. Games for one have a code each.
"""

from collections.abc import Sequence
from itertools import chain, count, repeat

from msgspec.structs import replace

from spieltisch.game import Illegal
from spieltisch.package import Package
from spieltisch.table.log import Chair, Countdown, GameOver, TableSetup

TYPING = 20.0  # seconds that the next game waits for somebody who types a name
LONGEST = 90.0  # seconds after which typing no longer delays it
SECONDS = 10.0  # seconds until the next game begins, unless everybody is ready or somebody stops it
KEPT = 30  # games of an evening that are listed


def code_of(table: str) -> str:
    """The code of this game's evening."""
    return table.partition("-")[0]


def id_of(code: str, number: int) -> str:
    """The id of the game with this number, from 1."""
    return code if number == 1 else f"{code}-{number}"


def in_order(games: Sequence[str]) -> list[str]:
    """The ids of an evening's games by their numbers."""
    return sorted(games, key=lambda table: int(table.partition("-")[2] or 1))


def marks_of(chairs: Sequence[Chair]) -> list[int]:
    """The mark (shape and colour) of each seat. People keep theirs when they change seats."""
    kept = {chair.mark for chair in chairs}
    marks = [seat if chair.mark is None and seat not in kept else chair.mark for seat, chair in enumerate(chairs)]
    for seat, mark in enumerate(marks):
        if mark is None:
            marks[seat] = next(free for free in count() if free not in marks)
    return [mark for mark in marks if mark is not None]


def with_guests(setup: TableSetup, most: int) -> TableSetup:
    """The setup with guests seated in the next game, after the people already there and up to `most` people. Bots make
    room.
    """
    return replace(setup, chairs=(*setup.chairs, *setup.guests[: guests_left(setup, most)]))


def guests_left(setup: TableSetup, most: int) -> int:
    """The number of guests that the next game has room for, if it is for `most`."""
    return max(0, most - sum(chair.kind == "person" for chair in setup.chairs))


def next_chairs(package: Package, old: TableSetup, wins: Sequence[int], least: int) -> tuple[Chair, ...]:
    """The chairs of the next game, which is `package`'s. The person who sat second begins; guests have no wins yet.

    Free seats are removed, and bots if there are too many for the game; free seats are added up to `least`. Raises
    Illegal for too many people.
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
    """For each chair of `now`, the seat that its person or bot had in `then`; None if they did not play."""
    seats = {_who(chair, mark): seat for seat, (chair, mark) in enumerate(zip(then, marks_of(then), strict=True))}
    return [seats.get(_who(chair, mark)) for chair, mark in zip(now, marks_of(now), strict=True)]


def _who(chair: Chair, mark: int) -> tuple[str, int]:
    return chair.key or chair.name, mark


def countdown(setup: TableSetup, key: str, now: float) -> TableSetup:
    """The setup of the next game with a countdown; `key` is the hash of the key of the person who wants it."""
    seat = next(seat for seat, chair in enumerate(setup.chairs) if chair.key == key)
    return replace(setup, countdown=Countdown(now + SECONDS, seat))


def longer(wanted: Countdown, created: float, now: float) -> Countdown:
    """The countdown, extended for somebody who types a name; `created`: when the next game was proposed."""
    return replace(wanted, until=max(wanted.until, min(now + TYPING, created + LONGEST)))


def ready(setup: TableSetup, key: str, *, plays: bool) -> TableSetup:
    """The setup with this person ready for the next game, or pausing, so that a bot plays until they return. If
    everybody pauses, the game waits. Nothing changes if no game is about to begin.
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
    """The seats of the people who have not agreed yet to begin again. Bots agree."""
    agreed = () if setup.anew is None else setup.anew.agreed
    return [seat for seat, one in enumerate(setup.chairs) if not one.plays_itself and one.key not in agreed]


def all_ready(setup: TableSetup) -> bool:
    """Whether everybody is ready."""
    return all(chair.ready or chair.plays_itself for chair in setup.chairs)


def listed(old: TableSetup, winners: Sequence[int]) -> tuple[GameOver, ...]:
    """The finished games of the evening, with `old` as the last one."""
    names = tuple(old.chairs[seat].name for seat in winners)
    return (*old.evening, GameOver(old.id, old.game, names))[-KEPT:]
