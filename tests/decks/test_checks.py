"""Each shipped card was looked at by itself, in its present words. `tests/facts/checks.csv` and `checks_recent.csv` say
of the events what exactly the date of each is the date of, `tests/facts/checks_firsts.csv` of the firsts also who else
could claim it and which second source says so. A card that is changed has to be looked at again: its mark no longer
fits, and the test says which line is wanted.

What such a check was: the year that is dated was written down without looking at the card's and compared with it, and
the main clause read against it. It was not: opening the source of each card anew.

A second source begins with how it was looked up: `opened`, in a stored copy of the page when the card was checked;
`listed`, in the list of facts that the deck was made from, which names it; `known`, named from knowledge and not
opened. `office` stands instead of one where the list of those who held the office settles who was the first.
"""

import csv
import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from spieltisch.decks.dates import parse
from spieltisch.decks.library import shipped

FACTS = Path(__file__).parents[1] / "facts"
CHECKS = {
    "events": FACTS / "checks.csv",
    "firsts": FACTS / "checks_firsts.csv",
    "recent": FACTS / "checks_recent.csv",
}
SECOND = re.compile(r"(?:opened|listed) (https?://\S+)|known (?:.+, )?(https?://\S+)|known .+, \d{4}")
COPIES = ("wikipedia.org", "wikidata.org", "wikimili.com", "wikiwand.com")


def table(file):
    lines = [line for line in csv.reader(file.read_text("utf-8").splitlines()) if not line[0].startswith("#")]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def _date(card):
    return card.get("date") or card["year"]


def mark(card):
    """Changes with each change of the date or of a front."""
    said = "|".join((_date(card), card["de"], card["en"]))
    return hashlib.sha256(said.encode()).hexdigest()[:8]


CARDS = {card["id"]: card for deck in CHECKS for card in table(shipped()[deck])}
DONE = [line for file in CHECKS.values() for line in table(file)]
DONE_FIRSTS = table(CHECKS["firsts"])


def test_no_card_is_shipped_unchecked():
    done = {line["id"]: line for line in DONE}
    marks = {card["id"]: mark(card) for card in CARDS.values()}
    wanted = [f"{name},{mark},…" for name, mark in marks.items() if done.get(name, {}).get("mark") != mark]
    assert not wanted, "to be looked at, then noted in tests/facts/checks*.csv:\n" + "\n".join(wanted)


def test_each_check_is_of_a_card_and_of_one():
    ids = [line["id"] for line in DONE]
    assert ids == sorted(set(ids) & set(CARDS))
    assert all(line["dated"].strip() for line in DONE)


def _is_first(line):
    return CARDS[line["id"]]["year"] != "joker"


def test_who_else_could_claim_a_first_is_said():
    assert all(bool(line["rivals"]) == _is_first(line) for line in DONE_FIRSTS)


def test_each_first_is_an_office_or_has_a_second_source():
    wrong = [line["id"] for line in DONE_FIRSTS if _is_first(line) != _is_settled(line["second"])]
    assert not wrong, f"these want `office` or a second source besides Wikipedia: {wrong}"


def _is_settled(second):
    source = SECOND.fullmatch(second)
    host = source and urlsplit(source[1] or source[2] or "").hostname
    return second == "office" or bool(source and not (host or "").endswith(COPIES))


@pytest.mark.parametrize(
    "second",
    [
        "",
        "a museum",
        "opened",
        "opened a book, 1999",
        "known Somebody, A Book",
        "listed https://en.wikipedia.org/wiki/X",
    ],
)
def test_what_is_no_second_source(second):
    assert not _is_settled(second)


def test_the_years_of_check_and_card_agree():
    for line in DONE:
        date = _date(CARDS[line["id"]])
        assert date == "joker" or _agree(line["dated"], parse(date)), (line["dated"], date)


def _agree(dated, span):
    """Whether a year of the dated thing lies in the card's years. Centuries are compared by hand."""
    years = [int(year) for year in re.findall(r"\b\d{1,4}\b", dated)]
    known = [year for n in years for year in (n, 1 - n)]  # without a gap at the turn of the era
    century = re.search(r"century|centuries|millennium|\d0s\b", dated)
    return bool(century) or any(span.start <= year <= span.end for year in known)
