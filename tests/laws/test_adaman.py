"""The laws on Adaman."""

import itertools

from games.adaman.table import dealt
from spieltisch.dice import FastDice
from spieltisch.game import State, aliased, see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import Deck, cards, decktet, extras
from spieltisch.testing import check_game, check_imagination


def deal(dice: FastDice):
    """The basic deck, any cards added, or a few cards only; the rows in any order, as at a table."""
    if dice.below(3) == 0:
        few = dice.shuffle(cards())[: 1 + dice.below(20)]
        deck = Deck("few", few)
        extra = tuple(card.id for card in few if card.id in extras())
    else:
        extra = tuple(name for name in extras() if dice.below(2))
        deck = decktet(extra)
    return 1, rules.Options(extra), aliased(deck, dice.shuffle(range(len(deck.cards))))


def lying(state):
    p = state.public
    rows = (p.capital, p.palace, p.resources, p.personalities, p.discarded, state.hidden.pile)
    return itertools.chain(*rows)


def counts(state):
    p = state.public
    assert p.pile == len(state.hidden.pile)
    assert len(p.capital) <= 5
    assert len(p.resources) <= 5
    assert len(p.palace) <= 6
    assert len(rules.legal(see(state, 0))) <= 310


def test_laws():
    # each move takes a card out of the rows or spends one and keeps another: never more than cards in the deck
    check_game(rules, deal, cards=lying, counts=counts, bound=46, examples=60)


def test_the_orders_of_the_pile_come_equally_often():
    table = dealt("sea end origin castle cave | battle desert mountain pact windfall | author bard soldier market")
    view = see(table.state, 0)
    orders = itertools.permutations(table.state.hidden.pile)
    check_imagination(rules, view, [State(view.public, (rules.Own(),), rules.Hidden(pile)) for pile in orders])


def test_a_row_says_nothing_about_a_card():
    """With the deck's rows in another order the same pile leads to the same table."""
    deck = decktet(("excuse", "watchman"))
    dice = FastDice(5)
    for _ in range(20):
        order, pile = dice.shuffle(range(38)), dice.shuffle(range(38))
        sides = []
        for side in (deck, aliased(deck, order)):
            number = {card.id: i for i, card in enumerate(side.cards)}
            state = rules.setup(1, rules.Options(("excuse", "watchman")), side)
            sides.append((side, number, rules.resolve_chance(state, tuple(number[deck.cards[i].id] for i in pile))))
        while True:
            (one, _, state), (two, number, other) = sides
            legal = rules.legal(see(state, 0))
            names = [name_of(one, action) for action in legal]
            assert names == [name_of(two, action) for action in rules.legal(see(other, 0))]
            assert state.public.news == other.public.news
            if not legal:
                break
            at = dice.below(len(legal))
            actions = (legal[at], rules.legal(see(other, 0))[at])
            states = [rules.apply(s, 0, a) for s, a in zip((state, other), actions, strict=True)]
            sides = [(one, None, states[0]), (two, number, states[1])]


def name_of(deck, action):
    numbers = (action.card,) if isinstance(action, rules.Excuse) else (action.target, *action.payment)
    return [deck.cards[number].id for number in numbers]
