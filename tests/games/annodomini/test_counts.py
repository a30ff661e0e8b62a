"""How many sequences of actions there are from fixed shuffles, by the rules and by a count apart from them.

The second counter plays with lists of years and follows the rulebook's words; both numbers are written down.
"""

from itertools import permutations

import pytest

from games.annodomini.tables import deal
from games.counting import sequences
from spieltisch.games.annodomini import rules


class Table:
    """The same game with years for cards and everything on one table."""

    def __init__(self, years, each):
        self.hands = [years[0 : 2 * each : 2], years[1 : 2 * each : 2]]
        self.pile = years[2 * each :]
        self.aside, self.chain, self.turned, self.turn, self.last, self.over = [], [], [], 0, None, False
        self.new_round()

    def copy(self):
        other = object.__new__(Table)
        other.__dict__ = {k: [*v] if isinstance(v, list) else v for k, v in self.__dict__.items()}
        other.hands = [[*hand] for hand in self.hands]
        return other

    def card(self):
        if not self.pile:  # the cards set aside, here without being mixed
            self.pile, self.aside = self.aside, []
        return self.pile.pop(0) if self.pile else None

    def new_round(self):
        self.last = None
        cards = [self.card() for _ in range(2 if len(self.hands[self.turn]) == 1 else 1)]
        cards = [card for card in cards if card is not None]
        self.over = not cards
        if len(self.hands[self.turn]) == 1:
            self.turned = cards
        else:
            self.chain = cards

    def doubt(self, doubter):
        if self.chain == sorted(self.chain):
            if not self.hands[self.last]:
                self.over = True
                return
            punished, cards, self.turn = doubter, 2, 1 - doubter
        else:
            punished, cards, self.turn = self.last, 3, doubter
        self.aside += self.chain
        self.chain = []
        self.hands[punished] += [card for card in (self.card() for _ in range(cards)) if card is not None]
        self.new_round()

    def after(self):
        """All tables that one action can lead to."""
        me, tables = self.turn, []
        if self.over:
            return tables
        hand = self.hands[me]
        if not self.chain:
            orders = [list(order) for order in permutations([*self.turned, *hand])]
            moves = [([], order) for order in orders]
        else:
            moves = [
                (hand[:i] + hand[i + 1 :], [*self.chain[:at], card, *self.chain[at:]])
                for i, card in enumerate(hand)
                for at in range(len(self.chain) + 1)
            ]
        for rest, laid in moves:
            other = self.copy()
            other.hands[me], other.chain, other.turned, other.last, other.turn = rest, laid, [], me, 1 - me
            if not rest:
                other.doubt(1 - me)
            tables.append(other)
        if self.last is not None:
            other = self.copy()
            other.doubt(me)
            tables.append(other)
        return tables

    def count(self, depth):
        return 1 if depth == 0 else sum(table.count(depth - 1) for table in self.after())


@pytest.mark.parametrize(
    ("years", "each", "counts"),
    [
        ([1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700], 2, (4, 28, 140, 880, 4968)),
        ([500, 900, 100, 300, 700, 200, 800, 600, 400], 3, (6, 60, 516, 5448)),
    ],
)
def test_sequences_of_actions(years, each, counts):
    state = deal(" | ".join(map(str, years)), each=each)
    table = Table(years, each)
    assert tuple(table.count(depth) for depth in range(1, len(counts) + 1)) == counts
    assert tuple(sequences(rules, state, depth) for depth in range(1, len(counts) + 1)) == counts


def test_the_first_counts_by_hand():
    """Two cards and two gaps are 4. Seat 1 then has two cards and three gaps, and a doubt: 4 times 7 are 28."""
    state = deal("1000 | 1100 | 1200 | 1300 | 1400 | 1500 | 1600 | 1700")
    assert (sequences(rules, state, 1), sequences(rules, state, 2)) == (2 * 2, 2 * 2 * (2 * 3 + 1))
