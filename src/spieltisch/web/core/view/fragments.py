"""Running tables as HTML: a fragment for each viewer, in parts so that only what is new is sent.

What a fragment shows is a `TableModel`. What depends on the setup alone is kept until that changes.
"""

from array import array
from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.web.core.presence import Attendance, Presence
from spieltisch.web.core.renderer import CUT, GENERIC, GENERIC_SCREEN, Html, Renderer, own_file, pieces_of
from spieltisch.web.core.view.hints import Hint, hint_words
from spieltisch.web.core.view.layout import Layout, layout, stage_of
from spieltisch.web.core.view.outcome import public_story
from spieltisch.web.core.view.table_model import Aside, Onlooker, Past, TableModel
from spieltisch.web.core.view.viewer import Viewer, translator_for

Parts = tuple[str, ...]
# The hashes of the parts that a page has: what is new is known without keeping the old texts. An array takes a fifth of
# a tuple's room. None: it has nothing yet.
Marks: TypeAlias = "array[int] | None"


class LiveUpdate(Struct, omit_defaults=True):
    """What a page gets over its socket. The `parts`, one after the other, are the fragment; a number is the place of a
    part in the page's last picture.
    """

    seq: int
    parts: tuple[str | int, ...]
    title: str
    turn: bool
    stage: str
    say: str = ""
    alert: str = ""
    now: float = 0.0  # the server's clock


class Picture(Struct, frozen=True):
    """A table as it was drawn for a viewer, but for the menu."""

    parts: Parts
    title: str
    asked: int | None  # the viewer's seat that is asked


class _Kept:
    """What is kept of a table for one viewer, as long as its setup is the same."""

    __slots__ = ("aside", "here", "menu", "onlooker", "picture", "seating", "seq", "setup", "template")

    def __init__(self, setup: TableSetup, template: str, onlooker: Onlooker) -> None:
        self.setup = setup
        self.template = template
        self.onlooker = onlooker
        self.aside: Aside | None = None  # `seating` and the menu show this
        self.seating = Html()
        self.menu: int | None = None  # the mark of the menu; None: it has not been drawn since it changed
        self.seq = -1  # `picture` shows this entry, and who attended then; it is kept where several may look
        self.here: Attendance | None = None
        self.picture: Picture | None = None


class FragmentCache:
    """Draws running tables, and keeps what several look at."""

    MOST = 16_384

    def __init__(self, renderer: Renderer, presence: Presence) -> None:
        self._renderer = renderer
        self._presence = presence
        self._kept: OrderedDict[tuple[str, Viewer], _Kept] = OrderedDict()

    def fragment(
        self, table: Table, viewer: Viewer, *, refused: str = "", noted: str = "", hint: Hint | None = None
    ) -> Parts:
        """The table as this viewer sees it, with a refusal, a note or a hint that is for them alone."""
        return self.whole(table, viewer, refused=refused, noted=noted, hint=hint)[0].parts

    def whole(
        self, table: Table, viewer: Viewer, *, refused: str = "", noted: str = "", hint: Hint | None = None
    ) -> tuple[Picture, Layout]:
        """The same with the layout around it."""
        kept, here = self._keep(table, viewer), self._presence.attendance(table.setup)
        if refused or noted or hint is not None:
            model = kept.onlooker.see(table, self._presence, here, refused=refused, noted=noted, hint=hint)
            drawn = self._draw(kept, model)
        else:
            drawn = self._newest(table, viewer, kept, here)
        return replace(drawn, parts=(drawn.parts[0], self._menu(kept), *drawn.parts[1:])), kept.onlooker.layout

    def past(self, table: Table, viewer: Viewer, moment: Past = Past()) -> Parts:  # noqa: B008 - frozen
        """A moment of a finished game, as this viewer saw it. Nothing is kept."""
        kept = self._fresh(table, viewer)
        parts = self._draw(kept, kept.onlooker.see(table, self._presence, Attendance(), past=moment)).parts
        return (parts[0], "", *parts[1:])  # there is no menu

    def live(
        self,
        table: Table,
        viewer: Viewer,
        seen: int,
        hint: Hint | None = None,
        here: Attendance = Attendance(),  # noqa: B008 - frozen
        has: Marks = None,
    ) -> tuple[LiveUpdate, Marks]:
        """What is new in the newest fragment for a page that `has` these parts, with the sentences of everything after
        `seen`, while `here` attends; and what the page has then.
        """
        kept, now = self._keep(table, viewer), table.seq
        story, tr = kept.onlooker.story, kept.onlooker.tr
        if hint is None:
            drawn = self._newest(table, viewer, kept, here)
        else:
            drawn = self._draw(kept, kept.onlooker.see(table, self._presence, here, hint=hint))
        parts, asked = drawn.parts, drawn.asked
        menu = "" if has and len(has) > 1 and has[1] == kept.menu else self._menu(kept)  # the page has it
        marks = marks_of(parts)
        marks.insert(1, kept.menu or 0)
        asked_anew = asked is not None and table.question(asked) > seen
        if now - seen == 1:
            said = [*story.heard[-1][1]]
        else:
            heard = story.heard if now - seen <= len(story.heard) else public_story(table, tr, seen)
            said = [sentence for seq, some in heard if seq > seen for sentence in some]
        if now > seen:
            said += story.private
        if hint is not None:
            said.append(hint_words(table, viewer.seat, hint, tr))
        if asked_anew:  # in the same breath: an alert would cut off what happened
            said.append(story.turn_line)
        live = LiveUpdate(
            seq=now,
            parts=news_of((parts[0], menu, *parts[1:]), marks, has),
            title=drawn.title,
            turn=asked is not None,
            stage=stage_of(table),
            say=" ".join(said),
        )
        return live, marks

    def _keep(self, table: Table, viewer: Viewer) -> _Kept:
        key = (table.id, viewer)
        kept = self._kept.get(key)
        if kept is None or kept.setup is not table.setup:
            kept = self._kept[key] = self._fresh(table, viewer)
            if len(self._kept) > self.MOST:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return kept

    def _fresh(self, table: Table, viewer: Viewer) -> _Kept:
        tr = translator_for(table, viewer.seat, viewer.lang, viewer.terms)
        pieces = self._renderer.pieces(tr, pieces_of(table.package))
        big = viewer.screen == "big"
        own = own_file(table.package, "templates", "screen.html" if big else "table.html")
        around = layout(self._renderer, table, viewer, tr)
        onlooker = Onlooker(table, viewer, tr, around, pieces, generic=not own)
        return _Kept(table.setup, own or (GENERIC_SCREEN if big else GENERIC), onlooker)

    def _newest(self, table: Table, viewer: Viewer, kept: _Kept, here: Attendance) -> Picture:
        if kept.picture is not None and (kept.seq, kept.here) == (table.seq, here):
            return kept.picture
        drawn = self._draw(kept, kept.onlooker.see(table, self._presence, here))
        if viewer.seat is None:
            kept.picture, kept.seq, kept.here = drawn, table.seq, here
        return drawn

    def _draw(self, kept: _Kept, model: TableModel) -> Picture:
        render, tr = self._renderer.render, kept.onlooker.tr
        if model.aside is not None and model.aside is not kept.aside:
            kept.aside, kept.menu = model.aside, None
            kept.seating = Html(render("seating.html", tr, **asdict(model.layout) | model.aside.fields()))
        shown = model.fields() | {"seating": kept.seating}
        return Picture(tuple(render(kept.template, tr, **shown).split(CUT)), model.title, model.asked)

    def _menu(self, kept: _Kept) -> str:
        """The sheet of what is seldom done, as of the last picture."""
        if kept.aside is None:
            menu = ""
        else:
            shown = asdict(kept.onlooker.layout) | kept.aside.fields()
            menu = self._renderer.render("menu.html", kept.onlooker.tr, **shown)
        kept.menu = hash(menu)
        return menu


def marks_of(parts: Sequence[str]) -> "array[int]":
    return array("q", map(hash, parts))


def news_of(parts: Sequence[str], marks: "array[int]", has: Marks) -> tuple[str | int, ...]:
    """The parts with these marks; for those that a page `has` already, their places there."""
    places = {mark: place for place, mark in enumerate(has or ())}
    return tuple([places.get(mark, part) for part, mark in zip(parts, marks, strict=True)])
