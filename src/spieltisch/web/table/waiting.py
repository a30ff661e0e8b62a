"""A table before its first game and between two games of an evening: who sits where, and what can be chosen."""

from spieltisch.decks.library import Library
from spieltisch.i18n import Translator
from spieltisch.table import evening, seat_keys
from spieltisch.table.evening import marks_of
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.table import Table
from spieltisch.web.core.view import option_fields, ways
from spieltisch.web.core.view.outcome import standings
from spieltisch.web.core.view.seats import lent_to
from spieltisch.web.core.view.viewer import Viewer


def lobby(table: Table, viewer: Viewer, tr: Translator, library: Library, name: str) -> dict[str, object]:
    """Return what `table/wait.html` shows besides the layout. `name`: what the viewer called themselves last."""
    setup, rules = table.setup, table.package.rules
    taken = sum(chair.kind != "free" for chair in setup.chairs)
    fields = option_fields.fields(table.package, setup, tr, library, viewer.decks, viewer.made)
    offered = ways.shown(table.package, setup, tr, library)
    return {
        "me": viewer.seat,
        "screen": viewer.screen,
        "taken": taken,
        "most": rules.seats[-1],
        "begins_first": rules.seats[-1] > 1 and table.package.page.first_seat_begins,
        "room_left": taken < rules.seats[-1],
        "free_seats": _free_seats(setup, rules.seats[-1]),
        "can_add": len(setup.chairs) < rules.seats[-1],
        "can_remove": len(setup.chairs) > max(rules.seats[0], taken),
        "my_name": name if viewer.seat is None else setup.chairs[viewer.seat].name,
        "unnamed": not name,
        "keeps": not viewer.mine and bool(seat_keys.returns_to(setup, viewer.key)),
        "lent": None if viewer.mine else lent_to(setup, viewer.key),
        "options": fields,
        "first": _first(table, tr) if setup.first and viewer.owner else None,
        "ways": offered,
        "own_mix": not any(way["chosen"] for way in offered),
        "how": ways.sentence(table.package, setup, offered, fields, tr, library) if offered else "",
        "decks": ways.deck_said(table.package, setup, tr, library),
        "lacking": _lacking(rules.seats[0] - taken, tr),
        "start_note": tr._("Free seats disappear when the game begins.") if taken < len(setup.chairs) else "",
        "stage": "waiting",
        **_host(table, tr),
        **(_shown_to_all(table, tr, taken) if viewer.screen == "big" else {}),
    }


def _first(table: Table, tr: Translator) -> dict[str, str] | None:
    """Return the question for somebody's first table of this game; None if there is none."""
    first = table.package.page.first_question
    if first is None:
        return None
    said = {"asks": tr._(first.asks), "yes": tr._(first.yes), "no": tr._(first.no)}
    return said | {"option": first.option, "value": first.value}


def _free_seats(setup: TableSetup, most: int) -> list[tuple[int, int]]:
    """Return the seats that newcomers can choose, with their marks; if all chairs are taken but there is room, the next
    one.
    """
    marks = marks_of((*setup.chairs, Chair()))
    free = [i for i, chair in enumerate(setup.chairs) if chair.kind == "free"]
    return [(i, marks[i]) for i in free or [*range(len(setup.chairs), most)][:1]]


def _host(table: Table, tr: Translator) -> dict[str, object]:
    """Say whose table it is, and who starts the game."""
    seat = next((i for i, chair in enumerate(table.setup.chairs) if chair.key and chair.key == table.setup.owner), None)
    if seat is None:
        starter = tr._("The person who opened the table starts the game.")
        return {"host_seat": None, "whose": tr._("Table {code}").format(code=table.id), "starter": starter}
    name = tr.name(seat)
    return {
        "host_seat": seat,
        "whose": tr._("{name}’s table").format(name=name),
        "starter": tr._("{name} starts the game.").format(name=name),
    }


def _shown_to_all(table: Table, tr: Translator, taken: int) -> dict[str, object]:
    """Return what a big screen says: how many are missing, and when it can begin."""
    setup, least = table.setup, table.package.rules.seats[0]
    return {
        "missing": max(0, least - taken),
        "free": len(setup.chairs) - taken,
        "start_at": tr._("{n} players are enough to begin.").format(n=least),
    }


def _lacking(n: int, tr: Translator) -> str:
    """Say why the game cannot begin yet; "" if it can."""
    if n <= 0:
        return ""
    return tr.ngettext("One more person or bot is needed.", "{n} more people or bots are needed.", n).format(n=n)


def countdown(table: Table, viewer: Viewer, tr: Translator) -> dict[str, object]:
    """Return what `table/next.html` shows besides the layout and the waiting room, during the countdown."""
    setup = table.setup
    wanted = setup.countdown
    assert wanted is not None
    own = wanted.seat in viewer.mine
    said = tr._("The next game is about to begin.") if own else tr._("{name} wants to play again.")
    begins = tr._("You begin.") if tr.me == 0 else tr._("{name} begins.").format(name=tr.name(0))
    won = standings([chair.wins for chair in setup.chairs], tr)
    chair = setup.chairs[viewer.mine[0]] if viewer.mine else None
    return {
        "asks": said.format(name=tr.name(wanted.seat)),
        "begins": begins if table.package.page.first_seat_begins else "",
        "so_far": tr._("So far: {tally}.").format(tally=won) if won else "",
        "clock": {"until": round(wanted.until, 3), "of": round(evening.SECONDS), "mine": True},
        "states": [_standing(one, tr) for one in setup.chairs],
        "out": [chair.left for chair in setup.chairs],
        "won": [chair.wins for chair in setup.chairs],
        "is_in": chair is not None and chair.ready,
        "lent": None if viewer.mine else lent_to(setup, viewer.key),
        "pauses": not viewer.mine and bool(seat_keys.returns_to(setup, viewer.key)),
        "last_game": setup.before,
    }


def _standing(chair: Chair, tr: Translator) -> str:
    """Return a label that fits behind a name and behind "You"."""
    if chair.kind == "bot":
        return tr._("bot, joining")
    if chair.left:
        return tr._("taking a break")
    if chair.away:
        return tr._("away, a bot plays on")
    if chair.ready:
        return tr._("joining")
    return tr._("undecided")
