"""The kind of decks that Inventions brings: a year, an event, and who invented it."""

from collections.abc import Iterator, Sequence
from typing import Any

from spieltisch.games.inventions.cards import COLUMNS, OPTIONAL, Inventions, read_inventions

from spieltisch.decks.base_kind import Found
from spieltisch.decks.dated import Dated
from spieltisch.decks.deck import Deck
from spieltisch.decks.exporting import questions
from spieltisch.decks.exporting.anki import Note
from spieltisch.decks.exporting.asked import Asked, Category, Matching, Question
from spieltisch.decks.findings import message, say
from spieltisch.decks.table import Row


class Kind(Dated[Inventions]):
    name = "inventions"
    columns = COLUMNS
    optional = OPTIONAL
    date = "year"
    words = {"inventor": "inventor erfinder erfinderin"}
    heads = frozenset({"inventor"})
    labels = {"inventor": "Inventor"}
    accent = "ada"
    label = "Inventions"
    this = "These are inventions"
    blanks = {"csv": "for inventions (CSV)"}
    widths = (8, 60, 30)

    def example(self, lang: str) -> Sequence[Sequence[str]]:
        if lang.startswith("de"):
            return (("Jahr", "Deutsch", "Erfinderin"), ("1886", "Eine Geschirrspülmaschine", "Josephine Cochrane"))
        return (("year", "en", "inventor"), ("1886", "A dishwasher", "Josephine Cochrane"))

    def read(self, text: str, name: str) -> Inventions:
        return read_inventions(text, name)

    def front(self, row: Row) -> Found:
        if not row["inventor"]:
            yield "error", "inventor", message("nobody has invented it"), message("Say who it was.")

    def note(self, deck: Deck, row: Row, lang: str) -> Note:
        return Note(row["id"], (row.told(lang), row["year"], row["inventor"], row["source"]))

    def questions(self, deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
        yield from questions.dated(deck, rows, lang)
        who = say(message("Who has invented it?"), lang)
        yield Category((deck.title[lang], who))
        yield Matching(Question(deck.title[lang], who), [(row.told(lang), row["inventor"]) for row in rows])

    def printed(self, row: Row, series: dict[str, str], eras: str, lang: str) -> dict[str, Any]:
        return {**super().printed(row, series, eras, lang), "who": row["inventor"]}
