"""Adaman's rules on bits, as `engine.kernel` has them: a position is `at`, `capital` and `held`."""

from collections.abc import Iterator, Sequence

from spieltisch.games.adaman.decktet import SUITS, Deck

ROW = 5  # as in the rules

Move = tuple[int, int]  # bits of the target and the payment; for the Excuse, of it and the moved card
Start = tuple[int, int, int]  # cards drawn; the capital; palace and resources


def numbers(cards: int) -> Iterator[int]:
    """The card numbers in a set, lowest first."""
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1


class Sums(dict[int, int]):
    """Cache of the rank sums of sets of cards."""

    def __init__(self, ranks: Sequence[int]) -> None:
        self._ranks = ranks

    def __missing__(self, cards: int) -> int:
        found = self[cards] = sum([self._ranks[card] for card in numbers(cards)])
        return found


class Kernel:
    """A deck's numbers, and the rules on them. Results for five resources are cached, because they recur."""

    def __init__(self, deck: Deck) -> None:
        cards = deck.cards
        self.ranks = tuple(card.value for card in cards)
        self.suits = tuple(sum(1 << SUITS.index(suit) for suit in card.suits) for card in cards)
        self.friends = tuple(
            sum(1 << i for i, other in enumerate(self.suits) if own & other) for own in self.suits
        )  # cards that share a suit with it
        self.people = sum(1 << i for i, card in enumerate(cards) if card.person)
        self.excuse = sum(1 << i for i, card in enumerate(cards) if card.kind == "excuse")
        self.total = sum(card.value for card in cards if card.person)
        self.sums = Sums(self.ranks)
        self._payments: dict[tuple[int, int], tuple[int, ...]] = {}

    def payable(self, cards: int, resources: int) -> int:
        """The cards that the resources can pay for."""
        friends, ranks, sums, found = self.friends, self.ranks, self.sums, 0
        rest = cards & ~self.excuse
        while rest:
            bit = rest & -rest
            rest ^= bit
            card = bit.bit_length() - 1
            if sums[resources & friends[card]] >= ranks[card]:
                found |= bit
        return found

    def payments(self, target: int, resources: int) -> tuple[int, ...]:
        """The sets of resources that pay for this card, largest first."""
        fitting, rank = resources & self.friends[target], self.ranks[target]
        found = self._payments.get((fitting, rank))
        if found is None:
            paid, sets = fitting, []
            while paid:
                if self.sums[paid] >= rank:
                    sets.append(paid)
                paid = (paid - 1) & fitting
            found = self._payments[fitting, rank] = tuple(sets)
        return found

    def spares(self, paid: int, rank: int) -> bool:
        """Whether the payment would still be enough without its lowest card."""
        return self.sums[paid] - min([self.ranks[card] for card in numbers(paid)]) >= rank

    def moves(self, capital: int, held: int) -> list[Move]:
        resources = held & ~self.people
        if (capital | held) & self.excuse:
            row = resources if capital & self.excuse else capital
            return [(self.excuse, 1 << card) for card in numbers(row)]
        targets = self.payable(capital | (held & self.people), resources)
        return [(1 << card, paid) for card in numbers(targets) for paid in self.payments(card, resources)]

    def laid(self, capital: int, held: int, target: int, payment: int) -> tuple[int, int]:
        """The rows right after a move, before anything is turned up."""
        if target == self.excuse:
            if capital & target:
                return (capital ^ target) | payment, held ^ payment
            return capital ^ payment, (held ^ target) | payment
        held &= ~(payment | target)
        return capital & ~target, held if target & self.people else held | target

    def refill(self, pile: Sequence[int], at: int, capital: int, held: int) -> Start:
        """Fill up the rows. `hanged`: more than five lie in the palace then. `pile` has bits, top first."""
        people, excuse = self.people, self.excuse
        while at < len(pile):
            first = capital.bit_count() < ROW
            if not first and (held & ~people).bit_count() >= ROW:
                break
            card = pile[at]
            at += 1
            if card == excuse and not (held & ~people if first else capital):
                continue  # there is no card to move for it
            if first:
                capital |= card
            else:
                held |= card
            if card == excuse or (not first and card & people and self.hanged(held)):
                break
        return at, capital, held

    def move(self, pile: Sequence[int], at: int, capital: int, held: int, move: Move) -> Start:
        """The position after a move."""
        capital, held = self.laid(capital, held, *move)
        return (at, capital, held) if self.hanged(held) else self.refill(pile, at, capital, held)

    def hanged(self, held: int) -> bool:
        return (held & self.people).bit_count() > ROW

    def stuck(self, capital: int, held: int) -> bool:
        """Whether no card can be won."""
        return not self.payable(capital | (held & self.people), held & ~self.people)
