"""The one door out: whatever a browser or a program gets of a game passes here.

It takes a table and a seat (None: a spectator, a screen) and asks the table only for what that seat may have:
its view, its legal actions, its question. No state, no deck, no seed ever comes by.
"""

from collections import OrderedDict
from typing import Any

from msgspec import Struct

from spieltisch.dice import Quick
from spieltisch.game import Illegal
from spieltisch.games import Room
from spieltisch.table.running import Told
from spieltisch.table.table import Table
from spieltisch.web import answers, boxes, outcome, plain, render, texts
from spieltisch.web.render import Pages
from spieltisch.web.texts import Says

STORY = 12  # steps that a page tells of


def page_of(room: Room) -> Any:
    """A room's `page` module, None if it has none."""
    return room.page


def names_of(table: Table, says: Says) -> list[str]:
    """The seats' names; a chair without one is called by its number."""
    return [chair.name or says._("Seat {n}").format(n=seat + 1) for seat, chair in enumerate(table.plan.chairs)]


def says_for(table: Table, seat: int | None, lang: str) -> Says:
    """The words for one seat at a table."""
    words = texts.of(table.room, lang)
    return Says(words, lang, names_of(table, Says(words, lang)), seat)


# -- what is told --------------------------------------------------------------------------------------------


Said = dict[tuple[str, int, str, int | None], tuple[Any, list[str]]]


def told(table: Table, says: Says, after: int, kept: Said | None = None) -> list[tuple[int, list[str]]]:
    """The sentences of every entry after `after` that is still remembered, oldest first, with its number.

    `kept` holds what has been put into words already.
    """
    tell = getattr(page_of(table.room), "tell", None)
    if tell is not None and table.news:
        says.public = table.view(None).public
    steps = []
    for entry in table.news:
        if entry.seq <= after:
            continue
        key = (table.id, entry.seq, says.lang, says.me)
        known = None if kept is None else kept.get(key)
        if known is None or known[0] is not table.plan:  # with another plan somebody may be called otherwise
            known = (table.plan, _sentences(entry, says, tell))
            if kept is not None:
                kept[key] = known
        steps.append((entry.seq, known[1]))
    if tell is not None and steps:
        own = getattr(table.view(says.me).own, "news", ())  # what was told this seat alone, in the last step
        alone = [sentence for news in own if (sentence := tell(news, says))]
        steps[-1] = (steps[-1][0], [*steps[-1][1], *alone])
    return steps


def _sentences(entry: Told, says: Says, tell: Any) -> list[str]:
    if entry.undo:
        return [says._("The move was taken back.")]
    timed_out = entry.by == "clock" and entry.seat is not None
    said = [says._("{name}: the time was up.").format(name=says.name(entry.seat))] if timed_out else []
    return said if tell is None else [*said, *(one for news in entry.news if (one := tell(news, says)))]


class Live(Struct, frozen=True, omit_defaults=True):
    """What a page gets over its socket."""

    seq: int
    html: str
    title: str
    turn: bool
    stage: str
    say: str = ""
    alert: str = ""


# -- fragments -----------------------------------------------------------------------------------------------


class Viewer(Struct, frozen=True):
    """Who looks at a table, as far as the drawing depends on it. `seat` None: a spectator, a screen."""

    seat: int | None
    lang: str
    screen: bool = False
    owner: bool = False
    origin: str = ""  # scheme and host by which this viewer reaches us
    key: str = ""  # their own key, for the personal link


class Fragments:
    """Draws tables, and keeps what several look at: one fragment a seat and language, one for all spectators."""

    MOST = 4096

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self._said: Said = {}
        self._kept: OrderedDict[tuple[str, Viewer], tuple[int, Any, str]] = OrderedDict()

    def fragment(self, table: Table, viewer: Viewer, *, refused: str = "", hint: Any = None) -> str:
        """The table as this viewer sees it, with a refusal or a hint that is for them alone."""
        if refused or hint is not None:
            return self._draw(table, viewer, refused=refused, hint=hint)
        key = (table.id, viewer)
        kept = self._kept.get(key)
        if kept is not None and kept[0] == table.seq and kept[1] is table.plan:
            self._kept.move_to_end(key)
            return kept[2]
        html = self._draw(table, viewer)
        self._kept[key] = (table.seq, table.plan, html)
        self._kept.move_to_end(key)
        if len(self._kept) > self.MOST:
            self._kept.popitem(last=False)
        return html

    def _draw(self, table: Table, viewer: Viewer, *, refused: str = "", hint: Any = None) -> str:
        seat = viewer.seat
        says = says_for(table, seat, viewer.lang)
        view, legal = table.view(seat), [] if seat is None else list(table.legal(seat))
        if len(self._said) > self.MOST:
            self._said.clear()
        steps = told(table, says, table.seq - STORY, self._said)
        context: dict[str, Any] = {
            "view": view,
            "p": view.public,
            "own": view.own,
            "me": seat,
            "legal": legal,
            "kind": answers.kind,
            "encode": answers.encode,
            "to_act": list(table.to_act),
            "my_turn": seat is not None and seat in table.to_act,
            "result": table.result,
            "told": steps[-1][1] if steps and steps[-1][0] == table.seq else [],
            "story": [sentence for _, sentences in reversed(steps) for sentence in sentences],
            "question": 0 if seat is None else table.question(seat),
            "screen": viewer.screen,
            "hint": hint,
            "can_hint": can_hint(table, seat),
            "can_undo": seat is not None and table.can_undo,
            "undone": table.undone,
            "marked": table.marked,
            "refused": refused,
            "result_title": outcome.headline(table, says),
            "places": outcome.places(table),
            "turn_line": outcome.turn_line(table, says),
            "seal": table.seal,
            "seed": table.seed,
        }
        context |= self.frame(table, viewer, says)
        prepare = getattr(page_of(table.room), "prepare", None)
        if prepare is not None:
            context |= prepare(view, legal, says)
        template = render.path_of(table.room)
        if template == render.GENERIC:
            context |= plain.fields(view, says)
        return self.pages.render(template, says, **context)

    def frame(self, table: Table, viewer: Viewer, says: Says) -> dict[str, Any]:
        """What a page says of a table besides the game, also in the waiting room."""
        plan, url = table.plan, f"{self.pages.base}/t/{table.id}"
        return {
            "box": boxes.box(table.room, says),
            "game": table.room.name,
            "code": table.id,
            "url": render.safe(url),
            "address": f"{viewer.origin}{url}",
            "seq": table.seq,
            "names": names_of(table, says),
            "bots": [i for i, chair in enumerate(plan.chairs) if chair.kind == "bot"],
            "away": [i for i, chair in enumerate(plan.chairs) if chair.away or chair.kind == "free"],
            "chairs": chairs_of(table, says, viewer.seat),
            "is_owner": viewer.owner,
            "can_free": viewer.owner,
            "seat_link": f"{viewer.origin}{url}/seat#{viewer.key}" if viewer.key and not viewer.screen else "",
            "next_url": f"{url}/next" if plan.rematch else "",
        }

    def live(self, table: Table, viewer: Viewer, seen: int, hint: Any = None) -> Live:
        """The newest fragment, with the sentences of everything after `seen`."""
        says, seat = says_for(table, viewer.seat, viewer.lang), viewer.seat
        mine = seat is not None and seat in table.to_act
        asked_anew = mine and seat is not None and table.question(seat) > seen
        return Live(
            seq=table.seq,
            html=self.fragment(table, viewer, hint=hint),
            title=headline(table, says, seat),
            turn=mine,
            stage=stage_of(table),
            say=" ".join(sentence for _, sentences in told(table, says, seen, self._said) for sentence in sentences),
            alert=says._("Your turn.") if asked_anew else "",
        )


def stage_of(table: Table) -> str:
    """Which page a table needs: `waiting`, `playing` (also when it is over: moves can be taken back) or `closed`."""
    if table.plan.header is None:
        return table.plan.stage
    return "playing" if table.seq else "closed"


def headline(table: Table, says: Says, seat: int | None) -> str:
    """The title of the page: that it is one's turn, first of all."""
    title = boxes.title(table.room)
    if seat is not None and seat in table.to_act:
        return says._("Your turn – {game}").format(game=title)
    return f"{title} – Spieltisch"


def chairs_of(table: Table, says: Says, seat: int | None) -> list[dict[str, Any]]:
    """Who sits where."""
    return [
        {
            "seat": i,
            "name": name,
            "kind": chair.kind,
            "me": i == seat,
            "away": chair.away,
            "patience": chair.patience,
            "level": chair.level,
        }
        for i, (chair, name) in enumerate(zip(table.plan.chairs, names_of(table, says), strict=True))
    ]


# -- hints ---------------------------------------------------------------------------------------------------


def can_hint(table: Table, seat: int | None) -> bool:
    """Whether somebody may ask what the house's bot would do: in games for one, whose bot knows no more."""
    return (
        seat is not None
        and len(table.plan.chairs) == 1
        and table.room.bot is not None
        and table.room.knowledge is None
        and seat in table.to_act
    )


def hint(table: Table, seat: int | None, asked: int) -> Any:
    """The action that the room's bot would take for this question; Illegal where none is given."""
    if seat is None or not can_hint(table, seat) or table.question(seat) != asked:
        raise Illegal("There is no hint for this.")
    bot: Any = table.room.bot
    return bot.choose(table.view(seat), table.legal(seat), Quick(table.seq), None)


# -- for programs --------------------------------------------------------------------------------------------


class Seen(Struct, frozen=True):
    """A table as a program sees it from its seat (`seat` null: as a spectator).

    `question` is the number that an answer has to carry, `legal` what can be answered. Before the game has begun
    there is neither a view nor anything legal. `told` are sentences: of the entries after `after`.
    """

    table: str
    game: str
    stage: str
    seq: int
    seat: int | None
    question: int | None
    names: list[str]
    to_act: list[int]
    legal: list[Any]
    view: Any
    result: Any
    told: list[str]


def seen(table: Table, seat: int | None, lang: str, after: int) -> Seen:
    """What a program gets: the same view, as JSON."""
    says = says_for(table, seat, lang)
    names = names_of(table, says)
    if not table.seq:
        return Seen(table.id, table.room.name, table.plan.stage, 0, seat, None, names, [], [], None, None, [])
    return Seen(
        table=table.id,
        game=table.room.name,
        stage=table.plan.stage,
        seq=table.seq,
        seat=seat,
        question=None if seat is None else table.question(seat),
        names=names,
        to_act=list(table.to_act),
        legal=[] if seat is None else list(table.legal(seat)),
        view=table.view(seat),
        result=table.result,
        told=[sentence for _, sentences in told(table, says, after) for sentence in sentences],
    )
