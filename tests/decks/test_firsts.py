"""The table of a deck of firsts, read strictly."""

import pytest

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.decks.text import Text
from spieltisch.game import Invalid
from spieltisch.games.trailblaze.firsts import COLUMNS, OPTIONAL, read_firsts

HEAD = """#title,Pionierinnen,Pioneers
#period,früh,early,1,1799
#period,19. Jh.,19th c.,1800,1899
#period,20. Jh.,20th c.,1900,2026
#period,Zukunft,Future,2027,
#authors,us
#licence,CC BY-SA 4.0
"""
CARD = "f1,1903,Erste Frau,First woman,Marie Curie,Stockholm,Sweden,science,Ja,Yes,https://example.org,fact,,read"
JOKER = "j1,joker,Noch keine,None yet,,,,politics,Ja,Yes,https://example.org,fact,2026-11,read"


def text(*rows, head=HEAD):
    return head + ",".join(c for c in COLUMNS if c not in OPTIONAL) + "\n" + "\n".join(rows) + "\n"


def test_a_deck_is_read():
    deck = read_firsts("test", text(CARD, JOKER))
    assert (deck.id, deck.title, deck.authors) == ("test", Text("Pionierinnen", "Pioneers"), "us")
    assert [(p.name["en"], p.start, p.end) for p in deck.periods][2:] == [
        ("20th c.", 1900, 2026),
        ("Future", 2027, None),
    ]
    curie, joker = deck.cards
    assert (curie.year, curie.who, curie.field, curie.comment["de"]) == (1903, "Marie Curie", "science", "Ja")
    assert (joker.year, joker.checked) == (None, "2026-11")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (CARD.replace("1903", "1903 AD"), "line 9: the year is neither"),
        (CARD.replace("1903", ""), "line 9: the year is neither"),
        (CARD.replace("1903", "-3"), "line 9: the year is neither"),
        (CARD.replace("1903", "0"), "f1: 0 is before the first period"),
        (CARD.replace("f1", ""), "line 9: id is empty"),
        (CARD.replace("Erste Frau,First woman", ","), "line 9: de is empty"),
        (CARD.replace("https://example.org", ""), "line 9: source is empty"),
        (JOKER.replace("2026-11", ""), "line 9: a joker needs the day"),
        (JOKER.replace("2026-11", "2026-13"), "line 9: a joker needs the day"),
        (CARD + ",more", "line 9: 15 cells"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(row, reason):
    with pytest.raises(Invalid, match=reason):
        read_firsts("test", text(row))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("#period,Zukunft,Future,2027,\n", "", "at least four periods"),
        ("1800,1899", "1801,1899", "period 2 has to begin in 1800"),
        ("Future,2027,", "Future,2027,2100", "only the last period"),
        ("early,1,1799", "early,one,1799", "not whole numbers"),
        ("#period,früh,early,1,1799", "#period,früh,1,1799", "only the last period is the future"),
    ],
)
def test_periods_are_checked(old, new, reason):
    with pytest.raises(Invalid, match=reason):
        read_firsts("test", text(CARD, head=HEAD.replace(old, new)))


def test_ids_are_unique():
    with pytest.raises(Invalid, match="two cards have the id f1"):
        read_firsts("test", text(CARD, CARD))


@pytest.mark.parametrize("name", ["nowhere", "../shipped/firsts", "Firsts", ""])
def test_only_shipped_decks_have_names(name):
    with pytest.raises(Invalid, match="there is no deck"):
        Library().deck(name, kind_of("firsts"))


def test_a_card_needs_the_languages_of_its_deck():
    german = CARD.replace("First woman", "")
    assert read_firsts("test", text(german)).cards[0].front == Text("Erste Frau", "")
    with pytest.raises(Invalid, match="line 10: en is empty"):
        read_firsts("test", text(CARD, german.replace("f1", "f2")))
