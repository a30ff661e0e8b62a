"""Points and the curve of claims, and that an evening of claims shows who knows more."""

from collections import Counter

import pytest

from matrix import sampled
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.chains import Stock, cards_of, moved
from spieltisch.decks.library import Library
from spieltisch.dice import FastDice
from spieltisch.games.annodomini.beliefs import Beliefs
from spieltisch.games.annodomini.state import Hidden
from spieltisch.sure import CURVE, LEAST, STAKES, Claim, brier, curve, points


@pytest.mark.parametrize("believed", range(0, 101, 5))
def test_nobody_gains_by_saying_what_they_do_not_believe(believed):
    paid = [believed * right + (100 - believed) * wrong for right, wrong in STAKES]
    assert max(paid) == paid[believed // 5]
    assert paid.count(max(paid)) == 1


def test_who_does_not_know_neither_wins_nor_loses():
    assert points(50, True) == points(50, False) == 0
    assert (points(100, True), points(100, False)) == (100, -300)
    assert brier([Claim(50, True), Claim(50, False)]) == 0.25
    told = curve([Claim(50, True)] * 3)
    assert (told.n, told.undecided, told.points, told.whole, told.tens) == (3, 3, 0, None, {})


def test_80_per_cent_that_come_true_in_55_are_too_sure():
    told = curve([Claim(80, n < 22, ("recent",), ("music", "art")) for n in range(40)])
    [(ten, group)] = told.tens.items()
    assert (ten, group.n, group.hits, round(group.said, 2), group.share) == (80, 40, 22, 0.8, 0.55)
    assert group.verdict == told.whole.verdict == told.epochs["recent"].verdict == told.fields["art"].verdict == "over"


def test_20_per_cent_for_right_are_80_for_wrong():
    assert (
        curve([Claim(20, False)] * 9 + [Claim(20, True)]).tens == curve([Claim(80, True)] * 9 + [Claim(80, False)]).tens
    )


@pytest.mark.parametrize(
    ("percent", "hits", "n", "verdict"),
    [
        (95, 0, LEAST - 1, "few"),
        (60, 20, 20, "under"),
        (80, 4, 5, "fits"),  # chance alone may explain it
        (80, 3, 5, "fits"),
        (100, 11, 12, "over"),  # who says 100 % may not err once
        (100, 12, 12, "fits"),
    ],
)
def test_a_verdict_waits_until_chance_cannot_explain_it(percent, hits, n, verdict):
    told = curve([Claim(percent, at < hits) for at in range(n)])
    assert told.whole.verdict == verdict


def said(beliefs, numbers, chain):
    """What somebody says who asks each of the pasts that they think of for its order. They know the trainer: half of
    its chains are right, in the others one card lies wrong.
    """
    years = [beliefs.pasts(numbers[card.id])[0] for card in chain.cards]
    places = tuple(range(len(years)))
    orders = Counter(tuple(sorted(places, key=past.__getitem__)) for past in zip(*years, strict=True))
    others = moved(places)
    wrong = sum(orders[one] for one in others) / len(others)
    return 5 * round(20 * (orders[places] + 0.5) / (orders[places] + wrong + 1))


def evening(stock, backs, seed, levels):
    """The claims of people of these levels about the same chains."""
    chains = [stock.deal(f"{seed}/{n}") for n in range(CURVE)]
    numbers = {name: n for n, name in enumerate({card.id: None for chain in chains for card in chain.cards})}
    hidden = Hidden(tuple(backs[name] for name in numbers), ())
    for level in levels:
        beliefs = Beliefs().form(hidden, FastDice(f"{seed}/{level}"), level)
        yield [Claim(said(beliefs, numbers, chain), chain.right) for chain in chains]


@pytest.mark.slow
@pytest.mark.parametrize("evenings", sampled([80, 1000], [80]))
def test_an_evening_tells_an_error_of_5_per_cent_from_one_of_15(evenings):
    """The people are bots: what a Chronicler believes is off by 5 % of how long ago it was, a Connoisseur's by 15 %.
    Both make the same 25 claims. Who has the lower mean Brier score is held to be the Chronicler.
    """
    deck = Library().read("events")[1]
    stock, backs = Stock(cards_of(kind_of("events"), deck)), {card.id: card for card in deck.cards}
    right = 0
    for seed in range(evenings):
        chronicler, connoisseur = map(brier, evening(stock, backs, seed, ("chronicler", "connoisseur")))
        right += chronicler < connoisseur
    assert right >= 0.93 * evenings, right
