"""Questions about a deck for a course, in any file format: `gift` and `moodle_xml` write them."""

from collections.abc import Sequence

from msgspec import Struct

from spieltisch.decks.dates import astronomical, historical

NEAR = 10
"""An answer off by this many years gets half of the marks."""
SHARES = dict(
    zip(
        range(1, 11),
        ("100", "50", "33.33333", "25", "20", "16.66667", "14.28571", "12.5", "11.11111", "10"),
        strict=True,
    )
)
"""Equal shares of all marks, as percentages that Moodle accepts, by number of shares."""


class Question(Struct, frozen=True):
    """A question: its name in Moodle's lists, its text, and the feedback."""

    name: str
    text: str
    told: str = ""


class Category(Struct, frozen=True):
    """Following questions belong to this category, below the one chosen at the import."""

    names: tuple[str, ...]

    @property
    def path(self) -> str:
        """The names in Moodle's form."""
        plain = (" ".join(name.split()).replace("\\", "").strip("/") for name in self.names)
        return "/".join(name.replace("/", "//") for name in plain)


class Numeric(Struct, frozen=True):
    """A year from `first` to `last`. Years BC are negative, and no year lies between -1 and 1."""

    asked: Question
    first: int
    last: int

    @property
    def answers(self) -> list[tuple[str, int, int]]:
        """The answers in order: marks in percent, a year, and its tolerance."""
        near = (_moved(self.first, -NEAR), _moved(self.last, NEAR))
        exact = [("100", *one) for one in _ranges(self.first, self.last)]
        return [*exact, *(("50", *one) for one in _ranges(*near))]


class Matching(Struct, frozen=True):
    """At least three pairs. Equal right sides are one choice for several left sides."""

    asked: Question
    pairs: Sequence[tuple[str, str]]


class Single(Struct, frozen=True):
    """One of the choices is right."""

    asked: Question
    right: str
    choices: Sequence[str]


class Several(Struct, frozen=True):
    """Several choices are right, each with its share of the marks. Wrong ones subtract as much in total. At most ten of
    each.
    """

    asked: Question
    right: Sequence[str]
    wrong: Sequence[str]


class Ordering(Struct, frozen=True):
    """At least three things in their right order; `shown` of them are drawn for each person."""

    asked: Question
    items: Sequence[str]
    shown: int


Asked = Category | Numeric | Matching | Single | Several | Ordering


def _moved(year: int, by: int) -> int:
    return historical(astronomical(abs(year), before=year < 0) + by)


def _ranges(first: int, last: int) -> list[tuple[int, int]]:
    """The years as centres with a whole tolerance, because Moodle shows the centre as the right answer. For an even
    number of years, the last one stands alone.
    """
    if (last - first) % 2:
        return [*_ranges(first, last - 1), (last, 0)]
    return [((first + last) // 2, (last - first) // 2)]
