"""What a step tells everybody, each event with its sentence. There is no private news: all fronts lie open, and nobody
knows a back.
"""

from typing import TYPE_CHECKING

from msgspec import Struct

from spieltisch.decks.text import Text
from spieltisch.games.trailblaze.board import Stone, covers_rows
from spieltisch.i18n import N_, Translator

if TYPE_CHECKING:
    from spieltisch.games.trailblaze.state import Public

_ENDS = {  # for one, several, the reader, the reader and one other, the reader and others
    "rows-complete": (
        N_("{name} has a right stone in every row: the game is over."),
        N_("{name} have a right stone in every row: the game is over."),
        N_("You have a right stone in every row: the game is over."),
        N_("You and {name} have a right stone in every row: the game is over."),
        N_("You, {some} and {last} have a right stone in every row: the game is over."),
    ),
    "no-stones": (
        N_("{name} has no stones left: the game is over."),
        N_("{name} have no stones left: the game is over."),
        N_("You have no stones left: the game is over."),
        N_("You and {name} have no stones left: the game is over."),
        N_("You, {some} and {last} have no stones left: the game is over."),
    ),
}


class Front(Struct, frozen=True, gc=False):
    """An open card: its number and its front. A joker shows that it is one, and no field."""

    card: int
    text: Text
    field: str
    joker: bool


class Started(Struct, frozen=True, tag=True, gc=False):
    """Who drew the bonus stone."""

    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(
            self.seat, N_("{name} drew the bonus stone and starts."), N_("You drew the bonus stone and start.")
        )


class Shuffled(Struct, frozen=True, tag=True, gc=False):
    cards: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        words = tr.ngettext("The deck is shuffled: {n} card.", "The deck is shuffled: {n} cards.", self.cards)
        return words.format(n=self.cards)


class Dealt(Struct, frozen=True, tag=True, gc=False):
    """Cards by seat (None: in the middle), and the new top card of the deck."""

    round: int
    cards: tuple[tuple[int | None, Front], ...]
    top: Front | None

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr._("Round {n}: new cards are dealt.").format(n=self.round)


class Kept(Struct, frozen=True, tag=True, gc=False):
    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} keeps the card."), N_("You keep your card."))


class Swapped(Struct, frozen=True, tag=True, gc=False):
    """`bonus`: first to swap, so the bonus stone came with the card."""

    seat: int
    bonus: bool

    def tell(self, _public: "Public", tr: Translator) -> str:
        if self.bonus:
            return tr.of(
                self.seat,
                N_("{name} swaps with the middle and gets the bonus stone."),
                N_("You swap with the middle and get the bonus stone."),
            )
        return tr.of(self.seat, N_("{name} swaps with the middle."), N_("You swap with the middle."))


class TookBonus(Struct, frozen=True, tag=True, gc=False):
    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} takes the bonus stone."), N_("You take the bonus stone."))


class LeftBonus(Struct, frozen=True, tag=True, gc=False):
    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} leaves the bonus stone."), N_("You leave the bonus stone."))


class Placed(Struct, frozen=True, tag=True, gc=False):
    """An own stone, or the bonus stone if it has no pattern, and the name of its column."""

    stone: Stone
    period: Text

    def tell(self, _public: "Public", tr: Translator) -> str:
        own = N_("{name} places a stone: {period}, row {row}."), N_("You place a stone: {period}, row {row}.")
        bonus = (
            N_("{name} places the bonus stone: {period}, row {row}."),
            N_("You place the bonus stone: {period}, row {row}."),
        )
        stone, period = self.stone, in_words(self.period[tr.lang], tr)
        return tr.of(stone.seat, *(bonus if stone.pattern is None else own), period=period, row=stone.row)


class Skipped(Struct, frozen=True, tag=True, gc=False):
    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        return tr.of(self.seat, N_("{name} finds no free field."), N_("You find no free field."))


class HeldBack(Struct, frozen=True, tag=True, gc=False):
    """The bonus stone was not placed."""

    seat: int

    def tell(self, _public: "Public", tr: Translator) -> str:
        words = N_("{name} does not place the bonus stone."), N_("You do not place the bonus stone.")
        return tr.of(self.seat, *words)


class Revealed(Struct, frozen=True, tag=True, gc=False, omit_defaults=True):
    """A revealed card: its back, its column with its name, and the stones that its holder placed for it."""

    seat: int
    card: Front
    year: int | None
    who: str
    place: str
    comment: Text
    source: str
    column: int
    period: Text
    stones: tuple[Stone, ...]
    corrected: str = ""  # day of the card's last correction

    def tell(self, _public: "Public", tr: Translator) -> str:
        right = [stone for stone in self.stones if stone.column == self.column]
        year = self.year if self.year is not None else tr._("No woman so far")
        if not right:
            words = (
                N_("{year}: {name} is wrong. The right column is {period}."),
                N_("{year}: you are wrong. The right column is {period}."),
            )
        elif all(stone.pattern is None for stone in right):
            words = (
                N_("{year}: {name}’s bonus stone is right, {period}."),
                N_("{year}: your bonus stone is right, {period}."),
            )
        else:
            words = N_("{year}: {name} is right, {period}."), N_("{year}: you are right, {period}.")
        return tr.of(self.seat, *words, year=year, period=in_words(self.period[tr.lang], tr))


class Replaced(Struct, frozen=True, tag=True, gc=False):
    """The stone that replaces a right bonus stone."""

    stone: Stone
    period: Text

    def tell(self, _public: "Public", tr: Translator) -> str:
        words = (
            N_("{name} replaces the bonus stone: {period}, row {row}."),
            N_("You replace the bonus stone: {period}, row {row}."),
        )
        period = in_words(self.period[tr.lang], tr)
        return tr.of(self.stone.seat, *words, period=period, row=self.stone.row)


class PutUnder(Struct, frozen=True, tag=True, gc=False):
    """The card left in the middle went under the deck; `top` if the deck was empty. Nothing is said."""

    card: Front
    top: bool


class Ended(Struct, frozen=True, tag=True, gc=False):
    end: str

    def tell(self, public: "Public", tr: Translator) -> str:
        return ending(self.end, public, tr)


News = (
    Started
    | Shuffled
    | Dealt
    | Kept
    | Swapped
    | TookBonus
    | LeftBonus
    | Placed
    | Skipped
    | HeldBack
    | Revealed
    | Replaced
    | PutUnder
    | Ended
)


def ending(end: str, public: "Public", tr: Translator) -> str:
    """Why the game is over, and who caused it."""
    if end not in _ENDS:
        return tr._("No field is free any more: the game is over.")
    one, many, mine, both, ours = _ENDS[end]
    done = [seat for seat in range(len(public.cards)) if _ends(end, seat, public)]
    names = [tr.name(seat) for seat in done if seat != tr.me]
    if not names:
        return tr._(mine)
    *others, last = names
    some, mine_too = ", ".join(others), tr.me in done
    if not some:
        return tr._(both if mine_too else one).format(name=last)
    if mine_too:
        return tr._(ours).format(some=some, last=last)
    return tr._(many).format(name=tr._("{some} and {last}").format(some=some, last=last))


def _ends(end: str, seat: int, public: "Public") -> bool:
    if end == "no-stones":
        return not any(public.stones[seat])
    return covers_rows(stone for stone in public.board if stone.seat == seat)


def in_words(period: str, tr: Translator) -> str:
    """A period in words: "1900 to 1929"."""
    first, _, last = period.partition("–")
    return tr._("{first} to {last}").format(first=first, last=last) if last.isdecimal() else period
