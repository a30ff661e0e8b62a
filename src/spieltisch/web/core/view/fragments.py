"""Running tables as HTML: a fragment for each viewer, in parts so that only what is new is sent.

A fragment is drawn from a View. What depends on the setup alone (names, the menu) is kept until that changes.
"""

import html
import itertools
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from spieltisch.defaults import plain_fields
from spieltisch.game import View
from spieltisch.i18n import Translator
from spieltisch.protocols import Page, Pieces
from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.web.core.access.viewpoint import asked_seat, is_asked
from spieltisch.web.core.catalog import daily, row
from spieltisch.web.core.presence import Attendance, Presence
from spieltisch.web.core.renderer import GENERIC, GENERIC_SCREEN, Html, Renderer, own_file, pieces_of
from spieltisch.web.core.view import outcome
from spieltisch.web.core.view.anew import anew, choices
from spieltisch.web.core.view.hints import Hint, can_hint, hint_words
from spieltisch.web.core.view.layout import layout, stage_of
from spieltisch.web.core.view.outcome import private_story, public_story, seat_change, told
from spieltisch.web.core.view.seats import Gone, bot_offers, seats_away, strip, turns, ways_in
from spieltisch.web.core.view.viewer import Viewer, translator_for

STORY = 12  # steps that a page tells of
PAUSE = 120.0  # seconds: what is longer between two moves is no playing
HEARD = 4  # of these in words by themselves, for whoever hears what is new; who has missed more gets them made anew
READ, READ_LAST = 10_000, 3_000  # ms that a screen for all shows a verdict; the last one, before who has won
# What the tables of games show of the layout.
OFTEN = (
    "box", "code", "day", "desk", "game", "host", "last_round", "mark_of", "marks", "names", "next_url", "number",
    "paused", "race", "reports", "shared", "short_day", "small_marks", "table", "url",
)  # fmt: skip
CUT = "<!--|-->"  # stands between the parts of a fragment

Parts = tuple[str, ...]
Marks = tuple[int, ...]  # the hashes of the parts that a page has: what is new is known without keeping the old texts


class LiveUpdate(Struct, omit_defaults=True):
    """What a page gets over its socket. The `parts`, one after the other, are the fragment; null is a part that the
    page has already.
    """

    seq: int
    parts: tuple[str | None, ...]
    title: str
    turn: bool
    stage: str
    say: str = ""
    alert: str = ""
    now: float = 0.0  # the server's clock


class ViewerCache:
    """What is kept of a table for one viewer, as long as its setup is the same."""

    __slots__ = (
        *("can_seat", "changes", "heard", "here", "menu", "often", "parts", "pieces", "private", "screen", "seating"),
        *("seats", "seldom", "seq", "setup", "staged", "story", "template", "tr", "turn_line"),
    )

    def __init__(
        self, setup: TableSetup, template: str, tr: Translator, pieces: Pieces, layout: dict[str, Any]
    ) -> None:
        self.setup = setup
        self.template = template
        self.tr = tr
        self.pieces = pieces
        self.can_seat = layout["can_seat"]
        self.often = {name: layout[name] for name in OFTEN}
        self.seats = [
            (
                i,
                name,
                layout["marks"][i],
                i == tr.me and not layout["shared"],
                layout["bots"].get(i),
                i in layout["away"],
            )
            for i, name in enumerate(layout["names"])
        ]
        self.screen: dict[str, Any] = {"read": READ, "read_last": READ_LAST}
        self.screen |= {name: layout[name] for name in ("qr", "levels") if name in layout}
        self.seldom: Any = None  # what `seating` and the menu show besides the setup
        self.seating = Html()
        self.menu: int | None = None  # the mark of the menu; None: it has not been drawn since it changed
        self.heard: list[tuple[int, list[str]]] = []  # the last entries
        self.story: list[str] = []  # the same as items of a list, the newest first
        self.changes: dict[int, list[str]] = {}  # on the seats, after which entry
        for one in setup.seat_log:
            self.changes.setdefault(one.seq, []).append(seat_change(one, tr))
        self.staged: dict[str, Any] | None = None  # the last entry that is shown step by step, and when it was made
        self.private: list[str] = []  # what this seat alone learned in the last step
        self.turn_line = ""  # whom the table waits for
        self.seq = -1  # `parts` show this entry, and who attended then; they are kept where several may look
        self.here: Attendance | None = None
        self.parts: Parts = ()

    def hear(self, table: Table, view: View[Any, Any]) -> None:
        """Take in what has happened since."""
        entries = table.news_after(self.heard[-1][0] if self.heard else 0)
        marks = table.package.page.highlights
        for entry in entries if marks else ():
            if any(isinstance(news, marks) for news in entry.news):
                self.staged = {"seq": entry.seq, "at": round(entry.at, 3)}
        heard = told(entries[-STORY:], table.package.page, view.public, self.tr)
        self.heard = [*self.heard, *heard][-HEARD:]
        newest = [_items([*said, *self.changes.get(seq, ())]) for seq, said in reversed(heard)]
        self.story = [*newest, *self.story][:STORY]
        self.private = private_story(view, table.package, self.tr)

    def told_so_far(self) -> Html:
        """The story, the newest first, with what this seat alone learned in the last step."""
        if not self.private:
            return Html("".join(self.story))
        seq, said = self.heard[-1]
        newest = _items([*said, *self.private, *self.changes.get(seq, ())])
        return Html(newest + "".join(self.story[1:]))


class FragmentCache:
    """Draws running tables, and keeps what several look at."""

    MOST = 16_384

    def __init__(self, renderer: Renderer, presence: Presence) -> None:
        self._renderer = renderer
        self._presence = presence
        self._kept: OrderedDict[tuple[str, Viewer], ViewerCache] = OrderedDict()

    def fragment(
        self, table: Table, viewer: Viewer, *, refused: str = "", noted: str = "", hint: Hint | None = None
    ) -> Parts:
        """The table as this viewer sees it, with a refusal, a note or a hint that is for them alone."""
        kept, here = self._keep(table, viewer), self._presence.attendance(table.setup)
        if refused or noted or hint is not None:
            parts = self._draw(table, viewer, kept, here, refused=refused, noted=noted, hint=hint)
        else:
            parts = self._newest(table, viewer, kept, here)
        return (parts[0], self._menu(table, viewer, kept), *parts[1:])

    def layout(self, table: Table, viewer: Viewer) -> dict[str, Any]:
        """The layout around the table's fragment."""
        return layout(self._renderer, table, viewer, self._keep(table, viewer).tr)

    def past(self, table: Table, viewer: Viewer, **more: Any) -> Parts:
        """A moment of a finished game, as this viewer saw it. Nothing can be done there, and nothing is kept."""
        parts = self._draw(table, viewer, self._fresh(table, viewer), Attendance(), past=more)
        return (parts[0], "", *parts[1:])  # there is no menu

    def live(
        self,
        table: Table,
        viewer: Viewer,
        seen: int,
        hint: Hint | None = None,
        here: Attendance = Attendance(),  # noqa: B008 - frozen
        has: Marks = (),
    ) -> tuple[LiveUpdate, Marks]:
        """What is new in the newest fragment for a page that `has` these parts, with the sentences of everything after
        `seen`, while who is `here` attends; and what the page has then.
        """
        seat, kept, now = viewer.seat, self._keep(table, viewer), table.seq
        tr, asked = kept.tr, asked_seat(table, viewer.mine)
        if hint is None:
            parts = self._newest(table, viewer, kept, here)
        else:
            parts = self._draw(table, viewer, kept, here, hint=hint)
        menu = None if has[1:2] == (kept.menu,) else self._menu(table, viewer, kept)
        marks = (hash(parts[0]), kept.menu or 0, *map(hash, parts[1:]))
        asked_anew = asked is not None and table.question(asked) > seen
        if now - seen == 1:
            said = [*kept.heard[-1][1]]
        else:
            heard = kept.heard if now - seen <= len(kept.heard) else public_story(table, tr, seen)
            said = [sentence for seq, some in heard if seq > seen for sentence in some]
        if now > seen:
            said += kept.private
        if hint is not None:
            said.append(hint_words(table, seat, hint, tr))
        live = LiveUpdate(
            seq=now,
            parts=news_of((parts[0], menu, *parts[1:]), marks, has),
            title=outcome.page_title(table, kept.often["box"]["title"], tr, asked),
            turn=asked is not None,
            stage=stage_of(table),
            say=" ".join(said),
            alert=kept.turn_line if asked_anew else "",
        )
        return live, marks

    def _keep(self, table: Table, viewer: Viewer) -> ViewerCache:
        key = (table.id, viewer)
        kept = self._kept.get(key)
        if kept is None or kept.setup is not table.setup:
            kept = self._kept[key] = self._fresh(table, viewer)
            if len(self._kept) > self.MOST:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return kept

    def _fresh(self, table: Table, viewer: Viewer) -> ViewerCache:
        tr = translator_for(table, viewer.seat, viewer.lang, viewer.terms)
        pieces = self._renderer.pieces(tr, pieces_of(table.package))
        big = viewer.screen == "big"
        template = own_file(table.package, "templates", "screen.html" if big else "table.html") or (
            GENERIC_SCREEN if big else GENERIC
        )
        return ViewerCache(table.setup, template, tr, pieces, layout(self._renderer, table, viewer, tr))

    def _newest(self, table: Table, viewer: Viewer, kept: ViewerCache, here: Attendance) -> Parts:
        if (kept.seq, kept.here) == (table.seq, here):
            return kept.parts
        parts = self._draw(table, viewer, kept, here)
        if viewer.seat is None:
            kept.parts, kept.seq, kept.here = parts, table.seq, here
        return parts

    def _draw(
        self,
        table: Table,
        viewer: Viewer,
        kept: ViewerCache,
        here: Attendance,
        *,
        refused: str = "",
        noted: str = "",
        hint: Hint | None = None,
        past: dict[str, Any] | None = None,
    ) -> Parts:
        seat, tr, package, acting = viewer.seat, kept.tr, table.package, table.to_act
        asked = past is None and is_asked(table, seat)
        view, legal = table.view(seat), list(table.legal(seat)) if asked and seat is not None else []
        now = self._presence.now() if here.absent else 0.0
        kept.hear(table, view)
        kept.turn_line = outcome.turn_line(table, tr, viewer.shared)
        news = [*kept.heard[-1][1], *kept.private] if kept.heard else []
        context: dict[str, Any] = {
            **kept.often,
            "p": view.public,
            "me": seat,
            "seq": table.seq,
            "my_turn": asked,
            "bot_offers": bot_offers(table, here.absent, now, tr) if kept.can_seat else [],
            "result": table.result,
            "told": news,
            **_last_told(table),
            "staged": None if past is not None else kept.staged,
            "story": kept.told_so_far(),
            "question": 0 if seat is None else table.question(seat),
            "screen": viewer.screen,
            "refused": refused,
            "noted": noted,
            "clock": _clock(table, seat) if past is None else None,
            "turn_line": kept.turn_line,
            "cover": asked_seat(table, viewer.shared) if viewer.shared and seat is None else None,
        }
        if len(table.setup.chairs) == 1:
            context |= _alone(table, seat, hint, tr)
        if past is not None:
            legal = past.get("legal", [])
            context |= {"replay": True, "can_hint": False, "can_undo": False} | past
        if table.result is not None:
            context["result_title"] = outcome.headline(table, tr)
            title = package.page.review_title
            context |= {
                "review": tr._(title) if title else "",
                "stories": package.page.has_stories,
                "learned": viewer.mine if package.page.has_missed else (),
            }
            if kept.often["day"] and seat is not None and past is None:
                context |= _days(table, tr)
            context |= {"ranks": outcome.places(table), "tally": outcome.tally(table, tr)}
            context["again"] = choices(table, tr) if viewer.owner else ()
            if len(table.setup.chairs) > 1:
                context["others"] = outcome.others(table) if viewer.owner else ()
        context |= package.page.prepare(view, legal, tr, kept.pieces)
        gone = seats_away(here.absent, now, tr)
        if viewer.screen == "big":
            context |= {**kept.screen, "seats": _seats(kept, acting, gone)}
            context |= package.page.screen(view, context, tr)
        else:
            acting_as = turns(acting, context.get("awaited"), tr)
            counts, notes = context.get("counts"), context.get("notes")
            context["strip"] = strip(kept.seats, acting_as, counts, notes, gone, kept.pieces)
        if past is None:
            self._refresh(table, viewer, kept, gone, here)
            context["seating"] = kept.seating
        if kept.template in {GENERIC, GENERIC_SCREEN}:
            context |= _generic_fields(package.page, view, legal, tr)
        return tuple(self._renderer.render(kept.template, tr, **context).split(CUT))

    def _refresh(self, table: Table, viewer: Viewer, kept: ViewerCache, gone: Gone, here: Attendance) -> None:
        """Draw anew what changes with the setup, and when people come or go or the game is over: what who is not
        playing at the moment can do about it. With it changes the menu, which is drawn where somebody needs it.
        """
        setup, over = table.setup, table.result is not None
        # after a pause, others than who opened the table go on only if that one is away
        can_resume = kept.often["paused"] and (
            viewer.owner
            or bool(viewer.mine and not setup.classroom and not self._presence.is_here(setup.id, setup.owner))
        )
        seldom = (here, gone, over, can_resume)
        if kept.seldom == seldom:
            return
        kept.seldom, kept.menu = seldom, None
        if viewer.screen:
            return
        around = layout(self._renderer, table, viewer, kept.tr)
        ways = ways_in(table, viewer, here) | anew(table, viewer, kept.tr)
        shown = {**around, **ways, "mine": viewer.mine, "can_resume": can_resume, "over": over}
        kept.seating = Html(self._renderer.render("seating.html", kept.tr, **shown))

    def _menu(self, table: Table, viewer: Viewer, kept: ViewerCache) -> str:
        """The sheet of what is seldom done, as of the last picture."""
        here, gone, over, _ = kept.seldom
        more = (
            ways_in(table, viewer, here)
            | anew(table, viewer, kept.tr)
            | {
                "mine": viewer.mine,
                "me": viewer.seat,
                "over": over,
                "gone": gone,
                "long_gone": [one.seat for one in here.absent if one.long],
                "seal": table.seal,
                "seed": table.seed,
                "alike": table.setup.alike,
                "deal": table.setup.deal,
            }
        )
        around = layout(self._renderer, table, viewer, kept.tr)
        menu = "" if viewer.screen else self._renderer.render("menu.html", kept.tr, **around, **more)
        kept.menu = hash(menu)
        return menu


def news_of(parts: Sequence[str | None], marks: Marks, has: Marks) -> tuple[str | None, ...]:
    """The parts with these marks; None for those that a page `has` already."""
    if len(marks) != len(has):
        return tuple(parts)
    return tuple([None if old == new else part for part, new, old in zip(parts, marks, has, strict=True)])


def _items(lines: Sequence[str]) -> str:
    """The items of a list, a line each, the last one first."""
    return "".join([f"<li>{html.escape(line)}</li>" for line in reversed(lines)])


def _seats(kept: ViewerCache, acting: Sequence[int], gone: Gone) -> list[dict[str, Any]]:
    """The same for a big screen, whose template draws them."""
    return [
        {"i": i, "name": name, "mark": mark, "bot": bot, "away": away, "acting": i in acting, "gone": gone.get(i)}
        for i, name, mark, _, bot, away in kept.seats
    ]


def _alone(table: Table, seat: int | None, hint: Hint | None, tr: Translator) -> dict[str, Any]:
    """What there is in games for one: hints, and moves taken back."""
    return {
        "hint": None if hint is None else hint.action,
        "hint_step": 0 if hint is None else hint.step,
        "hint_next": 1 if hint is None else min(hint.step + 1, table.package.page.hint_steps),
        "hinted": "" if hint is None else hint_words(table, seat, hint, tr),
        "can_hint": can_hint(table, seat),
        "can_undo": seat is not None and table.can_undo,
        "helped": table.helped,
        "deal": table.setup.deal,
        "seconds": round(_seconds(table)) if table.result is not None else 0,
    }


def _seconds(table: Table) -> float:
    """How long a game was played, as far as its entries are remembered: of each pause a part."""
    times = [entry.at for entry in table.news]
    return sum(min(after - before, PAUSE) for before, after in itertools.pairwise(times))


def _days(table: Table, tr: Translator) -> dict[str, Any]:
    """What the end of a deal of the day shows of the days before."""
    package = table.package
    day = package.analysis.day(table.setup.deal)
    return {} if day is None else {"week": daily(package, day, tr), "row": row(package, day)}


def _last_told(table: Table) -> dict[str, Any]:
    """Whose entry was the last one, and whether it was made for them because their time was up."""
    last = table.last
    return {
        "teller": None if last is None else last.seat,
        "timed_out": last is not None and last.by == "clock" and last.seat is not None,
    }


def _clock(table: Table, seat: int | None) -> dict[str, Any] | None:
    """The time that the viewer, or else whoever is asked, has to answer (of several the last to be up): when it is up
    by the server's clock, and how much it was.
    """
    clocks = [turn for turn in table.turns if turn.by == "clock"]
    if not clocks:
        return None
    turn = table.clock(seat) or max(clocks, key=lambda turn: turn.at)
    return {"until": round(turn.at, 3), "of": round(turn.seconds), "mine": turn.seat == seat}


def _generic_fields(page: Page, view: View[Any, Any], legal: Sequence[Any], tr: Translator) -> dict[str, Any]:
    """What `generic.html` shows: the fields of both parts of the view, the actions, and what a button says."""
    return {
        "legal": legal,
        "public_fields": plain_fields(view.public, tr),
        "own_fields": plain_fields(view.own, tr) if view.own is not None else [],
        "action_label": lambda action: page.describe(view, action, tr),
    }
