"""The firsts as a data set."""

from collections.abc import Iterator

from spieltisch.study.datasets import CARDS, Dataset, Wanted, backs, fronts, of_decks

ABOUT = (
    "When was a woman the first to do it? Firsts in German and English, as cards of Trailblaze show them, each with "
    "its year and its source; and firsts that are still to come, with the day on which that was checked."
)
SAYS = {
    "id": "A short permanent name of the card.",
    "year": "The year; joker for what no woman has done yet.",
    **fronts("The first"),
    "who": "The woman who did it.",
    "place": "Where she did it.",
    "country": "The country.",
    "field": "The subject.",
    **backs(),
    "source": "The address of the source.",
    "thing": "What the card is about, where other cards are about it too.",
    "fact": "The fact that the year is about.",
    "checked": "Of what no woman has done yet: the day on which that was checked.",
    "again": "The month in which it has to be checked again.",
    "corrected": "The day of the last correction.",
}


def datasets(_wanted: Wanted) -> Iterator[Dataset]:
    """The firsts of the shipped decks."""
    keywords = ("history", "women", "chronology", "calibration")
    yield of_decks("firsts", "firsts", "Women who went first, in German and English", ABOUT, CARDS, SAYS, keywords)
