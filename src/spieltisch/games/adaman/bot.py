"""A bot at three levels. It knows only its view.

The rollout policy scores single moves. The hint takes the moves with the highest scores and plays each of them out in
the same imagined piles; after every round it drops the worse half (sequential halving). The strong bot asks the coach,
which has learnt the value of positions (`coaching`).
"""

import functools
from collections.abc import Sequence

from spieltisch import makers, package
from spieltisch.dice import Dice
from spieltisch.games.adaman.beliefs import LEVELS
from spieltisch.games.adaman.chances import Look
from spieltisch.games.adaman.imagine import imagine
from spieltisch.games.adaman.state import ROW, Action, Cards, Control, GameView, Own, Public, Worth

CANDIDATES = 10
PLAYOUTS = 1500  # per move, about 45 ms of processor time
SHARE = 0.02  # value of a personality won over; a won game is 1
LEFT = 0.0005  # value of each rank left in the resources of a won game


class Bot(package.Bot[Public, Own, Action, str, Look]):
    """Plays by the rollout policy, by playouts in imagined piles, or by the coach's advice."""

    levels = LEVELS
    slow_levels = ("coach",)
    gives_hints = True

    def choose(self, view: GameView, legal: Sequence[Action], dice: Dice, beliefs: str | None = None) -> Action:
        """Return one of `legal`. `beliefs` is the level; None asks for the hint."""
        if len(legal) == 1:
            return legal[0]
        if beliefs == "coach":
            return _coached(view, dice)
        if beliefs == "thumb":
            return candidates(view, legal)[0]
        return self._hint(view, legal, dice)

    def _hint(self, view: GameView, legal: Sequence[Action], dice: Dice) -> Action:
        policy, ranked = _policy(view.public.worth), candidates(view, legal)
        rounds = max(1, (len(ranked) - 1).bit_length())
        tried = dict.fromkeys(ranked, 0.0)
        while len(tried) > 1:
            for _ in range(max(1, PLAYOUTS // rounds // len(tried))):
                pile = imagine(view, dice).hidden.pile
                for action in tried:
                    tried[action] += policy.play(view.public, action, pile)
            best = sorted(tried, key=lambda action: -tried[action])
            tried = {action: tried[action] for action in best[: (len(best) + 1) // 2]}
        return next(iter(tried))


def _coached(view: GameView, dice: Dice) -> Action:
    coach = makers.module("adaman", "coach").coach()
    return coach.advise(view.public, dice, coach.quick)[0].action


def candidates(view: GameView, legal: Sequence[Action]) -> list[Action]:
    """The moves with the highest policy values, best first."""
    policy = _policy(view.public.worth)
    return sorted(legal, key=lambda action: -policy.value(view.public, action))[:CANDIDATES]


@functools.lru_cache(maxsize=4)
def _policy(worth: Worth) -> "RolloutPolicy":
    return RolloutPolicy(worth)


class RolloutPolicy:
    """The rollout policy, and playouts by it. Rows are sets of bits, for speed.

    The value of a move is that of its target less that of its payment. A cross-entropy search found the numbers by many
    games. They say: take personalities first, above all high ones and those in the palace; pay exactly; pay with cards
    of one suit rather than two.
    """

    OVERPAID = -0.55  # per rank
    PAID, PAID_ONE_SUIT, PAID_HIGH = -1.5, 4.25, 0.35  # per card
    PERSON, PERSON_RANK, IN_PALACE, PALACE_FULL = 4.5, 1.6, 2.2, 0.85
    OTHER_RANK, OTHER_ONE_SUIT, OTHER_EXACT = 0.27, -0.7, 0.43

    def __init__(self, worth: Worth) -> None:
        self.worth = worth
        count = range(len(worth.ranks))
        self.bits = [1 << card for card in count]
        self.friends = [sum(1 << card for card in count if worth.suits[card] & worth.suits[target]) for target in count]
        self.people = sum(worth.people)
        # target -> resources that fit -> the best payment and its value; None if they are too few
        self.known: list[dict[int, tuple[float, int] | None]] = [{} for _ in count]

    def value(self, public: Public, action: Action) -> float:
        worth = self.worth
        if not isinstance(action, Control):
            if public.excuse == "resource":  # prefer to give cheap cards
                return -worth.ranks[action.card]
            return -20 if worth.people[action.card] else worth.ranks[action.card]
        value = self._value(action.target, action.payment)
        return value + self._palace(len(public.palace)) if action.target in public.palace else value

    def _palace(self, crowd: int) -> float:
        return self.IN_PALACE + (self.PALACE_FULL if crowd >= ROW - 2 else 0)

    def _value(self, target: int, payment: Cards) -> float:
        ranks, suits = self.worth.ranks, self.worth.suits
        over = sum([ranks[card] for card in payment]) - ranks[target]
        value = self.OVERPAID * over
        for card in payment:
            value += self.PAID
            if suits[card].bit_count() == 1:
                value += self.PAID_ONE_SUIT
            if ranks[card] >= 7:
                value += self.PAID_HIGH
        if self.worth.people[target]:
            return value + self.PERSON + self.PERSON_RANK * ranks[target]
        if suits[target].bit_count() == 1:
            value += self.OTHER_ONE_SUIT
        return value + self.OTHER_RANK * ranks[target] + (0 if over else self.OTHER_EXACT)

    def _best(self, target: int, fitting: int) -> tuple[float, int] | None:
        """The best payment for the target from these resources."""
        ranks = self.worth.ranks
        payments: list[tuple[Cards, int]] = [((), 0)]
        rest = fitting
        while rest:
            card = (rest & -rest).bit_length() - 1
            rest &= rest - 1
            payments += [((*paid, card), total + ranks[card]) for paid, total in payments]
        enough = [
            (self._value(target, paid), sum([self.bits[card] for card in paid]))
            for paid, total in payments
            if total >= ranks[target]
        ]
        found = self.known[target][fitting] = max(enough) if enough else None
        return found

    def play(self, public: Public, action: Action, pile: Cards) -> float:
        """Play on from the action with this pile. Returns 1 for a win, and a little for each personality."""
        worth, bits = self.worth, self.bits
        capital, palace = list(public.capital), list(public.palace)
        resources = sum([bits[card] for card in public.resources])
        won = len(public.personalities)
        if isinstance(action, Control):
            row = palace if action.target in palace else capital
            row.remove(action.target)
            resources -= sum([bits[card] for card in action.payment])
            if worth.people[action.target]:
                won += 1
            else:
                resources += bits[action.target]
        elif public.excuse == "resource":
            capital[-1] = action.card
            resources -= bits[action.card]
        else:
            resources -= bits[worth.excuse]
            capital.remove(action.card)
            if worth.people[action.card]:
                palace.append(action.card)
            else:
                resources += bits[action.card]
        return self._play(capital, palace, resources, won, pile)

    def _play(self, capital: list[int], palace: list[int], resources: int, won: int, pile: Cards) -> float:
        people, bits, friends, known = self.worth.people, self.bits, self.friends, self.known
        at, size = 0, len(pile)
        held = resources.bit_count()
        while len(palace) <= ROW:
            if at < size and (len(capital) < ROW or held < ROW):
                card = pile[at]
                at += 1
                if card == self.worth.excuse:
                    resources, held = self._answer(capital, palace, resources)
                elif len(capital) < ROW:
                    capital.append(card)
                elif people[card]:
                    palace.append(card)
                else:
                    resources |= bits[card]
                    held += 1
                continue
            if won == self.people:
                left = sum([self.worth.ranks[card] for card, bit in enumerate(bits) if resources & bit])
                return 1 + SHARE * won + LEFT * left
            best, chosen, row, paid = -1e9, -1, capital, 0
            for target in capital:
                fitting = resources & friends[target]
                if fitting:
                    found = known[target].get(fitting, 0)
                    if found == 0:
                        found = self._best(target, fitting)
                    if found and found[0] > best:
                        best, paid = found
                        chosen = target
            more = self._palace(len(palace))
            for target in palace:
                fitting = resources & friends[target]
                if fitting:
                    found = known[target].get(fitting, 0)
                    if found == 0:
                        found = self._best(target, fitting)
                    if found and found[0] + more > best:
                        best, paid = found[0] + more, found[1]
                        chosen, row = target, palace
            if chosen < 0:
                return SHARE * won
            row.remove(chosen)
            resources &= ~paid
            if people[chosen]:
                won += 1
            else:
                resources |= bits[chosen]
            held = resources.bit_count()
        return 0.0

    def _answer(self, capital: list[int], palace: list[int], resources: int) -> tuple[int, int]:
        """Answer the Excuse: it leaves, and the card with the lowest or highest value moves for it."""
        ranks, people = self.worth.ranks, self.worth.people
        if len(capital) < ROW:
            if resources:
                card = min((card for card in range(len(ranks)) if resources >> card & 1), key=ranks.__getitem__)
                resources &= ~self.bits[card]
                capital.append(card)
        elif capital:
            card = max(capital, key=lambda card: -1 if people[card] else ranks[card])
            capital.remove(card)
            if people[card]:
                palace.append(card)
            else:
                resources |= self.bits[card]
        return resources, resources.bit_count()
