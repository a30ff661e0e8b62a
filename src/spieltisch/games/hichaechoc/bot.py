"""A bot at three levels. The Pupil plays any card she believes right. The Teacher considers the next turn. The
Grammarian searches, keeps ambiguous forms as bridges, and draws conclusions from what others draw.

Each contests what it believes wrong. The less sure it is of the forms, the more it contests.
"""

from collections import Counter
from collections.abc import Sequence

from spieltisch import makers, package
from spieltisch.dice import Dice
from spieltisch.games.hichaechoc.agreement import BESIDE, Table, agree, readings
from spieltisch.games.hichaechoc.beliefs import LEVELS, Mind
from spieltisch.games.hichaechoc.state import (
    Accept,
    Action,
    Contest,
    Draw,
    GameView,
    Own,
    Pass,
    Play,
    PlayJoker,
    Public,
)

BRIDGE = 1.0  # value of an own card that would fit next
GAP = 0.2  # cost of an unseen card that would fit next
STIFF = 0.5  # preference for cards with few readings

THOUGHTFUL = ("grammaticus",)
"""Levels that think longer than a server can wait, so they run in a process of their own."""


class Bot(package.Bot[Public, Own, Action, Mind, object]):
    """Plays at three levels."""

    levels = LEVELS
    slow_levels = THOUGHTFUL

    def choose(self, view: GameView, legal: Sequence[Action], dice: Dice, beliefs: Mind | None = None) -> Action:
        """Return one of `legal`, by the open table of forms or the remembered one."""
        p = view.public
        mind = beliefs or Mind("magister", None)
        table = mind.table if p.terms.table is None else p.terms.table
        if table is None:
            return dice.choice(legal)
        if p.turn.pending is not None:
            return Contest() if _contests(p, table, p.turn.pending) else Accept()
        plays = [play for play in legal if isinstance(play, Play) and _seems_right(p, table, play)]
        if plays:
            trusted = [play for play in plays if play.form not in _refuted(view)]
            if trusted or mind.level == "grammaticus":
                return _best(view, trusted or plays, legal, table, mind.level, dice)
        if guesses := _guesses(view, legal):
            return dice.choice(guesses)
        for last in (PlayJoker(), Draw(), Pass()):
            if last in legal:
                return last
        return dice.choice(legal)


def _best(
    view: GameView, plays: Sequence[Play], legal: Sequence[Action], table: Table, level: str, dice: Dice
) -> Action:
    if level == "discipula":
        return dice.choice(plays)
    if level == "grammaticus":
        options = [*plays, *(other for other in legal if isinstance(other, PlayJoker | Pass))]
        if len(options) == 1:
            return options[0]
        return makers.module("hichaechoc", "search").best(view, options, table, dice)
    worth = _Worth(view, table)
    return max(plays, key=lambda play: (worth.of(play), dice.random()))


def _contests(p: Public, table: Table, play: Play) -> bool:
    """Whether a contest pays: against a reading that seems wrong, and against any play that would end the game, because
    that costs nothing.
    """
    ends = not p.hands[p.turn.seat] and (not p.terms.options.play_on or len(p.hands) - len(p.out) == 2)
    return ends or not _seems_right(p, table, play)


def _refuted(view: GameView) -> tuple[int, ...]:
    """Own cards that came back: a reading believed right was judged wrong, though not which one."""
    assert view.seat is not None
    return view.public.known.hands[view.seat]


def _guesses(view: GameView, legal: Sequence[Action]) -> list[Play]:
    """All readings that would agree for a card that came back: guessing costs less than drawing."""
    p, back = view.public, _refuted(view)
    if p.middle.top is None or not back:
        return []
    said = p.middle.said
    return [
        play
        for play in legal
        if isinstance(play, Play) and play.form in back and (said is None or agree(play.reading, said) == 2)
    ]


def _seems_right(p: Public, table: Table, play: Play) -> bool:
    """Whether the declared reading is one of the card's, and agrees with the top card in exactly two criteria."""
    top, said = p.middle.top, p.middle.said
    assert top is not None
    if table[play.reading] != play.form:
        return False
    beneath = readings(table, top) if said is None else (said,)
    return any(agree(play.reading, cell) == 2 for cell in beneath)


class _Worth:
    """The value of a play: own cards that could follow, less those of the others."""

    def __init__(self, view: GameView, table: Table) -> None:
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
