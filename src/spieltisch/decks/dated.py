"""Kinds of decks whose cards have dates: what all of these share. A game's own extends it by what is different."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from spieltisch.decks.base_kind import DeckKind, Found
from spieltisch.decks.dates import read_date
from spieltisch.decks.deck import Deck, eras_of
from spieltisch.decks.exporting import anki, questions
from spieltisch.decks.exporting.anki import Note
from spieltisch.decks.exporting.asked import Asked
from spieltisch.decks.exporting.stats import Stats, of_dates
from spieltisch.decks.lint import cards
from spieltisch.decks.table import COMMENTS, Row, Table
from spieltisch.decks.tasks import Task, chain
from spieltisch.game import HasCards
from spieltisch.i18n import Translator

D = TypeVar("D", bound=HasCards)
ERRORS = {"novice": 0.3, "connoisseur": 0.15, "chronicler": 0.05}
"""By how much of a card's age people of three levels of knowledge are usually off about its date."""
LEAST = 3
"""Years by which even the latest dates are misjudged."""


class Dated(DeckKind[D]):
    """A kind whose cards have a date, a front, a comment and a source."""

    date = "date"
    chosen = True

    def dated(self, row: Row) -> Found:
        return cards.dated(row[self.date], reviewed=bool(row["review"]))

    def stats(self, table: Table) -> Stats:
        return of_dates(table, self)

    def note(self, deck: Deck, row: Row, lang: str) -> Note:
        return anki.note(row, read_date(row[self.date], eras_of(deck.table)).text[lang], lang)

    def questions(self, deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
        return questions.dated(deck, rows, lang)

    def task(self, deck: Any, name: str, card: str, dice: random.Random) -> Task | None:
        return chain(deck.cards, name, card, dice)

    def sheets(self, deck: Deck, lang: str, tr: Translator) -> dict[str, object]:
        series = {one: name[lang] for one, name in deck.table.named("series").items()}
        eras = eras_of(deck.table)
        return {"cards": [self.printed(row, series, eras, lang) for row in deck.table.rows]}

    def printed(self, row: Row, series: dict[str, str], eras: str, lang: str) -> dict[str, object]:
        """What stands on a card's front (`text`, `part`) and on its back."""
        return {
            "text": row.told(lang), "part": series.get(row["series"], ""), "who": "",
            "date": read_date(row[self.date], eras).text[lang], "comment": row.told(lang, COMMENTS),
            "source": row["source"],
        }  # fmt: skip
