"""The paradigms as a data set."""

from collections.abc import Iterator

from spieltisch.study.datasets import PROGRAM, Dataset, Wanted, of_decks

ABOUT = (
    "The forms of nine Latin pronouns, cell by cell: case, number and gender, thirty cells each. Long vowels are "
    "marked as in German school grammars. Forms that are written alike stand in several cells."
)
SAYS = {
    "case": "nom, gen, dat, acc or abl.",
    "number": "sg or pl.",
    "gender": "m, f or n.",
    "form": "The form, in lower case.",
}


def datasets(_wanted: Wanted) -> Iterator[Dataset]:
    """The forms of the shipped decks."""
    keywords = ("Latin", "morphology", "pronouns")
    yield of_decks("paradigms", "forms", "Paradigms of Latin pronouns", ABOUT, PROGRAM, SAYS, keywords)
