"""What is asked in a course about a deck, whatever the format of the file: `gift` and `moodle_xml` write it down."""

from collections.abc import Sequence

from msgspec import Struct

NEAR = 10
"""So many years beside a date are worth half of the marks."""
SHARES = dict(
    zip(
        range(1, 11),
        ("100", "50", "33.33333", "25", "20", "16.66667", "14.28571", "12.5", "11.11111", "10"),
        strict=True,
    )
)
"""An equal part of all marks, in percent as Moodle knows them, by how many parts there are."""


class Question(Struct, frozen=True):
    """What a question is called in Moodle's lists, what it asks, and what is told after the answer."""

    name: str
    text: str
    told: str = ""


class Category(Struct, frozen=True):
    """From here on questions come into this category below the one that is chosen when the file is taken in."""

    names: tuple[str, ...]

    @property
    def path(self) -> str:
        """The names as Moodle puts them together."""
        plain = (" ".join(name.split()).replace("\\", "").strip("/") for name in self.names)
        return "/".join(name.replace("/", "//") for name in plain)


class Numeric(Struct, frozen=True):
    """A year from `first` to `last`, with a year before our era as a negative one: there is none between -1 and 1."""

    asked: Question
    first: int
    last: int

    @property
    def answers(self) -> list[tuple[str, int, int]]:
        """In the order in which they are tried: what one is worth in percent, a year, and how far it goes."""
        near = (_moved(self.first, -NEAR), _moved(self.last, NEAR))
        exact = [("100", *one) for one in _ranges(self.first, self.last)]
        return [*exact, *(("50", *one) for one in _ranges(*near))]


class Matching(Struct, frozen=True):
    """Three pairs or more. What is equal on the right side is one choice for all that it goes with."""

    asked: Question
    pairs: Sequence[tuple[str, str]]


class Single(Struct, frozen=True):
    """One of the choices is right."""

    asked: Question
    right: str
    choices: Sequence[str]


class Several(Struct, frozen=True):
    """All right ones are to be ticked, each for its share; the wrong ones together take as much away. Ten of each at
    most.
    """

    asked: Question
    right: Sequence[str]
    wrong: Sequence[str]


class Ordering(Struct, frozen=True):
    """Three things or more in their right order, of which so many are `shown` at a time, drawn anew for everybody."""

    asked: Question
    items: Sequence[str]
    shown: int


Asked = Category | Numeric | Matching | Single | Several | Ordering


def _moved(year: int, by: int) -> int:
    counted = (year if year > 0 else year + 1) + by
    return counted if counted > 0 else counted - 1


def _ranges(first: int, last: int) -> list[tuple[int, int]]:
    """The years as a middle and how far it goes to both sides, in whole numbers: what is shown as the right answer is
    a year. Of an even number of years the last one stands by itself.
    """
    if (last - first) % 2:
        return [*_ranges(first, last - 1), (last, 0)]
    return [((first + last) // 2, (last - first) // 2)]
