"""A sensible player: it places where it believes the card to belong, and doubts when that promises more."""

import itertools
from collections.abc import Sequence

from spieltisch.dice import Dice
from spieltisch.game import View
from spieltisch.games.annodomini.knowledge import Beliefs
from spieltisch.games.annodomini.rooms import Action, Doubt, Open, Own, Place, Public

SAMPLES = 80  # pasts that it thinks of
CREDIT = 5  # others have placed what they believe: a chain is wrong less often than it looks, unless it looks awful
CALLED = 0.5  # how often a wrong chain is doubted by the next player, about
COMFORT = 0.25  # wrong sides of other cards that it puts up with, to keep the cards it is sure of
WIN = 8.0  # cards that winning is worth


def choose(view: View[Public, Own], legal: Sequence[Action], dice: Dice, knows: Beliefs | None) -> Action:
    """One of `legal`, by what is believed of the years; without beliefs any card anywhere."""
    if knows is None:
        return dice.choice([action for action in legal if not isinstance(action, Doubt)])
    p = view.public
    hand = p.hands[p.turn]
    cards = {card.number for card in (*hand, *p.turned)} | {laid.card.number for laid in p.chain}
    pasts = [{card: knows.year(card, dice) for card in sorted(cards)} for _ in range(SAMPLES)]
    chain = [laid.card.number for laid in p.chain]
    openings = [action for action in legal if isinstance(action, Open)]
    if openings:
        return min(openings, key=lambda action: _wrong(action.cards, pasts))
    place = _best_place([action for action in legal if isinstance(action, Place)], chain, pasts, knows)
    if p.last is None:
        return place
    wrong = _wrong(chain, pasts)
    then = _wrong([*chain[: place.at], place.card, *chain[place.at :]], pasts)
    doubt, last = p.options.doubter_penalty, p.options.last_player_penalty
    gain_by_doubt = wrong * last / (len(p.hands) - 1) - (1 - wrong) * doubt
    gain_by_placing = (1 - then) * WIN - then * last if len(hand) == 1 else 1 - CALLED * then * last
    return Doubt() if gain_by_doubt > gain_by_placing else place


def _wrong(chain: Sequence[int], pasts: Sequence[dict[int, int]]) -> float:
    """How likely it is that the chain is wrong somewhere, by how many pasts say so."""
    broken = sum(any(past[above] > past[below] for above, below in itertools.pairwise(chain)) for past in pasts)
    return (broken / len(pasts)) ** CREDIT


def _best_place(
    places: Sequence[Place], chain: Sequence[int], pasts: Sequence[dict[int, int]], knows: Beliefs
) -> Place:
    """Of the places where a card hardly disturbs, that of the card it would least know where to put later."""
    best: dict[int, tuple[float, Place]] = {}
    for card in {place.card for place in places}:
        later = [sum(past[card] >= past[other] for past in pasts) / len(pasts) for other in chain]
        for place in (place for place in places if place.card == card):
            strain = sum(1 - share for share in later[: place.at]) + sum(later[place.at :])
            if card not in best or strain < best[card][0]:
                best[card] = (strain, place)
    calm = [place for strain, place in best.values() if strain <= COMFORT]
    if calm:
        return max(calm, key=lambda place: (knows.doubt(place.card), place.card))
    return min(best.values(), key=lambda one: one[0])[1]
