"""The picture of a running table: everything that its templates read.

`Onlooker.see` builds one `TableModel` for an entry and a viewer. Templates read the fields of its parts by their names:
`{{ turn_line }}` is `Moment.turn_line`. A game's page adds its own names by `prepare`.
"""

import itertools
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from spieltisch.game import GameView, HasNews, Result
from spieltisch.i18n import Translator
from spieltisch.package import Pieces, Section, plain_fields
from spieltisch.table.log import TableSetup
from spieltisch.table.schedule import DueTurn
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import asked_seat, is_asked
from spieltisch.web.core.catalog import daily, day_of, result_of_day, row
from spieltisch.web.core.presence import Attendance, Presence
from spieltisch.web.core.renderer import Html
from spieltisch.web.core.view import outcome
from spieltisch.web.core.view.anew import NewStart, anew, choices
from spieltisch.web.core.view.hints import Hint, can_hint, hint_words
from spieltisch.web.core.view.layout import Layout
from spieltisch.web.core.view.outcome import Staged, Story
from spieltisch.web.core.view.seats import BotOffer, Gone, SeatWays, big_seats, bot_offers, seats_away, strip, ways_in
from spieltisch.web.core.view.viewer import Screen, Viewer

PAUSE = 120.0  # seconds between two moves; longer ones count as this
# ms for which a big screen shows a verdict, and the last one before the winner, unless the game is looked back at
READ, READ_LAST = 10_000, 3_000


class Clock(Struct, frozen=True):
    """The time to answer: until when, by the server's clock, of how many seconds, and whether it is the viewer's."""

    until: float
    of: int
    mine: bool


class Moment(Struct, frozen=True):
    """What every table shows. Changes with each entry."""

    p: HasNews  # the public part of the view
    me: int | None  # the viewer's seat
    you: int | None  # the same if the viewer is alone with this picture, so that they are not called by name
    seq: int
    screen: Screen
    question: int  # the number that an answer must name
    my_turn: bool
    turn_line: str  # whom the table waits for
    clock: Clock | None
    until: str  # of a slow game: until when the turn has time, as a moment in UTC
    story: Html  # the last entries as items of a list
    told: list[str]  # the last entry, in sentences
    teller: int | None  # the seat that made it
    timed_out: bool  # whether it was made for them because their time was up
    staged: Staged | None
    result: Result | None
    bot_offers: Sequence[BotOffer]
    cover: int | None  # the next seat on a shared device
    refused: str
    noted: str


class Alone(Struct, frozen=True):
    """What only games for one show: hints, and moves taken back."""

    hint: Struct | None
    hint_step: int
    hint_next: int
    hinted: str  # the hint in words
    can_hint: bool
    can_undo: bool
    helped: bool
    deal: int
    seconds: int  # length of the finished game


class Ending(Struct, frozen=True):
    """What a finished game shows."""

    result_title: str
    ranks: list[dict[str, object]]
    tally: str
    review: str  # title of the game's review; "" if it has none
    together: Literal["", "lead", "follow"]  # the viewer can begin to look back with all, or join
    stories: bool
    learned: tuple[int, ...]  # seats that can learn what they missed
    practised: tuple[int, ...]  # seats that can practise what they got wrong
    again: Sequence[tuple[str, str, str]]  # choices for the next game
    others: Sequence[tuple[str, str]]  # other games to play next
    how: str  # won, or how it ended for the viewer
    week: dict[str, object] | None  # the last days of its daily
    row: str
    day_iso: str
    said: str  # the first line of its text to share


class Aside(Struct, frozen=True):
    """What people can do besides playing. Changes when somebody comes or goes, and at the end of the game."""

    gone: Gone
    long_gone: list[int]
    over: bool
    mine: tuple[int, ...]
    me: int | None
    can_resume: bool  # after a pause
    seal: str
    seed: str
    alike: bool
    deal: int
    ways: SeatWays
    new_start: NewStart

    def fields(self) -> dict[str, object]:
        return asdict(self) | asdict(self.ways) | asdict(self.new_start)


class LessonStep(Struct, frozen=True):
    """Where a scripted game leads from here; "" for no link."""

    step: int
    steps: int
    words: str
    hint: str
    undo: str
    back: str
    on: str
    over: bool


class Led(Struct, frozen=True):
    """What a big screen says of a moment that all look back at together."""

    where: str  # the step
    who: str  # who leads, or who is asked in a fork
    forked: bool  # whether this did not happen
    tells: bool  # whether the picture itself says what has just happened


class Past(Struct, frozen=True):
    """A moment of a finished or scripted game. It allows only the scripted move."""

    legal: Sequence[Struct] = ()
    my_turn: bool = False
    url: str = ""  # "": the table's
    refused: str = ""
    truth: Sequence[Section] = ()  # what lay hidden
    look: object = None  # the move under review
    looks: int = 0
    led: Led | None = None
    lesson: LessonStep | None = None
    hint: object = None
    hint_step: int = 0
    hinted: str = ""

    def fields(self) -> dict[str, object]:
        shown = asdict(self) | {"replay": True, "can_hint": False, "can_undo": False}
        return shown if self.url else {name: value for name, value in shown.items() if name != "url"}


class TableModel(Struct, frozen=True):
    """A table as one viewer sees it after one entry."""

    layout: Layout
    moment: Moment
    alone: Alone | None
    past: Past | None
    ending: Ending | None
    game: dict[str, object]  # what the game's page adds, and the strip of seats
    aside: Aside | None  # None on a screen and in the past
    title: str  # of the page
    asked: int | None  # the viewer's seat that is asked

    def fields(self) -> dict[str, object]:
        """Return what the table's template reads."""
        shown = asdict(self.layout)
        shown |= asdict(self.moment)
        if self.alone is not None:
            shown |= asdict(self.alone)
        if self.past is not None:
            shown |= self.past.fields()
        if self.ending is not None:
            shown |= asdict(self.ending)
        shown |= self.game
        return shown


class Onlooker:
    """Sees a table for one viewer. Keeps what depends only on the table's setup."""

    __slots__ = ("_aside", "_aside_of", "_generic", "_mine", "_pieces", "_seats", "layout", "story", "tr", "viewer")

    def __init__(
        self, table: Table, viewer: Viewer, tr: Translator, layout: Layout, pieces: Pieces, *, generic: bool
    ) -> None:
        """`generic`: the game brings no template of its own."""
        self.viewer = viewer
        self.tr = tr
        self.layout = layout
        self.story = Story(table.setup, tr, layout.box["title"])
        self._aside: Aside | None = None
        self._aside_of: object = None  # what it depends on besides the setup
        self._generic = generic
        self._mine = viewer.mine
        self._pieces = pieces
        self._seats = [
            (i, name, layout.marks[i], i == tr.me and not viewer.shared, layout.bots.get(i), i in layout.away)
            for i, name in enumerate(layout.names)
        ]

    def see(
        self,
        table: Table,
        presence: Presence,
        here: Attendance,
        *,
        refused: str = "",
        noted: str = "",
        hint: Hint | None = None,
        past: Past | None = None,
    ) -> TableModel:
        """Return the table now, with a refusal, a note or a hint for this viewer only. `here`: who is present."""
        viewer, layout, story, tr = self.viewer, self.layout, self.story, self.tr
        seat, result = viewer.seat, table.result
        view, asked = table.view(seat), asked_seat(table, self._mine)
        my_turn = past is None and asked is not None and (asked == seat or is_asked(table, seat))
        legal = past.legal if past is not None else list(table.legal(seat)) if my_turn and seat is not None else []
        story.hear(table, view, asked, viewer.shared)
        now = presence.now() if here.absent else 0.0
        gone = seats_away(here.absent, now, tr) if here.absent else {}
        last = table.last
        moment = Moment(
            p=view.public,
            me=seat,
            you=tr.me,
            seq=table.seq,
            screen=viewer.screen,
            question=0 if seat is None else table.question(seat),
            my_turn=my_turn,
            turn_line=story.turn_line,
            clock=_clock(table, seat) if past is None else None,
            until=_until(table, seat) if past is None else "",
            story=story.lines,
            told=story.newest,
            teller=None if last is None else last.seat,
            timed_out=last is not None and last.by == "clock" and last.seat is not None,
            staged=story.staged if past is None else None,
            result=result,
            bot_offers=bot_offers(table, here.absent, now, tr) if gone and layout.can_seat else (),
            cover=asked if viewer.shared and seat is None else None,
            refused=refused,
            noted=noted,
        )
        aside = None
        if past is None and not viewer.screen:
            aside = self._look_aside(table, presence, here, gone, over=result is not None)
        return TableModel(
            layout=layout,
            moment=moment,
            alone=_alone(table, seat, hint, tr) if len(table.setup.chairs) == 1 else None,
            past=past,
            ending=None if result is None else self._ending(table, presence, past),
            game=self._game(table, view, legal, gone, past=past is not None),
            aside=aside,
            title=story.title,
            asked=asked,
        )

    def _ending(self, table: Table, presence: Presence, past: Past | None) -> Ending:
        ending = _ending(table, self.viewer, self.tr, presence, week=past is None and self.layout.day != "")
        happened = past is None or not past.url
        return ending if happened else replace(ending, tally="", stories=False)

    def _game(
        self, table: Table, view: GameView, legal: Sequence[Struct], gone: Gone, *, past: bool
    ) -> dict[str, object]:
        """Return what the game's page shows, and the strip of seats."""
        page, tr, acting = table.package.page, self.tr, table.to_act
        shown: dict[str, Any] = dict(page.prepare(view, legal, tr, self._pieces))
        if self._generic:
            shown |= {
                "legal": legal,
                "public_fields": plain_fields(view.public, tr),
                "own_fields": plain_fields(view.own, tr) if view.own is not None else [],
                "action_label": lambda action: page.describe(view, action, tr),
            }
        if self.viewer.screen == "big":
            last = READ if past else READ_LAST
            shown |= {"seats": big_seats(self._seats, acting, gone), "read": READ, "read_last": last}
            return shown | dict(page.screen(view, asdict(self.layout) | shown, tr))
        awaited, counts, notes = shown.get("awaited"), shown.get("counts"), shown.get("notes")
        shown["strip"] = strip(self._seats, acting, gone, self._pieces, tr, awaited=awaited, counts=counts, notes=notes)
        return shown

    def _look_aside(self, table: Table, presence: Presence, here: Attendance, gone: Gone, *, over: bool) -> Aside:
        setup, viewer, mine = table.setup, self.viewer, self._mine
        # only if the owner is away can others resume the game
        can_resume = self.layout.paused and (
            viewer.owner or bool(mine and not setup.classroom and not presence.is_here(setup.id, setup.owner))
        )
        aside_of = (here, gone, over, can_resume)
        if self._aside is not None and aside_of == self._aside_of:
            return self._aside
        self._aside_of = aside_of
        self._aside = Aside(
            gone=gone,
            long_gone=[one.seat for one in here.absent if one.long],
            over=over,
            mine=mine,
            me=viewer.seat,
            can_resume=can_resume,
            seal=table.seal,
            seed=table.seed,
            alike=setup.alike,
            deal=setup.deal,
            ways=ways_in(table, viewer, here),
            new_start=anew(table, viewer, self.tr),
        )
        return self._aside


def _alone(table: Table, seat: int | None, hint: Hint | None, tr: Translator) -> Alone:
    return Alone(
        hint=None if hint is None else hint.action,
        hint_step=0 if hint is None else hint.step,
        hint_next=1 if hint is None else min(hint.step + 1, table.package.page.hint_steps),
        hinted="" if hint is None else hint_words(table, seat, hint, tr),
        can_hint=can_hint(table, seat),
        can_undo=seat is not None and table.can_undo,
        helped=table.helped,
        deal=table.setup.deal,
        seconds=round(_seconds(table)) if table.result is not None else 0,
    )


def _seconds(table: Table) -> float:
    """Return the seconds of play in the remembered entries. A long pause counts as PAUSE."""
    times = [entry.at for entry in table.news]
    return sum(min(after - before, PAUSE) for before, after in itertools.pairwise(times))


def _together(setup: TableSetup, viewer: Viewer, presence: Presence) -> Literal["", "lead", "follow"]:
    if setup.look is not None:
        return "follow"
    several = len(setup.chairs) > 1 and not setup.classroom and not setup.rematch
    leads = viewer.owner or (bool(viewer.mine) and not presence.is_here(setup.id, setup.owner))
    return "lead" if several and leads else ""


def _ending(table: Table, viewer: Viewer, tr: Translator, presence: Presence, *, week: bool) -> Ending:
    """`week`: show a player of the deal of the day the days before."""
    package, review = table.package, table.package.page.review_title
    day = day_of(package, table.setup) if week and viewer.seat is not None else None
    return Ending(
        result_title=outcome.headline(table, tr),
        ranks=outcome.places(table),
        tally=outcome.tally(table, tr),
        review=tr._(review) if review else "",
        together=_together(table.setup, viewer, presence),
        stories=package.page.has_stories,
        learned=viewer.mine if package.page.has_missed else (),
        practised=viewer.mine if package.page.has_mistakes else (),
        again=choices(table, tr) if viewer.owner else (),
        others=outcome.others(table, tr) if viewer.owner and len(table.setup.chairs) > 1 else (),
        how=_how(table, viewer.seat),
        week=None if day is None else daily(package, day, tr),
        row="" if day is None else row(package, day),
        day_iso="" if day is None else day.isoformat(),
        said="" if day is None else _said(table, viewer.seat, day, tr),
    )


def _said(table: Table, seat: int | None, day: date, tr: Translator) -> str:
    assert seat is not None
    assert table.result is not None
    said = table.package.daily.said(table.view(seat).public, table.result, seat, tr, helped=table.helped)
    return result_of_day(table.package, day, said, tr)


def _how(table: Table, seat: int | None) -> str:
    result = table.result
    assert result is not None
    return "won" if result.ranking and seat in result.ranking[0] else result.end


def _clock(table: Table, seat: int | None) -> Clock | None:
    """Return the viewer's time to answer, or the longest of all seats that are asked. None if it is days."""
    turn = None if table.setup.is_slow else _timed(table, seat)
    if turn is None:
        return None
    return Clock(round(turn.at, 3), round(turn.seconds), turn.seat == seat)


def _until(table: Table, seat: int | None) -> str:
    turn = _timed(table, seat) if table.setup.is_slow else None
    return "" if turn is None else datetime.fromtimestamp(turn.at, UTC).strftime("%Y-%m-%dT%H:%MZ")


def _timed(table: Table, seat: int | None) -> DueTurn | None:
    clocks = [turn for turn in table.turns if turn.by == "clock"]
    return table.clock(seat) or max(clocks, key=lambda turn: turn.at, default=None)
