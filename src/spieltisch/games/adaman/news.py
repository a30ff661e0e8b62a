"""What a step tells everybody, in the order of events, each with its sentence.

Card names follow a colon, because German would need their articles elsewhere.
"""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from spieltisch.games.adaman.decktet import Card, paid_with
from spieltisch.i18n import N_, Translator

if TYPE_CHECKING:
    from spieltisch.games.adaman.state import Public

Row = Literal["capital", "palace", "resources"]
NEW = {
    "capital": N_("New in the capital: {card}."),
    "palace": N_("New in the palace: {card}."),
    "resources": N_("New among the resources: {card}."),
}
_MOVED = {
    "capital": N_("Moved to the capital for the Excuse: {card}."),
    "palace": N_("Moved to the palace for the Excuse: {card}."),
    "resources": N_("Moved to the resources for the Excuse: {card}."),
}
ENDS = {
    "won": (N_("The realm is yours."), N_("No personality stands in your way any more.")),
    "lost": (N_("No moves left."), N_("Your plot has come to nothing. Better luck next time.")),
    "hanged": (N_("You hang."), N_("The sixth personality has come to the palace.")),
}


class TurnedUp(Struct, frozen=True, gc=False, tag=True):
    """A card from the pile was placed in a row."""

    card: Card
    row: Row

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr._(NEW[self.row]).format(card=self.card.name[tr.lang])


class PassedOver(Struct, frozen=True, gc=False, tag=True):
    """The Excuse turned up with no card to move, and was discarded."""

    card: Card

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr._("The Excuse comes and goes: no card can move for it.")


class Controlled(Struct, frozen=True, gc=False, tag=True):
    card: Card
    payment: tuple[Card, ...]

    def tell(self, _public: "Public", tr: Translator) -> str:
        words = tr._("Won: {card} with {payment}.")
        return words.format(card=self.card.name[tr.lang], payment=paid_with(self.payment, tr))


class Moved(Struct, frozen=True, gc=False, tag=True):
    """A card changed its row for the Excuse."""

    card: Card
    row: Row

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr._(_MOVED[self.row]).format(card=self.card.name[tr.lang])


class Ended(Struct, frozen=True, gc=False, tag=True):
    how: Literal["won", "lost", "hanged"]
    score: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        words = tr.ngettext("{end} {n} point.", "{end} {n} points.", self.score)
        return words.format(end=tr._(ENDS[self.how][0]), n=self.score)


News = TurnedUp | PassedOver | Controlled | Moved | Ended
