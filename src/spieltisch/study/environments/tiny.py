"""Games so small that their whole trees can be enumerated, one for each game that has two sides.

They use the same rules with few cards, one round, and the choices and outcomes named here. Each is a setting, so it is
an environment as well.
"""

from itertools import permutations
from typing import Any, get_args

import msgspec

from spieltisch import games
from spieltisch.decks.text import Text
from spieltisch.dice import Pick
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.annodomini.events import Events, event
from spieltisch.games.hichaechoc.forms import CELLS, paradigm
from spieltisch.games.trailblaze.firsts import First, Firsts, Period
from spieltisch.study.environments.knowledge import NONE, noise
from spieltisch.study.environments.setting import Narrowed, Setting


def anno_domini(sigma: float | None = 1.0, years: tuple[int, ...] = (1, 1, 1, 2, 2, 2), steps: int = 16) -> Setting:
    """Two players with two cards each, one round. `years` are those of six cards.

    Each seat is told the years of its own cards and of the middle card, with an error of about `sigma` (None: nothing).
    Seat 0 lays a card; seat 1 doubts or lays one; seat 0 doubts or lays its last card, which is doubted at once.
    """
    package = games.package("anno-domini")
    deck = Events("tiny", tuple(event(f"card {n}", str(year)) for n, year in enumerate(years, start=1)))
    orders = sorted({tuple(years[row] for row in order): order for order in permutations(range(len(years)))}.values())
    heard = ((0, 2, 4), (1, 3, 4))  # dealt in turn; the fifth starts the row
    knowledge = NONE if sigma is None else noise(sigma, steps, heard=heard)

    def luck(state: Any, due: Any) -> Any:
        """Numbers tell nothing about cards, so to shuffle them too would change nothing."""
        return orders if state is None else (due.items,)

    options = package.rules.Options(cards_per_player=2, max_rounds=1)
    return Setting(package, 2, options, deck, knowledge, narrowed=Narrowed(luck=luck))


def hic_haec_hoc(sigma: float | None = 0.2, price: int = 0, steps: int = 10, most: int = 8) -> Setting:
    """Two players with cards of two forms; after `most` actions the one with fewer cards has won.

    One player has two cards of the first form and one of the second, the other the reverse. One of these forms is
    masculine and one feminine in all cells, and nobody is certain which. A third form, in the middle and throughout the
    pile, is neuter. Each seat is told which form is masculine, wrongly with probability `sigma` (None: nothing). The
    first two are played as masculine or feminine and the third as neuter, always in the nominative singular. `price` is
    the price of a wrong objection.
    """
    package = games.package("hic-haec-hoc")
    written = {"m": "ille", "f": "illa", "n": "illud"}
    deck = paradigm("tiny", [written[gender] for _, _, gender in CELLS])
    m, f, n = (CELLS.index(("nom", "sg", gender)) for gender in "mfn")
    other = {"m": "f", "f": "m", "n": "n"}
    orders = tuple(range(len(CELLS))), tuple(CELLS.index((case, number, other[g])) for case, number, g in CELLS)
    dealt = (0, 0, 1, 1, 0, 1, 2)  # in turn; the last one is the card in the middle

    def luck(state: Any, due: Any) -> Any:
        """Which form has which number; the hands are known to all."""
        if state is None:
            return orders
        left = sorted(due.items)
        if state.public.middle.top is None:
            for card in dealt:
                left.remove(card)
            return ((*dealt, *left),)
        return (tuple(left),)

    def offers(action: Any) -> bool:
        reading = getattr(action, "reading", None)
        return reading is None or reading in ((n,) if action.form == 2 else (m, f))

    knowledge = NONE if sigma is None else noise(sigma, steps, heard=((m,), (m,)))
    options = package.rules.Options(contest_price=price, cards_per_player=3)
    return Setting(package, 2, options, deck, knowledge, most, Narrowed(offers, luck, fewer_cards))


def fewer_cards(public: Any) -> tuple[float, ...]:
    """Return what each of two seats wins if the one with fewer cards has won."""
    one, other = public.hands
    return (float(one < other) - float(one > other), float(other < one) - float(other > one))


def trailblaze(sigma: float | None = 1.0, years: tuple[int, ...] = (1, 1, 2, 2, 3), steps: int = 16) -> Setting:
    """Two players, five cards of three years, each year a column.

    Seat 0 begins. After six actions, when the first round is settled, the one with more points has won. The bonus stone
    comes with a swap only. Each seat is told the years of its own card and of the middle card, with an error of about
    `sigma` (None: nothing).
    """
    package = games.package("trailblaze")
    take = next(kind for kind in get_args(package.rules.Action) if kind.__name__ == "TakeBonus")
    periods = tuple(Period(Text(name, name), start, start) for start, name in enumerate("ABC", start=1))
    cards = tuple(First(f"card {n}", Text("", ""), year) for n, year in enumerate(years, start=1))
    deck = Firsts("tiny", (*periods, Period(Text("D", "D"), 4, None)), cards)
    orders = sorted({tuple(years[row] for row in order): order for order in permutations(range(len(years)))}.values())
    knowledge = NONE if sigma is None else noise(sigma, steps, heard=((0, 2), (1, 2)))

    def luck(state: Any, due: Any) -> Any:
        """Seat 0 begins; numbers tell nothing about cards, so to shuffle them too would change nothing."""
        if state is None:
            return orders
        return (0,) if isinstance(due, Pick) else (tuple(sorted(due.items)),)

    def offers(action: Any) -> bool:
        return getattr(action, "column", 0) < 3 and not isinstance(action, take)  # nothing lies in the future here

    options = package.rules.Options(patterns=1)
    return Setting(package, 2, options, deck, knowledge, 6, Narrowed(offers, luck, more_points))


def more_points(public: Any) -> tuple[float, ...]:
    """Return what each of two seats wins if the one with more points on the board has won."""
    rules: Any = games.package("trailblaze").rules
    one, other = (parts.total for parts in rules.scores(public))
    return (float(one > other) - float(one < other), float(other > one) - float(other < one))


def adaman(first: int = 0, hidden: int = 3) -> Setting:
    """A deal of cards from the deck's row `first` on: ten lie open, and `hidden` more are in the pile in unknown order.

    Nothing that could be kept is paid.
    """
    package = games.package("adaman")
    deck = msgspec.structs.replace(decktet(), cards=decktet().cards[first : first + 10 + hidden])
    ranks = [card.value for card in deck.cards]

    def luck(_: Any, due: Any) -> Any:
        """All orders of the last cards."""
        return [(*due.items[:10], *order) for order in permutations(due.items[10:])]

    def offers(action: Any) -> bool:
        paid = [ranks[card] for card in action.payment]
        return sum(paid) - min(paid) < ranks[action.target]

    return Setting(package, 1, package.rules.Options(), deck, narrowed=Narrowed(offers, luck))
