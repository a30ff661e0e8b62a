"""What a seat missed in a game that is over, to be learned: the cards it laid wrong, and those it let pass."""

from collections.abc import Iterable

from spieltisch.decks.exporting.anki import Note
from spieltisch.games.annodomini.ledger import rounds
from spieltisch.games.annodomini.news import News
from spieltisch.games.annodomini.rooms import Table
from spieltisch.i18n import Translator


def missed(state: Table, news: Iterable[News], seat: int, tr: Translator) -> list[Note]:  # noqa: ARG001 - the news tell all
    """A note for each of these cards, its date on the back."""
    found, lang = {}, tr.lang
    for one in rounds(news):
        fronts = {card.front for by, card in one.errors if by == seat}
        if seat in one.passed:  # it laid on after the first error
            fronts.add(one.errors[0][1].front)
        for row in one.reveal.rows:
            if row.front in fronts:
                fields = (row.front[lang], row.date[lang], row.comment[lang], row.source)
                found[row.front] = Note(row.front.de, fields)
    return list(found.values())
