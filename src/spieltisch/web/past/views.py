"""Draws finished games: replays, reviews, stories, the slides of a class; and scripted ones to learn from.

The only module of the web that may touch a State: what lay hidden is shown when a game is over.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from spieltisch import games as games_
from spieltisch.classroom.counts import LessonGame, shown
from spieltisch.game import HasNews, Invalid
from spieltisch.i18n import Terms, Translator, bind_dashes
from spieltisch.package import ClassGame, FinishedGame, GamePage, Note, Package
from spieltisch.table import evening
from spieltisch.table.analysis import Unknown
from spieltisch.table.lesson import Lesson
from spieltisch.table.log import Entry, EntryNews, LookBack
from spieltisch.table.replay import Replay
from spieltisch.table.table import Table
from spieltisch.web.core import catalog
from spieltisch.web.core.http.client import Client
from spieltisch.web.core.picture_cache import PictureCache
from spieltisch.web.core.renderer import Html, Renderer, own_file, pieces_of
from spieltisch.web.core.view.fragments import FragmentCache
from spieltisch.web.core.view.layout import layout
from spieltisch.web.core.view.outcome import headline, private_story, public_story, several
from spieltisch.web.core.view.table_model import Led, LessonStep, Past
from spieltisch.web.core.view.viewer import Viewer, names_of, translator_for
from spieltisch.web.past.picture import picture


class Role(Struct, frozen=True):
    """What somebody may do while all look back: step, try other moves, take the lead."""

    leads: bool = False
    sits: bool = False
    can_lead: bool = False


LEARNER = 0  # the seat of who takes a lesson
PICTURES = 64  # for several languages and roles, of several tables
WIDE = 1000  # of the drawing with the marks above the slider
CROWDED = 120  # so many steps are not marked one by one


class PastViews:
    """Draws games that are over."""

    def __init__(self, renderer: Renderer, fragments: FragmentCache) -> None:
        self._renderer = renderer
        self._fragments = fragments
        self.pictures: PictureCache[bytes] = PictureCache(PICTURES)  # of what all look back at together

    def replay(
        self, game: Replay, step: int, seat: int | None, client: Client, *, whole: bool = True, follow: bool = False
    ) -> str:
        """Draw one step (from 1) of a finished game as this seat saw it; `seat` None: everything open. `whole` False:
        only what changes with a step, for the page's script. `follow`: others look back at it together.
        """
        past = game.at(step)
        package = past.package
        viewer = Viewer(seat, client.lang, origin=client.origin, terms=client.terms)
        tr = translator_for(past, seat, viewer.lang, viewer.terms)
        truth = package.page.hidden(past.state, tr) if seat is None else []
        said = public_story(past, tr, step - 1)
        marked = _marked(game.news, package.page)
        return self._renderer.render(
            "past/replay.html" if whole else "past/replaybar.html",
            tr,
            **asdict(layout(self._renderer, past, viewer, tr)),
            fragment=self._fragments.past(past, viewer, Past(truth=truth)),
            title=tr._("Replay – {game}").format(game=catalog.title(package, tr)),
            step=step,
            steps=len(game),
            seat=seat,
            as_seen=_as_seen(past, seat, tr),
            follow=follow,
            said=[*(said[-1][1] if said else []), *private_story(past.view(seat), package, tr)],
            moves=_moves(step, len(game), marked),
            ticks=_ticks(len(game), marked),
        )

    def together(
        self,
        table: Table,
        game: Replay,
        look: LookBack,
        viewer: Viewer,
        role: Role,
        *,
        whole: bool = True,
    ) -> str:
        """Draw the moment that all look back at together, as all with this `role` see it. A big screen shows what
        everybody could see. `whole` False: only what changes, for the page's script.
        """
        forked, big = look.tried is not None, viewer.screen == "big"
        past = game.at(look.step) if look.tried is None else game.what_if(look.step, look.tried)
        asked = past.to_act[0] if forked and past.to_act else None
        seat, page = asked if forked else look.seat, past.package.page
        eyes = replace(viewer, seat=None if big else seat, named=True)
        tr = translator_for(past, None, eyes.lang, eyes.terms)
        moves = role.sits and asked is not None and not big
        where, led = _where(look, len(game), tr), _leads(table, look, tr)
        whose = "" if asked is None else _asked(past, asked, tr)
        news, marked = past.news_after(past.seq - 1), _marked(game.news, page)
        tells = past.result is not None or past.seq == 1 or bool(_marked(news, page))
        moment = Past(
            legal=list(past.legal(asked)) if moves and asked is not None else [],
            my_turn=moves,
            truth=page.hidden(past.state, tr) if eyes.seat is None and not big and not forked else [],
            url=Html(f"{self._renderer.base}/t/{table.id}/together") if forked else "",
            led=Led(where, whose if forked else led, forked, tells) if big else None,
        )
        said = public_story(past, tr, past.seq - 1)
        return self._renderer.render(
            "past/together.html" if whole else "past/togethernow.html",
            tr,
            **asdict(layout(self._renderer, past, eyes, tr))
            | {
                "fragment": self._fragments.past(past, eyes, moment),
                "title": tr._("Looking back together – {game}").format(game=catalog.title(past.package, tr)),
                "table_url": Html(f"{self._renderer.base}/t/{table.id}"),
                "screen": viewer.screen,
                "role": role,
                "where": where,
                "led": led,
                "asked": whose,
                "as_seen": _as_seen(past, look.seat, tr),
                "step": look.step,
                "steps": len(game),
                "seat": look.seat,
                "forked": forked,
                "tried": look.tried,
                "said": said[-1][1] if said else [],
                "moves": _moves(look.step, len(game), marked),
                "ticks": _ticks(len(game), marked),
            },
        )

    def review(
        self,
        table: Table,
        games: Sequence[Replay],
        thoughts: Sequence[object] | Unknown,
        viewer: Viewer,
        move: int | None = None,
    ) -> str:
        """Draw the review of a finished game and the rematches before it, the newest first.

        Unknown thoughts: the page says that the review is not ready. `move` (from 1): the one whose board is shown;
        None: the one that the review begins with. Raises Invalid if there is no such move.
        """
        package = table.package
        tr = translator_for(table, viewer.seat, viewer.lang, viewer.terms)
        shown: dict[str, object] = {
            "heading": bind_dashes(tr._("Looking back – {game}").format(game=catalog.title(package, tr))),
            "url": Html(f"{self._renderer.base}/t/{table.id}"),
            "names": names_of(table, tr),
            "mine": viewer.seat is not None,
            "own_css": own_file(package, "static", "style.css"),
        }
        if isinstance(thoughts, Unknown):
            return self._renderer.render("past/pending.html", tr, **shown)
        chairs = table.setup.chairs
        finished = [
            FinishedGame(game.at(1).state, _news(game), evening.sat_before(chairs, game.at(1).setup.chairs))
            for game in games
        ]
        said: dict[str, Any] = package.page.review(finished, len(chairs), thoughts, tr)
        if moments := said.get("moments"):
            shown |= self._moment(games[0], moments, said["start"] if move is None else move, viewer)
        return self._renderer.render(f"{package.folder.name}/review.html", tr, **(shown | said))

    def _moment(
        self, game: Replay, moments: Sequence[Mapping[str, Any]], move: int, viewer: Viewer
    ) -> dict[str, object]:
        """Return the board before a move, and the moves to go to."""
        if not 1 <= move <= len(moments):
            raise Invalid("This game has {last} moves. Choose one from 1 to {last}.", last=len(moments))
        look = moments[move - 1]
        past = game.at(look["step"])
        watcher = Viewer(viewer.seat, viewer.lang, origin=viewer.origin, terms=viewer.terms)
        tr = translator_for(past, watcher.seat, watcher.lang, watcher.terms)
        board = self._fragments.past(past, watcher, Past(look=look, looks=len(moments)))
        return asdict(layout(self._renderer, past, watcher, tr)) | {
            "look": look,
            "board": board,
            "links": _moves(move, len(moments), []),
        }

    def debrief(
        self, games: Sequence[LessonGame], worst: Sequence[Mapping[str, Any]], tr: Translator
    ) -> list[dict[str, object]]:
        """Return the slides of a class that looks back: tables of each game, then the most missed cards of
        its report.
        """
        by_package: dict[Package, list[ClassGame[HasNews, Struct, Struct, Struct]]] = {}
        for one, decisions in zip(games, shown(games), strict=True):
            if one.table:  # those that were put away have no number
                number = one.setup.number
                name = str(one.table) if number == 1 else f"{one.table} ({number})"
                finished = FinishedGame(one.game.at(1).state, _news(one.game))
                by_package.setdefault(one.game.at(1).package, []).append(ClassGame(name, finished, decisions))
        slides: list[dict[str, object]] = []
        taken: dict[str, Sequence[tuple[str, int, bool]]] = {}
        for package, played in by_package.items():
            made = package.page.debrief(played, package.translator(tr.lang))
            slides += [{"box": catalog.box(package, tr), "grid": grid, "card": None} for grid in made.grids]
            taken |= made.taken
        for card in worst:
            box = catalog.box(games_.package(card["game"]), tr)
            slides.append({"box": box, "grid": None, "card": {**card, "taken": taken.get(card["card"], ())}})
        return slides

    def stories(self, table: Table, game: Replay, viewer: Viewer) -> str:
        """Draw what is told after a game: awards, a line for each seat, and a text for others that keeps its
        secrets.
        """
        package, seats = table.package, len(table.setup.chairs)
        tr, nobody = (translator_for(table, seat, viewer.lang, viewer.terms) for seat in (viewer.seat, None))
        finished = FinishedGame(game.at(1).state, _news(game))
        told, names = package.page.stories(finished, seats, tr), names_of(table, tr)
        marks = self._renderer.pieces(tr, pieces_of(package))

        def you(seat: int) -> str:
            return tr._("You") if seat == tr.me else names[seat]

        def together(seats: Sequence[int]) -> str:
            return several([you(seat) for seat in sorted(seats, key=lambda seat: seat != tr.me)], tr)

        said = [
            nobody._("{title}: {name}, {words}.").format(
                title=one.title, name=several([names[seat] for seat in one.seats], tr), words=one.words
            )
            for one in told.awards
            if one.shared
        ]
        return self._renderer.render(
            "past/stories.html",
            tr,
            heading=headline(table, tr),
            url=Html(f"{self._renderer.base}/t/{table.id}"),
            awards=[
                {
                    "title": one.title,
                    "marks": marks.row("mark", [(tr.mark(seat), names[seat], False) for seat in one.seats]),
                    "names": together(one.seats),
                    "words": one.words,
                }
                for one in told.awards
            ],
            lines=[
                {"mark": marks.piece("mark", tr.mark(seat), names[seat], True), "name": you(seat), "words": line}
                for seat, line in enumerate(told.lines)
            ],
            file=f"spieltisch-{package.name}.png",
            text=" ".join([nobody.labelled(catalog.title(package, tr), headline(table, nobody)), *said]),
        )

    def picture(self, table: Table, game: Replay, client: Client) -> str:
        """Draw how a game ended, as an SVG that is the same for everybody."""
        nobody = translator_for(table, None, client.lang, client.terms)
        told = table.package.page.stories(FinishedGame(game.at(1).state, _news(game)), len(table.setup.chairs), nobody)
        return self._renderer.render("past/picture.svg", nobody, **picture(table, told, nobody))

    def lesson(
        self, package: Package, lesson: Lesson, step: int, client: Client, refused: str = "", hint: int = 0
    ) -> str:
        """Draw a moment of a scripted game that waits for the next move. `hint`: how much of that move it tells."""
        table, awaited = lesson.game.at(step), lesson.awaited(step)
        mine, alone = lesson.awaits(step, LEARNER), len(table.setup.chairs) == 1
        viewer = Viewer(LEARNER, client.lang, terms=client.terms)
        tr = translator_for(table, LEARNER, viewer.lang, viewer.terms)
        words, usual = lesson.said[step - 1], package.translator(viewer.lang)
        url = f"{self._renderer.base}/learn/{package.name}"
        moment = Past(
            legal=list(table.legal(LEARNER)) if mine else [],
            my_turn=mine,
            refused=refused,
            url=Html(f"{url}/{step}"),
            **_hinted(package, table, tr, awaited, hint if mine else 0),
            lesson=LessonStep(
                step=step,
                steps=len(lesson.game),
                words=package.page.retold(usual._(words), usual, tr) if words else "",
                hint=Html(f"{url}/{step}?hint={min(hint + 1, package.page.hint_steps)}") if mine and alone else "",
                undo=Html(f"{url}/{step - 1}") if step > 1 and alone else "",
                back=Html(f"{url}/{step - 1}") if step > 1 else "",
                on="" if mine or awaited is None else Html(f"{url}/{step + 1}"),
                over=awaited is None,
            ),
        )
        shown = asdict(layout(self._renderer, table, viewer, tr)) | {
            "fragment": self._fragments.past(table, viewer, moment),
            "title": tr._("First game: {game}").format(game=catalog.title(package, tr)),
        }
        return self._renderer.render("past/lesson.html", tr, **shown)


def _hinted(package: Package, table: Table, tr: Translator, awaited: Entry | None, step: int) -> dict[str, Any]:
    """Return what a table shows of a hint at the awaited move."""
    if awaited is None or not step:
        return {}
    assert isinstance(awaited.action, Struct)
    words = package.page.hinted(table.view(LEARNER), table.legal(LEARNER), awaited.action, step, tr)
    return {"hint": awaited.action, "hint_step": step, "hinted": words}


def missed(table: Table, game: Replay, seat: int, lang: str, terms: Terms) -> Sequence[Note]:
    """Return what this seat missed in a finished game, as notes to be learned."""
    tr = translator_for(table, seat, lang, terms)
    return table.package.page.missed(game.at(len(game)).state, _news(game), seat, tr)


def claims(table: Table, game: Replay, seat: int) -> list[bool]:
    """Return of each claim of a seat in a finished game whether it was right."""
    decisions = table.package.page.decisions(FinishedGame(game.at(1).state, _news(game)))
    return [one.right for one in decisions if one.seat == seat and one.deed != "passed"]


def mistakes(table: Table, game: Replay, seat: int, thoughts: Sequence[object]) -> Sequence[str]:
    """Return what a seat got wrong in a finished game: see `Page.mistakes`."""
    finished = FinishedGame(game.at(1).state, _news(game))
    return table.package.page.mistakes(finished, seat, thoughts, lambda move: game.at(move + 1).state.public)


def claimed(table: Table, game: Replay, seat: int, lang: str) -> dict[str, str]:
    """Return what a seat claimed in a finished game: a sentence, and a mark for each claim."""
    return told(claims(table, game, seat), translator_for(table, seat, lang))


def told(right: Sequence[bool], tr: Translator) -> dict[str, str]:
    """Return claims as a sentence, and as a mark for each."""
    words = tr._("Right {n} times out of {m}.").format(n=sum(right), m=len(right))
    return {"words": words, "marks": "".join("✓" if one else "✗" for one in right)}


def bots_thoughts(table: Table, game: Replay, beliefs: Mapping[int, object]) -> list[object]:
    """Return what the bots thought at their moves, if the game's bot can tell. `beliefs`: by seat."""
    package = table.package
    levels = [package.level(one.level) if one.kind == "bot" else "" for one in table.setup.chairs]
    among = {seat: held and package.beliefs.among(held, levels) for seat, held in beliefs.items()}
    found = [
        package.bot.explain(game.at(step).view(entry.seat), entry.action, among[entry.seat])
        for step, entry in enumerate(game.entries)
        if entry.by == "bot" and entry.seat is not None and isinstance(entry.action, Struct)
    ]
    return [thought for thought in found if thought is not None]


def _news(game: Replay) -> list[Struct]:
    """Return the news of all entries, in order."""
    return [one for entry in game.news for one in entry.news]


def _marked(news: Iterable[EntryNews], page: GamePage) -> list[int]:
    """Return the steps at which something came to light."""
    return [one.seq for one in news if page.is_marked(one.news)]


def _where(look: LookBack, steps: int, tr: Translator) -> str:
    """Return which step all look at, and how many other moves they tried from there."""
    step, tried = tr._("Step {n} of {m}").format(n=look.step, m=steps), len(look.tried or ())
    if not tried:
        return step
    return tr.ngettext("{step}, then {n} other move", "{step}, then {n} other moves", tried).format(step=step, n=tried)


def _leads(table: Table, look: LookBack, tr: Translator) -> str:
    names = zip(names_of(table, tr), table.setup.chairs, strict=True)
    leader = next((name for name, chair in names if chair.key == look.leads), "")
    if not leader:
        return tr._("The person who opened the table leads the look back.")
    return tr._("{name} leads the look back.").format(name=leader)


def _as_seen(past: Table, seat: int | None, tr: Translator) -> str:
    return (
        tr._("Everything lies open.")
        if seat is None
        else tr._("As {name} saw it.").format(name=names_of(past, tr)[seat])
    )


def _asked(past: Table, seat: int, tr: Translator) -> str:
    """Return who makes the next move of a fork."""
    name = names_of(past, tr)[seat]
    contest = past.is_contest(seat)
    return tr._("Waiting for {names}.").format(names=name) if contest else tr._("{name}’s turn.").format(name=name)


def _moves(now: int, last: int, marked: list[int]) -> dict[str, int]:
    """Return where the buttons lead, without those that lead nowhere."""
    onward = next((step for step in marked if step > now), 0)
    found = {"first": 1, "back": now - 1, "on": now + 1, "next": onward, "last": last}
    return {name: step for name, step in found.items() if 1 <= step <= last and step != now}


def _ticks(last: int, marked: list[int]) -> list[dict[str, object]]:
    """Return the marks above the slider: a short one for each step, long ones where something came to light and at the
    end.
    """
    steps = range(1, last + 1) if last <= CROWDED else sorted({*marked, last})
    kinds = {**dict.fromkeys(marked, "d"), last: "w"}
    return [{"x": round(WIDE * (step - 1) / max(1, last - 1)), "kind": kinds.get(step, "")} for step in steps]
