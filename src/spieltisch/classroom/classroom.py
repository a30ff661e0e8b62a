"""The stored part of a class: the plan of its lesson, its strips, who is present, and who sits at which table. All
values are frozen; changes make new ones.

A pupil is a number: the one on their strip, or for those who join by the code on the wall the next one after the
strips. The name beside it is a pseudonym for this lesson.
"""

import random
import time
from collections.abc import Collection, Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spieltisch.classroom.counts import Decided, Tally, added, together
from spieltisch.classroom.groups import Group
from spieltisch.classroom.pseudonyms import pseudonym
from spieltisch.classroom.slips import Slip, answered, guesses
from spieltisch.game import Illegal, Invalid

MOST = 63  # strips of a class
NUMBERS = 99  # of pupils; with a full set of strips, some are left for pupils who forgot theirs
LEAST_STRIPS = 2
KEPT = 8  # distributions that the mixer remembers
LONGEST = 4  # hours; a later time is meant for another lesson
LAST = 5  # minutes before the end, for the last round
LETTERS = ("A", "B", "C", "D")


class Plan(Struct, frozen=True):
    """What a lesson plays. `level` "": no bots, unless the game needs them."""

    game: str
    top: dict[str, object]
    turn_seconds: float | None = None
    level: str = ""
    size: int = 4
    minutes: int = 30  # of playing; a lesson of 45 also has a beginning and an end
    until: str = ""  # the end by the clock, such as 10:35; "": after `minutes`
    zone: int | None = None  # of that clock, in minutes east of Greenwich; None: the server's own
    last: bool = False  # the last round begins by itself, in time
    same: bool = False  # the same cards at every table


class Pupil(Struct, frozen=True, omit_defaults=True):
    """A pupil in this lesson."""

    number: int
    name: str
    label: str = ""
    removed: bool = False
    bot: bool = False  # a bot, for somebody who tries a lesson alone
    answers: tuple[int, ...] = ()  # to the tasks of the open slip


class ClassTable(Struct, frozen=True):
    """A table of the lesson: its code and its pupils."""

    id: str
    pupils: Group


class Classroom(Struct, frozen=True, omit_defaults=True):
    """A class with its lesson. Nothing in it is a key."""

    id: str
    title: str
    lang: str
    plan: Plan
    strips: int = 0
    editions: dict[int, int] = {}  # by number: how often its code was renewed
    pupils: tuple[Pupil, ...] = ()
    tables: tuple[ClassTable, ...] = ()
    former: tuple[str, ...] = ()  # codes of this lesson's closed tables
    counts: tuple[Tally, ...] = ()  # of earlier lessons
    counted: int = 0  # the number of lessons in `counts`
    slip: Slip | None = None  # the open one
    slipped: tuple[Tally, ...] = ()  # counts of this lesson's slips
    before: tuple[tuple[Group, ...], ...] = ()  # the last distributions, newest last
    cards: str = ""  # of the last distribution: what the deal of all of its tables is made from, with a secret
    rung: bool = False  # the last round has begun by itself
    begun: float = 0.0  # when tables began to play in this lesson; 0: not yet
    created: float = 0.0
    look: int = 0  # the moment of the look back that the wall shows; 0: none
    closed: bool = False  # the door: nobody comes in by the code on the wall
    sent_away: tuple[tuple[int, int], ...] = ()  # numbers that waited in this lesson, and the editions of their codes
    gone: tuple[str, ...] = ()  # names of this lesson's pupils whose numbers are free again: nobody else gets them
    forgets: float | None = None  # when the names go
    goes: float = 0.0  # when the class itself goes, if nobody uses it until then; 0: it was made before there was such
    rev: int = 0

    def pupil(self, number: int) -> Pupil | None:
        """The pupil with this number; None if they are not in this lesson."""
        return next((one for one in self.pupils if one.number == number), None)

    @property
    def here(self) -> tuple[Pupil, ...]:
        """The pupils who have come and were not removed."""
        return tuple(one for one in self.pupils if not one.removed)

    @property
    def is_trial(self) -> bool:
        """Whether bots came as pupils, so that somebody can try a lesson; their answers to slips are not stored."""
        return any(one.bot for one in self.pupils)

    @property
    def asked(self) -> tuple[Pupil, ...]:
        """The pupils whose answers to a slip count: people, or the bots if only bots came."""
        return tuple(one for one in self.here if not one.bot) or self.here

    @property
    def seated(self) -> frozenset[int]:
        """The numbers of all pupils with a table."""
        return frozenset(number for table in self.tables for number in table.pupils)

    @property
    def waiting(self) -> tuple[Pupil, ...]:
        """The pupils without a table."""
        return tuple(one for one in self.here if one.number not in self.seated)

    @property
    def missing(self) -> int:
        """The number of unused strips."""
        return self.strips - sum(one.number <= self.strips for one in self.pupils)

    def table_of(self, number: int) -> str:
        """The code of this pupil's table; "" if they have none."""
        return next((table.id for table in self.tables if number in table.pupils), "")

    def ends(self) -> float | None:
        """When the lesson's time is up; None before a table plays."""
        if not self.begun:
            return None
        return self._by_clock() or self.begun + 60 * self.plan.minutes

    def _by_clock(self) -> float | None:
        return _next(self.plan.until, self.plan.zone, self.begun) if self.plan.until else None

    def rings(self) -> float | None:
        """When the last round begins by itself; None if it does not, or has begun."""
        ends = self.ends()
        return ends - 60 * LAST if ends is not None and self.plan.last and not self.rung else None


def came(room: Classroom, number: int | None, dice: random.Random) -> tuple[Classroom, Pupil]:
    """The class with this pupil, who gets a name; number None: a pupil without a strip. Pupils who have already come
    stay as they are. Raises Invalid for an unknown number, Illegal if the class is full, its door is closed, or the
    number is a bot's.
    """
    if number is None:
        if room.closed:
            raise Illegal("This class is locked. Ask your teacher.")
        guests = range(room.strips + 1, NUMBERS + 1)
        number = next((n for n in guests if room.pupil(n) is None), None)
        if number is None:
            number = next((n for n in guests if (one := room.pupil(n)) is not None and one.removed), None)
            if number is None:
                raise Illegal("This class is full. Ask your teacher.")
            room = _freed(room, {number})
    elif not 1 <= number <= NUMBERS:
        raise Invalid("There is no such strip in this class.")
    if (known := room.pupil(number)) is not None:
        if known.bot:
            raise Illegal("A bot plays under this number.")
        return room, known
    new = Pupil(number, _fresh(room, dice))
    return replace(room, pupils=(*room.pupils, new)), new


def with_strip(room: Classroom, guest: int, number: int) -> Classroom:
    """The class where this pupil without a strip has the strip with this number from now on; name, label and seat stay.
    If the strip's pupil is present, the one without a strip is gone; Illegal if that one sits at a table.
    """
    if room.pupil(number) is not None:
        if guest in room.seated:
            raise Illegal("Somebody has already joined with this strip.")
        return _freed(room, {guest})

    def renumbered(group: Group) -> Group:
        return tuple(sorted({number if n == guest else n for n in group}))

    return replace(
        room,
        pupils=tuple(replace(one, number=number) if one.number == guest else one for one in room.pupils),
        tables=tuple(replace(table, pupils=renumbered(table.pupils)) for table in room.tables),
        before=tuple(tuple(renumbered(group) for group in groups) for groups in room.before),
        editions={**room.editions, guest: room.editions.get(guest, 0) + 1},
    )


def without_waiting(room: Classroom) -> Classroom:
    """The class without pupils who have no seat. Their strips still work, unless they were removed one by one; guests'
    numbers become free for others.
    """
    guests = {one.number for one in room.pupils if one.removed and one.number > room.strips}
    numbers = {one.number for one in room.waiting} | guests
    sent = dict.fromkeys((*room.sent_away, *((n, room.editions.get(n, 0)) for n in sorted(numbers))))
    return replace(_freed(room, numbers), sent_away=tuple(sent)[-NUMBERS:])


def _freed(room: Classroom, numbers: Collection[int]) -> Classroom:
    """The class without these pupils. A guest's number may go to another pupil, so it gets another key and has sat with
    nobody.
    """
    guests = {n for n in numbers if n > room.strips}
    editions = {n: room.editions.get(n, 0) + 1 for n in guests}
    pupils = tuple(one for one in room.pupils if one.number not in numbers)
    names = tuple(one.name for one in room.pupils if one.number in numbers)
    before = tuple(
        kept
        for groups in room.before
        if (kept := tuple(left for group in groups if (left := tuple(n for n in group if n not in guests))))
    )
    return replace(
        room, pupils=pupils, editions=room.editions | editions, before=before, gone=(*room.gone, *names)[-NUMBERS:]
    )


def planned(room: Classroom, plan: Plan, title: str, strips: int) -> Classroom:
    """The class with another plan, name, and number of strips. Raises Illegal if a strip would have the number of a
    present guest. Dropped strips are void, unless their pupils are present.
    """
    here = {one.number for one in room.pupils}
    if any(room.strips < number <= strips for number in here):
        raise Illegal("Pupils without strips already have these numbers. End the lesson before you add strips.")
    void = {n: room.editions.get(n, 0) + 1 for n in range(strips + 1, room.strips + 1) if n not in here}
    return replace(room, plan=plan, title=title, strips=strips, editions=room.editions | void)


def tried(room: Classroom, bots: int, dice: random.Random) -> Classroom:
    """The class with this many bots as pupils. Raises Illegal if it is full."""
    for _ in range(bots):
        room, new = came(room, None, dice)
        room = with_pupil(room, new.number, bot=True)
    return room


def renamed(room: Classroom, number: int, dice: random.Random) -> Classroom:
    """The class with another name for this pupil. Raises Illegal once they sit at a table, where others
    know the name.
    """
    if number in room.seated:
        raise Illegal("You already sit at a table, so your name stays.")
    return with_pupil(room, number, name=_fresh(room, dice))


def with_pupil(room: Classroom, number: int, **changes: object) -> Classroom:
    """The class with changes to this pupil. Raises Invalid if they are not present."""
    if room.pupil(number) is None:
        raise Invalid("This pupil is not in the lesson.")
    return replace(room, pupils=tuple(replace(p, **changes) if p.number == number else p for p in room.pupils))


def labelled(room: Classroom, number: int, label: str) -> Classroom:
    """The class with this label on a pupil, "" for none. Raises Invalid for any label but A to D."""
    if label not in {"", *LETTERS}:
        raise Invalid("A label is A, B, C or D.")
    return with_pupil(room, number, label=label)


def dealt(room: Classroom, tables: Iterable[ClassTable], cards: str) -> Classroom:
    """The class with its pupils at these tables, with these `cards`. Who sat together is remembered for the next
    distribution.
    """
    tables = tuple(tables)
    before = (*room.before, tuple(one.pupils for one in tables))[-KEPT:]
    former = (*room.former, *(one.id for one in room.tables))
    return replace(room, tables=tables, former=former, before=before, cards=cards, look=0)


def begun(room: Classroom, now: float) -> Classroom:
    """The class whose tables play. The first call starts the time of the lesson."""
    return replace(room, begun=room.begun or now)


def moved(room: Classroom, number: int, to: str) -> Classroom:
    """The class with this pupil at this table, "" for none."""
    tables = tuple(
        replace(
            table,
            pupils=tuple(sorted({*table.pupils, number} if table.id == to else {*table.pupils} - {number})),
        )
        for table in room.tables
    )
    return replace(room, tables=tables)


def swapped(room: Classroom, one: int, other: int) -> Classroom:
    """The class with these two pupils in each other's place."""
    here, there = room.table_of(one), room.table_of(other)
    return moved(moved(room, one, there), other, here)


def anew(room: Classroom, number: int) -> Classroom:
    """The class with another code for this number; the old strip no longer works."""
    if not 1 <= number <= NUMBERS:
        raise Invalid("There is no such strip in this class.")
    return replace(room, editions={**room.editions, number: room.editions.get(number, 0) + 1})


def next_lesson(room: Classroom, rows: Collection[Decided] = ()) -> Classroom:
    """The class before its next lesson: without pupils, names, labels and tables.

    Guests' numbers were for one lesson, so they get other codes. Decisions in the lesson (`rows`) are added to the
    counts, except slips of a lesson that somebody tries with bots.
    """
    gone = replace(
        _freed(room, {one.number for one in room.pupils}),
        tables=(), former=(), cards="", rung=False, begun=0.0, forgets=None, closed=False, gone=(), sent_away=(),
        look=0,
    )  # fmt: skip
    slips = () if room.is_trial else without_slip(room).slipped
    counts = together(added(room.counts, rows), slips)
    return replace(gone, counts=counts, counted=room.counted + bool(rows), slip=None, slipped=())


def with_slip(room: Classroom, slip: Slip, sureness: float, dice: random.Random) -> Classroom:
    """The class with an open slip. Its bots answer at once, each correctly with the probability `sureness`. Raises
    Illegal if a slip is open.
    """
    if room.slip is not None:
        raise Illegal("A slip is already open. End it first.")
    pupils = tuple(replace(one, answers=guesses(slip.tasks, sureness, dice)) if one.bot else one for one in room.pupils)
    return replace(room, pupils=pupils, slip=slip, look=0)


def without_slip(room: Classroom) -> Classroom:
    """The class after its slip: the results are counted, and who answered what is forgotten."""
    if room.slip is None:
        return room
    counted = together(room.slipped, answered(room.slip.tasks, [one.answers for one in room.asked]))
    pupils = tuple(replace(one, answers=()) for one in room.pupils)
    return replace(room, pupils=pupils, slip=None, slipped=counted)


def with_answer(room: Classroom, number: int, task: int, answer: int) -> Classroom:
    """The class with this pupil's answer to a task (from 0). Raises Illegal if no slip is open or they have answered,
    Invalid for an impossible answer.
    """
    pupil, slip = room.pupil(number), room.slip
    if slip is None or pupil is None:
        raise Illegal("The slip has ended.")
    if task != len(pupil.answers) or task >= len(slip.tasks):
        raise Illegal("This has already been answered.")
    if not 0 <= answer < slip.tasks[task].choices:
        raise Invalid("This is not one of the choices.")
    return with_pupil(room, number, answers=(*pupil.answers, answer))


def _next(clock: str, zone: int | None, after: float) -> float | None:
    """The next time at this `clock`, such as 10:35; None if it is further away than a lesson is long."""
    east = time.localtime(after).tm_gmtoff if zone is None else 60 * zone
    hours, _, minutes = clock.partition(":")
    seconds = (3600 * int(hours) + 60 * int(minutes) - east - after) % 86_400
    return after + seconds if 0 < seconds <= 3600 * LONGEST else None


def _fresh(room: Classroom, dice: random.Random) -> str:
    return pseudonym(room.lang, {*room.gone, *(one.name for one in room.pupils)}, dice)


encode = msgspec.json.Encoder().encode
read = msgspec.json.Decoder(Classroom).decode
