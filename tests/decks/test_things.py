"""No two cards of one thing at a table: what makes two cards one thing, and which of them is played."""

from collections import Counter

import pytest
from msgspec.structs import replace

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.decks.things import groups, in_play
from spieltisch.dice import numbered
from spieltisch.games.annodomini import events
from spieltisch.games.annodomini.events import read_events
from spieltisch.games.trailblaze import firsts

COLUMNS = "id,series,date,de,en,comment_de,comment_en,source,fact,field,region,level,review,thing"
HEAD = f"#series,a,Altertum,Antiquity\n{COLUMNS}\n"


def deck(*things, name="own"):
    """A deck with a card for each pair of a fact and what stands in the column `thing`."""
    rows = [f"e{n},a,{n},Ereignis {n}.,Event {n}.,,,,{fact},,,,,{thing}\n" for n, (fact, thing) in enumerate(things, 1)]
    return read_events(HEAD + "".join(rows), name)


def ids(one, seed=bytes(16)):
    return [card.id for card in in_play(one, seed).cards]


def test_cards_of_one_fact_are_of_one_thing():
    assert len(ids(deck(("Q1/born", ""), ("Q1/died", ""), ("Q11/born", "")))) == 2


def test_a_fact_without_an_item_begins_with_the_name_of_an_article():
    assert len(ids(deck(("Ada_Lovelace/born", ""), ("Ada_Lovelace/died", ""), ("Queen_Victoria/born", "")))) == 2


def test_an_address_is_no_article():
    assert len(ids(deck(("https://a.org/b", ""), ("https://a.org/c", ""), ("page 3", ""), ("page 4", "")))) == 4


def test_cards_that_their_maker_calls_by_one_name_are_of_one_thing():
    assert len(ids(deck(("", "Einstein"), ("", " einstein "), ("", "Zweistein"), ("", ""), ("", "")))) == 4


def test_an_item_may_be_named_instead_of_a_word():
    assert len(ids(deck(("Q937/born", ""), ("Q35875/discovered", "q937")))) == 1


def test_a_card_that_is_about_two_things_ties_their_cards_together():
    assert groups([("a",), ("b",), ("c", "d"), (), ("b", "a"), ("d",), ("e",)]) == [[0, 1, 4], [2, 5]]


def test_a_deck_without_such_cards_is_played_as_it_is():
    one = deck(("Q1/born", ""), ("", "a"), ("", ""))
    assert in_play(one) is one
    assert in_play("any other deck") == "any other deck"


def test_each_card_of_a_thing_comes_as_often_and_the_same_seed_plays_the_same():
    one = deck(("Q1/born", ""), ("Q2/born", ""), ("Q1/died", ""), ("Q1/crowned", ""))
    played = [tuple(ids(one, numbered("things", n))) for n in range(900)]
    often = Counter(played)
    assert set(often) == {("e1", "e2"), ("e2", "e3"), ("e2", "e4")}
    assert min(often.values()) > 250
    assert played == [tuple(ids(one, numbered("things", n))) for n in range(900)]


def test_words_mean_what_they_mean_in_their_own_deck_and_items_the_same_in_all():
    mixed = events.mix([deck(("Q1/born", "1"), name="one"), _other(deck(("Q1/died", "2"), ("", "1"), name="two"))])
    assert len(in_play(mixed).cards) == 2


def _other(one):
    cards = tuple(replace(card, id=f"x{card.id}") for card in one.cards)
    return replace(one, cards=cards)


def test_firsts_of_one_woman_are_of_one_thing():
    one = deck_of_firsts(("1903", "Marie Curie", ""), ("1911", "Marie Curie", ""), ("joker", "", ""), ("joker", "", ""))
    assert len(in_play(one).cards) == 3


def test_firsts_that_their_maker_calls_by_one_name_are_of_one_thing():
    one = deck_of_firsts(("1903", "A", "x; nobel"), ("1911", "B", "Nobel"), ("1926", "C", "a"), ("1969", "D", "e"))
    assert ids(one) in (["f1", "f3", "f4"], ["f2", "f3", "f4"])  # the word “a” is not the woman A


def deck_of_firsts(*cards):
    """A deck with a card for each year, woman and what stands in the column `thing`."""
    rows = [
        f"f{n},{year},Erste {n},First {n},{who},,,,,,s,{thing},,2026-01,\n"
        for n, (year, who, thing) in enumerate(cards, 1)
    ]
    about = "".join(f"#period,p,p,{start},{end}\n" for start, end in ((1, 9), (10, 1999), (2000, 2026), (2027, "")))
    head = ",".join(c for c in firsts.COLUMNS if c == "thing" or c not in firsts.OPTIONAL)
    return firsts.read_firsts("f", f"{about}{head}\n{''.join(rows)}")


@pytest.mark.parametrize("series", [None, ["welt"], ["kunst"], ["wissen"]])
def test_of_the_shipped_decks_enough_is_left_for_ten_players(series):
    whole = Library().mixed(["events"], kind_of("events"), series)
    assert len(in_play(whole).cards) >= 10 * 9 + 2


def test_the_shipped_firsts_keep_all_jokers_and_cards_enough():
    whole = Library().deck("firsts", kind_of("firsts"))
    left = in_play(whole)
    assert len(left.cards) > 200
    assert sum(card.year is None for card in left.cards) == sum(card.year is None for card in whole.cards)
