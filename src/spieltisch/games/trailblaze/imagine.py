"""States that fit a view: unseen cards in random places, with made-up years."""

import math
from collections.abc import Sequence

from spieltisch.decks.text import NOTHING
from spieltisch.dice import Dice
from spieltisch.game import State
from spieltisch.games.trailblaze.firsts import First, Period
from spieltisch.games.trailblaze.state import Belief, GameState, GameView, Hidden, Own


def imagine(view: GameView, dice: Dice, beliefs: Sequence[Belief | None] | None = None) -> GameState:
    """A state that fits the view. An open card is in any column but the last, an open joker in the last one, an unseen
    card in any. `beliefs` has a belief for every card (None: no opinion), and open cards follow it.
    """
    p = view.public
    open_cards = [front for front in (*p.cards, p.middle) if front]
    lying = {front.card for front in open_cards} | set(p.away)
    unseen = [card for card in range(p.deck + len(lying)) if card not in lying]
    if p.top is not None:
        unseen.remove(p.top.card)
        open_cards.append(p.top)
    # before the first shuffle, the deck is in its order
    deck = tuple(unseen) if p.round == 0 else dice.shuffle(unseen)
    fronts = {front.card: front for front in open_cards}
    told = {news.card.card: news for news in p.revealed}

    def made_up(number: int) -> First:
        if number in told:
            t = told[number]
            back = (t.who, t.place, "", t.comment, t.source)
            return First("", t.card.text, t.year, t.card.field, *back, corrected=t.corrected)
        front = fronts.get(number)
        if front is None:
            column = dice.below(len(p.periods))
            return First("", NOTHING, _year_in(p.periods[column], dice))
        if front.joker:
            return First("", front.text, None)
        if beliefs is not None and (belief := beliefs[number]) is not None:
            return First("", front.text, _year_about(belief, p.periods, dice), front.field)
        return First("", front.text, _year_in(p.periods[dice.below(len(p.periods) - 1)], dice), front.field)

    cards = tuple(made_up(number) for number in range(p.deck + len(lying)))
    return State(p, (Own(),) * len(p.cards), Hidden(cards, deck if p.top is None else (p.top.card, *deck)))


def _year_in(period: Period, dice: Dice) -> int | None:
    return None if period.end is None else period.start + dice.below(period.end - period.start + 1)


def _year_about(belief: Belief, periods: tuple[Period, ...], dice: Dice) -> int:
    chance = min(max(dice.random(), 1e-9), 1 - 1e-9)
    year = round(belief.year + belief.spread * math.log(chance / (1 - chance)))
    return min(max(year, periods[0].start), periods[-1].start - 1)
