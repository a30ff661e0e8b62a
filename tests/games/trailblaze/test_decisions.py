"""What was claimed about firsts: each own stone, beside the period of the card that its seat then held."""

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.dice import FastDice, throw
from spieltisch.game import see
from spieltisch.games.trailblaze import rules
from spieltisch.games.trailblaze.decisions import decisions
from spieltisch.games.trailblaze.state import Place
from spieltisch.package import FinishedGame

DECK = Library().deck("firsts", kind_of("firsts"))


def column(card):
    return next(
        n
        for n, one in enumerate(DECK.periods)
        if (card.year is None and one.end is None)
        or (card.year is not None and one.start <= card.year <= (one.end or card.year))
    )


def test_every_stone_is_a_claim_about_the_card_that_was_held():
    dice, news, expected = FastDice(4), [], []
    state = rules.setup(3, rules.Options(), DECK)
    dealt = None
    while rules.result(state.public) is None:
        if (due := rules.pending_chance(state)) is not None:
            state = rules.resolve_chance(state, throw(dice, due))
        else:
            seat = rules.to_act(state.public)[0]
            action = dice.choice(rules.legal(see(state, seat)))
            if isinstance(action, Place):
                card = DECK.cards[state.public.cards[seat].card]
                off = abs(action.column - column(card))
                expected.append((seat, card.id, off == 0, off or None))
            state = rules.apply(state, seat, action)
        dealt = dealt or state
        news += state.public.news
    found = decisions(FinishedGame(dealt, news))
    assert [(one.seat, one.card, one.right, one.off) for one in found] == expected
    assert {one.right for one in found} == {True, False}
    assert all(news[one.at].stone.seat == one.seat for one in found)
    halfway = decisions(FinishedGame(dealt, news[: found[7].at + 1]))  # broken off: what was not turned over is open
    assert [one.card for one in halfway] == [one.card for one in found[: len(halfway)]]
    assert len(halfway) == 6
