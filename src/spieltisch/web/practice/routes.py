"""Practising what went wrong: what to take from a finished game, and a task about one card of the device's list.

The list never comes here as a whole. The page sends the card that is due, with the days on which it was tried; the
server draws the task from these alone, so it draws the same one again when the answer comes, and keeps nothing.
"""

import datetime as dt
import hashlib
import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, SkipValidation
from msgspec import Struct

from spieltisch import games
from spieltisch.classroom.slips import TASKS
from spieltisch.decks.exporting.objectives import Card, decks_of, told
from spieltisch.decks.library import Library
from spieltisch.decks.tasks import Task
from spieltisch.game import Invalid
from spieltisch.i18n import Translator
from spieltisch.package import Package
from spieltisch.table.analysis import Unknown
from spieltisch.table.replay import Replay
from spieltisch.table.table import Table
from spieltisch.web.core import catalog, tasks
from spieltisch.web.core.http.client import Client, HttpRequest
from spieltisch.web.core.http.forms import Fields, field, is_number, read_form
from spieltisch.web.core.http.problems import Busy, Forbidden
from spieltisch.web.core.http.responses import page
from spieltisch.web.core.inject import ClientHere, ServicesHere, TableHere
from spieltisch.web.core.renderer import Html
from spieltisch.web.core.services import Services
from spieltisch.web.core.tasks import package_of
from spieltisch.web.practice import spacing
from spieltisch.web.practice.spacing import Try, Went

# What a seat got wrong in a finished game, by what the analysis thinks of it: `past.views.mistakes`.
Mistakes = Callable[[Table, Replay, int, Sequence[object]], Sequence[str]]
MistakesHere: TypeAlias = NamedDependency[SkipValidation[Mistakes]]
A_DAY = TASKS["warm-up"]  # tasks, as many as a class has in five minutes
LONGEST = 80  # characters of a deck's or a card's name
TRIES = 100  # of a card that count
YEARS = range(2000, 2200)  # a device's clock may be wrong
DRAWS = 5  # until a task differs from the one before


class Entry(Struct, frozen=True):
    """A card of a device's list, on the device's day."""

    deck: str
    card: str
    tries: tuple[Try, ...]
    day: dt.date


class Answered(Struct, frozen=True, omit_defaults=True):
    """What the page gets: what it shows, and what it writes into its list. `gone`: the card leaves the list."""

    html: str
    went: Went | None = None
    due: dt.date | None = None
    gone: bool = False


@get("/practice", name="practice")
async def practice(services: ServicesHere, client: ClientHere) -> Response[object]:
    """Show the page that asks what is due."""

    def puzzle(package: Package) -> dict[str, object] | None:
        if (kind := package.decks) is None or not kind.puzzle:
            return None
        asks = package.translator(client.lang)._(kind.puzzle)
        return {"box": catalog.box(package, client.tr), "deck": kind.puzzle_deck, "title": asks}

    puzzles = [one for one in catalog.of_each(games.packages().values(), puzzle) if one is not None]
    html = services.renderer.render(
        "practice/practice.html", client.tr, heading=client.tr._("Still to practise"), back=client.path,
        own_css="practice/practice.css", own_js="practice/practice.js", most=A_DAY,
        puzzles=puzzles,
    )  # fmt: skip
    return page(html)


@post("/practice", name="practise", status_code=200)
async def practise(request: HttpRequest, services: ServicesHere, client: ClientHere) -> Response[object]:
    """Ask about a card of the device's list, or tell what came of the answer. Raises Invalid for no such entry."""
    services.limits.require("hint", client.address)
    fields = await read_form(request)
    entry = _entry(fields)
    task = await _task(services, client, entry) if await _is_open(services, client, entry.deck) else None
    if task is None:
        return Response(Answered(services.renderer.render("practice/gone.html", client.tr), gone=True))
    mark, choice, first = _mark(task), field(fields, "choice"), field(fields, "first")
    if not choice:
        return Response(Answered(await _asked(services, client.tr, task)))
    if mark != field(fields, "mark"):
        return Response(Answered(await _asked(services, client.tr, task, changed=True)))
    answer, before = _choice(task, choice), _choice(task, first) if first else None
    if answer not in task.right and before is None and task.choices > 2:
        return Response(Answered(await _asked(services, client.tr, task, out=answer)))
    went: Went = 1 if answer not in task.right else 3 if before is None else 2
    solved = not entry.tries and went > 1  # a puzzle of the day, which is on no list
    due = None if solved else spacing.due([*entry.tries, (entry.day, went)])
    return Response(Answered(await _told(services, client.tr, task, answer, entry.day, due), went, due))


@get("/t/{code:str}/practice", name="practise-game")
async def of_game(
    services: ServicesHere, client: ClientHere, table: TableHere, mistakes: MistakesHere, seat: FromQuery[str] = ""
) -> Response[object]:
    """Show what one of this browser's seats got wrong in a finished game; the page's script puts it on the list.
    Raises Forbidden without such a seat.
    """
    mine = {str(own): own for own in services.actor(client, table.id).seats(table.setup)}
    if not mine or (seat and seat not in mine):
        raise Forbidden("You have no seat at this table.")
    game, package = await services.host.replay(table.id), table.package
    thoughts: Sequence[object] | Unknown = ()
    if package.analysis.available:
        thoughts = await services.analysis.look_back(package, await services.host.record(table.id))
    known = not isinstance(thoughts, Unknown)
    cards = mistakes(table, game, mine[seat or next(iter(mine))], thoughts) if known else ()
    library = services.host.library
    decks = await library.reading(lambda: decks_of(library, game.deck, cards))
    is_open = {deck: await _is_open(services, client, deck) for deck in {*decks.values()}}
    found = await library.reading(lambda: _found(library, [(decks[one], one) for one in cards if is_open[decks[one]]]))
    tr = client.tr
    html = services.renderer.render(
        "practice/game.html", tr, heading=tr._("Still to practise"), back="", box=catalog.box(table.package, tr),
        url=Html(services.url(f"/t/{table.id}")), at=round(table.setup.touched), game=package.name, known=known,
        cards=[
            {"front": one.front.spoken(tr.lang), "back": one.back[tr.lang], "latin": one.latin}
            for *_, one in found if one
        ],
        entries=msgspec.json.encode([(deck, card) for deck, card, _ in found]).decode(), count=len(found),
        own_css="practice/practice.css", own_js="practice/practice.js",
    )  # fmt: skip
    return page(html, 200 if known else 202)


def _found(library: Library, cards: Sequence[tuple[str, str]]) -> list[tuple[str, str, Card | None]]:
    """Return those of these cards that can be asked about, with what is on them; and moments, which are no cards."""
    known = {deck: told(library, deck, [card for of, card in cards if of == deck]) for deck, _ in cards}
    return [
        (deck, card, known[deck].get(card))
        for deck, card in cards
        if card not in known[deck] or library.ask(task_of, (deck,), card, 0) is not None
    ]


async def _task(services: Services, client: Client, entry: Entry) -> Task | None:
    """Return the task about an entry, None if nothing can be asked. Raises Busy if that takes too long."""
    library, n = services.host.library, len(entry.tries)
    task = await library.answer(task_of, (entry.deck,), entry.card, n)
    if task is not None:
        return task
    kind = await library.answer(_kind_of, (entry.deck,))
    services.limits.require("label", client.address)
    found = None if not kind else await services.analysis.task(package_of(kind), entry.card, f"{entry.card}/{n}")
    if isinstance(found, Unknown):
        raise Busy("The server is busy. Please try again in a moment.")
    return found


def _kind_of(library: Library, names: Sequence[str]) -> str:
    try:
        found = library.read(names[0])
    except Invalid:
        return ""
    return "" if found is None else found[0].name


def task_of(library: Library, names: Sequence[str], card: str, n: int) -> Task | None:
    """Return the task about a card that was tried `n` times, among other cards than the last time; None where there is
    nothing to be asked. A question: see `decks.library`.
    """
    try:
        found = library.read(names[0])
    except Invalid:
        return None  # a deck that cannot be played with any more
    if found is None:
        return None
    kind, deck = found

    def drawn(*seed: object) -> Task | None:
        return kind.task(deck, names[0], card, random.Random("/".join(map(str, (*names, card, *seed)))))  # noqa: S311 - no secret

    before, task = drawn(n - 1) if n else None, drawn(n)
    for draw in range(1, DRAWS):
        if task is None or task != before:
            break
        task = drawn(n, draw)
    return task


def _entry(fields: Fields) -> Entry:
    """Return the entry that a form has. Raises Invalid where it is none."""
    deck, card = field(fields, "deck"), field(fields, "card")
    try:
        tries = msgspec.json.decode(field(fields, "tries", "[]"), type=tuple[Try, ...])
        day = dt.date.fromisoformat(field(fields, "day"))
    except (ValueError, RecursionError):
        raise Invalid("This entry of your list can’t be read.") from None
    fits = 0 < len(deck) <= LONGEST and 0 < len(card) <= LONGEST and len(tries) <= TRIES
    if not fits or not all(one.year in YEARS for one in (day, *(tried for tried, _ in tries))):
        raise Invalid("This entry of your list can’t be read.")
    return Entry(deck, card, tries, day)


def _choice(task: Task, said: str) -> int:
    if not (is_number(said, 2) and int(said) < task.choices):
        raise Invalid("This is not one of the choices.")
    return int(said)


def _mark(task: Task) -> str:
    """Return what tells this task from another one about the same card, and nothing of what is right."""
    return hashlib.sha256(msgspec.json.encode((task.kind, task.shown, task.choices))).hexdigest()[:12]


async def _is_open(services: Services, client: Client, deck: str) -> bool:
    """Whether there is this deck, and this browser may know its cards. Guessing names is limited."""
    decks = services.host.library
    try:
        decks.path(deck)
        if deck in services.deck_keys.opened(client.cookies, decks).readable:
            return True
        if not await decks.reading(lambda: decks.is_private(deck)):
            return True
    except Invalid:
        pass
    services.guesses.require(client.address)
    return False


async def _asked(
    services: Services, tr: Translator, task: Task, *, out: int | None = None, changed: bool = False
) -> str:
    """Draw a task. `out`: an answer that was wrong; `changed`: it is not the one that was answered."""
    library = services.host.library
    shown = await library.reading(lambda: tasks.asked(task, library, tr))
    return services.renderer.render("practice/asked.html", tr, task=shown, mark=_mark(task), out=out, changed=changed)


async def _told(services: Services, tr: Translator, task: Task, answer: int, day: dt.date, due: dt.date | None) -> str:
    """Draw what came of an answer, and when the card comes back."""
    library = services.host.library
    last = await library.reading(lambda: tasks.told(task, answer, library, tr))
    days = 0 if due is None else (due - day).days
    if due is None:
        back = ""
    elif days <= 1:
        back = tr._("It comes back tomorrow.")
    else:
        back = tr.ngettext("It comes back in {n} day.", "It comes back in {n} days.", days).format(n=days)
    return services.renderer.render("practice/told.html", tr, last=last, back=back)


HANDLERS = [practice, practise, of_game]
