"""Which cards are played: by goal, level, field, region and period; jokers stay."""

from collections import Counter
from typing import Any

import pytest

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.filters import COLUMNS, Filter, choices, only, shares
from spieltisch.decks.library import Library
from spieltisch.decks.text import Text
from spieltisch.games.annodomini.events import read_events

EVENTS: Any
FIRSTS: Any
EVENTS, FIRSTS = Library().deck("events", kind_of("events")), Library().deck("firsts", kind_of("firsts"))


def test_every_card_that_fits_stays_and_no_other():
    sport = only(EVENTS, Filter(field=("sport",), level=("1", "2")))
    assert 0 < len(sport.cards) < len(EVENTS.cards)
    assert {*sport.cards} == {card for card in EVENTS.cards if "sport" in card.fields and card.level in {"1", "2"}}
    assert only(EVENTS, Filter()) is EVENTS


def test_periods_of_events_part_all_years():
    parts = [only(EVENTS, Filter(period=(one,))).cards for one, _ in choices(EVENTS)["period"]]
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
def test_what_is_offered_is_there_and_named(deck):
    offered = choices(deck)
    assert {*offered} <= {*COLUMNS}
    for column, each in offered.items():
        for one, name in each:
            chosen: dict[str, Any] = {column: (one,)}
            assert any(getattr(card, "year", 0) is not None for card in only(deck, Filter(**chosen)).cards)
            assert isinstance(name, Text)
            assert name != Text(one, one) or one.isdigit(), one


def counted(cards):
    return Counter(one for card in cards for one in (getattr(card, "fields", None) or [card.field]) if one)


@pytest.mark.parametrize("share", [5, 10, 20])
@pytest.mark.parametrize("deck", [EVENTS, FIRSTS], ids=lambda deck: deck.id)
def test_no_field_has_more_than_its_share(deck, share):
    dated = [card for card in deck.cards if getattr(card, "year", 0) is not None]
    before = counted(dated)
    kept = only(deck, Filter(share=share, mix=1))
    left = [card for card in kept.cards if getattr(card, "year", 0) is not None]
    assert [card for card in deck.cards if card in {*kept.cards}] == [*kept.cards]  # in the deck's order
    assert len(kept.cards) - len(left) == len(deck.cards) - len(dated)  # the jokers
    most = max(share / 100, 1.5 / len(before)) * len(left)
    assert max(counted(left).values()) <= most
    fields = {one: n for one, n in before.items() if n <= most}
    single = [card for card in left if len(getattr(card, "fields", "x")) == 1]
    for one, n in fields.items():  # a field that keeps to its share keeps its cards, as far as they are of it alone
        alone = [card for card in dated if (getattr(card, "fields", None) or (card.field,)) == (one,)]
        assert sum(card in {*alone} for card in single) == len(alone) <= n
    if max(before.values()) <= share / 100 * len(dated):
        assert left == dated


def test_another_mix_leaves_others_out():
    one, other = (only(EVENTS, Filter(share=10, mix=n)).cards for n in (1, 2))
    assert {*one} != {*other}
    assert one == only(EVENTS, Filter(share=10, mix=1)).cards
    both = only(EVENTS, Filter(share=50, field=("sport", "music"))).cards
    assert {"sport", "music"} <= counted(both).keys()


def test_shares_that_leave_too_few_cards_are_not_offered_and_count_as_the_least():
    assert (shares(1), shares(2), shares(3)) == ([], [], [50])
    assert shares(4) == [50]
    assert shares(8) == [20, 25, 33, 50]
    assert shares(40) == [5, 10, 15, 20, 25, 33, 50]
    three = only(FIRSTS, Filter(field=("film", "law", "games"), share=5))
    assert three == only(FIRSTS, Filter(field=("film", "law", "games")))
    assert len(only(EVENTS, Filter(share=5)).cards) > len(EVENTS.cards) / 2


def test_goals_and_fields_that_a_deck_declares_are_chosen_by_their_names():
    deck = read_events(
        "#series,a,A,A\n#goal,law,Recht verstehen,Understand the law\n#goal,war,Kriege erklären,Explain wars\n"
        "#field,trial,Prozess,Trial\n"
        "id,series,date,de,en,comment_de,comment_en,source,fact,field,region,level,goal,review\n"
        "a,a,1649,Ein Urteil.,A verdict.,,,,,trial,,,law;war,\n"
        "b,a,1815,Eine Schlacht.,A battle.,,,,,military,,,war,\n"
        "c,a,1903,Ein Flug.,A flight.,,,,,,,,,\n",
        "school",
    )
    assert choices(deck)["goal"] == [
        ("law", Text("Recht verstehen", "Understand the law")),
        ("war", Text("Kriege erklären", "Explain wars")),
    ]
    assert ("trial", Text("Prozess", "Trial")) in choices(deck)["field"]
    assert [card.id for card in only(deck, Filter(goal=("war",))).cards] == ["a", "b"]
    assert [card.id for card in only(deck, Filter(goal=("law",))).cards] == ["a"]
