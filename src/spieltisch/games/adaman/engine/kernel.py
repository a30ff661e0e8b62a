"""Adaman's rules on bits, compiled. A card is a bit, by its number in the deck.

A position is three numbers: `at`, how many cards of the pile have been drawn; `capital`; and `held`, the palace and the
resources together, since personalities are never resources and nothing else lies in the palace. While the Excuse waits,
its bit lies in the row where it turned up. The people won over follow from these: every personality drawn that is not
in sight. The order within rows means nothing to the rules.

In compiled functions `w` is the deck's Worth. Their docstrings give dtype[shape], and say what is written.
"""

from typing import NamedTuple

import numpy as np

from spieltisch.compiled import borrowing, inlined, lowest, ones
from spieltisch.games.adaman.decktet import SUITS, Deck

ROW = 5  # as the rules have it
MOST = 320  # more moves than a position can have (310)


class Worth(NamedTuple):
    """The properties of a deck's cards, as arrays and bits."""

    ranks: np.ndarray  # int64[cards]
    suits: np.ndarray  # int64[cards]: suits as bits
    friends: np.ndarray  # int64[cards]: those that share a suit with it
    planes: np.ndarray  # int64[4]: the cards whose rank has bit 0, 1, 2, 3
    people: int
    excuse: int  # its bit, 0 where it is not in the deck
    total: int  # the ranks of all personalities


def worth(deck: Deck) -> Worth:
    cards = deck.cards
    ranks = [card.value for card in cards]
    suits = [sum(1 << SUITS.index(suit) for suit in card.suits) for card in cards]
    friends = [sum(1 << i for i, other in enumerate(suits) if own & other) for own in suits]
    planes = [sum(1 << i for i, rank in enumerate(ranks) if rank >> bit & 1) for bit in range(4)]
    return Worth(
        *(np.array(one, np.int64) for one in (ranks, suits, friends, planes)),
        sum(1 << i for i, card in enumerate(cards) if card.person),
        sum(1 << i for i, card in enumerate(cards) if card.kind == "excuse"),
        sum(card.value for card in cards if card.person),
    )  # fmt: skip


@inlined
def sum_of(w, cards):
    """Return the sum of these cards' ranks.

    `cards`: int64 bits. Returns int64.
    """
    planes = w.planes
    return (
        ones(cards & planes[0])
        + 2 * ones(cards & planes[1])
        + 4 * ones(cards & planes[2])
        + 8 * ones(cards & planes[3])
    )


@inlined
def refill(w, pile, at, capital, held):
    """Return the position with its rows refilled. The game is lost by hanging if the palace then has more than five.

    `pile`: int64[cards], bits, top first; `at`, `capital`, `held`: int64. Returns the three anew.
    """
    while at < len(pile):
        if ones(capital) < ROW:
            first = True
        elif ones(held & ~w.people) < ROW:
            first = False
        else:
            break
        card = pile[at]
        at += 1
        if card == w.excuse:
            if first:
                if held & ~w.people == 0:
                    continue
                capital |= card
            else:
                if capital == 0:
                    continue
                held |= card
            break
        if first:
            capital |= card
        else:
            held |= card
            if card & w.people and ones(held & w.people) > ROW:
                break
    return at, capital, held


@borrowing
def moves(w, capital, held, targets, payments):
    """Write every move: the target's bit and the payment's bits; with the Excuse its bit and the card's. Return how
    many.

    `capital`, `held`: int64; `targets`, `payments`: int64[MOST], written. Returns int64.
    """
    count = 0
    resources = held & ~w.people
    if (capital | held) & w.excuse:
        row = resources if capital & w.excuse else capital
        while row:
            card = row & -row
            row ^= card
            targets[count] = w.excuse
            payments[count] = card
            count += 1
        return count
    rest = capital | (held & w.people)
    while rest:
        target = rest & -rest
        rest ^= target
        number = lowest(target)
        fitting = resources & w.friends[number]
        rank = w.ranks[number]
        paid = fitting
        while paid:
            if sum_of(w, paid) >= rank:
                targets[count] = target
                payments[count] = paid
                count += 1
            paid = (paid - 1) & fitting
    return count


@inlined
def laid(w, capital, held, target, payment):
    """Return the rows right after a move, before anything is turned up.

    `capital`, `held`, `target`, `payment`: int64 bits. Returns `capital` and `held`.
    """
    if target == w.excuse:
        if capital & target:
            return (capital ^ target) | payment, held ^ payment
        return capital ^ payment, (held ^ target) | payment
    held &= ~(payment | target)
    if not target & w.people:
        held |= target
    return capital & ~target, held


@inlined
def move(w, pile, at, capital, held, target, payment):
    """Return the position after a move.

    `pile`: int64[cards]; `at`, `capital`, `held`: int64; `target`, `payment`: int64 bits. Returns `at`, `capital`,
    `held`.
    """
    capital, held = laid(w, capital, held, target, payment)
    if hanged(w, held):
        return at, capital, held
    return refill(w, pile, at, capital, held)


@inlined
def hanged(w, held):
    """Return whether more than five lie in the palace. `held`: int64. Returns bool."""
    return ones(held & w.people) > ROW


@inlined
def stuck(w, capital, held):
    """Return whether nothing can be won.

    `capital`, `held`: int64. Returns bool.
    """
    resources = held & ~w.people
    rest = capital | (held & w.people)
    while rest:
        number = lowest(rest)
        rest &= rest - 1
        if sum_of(w, resources & w.friends[number]) >= w.ranks[number]:
            return False
    return True
