"""What a seat missed in a game that is over, to be learned: the firsts for which its stone stood wrong."""

from collections.abc import Iterable

from spieltisch.decks.exporting.anki import Note
from spieltisch.games.trailblaze.news import News, Revealed
from spieltisch.games.trailblaze.state import Table
from spieltisch.i18n import Translator


def missed(state: Table, news: Iterable[News], seat: int, tr: Translator) -> list[Note]:  # noqa: ARG001 - the news tell all
    """A note for each of these firsts, its year on the back."""
    found, lang = {}, tr.lang
    for one in news:
        if not isinstance(one, Revealed) or one.seat != seat:
            continue
        if any(stone.pattern is not None and stone.column != one.column for stone in one.stones):
            year = one.period[lang] if one.year is None else str(one.year)
            who = ", ".join(filter(None, (one.who, one.place)))
            told = ". ".join(filter(None, (who, one.comment[lang])))
            found[one.card.text] = Note(one.card.text.de, (one.card.text[lang], year, told, one.source))
    return list(found.values())
