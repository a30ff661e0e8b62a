"""The one door out: whatever a browser or a program gets of a game passes here.

It takes a table and a seat (None: a spectator, a screen) and asks the table only for what that seat may have:
its view, its legal actions, its question. No state, no deck, no seed ever comes by; but for `truth`, when the
game is over.
"""

from typing import Any

from msgspec import Struct

from spieltisch.dice import Quick
from spieltisch.game import Illegal, View
from spieltisch.games import Room
from spieltisch.table.log import Plan
from spieltisch.table.replay import Past, Replay
from spieltisch.table.running import Told
from spieltisch.table.table import Table
from spieltisch.web import plain, texts
from spieltisch.web.texts import Says, Terms


def page_of(room: Room) -> Any:
    """A room's `page` module, None if it has none."""
    return room.page


def names_of(table: Table, says: Says) -> list[str]:
    """The seats' names; a chair without one is called by its number."""
    return [chair.name or says._("Seat {n}").format(n=seat + 1) for seat, chair in enumerate(table.plan.chairs)]


def says_for(table: Table, seat: int | None, lang: str, terms: Terms = Terms()) -> Says:  # noqa: B008 - frozen
    """The words for one seat at a table."""
    words = texts.of(table.room, lang, terms)
    return Says(words, lang, names_of(table, Says(words, lang)), seat)


# -- what is told --------------------------------------------------------------------------------------------


def told(table: Table, says: Says, after: int) -> list[tuple[int, list[str]]]:
    """The sentences of every entry after `after` that is still remembered, oldest first, with its number."""
    tell = getattr(page_of(table.room), "tell", None)
    if tell is not None and table.news:
        says.public = table.view(None).public
    return [(entry.seq, _sentences(entry, says, tell)) for entry in table.news if entry.seq > after]


def _sentences(entry: Told, says: Says, tell: Any) -> list[str]:
    """What one entry told everybody, in words."""
    if entry.undo:
        return [says._("The move was taken back.")]
    timed_out = entry.by == "clock" and entry.seat is not None
    said = [says._("{name}: the time was up.").format(name=says.name(entry.seat))] if timed_out else []
    return said if tell is None else [*said, *(one for news in entry.news if (one := tell(news, says)))]


PHRASES = (
    "Hello!",
    "One moment, please.",
    "I am thinking.",
    "Nice move!",
    "I did not expect that.",
    "Are you sure?",
    "Hm …",
    "Ouch!",
    "Lucky!",
    "Well done!",
    "Once more?",
    "Thanks for the game!",
)


def phrases(room: Room) -> tuple[str, ...]:
    """The twelve things that can be said at this game's table; the house has some for any game."""
    return getattr(page_of(room), "PHRASES", PHRASES)


def moved(old: Plan, new: Plan, says: Says) -> list[str]:
    """Who came to sit where since the plan was `old`, who has gone and who is back; that the game pauses or goes on."""
    said = []
    for seat, (was, now) in enumerate(zip(old.chairs, new.chairs, strict=False)):
        names = {"name": now.name or says.name(seat), "old": was.name or says.name(seat)}
        if now.kind == "person" and now.key != was.key:
            said.append(says._("{name} now plays for {old}.").format_map(names))
        elif was.plays_itself and not now.plays_itself:
            said.append(says._("{name} is back.").format_map(names))
        elif now.plays_itself and not was.plays_itself:
            said.append(says._("A bot plays on for {name}.").format_map(names))
    if old.paused != new.paused:
        said.append(says._("The game is paused.") if new.paused else says._("The game goes on."))
    return said


def alone(view: View[Any, Any], room: Room, says: Says) -> list[str]:
    """What was told this seat alone, in the last step."""
    tell = getattr(page_of(room), "tell", None)
    own = getattr(view.own, "news", ())
    return [] if tell is None else [sentence for news in own if (sentence := tell(news, says))]


# -- afterwards ----------------------------------------------------------------------------------------------


def highlights(replay: Replay, room: Room) -> list[int]:
    """The steps of a finished game that brought something to light: what the room's page calls its HIGHLIGHTS."""
    kinds = getattr(page_of(room), "HIGHLIGHTS", ())
    return [one.seq for one in replay.told if any(isinstance(news, kinds) for news in one.news)]


def truth(past: Past, says: Says) -> list[dict[str, Any]]:
    """What lay hidden at a moment of a finished game: each a `title` and its `lines`."""
    told = getattr(page_of(past.room), "truth", None)
    state = past.state
    if told is not None:
        return told(state, says)
    rooms = [(says.name(seat), own) for seat, own in enumerate(state.own)]
    shown = [(name, plain.pairs(room, says)) for name, room in [*rooms, (says._("Hidden"), state.hidden)]]
    return [{"title": name, "lines": [f"{field}: {value}" for field, value in pairs]} for name, pairs in shown if pairs]


# -- titles --------------------------------------------------------------------------------------------------


def stage_of(table: Table) -> str:
    """Which page a table needs: `waiting`, `playing` (also when it is over: moves can be taken back) or `closed`."""
    if table.plan.header is None:
        return table.plan.stage
    return "playing" if table.seq else "closed"


def asked(table: Table, seat: int | None) -> bool:
    """Whether this seat is to act and its own person plays."""
    return seat is not None and seat in table.to_act and not table.plan.chairs[seat].away


def headline(game: str, says: Says, *, mine: bool) -> str:
    """The title of the page: that it is one's turn, first of all."""
    return says._("Your turn – {game}").format(game=game) if mine else f"{game} – Spieltisch"


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


class Hint(Struct, frozen=True):
    """What the room's bot would do, and how much of it is told: each of the room's `HINTS` steps tells more."""

    action: Any
    step: int


def hints(room: Room) -> int:
    """In how many steps this room tells a hint."""
    return getattr(page_of(room), "HINTS", 1)


def hint(table: Table, seat: int | None, asked: int, step: int | None = None) -> Hint:
    """The action that the room's bot would take for this question; Illegal where none is given. `step` None: all."""
    last = hints(table.room)
    step = last if step is None else step
    if seat is None or not can_hint(table, seat) or table.question(seat) != asked or not 1 <= step <= last:
        raise Illegal("There is no hint for this.")
    bot: Any = table.room.bot
    view, legal, dice = table.view(seat), table.legal(seat), Quick(table.seq)  # the same at every step
    return Hint(bot.choose(view, legal, dice, None), step)


def hinted(table: Table, seat: int | None, hint: Hint, says: Says) -> str:
    """What this step of the hint tells, in words; "" where the room's page shows it only."""
    words = getattr(page_of(table.room), "hinted", None)
    if words is None or seat is None:
        return ""
    return words(table.view(seat), table.legal(seat), hint.action, hint.step, says)


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
    says = says_for(table, seat, lang)
    names = names_of(table, says)
    if not table.seq:
        stage = table.plan.stage
        rev = table.plan.rev
        return Seen(table.id, table.room.name, stage, 0, rev, seat, None, names, False, [], [], None, None, [])
    view = table.view(seat)
    return Seen(
        table=table.id,
        game=table.room.name,
        stage=table.plan.stage,
        seq=table.seq,
        revision=table.plan.rev,
        seat=seat,
        question=None if seat is None else table.question(seat),
        names=names,
        paused=table.plan.paused,
        to_act=list(table.to_act),
        legal=[] if seat is None else list(table.legal(seat)),
        view=view,
        result=table.result,
        told=[sentence for _, said in told(table, says, after) for sentence in said]
        + (alone(view, table.room, says) if table.seq > after else []),
    )
