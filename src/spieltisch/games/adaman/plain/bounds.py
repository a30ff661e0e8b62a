"""The bounds of `engine.bounds` and `engine.ways` in plain Python. One integer holds the margins by all measures.

Each measure has a field of 16 bits (see `nets`). A margin takes one addition for each card. One subtraction and a look
at the top bits show whether any margin is too small.
"""

import struct
from collections.abc import Sequence

from spieltisch.games.adaman.plain.kernel import ROW, Kernel, numbers
from spieltisch.games.adaman.plain.nets import Laid, Vectors

SETS = 64  # of six suits
CAPS = range(1, 10)  # the other measures: the most that a card counts for
MEASURES = SETS + len(CAPS)
ALL = 63
FIELD = 16
NEVER = -10_000  # below any margin, whatever is added
NOTHING_PAYS = 1000

VECTORS = Vectors(MEASURES, FIELD, 1)
HIGH = VECTORS.high
NEVERS = VECTORS.pack([NEVER] * MEASURES)
EACH = VECTORS.pack([0] + [1] * (MEASURES - 1))
_FIELDS = struct.Struct(f"<{MEASURES}h")


class Bounds:
    """Upper bounds of a deal. `reach[at][palace][capital]`: the most that the pile can bring from a place on, by every
    measure, with these numbers of personalities in the palace and the capital (see `engine.ways`). `plain[at]`:
    everything it holds.
    """

    def __init__(self, shares: "Shares", pile: Sequence[int]) -> None:
        kernel, n = shares.kernel, len(pile)
        self.shares, self.pile = shares, pile
        self.rest, self.people, self.excuse = ([0] * (n + 1) for _ in range(3))  # from a place on, as bits
        for i in reversed(range(n)):
            card = pile[i]
            self.rest[i] = self.rest[i + 1] | (card if not card & (kernel.people | kernel.excuse) else 0)
            self.people[i] = self.people[i + 1] | (card & kernel.people)
            self.excuse[i] = self.excuse[i + 1] | (card & kernel.excuse)
        self.plain = [shares.paying[cards] for cards in self.rest]
        self.reach = self._reaches()

    def at(self, at: int, capital: int, held: int, *, plain: bool) -> int:
        """The most that the pile can bring in this position. With `plain`, everything in it, as while
        the Excuse waits.
        """
        kernel = self.shares.kernel
        if plain or (capital | held) & kernel.excuse:
            return self.plain[at]
        return self.reach[at][(held & kernel.people).bit_count()][(capital & kernel.people).bit_count()]

    def _reaches(self) -> list[list[list[int]]]:
        pile, people = self.pile, self.shares.kernel.people
        n = len(pile)
        saved, costs, need = self._savings()
        found = [[[NEVERS] * (ROW + 1) for _ in range(ROW + 1)] for _ in range(n + 1)]
        came = (self.people[0]).bit_count()
        for i in range(n, -1, -1):
            came -= i < n and pile[i] & people > 0
            for palace in range(min(ROW, came) + 1):
                for capital in range(min(ROW, came - palace) + 1):
                    if self.excuse[i]:
                        found[i][palace][capital] = self.plain[i]
                        continue
                    best = self.plain[i] if i == n else self._best(found, i, palace, capital)
                    if (best + saved[i][capital] - need[i] - costs[i][palace + capital] + HIGH) & HIGH != HIGH:
                        best = NEVERS
                    found[i][palace][capital] = best
        return found

    def _best(self, found: list[list[list[int]]], i: int, palace: int, capital: int) -> int:
        card, shares = self.pile[i], self.shares
        person = card & shares.kernel.people > 0
        here = 0 if person else shares.turned[card]
        best = NEVERS
        if palace:  # a personality of the palace is won
            best = self._draw(found, i, palace - 1, capital, 1, ROW, 0, best)
        if capital:  # a personality of the capital is won
            best = self._draw(found, i + 1, palace, capital - 1 + person, 1, ROW, here, best)
        if capital < ROW:  # another card, which then joins the resources
            best = self._draw(found, i + 1, palace, capital + person, 0, ROW - 1, here, best)
        return best

    def _draw(
        self, found: list[list[list[int]]], at: int, palace: int, capital: int, least: int, most: int, brought: int,
        best: int,
    ) -> int:  # fmt: skip
        """The higher of `best` and what `least` to `most` resources bring, turned up from here."""
        pile, paying, people = self.pile, self.shares.paying, self.shares.kernel.people
        n, drawn = len(pile), 0
        while True:
            if drawn >= least or at == n:
                best = highest(best, brought + found[at][palace][capital])
            if drawn == most or at == n:
                return best
            while at < n and pile[at] & people:
                at, palace = at + 1, palace + 1
                if palace > ROW:
                    return best
            if at < n:
                brought += paying[pile[at]]
                at, drawn = at + 1, drawn + 1

    def _savings(self) -> tuple[list[list[int]], list[list[int]], list[int]]:
        """By place: the most that five resources and a capital with these personalities count for; the least that these
        personalities who have come cost; the least that those to come cost.
        """
        pile, shares, kernel = self.pile, self.shares, self.shares.kernel
        n = len(pile)
        price = {card: shares.price(card, self.rest[0]) for card in numbers(self.people[0])}
        need = [0] * (n + 1)
        for i in reversed(range(n)):
            need[i] = need[i + 1]
            if pile[i] & kernel.people:
                number = pile[i].bit_length() - 1
                need[i] += shares.cost(number, price[number])
        top, across, cheapest = [0] * ROW, [0] * ROW, list[int]()
        saved, costs = [], []
        for i in range(n + 1):
            saved.append([sum(top) + sum(across[: ROW - capital]) for capital in range(ROW + 1)])
            sums = [0]
            for many in range(2 * ROW):
                sums.append(sums[-1] + (cheapest[many] if many < len(cheapest) else 0))
            costs.append(sums)
            if i < n and pile[i] & kernel.people:
                number = pile[i].bit_length() - 1
                _insert_low(cheapest, shares.cost(number, price[number]))
            elif i < n and pile[i] != kernel.excuse:
                _insert_high(top, shares.paying[pile[i]])
                _insert_high(across, shares.turned[pile[i]])
        return saved, costs, need


class Shares:
    """The value of cards by every measure: paid from the resources (`paying`), paid from the capital less their own
    price there (`turned`), or won (`won`). `within` are the sets of suits that a personality needs.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        paying, turned, self.won, self.within = [], [], [], []
        for rank, suits, card in zip(kernel.ranks, kernel.suits, range(len(kernel.ranks)), strict=True):
            shown = [suits & some > 0 for some in range(SETS)]
            within = [not suits & ~some for some in range(SETS)]
            caps = [min(rank, cap) for cap in CAPS]
            counts = not (kernel.people | kernel.excuse) >> card & 1
            paying.append(VECTORS.pack([rank * one for one in shown] + caps) if counts else 0)
            turned.append(
                VECTORS.pack([rank * (one and not two) for one, two in zip(shown, within, strict=True)])
                if counts
                else 0
            )
            self.won.append(VECTORS.pack([rank * one for one in within] + caps))
            self.within.append(VECTORS.pack([one and rank > 0 for one in within]))
        self.paying, self.turned = Laid(paying), Laid(turned)
        self._prices: dict[tuple[int, int], int] = {}

    def price(self, person: int, payers: int) -> int:
        """The least that a personality costs, paid with some of these cards."""
        fitting, rank = payers & self.kernel.friends[person], self.kernel.ranks[person]
        found = self._prices.get((fitting, rank))
        if found is None:
            sums = 1  # bit n: some of the cards make up n
            for card in numbers(fitting):
                sums |= sums << self.kernel.ranks[card]
                if sums >> rank & 1:
                    break
            enough = sums >> rank
            found = rank + (enough & -enough).bit_length() - 1 if enough else NOTHING_PAYS
            self._prices[fitting, rank] = found
        return found

    def cost(self, person: int, price: int) -> int:
        """The cost of this personality at that price."""
        return self.won[person] + (price - self.kernel.ranks[person]) * self.within[person]


def highest(one: int, other: int) -> int:
    """The maximum by every measure."""
    return other + VECTORS.rectified(one - other + HIGH)


def elements(vector: int) -> tuple[int, ...]:
    """The value of each measure."""
    return _FIELDS.unpack((vector + HIGH ^ HIGH).to_bytes(_FIELDS.size, "little"))


def promise(margin: int) -> int:
    """How promising a position with this margin is: the margin of all suits and the least one."""
    every = elements(margin)
    return every[ALL] + min(every[1:SETS])


def _insert_high(values: list[int], value: int) -> None:
    """Insert a value into the highest ones, highest first."""
    for i, one in enumerate(values):
        values[i] = highest(one, value)
        value += one - values[i]


def _insert_low(values: list[int], value: int) -> None:
    """Insert a value in ascending order."""
    values.append(value)
    for i in reversed(range(len(values) - 1)):
        one, two = values[i], values[i + 1]
        values[i + 1] = highest(one, two)
        values[i] += two - values[i + 1]
