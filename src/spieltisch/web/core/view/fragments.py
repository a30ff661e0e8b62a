"""Running tables as HTML: a fragment for each viewer, cut into parts so that only new parts are sent.

A fragment shows a `TableModel`. What depends only on the setup is cached until that changes.
"""

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.web.core.presence import Attendance, Presence
from spieltisch.web.core.renderer import GENERIC, GENERIC_SCREEN, MENU, Html, Renderer, html_of, own_file, pieces_of
from spieltisch.web.core.view.hints import Hint, hint_words
from spieltisch.web.core.view.layout import Layout, layout
from spieltisch.web.core.view.outcome import public_story
from spieltisch.web.core.view.table_model import Aside, Onlooker, Past, TableModel
from spieltisch.web.core.view.viewer import Viewer, translator_for

Parts = tuple[str, ...]
STRIDE = 8  # parts that are compared at once
# A picture is sent as a string of signs: "+" for the next of the texts that come with it; "1" to "X" for 1 to 40 parts
# that follow each other as in the last picture; for any other part the character FIRST + its number.
NEXT, FIRST, ZERO, MOST_SAME = ord("+"), 0x80, ord("0"), 40
LAST = 0xD000  # parts on one socket; soon after this the signs would be surrogates
MOST_KEPT = 512  # parts that the server believes a page to keep: 6 kB of memory a page, with those shown up to 10


class PageParts:
    """The parts that one page keeps. It numbers them from 0 as they come over its socket.

    The server remembers hashes and numbers, not texts. A page loaded before 0.3.0 keeps nothing.
    """

    __slots__ = ("_again", "_kept", "_marks", "_next", "_numbers", "_order", "_shown", "_stage", "_title", "picture")

    def __init__(self, kept: int = 0) -> None:
        """`kept`: how many parts the page keeps."""
        self._kept = min(kept, MOST_KEPT)
        self._next = 0
        # In arrays, which take little room: the hashes of what it keeps, the lowest first, and their numbers
        self._marks, self._numbers = array("q"), array("I")
        self._again = bytearray()  # by numbers: which of them were shown again, after another picture
        self._shown, self._order = array("q"), array("I")  # the same of its picture, in order
        self._title = self._stage = ""
        self.picture = 0  # the hash of what it shows; 0: nothing yet

    def __contains__(self, mark: int | None) -> bool:
        return mark is not None and self._number(mark) is not None

    def take(
        self, parts: Sequence[str], marks: Sequence[int], said: Sequence[str] = ()
    ) -> tuple[tuple[str, ...], str, str]:
        """Return what the page needs to show these parts, whose hashes are `marks`, and to say these sentences: the
        texts that it lacks, and a sign for each part and for each sentence. Nothing if it shows them.

        A new part takes the place of one in the last picture. Texts of sentences come last. A page that keeps nothing
        gets HTML, no signs, and the sentences as text.
        """
        picture = hash(tuple(marks))
        if picture == self.picture:
            return (), "", ""
        self.picture = picture
        if self._next > LAST:
            self._kept = 0
        if not self._kept:
            return (str(html_of(parts)),), "", " ".join(said)
        old, order, signs, texts = self._order.tolist(), list[int](), list[int](), list[str]()
        known = list(map(dict(zip(self._shown, old, strict=True)).get, marks))
        places = dict(zip(old, range(len(old)), strict=True))
        old += [-1] * (len(marks) + 1)  # nothing comes after the end
        at = after = 0  # the place here, and the one in the last picture that comes next
        while at < len(marks):
            number = known[at]
            if number == old[after]:
                same = _in_a_row(known, at, old, after)
                order += old[after : after + same]
                at, after = at + same, after + same
                while same > MOST_SAME:
                    signs.append(ZERO + MOST_SAME)
                    same -= MOST_SAME
                signs.append(ZERO + same)
                continue
            if number is None:
                number = self._number(marks[at])
            if number is None:
                number = self._keep(marks[at])
                signs.append(NEXT)
                texts.append(parts[at])
            else:
                signs.append(FIRST + number)
                self._again[number] = 1
                after = places.get(number, after)
            order.append(number)
            at, after = at + 1, after + 1
        there = {*order}
        spoken = list[int]()
        for one in said:
            number = self._number(hash(one))
            if number is not None and number in there:
                spoken.append(FIRST + number)
            else:
                spoken.append(NEXT)
                texts.append(one)
        if len(self._numbers) > self._kept:
            self._forget(len(self._numbers) - self._kept * 3 // 4, there)
        self._shown, self._order = array("q", marks), array("I", order)
        return tuple(texts), "".join(map(chr, signs)), "".join(map(chr, spoken))

    def around(self, title: str, stage: str) -> tuple[str, str]:
        """Return the title and the stage to send with a picture, "" for what the page has already. A page that keeps
        nothing gets both.
        """
        if not self._kept:
            return title, stage
        news = "" if title == self._title else title, "" if stage == self._stage else stage
        self._title, self._stage = title, stage
        return news

    def _number(self, mark: int) -> int | None:
        marks = self._marks
        at = bisect_left(marks, mark)
        return self._numbers[at] if at < len(marks) and marks[at] == mark else None

    def _keep(self, mark: int) -> int:
        """Return the number of a new part."""
        number, at = self._next, bisect_left(self._marks, mark)
        self._marks.insert(at, mark)
        self._numbers.insert(at, number)
        self._again.append(0)
        self._next += 1
        return number

    def _forget(self, most: int, shown: set[int]) -> None:
        """Drop this many parts that are not shown: the oldest first, but those that were shown again last."""
        rest = sorted({*self._numbers} - shown)
        gone = {*[one for again in (0, 1) for one in rest if self._again[one] == again][:most]}
        kept = [pair for pair in zip(self._marks, self._numbers, strict=True) if pair[1] not in gone]
        self._marks, self._numbers = array("q", [mark for mark, _ in kept]), array("I", [number for _, number in kept])
        self._again = bytearray(self._next)


def _in_a_row(one: Sequence[int | None], at: int, other: Sequence[int], after: int) -> int:
    """Return how many parts in a row are the same from these places on, of which the first is."""
    most, same = min(len(one) - at, len(other) - after), 1
    while same + STRIDE <= most and one[at + same : at + same + STRIDE] == other[after + same : after + same + STRIDE]:
        same += STRIDE
    while same < most and one[at + same] == other[after + same]:
        same += 1
    return same


class LiveUpdate(Struct, omit_defaults=True):
    """What a page gets over its socket. `parts` are the texts that it lacks; `order` and `say` are signs for what it
    shows and says of all: see `PageParts.take`. Without `order` the parts are the whole fragment, and `say` is text.
    A title or a stage that the page has is not sent again.
    """

    seq: int
    parts: tuple[str, ...]
    turn: bool
    order: str = ""
    title: str = ""
    stage: str = ""
    say: str = ""
    alert: str = ""
    now: float = 0.0  # the server's clock


class Picture(Struct, frozen=True):
    """A table as drawn for one viewer, without the menu."""

    parts: Parts
    title: str
    asked: int | None  # the viewer's seat that is to act


class _Kept:
    """What is cached of a table for one viewer until its setup changes."""

    __slots__ = ("aside", "here", "menu", "onlooker", "picture", "seating", "seq", "setup", "template")

    def __init__(self, setup: TableSetup, template: str, onlooker: Onlooker) -> None:
        self.setup = setup
        self.template = template
        self.onlooker = onlooker
        self.aside: Aside | None = None  # shown by `seating` and the menu
        self.seating = Html()
        self.menu: int | None = None  # the hash of the menu; None: not drawn since it changed
        self.seq = -1  # the entry that `picture` shows
        self.here: Attendance | None = None
        self.picture: Picture | None = None


class FragmentCache:
    """Draws running tables, and caches pictures that several people look at."""

    MOST = 16_384

    def __init__(self, renderer: Renderer, presence: Presence) -> None:
        self._renderer = renderer
        self._presence = presence
        self._kept: OrderedDict[tuple[str, Viewer], _Kept] = OrderedDict()

    def fragment(
        self, table: Table, viewer: Viewer, *, refused: str = "", noted: str = "", hint: Hint | None = None
    ) -> Parts:
        """Return the table as this viewer sees it, with a refusal, a note or a hint for them only."""
        return self.whole(table, viewer, refused=refused, noted=noted, hint=hint)[0].parts

    def whole(
        self, table: Table, viewer: Viewer, *, refused: str = "", noted: str = "", hint: Hint | None = None
    ) -> tuple[Picture, Layout]:
        """Return the same with the layout around it."""
        kept, here = self._keep(table, viewer), self._presence.attendance(table.setup)
        if refused or noted or hint is not None:
            model = kept.onlooker.see(table, self._presence, here, refused=refused, noted=noted, hint=hint)
            drawn = self._draw(kept, model)
        else:
            drawn = self._newest(table, viewer, kept, here)
        return replace(drawn, parts=_with_menu(drawn.parts, self._menu(kept))), kept.onlooker.layout

    def past(self, table: Table, viewer: Viewer, moment: Past = Past()) -> Html:  # noqa: B008 - frozen
        """Return a moment of a finished game as this viewer saw it. Nothing is cached."""
        kept = self._fresh(table, viewer)
        parts = self._draw(kept, kept.onlooker.see(table, self._presence, Attendance(), past=moment)).parts
        return html_of(_with_menu(parts, ""))

    def live(
        self,
        table: Table,
        viewer: Viewer,
        seen: int,
        hint: Hint | None = None,
        here: Attendance = Attendance(),  # noqa: B008 - frozen
        page: PageParts | None = None,
        changes: Sequence[str] = (),
        *,
        refused: str = "",
    ) -> LiveUpdate:
        """Return what is new for this page (None: it keeps nothing), with these changes of the setup in words and the
        sentences of everything after `seen`. Who is `here` attends. `refused`: what the page shows for them alone.
        """
        kept, now = self._keep(table, viewer), table.seq
        story, tr = kept.onlooker.story, kept.onlooker.tr
        if hint is None and not refused:
            drawn = self._newest(table, viewer, kept, here)
        else:
            drawn = self._draw(kept, kept.onlooker.see(table, self._presence, here, refused=refused, hint=hint))
        parts, asked = drawn.parts, drawn.asked
        page = PageParts() if page is None else page
        menu = "" if kept.menu in page else self._menu(kept)  # drawn only for a page that lacks it
        marks = marks_of(parts)
        if MENU in parts:
            marks[parts.index(MENU)] = kept.menu or 0
        asked_anew = asked is not None and table.question(asked) > seen
        if now - seen == 1:
            said = [*changes, *story.heard[-1][1]]
        else:
            heard = story.heard if now - seen <= len(story.heard) else public_story(table, tr, seen)
            said = [*changes, *(sentence for seq, some in heard if seq > seen for sentence in some)]
        if now > seen:
            said += story.private
        if hint is not None:
            said.append(hint_words(table, viewer.seat, hint, tr))
        if asked_anew:  # an alert of its own would interrupt the news
            said.append(story.turn_line)
        texts, order, words = page.take(_with_menu(parts, menu), marks, said)
        title, stage = page.around(drawn.title, table.phase) if texts or order else ("", "")
        return LiveUpdate(now, texts, asked is not None, order, title, stage, words)

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
        tr = translator_for(table, None if viewer.named else viewer.seat, viewer.lang, viewer.terms)
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
        tr = kept.onlooker.tr
        if model.aside is not None and model.aside is not kept.aside:
            kept.aside, kept.menu = model.aside, None
            kept.seating = Html(
                self._renderer.render("seating.html", tr, **asdict(model.layout) | model.aside.fields())
            )
        shown = model.fields()
        shown["seating"] = kept.seating
        return Picture(self._renderer.parts(kept.template, tr, shown), model.title, model.asked)

    def _menu(self, kept: _Kept) -> str:
        """Return the menu for the last picture."""
        if kept.aside is None:
            menu = ""
        else:
            shown = asdict(kept.onlooker.layout) | kept.aside.fields()
            menu = self._renderer.render("menu.html", kept.onlooker.tr, **shown)
        kept.menu = hash(menu)
        return menu


def _with_menu(parts: Parts, menu: str) -> Parts:
    if MENU not in parts:
        return parts
    at = parts.index(MENU)
    return (*parts[:at], menu, *parts[at + 1 :])


def marks_of(parts: Sequence[str]) -> list[int]:
    return list(map(hash, parts))
