"""Search for who does not see all: worlds that fit what is known, and games played to their end in them.

The plays worth thinking of share so many games; after each round the worse half of them is dropped. In these games
the thinker keeps bridges (plays on which its own next card goes), the others play anything that fits.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.games.hichaechoc.agreement import BESIDE, READINGS, Table
from spieltisch.games.hichaechoc.imagination import unseen
from spieltisch.games.hichaechoc.rooms import JOKER, Play, Sight

CAREFUL = 0.3  # how often the others, too, think of their next card
LONG = 60  # turns after which a game counts as nobody's


class Ways(Struct, frozen=True):
    """A table of forms as bits: the forms that go on a reading, and on the readings of a form."""

    table: Table
    on: tuple[int, ...]
    cells: tuple[tuple[tuple[int, ...], ...], ...]  # by reading and form: the readings it can be played as there


def ways(table: Table) -> Ways:
    """Worked out once a table."""
    on = tuple(mask({table[cell] for cell in BESIDE[reading]}) for reading in READINGS)
    cells = tuple(
        tuple(tuple(cell for cell in BESIDE[reading] if table[cell] == form) for form in range(JOKER))
        for reading in READINGS
    )
    return Ways(table, on, cells)


def mask(forms: Iterable[int]) -> int:
    return sum(1 << form for form in set(forms))


def best(view: Sight, plays: Sequence[Play], of: Ways, lacks: Sequence[Sequence[int]], games: int, dice: Dice) -> Play:
    """The play with which most of the games are won. `lacks[seat]` has, for every card that a seat holds, the forms
    (as bits) that it cannot be.
    """
    won = dict.fromkeys(plays, 0.0)
    played = dict.fromkeys(plays, 0)
    left = list(plays)
    rounds = max(1, (len(plays) - 1).bit_length())
    for _ in range(rounds):
        for _ in range(max(1, games // (rounds * len(left)))):
            world = _World(view, of, lacks, dice)
            for play in left:
                won[play] += world.after(play)
                played[play] += 1
        left.sort(key=lambda play: won[play] / played[play], reverse=True)
        left = left[: max(1, (len(left) + 1) // 2)]
    return left[0]


class _World:
    """Where the cards may be, and games that go on from there."""

    def __init__(self, view: Sight, of: Ways, lacks: Sequence[Sequence[int]], dice: Dice) -> None:
        p = view.public
        assert view.own is not None
        assert view.seat is not None
        self._of, self._dice, self._seat = of, dice, view.seat
        cards = list(dice.shuffle(unseen(view)))
        self._hands: list[list[int]] = [[] for _ in p.hands]
        for seat, held in enumerate(p.hands):
            if seat == view.seat:
                self._hands[seat] = list(view.own.hand)
                continue
            known = p.known.hands[seat]
            self._hands[seat] = list(known)
            for lacking in sorted(lacks[seat], key=int.bit_count, reverse=True)[: held - len(known)]:
                at = next((i for i in range(len(cards) - 1, -1, -1) if not lacking >> cards[i] & 1), -1)
                self._hands[seat].append(cards.pop(at))
        self._pile = cards
        self._played = [card for card in (*p.middle.played, p.middle.top) if card is not None]

    def after(self, play: Play) -> float:
        """Who wins if this is played now: 1 is the thinker, 0 somebody else."""
        hands = [list(hand) for hand in self._hands]
        seat, top = self._seat, play.reading
        hands[seat].remove(play.form)
        if not hands[seat]:
            return 1.0
        pile, played = list(self._pile), list(self._played)
        last, n = play.form, len(hands)
        for _ in range(LONG):
            seat = (seat + 1) % n
            hand = hands[seat]
            if not hand:
                continue
            cell = self._turn(seat, hand, top)
            if cell is None:
                if not pile:
                    pile, played = list(self._dice.shuffle(played)), []
                    if not pile:
                        continue
                card = pile.pop()
                hand.append(card)
                cell = self._drawn(seat, card, hand, top)
            if cell is None:
                continue
            played.append(last)
            top, last = cell, self._of.table[cell]
            if JOKER in hand and last not in hand:
                last = JOKER
            hand.remove(last)
            if not hand:
                return float(seat == self._seat)
        return 0.5

    def _turn(self, seat: int, hand: list[int], top: int) -> int | None:
        """The reading that is played, None if nothing fits."""
        cells = self._of.cells[top]
        fitting = [cell for form in hand if form != JOKER for cell in cells[form]]
        if not fitting:
            return None
        chance = self._dice.random()
        if seat == self._seat or chance < CAREFUL:
            return self._bridge(fitting, hand)
        return fitting[int(self._dice.random() * len(fitting))]

    def _drawn(self, seat: int, card: int, hand: list[int], top: int) -> int | None:
        """The card just drawn is played if it fits; the others now and then keep it."""
        fitting = self._of.cells[top][card] if card != JOKER else ()
        if not fitting:
            return None
        if seat == self._seat:
            return self._bridge(fitting, hand)
        if self._dice.random() < CAREFUL:
            return self._bridge(fitting, hand)
        at = int(self._dice.random() * (len(fitting) + 1))
        return None if at == len(fitting) else fitting[at]

    def _bridge(self, fitting: Sequence[int], hand: Sequence[int]) -> int:
        """Of these readings the one on which most of the hand goes."""
        held, on, table = mask(form for form in hand if form != JOKER), self._of.on, self._of.table
        return max(fitting, key=lambda cell: ((held & ~(1 << table[cell])) & on[cell]).bit_count())
