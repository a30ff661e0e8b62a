"""What the table asks about deals: from any moment as plain search says, chances that tell no secret, whole games."""

import random

import pytest

from matrix import many
from spieltisch.dice import FastDice
from spieltisch.game import see
from spieltisch.games.adaman import bot, looking_back, rules
from spieltisch.games.adaman.analysis import _coach, _solver
from spieltisch.games.adaman.decktet import Deck, cards, decktet, extras
from spieltisch.games.adaman.engine import coach as engine
from spieltisch.games.adaman.engine.plain import best_score
from spieltisch.games.adaman.plain import coach as plain
from spieltisch.games.adaman.record import written
from spieltisch.table import analysis

pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels
either = pytest.mark.usefixtures("maker")
IDS = [card.id for card in decktet().cards]


def game(seed, extra=()):
    """A whole game's record, and its states after every entry."""
    deck, dice = decktet(extra), FastDice(seed)
    ids = [card.id for card in deck.cards]
    pile = dice.shuffle(range(len(ids)))
    states = [rules.resolve_chance(rules.setup(1, rules.Options(extra), deck), pile)]
    log = [{"chance": "shuffle", "outcome": [ids[card] for card in pile]}]
    while legal := rules.legal(view := see(states[-1], 0)):
        action = bot.candidates(view, legal)[0]
        log.append({"seat": 0, "action": {"control": ids[action.target], "with": [ids[n] for n in action.payment]}})
        states.append(rules.apply(states[-1], 0, action))
    options = {"extra": list(extra)} if extra else {}
    record = {"format": "spieltisch-record/1", "game": "adaman", "options": options, "seats": ["Ada"], "log": log}
    return record, states


@either
@pytest.mark.parametrize("excuse", [False, True])
def test_from_every_moment_of_a_deal_as_plain_search_says(excuse):
    dice, every = random.Random(4), cards()
    answers = {True: 0, False: 0}
    for _ in range(30):
        chosen = dice.sample(every[:44], 12) + [every[44]] * excuse
        deck = Deck("reduced", tuple(sorted(chosen, key=every.index)))
        extra = tuple(card.id for card in chosen if card.kind in {"pawn", "court", "excuse"})
        pile = dice.sample(range(len(deck.cards)), len(deck.cards))
        state = rules.resolve_chance(rules.setup(1, rules.Options(extra), deck), tuple(pile))
        solver = _solver(state)
        while legal := rules.legal(see(state, 0)):
            start = looking_back.start(state.public)
            best = best_score(deck, pile, start)
            found = solver.solve(pile, start=start)
            assert (found.winnable, found.best) == (best >= solver.total, best)
            answers[found.winnable] += 1
            state = rules.apply(state, 0, dice.choice(legal))
    assert min(answers.values()) > 10, answers


@either
def test_looking_back_finds_the_move_that_lost_the_game():
    turned = 0
    for seed in range(many(2, 4)):
        record, states = game(seed)
        looks = analysis._look_back(record)
        assert [look.action for look in looks] == [entry["action"] for entry in record["log"][1:]]
        can = [look.winnable for look in looks]
        assert can == sorted(can, reverse=True)  # what is lost stays lost
        if states[-1].public.end == "won":
            assert all(can)
        elif any(can):
            turned += 1
            last = max(i for i, one in enumerate(can) if one)
            pile = [IDS.index(name) for name in record["log"][0]["outcome"]]
            found = _solver(states[0]).solve(pile, best=False, start=looking_back.start(states[last].public))
            state = states[last]
            for action in found.line:  # from there it can be won indeed
                state = rules.apply(state, 0, action)
            assert state.public.end == "won"
        for look in looks:
            assert 0 <= look.chance <= look.best_chance <= 1
    assert turned


@either
def test_the_chances_hang_on_what_was_known_alone():
    """The same view with another pile: the same shares."""
    _, states = game(3)
    state = states[3]
    view = see(state, 0)
    actions = bot.candidates(view, rules.legal(view))[:5]
    other = rules.imagine(view, FastDice(5))
    assert other.hidden != state.hidden
    one, another = (looking_back.weighed(_coach(), see(either, 0), actions) for either in (state, other))
    assert one == another
    assert len({chance for chance, *_ in one}) > 1


@either
@pytest.mark.parametrize("extra", [(), ("excuse",), extras()])
def test_a_hint_is_no_mistake_to_who_looks_back(extra):
    """It is the coach's, the same for the same view."""
    deck, dice = decktet(extra), FastDice(11)
    pile = dice.shuffle(range(len(deck.cards)))
    state = rules.resolve_chance(rules.setup(1, rules.Options(extra), deck), pile)
    for _ in range(many(3, 6)):
        view = see(state, 0)
        if not rules.legal(view):
            break
        hint = looking_back.advise(_coach(), view)
        assert hint in rules.legal(view)
        assert hint == looking_back.advise(_coach(), see(rules.imagine(view, dice), 0))
        look = looking_back.look(_coach(), state, hint, None)
        assert look.best_chance == look.chance
        state = rules.apply(state, 0, hint)


def test_most_numbered_deals_can_be_won_and_some_cannot(maker):
    deals = 24 if maker == "compiled" else many(12, 24)
    found = [analysis._label("adaman", {"options": {}}, number) for number in range(1, deals + 1)]
    assert found.count(True) > deals * 15 / 24
    assert found.count(False) > 0


def test_what_plain_python_calls_a_mistake_is_one():
    """Of moves at random: what the compiled coach says with ten times its games lies within the intervals, nearly
    always, and where a mistake is named it says so, too.
    """
    named, off, looked_at, dice, deals = 0, 0, 0, FastDice(2), many(2, 6)
    for seed in range(deals):
        deck = decktet()
        state = rules.resolve_chance(rules.setup(1, rules.Options(), deck), FastDice(seed).shuffle(range(36)))
        while legal := rules.legal(see(state, 0)):
            action = dice.choice(bot.candidates(see(state, 0), legal)[:3])
            look = looking_back.look(plain.coach(), state, action, None)
            best = next(one for one in legal if written(deck, one) == look.best)
            parts = engine.coach().try_out(state.public, [best, action], FastDice(seed), 4_000)
            better, made = (sum(column) / len(parts) for column in zip(*parts, strict=True))
            looked_at += 1
            off += abs((look.best_chance - look.chance) - (better - made)) > max(look.error, 0.02)
            if look.best_chance - look.chance > max(0.05, look.error):
                named += 1
                assert better > made
            state = rules.apply(state, 0, action)
    assert looked_at > 7 * deals
    assert named >= deals
    assert off < 0.15 * looked_at
