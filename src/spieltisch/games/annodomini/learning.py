"""How programs learn Anno Domini: what the numbers of an action and of a view mean."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import permutations

from spieltisch import package
from spieltisch.games.annodomini.events import Events
from spieltisch.games.annodomini.state import Action, Doubt, GameView, Options, Own, Place, Public
from spieltisch.package import Block

ORDERS = {
    order: number for number, order in enumerate(order for n in (2, 3) for order in permutations(range(n)))
}  # of a last card and one or two that were turned up
HAND = 15  # cards: so many or more count as 1
KEPT = 64  # rows of what seats were told


class Learning(package.Learning[Options, Events, Public, Own, Action]):
    """A card and a place of the chain. Seats are counted clockwise from one's own."""

    def __init__(self, seats: int, options: Options, deck: Events, told: int) -> None:
        self._seats, self._n, self._rounds = seats, (n := len(deck.cards)), options.max_rounds
        self._years = sorted((card.span.start + card.span.end) // 2 for card in deck.cards)
        self._kept: dict[tuple[int | None, ...], array[float]] = {}
        self.actions = (
            Block("place", n * n, f"the card n // {n} so that n % {n} cards of the chain are above it"),
            Block("doubt", 1, "doubt"),
            Block("open", len(ORDERS), "lay the cards turned up and the last card, in the order n of these: first two "
                  "cards, then three"),
        )  # fmt: skip
        each = "seat by seat, one's own first: "
        self.fields = (
            Block("hands", seats * n, f"{each}the cards in the hand"),
            Block("counts", seats, f"{each}how many cards that are, 1 for {HAND} or more"),
            Block("turn", seats, "who is to act, one's own seat first"),
            Block("last", seats, "who placed last in this round"),
            Block("row", n, "for each card how far down it lies in the chain; 0: not there, 1: the last one"),
            Block("turned", n, "the cards turned up to start a round"),
            Block("top", n, "the card on top of the pile"),
            Block("pile", 1, "how much of the deck is in the pile"),
            Block("aside", 1, "how much of the deck is set aside"),
            Block("rounds", 1, "how many of the rounds have begun; 0 without a limit"),
            *[Block("told", 2 * n, "for each card whether one was told its year, and the share of the deck's years "
                    "before that one", own=True),
              Block("chain", 2 * n, "the same for the cards of the chain, from the top one on", own=True)] * (told > 0),
        )  # fmt: skip

    def numbers(self, view: GameView, legal: Sequence[Action]) -> Sequence[int]:
        n, p = self._n, view.public
        if not p.chain:
            lying = [card.number for card in p.turned + p.hands[view.seat or 0]]
            return [
                n * n + 1 + ORDERS[tuple(map(lying.index, a.cards))] for a in legal if not isinstance(a, Place | Doubt)
            ]
        return [a.card * n + a.at if isinstance(a, Place) else n * n for a in legal]

    def draw(self, view: GameView, told: tuple[int | None, ...], into: "array[float]") -> None:
        p, n, seats, me = view.public, self._n, self._seats, view.seat or 0
        for seat, hand in enumerate(p.hands):
            other = (seat - me) % seats
            into[seats * n + other] = min(1.0, len(hand) / HAND)
            for card in hand:
                into[other * n + card.number] = 1.0
        at = seats * (n + 1)
        for who in (None if p.end else p.turn, p.last):
            if who is not None:
                into[at + (who - me) % seats] = 1.0
            at += seats
        for place, laid in enumerate(p.chain, start=1):
            into[at + laid.card.number] = place / len(p.chain)
        at += n
        for card in p.turned:
            into[at + card.number] = 1.0
        at += n
        if p.top is not None:
            into[at + p.top.number] = 1.0
        at += n
        into[at] = p.pile / n
        into[at + 1] = p.set_aside / n
        into[at + 2] = p.round / self._rounds if self._rounds else 0.0
        at += 3
        if told:
            known = self._known(told)
            into[at : at + 2 * n] = known
            at += 2 * n
            for place, laid in enumerate(p.chain):
                card = laid.card.number
                into[at + 2 * place : at + 2 * place + 2] = known[2 * card : 2 * card + 2]

    def _known(self, told: tuple[int | None, ...]) -> "array[float]":
        """What is seen of these years, kept: a seat is told them once a game."""
        known = self._kept.get(told)
        if known is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            pairs = [(0.0, 0.0) if year is None else (1.0, self._before(year)) for year in told]
            known = self._kept[told] = array("f", [number for pair in pairs for number in pair])
        return known

    def _before(self, year: int) -> float:
        """The share of the deck's years before this one; between two of them as far as it lies between them."""
        years, n = self._years, len(self._years)
        low, high = bisect_left(years, year), bisect_right(years, year)
        if low < high:
            return (low + high) / 2 / n
        if low in (0, n):
            return low / n
        before, after = years[low - 1], years[low]
        return (low - 0.5 + (year - before) / (after - before)) / n
