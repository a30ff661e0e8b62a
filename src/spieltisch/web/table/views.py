"""Draws a table in any stage: as a page, as a fragment of one, or as news."""

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import asdict

from spieltisch import i18n
from spieltisch.decks.library import Library
from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.web.core.permission import asks_for
from spieltisch.web.core.presence import Attendance, Presence
from spieltisch.web.core.renderer import Renderer, html_of
from spieltisch.web.core.view.fragments import FragmentCache, LiveUpdate, PageParts, Parts, Picture, marks_of
from spieltisch.web.core.view.hints import Hint
from spieltisch.web.core.view.layout import Layout, layout
from spieltisch.web.core.view.outcome import changes_of_setup, page_title, turn_line, who_asks, who_came_and_went
from spieltisch.web.core.view.seats import seats_away
from spieltisch.web.core.view.viewer import Viewer, translator_for
from spieltisch.web.table.waiting import countdown, lobby

KEPT = 256  # pictures for people without a seat, of tables at which nobody plays
FRESH = 0.5  # seconds for which such a picture is shown to all who see the same


class _Drawn(NamedTuple):
    """A table at which nobody plays, as it was drawn for this setup and attendance."""

    at: float
    setup: TableSetup
    here: Attendance
    picture: Picture
    around: Layout


class TableViews:
    def __init__(
        self,
        renderer: Renderer,
        fragments: FragmentCache,
        library: Library,
        clock: Callable[[], float],
        presence: Presence,
    ) -> None:
        self._renderer = renderer
        self._library = library
        self._clock = clock
        self._presence = presence
        self._fragments = fragments
        self._drawn: OrderedDict[tuple[str, Viewer, str], _Drawn] = OrderedDict()

    def fragment(
        self,
        table: Table,
        viewer: Viewer,
        *,
        refused: str = "",
        noted: str = "",
        hint: Hint | None = None,
        name: str = "",
    ) -> Parts:
        """Draw the table for this viewer, with a refusal, note or hint that is for them alone. `name`: what they called
        themselves last, if they have no seat.
        """
        if table.phase == "playing":
            return self._fragments.fragment(table, viewer, refused=refused, noted=noted, hint=hint)
        return self._not_playing(table, viewer, refused, name)[0].parts

    async def ready(self, table: Table, viewer: Viewer) -> None:
        """Read in another process what a waiting room shows of its decks, so that drawing it holds up nobody."""
        if table.phase == "waiting":
            tr = translator_for(table, viewer.seat, viewer.lang)
            await self._library.reading(lambda: lobby(table, viewer, tr, self._library, ""))

    async def page(
        self,
        table: Table,
        viewer: Viewer,
        here: str,
        *,
        refused: str = "",
        noted: str = "",
        hint: Hint | None = None,
        name: str = "",
    ) -> str:
        """Draw the whole page. `here` is its path below the sub-path."""
        stage = table.phase
        if stage == "playing":
            drawn, around = self._fragments.whole(table, viewer, refused=refused, noted=noted, hint=hint)
        else:
            await self.ready(table, viewer)
            drawn, around = self._not_playing(table, viewer, refused, name)
        return self._renderer.render(
            "table/table.html",
            i18n.common_translator(viewer.lang),
            **asdict(around),
            fragment=html_of(drawn.parts),
            seq=table.seq,
            title=drawn.title,
            stage=stage,
            screen=viewer.screen,
            me=viewer.seat,
            here=here,
            turn=drawn.asked is not None,
            now=round(self._clock(), 3),
        )

    def update(
        self,
        table: Table,
        viewer: Viewer,
        seen: int,
        shown: TableSetup | None,
        page: PageParts,
        *,
        hint: Hint | None = None,
        name: str = "",
        here: Attendance | None = None,
        refused: str = "",
    ) -> LiveUpdate:
        """Return what a page gets that has `seen` this entry and shows this setup and attendance (None: nothing).
        `refused`: what it says to this viewer alone.
        """
        stage, setup = table.phase, table.setup
        if stage == "playing":
            now = self._presence.attendance(setup)
            before = here if here != now else None  # who attended then
            said, alert = list[str](), ""
            if before is not None or now.asks or shown is not setup:
                tr = translator_for(table, viewer.seat, viewer.lang)
                said = changes_of_setup(shown, setup, tr) if shown is not None else []
                said += who_came_and_went(before.absent, now.absent, table, tr) if before is not None else []
                known = here.asks if here is not None else ()
                asks = [ask for ask in asks_for(table.package, setup, viewer.key, now) if ask not in known]
                alert = " ".join(who_asks(asks, tr))
            live = self._fragments.live(table, viewer, max(seen, 0), hint, now, page, said, refused=refused)
            live.alert = alert
        else:
            drawn, _ = self._not_playing(table, viewer, refused, name)
            parts, order, _ = page.take(drawn.parts, marks_of(drawn.parts))
            title, stage = page.around(drawn.title, stage) if parts or order else ("", "")
            live = LiveUpdate(table.seq, parts, turn=False, order=order, title=title, stage=stage)
        live.now = round(self._clock(), 3)
        return live

    def _not_playing(self, table: Table, viewer: Viewer, refused: str, name: str) -> tuple[Picture, Layout]:
        """Return the picture and the layout of a table at which nobody plays, drawn once for all without a seat."""
        if refused or viewer.seat is not None or table.setup.countdown is not None:
            return self._not_playing_anew(table, viewer, refused, name)
        key, here, now = (table.id, viewer, name), self._presence.attendance(table.setup), self._clock()
        drawn = self._drawn.get(key)
        if drawn is None or drawn.setup is not table.setup or drawn.here != here or not 0 <= now - drawn.at < FRESH:
            drawn = _Drawn(now, table.setup, here, *self._not_playing_anew(table, viewer, refused, name))
            self._drawn[key] = drawn
            self._drawn.move_to_end(key)
            if len(self._drawn) > KEPT:
                self._drawn.popitem(last=False)
        return drawn.picture, drawn.around

    def _not_playing_anew(self, table: Table, viewer: Viewer, refused: str, name: str) -> tuple[Picture, Layout]:
        tr = translator_for(table, viewer.seat, viewer.lang)
        around = layout(self._renderer, table, viewer, tr)
        if table.phase == "waiting":
            away = seats_away(self._presence.absent(table.setup), self._presence.now(), tr)
            shown = asdict(around) | lobby(table, viewer, tr, self._library, name) | {"refused": refused, "gone": away}
            page = "wait.html"
            if table.setup.countdown is not None:
                page, shown = "next.html", shown | countdown(table, viewer, tr)
            page = f"table/screen-{page}" if viewer.screen == "big" else f"table/{page}"
        else:
            page = "table/screen-closed.html" if viewer.screen == "big" else "table/closed.html"
            shown = asdict(around) | {"message": turn_line(table, tr)}
        title = page_title(table, around.box["title"], tr, None)
        return Picture((self._renderer.render(page, tr, **shown),), title, None), around
