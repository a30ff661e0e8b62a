"""The shipped deck of events: whether its cards are whole, tell no date on their front, and have it right.

`tests/facts/events.jsonl` holds what the dates were checked against. Facts count years as history does
(-44 is 44 BC, there is no year 0). Their `check` says how. Of collected data: `independent`, `same-origin` and
`single`, as a second source of its own, one of the same origin, or none agreed. Of others: `looked up` in a stored
page; `knowledge` or `judged`, written down and not opened anywhere.
"""

import csv
import itertools
import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from spieltisch.decks.dates import Span, parse
from spieltisch.decks.lint.whole import rank_correlation

DECK = Path(__file__).parents[2] / "src/spieltisch/games/annodomini/decks/events.csv"
FACTS = Path(__file__).parents[1] / "facts/events.jsonl"
COLUMNS = [
    *("id", "series", "date", "de", "en", "comment_de", "comment_en", "source"),
    *("fact", "field", "region", "level", "goal", "thing", "corrected", "review"),
]
LONGEST = 140
TOLERANCE = 5  # years, where a fact does not know its year exactly
TELLTALE = re.compile(
    r"\d|\bJahrhunderts?\b|\bcentury\b|\bJh\.|v\. ?Chr|v\. ?u\. ?Z|\bBCE?\b|\bAD\b|\b[IVX]{2,}\b|"
    r"\b(?:(?:sech|sieb|acht|neun|fünf|vier|drei)zehn|elf|zwölf)hundert|"
    r"\b(?:eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen) (?:hundred|oh)\b",
)


def _lines() -> list[list[str]]:
    with DECK.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


def _cards() -> list[dict[str, str]]:
    header, *rows = [line for line in _lines() if not line[0].startswith("#")]
    assert header == COLUMNS
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


HEAD = [line for line in _lines() if line[0].startswith("#")]
CARDS = _cards()
SCHOOL = [card for card in CARDS if card["series"] == "schule"]
FACT_LIST = [json.loads(line) for line in FACTS.read_text("utf-8").splitlines()]


def _years(fact: dict) -> Span:
    """The years of a fact as astronomical years, which have no gap at the turn of the era."""
    start, end = (year if year > 0 else year + 1 for year in (fact["year_start"], fact["year_end"]))
    return Span(start, end)


def _agrees(card: dict[str, str], fact: dict) -> bool:
    date, years = parse(card["date"]), _years(fact)
    if date.start == date.end:
        tolerance = 0 if fact["precision"] == "year" else TOLERANCE
        return years.start - tolerance <= date.start <= years.end + tolerance
    if fact["what_happened"] == "lasted" and years.start <= date.start and date.end <= years.end:
        return True  # a part of what lasted longer
    return date.start <= years.start and years.end <= date.end


def test_head() -> None:
    keys = Counter(line[0] for line in HEAD)
    assert set(keys) == {"#title", "#version", "#series", "#goal", "#authors", "#licence"}
    assert {card["series"] for card in CARDS} == {line[1] for line in HEAD if line[0] == "#series"}
    assert all(all(cell for cell in line) for line in HEAD)


def test_neither_ids_nor_rows_tell_the_year() -> None:
    numbers = [int(re.fullmatch(r"e(\d{4})", card["id"])[1]) for card in CARDS]
    assert numbers == sorted(numbers)  # with gaps, where a card was taken out: no number comes again
    for series in ("", *{card["series"] for card in CARDS}):  # all, and each by itself
        starts = [parse(card["date"]).start for card in CARDS if series in {"", card["series"]}]
        assert abs(rank_correlation(starts)) < 0.1, series
        rising = sum(one < other for one, other in itertools.pairwise(starts))
        falling = sum(one > other for one, other in itertools.pairwise(starts))
        assert abs(rising / (rising + falling) - 0.5) < 0.05, series


def test_enough_for_ten_players() -> None:
    assert len(CARDS) >= 1008
    series = Counter(card["series"] for card in CARDS if card["series"] != "schule")
    assert min(series.values()) >= 336  # in any one of the three that look for the curious
    assert sum(card["level"] == "1" for card in CARDS) >= 120  # a table of ten-year-olds


def test_whole() -> None:
    for card in CARDS:
        assert all(card[column] == card[column].strip() for column in COLUMNS), card["id"]
        assert all(card[column] for column in COLUMNS if column not in {"goal", "thing", "corrected"}), card["id"]
        assert card["level"] in {"1", "2", "3"}, card["id"]
        assert card["review"] == "read", card["id"]
        assert re.match(r"https?://[\w.-]+\.\w+/", card["source"]), card["id"]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_fronts_are_short_and_tell_no_date(lang: str) -> None:
    assert [card["id"] for card in CARDS if len(card[lang]) > LONGEST] == []
    assert [card["id"] for card in CARDS if card[lang][-1] not in ".“”?"] == []
    assert [card["id"] for card in CARDS if TELLTALE.search(card[lang])] == []


def test_dates_are_those_of_their_facts() -> None:
    facts: dict[str, list[dict]] = {}
    for fact in FACT_LIST:
        facts.setdefault(f"{fact['qid']}/{fact['what_happened']}", []).append(fact)
    wrong = [card["id"] for card in CARDS if not any(_agrees(card, fact) for fact in facts[card["fact"]])]
    assert wrong == []


def test_only_facts_that_are_used() -> None:
    named = {card["fact"] for card in CARDS}
    assert {f"{fact['qid']}/{fact['what_happened']}" for fact in FACT_LIST} == named


def test_a_word_in_the_column_thing_ties_cards() -> None:
    """With another card's word, or with the item of another card's fact."""
    words = {card["id"]: {word for word in card["thing"].split(";") if word} for card in CARDS}
    names = Counter(name for card in CARDS for name in words[card["id"]] | {card["fact"].partition("/")[0]})
    assert [word for found in words.values() for word in found if names[word] < 2] == []


@pytest.mark.parametrize("column", ["id", "de", "en", "comment_de", "comment_en", "fact"])
def test_unique(column: str) -> None:
    counts = Counter(card[column] for card in CARDS)
    assert [value for value, n in counts.items() if n > 1] == []


@pytest.mark.parametrize("lang", ["de", "en"])
def test_no_near_duplicates(lang: str) -> None:
    words = {card["id"]: re.findall(r"\w+", card[lang].lower()) for card in CARDS}
    beginnings = Counter(tuple(each[:5]) for each in words.values())
    assert [beginning for beginning, n in beginnings.items() if n > 1] == []
    sets = [(card, {*each}) for card, each in words.items()]
    alike = [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(sets, 2)
        if 3 * len(a & b) > len(a) + len(b)  # they share more than half of all their words
    ]
    assert alike == []


def test_fronts_begin_in_many_ways_and_are_not_all_in_two_parts() -> None:
    fronts = [card["de"] for card in CARDS]
    begins = Counter("Ein" if front.split()[0] == "Eine" else front.split()[0] for front in fronts)
    assert max(begins.values()) <= 0.25 * len(fronts), begins.most_common(3)
    assert sum(";" in front for front in fronts) <= 0.25 * len(fronts)


PREPOSITIONS = frozenset(
    "in im ins an am ans auf aus bei beim mit nach von vom vor zu zum zur durch für gegen ohne um unter über zwischen "  # noqa: SIM905
    "hinter neben seit bis während trotz wegen statt nahe".split()
)


def test_no_kind_of_word_begins_most_fronts() -> None:
    german = [card["de"].lstrip("„").split()[0].lower() for card in CARDS]
    assert sum(word in PREPOSITIONS for word in german) <= 0.4 * len(CARDS)
    english = [card["en"].split()[0] for card in CARDS]
    assert sum(word in {"A", "An"} for word in english) <= 0.25 * len(CARDS)
    assert sum(";" in card["en"] for card in CARDS) <= 0.25 * len(CARDS)


def test_german_cards_name_german_sources() -> None:
    german = [card for card in CARDS if "central-europe" in card["region"].split(";")]
    assert sum(_is_german(card["source"]) for card in german) >= 24


def _is_german(address: str) -> bool:
    """Whether a page is in German, as far as its address tells."""
    host = urlsplit(address).hostname or ""
    return host.endswith((".de", ".at")) or host.startswith("de.")


def test_each_tag_finds_enough_cards() -> None:
    for column in ("field", "region"):
        found = Counter(one for card in CARDS for one in card[column].split(";"))
        assert min(found.values()) >= 8, (column, found.most_common()[-3:])


def test_spread() -> None:
    dates = [parse(card["date"]) for card in CARDS]
    n = len(dates)
    assert sum(date.end < 1500 for date in dates) >= 0.15 * n
    assert sum(date.start < 1 for date in dates) >= 0.05 * n
    assert sum(date.start != date.end for date in dates) >= 60
    for column, most in (("field", 0.2), ("region", 0.2), ("level", 0.5)):
        _, commonest = Counter(card[column] for card in CARDS).most_common(1)[0]
        assert commonest <= most * n


def test_world_history_is_complete() -> None:
    cards = [card for card in CARDS if card["series"] == "welt"]
    dates = [parse(card["date"]) for card in cards]
    n = len(cards)
    assert n >= 336
    assert sum(card["level"] == "1" for card in cards) >= 60
    assert sum(date.end < 1500 for date in dates) >= 0.15 * n
    assert sum(date.start < 1 for date in dates) >= 0.05 * n
    assert sum(date.start != date.end for date in dates) >= 20
    assert sum(card["region"].endswith("-europe") or card["region"] == "british-isles" for card in cards) <= 0.5 * n


def test_each_school_card_serves_a_goal_and_no_other_card_does() -> None:
    declared = {line[1] for line in HEAD if line[0] == "#goal"}
    assert all(len(line) == 4 for line in HEAD if line[0] == "#goal")
    for card in CARDS:
        goals = card["goal"].split(";") if card["goal"] else []
        assert bool(goals) == (card["series"] == "schule"), card["id"]
        assert {*goals} <= declared, card["id"]


# -- balance of the three series for everybody; School follows what courses name -------------------------------

FOR_ALL = [card for card in CARDS if card["series"] != "schule"]
SOUTH_OF_THE_SAHARA = {"central-africa", "east-africa", "southern-africa", "west-africa"}
PERSONAL = {
    "born",
    "died",
    "took office",
    "awarded",
}  # what is dated on a card of a person; "who" of the fact says whether it is a woman


def test_africa_south_of_the_sahara_has_its_share() -> None:
    assert sum(card["region"] in SOUTH_OF_THE_SAHARA for card in FOR_ALL) >= 0.06 * len(FOR_ALL)


def test_women_have_their_share_of_the_cards_of_persons() -> None:
    persons = {card["fact"] for card in FOR_ALL if card["fact"].split("/")[-1] in PERSONAL}
    women = {f"{fact['qid']}/{fact['what_happened']}" for fact in FACT_LIST if fact.get("who") == "woman"}
    assert len(persons & women) >= 0.35 * len(persons)


EUROPE = {f"{side}-europe" for side in ("central", "eastern", "northern", "southern", "western")} | {"british-isles"}


def test_easy_cards_are_from_all_over_the_world() -> None:
    easy = [card["region"] for card in CARDS if card["level"] == "1"]
    assert sum(bool({*one.split(";")} & (EUROPE | {"north-america"})) for one in easy) <= 0.5 * len(easy)
    assert sum(bool({*one.split(";")} & SOUTH_OF_THE_SAHARA) for one in easy) >= 25


def test_a_first_game_is_not_about_britain_and_north_america_alone() -> None:
    easy = [card["region"] for card in FOR_ALL if card["level"] == "1"]
    assert sum(region in {"british-isles", "north-america"} for region in easy) <= 0.33 * len(easy)
