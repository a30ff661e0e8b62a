"""Each language's `lab.toml`: what to look for in its texts. What it leaves out is not looked for."""

import csv
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from spieltisch.decks.dates import Span
from spieltisch.decks.table import TEXTS
from spieltisch.languages import data
from spieltisch.languages.patterns import Usable, require_patterns

ONGOING = 3000  # the last year of what there is still


class Era(Struct, frozen=True):
    """A time that a text may name (“in the Cold War”), or a thing that has existed since its first year."""

    kind: str  # setting, thing
    span: Span


def _eras() -> dict[str, Era]:
    with Path(__file__).with_name("eras.csv").open(encoding="utf-8", newline="") as file:
        return {
            line["name"]: Era(line["kind"], Span(int(line["from"]), int(line["to"] or ONGOING)))
            for line in csv.DictReader(file)
        }


ERAS: Mapping[str, Era] = _eras()
"""By name. The words for them are in each language's `lab.toml`."""


class Names(Usable, frozen=True, forbid_unknown_fields=True):
    """How to tell people from places, peoples and days, in a language with capitals for names alone."""

    place: str
    before_places: str
    articles: str = ""
    possessive: str = ""
    others: str = ""

    def require_usable(self) -> None:
        require_patterns([self.place.replace("\n", "")])


class Lab(Usable, frozen=True, forbid_unknown_fields=True):
    """Words, and regular expressions; "" finds nothing."""

    small_words: str = ""
    articles: str = ""
    setting: str = ""
    between: str = ""
    inside: str = ""
    relative: str = ""
    again: str = ""
    unfinished: str = ""
    looking_on: str = ""
    foreseen: str = ""
    names: Names | None = None
    eras: Mapping[str, str] = {}

    def require_usable(self) -> None:
        if unknown := self.eras.keys() - ERAS.keys():
            raise ValueError(f"eras: there is no {', '.join(sorted(unknown))}")
        if self.names is not None:
            self.names.require_usable()
        said = (self.setting, self.between, self.inside, self.relative, self.again, self.unfinished, self.looking_on)
        require_patterns(one.replace("\n", "") for one in (*said, self.foreseen, *self.eras.values()))


LAB = {tag: lab for tag, lab in data("lab.toml", Lab).items() if tag in TEXTS}


def pattern(said: str) -> re.Pattern[str]:
    """Return the regular expression from its lines; one that finds nothing for ""."""
    return re.compile(said.replace("\n", "") or "(?!)", re.IGNORECASE)


def any_of(said: Iterable[str], *more: str) -> re.Pattern[str]:
    """Return a pattern that finds what any of these finds."""
    return pattern("|".join(filter(None, [*more, *said])))
