"""Hidden-swap: a bot keeps its beliefs, what it cannot know is swapped, and it chooses the same.

At every decision of whole games the bot is asked again in a world imagined from its view: hands, piles, dates and the
table of forms are others there, its view and its beliefs are the same.
"""

import sys
from typing import Any

import msgspec
import pytest

from spieltisch import games
from spieltisch.bots import beliefs_of
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import aliased, see

OPTIONS = {"anno-domini": [{"max_rounds": 6}], "hic-haec-hoc": [{}, {"mode": "assisted"}]}
CASES = [
    (package, level, options)
    for package in games.packages().values()
    if package.bot.levels
    for level in package.bot.levels
    for options in OPTIONS.get(package.name, [{}])
]


def begun(package, options, seed):
    top = dict(package.record.default)
    seats = min(3, package.rules.seats[-1])
    options, deck = package.record.load({**top, "options": {**top["options"], **options}}, seats)
    return package.rules.setup(seats, options, aliased(deck, FastDice(seed).shuffle(range(len(deck.cards)))))


@pytest.mark.parametrize(("package", "level", "options"), CASES, ids=lambda one: getattr(one, "name", str(one)))
def test_what_a_bot_cannot_know_does_not_change_its_choice(package, level, options):
    rules, dice = package.rules, FastDice(1)
    state = begun(package, options, 1)
    beliefs = [beliefs_of(package, state.hidden, b"leak", seat, level) for seat in range(len(state.own))]
    swapped = asked = 0
    while asked < 40:
        state, _ = resolve(rules, state, lambda chance: throw(dice, chance))
        if not rules.to_act(state.public):
            break
        seat = dice.choice(rules.to_act(state.public))
        view = see(state, seat)
        other = rules.imagine(view, dice)
        if package.name == "adaman" and other == state:
            break  # the pile has come to its end
        action, again = (
            package.bot.choose(seen, rules.legal(seen), FastDice(asked), beliefs[seat])
            for seen in (view, see(other, seat))
        )
        assert action == again
        if True:  # what is told after the end was thought by the view, too
            thought, same = (package.bot.explain(seen, action, beliefs[seat]) for seen in (view, see(other, seat)))
            assert thought == same
        assert action in rules.legal(view)
        asked += 1
        swapped += other.hidden != state.hidden or other.own != state.own
        state = rules.apply(state, seat, action)
    assert asked >= (10 if len(beliefs) > 1 else 6)  # a game alone is short
    assert swapped == asked  # the worlds were others indeed


@pytest.mark.parametrize(("package", "level", "options"), CASES, ids=lambda one: getattr(one, "name", str(one)))
def test_beliefs_hold_nothing_that_stands_on_a_card(package, level, options):
    state = begun(package, options, 2)
    held = msgspec.json.encode(beliefs_of(package, state.hidden, b"leak", 0, level)).decode()
    texts = {
        text for card in getattr(state.hidden, "cards", ()) for text in (card.front["en"], card.front["de"], card.id)
    }
    assert not [text for text in texts if text in held]


@pytest.mark.parametrize("level", ["novice", "connoisseur", "chronicler"])
@pytest.mark.parametrize("game", ["anno-domini", "trailblaze"])
def test_how_sure_a_bot_is_does_not_tell_the_year(game, level):
    """The spread goes by the year believed: with another true year and the same belief it is the same."""
    package = games.package(game)
    state = begun(package, {}, 3)
    beliefs: Any = beliefs_of(package, state.hidden, b"leak", 0, level)
    beliefs = getattr(beliefs, "cards", beliefs)
    module = sys.modules[type(package.beliefs).__module__]
    error = module.ERRORS[level]
    factors = {}
    for belief, card in zip(beliefs, state.hidden.cards, strict=True):
        about = error * abs(module.TODAY - belief.year) + module.LEAST
        factors.setdefault(getattr(card, "level", "") + str(getattr(card, "fields", "")), set()).add(
            round(belief.spread / about, 6)
        )
    if game == "anno-domini":  # only a card's level and fields count besides, and (a life's home) roughly the time
        assert max(map(len, factors.values())) <= 2
    assert all(0.1 < factor < 2.5 for found in factors.values() for factor in found)
