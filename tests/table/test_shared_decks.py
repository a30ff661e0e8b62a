"""Tables that play with one deck keep its cards once."""

import gc

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library, shipped
from spieltisch.games.annodomini.events import Events
from spieltisch.table.log import encode_deck
from spieltisch.table.session import WholeDeck


def test_a_deck_is_unpacked_once_and_goes_with_the_last_table(tmp_path):
    lines = shipped()["events"].read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "own.csv").write_text("".join(lines[:-1]), "utf-8")  # no other test has tables with this deck
    name, body = encode_deck(Library(tmp_path).mixed(["own"], kind_of("events")))
    one, other = WholeDeck.of(body, Events), WholeDeck.of(body, Events)
    assert one is other
    assert encode_deck(one.deck) == (name, body)
    del one, other
    gc.collect()
    assert not [key for key in WholeDeck._known if key[0].hex() == name]
