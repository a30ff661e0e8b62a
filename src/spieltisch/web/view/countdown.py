"""Between two games of an evening: who wants the next one, who plays in it, and when it begins."""

from typing import Any

from spieltisch.i18n import Translator
from spieltisch.table import evening, seat_keys
from spieltisch.table.log import Chair
from spieltisch.table.table import Table
from spieltisch.web.view.outcome import standings
from spieltisch.web.view.seats import lent_to
from spieltisch.web.view.viewer import Viewer


def countdown(table: Table, viewer: Viewer, tr: Translator) -> dict[str, Any]:
    """What `next.html` shows besides the layout and the lobby, while the game is about to begin by itself."""
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
        "states": [_state(one, tr, own=seat == tr.me) for seat, one in enumerate(setup.chairs)],
        "out": [chair.left for chair in setup.chairs],
        "won": [chair.wins for chair in setup.chairs],
        "is_in": chair is not None and chair.ready,
        "lent": None if viewer.mine else lent_to(setup, viewer.key),
        "pauses": not viewer.mine and bool(seat_keys.returns_to(setup, viewer.key)),
        "last_game": setup.before,
    }


def _state(chair: Chair, tr: Translator, *, own: bool) -> str:
    """What stands behind a name, or behind "You"."""
    if chair.kind == "bot":
        return tr._("Bot, is in")
    if chair.left:
        return tr._("are pausing") if own else tr._("is pausing")
    if chair.away:
        return tr._("away, a bot plays on")
    if chair.ready:
        return tr._("are in") if own else tr._("is in")
    return tr._("are thinking") if own else tr._("is thinking")
