"""What a step tells everybody, in the order of events, each with its sentence.

A form is a number, a reading is a cell of the table of forms (`agreement`), a seat is a seat.
"""

from typing import TYPE_CHECKING

from msgspec import Struct

from spieltisch.games.hichaechoc.agreement import Table
from spieltisch.games.hichaechoc.wording import reading, why_wrong, written
from spieltisch.i18n import N_, Translator

if TYPE_CHECKING:
    from spieltisch.games.hichaechoc.state import Public

TAKES_BACK = N_("{name} takes the card back."), N_("You take the card back.")
COSTS = N_("The objection costs {name} a card."), N_("The objection costs you a card.")


class TurnedUp(Struct, frozen=True, gc=False, tag=True):
    """The cards are dealt, and this one lies in the middle. `joker`: the joker turned up first and went
    under the pile.
    """

    form: int
    joker: bool

    def tell(self, public: "Public", tr: Translator) -> str:
        first = N_("The joker came up first and goes under the pile. {form} is in the middle.")
        sentence = tr._(first if self.joker else N_("{form} is in the middle."))
        return sentence.format(form=written(public, self.form, tr))


class Played(Struct, frozen=True, gc=False, tag=True):
    seat: int
    form: int
    reading: int

    def tell(self, public: "Public", tr: Translator) -> str:
        words = N_("{name} plays {form}: {reading}."), N_("You play {form}: {reading}.")
        form, said = written(public, self.form, tr), reading(self.reading, tr)
        return tr.of(self.seat, *words, form=form, reading=said)


class JokerPlayed(Struct, frozen=True, gc=False, tag=True):
    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} plays the joker."), N_("You play the joker."))


class Accepted(Struct, frozen=True, gc=False, tag=True):
    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} says: fine."), N_("You say: fine."))


class Judged(Struct, frozen=True, gc=False, tag=True):
    """The verdict of the table of forms after `by` contested the play of `seat`. Everybody saw it; it is face down
    again.

    `readings` are all readings of the contested form. It was laid on `top`, which counted as `said`. `beneath` are all
    readings of an undeclared first card, looked up only if the play was not wrong by itself.
    """

    seat: int
    by: int
    form: int
    reading: int
    readings: tuple[int, ...]
    top: int
    said: int | None
    beneath: tuple[int, ...]
    right: bool
    table: Table

    def tell(self, public: "Public", tr: Translator) -> str:
        objects = tr.of(self.by, N_("{name} objects."), N_("You object."))
        why = tr._(self.reason()).format(**self.values(public, tr))
        return f"{objects} {why}" if self.right else f"{objects} {why} {tr.of(self.seat, *TAKES_BACK)}"

    def reason(self) -> str:
        """Why the play was right or wrong."""
        if self.right:
            return N_("{form} can be {reading}, and exactly two agree.")
        return why_wrong(self.reading, self.said, possible=self.reading in self.readings)

    def values(self, public: "Public", tr: Translator) -> dict[str, str]:
        """The values for the reason."""
        return {
            "form": written(public, self.form, tr),
            "reading": reading(self.reading, tr),
            "top": written(public, self.top, tr),
            "said": "" if self.said is None else reading(self.said, tr),
        }


class Drawn(Struct, frozen=True, gc=False, tag=True):
    """A card went from the pile to the hand. Only its owner learns `form`, except for the joker that everybody saw go
    under the pile.
    """

    seat: int
    form: int | None

    def tell(self, public: "Public", tr: Translator) -> str:
        if self.form is None:
            return tr.of(self.seat, N_("{name} draws a card."), N_("You draw a card."))
        shown = N_("{name} draws the joker."), N_("It is {form}.")
        return tr.of(self.seat, *shown, form=written(public, self.form, tr))


class Fined(Struct, frozen=True, gc=False, tag=True):
    """The seat has to draw for an unjustified contest."""

    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, *COSTS)


class Shuffled(Struct, frozen=True, gc=False, tag=True):
    """The played cards, this many, are the new pile."""

    cards: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.ngettext(
            "The played cards are shuffled: {n} card in the pile.",
            "The played cards are shuffled: {n} cards in the pile.",
            self.cards,
        ).format(n=self.cards)


class Passed(Struct, frozen=True, gc=False, tag=True):
    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} passes."), N_("You pass."))


class Finished(Struct, frozen=True, gc=False, tag=True):
    """The seat has got rid of its last card."""

    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} has no cards left."), N_("You have no cards left."))


class Blocked(Struct, frozen=True, gc=False, tag=True):
    """Nobody can go on: the game is over."""

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr._("Nobody can go on: the fewest cards win.")


News = TurnedUp | Played | JokerPlayed | Accepted | Judged | Drawn | Fined | Shuffled | Passed | Finished | Blocked
