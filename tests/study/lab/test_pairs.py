"""Shipped cards that are alike are of one thing, or a reason says why not; and no table has two cards of one thing."""

import itertools
import re

import pytest
from msgspec.structs import replace

import spieltisch
from matrix import many
from spieltisch.decks.library import shipped
from spieltisch.decks.table import read_table
from spieltisch.decks.things import groups
from spieltisch.games.annodomini import events
from spieltisch.games.trailblaze import firsts
from spieltisch.study.lab import likeness

APART = {
    frozenset({"f262", "f281"}): "the Bundesrat and the Bundestag are two chambers",
    frozenset({"f262", "f344"}): "the Bundesrat is no bank",
    frozenset({"f281", "f344"}): "the Bundestag is no bank",
    frozenset({"f151", "f263"}): "a World Cup and the Bundesliga: either could be first",
    frozenset({"f151", "f372"}): "a World Cup and the Africa Cup: either could be first",
    frozenset({"f022", "f311"}): "two churches",
    frozenset({"f178", "f265"}): "a joker, which no table may lose, and another championship",
    frozenset({"f003", "f258"}): "a joker, which no table may lose",
    frozenset({"f004", "f210"}): "two of many Oscars: either could be first",
}
"""Pairs that have words in common and nothing else."""

FIRST = re.compile(r"\b(erste[rnms]?|erstmals|drittes|first|third)\b", re.IGNORECASE)
ALONE = {
    "e0031": "of spaceplanes that were built privately; no other card is of one",
    "e0094": "a part of the station; no other card tells when it was there",
    "e0155": "of laureates in literature from Japan; no other card is of one",
    "e0538": "what they first took the hiss for",
    "e1647": "of probes near a pole of the Moon; no other card is of one",
    "e1671": "of what came from the far side of the Moon; no other card is of it",
}
"""Fronts about a Nobel Prize or about space that say “first” and tell nothing of any other card."""

EVENTS = read_table(shipped()["events"].read_text("utf-8"), ()).rows
FIRSTS = read_table(shipped()["firsts"].read_text("utf-8"), ()).rows


@pytest.mark.parametrize(
    ("rows", "kind", "things"),
    [
        (EVENTS, "events", [events.things_of(row, "") for row in EVENTS]),
        (FIRSTS, "firsts", [firsts.things_of(row) for row in FIRSTS]),
    ],
    ids=["events", "firsts"],
)
def test_shipped_cards_that_are_alike_are_linked(rows, kind, things):
    linked = {frozenset(pair) for numbers in groups(things) for pair in itertools.combinations(numbers, 2)}
    alike = {frozenset({one, other}) for one, other, _ in likeness.pairs(rows, kind, len(rows))}
    unlinked = {frozenset(rows[number]["id"] for number in pair) for pair in alike - linked}
    assert unlinked - APART.keys() == set()
    assert {pair for pair in APART if kind == "firsts"} - unlinked == set()  # no reason outlives its pair


def test_a_card_told_anew_would_be_found():
    said = next(row for row in EVENTS if len(row["en"].split()) > 15)
    anew = {lang: " ".join([*said[lang].split()[3:], *said[lang].split()[:3]]) for lang in ("de", "en")}
    rows = [*EVENTS, replace(said, cells=said.cells | anew | {"id": "anew", "thing": "", "fact": ""})]
    found = {frozenset(rows[number]["id"] for number in pair[:2]) for pair in likeness.pairs(rows, "events", len(rows))}
    assert found == {frozenset({"anew", said["id"]})}


def test_a_first_prize_or_flight_is_tied_to_those_that_it_comes_before():
    about = [row for row in EVENTS if "nobel" in row["de"].casefold() or "space" in f"{row['field']};{row['region']}"]
    loose = {row["id"] for row in about if not row["thing"] and FIRST.search(f"{row['de']} {row['en']}")}
    assert loose == ALONE.keys()


def test_no_deal_has_two_cards_of_one_thing():
    of: dict[str, set[str]] = {}  # what the table itself names: no groups of groups
    for row in EVENTS:
        item = re.match(r"Q\d+", row["fact"])
        words = {word.casefold() for word in row["thing"].split(";") if word}
        of[row["en"]] = words | ({item[0].casefold()} if item else set())
    dealt = set()
    for seed in range(many(300, 1_000)):
        match = spieltisch.new("anno-domini", 4, seed=seed)
        cards = [match.deck.cards[card.number] for hand in match.state.public.hands for card in hand]
        assert len(cards) == 36
        named = [thing for card in cards for thing in of[card.front["en"]]]
        assert len(named) == len({*named}), seed
        dealt |= {card.id for card in cards}
    assert len(dealt) > 0.9 * len(EVENTS)  # all of the deck was at risk
