"""How programs learn hic – haec – hoc: what the numbers of an action and of a view mean."""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

from spieltisch import package
from spieltisch.games.hichaechoc.agreement import READINGS
from spieltisch.games.hichaechoc.forms import CELLS, Paradigm
from spieltisch.games.hichaechoc.news import Judged
from spieltisch.games.hichaechoc.state import (
    JOKER,
    Accept,
    Action,
    Contest,
    Draw,
    GameView,
    Options,
    Own,
    Pass,
    Play,
    PlayJoker,
    Public,
)
from spieltisch.package import Block

CELL = len(CELLS)
HAND = 10  # cards: so many or more count as 1
KEPT = 64  # arrays of what seats were told


class Learning(package.Learning[Options, Paradigm, Public, Own, Action]):
    """A form and its reading; with an open table of forms the reading alone, for it belongs to one form.

    Seats are counted clockwise from one's own.
    """

    def __init__(self, seats: int, options: Options, deck: Paradigm, told: int) -> None:
        self._seats = seats
        alike = Counter(card.form for card in deck.cards)
        self._forms = n = len(alike)
        self.each = 1 / (1 << (max(alike.values()) - 1).bit_length())  # what a card counts; sums of it are exact
        self._strict = strict = options.mode == "strict"
        self._alone = (Draw, Pass, *(Accept, Contest) * strict, *(PlayJoker,) * options.joker)
        self._kept: dict[tuple[int | None, ...], array[float]] = {}
        self._plays = [[*range(form * CELL, (form + 1) * CELL)] for form in range(n)]
        cells = "counted as nominative singular m, f, n, plural m, f, n, genitive, dative, accusative, ablative"
        play = (
            Block("play", n * CELL, f"the form n // {CELL} as the reading n % {CELL}, {cells}")
            if strict
            else Block("play", CELL, f"the form of the cell n as that reading, {cells}")
        )
        alone = f"draw, pass{', accept, contest' * strict}{', play the joker' * options.joker}"
        self.actions = (play, Block("alone", len(self._alone), alone))
        each = "seat by seat, one's own first: "
        self.fields = (
            Block("hand", n + 1, f"for each form, then the joker, how many of its cards are in the hand, each "
                  f"{self.each:g}", own=True),
            Block("drawn", n + 1, "the card drawn in this turn: no other may be played", own=True),
            Block("top", n, "the form on top"),
            Block("said", CELL + 1, "the reading it was declared as, or none"),
            Block("joker", 1, "whether the joker lies on it"),
            Block("asked", n + CELL, "the form and the reading that wait for an answer"),
            Block("turn", seats, "whose turn it is, one's own seat first"),
            Block("counts", seats, f"{each}how many cards are in the hand, 1 for {HAND} or more"),
            Block("back", seats * (n + 1), f"{each}the cards that everybody saw go back to the hand, counted likewise"),
            Block("under", n + 1, "how many cards of each form lie under the top one, counted likewise"),
            Block("pile", 1, "how many of the cards are in the pile"),
            Block("idle", 2, "the passes in a row, and the turns in which nothing happened, 1 for 10 or more"),
            *[Block("shown", n * CELL, "for each form its cells, after a contest: the table lay open")] * strict,
            *[Block("told", n * CELL, "for each form the cells of which one was told it", own=True)] * (told > 0),
        )  # fmt: skip

    def numbers(self, view: GameView, legal: Sequence[Action]) -> Sequence[int]:
        alone = self.actions[0].size
        if not self._strict:
            return [a.reading if isinstance(a, Play) else alone + self._alone.index(type(a)) for a in legal]
        found: list[int] = []
        many = len(legal)
        while len(found) < many:
            action = legal[len(found)]
            if type(action) is not Play:
                found.append(alone + self._alone.index(type(action)))
            elif action.reading == READINGS[0] and many >= len(found) + CELL and _whole(legal, len(found)):
                found += self._plays[action.form]  # all readings of a form, as nearly always
            else:
                found.append(action.form * CELL + action.reading)
        return found

    def draw(self, view: GameView, told: tuple[int | None, ...], into: "array[float]") -> None:
        p, own, n, seats, me = view.public, view.own, self._forms, self._seats, view.seat or 0
        if own is not None:
            self._count(own.hand, 0, into)
            if own.drawn is not None:
                into[n + 1 + min(own.drawn, n)] = 1.0
        at, middle = 2 * (n + 1), p.middle
        if middle.top is not None:
            into[at + middle.top] = 1.0
            into[at + n + (CELL if middle.said is None else middle.said)] = 1.0
        at += n + CELL + 1
        into[at] = middle.joker
        at += 1
        if (asked := p.turn.pending) is not None:
            into[at + asked.form] = into[at + n + asked.reading] = 1.0
        at += n + CELL
        into[at + (p.turn.seat - me) % seats] = 1.0
        at += seats
        for seat, cards in enumerate(p.hands):
            into[at + (seat - me) % seats] = min(1.0, cards / HAND)
        at += seats
        for seat, cards in enumerate(p.known.hands):
            self._count(cards, at + (seat - me) % seats * (n + 1), into)
        at += seats * (n + 1)
        self._count(middle.played, at, into)
        at += n + 1
        into[at] = middle.pile / len(p.terms.cards)
        into[at + 1], into[at + 2] = min(1.0, p.stall.passes / 10), min(1.0, p.stall.turns / 10)
        at += 3
        if self._strict:
            for news in p.news:
                if isinstance(news, Judged):
                    _mark(news.table, at, into)
            at += n * CELL
        if told:
            into[at : at + n * CELL] = self._known(told)

    def _known(self, told: tuple[int | None, ...]) -> "array[float]":
        """What is seen of these forms, kept: a seat is told them once a game."""
        known = self._kept.get(told)
        if known is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            known = self._kept[told] = array("f", bytes(4 * self._forms * CELL))
            _mark(told, 0, known)
        return known

    def _count(self, cards: Iterable[int], at: int, into: "array[float]") -> None:
        """How many of each form these are; the joker stands behind the forms."""
        for card in cards:
            if card == JOKER:
                into[at + self._forms] = 1.0
            else:
                into[at + card] += self.each


def _whole(legal: Sequence[Action], at: int) -> bool:
    """Whether all readings of one form begin here."""
    first, last = legal[at], legal[at + CELL - 1]
    return (
        isinstance(first, Play) and isinstance(last, Play) and (last.form, last.reading) == (first.form, READINGS[-1])
    )


def _mark(forms: Iterable[int | None], at: int, into: "array[float]") -> None:
    """Of each cell the form that stands there."""
    for cell, form in enumerate(forms):
        if form is not None:
            into[at + form * CELL + cell] = 1.0
