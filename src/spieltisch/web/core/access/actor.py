"""The client who acts at a table, and what they may do there."""

from msgspec import Struct

from spieltisch.i18n import Terms
from spieltisch.table import seat_keys
from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import is_asked, viewpoint
from spieltisch.web.core.http import forms
from spieltisch.web.core.http.forms import Fields
from spieltisch.web.core.http.problems import Forbidden


class Actor(Struct, frozen=True):
    """A client at a table: their key there, and what a command or a page needs of them besides."""

    key: str  # "" if they have none
    lang: str
    name: str = ""
    decks: tuple[str, ...] = ()  # the private ones that they may choose
    made: tuple[str, ...] = ()  # the decks that they have the key of
    address: str = ""  # where they ask from, for counting only
    origin: str = ""  # scheme and host by which they reach us
    terms: Terms = Terms()

    def seats(self, setup: TableSetup) -> tuple[int, ...]:
        """Return their seats: several if people share a device."""
        return seat_keys.seats_of(setup, self.key)

    def seat(self, setup: TableSetup) -> int | None:
        """Return their (first) seat."""
        return seat_keys.seat_of(setup, self.key)

    def seat_name(self, setup: TableSetup) -> str:
        """Return their name at the table; "" if they have no seat there."""
        seat = self.seat(setup)
        return "" if seat is None else setup.chairs[seat].name

    def returns(self, setup: TableSetup) -> tuple[int, ...]:
        """Return the seats that they can take back."""
        return seat_keys.returns_to(setup, self.key)

    def has(self, setup: TableSetup, seat: int) -> bool:
        """Return whether this seat is theirs, even if they have left it."""
        return seat in self.seats(setup) or (setup.chairs[seat].left and seat in self.returns(setup))

    def owns(self, setup: TableSetup) -> bool:
        """Return whether they decide at the table: they opened it, or are the deputy."""
        return seat_keys.owns(setup, self.key)

    def require_opener(self, setup: TableSetup) -> None:
        """Raise Forbidden unless they opened the table."""
        if not seat_keys.opened(setup, self.key):
            raise Forbidden("Only the person who opened the table can do that.")

    def known(self, setup: TableSetup) -> str:
        """Return their key if the table knows it, else ""."""
        return self.key if seat_keys.recognizes(setup, self.key) else ""

    def own_seat(self, setup: TableSetup) -> int:
        """Return their (first) seat. Raises Forbidden if they have none."""
        seat = self.seat(setup)
        if seat is None:
            raise Forbidden("You have no seat at this table.")
        return seat

    def require_owner(self, setup: TableSetup) -> None:
        """Raise Forbidden unless they opened the table or are the deputy."""
        if not self.owns(setup):
            raise Forbidden("Only the person who opened the table can do that.")

    def answering_seat(self, table: Table, fields: Fields) -> int:
        """Return the seat that answers. On a shared device it is the one that the form was drawn for.

        It has to be the seat that the device shows, unless its question was answered already: then this is the same
        answer again, or one too late. Raises Forbidden for any other seat.
        """
        mine = self.seats(table.setup)
        if not mine:
            raise Forbidden("You have no seat at this table.")
        if len(mine) == 1:
            return mine[0]
        shown, named = viewpoint(table, mine), forms.number(fields, "as", len(table.setup.chairs))
        seat = shown if named is None else named
        if seat is None or seat not in mine:
            raise Forbidden("The device is showing another seat.")
        if seat != shown and is_asked(table, seat) and table.question(seat) == forms.question(fields):
            raise Forbidden("The device is showing another seat.")
        return seat
