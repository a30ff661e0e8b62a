"""Tables that play with one deck keep its cards once."""

import gc

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.games.annodomini.events import Events
from spieltisch.table.log import encode_deck
from spieltisch.table.session import WholeDeck


def test_a_deck_is_unpacked_once_and_goes_with_the_last_table(tmp_path):
    name, body = encode_deck(Library(tmp_path).mixed(["events"], kind_of("events")))
    one, other = WholeDeck.of(body, Events), WholeDeck.of(body, Events)
    assert one is other
    assert encode_deck(one.deck) == (name, body)
    del one, other
    gc.collect()
    assert not [key for key in WholeDeck._known if key[0].hex() == name]
