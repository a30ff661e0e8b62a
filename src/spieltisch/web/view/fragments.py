"""Running tables as HTML: a fragment for each viewer, in parts so that only what is new is sent.

A fragment is drawn from a View. What depends on the setup alone (names, the menu) is kept until that changes.
"""

import html
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from spieltisch.game import View
from spieltisch.i18n import Translator
from spieltisch.protocols import Pieces
from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.web.access.viewpoint import asked_seat, is_asked
from spieltisch.web.view import generic_view, outcome
from spieltisch.web.view.hints import Hint, can_hint, hint_words
from spieltisch.web.view.layout import layout, page_title, stage_of
from spieltisch.web.view.renderer import GENERIC, Html, Renderer, own_file, pieces_of
from spieltisch.web.view.story import private_story, public_story
from spieltisch.web.view.viewer import Viewer, translator_for

STORY = 12  # steps that a page tells of
# What the tables of games show of the layout.
OFTEN = (
    "box", "code", "game", "host", "marks", "names", "next_url", "paused", "race", "reports", "shared", "small_marks",
    "url",
)  # fmt: skip
CUT = "<!--|-->"  # stands between the parts of a fragment

Parts = tuple[str, ...]


class LiveUpdate(Struct, frozen=True, omit_defaults=True):
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
    now: float = 0.0  # the server's clock, where time runs for this page


class ViewerCache:
    """What is kept of a table for one viewer, as long as its setup is the same."""

    __slots__ = (
        *("heard", "layout", "menu", "often", "over", "parts", "pieces", "private", "seating"),
        *("seats", "seq", "setup", "story", "template", "tr"),
    )

    def __init__(
        self, setup: TableSetup, template: str, tr: Translator, pieces: Pieces, layout: dict[str, Any]
    ) -> None:
        self.setup = setup
        self.template = template
        self.tr = tr
        self.pieces = pieces
        self.layout = layout
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
        self.seating: str | None = None
        self.heard: deque[tuple[int, list[str]]] = deque(maxlen=STORY)
        self.story: deque[str] = deque(maxlen=STORY)  # the same as items of a list, the newest first
        self.private: list[str] = []  # what this seat alone learned in the last step
        self.seq = -1  # `parts` show this entry
        self.parts: Parts = ()
        self.over: bool | None = None  # `menu` shows the table like this
        self.menu = ""

    def hear(self, table: Table, view: View[Any, Any]) -> None:
        """Take in what has happened since."""
        last = self.heard[-1][0] if self.heard else 0
        heard = public_story(table, self.tr, max(last, table.seq - STORY))
        self.heard.extend(heard)
        self.story.extendleft([_items(said) for _, said in heard])
        self.private = private_story(view, table.package, self.tr)


class FragmentCache:
    """Draws running tables, and keeps what several look at."""

    MOST = 2048

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._kept: OrderedDict[tuple[str, Viewer], ViewerCache] = OrderedDict()

    def fragment(
        self, table: Table, viewer: Viewer, *, refused: str = "", noted: str = "", hint: Hint | None = None
    ) -> Parts:
        """The table as this viewer sees it, with a refusal, a note or a hint that is for them alone."""
        kept = self._keep(table, viewer)
        return (
            self._draw(table, viewer, kept, noted=noted) if noted else self._newest(table, viewer, kept, refused, hint)
        )

    def layout(self, table: Table, viewer: Viewer) -> dict[str, Any]:
        """The layout around the table's fragment."""
        return self._keep(table, viewer).layout

    def past(self, table: Table, viewer: Viewer, **more: Any) -> Parts:
        """A moment of a finished game, as this viewer saw it. Nothing can be done there, and nothing is kept."""
        return self._draw(table, viewer, self._fresh(table, viewer), past=more)

    def live(self, table: Table, viewer: Viewer, seen: int, hint: Hint | None = None) -> LiveUpdate:
        """The newest fragment, with the sentences of everything after `seen`."""
        seat, kept, now = viewer.seat, self._keep(table, viewer), table.seq
        tr, asked = kept.tr, asked_seat(table, viewer.mine)
        parts = self._newest(table, viewer, kept, "", hint)
        asked_anew = asked is not None and table.question(asked) > seen
        heard = kept.heard if now - seen <= len(kept.heard) else public_story(table, tr, seen)
        said = [sentence for seq, some in heard if seq > seen for sentence in some]
        if now > seen:
            said += kept.private
        if hint is not None:
            said.append(hint_words(table, seat, hint, tr))
        return LiveUpdate(
            seq=now,
            parts=parts,
            title=page_title(kept.layout["box"]["title"], tr, mine=asked is not None),
            turn=asked is not None,
            stage=stage_of(table),
            say=" ".join(said),
            alert=outcome.turn_line(table, tr, viewer.shared) if asked_anew else "",
        )

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
        template = own_file(table.package, "templates", "table.html") or GENERIC
        return ViewerCache(table.setup, template, tr, pieces, layout(self._renderer, table, viewer, tr))

    def _newest(self, table: Table, viewer: Viewer, kept: ViewerCache, refused: str, hint: Hint | None) -> Parts:
        if refused or hint is not None:
            return self._draw(table, viewer, kept, refused=refused, hint=hint)
        if kept.seq != table.seq:
            kept.parts, kept.seq = self._draw(table, viewer, kept), table.seq
        return kept.parts

    def _draw(
        self,
        table: Table,
        viewer: Viewer,
        kept: ViewerCache,
        *,
        refused: str = "",
        noted: str = "",
        hint: Hint | None = None,
        past: dict[str, Any] | None = None,
    ) -> Parts:
        seat, tr, package, acting = viewer.seat, kept.tr, table.package, table.to_act
        asked = past is None and is_asked(table, seat)
        view, legal = table.view(seat), list(table.legal(seat)) if asked and seat is not None else []
        kept.hear(table, view)
        told = [*kept.heard[-1][1], *kept.private] if kept.heard else []
        context: dict[str, Any] = {
            **kept.often,
            "p": view.public,
            "me": seat,
            "seq": table.seq,
            "my_turn": asked,
            "waits": seat is not None and any(not table.setup.chairs[i].plays_itself for i in acting if i != seat),
            "result": table.result,
            "told": told,
            "story": Html(_items(told) + "".join([*kept.story][1:])),
            "question": 0 if seat is None else table.question(seat),
            "screen": viewer.screen,
            "refused": refused,
            "noted": noted,
            "clock": _clock(table, seat) if past is None else None,
            "turn_line": outcome.turn_line(table, tr, viewer.shared),
            "cover": asked_seat(table, viewer.shared) if viewer.shared and seat is None else None,
        }
        if len(table.setup.chairs) == 1:
            context |= _alone(table, seat, hint, tr)
        if past is not None:
            legal = past.get("legal", [])
            context |= {"replay": True, "waits": False, "can_hint": False, "can_undo": False} | past
        if table.result is not None:
            context["result_title"] = outcome.headline(table, tr)
            title = package.page.review_title
            context |= {
                "review": tr._(title) if title else "",
                "learned": viewer.mine if package.page.has_missed else (),
            }
            context |= {"ranks": outcome.places(table), "tally": outcome.tally(table, tr)}
        context |= package.page.prepare(view, legal, tr, kept.pieces)
        context["strip"] = _strip(kept, acting, context.get("counts"), context.get("notes"))
        context["seating"] = self._seating(viewer, kept) if past is None else ""
        if kept.template == GENERIC:
            context |= generic_view.fields(package.page, view, legal, tr)
        drawn = self._renderer.render(kept.template, tr, **context).split(CUT)
        return (drawn[0], "" if past is not None else self._menu(table, viewer, kept), *drawn[1:])

    def _seating(self, viewer: Viewer, kept: ViewerCache) -> str:
        """What who is not playing at the moment can do about it. It depends on the setup alone."""
        if kept.seating is None:
            more = {"mine": viewer.mine}
            kept.seating = (
                "" if viewer.screen else self._renderer.render("seating.html", kept.tr, **kept.layout, **more)
            )
        return Html(kept.seating)

    def _menu(self, table: Table, viewer: Viewer, kept: ViewerCache) -> str:
        """The sheet of what is seldom done. It changes with the setup, and when the game is over."""
        over = table.result is not None
        if kept.over is not over:
            more = {
                "mine": viewer.mine,
                "me": viewer.seat,
                "over": over,
                "seal": table.seal,
                "seed": table.seed,
                "deal": table.setup.deal,
            }
            kept.menu = "" if viewer.screen else self._renderer.render("menu.html", kept.tr, **kept.layout, **more)
            kept.over = over
        return kept.menu


def _items(lines: Iterable[str]) -> str:
    """The items of a list, a line each."""
    return "".join([f"<li>{html.escape(line)}</li>" for line in lines])


def _strip(kept: ViewerCache, acting: Sequence[int], counts: Sequence[Any] | None, notes: Sequence[str] | None) -> str:
    """The strip of the seats: whose turn it is, and what the game's page counts and notes of each."""
    entries = [
        (*seat, i in acting, counts[i] if counts else None, notes[i] if notes else "")
        for i, seat in enumerate(kept.seats)
    ]
    return kept.pieces.row("seat-entry", entries)


def _alone(table: Table, seat: int | None, hint: Hint | None, tr: Translator) -> dict[str, Any]:
    """What there is in games for one: hints, and moves taken back."""
    return {
        "hint": None if hint is None else hint.action,
        "hint_step": 0 if hint is None else hint.step,
        "hint_next": 1 if hint is None else min(hint.step + 1, table.package.page.hint_steps),
        "hinted": "" if hint is None else hint_words(table, seat, hint, tr),
        "can_hint": can_hint(table, seat),
        "can_undo": seat is not None and table.can_undo,
        "undone": table.undone,
        "marked": table.marked,
    }


def _clock(table: Table, seat: int | None) -> dict[str, Any] | None:
    """The time that the viewer has to answer: when it is up by the server's clock, and how much it was."""
    turn = table.clock(seat)
    return None if turn is None else {"until": round(turn.at, 3), "of": round(turn.seconds)}
