"""Where a doubt pays least: counted year by year with what the game itself calls wrong."""

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import Span
from spieltisch.decks.library import Library
from spieltisch.games.annodomini import doubts
from spieltisch.games.annodomini.cards import wrong_pairs


def test_no_other_place_is_wrong_as_seldom():
    deck = Library().deck("events", kind_of("events"))
    for n in range(1, 31):
        card = f"day/2026-11-{n:02}"
        doubt, task = doubts.doubt(deck, card), doubts.task(deck, "events", card)
        spans = [one.span for one in doubt.chain]
        assert doubt.least <= doubt.card.span.start <= doubt.most
        right = [0] * (len(spans) + 1)
        for year in range(doubt.least, doubt.most + 1):
            for place in range(len(right)):
                right[place] += not wrong_pairs((*spans[:place], Span(year, year), *spans[place:]))
        assert tuple(right) == doubt.fits
        best = task.right[0]
        assert all(right[best] >= one + doubts.AHEAD * doubt.years for place, one in enumerate(right) if place != best)
        assert sum(one > 0 for one in right) > 1


def test_only_a_day_has_such_a_puzzle():
    deck = Library().deck("events", kind_of("events"))
    assert doubts.doubt(deck, deck.cards[0].id) is None
    assert doubts.task(deck, "events", "day/2026-13-01") is None
