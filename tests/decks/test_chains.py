"""Chains that are dealt from a seed: half are right, in the others one card lies wrong."""

from collections import Counter
from itertools import pairwise

import pytest

from spieltisch.decks.chains import Card, Stock, cards_of, epochs, moved
from spieltisch.decks.dates import Span, certainly_later
from spieltisch.decks.library import Library

DEALT = 2000


def stock(name):
    return Stock(cards_of(*Library().read(name)))


@pytest.mark.parametrize("deck", ["events", "firsts"])
def test_what_is_right_and_what_lies_wrong_nobody_can_doubt(deck):
    cards, lengths = stock(deck), Counter()
    for seed in range(200):
        chain = cards.deal(str(seed))
        assert chain == cards.deal(str(seed))
        lengths[len(chain.cards)] += 1
        spans = [card.span for card in chain.cards]
        pairs = [(above, below) for n, below in enumerate(spans) for above in spans[:n]]
        assert all(certainly_later(below, above) or certainly_later(above, below) for above, below in pairs)
        wrong = [certainly_later(above, below) for above, below in pairs]
        assert chain.right == (not any(wrong))
        assert (chain.astray is None) == chain.right
        if not chain.right:
            rest = [span for at, span in enumerate(spans) if at != chain.astray]
            assert rest == sorted(rest)
            assert 1 <= sum(wrong) <= 2
    assert set(lengths) == {3, 4, 5}


def test_how_many_are_right_hangs_on_nothing_that_came_before():
    """Half of all, half of those after a right one, half of the short ones and half of the long ones."""
    cards = stock("events")
    chains = [cards.deal(f"s{n}") for n in range(DEALT)]
    parts = [chains, [one for before, one in pairwise(chains) if before.right]]
    parts += [[one for one in chains if len(one.cards) == n] for n in (3, 4, 5)]
    for part in parts:
        off = sum(one.right for one in part) - len(part) / 2
        assert abs(off) < 3.5 * (len(part) / 4) ** 0.5, (off, len(part))


def test_chains_come_from_all_times_and_many_fields():
    cards = stock("events")
    chains = [cards.deal(f"s{n}") for n in range(400)]
    counted = Counter(one for chain in chains for one in chain.epochs)
    assert len(counted) == 7
    assert min(counted.values()) > 20
    assert sum(bool(chain.fields) for chain in chains) > 200


def test_a_card_lies_one_or_two_places_off():
    assert len(moved((0, 1, 2))) == 4
    assert len(moved((0, 1, 2, 3, 4))) == 10
    assert (0, 1, 2, 4, 3) in moved((0, 1, 2, 3, 4))
    assert (3, 0, 1, 2, 4) not in moved((0, 1, 2, 3, 4))


def test_a_chain_counts_for_what_half_of_its_cards_have():
    assert epochs([Span(1850, 1850), Span(1920, 1920)]) == ("nineteenth", "early-twentieth")
    assert epochs([Span(1850, 1850), Span(1920, 1920), Span(1930, 1930)]) == ("early-twentieth",)


def test_a_deck_with_too_few_cards_deals_nothing():
    assert Stock([]).deal("1") is None
    assert Stock([Card("a", Span(1900, 1900)), Card("b", Span(1901, 1901))]).deal("1") is None
