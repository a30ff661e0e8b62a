"""The events as a data set."""

from collections.abc import Iterator

from spieltisch.study.datasets import CARDS, Dataset, Wanted, backs, fronts, of_decks

ABOUT = (
    "Dated events in German and English, as cards of Anno Domini show them: history, arts, science and school. The "
    "text never tells the year. Each card names its source; dates may be spans of years. All were read by an editor. "
    "Choice and wording are the authors', with more of Europe than its share of the world."
)
SAYS = {
    "id": "A short permanent name of the card.",
    "series": "The part of the deck: welt (world), kunst (arts), wissen (science) or schule (school).",
    "date": "The date as the card shows it, in English or German.",
    **fronts("The event"),
    **backs(),
    "source": "The address of the source.",
    "fact": "The fact that the date is about: a Wikidata item or a name, and what happened.",
    "field": "The subjects, with semicolons between them.",
    "region": "The places, with semicolons between them.",
    "level": "How hard the editor thinks it is, 1 (easy) to 3.",
    "goal": "What a course teaches with the card, with semicolons between them.",
    "thing": "What the card is about, where other cards are about it too.",
    "corrected": "The day of the last correction.",
}


def datasets(_wanted: Wanted) -> Iterator[Dataset]:
    """The events of the shipped decks."""
    keywords = ("history", "chronology", "calibration", "temporal reasoning")
    yield of_decks("events", "events", "Dated events in German and English", ABOUT, CARDS, SAYS, keywords)
