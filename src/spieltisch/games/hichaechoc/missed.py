"""What a seat missed in a game that is over, to be learned: the forms it misread, and those over which it objected
without reason.

While a game runs only objections turn the table of forms up; when it is over, every play can be looked up.
"""

from collections.abc import Iterable

from spieltisch.decks.exporting.anki import Note
from spieltisch.games.hichaechoc.agreement import readings
from spieltisch.games.hichaechoc.news import Judged, News, Played
from spieltisch.games.hichaechoc.rooms import World
from spieltisch.games.hichaechoc.sentences import reading
from spieltisch.i18n import Translator


def missed(state: World, news: Iterable[News], seat: int, tr: Translator) -> list[Note]:
    """A note for each of these forms, all its readings on the back."""
    terms = state.public.terms
    table = terms.table if terms.table is not None else state.hidden.table
    assert table is not None
    taken: dict[int, str] = {}
    for one in news:
        match one:
            case Judged(right=True, by=who) if who == seat:
                told = tr._("You objected to: {reading}.")
            case Judged(right=False, seat=who) if who == seat:
                told = tr._("You said: {reading}.")
            case Played(seat=who, form=form, reading=cell) if who == seat and cell not in readings(table, form):
                told = tr._("You said: {reading}.")
            case _:
                continue
        taken[one.form] = told.format(reading=reading(one.reading, tr))
    return [_note(terms.forms[form], readings(table, form), told, tr) for form, told in taken.items()]


def _note(form: str, cells: tuple[int, ...], told: str, tr: Translator) -> Note:
    return Note(form, (form, "; ".join(reading(cell, tr) for cell in cells), told, ""))
