"""The one door out: whatever a browser or a program gets of a game passes here.

It takes a table and a seat (None: a spectator, a screen) and asks the table only for what that seat may have:
its view, its legal actions, its question. No state, no deck, no seed ever comes by; but for `truth`, when the
game is over.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from spieltisch.dice import FastDice
from spieltisch.game import Illegal, View, own_news
from spieltisch.games import GamePackage
from spieltisch.i18n import Terms, Translator
from spieltisch.protocols import Page, Section
from spieltisch.table.log import TableSetup
from spieltisch.table.replay import Past, Replay
from spieltisch.table.session import NewsEntry
from spieltisch.table.table import Table


def names_of(table: Table, tr: Translator) -> list[str]:
    """The seats' names; a chair without one is called by its number."""
    return [chair.name or tr._("Seat {n}").format(n=seat + 1) for seat, chair in enumerate(table.setup.chairs)]


def says_for(table: Table, seat: int | None, lang: str, terms: Terms = Terms()) -> Translator:  # noqa: B008 - frozen
    """The words for one seat at a table."""
    nameless = table.package.translator(lang, terms=terms)
    return Translator(nameless.catalog, lang, names_of(table, nameless), seat)


# -- what is told --------------------------------------------------------------------------------------------


def told(table: Table, tr: Translator, after: int) -> list[tuple[int, list[str]]]:
    """The sentences of every entry after `after` that is still remembered, oldest first, with its number."""
    if not table.news:
        return []
    page, public = table.package.page, table.view(None).public
    return [(entry.seq, _sentences(entry, page, public, tr)) for entry in table.news if entry.seq > after]


def _sentences(entry: NewsEntry, page: Page, public: Any, tr: Translator) -> list[str]:
    """What one entry told everybody, in words."""
    if entry.undo:
        return [tr._("The move was taken back.")]
    timed_out = entry.by == "clock" and entry.seat is not None
    said = [tr._("{name}: the time was up.").format(name=tr.name(entry.seat))] if timed_out else []
    return [*said, *(one for news in entry.news if (one := page.tell(news, public, tr)))]


def moved(old: TableSetup, new: TableSetup, tr: Translator) -> list[str]:
    """Who came to sit where since the plan was `old`, who has gone and who is back; that the game pauses or goes on."""
    said = []
    for seat, (was, now) in enumerate(zip(old.chairs, new.chairs, strict=False)):
        names = {"name": now.name or tr.name(seat), "old": was.name or tr.name(seat)}
        if now.kind == "person" and now.key != was.key:
            said.append(tr._("{name} now plays for {old}.").format_map(names))
        elif was.plays_itself and not now.plays_itself:
            said.append(tr._("{name} is back.").format_map(names))
        elif now.plays_itself and not was.plays_itself:
            said.append(tr._("A bot plays on for {name}.").format_map(names))
    if old.paused != new.paused:
        said.append(tr._("The game is paused.") if new.paused else tr._("The game goes on."))
    return said


def alone(view: View[Any, Any], package: GamePackage, tr: Translator) -> list[str]:
    """What was told this seat alone, in the last step."""
    return [one for news in own_news(view) if (one := package.page.tell(news, view.public, tr))]


# -- afterwards ----------------------------------------------------------------------------------------------


def highlights(replay: Replay, package: GamePackage) -> list[int]:
    """The steps of a finished game that brought something to light: its page's `highlights`."""
    kinds = package.page.highlights
    return [one.seq for one in replay.told if any(isinstance(news, kinds) for news in one.news)]


def hidden(past: Past, tr: Translator) -> Sequence[Section]:
    """What lay hidden at a moment of a finished game."""
    return past.package.page.hidden(past.state, tr)


# -- titles --------------------------------------------------------------------------------------------------


def stage_of(table: Table) -> str:
    """Which page a table needs: `waiting`, `playing` (also when it is over: moves can be taken back) or `closed`."""
    if table.setup.header is None:
        return table.setup.stage
    return "playing" if table.seq else "closed"


def asked(table: Table, seat: int | None) -> bool:
    """Whether this seat is to act and its own person plays."""
    return seat is not None and seat in table.to_act and not table.setup.chairs[seat].away


def headline(game: str, tr: Translator, *, mine: bool) -> str:
    """The title of the page: that it is one's turn, first of all."""
    return tr._("Your turn – {game}").format(game=game) if mine else f"{game} – Spieltisch"


# -- hints ---------------------------------------------------------------------------------------------------


def can_hint(table: Table, seat: int | None) -> bool:
    """Whether somebody may ask what the house's bot would do: in games for one, whose bot knows no more."""
    return seat is not None and len(table.setup.chairs) == 1 and table.package.bot.gives_hints and seat in table.to_act


class Hint(Struct, frozen=True):
    """What the room's bot would do, and how much of it is told: each of the room's `HINTS` steps tells more."""

    action: Any
    step: int


def hint(table: Table, seat: int | None, asked: int, step: int | None = None) -> Hint:
    """The action that the room's bot would take for this question; Illegal where none is given. `step` None: all."""
    last = table.package.page.hint_steps
    step = last if step is None else step
    if seat is None or not can_hint(table, seat) or table.question(seat) != asked or not 1 <= step <= last:
        raise Illegal("There is no hint for this.")
    view, legal, dice = table.view(seat), table.legal(seat), FastDice(table.seq)  # the same at every step
    return Hint(table.package.bot.choose(view, legal, dice, None), step)


def hinted(table: Table, seat: int | None, hint: Hint, tr: Translator) -> str:
    """What this step of the hint tells, in words; "" where the room's page shows it only."""
    if seat is None:
        return ""
    return table.package.page.hinted(table.view(seat), table.legal(seat), hint.action, hint.step, tr)


# -- for programs --------------------------------------------------------------------------------------------


class Seen(Struct, frozen=True):
    """A table as a program sees it from its seat (`seat` null: as a spectator).

    `question` is the number that an answer has to carry, `legal` what can be answered. Before the game has begun
    there is neither a view nor anything legal. `told` are sentences: of the entries after `after`. `revision` is raised
    with every change beside the game: somebody sat down, the game pauses.
    """

    table: str
    game: str
    stage: str
    seq: int
    revision: int
    seat: int | None
    question: int | None
    names: list[str]
    paused: bool
    to_act: list[int]
    legal: list[Any]
    view: Any
    result: Any
    told: list[str]


def seen(table: Table, seat: int | None, lang: str, after: int) -> Seen:
    """What a program gets: the same view, as JSON."""
    tr = says_for(table, seat, lang)
    names = names_of(table, tr)
    if not table.seq:
        stage = table.setup.stage
        rev = table.setup.rev
        return Seen(table.id, table.package.name, stage, 0, rev, seat, None, names, False, [], [], None, None, [])
    view = table.view(seat)
    return Seen(
        table=table.id,
        game=table.package.name,
        stage=table.setup.stage,
        seq=table.seq,
        revision=table.setup.rev,
        seat=seat,
        question=None if seat is None else table.question(seat),
        names=names,
        paused=table.setup.paused,
        to_act=list(table.to_act),
        legal=[] if seat is None else list(table.legal(seat)),
        view=view,
        result=table.result,
        told=[sentence for _, said in told(table, tr, after) for sentence in said]
        + (alone(view, table.package, tr) if table.seq > after else []),
    )
