"""What each player claimed about forms in a finished strict game: by declaring, contesting, and accepting errors. As in
the confusion map, an error of agreement says nothing about a form. An assisted game yields no claims, because it offers
only right plays.
"""

from spieltisch.games.hichaechoc.agreement import readings
from spieltisch.games.hichaechoc.forms import CELLS
from spieltisch.games.hichaechoc.news import Accepted, Judged, Played
from spieltisch.games.hichaechoc.state import Finished, GameState
from spieltisch.package import Decision


def decisions(game: Finished) -> list[Decision]:
    """The claims of all seats; `said` is the reading in question."""
    state: GameState = game.dealt
    table, forms = state.hidden.table, state.public.terms.forms
    if table is None:
        return []
    found: list[Decision] = []
    pending: Played | None = None
    for at, one in enumerate(game.news):
        match one:
            case Played(seat=seat, form=form, reading=cell):
                pending, right = one, cell in readings(table, form)
                found.append(Decision(at, seat, "laid", forms[form], right, said=_said(cell)))
            case Judged(by=seat, form=form, reading=cell, right=stood):
                if stood or cell not in readings(table, form):
                    found.append(Decision(at, seat, "contested", forms[form], not stood, said=_said(cell)))
            case Accepted(seat=seat) if pending is not None:
                form, cell = pending.form, pending.reading
                if cell not in readings(table, form):
                    found.append(Decision(at, seat, "passed", forms[form], right=False, said=_said(cell)))
            case _:
                pass
    return found


def _said(cell: int) -> str:
    return ".".join(CELLS[cell])
