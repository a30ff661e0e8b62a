"""A player with judgement: it reckons in cards what placing and doubting promise, by what it believes of the years.

It thinks of many pasts. Each counts by how likely the others would have laid the chain as they did if it had been
so: they, too, lay what they believe. What a past says of the chain follows the rule for spans (README, §2).
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct

from spieltisch.decks.dates import Span
from spieltisch.defaults import DefaultBot
from spieltisch.dice import Dice
from spieltisch.games.annodomini.beliefs import ERRORS, LEVELS, PASTS, BeliefSet, doubt
from spieltisch.games.annodomini.cards import Laid
from spieltisch.games.annodomini.state import Action, Doubt, GameView, Open, Place, Public

WIN = 8.0  # cards that winning is worth
OPENING = 0.35  # how often somebody wins who opens a round with a last card, about
EASE = 0.7  # how often a card can be laid right on a right chain, about
CALLED = 1.1  # how often a chain that is surely wrong is doubted by the next player
START = 0.5  # cards that it is worth to start the next round
BLUFF = 0.2  # cards that a wrong chain is worth that nobody doubts at once
KEEP = 0.3  # cards that it is worth to be rid of the card that one knows least about


class Option(Struct, frozen=True):
    """What can be done, how many cards it promises, and how likely the chain is wrong then."""

    action: Place | Doubt
    cards: float
    wrong: float


class Thought(Struct, frozen=True):
    """What stood behind a choice: how likely the chain was held wrong (a doubt), or from which years a card was held
    to be (a place).
    """

    round: int
    seat: int
    wrong: float | None = None
    card: int | None = None
    years: Span | None = None


class Bot(DefaultBot):
    """Reckons in cards what placing and doubting promise."""

    levels = LEVELS

    def choose(self, view: GameView, legal: Sequence[Action], dice: Dice, beliefs: BeliefSet | None = None) -> Action:
        """One of `legal`, by what is believed of the years; without beliefs any card anywhere."""
        if beliefs is None:
            return dice.choice([action for action in legal if not isinstance(action, Doubt)])
        openings = [action for action in legal if isinstance(action, Open)]
        if openings:
            return max(openings, key=lambda action: _right(action.cards, beliefs))
        return max(weighed(view, beliefs), key=lambda option: option.cards).action

    def explain(self, view: GameView, action: Action, beliefs: BeliefSet) -> Thought | None:
        """What this bot thought. To be told when the game is over; None where there is little to tell."""
        p, seat = view.public, view.seat
        assert seat is not None
        if isinstance(action, Place):
            belief = beliefs.cards[action.card]
            years = Span(belief.around(-1).start, belief.around(1).end)
            return Thought(p.round, seat, card=action.card, years=years)
        if isinstance(action, Doubt):
            wrong = next(option.wrong for option in weighed(view, beliefs) if isinstance(option.action, Doubt))
            return Thought(p.round, seat, wrong=wrong)
        return None


def weighed(view: GameView, beliefs: BeliefSet) -> list[Option]:
    """The best place for every card, and a doubt if there can be one."""
    p, seat = view.public, view.seat
    assert seat is not None
    hand = [card.number for card in p.hands[seat]]
    # Who comes before somebody with one card would rather lay wrong than let them win: that tells nothing.
    chain = _Chain(p.chain, {seat, p.last if len(hand) == 1 else None}, beliefs)
    vaguest = max(beliefs.cards[card].spread for card in hand)
    options = []
    for card in hand:
        ease = KEEP * beliefs.cards[card].spread / vaguest
        for at, wrong in enumerate(chain.wrong_with(card)):
            options.append(Option(Place(card, at), _placing(p, wrong, chain.looks_wrong(wrong)) + ease, wrong))
    if p.last is not None:
        options.append(Option(Doubt(), _doubting(p, chain.wrong), chain.wrong))
    return options


def _doubting(p: Public, wrong: float) -> float:
    """What a doubt promises: the cards that the others draw, shared by them, less the own ones."""
    o, others = p.options, len(p.hands) - 1
    right = -o.doubter_penalty - (OPENING * WIN if len(p.hands[_next(p)]) == 1 else 0.0)
    return wrong * (START + o.last_player_penalty / others) + (1 - wrong) * right


def _placing(p: Public, wrong: float, called: float) -> float:
    """What it promises to place a card so that the chain is wrong with this chance, when the next player doubts
    with that one. A last card is doubted for certain.
    """
    o, others = p.options, len(p.hands) - 1
    if len(p.hands[p.turn]) == 1:
        return (1 - wrong) * WIN - wrong * o.last_player_penalty
    if len(p.hands[_next(p)]) == 1:
        let_pass = wrong * o.last_player_penalty / others - (1 - wrong) * EASE * WIN
    else:
        let_pass = wrong * BLUFF / others
    doubted = (1 - wrong) * o.doubter_penalty / others - wrong * o.last_player_penalty
    return 1 + called * doubted + (1 - called) * let_pass


def _next(p: Public) -> int:
    return (p.turn + 1) % len(p.hands)


def _right(cards: Sequence[int], beliefs: BeliefSet) -> float:
    """In how many pasts this order is right."""
    pasts = zip(*(beliefs.pasts(card) for card in cards), strict=True)
    return sum(_in_order(spans) for spans in pasts)


def _in_order(spans: Sequence[Span]) -> bool:
    latest = accumulate((span.start for span in spans), max)
    return all(start <= span.end for start, span in zip(latest, spans, strict=True))


class _Chain:
    """The chain as it may have been, past by past."""

    def __init__(self, laid: Sequence[Laid], silent: set[int | None], beliefs: BeliefSet) -> None:
        self._knows = beliefs
        self._cards = [one.card.number for one in laid]
        pasts = list(zip(*(beliefs.pasts(card) for card in self._cards), strict=True))
        said = [index for index in range(1, len(laid)) if {laid[index - 1].by, laid[index].by} - {None, *silent}]
        weights = [_likely(spans, said, ERRORS[beliefs.level]) for spans in pasts]
        all_ = sum(weights) or 1.0
        self._weights = [weight / all_ for weight in weights]
        # How far a card may come to lie: below all that began later than it ended, above all that ended before it.
        self._latest = [list(accumulate((span.start for span in spans), max)) for spans in pasts]
        self._ends = [list(accumulate((span.end for span in reversed(spans)), min))[::-1] for spans in pasts]
        right = [_in_order(spans) for spans in pasts]
        self._right = [past for past in range(PASTS) if right[past]]
        self.wrong = 1 - sum(self._weights[past] for past in self._right)

    def wrong_with(self, card: int) -> list[float]:
        """For every place, how likely the chain is wrong with this card there."""
        gains = [0.0] * (len(self._cards) + 2)
        spans = self._knows.pasts(card)
        for past in self._right:
            first = bisect_left(self._ends[past], spans[past].start)
            last = bisect_right(self._latest[past], spans[past].end)
            if first <= last:
                gains[first] += self._weights[past]
                gains[last + 1] -= self._weights[past]
        return [1 - right for right in accumulate(gains[:-1])]

    def looks_wrong(self, wrong: float) -> float:
        """How likely the next player doubts a chain that is wrong with this chance."""
        return min(1.0, CALLED * wrong * wrong)


def _likely(spans: Sequence[Span], said: Sequence[int], error: float) -> float:
    """How likely the others would have laid these one below the other if this had been the past."""
    likely = 1.0
    for index in said:
        above, below = spans[index - 1], spans[index]
        if above.start > below.end:
            gap, off = above.start - below.end, 1.41 * doubt(below.end, error)
            likely *= 1 / (1 + math.exp(min(1.7 * gap / off, 50.0)))
    return likely
