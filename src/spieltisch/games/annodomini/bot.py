"""A bot that weighs placing against doubting, in cards, by its beliefs about the years.

It samples many pasts. Each has the weight with which the others would have laid this chain if that past were true,
since they also lay what they believe. A past makes the chain right or wrong by the rule for spans (README, §2).

These weights choose well, but are too sure of themselves. When a bot says how likely a chain is wrong, it counts its
pasts alone and trusts them as far as they came true: see `Trust`.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from operator import le
from statistics import fmean

from msgspec import Struct

from spieltisch import package
from spieltisch.decks.dates import Span
from spieltisch.dice import Dice
from spieltisch.games.annodomini.beliefs import ERRORS, LEVELS, PASTS, BeliefSet, doubt
from spieltisch.games.annodomini.cards import Laid
from spieltisch.games.annodomini.state import Action, Doubt, GameView, Numbers, Open, Own, Place, Public

WIN = 8.0  # value of winning, in cards
OPENING = 0.35  # rough share of wins when a last card opens a round
EASE = 0.7  # rough share of cards that fit a right chain
CALLED = 1.1  # how readily the next player doubts a chain that is surely wrong
START = 0.5  # value of starting the next round, in cards
BLUFF = 0.2  # value of a wrong chain that nobody doubts at once, in cards
KEEP = 0.3  # value of laying the least known card, in cards


class Trust(Struct, frozen=True):
    """How far a level can trust its own pasts about a chain that others laid.

    The log-odds of a wrong chain are `shift + own * log(wrong / right) + many * log(n)`. `wrong` and `right` count
    pasts; `spare` is added to `right`. The n other players laid the chain or let it pass. `against` has `shift` and
    `own` for each level that they may have. The formula takes the mean over all of them, with the last one twice.
    """

    against: Mapping[str, tuple[float, float]]
    many: float
    spare: float

    def wrong(self, right: int, others: Sequence[str], last: str) -> float:
        """The probability that a chain is wrong.

        `right` counts the pasts in which it is right. `others` are the other players' levels, `last` that of the player
        who laid the last card.
        """
        pasts = math.log((PASTS - right + 0.5) / (right + self.spare))
        shift, own = map(fmean, zip(*(self.against[level] for level in (*others, last)), strict=True))
        return 1 / (1 + math.exp(-shift - own * pasts - self.many * math.log(len(others))))


# Fitted by `python -m spieltisch.games.annodomini.study.trust`
TRUST = {
    "novice": Trust({"novice": (-0.5, 0.93), "connoisseur": (-1.1, 0.8), "chronicler": (-1.98, 0.72)}, -0.45, 8.5),
    "connoisseur": Trust(
        {"novice": (-0.36, 1.03), "connoisseur": (-0.71, 0.78), "chronicler": (-1.43, 0.58)}, -0.49, 2.5
    ),
    "chronicler": Trust(
        {"novice": (0.15, 1.12), "connoisseur": (-0.19, 0.93), "chronicler": (-0.79, 0.66)}, -0.54, 0.5
    ),
}


class Option(Struct, frozen=True):
    """A choice, the cards that it promises, and how likely the chain is wrong after it: of a doubt, what the bot says;
    of a place, what it weighs.
    """

    action: Place | Doubt
    cards: float
    wrong: float


class Thought(Struct, frozen=True):
    """The reason for a choice: how likely the bot held the chain wrong (a doubt), or the years it
    believed (a place).
    """

    round: int
    seat: int
    wrong: float | None = None
    card: int | None = None
    years: Span | None = None


class Bot(package.Bot[Public, Own, Action, BeliefSet, Thought]):
    """Weighs placing against doubting, in cards."""

    levels = LEVELS

    def choose(self, view: GameView, legal: Sequence[Action], dice: Dice, beliefs: BeliefSet | None = None) -> Action:
        """Return one of `legal` by the beliefs; without beliefs, any card anywhere."""
        if beliefs is None:
            return dice.choice([action for action in legal if not isinstance(action, Doubt)])
        openings = [action for action in legal if isinstance(action, Open)]
        if openings:
            return max(openings, key=lambda action: right_pasts(action.cards, beliefs))
        return max(weighed(view, beliefs), key=lambda option: option.cards).action

    def explain(self, view: GameView, action: Action, beliefs: BeliefSet | None) -> Thought | None:
        """The bot's reasons, to be shown after the game; None if there is little to tell."""
        p, seat = view.public, view.seat
        assert seat is not None
        assert beliefs is not None
        if isinstance(action, Place):
            belief = beliefs.cards[action.card]
            years = Span(belief.around(-1).start, belief.around(1).end)
            return Thought(p.round, seat, card=action.card, years=years)
        if isinstance(action, Doubt):
            wrong = next(option.wrong for option in weighed(view, beliefs) if isinstance(option.action, Doubt))
            return Thought(p.round, seat, wrong=wrong)
        return None


def weighed(view: GameView, beliefs: BeliefSet) -> list[Option]:
    """The best place for every card, and a doubt if one is possible."""
    p, seat = view.public, view.seat
    assert seat is not None
    hand = [card.number for card in p.hands[seat]]
    # A player before somebody with one card prefers a wrong card to their win, so it tells nothing.
    chain = _Chain(p.chain, {seat, p.last if len(hand) == 1 else None}, beliefs)
    vaguest = max(beliefs.cards[card].spread for card in hand)
    options, promise = [], _placing(p)
    for card in hand:
        ease = KEEP * beliefs.cards[card].spread / vaguest
        wrong = chain.wrong_with(card)
        cards = [promise(chance) + ease for chance in wrong]
        at = cards.index(best := max(cards))
        options.append(Option(Place(card, at), best, wrong[at]))
    if p.last is not None:
        levels = [beliefs.level_of(other) for other in range(len(p.hands))]
        others = [*levels[:seat], *levels[seat + 1 :]]
        said = TRUST[beliefs.level].wrong(chain.right, others, levels[p.last])
        options.append(Option(Doubt(), _doubting(p, chain.wrong), said))
    return options


def _doubting(p: Public, wrong: float) -> float:
    """The value of a doubt: the cards that the others draw, divided among them, less the bot's own."""
    o, others = p.options, len(p.hands) - 1
    right = -o.doubter_penalty - (OPENING * WIN if len(p.hands[_next(p)]) == 1 else 0.0)
    return wrong * (START + o.last_player_penalty / others) + (1 - wrong) * right


def _placing(p: Public) -> Callable[[float], float]:
    """The value of placing a card, by the probability that the chain is then wrong. A last card is always doubted."""
    right, wrong, others = p.options.doubter_penalty, p.options.last_player_penalty, len(p.hands) - 1
    before_last = len(p.hands[_next(p)]) == 1

    def last(chance: float) -> float:
        return (1 - chance) * WIN - chance * wrong

    def usual(chance: float) -> float:
        called = min(1.0, CALLED * chance * chance)
        doubted = (1 - chance) * right / others - chance * wrong
        passed = chance * wrong / others - (1 - chance) * EASE * WIN if before_last else chance * BLUFF / others
        return 1 + called * doubted + (1 - called) * passed

    return last if len(p.hands[p.turn]) == 1 else usual


def _next(p: Public) -> int:
    return (p.turn + 1) % len(p.hands)


def right_pasts(cards: Sequence[int], beliefs: BeliefSet) -> int:
    """The number of pasts in which this order is right."""
    return sum(_in_order(accumulate(firsts, max), lasts) for firsts, lasts in _pasts(cards, beliefs))


def _pasts(cards: Sequence[int], beliefs: BeliefSet) -> Iterator[tuple[Numbers, Numbers]]:
    """By past: the first years of these cards, and their last ones."""
    firsts, lasts = zip(*(beliefs.pasts(card) for card in cards), strict=True)
    return zip(zip(*firsts, strict=True), zip(*lasts, strict=True), strict=True)


def _in_order(latest: Iterable[int], lasts: Iterable[int]) -> bool:
    """Whether no card ended before one above it began. `latest` is the latest first year among those above."""
    return all(map(le, latest, lasts))


def _rising(rows: Sequence[Sequence[int]]) -> set[int]:
    """The pasts in which these years never fall from card to card."""
    rising: Iterable[int] = range(len(rows[0]))
    for above, below in pairwise(rows):
        rising = [past for past in rising if above[past] <= below[past]]
    return set(rising)


class _Chain:
    """The chain in each past."""

    def __init__(self, laid: Sequence[Laid], silent: set[int | None], beliefs: BeliefSet) -> None:
        self._knows, error = beliefs, ERRORS[beliefs.level]
        self._places = len(laid) + 1
        said = [index for index in range(1, len(laid)) if {laid[index - 1].by, laid[index].by} - {None, *silent}]
        # The pasts in which the chain is right, and of each how far a card may come to lie: above all that ended before
        # it began, below all that began after it ended.
        self._right: list[int] = []
        self._ended: list[Numbers] = []
        self._begun: list[Numbers] = []
        weights = []
        firsts, lasts = zip(*(beliefs.pasts(one.card.number) for one in laid), strict=True)
        # Usually both first years and last years rise down the chain.
        begins = _rising(firsts)
        ends = begins if lasts == firsts else _rising(lasts)
        for past, (began, ended) in enumerate(zip(zip(*firsts, strict=True), zip(*lasts, strict=True), strict=True)):
            latest = began if past in begins else tuple(accumulate(began, max))
            if latest is began or _in_order(latest, ended):
                self._right.append(past)
                self._ended.append(ended if past in ends else tuple(accumulate(ended[::-1], min))[::-1])
                self._begun.append(latest)
                weights.append(1.0)
            else:
                weights.append(_likely(began, ended, said, error))
        self.right = len(self._right)
        self._weight = 1 / (sum(weights) or 1.0)  # of each past with a right chain
        self.wrong = 1 - sum([self._weight] * self.right)

    def wrong_with(self, card: int) -> list[float]:
        """For every place: how likely the chain is wrong with this card there."""
        gains, weight = [0.0] * (self._places + 1), self._weight
        firsts, lasts = self._knows.pasts(card)
        above = map(bisect_left, self._ended, map(firsts.__getitem__, self._right))
        below = map(bisect_right, self._begun, map(lasts.__getitem__, self._right))
        for first, last in zip(above, below, strict=True):
            if first <= last:
                gains[first] += weight
                gains[last + 1] -= weight
        return [1 - right for right in accumulate(gains[:-1])]


def _likely(firsts: Numbers, lasts: Numbers, said: Sequence[int], error: float) -> float:
    """How likely the others would have laid these cards in this order, given this past."""
    likely = 1.0
    for index in said:
        began, ended = firsts[index - 1], lasts[index]
        if began > ended:
            gap, off = began - ended, 1.41 * doubt(ended, error)
            likely *= 1 / (1 + math.exp(min(1.7 * gap / off, 50.0)))
    return likely
