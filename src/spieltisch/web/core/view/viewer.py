"""Who looks at a table, and the translator that speaks to them."""

from typing import Literal

from msgspec import Struct

from spieltisch.i18n import Terms, Translator
from spieltisch.table import seat_keys
from spieltisch.table.evening import marks_of
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import viewpoint
from spieltisch.web.core.access.actor import Actor

Screen = Literal["", "small", "big"]  # none; narrower than 1000 px, drawn like a phone; a television


class Viewer(Struct, frozen=True, cache_hash=True):
    """What a table's page depends on besides the table. `seat` is None for spectators and screens."""

    seat: int | None
    lang: str
    screen: Screen = ""
    owner: bool = False
    origin: str = ""  # scheme and host of the viewer's address bar
    key: str = ""  # their own key, for the personal link
    decks: tuple[str, ...] = ()  # private decks that they may choose in the lobby
    made: tuple[str, ...] = ()  # decks whose backs they know, while the table is in the lobby
    terms: Terms = Terms()
    shared: tuple[int, ...] = ()  # all seats of their device, if several people play on it
    named: bool = False  # several people see the same, so the person on the seat is called by name

    @property
    def mine(self) -> tuple[int, ...]:
        """Return the viewer's seats."""
        return self.shared or (() if self.seat is None else (self.seat,))


def viewer_of(actor: Actor, table: Table, *, screen: Screen = "") -> Viewer:
    """Return the actor as a viewer of this table. A `screen` sees what everybody sees."""
    if screen:
        return Viewer(None, actor.lang, screen=screen, origin=actor.origin, terms=actor.terms)
    setup = table.setup
    (mine, owner, returns, asks), waiting = seat_keys.holdings(setup, actor.key), setup.stage == "waiting"
    return Viewer(
        viewpoint(table, mine),
        actor.lang,
        owner=owner,
        origin=actor.origin,
        key=actor.key if mine or owner or returns or asks else "",
        decks=actor.decks if owner and waiting else (),
        made=actor.made if waiting else (),
        terms=actor.terms,
        shared=mine if len(mine) > 1 else (),
    )


def names_of(table: Table, tr: Translator) -> list[str]:
    """Return the names of the seats; "Seat 2" for a chair without a name."""
    return [chair.name or tr._("Seat {n}").format(n=seat + 1) for seat, chair in enumerate(table.setup.chairs)]


def translator_for(table: Table, seat: int | None, lang: str, terms: Terms = Terms()) -> Translator:  # noqa: B008 - frozen
    """Return the translator for the person on this seat (None: a spectator)."""
    nameless = table.package.translator(lang, terms=terms)
    return Translator(nameless.catalog, lang, names_of(table, nameless), seat, marks_of(table.setup.chairs))
