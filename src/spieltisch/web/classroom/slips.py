"""Slips of a class: the teacher opens and ends them, pupils answer."""

import random
import secrets
from collections.abc import Sequence

from msgspec.structs import replace

from spieltisch import games
from spieltisch.classroom import classroom, slips
from spieltisch.classroom.classroom import Classroom, Plan
from spieltisch.classroom.counts import LessonCount, Tally
from spieltisch.classroom.figures import report
from spieltisch.decks.exporting.objectives import decks_of
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Invalid
from spieltisch.table.host import Missing
from spieltisch.table.lobby import options_and_deck
from spieltisch.table.tasks import in_turns
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.http.forms import Fields, field, is_number
from spieltisch.web.core.http.problems import Forbidden
from spieltisch.web.core.services import Services


async def begin(services: Services, room: Classroom, fields: Fields) -> Classroom:
    """Open a slip about what was missed: in this lesson (`kind` exit), or in all (warm-up); or about any cards that the
    lesson plays with (quick), which needs no tables. Illegal while a table plays or where nothing can be asked, Invalid
    for another kind.
    """
    kind = field(fields, "kind")
    if kind not in slips.TASKS:
        raise Invalid("This is not one of the choices.")
    count = await services.classes.decided(room)
    if count.running:
        raise Illegal("A slip shows the right answers. It can start once every table has finished.")
    slip = await services.host.library.work(_slip, (), room, count, kind)
    if slip is None:
        if kind == "quick":
            raise Illegal("No tasks can be made from these cards.")
        raise Illegal("No tasks can be made from what was missed.")
    sureness, dice = _sureness(room), secrets.SystemRandom()
    room = await services.classes.change(room.id, lambda old: classroom.with_slip(old, slip, sureness, dice))
    await _call(services, room, away=True)
    return room


def _slip(
    library: Library, _names: Sequence[str], room: Classroom, count: LessonCount, kind: slips.Kind
) -> slips.Slip | None:
    """A question: see `decks.library`."""
    dice = secrets.SystemRandom()
    if kind == "quick":
        return slips.slip(library, _any_cards(library, room.plan, dice), kind, dice)
    found = report(room, count, library, whole=kind == "warm-up")
    return slips.slip(library, found.missed, kind, dice)


def _any_cards(library: Library, plan: Plan, dice: random.Random) -> list[Tally]:
    """The cards that a lesson plays with, in any order."""
    package = games.package(plan.game)
    _, deck = options_and_deck(package, plan.top, plan.size, library)
    ids = [] if package.decks is None else [*package.decks.called(deck)]
    dice.shuffle(ids)
    decks = decks_of(library, str(getattr(deck, "id", "")), ids)
    return [Tally(decks[one], one) for one in ids]


def _sureness(room: Classroom) -> float:
    """How often the bots of this lesson answer rightly: the more, the higher their level."""
    package = games.package(room.plan.game)
    levels = list(package.bot.levels)
    return (levels.index(package.level(room.plan.level)) + 1) / (len(levels) + 1) if levels else 0.5


async def end(services: Services, room: Classroom, _fields: Fields) -> Classroom:
    """End the slip: it is counted, and the pupils go back to their tables, which open before phones hear of it."""
    await _call(services, room, away=False)
    return await services.classes.change(room.id, classroom.without_slip)


async def answer(services: Services, client: Client, room: Classroom, fields: Fields) -> Classroom:
    """A pupil's answer. Forbidden for who is none, Illegal or Invalid where it cannot be taken."""
    number = services.class_cookies.pupil(client.cookies, room)
    pupil = None if number is None else room.pupil(number)
    if pupil is None or pupil.removed:
        raise Forbidden("You are not in this class yet.")
    task, choice = field(fields, "task"), field(fields, "choice")
    if not (is_number(task, 2) and is_number(choice, 2)):
        raise Invalid("This is not one of the choices.")
    return await services.classes.change(
        room.id, lambda old: classroom.with_answer(old, pupil.number, int(task), int(choice))
    )


async def _call(services: Services, room: Classroom, *, away: bool) -> None:
    """Call the pupils away from their tables, or back."""
    async for one in in_turns(room.tables):
        try:
            table = await services.desk.newest(one.id)
            await services.host.change(table.id, lambda setup: replace(setup, called=away))
        except Missing:
            continue
