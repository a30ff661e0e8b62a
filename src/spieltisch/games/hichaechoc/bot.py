"""A player at three levels. The Pupil plays whatever she holds right; the Teacher thinks of the next turn; the
Grammarian searches, keeps ambiguous forms as bridges, and hears what a draw tells.

Each contests what it holds wrong: the less sure one is of the forms, the more there is to contest.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from spieltisch.dice import Dice
from spieltisch.games.hichaechoc import search
from spieltisch.games.hichaechoc.agreement import BESIDE, Table, agree, readings
from spieltisch.games.hichaechoc.knowledge import Mind
from spieltisch.games.hichaechoc.news import Passed
from spieltisch.games.hichaechoc.rooms import Accept, Action, Contest, Draw, Pass, Play, PlayJoker, Public, Sight

BRIDGE = 1.0  # what a card of one's own that would fit next is worth
GAP = 0.2  # what one of the unseen cards that would fit next costs
STIFF = 0.5  # how gladly a card with few readings is played before one with many
GAMES = 400  # that a Grammarian plays in its mind before a move

_ways = lru_cache(64)(search.ways)


def choose(view: Sight, legal: Sequence[Action], dice: Dice, knows: Mind | None) -> Action:
    """One of `legal`, by the open table of forms or by the one that the bot has in mind."""
    p = view.public
    mind = knows or Mind("magister", None)
    table = mind.table if p.terms.table is None else p.terms.table
    if table is None:
        return dice.choice(legal)
    if p.turn.pending is not None:
        return Accept() if _seems_right(p, table, p.turn.pending) else Contest()
    plays = [play for play in legal if isinstance(play, Play) and _seems_right(p, table, play)]
    if plays:
        return _best(view, plays, table, mind.level, dice)
    for last in (PlayJoker(), Draw(), Pass()):
        if last in legal:
            return last
    return dice.choice(legal)


def _best(view: Sight, plays: Sequence[Play], table: Table, level: str, dice: Dice) -> Play:
    if level == "discipula":
        return dice.choice(plays)
    if level == "grammaticus" and len(plays) > 1:
        return search.best(view, plays, _ways(table), _lacks(view.public, table), GAMES, dice)
    worth = _Worth(view, table)
    return max(plays, key=lambda play: (worth.of(play), dice.random()))


def _lacks(p: Public, table: Table) -> list[list[int]]:
    """For every seat and card the forms that it cannot be: who has just drawn and passed holds nothing that goes on
    the top card. (Strict, one may pass all the same; but hardly anybody does.)
    """
    lacks = [[0] * held for held in p.hands]
    for told in p.news:
        if isinstance(told, Passed):
            top, said = p.middle.top, p.middle.said
            assert top is not None
            beneath = readings(table, top) if said is None else (said,)
            fit = search.mask(table[cell] for under in beneath for cell in BESIDE[under])
            lacks[told.seat] = [fit] * p.hands[told.seat]
    return lacks


def _seems_right(p: Public, table: Table, play: Play) -> bool:
    """Whether the declared reading is one of the card's, and agrees with the top card in exactly two criteria."""
    top, said = p.middle.top, p.middle.said
    assert top is not None
    if table[play.reading] != play.form:
        return False
    beneath = readings(table, top) if said is None else (said,)
    return any(agree(play.reading, cell) == 2 for cell in beneath)


class _Worth:
    """How good a play is: what could follow on it from the own hand, and what from the others'."""

    def __init__(self, view: Sight, table: Table) -> None:
        p = view.public
        assert view.own is not None
        assert p.middle.top is not None
        self._table = table
        self._hand = view.own.hand
        self._unseen = Counter(p.terms.cards)
        self._unseen.subtract((*self._hand, *p.middle.played))
        self._unseen[p.middle.top] -= 1
        others = sum(p.hands) - len(self._hand)
        self._held = others / max(1, others + p.middle.pile)

    def of(self, play: Play) -> float:
        follows = {self._table[cell] for cell in BESIDE[play.reading]}
        left = Counter(self._hand)
        left[play.form] -= 1
        bridges = sum(count for form, count in left.items() if form in follows)
        answers = sum(count for form, count in self._unseen.items() if form in follows and count > 0)
        flexible = len(readings(self._table, play.form))
        return BRIDGE * bridges - GAP * self._held * answers - STIFF * flexible
