"""A table before its game begins: who sits where, and what can be chosen."""

from typing import Any

from spieltisch.decks.library import Library
from spieltisch.i18n import Translator
from spieltisch.table import seat_keys
from spieltisch.table.evening import marks_of
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.table import Table
from spieltisch.web.view import option_fields, ways
from spieltisch.web.view.seats import lent_to
from spieltisch.web.view.viewer import Viewer


def lobby(table: Table, viewer: Viewer, tr: Translator, library: Library, name: str) -> dict[str, Any]:
    """What `wait.html` shows besides the layout. `name`: what the viewer called themselves last."""
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
        "start_note": tr._("Free seats are put away when the game begins.") if taken < len(setup.chairs) else "",
        "stage": "waiting",
        **_host(table, tr),
        **(_shown_to_all(table, tr, taken) if viewer.screen == "big" else {}),
    }


def _first(table: Table, tr: Translator) -> dict[str, str] | None:
    """What is asked of who has never had a table of this game; None where nothing is."""
    first = table.package.page.first_question
    if first is None:
        return None
    said = {"asks": tr._(first.asks), "yes": tr._(first.yes), "no": tr._(first.no)}
    return said | {"option": first.option, "value": first.value}


def _free_seats(setup: TableSetup, most: int) -> list[tuple[int, int]]:
    """The seats that whoever comes can choose, with their marks; where each chair is taken but there is room, the one
    that is added.
    """
    marks = marks_of((*setup.chairs, Chair()))
    free = [i for i, chair in enumerate(setup.chairs) if chair.kind == "free"]
    return [(i, marks[i]) for i in free or [*range(len(setup.chairs), most)][:1]]


def _host(table: Table, tr: Translator) -> dict[str, Any]:
    """Whose table it is, and who begins the game: who opened it, where they sit."""
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


def _shown_to_all(table: Table, tr: Translator, taken: int) -> dict[str, Any]:
    """What a big screen says: how many are missing, what has to be done then."""
    setup, least = table.setup, table.package.rules.seats[0]
    return {
        "missing": max(0, least - taken),
        "free": len(setup.chairs) - taken,
        "start_at": tr._("With {n} it can begin.").format(n=least),
    }


def _lacking(n: int, tr: Translator) -> str:
    """Why the game cannot begin yet; "" if it can."""
    if n <= 0:
        return ""
    return tr.ngettext("{n} person or bot is missing.", "{n} people or bots are missing.", n).format(n=n)
