"""How programs learn Adaman: what the numbers of an action and of a view mean."""

from array import array
from collections.abc import Sequence

from spieltisch import package
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.options import Options
from spieltisch.games.adaman.rules import score
from spieltisch.games.adaman.state import ROW, Action, Control, GameView, Own, Public
from spieltisch.package import Block

PLACES = ("pile", "capital", "palace", "resources", "won over", "discarded")
PAYMENTS = (1 << ROW) - 1  # that can be made of so many resources
DEAR = 20  # points: so much or more counts as 1


class Learning(package.Learning[Options, Deck, Public, Own, Action]):
    """Which card, and how dearly. The resources themselves have no numbers: a payment is named by its rank among those
    that are enough, so 0 always is the cheapest one.
    """

    def __init__(self, seats: int, options: Options, deck: Deck, told: int) -> None:
        self._n = n = len(deck.cards)
        excuse = any(card.kind == "excuse" for card in deck.cards)
        self.actions = (
            Block("control", n * PAYMENTS, f"win the card n // {PAYMENTS} with the payment n % {PAYMENTS}: 0 is the "
                  "cheapest that is enough, 1 the next one; equal ones by how many cards, then by the cards' numbers"),
            *[Block("excuse", n, "move the card n in the place of the Excuse")] * excuse,
        )  # fmt: skip
        self.fields = (
            Block("places", n * len(PLACES), f"for each card where it lies: {', '.join(PLACES)}"),
            Block("cost", n, f"for each card the total of the cheapest payment for it, 1 for {DEAR} or more; 0 if it "
                  "cannot be won now"),
            Block("palace", ROW + 1, "how many cards the palace has: none, one, …"),
            Block("pile", 1, "how much of the deck is still in the pile"),
            *[Block("excuse", 2, "from where a card has to be moved for the Excuse: resources, capital")] * excuse,
        )  # fmt: skip
        # What a card adds to a payment, for their order: first its rank, then that it is one card more, then which one.
        self._dear = [(((card.value << ROW) + 1) << n) + (1 << at) for at, card in enumerate(deck.cards)]
        self._pile = array("f", [1.0, *[0.0] * (len(PLACES) - 1)] * n)  # all cards
        people = [card.value for card in deck.cards if card.person]
        others = sorted((card.value for card in deck.cards if not card.person), reverse=True)
        self.most = sum(people) + sum(others[:ROW])  # resources that are left count when all people are won over

    def numbers(self, view: GameView, legal: Sequence[Action]) -> Sequence[int]:
        if view.public.excuse:
            return [self._n * PAYMENTS + action.card for action in legal if not isinstance(action, Control)]
        controls, dear = [action for action in legal if isinstance(action, Control)], self._dear
        keys = [sum([dear[card] for card in action.payment]) for action in controls]
        found, at, last = [0] * len(controls), 0, len(controls)
        while at < last:
            first, target = at, controls[at].target
            while at < last and controls[at].target == target:
                at += 1
            for n, place in enumerate(sorted(range(first, at), key=keys.__getitem__)):
                found[place] = target * PAYMENTS + n
        return found

    def draw(self, view: GameView, told: tuple[int | None, ...], into: "array[float]") -> None:
        p, n, many = view.public, self._n, len(PLACES)
        rows = p.capital, p.palace, p.resources, p.personalities, p.discarded
        into[: n * many] = self._pile
        for place, row in enumerate(rows, start=1):
            for card in row:
                into[many * card] = 0.0
                into[many * card + place] = 1.0
        at = n * many
        if not p.excuse and not p.end:
            for target in p.palace + p.capital:
                into[at + target] = min(1.0, self._cheapest(p, target) / DEAR)
        at += n
        into[at + min(len(p.palace), ROW)] = 1.0
        at += ROW + 1
        into[at] = p.pile / n
        if p.excuse:
            into[at + 1 + (p.excuse == "capital")] = 1.0

    def _cheapest(self, p: Public, target: int) -> int:
        """The total of the cheapest payment that is enough; 0 if none is."""
        ranks, suits, colours = p.worth.ranks, p.worth.suits, p.worth.suits[target]
        totals = 1  # bit n: n can be paid
        for card in p.resources:
            if suits[card] & colours:
                totals |= totals << ranks[card]
        enough = totals >> ranks[target]
        return ranks[target] + (enough & -enough).bit_length() - 1 if enough else 0

    def share(self, public: Public) -> float:
        return score(public) / self.most
