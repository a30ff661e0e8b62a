"""Hidden-swap: a bot keeps its beliefs, what it cannot know is swapped, and it chooses the same.

At every decision of whole games the bot is asked again in a world imagined from its view: hands, piles, dates and the
table of forms are others there, its view and its beliefs are the same.
"""

import msgspec
import pytest

from spieltisch import games
from spieltisch import record as records
from spieltisch.bots import knowledge
from spieltisch.dice import Quick, throw
from spieltisch.game import aliased, see

OPTIONS = {"anno-domini": [{"max_rounds": 6}], "hic-haec-hoc": [{}, {"mode": "assisted"}]}
CASES = [
    (room, level, options)
    for room in games.rooms().values()
    if room.bot and room.knowledge
    for level in room.levels
    for options in OPTIONS.get(room.name, [{}])
]


def begun(room, options, seed):
    top = dict(records.codec_of(room).DEFAULT)
    options, deck = records.codec_of(room).load({**top, "options": {**top["options"], **options}}, 3)
    return room.rules.setup(3, options, aliased(deck, Quick(seed).shuffle(range(len(deck.cards)))))


@pytest.mark.parametrize(("room", "level", "options"), CASES, ids=lambda one: getattr(one, "name", str(one)))
def test_what_a_bot_cannot_know_does_not_change_its_choice(room, level, options):
    rules, dice = room.rules, Quick(1)
    state = begun(room, options, 1)
    knows = [knowledge.of(room, state.hidden, b"leak", seat, level) for seat in range(3)]
    swapped = asked = 0
    while asked < 40:
        while (due := rules.due(state)) is not None:
            state = rules.settle(state, throw(dice, due))
        if not rules.to_act(state.public):
            break
        seat = dice.choice(rules.to_act(state.public))
        view = see(state, seat)
        other = rules.imagine(view, dice)
        action, again = (
            room.bot.choose(seen, rules.legal(seen), Quick(asked), knows[seat]) for seen in (view, see(other, seat))
        )
        assert action == again
        if hasattr(room.bot, "explain"):  # what is told after the end was thought by the view, too
            thought, same = (room.bot.explain(seen, action, knows[seat]) for seen in (view, see(other, seat)))
            assert thought == same
        assert action in rules.legal(view)
        asked += 1
        swapped += other.hidden != state.hidden or other.own != state.own
        state = rules.apply(state, seat, action)
    assert asked >= 10
    assert swapped == asked  # the worlds were others indeed


@pytest.mark.parametrize(("room", "level", "options"), CASES, ids=lambda one: getattr(one, "name", str(one)))
def test_beliefs_hold_nothing_that_stands_on_a_card(room, level, options):
    state = begun(room, options, 2)
    held = msgspec.json.encode(knowledge.of(room, state.hidden, b"leak", 0, level)).decode()
    texts = {text for card in getattr(state.hidden, "cards", ()) for text in (card.front.en, card.front.de, card.id)}
    assert not [text for text in texts if text in held]


@pytest.mark.parametrize("level", ["novice", "connoisseur", "chronicler"])
@pytest.mark.parametrize("game", ["anno-domini", "trailblaze"])
def test_how_sure_a_bot_is_does_not_tell_the_year(game, level):
    """The spread goes by the year believed: with another true year and the same belief it is the same."""
    room = games.room(game)
    state = begun(room, {}, 3)
    knows = knowledge.of(room, state.hidden, b"leak", 0, level)
    beliefs = getattr(knows, "cards", knows)
    error = room.knowledge.ERRORS[level]
    factors = {}
    for belief, card in zip(beliefs, state.hidden.cards, strict=True):
        about = error * abs(room.knowledge.TODAY - belief.year) + room.knowledge.LEAST
        factors.setdefault(getattr(card, "level", "") + str(getattr(card, "fields", "")), set()).add(
            round(belief.spread / about, 6)
        )
    if game == "anno-domini":  # only a card's level and fields count besides, and (a life's home) roughly the time
        assert max(map(len, factors.values())) <= 2
    assert all(0.1 < factor < 2.5 for found in factors.values() for factor in found)
