"""The rules beside a plain program that shares nothing with them: the same games, the same counts."""

import importlib.util
from pathlib import Path

import pytest

from games.adaman.table import Table
from spieltisch.dice import FastDice
from spieltisch.game import see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import cards
from spieltisch.games.adaman.record import PRESETS, Record

RECORD = Record(rules)

_spec = importlib.util.spec_from_file_location("plain_adaman", Path(__file__).parents[3] / "bench" / "plain_adaman.py")
plain = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(plain)


def both(preset, seed):
    options, deck = RECORD.load({"options": PRESETS[preset]}, 1)
    state = rules.setup(1, options, deck)
    pile = FastDice(seed).shuffle(range(len(deck.cards)))
    return Table(rules.resolve_chance(state, pile)), plain.Adaman([deck.cards[i].id for i in pile])


def same(table, other):
    public = table.public
    assert table.capital.split() == other.capital
    assert table.palace.split() == other.palace
    assert table.resources.split() == other.resources
    assert table.personalities.split() == other.won
    assert table.discarded.split() == other.spent
    assert (public.pile, public.excuse) == (len(other.pile), other.excuse)
    assert table.end == (other.end and (other.end, other.score()))


def named(table, action):
    deck = table.public.deck.cards
    if isinstance(action, rules.Excuse):
        return ("excuse", deck[action.card].id)
    return (deck[action.target].id, tuple(deck[card].id for card in action.payment))


def test_the_cards():
    assert {card.id: card.value for card in cards() if card.suits} == {n: plain.RANKS[n] for n in plain.NAMES[:-1]}
    letters = {"moon": "M", "sun": "S", "wave": "W", "leaf": "L", "wyrm": "Y", "knot": "K"}
    assert {card.id: "".join(letters[suit] for suit in card.suits) for card in cards()} == plain.SUITS
    assert {card.id for card in cards() if card.person} == plain.PEOPLE


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_games(preset):
    for seed in range(60):
        table, other = both(preset, seed)
        dice = FastDice(seed)
        same(table, other)
        while legal := rules.legal(see(table.state, 0)):
            # people first in half of the games, so that they do not all end early
            action = dice.choice(legal)
            if seed % 2:
                action = max(legal, key=lambda a: (table.public.worth.people[getattr(a, "target", 0)], -len(str(a))))
            names = [named(table, one) for one in legal]
            assert len(set(names)) == len(names)
            assert set(names) == set(other.moves())
            other.move(*named(table, action))
            table = Table(rules.apply(table.state, 0, action))
            same(table, other)


def perft(state, depth):
    if not depth:
        return 1
    return sum(perft(rules.apply(state, 0, action), depth - 1) for action in rules.legal(see(state, 0)))


def plain_perft(pile, moves, depth):
    game = plain.Adaman(pile)
    for move in moves:
        game.move(*move)
    if not depth:
        return 1
    if game.end:
        return 0
    return sum(plain_perft(pile, [*moves, move], depth - 1) for move in game.moves())


@pytest.mark.parametrize(
    ("preset", "seed", "counts"), [("basic", 5, (19, 373, 3707)), ("extended", 13, (5, 157, 5910))]
)
def test_the_number_of_games_to_a_depth(preset, seed, counts):
    table, other = both(preset, seed)
    assert tuple(perft(table.state, depth) for depth in (1, 2, 3)) == counts
    assert tuple(plain_perft(other.deck, [], depth) for depth in (1, 2, 3)) == counts
