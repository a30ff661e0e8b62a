"""How many sequences of actions there are from fixed shuffles, by the rules and by a count apart from them.

The second counter plays with written forms and dictionaries; both numbers are written down.
"""

from itertools import product

from games.counting import sequences
from games.hichaechoc.tables import HIC, dealt
from spieltisch.games.hichaechoc import rules

READINGS = {}
for card in HIC.cards:
    READINGS.setdefault(card.form, set()).add(card.cell)
EVERY = set(product(("nom", "gen", "dat", "acc", "abl"), ("sg", "pl"), ("m", "f", "n")))


def goes(reading, beneath):
    return any(len([1 for one, other in zip(reading, under, strict=True) if one == other]) == 2 for under in beneath)


class Table:
    """The same game with everything on one table; the others' answers are played through one by one."""

    def __init__(self, hands, top, pile, strict, joker=False):
        self.hands, self.pile, self.strict, self.joker = hands, pile, strict, joker
        self.top, self.beneath = top, READINGS[top]
        self.turn, self.drawn = 0, None

    def next(self, **changes):
        other = object.__new__(Table)
        other.__dict__ = self.__dict__ | {"hands": [[*hand] for hand in self.hands]} | changes
        return other

    def over(self):
        return any(not hand for hand in self.hands)

    def after(self):
        return (self.turn + 1) % len(self.hands)

    def count(self, depth):
        if depth == 0:
            return 1
        if self.over():
            return 0
        hand = self.hands[self.turn]
        found, offers = 0, 0
        for form in {self.drawn} if self.drawn else set(hand):
            if form == "joker":
                offers += 1
                laid = self.next(turn=self.after(), drawn=None)
                laid.hands[self.turn].remove(form)
                found += laid.count(depth - 1)
                continue
            fitting = {reading for reading in READINGS[form] if goes(reading, self.beneath)}
            for reading in EVERY if self.strict else fitting:
                offers += 1
                laid = self.next(turn=self.after(), drawn=None, top=form, beneath={reading})
                laid.hands[self.turn].remove(form)
                if not self.strict:
                    found += laid.count(depth - 1)
                    continue
                back = laid if reading in fitting else self.next(turn=self.after(), drawn=None)
                found += self.answers(len(self.hands) - 1, laid, back, depth - 1)
        if self.drawn:
            found += self.next(turn=self.after(), drawn=None).count(depth - 1)
        elif self.strict or not offers:
            taken = self.next(drawn=self.pile[0], pile=self.pile[1:])
            taken.hands[self.turn].append(self.pile[0])
            found += taken.count(depth - 1)
        return found

    def answers(self, left, laid, contested, depth):
        """`left` have not answered: any of them may be next, and contests or accepts."""
        if depth == 0:
            return 1
        if left == 0:
            return laid.count(depth)
        return left * (contested.count(depth - 1) + self.answers(left - 1, laid, contested, depth - 1))


def tables(*hands, top, pile, joker=False, **options):
    state = dealt(*hands, top=top, pile=pile, joker=joker, **options)
    strict = options.get("mode") != "assisted"
    return state, Table([hand.split() for hand in hands], top, pile.split(), strict)


ASSISTED = {"mode": "assisted"}


def check(state, table, *expected):
    for depth, number in enumerate(expected, 1):
        assert (depth, sequences(rules, state, depth), table.count(depth)) == (depth, number, number)


def test_assisted_from_a_fixed_shuffle():
    hands = "haec huius hīs hoc huic", "haec huius hīs hōc huic"
    pile = "hōrum hīs hae hōc hās hīs hārum"
    check(*tables(*hands, top="huius", pile=pile, **ASSISTED), 9, 38, 113, 342, 696, 1554, 2401, 4293)


def test_assisted_with_the_joker_from_a_fixed_shuffle():
    hands = "haec joker hīs hoc huic", "haec huius hīs hōc huic", "hic hīs huius hae hī"
    pile = "hōrum hīs hanc hōc hās hīs hārum"
    check(*tables(*hands, top="huius", pile=pile, joker=True, **ASSISTED), 7, 35, 87, 304, 896, 1387)


def test_strict_from_a_fixed_shuffle():
    # 2 forms in 30 readings and the draw; then 60 plays with 2 answers each, and 30 plays or a pass after the draw
    check(*tables("hunc hīs hīs", "hōs huius hī", top="hoc", pile="huic hīs hōrum hae"), 61, 151, 11071)


def test_strict_with_the_joker_from_a_fixed_shuffle():
    hands = "hunc hīs joker", "hōs huius hī", "hic huic hanc"
    check(*tables(*hands, top="hoc", pile="huic hīs hōrum hae", joker=True), 62, 362, 11762)
