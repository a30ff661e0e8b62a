"""The first deck of Trailblaze: what it says of itself, and every year on it against the recorded facts."""

import csv
import datetime as dt
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
DECK = ROOT / "src/spieltisch/games/trailblaze/decks/firsts.csv"
FACTS = ROOT / "tests/facts/women_firsts.jsonl"
COLUMNS = ["id", "year", "de", "en", "who", "place", "country", "field", "comment_de", "comment_en"]
COLUMNS += ["source", "thing", "fact", "checked", "again", "corrected", "review"]
NOT_A_COUNTRY = {"Antarctica", "Arctic", "worldwide"}
ENGLISH_SPEAKING = {"United Kingdom", "Ireland", "United States", "Canada", "Australia", "New Zealand"}
ENGLISH_SPEAKING |= {"Barbados", "Dominica", "Jamaica"}
SEATS = 6


def _lines():
    with DECK.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


LINES = _lines()
ABOUT = [line for line in LINES if line[0].startswith("#")]
HEADER, *BODY = [line for line in LINES if not line[0].startswith("#")]
CARDS = [dict(zip(HEADER, line, strict=True)) for line in BODY]
FIRSTS = [card for card in CARDS if card["year"] != "joker"]
JOKERS = [card for card in CARDS if card["year"] == "joker"]
PERIODS = [
    (int(line[3]), int(line[4]) if line[4] else None, line[1], line[2]) for line in ABOUT if line[0] == "#period"
]
FACT = {
    f"{fact['who']}/{fact['what']}": fact for fact in map(json.loads, FACTS.read_text(encoding="utf-8").splitlines())
}


def each(cards):
    """One test for all these cards, which names every card that fails and why."""

    def decorate(check):
        def test():
            wrong = []
            for card in cards:
                try:
                    check(card)
                except Exception as error:  # noqa: BLE001 - whatever it is, it is told with its card
                    wrong.append(f"{card['id']}: {error!r}")
            assert not wrong, "\n".join(wrong)

        test.__doc__ = check.__doc__
        return test

    return decorate


def test_it_says_what_it_is():
    about = {line[0]: line[1:] for line in ABOUT}
    assert len(about["#title"]) == 2
    assert all(about["#title"])
    assert about["#authors"]
    assert about["#licence"] == ["CC BY-SA 4.0"]
    assert about["#version"]
    assert HEADER == COLUMNS


def test_the_ids_count_on():
    numbers = [int(re.fullmatch(r"f(\d{3})", card["id"])[1]) for card in CARDS]
    assert numbers == sorted(set(numbers))  # with gaps, where a card was taken out: no number comes again


def test_neither_ids_nor_rows_tell_the_year():
    """Pages and programs see a card's row before its year."""
    years = sorted(range(len(FIRSTS)), key=lambda row: int(FIRSTS[row]["year"]))
    n = len(years)
    rho = 1 - 6 * sum((rank - row) ** 2 for rank, row in enumerate(years)) / (n * (n * n - 1))
    assert abs(rho) < 0.1
    rows = [row for row, card in enumerate(CARDS) if card["year"] == "joker"]
    assert 0.35 < sum(rows) / len(rows) / len(CARDS) < 0.65


def test_periods_follow_each_other_into_the_future():
    assert len(PERIODS) == 7
    assert PERIODS[0][0] == 1
    for (start, end, *_), (following, *_) in pairwise(PERIODS):
        assert start <= end
        assert following == end + 1
    assert PERIODS[-1][:2] == (2027, None)
    assert all(de and en for *_, de, en in PERIODS)


def test_the_past_periods_are_alike_in_size():
    past = PERIODS[:-1]
    found = Counter(next(p[0] for p in PERIODS if p[0] <= int(c["year"]) <= (p[1] or 9999)) for c in FIRSTS)
    assert set(found) == {start for start, *_ in past}
    assert min(found.values()) >= 35
    assert max(found.values()) <= 55


def test_there_are_enough_cards():
    assert len(FIRSTS) >= 260
    assert len(JOKERS) >= max(24, SEATS)


def test_countries_and_fields_are_spread():
    countries = {card["country"] for card in FIRSTS} - NOT_A_COUNTRY
    assert len(countries) >= 65
    fields = Counter(card["field"] for card in CARDS)
    assert len(fields) >= 18
    assert max(fields.values()) <= 0.4 * len(CARDS)


def test_rulers_are_at_most_a_seventh():
    rulers = sum(card["field"] in {"government", "presidency", "royalty"} for card in CARDS)
    assert rulers <= 0.15 * len(CARDS)


def test_at_most_a_third_is_from_countries_that_speak_english():
    assert sum(card["country"] in ENGLISH_SPEAKING for card in FIRSTS) <= 0.33 * len(FIRSTS)


def test_no_two_fronts_are_alike():
    for language in ("de", "en"):
        assert len({card[language] for card in CARDS}) == len(CARDS)


@each(CARDS)
def test_both_languages_are_there_and_fit(card):
    for column in ("de", "en", "comment_de", "comment_en", "country", "field", "source", "fact"):
        assert card[column] == card[column].strip()
        assert card[column], column
    for language in ("de", "en"):
        assert len(card[language]) <= 110
        assert len(card[f"comment_{language}"]) <= 200
        assert card[f"comment_{language}"][-1] in ".?“”)"
        assert not card[language].endswith(".")
    assert card["de"].startswith("Erste")
    assert card["en"].startswith("First")
    assert card["source"].startswith("https://")
    assert card["review"] == "read"


@each(CARDS)
def test_a_front_gives_nothing_away(card):
    for language in ("de", "en"):
        front = card[language]
        assert not re.search(r"\d\d", front)
        assert not re.search("jahrhundert|century|[0-9]er ", front, re.IGNORECASE)
        for name in re.findall(r"[\w’-]{4,}", card["who"]):
            assert not re.search(rf"\b{name}\b", front)


@each(FIRSTS)
def test_the_year_agrees_with_the_fact(card):
    fact = FACT[card["fact"]]
    assert fact["kind"] == "woman_first"
    year = int(card["year"])
    slack = 5 if fact["precision"] in {"", "circa"} else 0
    assert year >= 1
    assert fact["year_start"] - slack <= year <= fact["year_end"] + slack


def test_a_fact_that_names_its_sources_names_two():
    own = [fact for fact in FACT.values() if "sources" in fact]
    assert own
    for fact in own:
        assert len({urlsplit(source).hostname for source in fact["sources"]}) >= 2, fact["who"]


@each(FIRSTS)
def test_the_comment_names_her(card):
    assert card["who"]
    assert card["checked"] == ""
    assert any(name in card["comment_en"] for name in re.findall(r"[\w-]{2,}", card["who"]))


@each(JOKERS)
def test_a_joker_is_an_achievement_no_woman_has_reached(card):
    assert FACT[card["fact"]]["kind"] == "no_woman_yet"
    assert card["who"] == ""
    assert dt.date.fromisoformat(card["checked"]).isoformat() == card["checked"]
    assert "Stand: November 2026" in card["comment_de"]
    assert "as of November 2026" in card["comment_en"]


def test_every_fact_kept_is_on_a_card():
    assert {card["fact"] for card in CARDS} == set(FACT)
