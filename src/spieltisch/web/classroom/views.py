"""A class for its teacher, for the wall, and for a waiting pupil.

Everything about tables comes from a spectator's view, so only open cards are shown.
"""

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import msgspec

from spieltisch import games
from spieltisch.classroom.classroom import Classroom, Plan, Pupil
from spieltisch.classroom.classrooms import CODE
from spieltisch.classroom.desk import Desk
from spieltisch.classroom.keys import ClassKeys
from spieltisch.game import Refused
from spieltisch.i18n import Translator
from spieltisch.table.host import Host
from spieltisch.table.table import Table
from spieltisch.web.classroom import form, slip_page
from spieltisch.web.classroom.debrief import Debrief, LookBack, moment
from spieltisch.web.core import catalog
from spieltisch.web.core.http.forms import Fields
from spieltisch.web.core.picture_cache import PictureCache
from spieltisch.web.core.presence import Attendance, Presence
from spieltisch.web.core.renderer import Html, Renderer, pieces_of, qr
from spieltisch.web.core.view.outcome import headline, public_story, turn_line, waits_to_begin
from spieltisch.web.core.view.viewer import translator_for

IDLE = 90.0  # seconds without a move until a table needs a look
_NEEDS = ("contest", "idle", "seated", "paused", "running", "over", "closed")  # most urgent first

_OPEN = _NEEDS[:5]


def table_state(table: Table, here: Attendance, now: float) -> str:
    """How urgently a table needs the teacher: one of `_NEEDS`."""
    setup = table.setup
    if setup.stage == "closed":
        return "closed"
    if table.result is not None:
        return "over"
    if setup.paused:
        return "seated" if waits_to_begin(table) else "paused"
    if any(table.is_contest(seat) for seat in table.to_act):
        return "contest"
    away = {one.seat for one in here.absent if one.long}
    return "idle" if now - _last_at(table) >= IDLE or away.intersection(table.to_act) else "running"


def _last_at(table: Table) -> float:
    """The time of the last event at this table."""
    return table.setup.touched if table.last is None else table.last.at


FRESH = 0.5  # seconds for which all pages of a kind share a picture
PICTURES = 128  # cached pictures
LONG_HOST = 24  # characters of an address that leave room for words around it, beside the name of a class


class ClassViews:
    """The contexts of a class's templates."""

    def __init__(
        self,
        renderer: Renderer,
        host: Host,
        desk: Desk,
        keys: ClassKeys,
        presence: Presence,
        debrief: Debrief,
        nudged: Callable[[str], float],
    ) -> None:
        """`nudged(table)` is when the table was last reminded, by the clock; 0.0 if never."""
        self._renderer = renderer
        self._library = host.library
        self._desk = desk
        self._keys = keys
        self._presence = presence
        self._clock = host.clock
        self._nudged = nudged
        self.look_back = LookBack(host, desk, debrief)
        self._pictures: PictureCache[bytes] = PictureCache(PICTURES)

    async def told(self, room: Classroom, tr: Translator) -> str:
        """What the lesson plays, in one line."""
        return await self._library.reading(lambda: form.told(room.plan, self._library, tr))

    async def games(
        self, plan: Plan | None, tr: Translator, filled: Fields = (), held: Sequence[str] = ()
    ) -> list[dict[str, object]]:
        """The games that a class can play: see `form.form`."""
        return await self._library.reading(lambda: form.form(plan, self._library, tr, filled, held))

    async def cards(self, plan: Plan, tr: Translator) -> str:
        """The number of cards at the lesson's tables, in words; "" if it cannot be chosen."""
        return await self._library.reading(lambda: form.cards(plan, self._library, tr))

    async def overview(self, room: Classroom, tr: Translator, tables: Sequence[Table] | None = None) -> dict[str, Any]:
        """The whole class for its teacher, with the tables that need somebody first."""
        now, tables = self._clock(), await self._desk.tables(room) if tables is None else tables
        rows = [
            _row(n, table, self._presence.attendance(table.setup), self._renderer, now, tr)
            | {"nudged": self._nudged(table.id) > _last_at(table)}
            for n, table in enumerate(tables, 1)
        ]
        rows.sort(key=lambda row: (_NEEDS.index(row["state"]), -row["idle"] if row["state"] == "idle" else 0, row["n"]))
        left = _minutes_left(room, now)
        counted = {state: sum(row["state"] == state for row in rows) for state in _NEEDS}
        return {
            "room": room,
            "told": await self.told(room, tr),
            "rows": rows,
            "counted": counted,
            "left": left,
            "until": clock_of(room),
            "time_up": left is not None and left < 0,
            "playing": counted["contest"] + counted["idle"] + counted["running"],
            "open": sum(counted[state] for state in _OPEN),
            "endless": sum(row["endless"] for row in rows),
            "waiting": sorted(_pupils(room.waiting), key=lambda one: one["name"].casefold()),
            "removed": _pupils(one for one in room.pupils if one.removed),
            "present": len(room.here),
            "missing": max(0, room.missing),
            "dealt": room.tables[0].id if room.tables else "",
            "slip": slip_page.progress(room, tr),
            "can_look": bool(rows or room.slipped) and not any(counted[state] for state in _OPEN),
        }

    async def pupil(self, room: Classroom, number: int | None, tr: Translator, left: str = "") -> dict[str, object]:
        """The page of a pupil without a seat; number None: somebody who has not joined. `left` is why they are not in
        the lesson any more: see `ClassCookies.left`.
        """
        pupil = None if number is None else room.pupil(number)
        strip = "" if number is None else self._keys.strip(room, number)
        table = 0 if number is None else next((n for n, t in enumerate(room.tables, 1) if number in t.pupils), 0)
        slip = None
        if pupil is not None:
            slip = await self._library.reading(lambda: slip_page.for_pupil(room, pupil, self._library, tr))
        return {
            "room": room,
            "pupil": pupil,
            "left": left,
            "known": number is not None,
            "strip": f"{strip[:CODE]} {strip[CODE:]}",
            "table": table,
            "slip": slip,
        }

    async def picture(
        self,
        template: str,
        alike: tuple[object, ...],
        shown: Callable[[], Awaitable[dict[str, object]]],
        tr: Translator,
    ) -> bytes:
        """The present picture as a message, drawn once for all pages that are `alike`."""
        return await self._pictures.get((template, tr.lang, *alike), lambda: self._drawn(template, shown, tr), FRESH)

    async def _drawn(self, template: str, shown: Callable[[], Awaitable[dict[str, object]]], tr: Translator) -> bytes:
        return msgspec.json.encode({"html": self._renderer.render(template, tr, **await shown())})

    async def wall(self, room: Classroom, origin: str, tr: Translator) -> dict[str, Any]:
        """The picture for everybody in the room: how to join, the names, the tables, and the moment to which the
        teacher looks back. It has no pupil's number.
        """
        shown, looked = self._wall(room, await self._desk.tables(room), origin, tr), {}
        if room.look:
            with contextlib.suppress(Refused):  # a game runs again, so nothing of the past is shown
                looked = moment(await self.look_back.slides(room, tr), room.look)
        return shown | {"looked": looked}

    def _wall(self, room: Classroom, tables: Sequence[Table], origin: str, tr: Translator) -> dict[str, object]:
        names = {one.number: one.name for one in room.pupils}
        running = [table.setup for table in tables if table.setup.stage == "playing" and table.result is None]
        host = origin.partition("//")[2]
        return {
            "room": room,
            "code": room.id,
            "host": Html(host),
            "long_host": len(host) > LONG_HOST,
            "qr": Html(qr(f"{origin}{self._renderer.base}/class/{room.id}")),
            "names": sorted((one.name for one in room.waiting), key=str.casefold),
            "tables": [
                {
                    "n": n,
                    "names": [names[number] for number in one.pupils if number in names],
                    "over": table.setup.stage != "playing",
                }
                for n, (one, table) in enumerate(zip(room.tables, tables, strict=True), 1)
            ],
            "present": len(room.here),
            "missing": max(0, room.missing),
            "until": clock_of(room),
            "paused": bool(running) and all(setup.paused for setup in running),
            "seated": bool(running) and all(map(waits_to_begin, tables)),
            "last": bool(running) and all(setup.last_round is not None for setup in running),
            "left": _minutes_left(room, self._clock()),
            "slip": slip_page.progress(room, tr),
            "box": catalog.box(games.package(room.plan.game), tr),
        }


def clock_of(room: Classroom) -> str:
    """The end of the lesson on the clock that it was planned by; "" without one."""
    ends = room.ends()
    return room.plan.until if ends is not None and ends != room.begun + 60 * room.plan.minutes else ""


def _minutes_left(room: Classroom, now: float) -> int | None:
    """Whole minutes until the lesson's end, below 0 after it; None before it has begun."""
    ends = room.ends()
    return None if ends is None else int((ends - now) // 60)


def _pupils(pupils: Iterable[Pupil]) -> list[dict[str, Any]]:
    return [{"number": one.number, "name": one.name, "label": one.label} for one in pupils]


def _line(table: Table, state: str, speaker: Translator) -> str:
    """The state of a table in words for the teacher. Its pupils know what they were told when they sat down."""
    match state:
        case "over":
            return headline(table, speaker)
        case "seated":
            return ""
    return turn_line(table, speaker)


def _row(n: int, table: Table, here: Attendance, renderer: Renderer, now: float, tr: Translator) -> dict[str, Any]:
    state, speaker = table_state(table, here, now), translator_for(table, None, tr.lang)
    idle = max(0.0, now - _last_at(table))
    piece = renderer.pieces(speaker, pieces_of(table.package)).piece
    away = {one.seat for one in here.absent}
    seats = [
        {
            "name": speaker.name(seat),
            "mark": piece("mark", speaker.mark(seat), speaker.name(seat), True),
            "pupil": chair.pupil or None,
            "bot": chair.kind == "bot",
            "acting": seat in table.to_act,
            "away": seat in away,
        }
        for seat, chair in enumerate(table.setup.chairs)
    ]
    story = public_story(table, speaker, table.seq - 1) if table.seq and state not in {"over", "closed"} else []
    said = " ".join(story[-1][1]) if story else ""
    return {
        "n": n,
        "table": table.id,
        "box": catalog.box(table.package, tr),
        "state": state,
        "idle": idle,
        "minutes": int(idle // 60),
        "seats": seats,
        "said": said,
        "line": _line(table, state, speaker),
        "ranked": bool(table.setup.places),
        "last": table.setup.last_round is not None and state not in {"over", "closed"},
        "endless": table.package.standings is not None and table.setup.last_round is None and state in _OPEN,
        "people": sum(bool(chair.key) for chair in table.setup.chairs),
    }
