"""The rules of assisted play on bits, as in `engine.kernel`: cards and readings are bits of numbers."""

from collections.abc import Iterable

from spieltisch.dice import Dice
from spieltisch.games.hichaechoc.agreement import FITTING, READINGS, Table, fitting_on_any, readings_of_all

CELLS = len(READINGS)
JOKER = CELLS  # as a card, as a form, and as its bit
DRAW, PASS = 31, 32
GOING, OVER, BLOCKED = range(3)  # at `end`


class Forms:
    """A table of forms. `alike[card]`: the cells of its form, which are also the cards written like it. `on[cell]` and
    `on_card[card]`: the cells that fit on this declaration, or on an undeclared card; and the joker.
    """

    def __init__(self, table: Table) -> None:
        cells = readings_of_all(table)
        self.alike = [*(cells[form] for form in table), 1 << JOKER]
        self.on = [fitting | 1 << JOKER for fitting in (*FITTING, 0)]
        self.on_card = [fitting_on_any(alike) | 1 << JOKER for alike in self.alike]
        self._readings: dict[int, int] = {}

    def readings(self, cards: int) -> int:
        """The cells of all forms of these cards."""
        found = self._readings.get(cards)
        if found is None:
            found = 0
            for card in numbers(cards):
                found |= self.alike[card]
            self._readings[cards] = found
        return found


class Game:
    """The position (see `engine.kernel.Game`). It is mutable."""

    __slots__ = (
        "bottom", "drawn", "end", "fitting", "hands", "lying", "out", "pile", "play_on", "played", "seat", "stall",
    )  # fmt: skip

    def __init__(
        self, hands: list[int], *, play_on: bool, pile: int, bottom: int, played: int, lying: int, fitting: int,
        seat: int, drawn: int, stall: int, out: int,
    ) -> None:  # fmt: skip
        self.hands, self.play_on, self.pile, self.bottom, self.played = hands, play_on, pile, bottom, played
        self.lying, self.fitting, self.seat, self.drawn = lying, fitting, seat, drawn
        self.stall, self.out, self.end = stall, out, GOING

    def options(self, forms: Forms) -> int:
        """The options of the player to act, as bits (§3 to §5, §8, §9, §14)."""
        if self.drawn:
            return forms.readings(self.drawn) & self.fitting | 1 << PASS
        plays = forms.readings(self.hands[self.seat]) & self.fitting
        if plays:
            return plays
        return 1 << (DRAW if self.pile | self.bottom | self.played else PASS)

    def act(self, forms: Forms, action: int, dice: Dice) -> None:
        """Do one of the options. Drawn cards are random."""
        if action == PASS:
            self._skip()
        elif action == DRAW:
            self._draw(dice)
        else:
            self._play(forms, action)

    def _play(self, forms: Forms, cell: int) -> None:
        """§2, §7, §13, §15: lay a card with the form of this cell, declared as this cell, or the joker."""
        written_so = self.hands[self.seat] & forms.alike[cell]
        card = written_so & -written_so
        self.hands[self.seat] ^= card
        if cell == JOKER:
            self.lying |= card
        else:
            self.played |= self.lying
            self.lying, self.fitting = card, forms.on[cell]
        self.drawn = self.stall = 0
        if not self.hands[self.seat]:
            self.out += 1
            if not self.play_on or self.out == len(self.hands) - 1:
                self.end = OVER
                return
        self._next()

    def _draw(self, dice: Dice) -> None:
        """§4, §9, §13: draw a card. After the pile comes the joker beneath it, then the cards that were played."""
        if not self.pile:
            if self.bottom:
                self.pile, self.bottom = self.bottom, 0
            else:
                self.pile, self.played = self.played, 0
        self.drawn = 1 << random_number(dice, self.pile)
        self.pile ^= self.drawn
        self.stall = 0
        self.hands[self.seat] |= self.drawn

    def _skip(self) -> None:
        """§4, §17: a turn without a play."""
        if not self.drawn:
            self.stall += 1
            if self.stall == len(self.hands) - self.out:
                self.end = BLOCKED
                return
        self.drawn = 0
        self._next()

    def _next(self) -> None:
        seat, hands = self.seat, self.hands
        while True:
            seat = seat + 1 if seat + 1 < len(hands) else 0
            if hands[seat]:
                break
        self.seat = seat


def cards(table: Table, forms: Iterable[int]) -> list[int]:
    """Cards with these forms, numbered as in the table. Of equal cards, the first one left."""
    free = {form: [card for card in range(CELLS) if table[card] == form] for form in table} | {JOKER: [JOKER]}
    return [free[form].pop(0) for form in forms]


def numbers(bits: int) -> Iterable[int]:
    """The positions of the bits set, lowest first."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def random_number(dice: Dice, bits: int) -> int:
    """The position of a random bit that is set."""
    for _ in range(int(dice.random() * bits.bit_count())):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1
