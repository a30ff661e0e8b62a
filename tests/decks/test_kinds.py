"""Kinds of decks as sentences name them: refusals say which games' decks would do, also those of a foreign game."""

import pytest

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.check import open_deck
from spieltisch.decks.findings import say_sentence
from spieltisch.decks.importing.work import Press, from_file
from spieltisch.decks.library import Library
from spieltisch.game import Invalid

FORMS = b"case,number,gender,form\nnom,sg,m,hic\n"


def test_anki_refuses_with_the_games_whose_cards_it_takes(toys):
    deck = open_deck(Library().path("hic"))
    with pytest.raises(Invalid) as refused:
        kind_of("forms").note(deck, deck.table.rows[0], "en")
    assert say_sentence(refused.value, "de") == "Mit Anki lernst du nur Decks für Anno Domini, Inventions, Trailblaze."


def test_a_sheet_of_forms_is_refused_with_the_games_whose_decks_are_made(toys):
    with pytest.raises(Invalid) as refused:
        from_file(FORMS, Press(), "mine", None, "Mine")
    assert say_sentence(refused.value, "en") == "Only decks for Anno Domini, Inventions, Trailblaze are made here."


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "There is no deck nosuch."), ("de", "Es gibt kein Deck nosuch.")]
)
def test_a_refusal_becomes_a_sentence(lang, sentence):
    with pytest.raises(Invalid) as refused:
        Library().path("nosuch")
    assert say_sentence(refused.value, lang) == sentence


def test_a_name_at_the_beginning_of_a_refusal_keeps_its_case():
    refused = Invalid("{name} is a deck of another kind", name="mine")
    assert say_sentence(refused, "de") == "mine ist ein Deck anderer Art"


@pytest.mark.parametrize(("name", "needed"), [("wares", "price"), ("inventions", "inventor")])
def test_a_deck_may_lack_what_its_kind_calls_optional(toys, name, needed):
    kind, deck = kind_of(name), open_deck(Library().path(name))
    assert not {*deck.columns} & kind.optional
    assert len(kind.read(deck.text(), name).cards) == len(deck.table.rows)
    with pytest.raises(Invalid, match=f"the columns {needed} are missing"):
        kind.read(deck.text().replace(f",{needed}", ",other"), name)
