"""Which cards are played: by level, field, region and period; jokers stay."""

import pytest

from spieltisch.decks.events import load
from spieltisch.decks.filters import COLUMNS, Filter, choices, only
from spieltisch.decks.firsts import shipped_firsts
from spieltisch.decks.text import Text

EVENTS, FIRSTS = load("events"), shipped_firsts("firsts")


def test_every_card_that_fits_stays_and_no_other():
    sport = only(EVENTS, Filter(field=("sport",), level=("1", "2")))
    assert 0 < len(sport.cards) < len(EVENTS.cards)
    assert {*sport.cards} == {card for card in EVENTS.cards if "sport" in card.fields and card.level in {"1", "2"}}
    assert only(EVENTS, Filter()) is EVENTS


def test_periods_of_events_part_all_years():
    parts = [only(EVENTS, Filter(period=(one,))).cards for one, _, _ in choices(EVENTS)["period"]]
    assert sum(map(len, parts)) == len(EVENTS.cards)
    assert [max(card.span.start for card in part) for part in parts[:3]] <= [500, 1500, 1800]
    assert min(card.span.start for card in parts[1]) > 500


def test_the_jokers_stay():
    music = only(FIRSTS, Filter(field=("music",)))
    jokers = [card for card in FIRSTS.cards if card.year is None]
    assert [card for card in music.cards if card.year is None] == jokers
    assert {card.field for card in music.cards if card.year} == {"music"}
    assert music.periods == FIRSTS.periods
    early = only(FIRSTS, Filter(period=("0",)))
    assert {card.year for card in early.cards if card.year} <= {*range(FIRSTS.periods[0].end + 1)}


@pytest.mark.parametrize("deck", [EVENTS, FIRSTS], ids=lambda deck: deck.id)
def test_what_is_offered_is_counted(deck):
    offered = choices(deck)
    assert {*offered} <= {*COLUMNS}
    for column, each in offered.items():
        for one, name, n in each:
            kept = only(deck, Filter(**{column: (one,)})).cards
            assert sum(getattr(card, "year", 0) is not None for card in kept) == n > 0
            assert isinstance(name, Text)
            assert name != Text(one, one) or one.isdigit(), one
