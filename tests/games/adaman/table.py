"""Tables for Adaman's tests. Piles are written as the cards' ids, the top first."""

from msgspec import Struct

from spieltisch.dice import check
from spieltisch.game import State, see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import Deck, cards, decktet

ALL = {card.id: card for card in cards()}


class Table(Struct):
    """A state in which cards have names."""

    state: State

    @property
    def public(self):
        return self.state.public

    def names(self, numbers):
        return " ".join(self.public.deck.cards[number].id for number in numbers)

    def __getattr__(self, row):
        """The cards of a row of the public part, as ids."""
        return self.names(getattr(self.public, row))

    def number(self, name):
        return [card.id for card in self.public.deck.cards].index(name)

    @property
    def legal(self):
        return {self.written(action) for action in rules.legal(see(self.state, 0))}

    def written(self, action):
        if isinstance(action, rules.Excuse):
            return self.names([action.card])
        return self.names([action.target]) + " for " + self.names(action.payment)

    def control(self, target, payment):
        action = rules.Control(self.number(target), tuple(self.number(name) for name in payment.split()))
        return Table(rules.apply(self.state, 0, action))

    def excuse(self, name):
        return Table(rules.apply(self.state, 0, rules.Excuse(self.number(name))))

    @property
    def end(self):
        result = rules.result(self.public)
        return result and (result.end, *result.scores)


def extra(names):
    return tuple(name for name in names if ALL[name].kind in ("pawn", "court", "excuse"))


def dealt(pile, *, rest=False):
    """The game dealt from this pile; with `rest` the basic deck's other cards lie under it."""
    names = pile.replace("|", " ").split()
    deck = decktet(extra(names)) if rest else Deck("few", tuple(ALL[name] for name in names))
    state = rules.setup(1, rules.Options(extra(names)), deck)
    number = {card.id: i for i, card in enumerate(deck.cards)}
    first = [number[name] for name in names]
    order = (*first, *(i for i in range(len(deck.cards)) if i not in first))
    return Table(rules.resolve_chance(state, check(rules.pending_chance(state), order)))
