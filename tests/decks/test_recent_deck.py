"""The shipped deck of recent events: what models and people may not know yet, each date from two places.

`tests/facts/recent.jsonl` holds for each card what is dated, the day or month as far as it is known, and the pages
that say so. Each page was read in a stored copy; an item of Wikidata stands for its row in a list of facts.
"""

import json
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.check import checked
from spieltisch.decks.dates import day_text, read_date
from spieltisch.decks.dates.habits import MONTHS
from spieltisch.decks.library import Library, shipped
from spieltisch.decks.table import read_table
from spieltisch.decks.text import Text
from spieltisch.decks.things import in_play

FACTS = Path(__file__).parents[1] / "facts/recent.jsonl"
SEATS = 4


def _rows(name):
    return read_table(shipped()[name].read_text("utf-8"), ()).rows


ROWS = _rows("recent")
FACT = {
    f"{fact['qid']}/{fact['what_happened']}": fact for fact in map(json.loads, FACTS.read_text("utf-8").splitlines())
}


def _said(date):
    """A date as 2026-01-14, 2026-01 or 2026, in words."""
    year, *month_and_day = date.split("-")
    if len(month_and_day) == 1:
        month = MONTHS[int(month_and_day[0]) - 1]
        return Text(f"{month.de} {year}", f"{month.en} {year}")
    return day_text(date)


def test_there_are_fifty_and_their_check_finds_nothing_to_mend():
    assert len(ROWS) >= 50
    assert [one for one in checked(shipped()["recent"]).found if one.severity != "note"] == []


def test_no_year_has_so_many_cards_that_a_chain_is_right_by_chance():
    years = Counter(read_date(row["date"]).span.start for row in ROWS)
    assert set(years) == {2024, 2025, 2026}
    assert max(years.values()) <= 0.4 * len(ROWS)


def test_each_card_has_the_date_of_its_fact_and_each_fact_a_card():
    assert sorted(row["fact"] for row in ROWS) == sorted(FACT)
    dates = {row["id"]: read_date(row["date"]).text.within(()) for row in ROWS}
    assert dates == {row["id"]: _said(FACT[row["fact"]]["date"]).within(()) for row in ROWS}


def test_each_fact_has_two_sources_and_its_card_names_the_first():
    for row in ROWS:
        sources = FACT[row["fact"]]["sources"]
        assert row["source"] == sources[0], row["id"]
        assert len({urlsplit(source).hostname for source in sources}) >= 2, row["id"]


def test_cards_are_whole():
    for row in ROWS:
        needed = ("de", "en", "comment_de", "comment_en", "source", "fact", "field", "region", "level")
        assert all(row[column] for column in needed), row["id"]
        assert row["review"] == "read", row["id"]


def test_no_event_is_on_a_card_of_each_deck():
    """A mix of both decks plays one card of each Wikidata item or article, so events must not come under two names."""
    others = _rows("events")
    for column in ("id", "fact", "de", "en"):
        assert {row[column] for row in ROWS}.isdisjoint(row[column] for row in others), column


def test_the_deck_alone_and_both_in_a_mix_are_enough():
    kind, library = kind_of("events"), Library()
    assert len(in_play(library.mixed(["recent"], kind)).cards) >= SEATS * 9 + 2
    mixed = library.mixed(["events", "recent"], kind)
    assert len(mixed.cards) == len(ROWS) + len(_rows("events"))
    assert "neueste" in {one.id for one in mixed.series}


def test_cards_are_from_all_over_the_world_and_half_of_those_of_persons_about_women():
    regions = Counter(one for row in ROWS for one in row["region"].split(";"))
    assert len(regions) >= 18
    assert max(regions.values()) <= 0.2 * len(ROWS)
    persons = Counter(who for fact in FACT.values() if (who := fact.get("who")))
    assert persons["woman"] >= persons["man"]
