"""What a step tells everybody, in the order of events, each with its sentence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from spieltisch.games.annodomini.cards import Card, Reveal
from spieltisch.i18n import N_, Translator

if TYPE_CHECKING:
    from spieltisch.games.annodomini.state import Public

ENDS = {
    "out-of-cards": N_("The game is over."),
    "pile-empty": N_("No card is left to start a round: the fewest cards win."),
    "rounds": N_("That was the last round: the fewest cards win."),
}


class Dealt(Struct, frozen=True, gc=False, tag=True):
    """The hands, by seat."""

    hands: tuple[tuple[Card, ...], ...]

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr._("The cards are dealt, events face up.")


class Started(Struct, frozen=True, gc=False, tag=True):
    """A round has begun with this card, and this seat plays first."""

    seat: int
    round: int
    card: Card

    def tell(self, _public: "Public", tr: Translator) -> str:
        words = N_("{name} begins round {n}: “{event}”"), N_("You begin round {n}: “{event}”")
        return tr.of(self.seat, *words, n=self.round, event=self.card.front[tr.lang])


class TurnedUp(Struct, frozen=True, gc=False, tag=True):
    """A round begins with a player who holds one card: these cards were turned up to be laid with it."""

    seat: int
    round: int
    cards: tuple[Card, ...]

    def tell(self, _public: "Public", tr: Translator) -> str:
        words = (
            N_("{name} begins round {n} with one card left. Turned up: {events}"),
            N_("You begin round {n} with one card left. Turned up: {events}"),
        )
        return tr.of(self.seat, *words, n=self.round, events=_quoted(self.cards, tr))


class Placed(Struct, frozen=True, gc=False, tag=True):
    """`at` cards are above it."""

    seat: int
    card: Card
    at: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        words = N_("{name} places number {n}: “{event}”"), N_("You place number {n}: “{event}”")
        return tr.of(self.seat, *words, n=self.at + 1, event=self.card.front[tr.lang])


class Opened(Struct, frozen=True, gc=False, tag=True):
    """A last card and those turned up with it were laid in this order."""

    seat: int
    cards: tuple[Card, ...]

    def tell(self, _public: "Public", tr: Translator) -> str:
        three = (
            N_("{name} lays three cards in this order: {events}"),
            N_("You lay three cards in this order: {events}"),
        )
        two = N_("{name} lays two cards in this order: {events}"), N_("You lay two cards in this order: {events}")
        return tr.of(self.seat, *(three if len(self.cards) == 3 else two), events=_quoted(self.cards, tr))


class Doubted(Struct, frozen=True, gc=False, tag=True):
    reveal: Reveal

    def tell(self, _public: "Public", tr: Translator) -> str:
        right, doubter = self.reveal.correct, self.reveal.doubter
        if self.reveal.at_once:
            return tr._(
                N_("The last card is checked: the chain is right.")
                if right
                else N_("The last card is checked: the chain is wrong.")
            )
        if right:
            return tr.of(
                doubter, N_("{name} doubts, but the chain is right."), N_("You doubt, but the chain is right.")
            )
        return tr.of(doubter, N_("{name} doubts, and the chain is wrong."), N_("You doubt, and the chain is wrong."))


class Drew(Struct, frozen=True, gc=False, tag=True):
    """Penalty cards."""

    seat: int
    cards: tuple[Card, ...]

    def tell(self, _public: "Public", tr: Translator) -> str:
        return drawn(self.seat, len(self.cards), tr)


class Reshuffled(Struct, frozen=True, gc=False, tag=True):
    """The cards set aside have become the pile."""

    cards: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr._("The cards set aside are shuffled into a new pile.")


class Uncovered(Struct, frozen=True, gc=False, tag=True):
    """The card that now lies on top of the pile. Everybody sees it, so nothing is said."""

    card: Card


class Ended(Struct, frozen=True, gc=False, tag=True):
    """The seats on place 1."""

    winners: tuple[int, ...]
    end: str

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr._(ENDS[self.end])


News = Dealt | Started | TurnedUp | Placed | Opened | Doubted | Drew | Reshuffled | Uncovered | Ended


def drawn(seat: int, n: int, tr: Translator) -> str:
    """The sentence that somebody draws this many cards."""
    if seat == tr.me:
        return tr.ngettext("You draw {n} card.", "You draw {n} cards.", n).format(n=n)
    words = tr.ngettext("{name} draws {n} card.", "{name} draws {n} cards.", n)
    return words.format(name=tr.name(seat), n=n)


def _quoted(cards: Sequence[Card], tr: Translator) -> str:
    """The events, each in quotation marks."""
    return ", ".join(tr._("“{event}”").format(event=card.front[tr.lang]) for card in cards)
