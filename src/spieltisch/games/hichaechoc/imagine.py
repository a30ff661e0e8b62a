"""States that fit a view: unseen cards in random places, and a made-up table of forms."""

from collections import Counter
from collections.abc import Sequence

from spieltisch.dice import Dice
from spieltisch.game import State
from spieltisch.games.hichaechoc.agreement import Table
from spieltisch.games.hichaechoc.forms import CELLS
from spieltisch.games.hichaechoc.news import Drawn, Judged
from spieltisch.games.hichaechoc.state import JOKER, GameState, GameView, Hidden, Own, Public


def imagine(view: GameView, dice: Dice, beliefs: Sequence[int | None] | None = None) -> GameState:
    """A state that fits the view. Cards that everybody knows lie in their places, the others are uniform in the places
    left. A face-down table of forms comes from `beliefs`; cells about which `beliefs` say nothing (None) are made up.
    """
    p = view.public
    table = None
    if p.terms.table is None:
        table = _made_up(p, dice, beliefs or [None] * len(CELLS))
    if p.middle.top is None:
        return State(p, (Own(),) * len(p.hands), Hidden((), table))
    lying = dice.shuffle(unseen(view))
    owns = []
    for seat, held in enumerate(p.hands):
        if seat == view.seat and view.own is not None:
            owns.append(view.own)
            continue
        known = p.known.hands[seat]
        dealt, lying = lying[: held - len(known)], lying[held - len(known) :]
        own = Own(tuple(sorted((*dealt, *known))))  # nobody else sees in which order they came
        for told in p.news:
            if isinstance(told, Drawn) and told.seat == seat:
                card = dealt[0] if told.form is None else told.form
                own = Own(own.hand, card if p.turn.drawn else None, (Drawn(seat, card),))
        owns.append(own)
    if p.known.bottom:
        lying = (*lying, JOKER)
    return State(p, tuple(owns), Hidden(lying, table))


def unseen(view: GameView) -> list[int]:
    """The cards with places unknown to everybody at this seat."""
    p, m = view.public, view.public.middle
    unseen = Counter(p.terms.cards)
    unseen.subtract((m.top, *m.played) if m.top is not None else m.played)
    if m.joker:
        unseen[JOKER] -= 1
    if p.known.bottom:
        unseen[JOKER] -= 1
    if p.turn.pending is not None:
        unseen[p.turn.pending.form] -= 1
    for seat, known in enumerate(p.known.hands):
        unseen.subtract(view.own.hand if seat == view.seat and view.own is not None else known)
    return sorted(unseen.elements())


def _made_up(p: Public, dice: Dice, known: Sequence[int | None]) -> Table:
    """The written forms, each in any unknown cell, unless a verdict has just shown them all. A form believed in more
    cells than it has cards goes into the first of these.
    """
    shown = next((judged.table for judged in p.news if isinstance(judged, Judged)), None)
    if shown and None in known:
        return shown
    left: Counter[int | None] = Counter(card for card in p.terms.cards if card != JOKER)
    table: list[int | None] = []
    for form in known:
        held = form if form is not None and left[form] else None
        left[held] -= held is not None
        table.append(held)
    rest = iter(dice.shuffle(sorted(form for form in left.elements() if form is not None)))
    return bytes([next(rest) if form is None else form for form in table])
