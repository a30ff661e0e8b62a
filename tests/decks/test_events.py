"""Tables of dated events."""

import pytest

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import Span
from spieltisch.decks.library import Library
from spieltisch.decks.text import Text
from spieltisch.game import Invalid
from spieltisch.games.annodomini.events import Events, event, mix, read_events

HEAD = "id,series,date,de,en,comment_de,comment_en,source,fact,field,region,level,review\n"
SERIES = "#title,Klein,Small\n#series,a,Altertum,Antiquity\n#series,b,Neues,New\n#licence,CC0\n#authors,Ada\n"
ROW = "e1,a,44 v.u.Z.,Ein Mord.,A murder.,Im März.,In March.,a source,Q1,war,rome,1,seen\n"


def table(*rows, head=SERIES):
    return read_events(head + HEAD + "".join(rows), "small")


def test_a_card_has_all_that_its_line_says():
    deck = table(ROW)
    card = deck.cards[0]
    assert (card.id, card.series, card.written, card.span) == ("e1", "a", "44 v.u.Z.", Span(-43, -43))
    assert (card.front, card.comment) == (Text("Ein Mord.", "A murder."), Text("Im März.", "In March."))
    assert card.date == Text("44\u00a0v.\u00a0u.\u00a0Z.", "44\u00a0BC")
    assert (card.source, card.fields, card.regions, card.level) == ("a source", ("war",), ("rome",), "1")


def test_a_deck_tells_about_itself():
    deck = table(ROW)
    assert (deck.id, deck.title, deck.licence, deck.authors) == ("small", Text("Klein", "Small"), "CC0", "Ada")
    assert [one.id for one in deck.series] == ["a", "b"]


def test_a_text_may_be_in_one_language():
    assert table("e1,a,1903,Ein Flug.,,,,,,,,,\n").cards[0].front == Text("Ein Flug.", "")


def test_texts_are_brought_into_one_unicode_form():
    assert table("e1,a,1903,Ma\u0308rz.,,,,,,,,,\n").cards[0].front["de"] == "März."


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (",a,1903,Ein Flug.,,,,,,,,,\n", "line 8: the card has no id"),
        ("e2,a,1903,,,,,,,,,,\n", "line 8: the card has no event"),
        ("e2,c,1903,Ein Flug.,,,,,,,,,\n", "line 8: the series c is not described"),
        ("e2,a,1900er,Ein Flug.,,,,,,,,,\n", "line 8: 1900er may be a decade or a century"),
        ("e2,a,,Ein Flug.,,,,,,,,,\n", "line 8: the date is missing"),
        ("e1,a,1903,Ein Flug.,,,,,,,,,\n", "line 8: same id as in line 7"),
        ("e2,a,1903,Ein Mord.,A murder.,,,,,,,,\n", "line 8: same event as in line 7"),
        ("e2,a,1903\n", "line 8: 3 cells"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(row, reason):
    with pytest.raises(Invalid, match=reason):
        table(ROW, row)


def test_a_series_is_described_once():
    with pytest.raises(Invalid, match="twice"):
        table(ROW, head="#series,a,A,A\n#series,a,B,B\n")


def other(name="other", card="x1"):
    row = f"{card},b,1903,Ein Flug.,A flight.,,,,,,,,\n"
    return read_events("#title,Andere,Other\n#series,b,Flug,Flight\n" + HEAD + row, name)


def test_decks_are_mixed_in_their_order():
    deck = mix([table(ROW), other()])
    assert [card.id for card in deck.cards] == ["e1", "x1"]
    assert (deck.id, deck.title["de"]) == ("small+other", "Klein + Andere")


def test_only_the_series_that_were_chosen_are_in():
    assert [card.id for card in mix([table(ROW), other()], ["b"]).cards] == ["x1"]
    with pytest.raises(Invalid, match="there is no series q in small, other"):
        mix([table(ROW), other()], ["q"])


def test_decks_with_the_same_ids_cannot_be_mixed():
    with pytest.raises(Invalid, match="have the same id"):
        mix([table(ROW), other(card="e1")])


def test_no_deck_is_no_deck():
    with pytest.raises(Invalid, match="no deck"):
        mix([])


@pytest.mark.parametrize("name", ["nothing", "../pyproject", "", "decktet", "a" * 300, "events\0"])
def test_a_deck_is_one_of_those_shipped(name):
    with pytest.raises(Invalid, match="there is no deck"):
        Library().deck(name, kind_of("events"))


def test_every_shipped_deck_is_read():
    for name in Library().offered("events"):
        deck = Library().deck(name, kind_of("events"))
        assert deck.cards
        assert all(card.series in {one.id for one in deck.series} for card in deck.cards)
        assert Library().mixed([name], kind_of("events")) == deck


def test_a_card_without_a_deck_has_its_id_on_the_front():
    assert event("e1", "um 1900").front == Text("e1", "e1")
    assert isinstance(mix([Events("x", (event("e1", "1"),))]), Events)


GOALS = "#goal,law,Recht verstehen,Understand the law\n#field,trial,Prozess,Trial\n"


def with_goals(*rows, about=GOALS, name="school"):
    head = HEAD.replace("level,review", "level,goal,review")
    return read_events(f"#series,a,Altertum,Antiquity\n{about}{head}{''.join(rows)}", name)


def test_a_card_has_its_goals_and_the_deck_their_names():
    deck = with_goals("e1,a,44 v.u.Z.,Ein Mord.,A murder.,,,,,trial,rome,1,law;peace,read\n")
    assert deck.cards[0].goals == ("law", "peace")
    assert deck.declared["goal"] == {"law": Text("Recht verstehen", "Understand the law")}
    assert deck.declared["field"] == {"trial": Text("Prozess", "Trial")}
    mixed = mix([deck, other()])
    assert mixed.declared["goal"]["law"] == Text("Recht verstehen", "Understand the law")


def test_a_deck_from_before_there_were_goals_is_read():
    assert table(ROW).cards[0].goals == ()
