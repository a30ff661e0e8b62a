"""A table before its game begins: who sits where, and what can be chosen."""

from typing import Any

from spieltisch.decks.library import Library
from spieltisch.i18n import Translator
from spieltisch.table.table import Table
from spieltisch.web.view import option_fields
from spieltisch.web.view.viewer import Viewer


def lobby(table: Table, viewer: Viewer, tr: Translator, library: Library, name: str) -> dict[str, Any]:
    """What `wait.html` shows besides the layout. `name`: what the viewer called themselves last."""
    setup, rules = table.setup, table.package.rules
    taken = sum(chair.kind != "free" for chair in setup.chairs)
    return {
        "me": viewer.seat,
        "screen": viewer.screen,
        "taken": taken,
        "most": rules.seats[-1],
        "solo": rules.seats[-1] == 1,
        "room_left": taken < rules.seats[-1],
        "can_add": len(setup.chairs) < rules.seats[-1],
        "can_remove": len(setup.chairs) > max(rules.seats[0], taken),
        "my_name": name if viewer.seat is None else setup.chairs[viewer.seat].name,
        "options": option_fields.fields(table.package, setup, tr, library, viewer.decks, viewer.made),
        "lacking": _lacking(rules.seats[0] - taken, tr),
        "start_note": _start_note(table, tr, viewer, taken),
        "stage": "waiting",
        **(_shown_to_all(table, tr, taken) if viewer.screen == "big" else {}),
    }


def _shown_to_all(table: Table, tr: Translator, taken: int) -> dict[str, Any]:
    """What a big screen says: who invites, how many are missing, what has to be done then."""
    setup, least = table.setup, table.package.rules.seats[0]
    host = next((i for i, chair in enumerate(setup.chairs) if chair.key and chair.key == setup.owner), None)
    name = None if host is None else tr.name(host)
    start_at = tr._("With {n} it can begin.").format(n=least)
    starter = tr._("The person who opened the table begins the game.")
    return {
        "host_seat": host,
        "missing": max(0, least - taken),
        "free": len(setup.chairs) - taken,
        "start_at": start_at,
        "starter": starter if name is None else tr._("{name} begins on their phone.").format(name=name),
    }


def _lacking(n: int, tr: Translator) -> str:
    """Why the game cannot begin yet; "" if it can."""
    if n <= 0:
        return ""
    return tr.ngettext("{n} person or bot is missing.", "{n} people or bots are missing.", n).format(n=n)


def _start_note(table: Table, tr: Translator, viewer: Viewer, taken: int) -> str:
    if viewer.owner:
        free = len(table.setup.chairs) - taken
        return tr._("Free seats are put away when the game begins.") if free else ""
    return tr._("The person who opened the table begins the game.")
