"""States that fit a view: unseen cards in random places, and made-up dates."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Protocol

from spieltisch.decks.dates import Span, years
from spieltisch.decks.text import NOTHING, Text
from spieltisch.dice import Dice
from spieltisch.game import State
from spieltisch.games.annodomini.cards import Shown
from spieltisch.games.annodomini.events import Event
from spieltisch.games.annodomini.state import GameState, GameView, Hidden, Own
from spieltisch.languages import DEFAULT

EARLIEST, LATEST = -3000, 2000  # range of made-up years, extended by the years shown
_BEYOND = 500


class Knows(Protocol):
    """Beliefs about the cards."""

    def year(self, card: int, dice: Dice) -> int | None:
        """A sampled year of the card's event, by these beliefs; None without an opinion."""
        ...


def imagine(view: GameView, dice: Dice, beliefs: Knows | None = None) -> GameState:
    """A state that fits the view. Unseen cards lie anywhere, and unseen dates are made up."""
    p = view.public
    top = (p.top,) if p.top else ()
    in_sight = (*chain(*p.hands), *(laid.card for laid in p.chain), *p.turned, *top)
    seen = {card.number: card.front for card in in_sight}
    below = p.pile - len(top)
    n = len(seen) + below + p.set_aside
    unseen = tuple(i for i in range(n) if i not in seen)
    if p.round:  # before the deal, the pile is the deck in its order
        unseen = dice.shuffle(unseen)
    pile, set_aside = (*(card.number for card in top), *unseen[:below]), unseen[below:]
    rows = p.revealed.rows if p.revealed else ()
    if p.chain and p.end:  # a right chain stays on the table
        shown = {laid.card.number: row for laid, row in zip(p.chain, rows, strict=True)}
    elif p.set_aside:  # no shuffle since: the revealed cards were put away last
        shown = dict(zip(set_aside[len(set_aside) - len(rows) :], rows, strict=True))
    else:
        shown = match_fronts(rows, seen, unseen, dice)
    made = made_up(n, {number: row.span for number, row in shown.items()}, dice)
    cards = []
    for number in range(n):
        if row := shown.get(number):
            back = (row.date, row.comment, row.source)
            cards.append(Event(str(number), row.front, row.date[DEFAULT], row.span, *back, corrected=row.corrected))
        else:
            year = beliefs.year(number, dice) if beliefs else None
            year = made[number] if year is None else year
            said = years(Span(year, year))
            cards.append(Event(str(number), seen.get(number, NOTHING), said[DEFAULT], Span(year, year), said))
    return State(p, (Own(),) * len(p.hands), Hidden(tuple(cards), pile, set_aside))


def made_up(n: int, shown: Mapping[int, Span], dice: Dice) -> dict[int, int]:
    """Years for those of n cards that are not shown: in a uniformly random order of all cards that keeps the
    spans shown in theirs.

    Every card falls on a random point of a line; the cards shown take theirs in the order of their spans. A
    year between two of them is as far on the way as its point.
    """
    spans = sorted(shown.values())
    marks = sorted(dice.random() for _ in spans)
    low = min([EARLIEST, *(span.start - _BEYOND for span in spans)])
    high = max([LATEST, *(span.end + _BEYOND for span in spans)])
    stops = [(0.0, low), *zip(marks, (span.start for span in spans), strict=True), (1.0, high)]
    points = {card: dice.random() for card in range(n) if card not in shown}
    made, stop = {}, 0
    for card in sorted(points, key=points.__getitem__):
        while stop < len(marks) and points[card] >= marks[stop]:
            stop += 1
        (before, year), (after, next_year) = stops[stop], stops[stop + 1]
        made[card] = year + int((points[card] - before) / (after - before) * (next_year - year))
    return made


def match_fronts(
    rows: Sequence[Shown], seen: Mapping[int, Text], unseen: Iterable[int], dice: Dice
) -> dict[int, Shown]:
    """Where the cards of a reveal may be after a reshuffle, as number → row.

    A card in sight with the same event is that card. The others are somewhere out of sight. Cards without a text occur
    only in imagined worlds; they may be in sight, too, because nobody can tell.
    """
    hidden = list(dice.shuffle(unseen))
    found: dict[int, Shown] = {}
    for row in sorted(rows, key=lambda row: row.front == NOTHING):
        same = [number for number, front in seen.items() if front == row.front and number not in found]
        number = dice.choice(same if row.front != NOTHING and same else same + hidden)
        if number in hidden:
            hidden.remove(number)
        found[number] = row
    return found
