"""The compiled rules and the rules, action by action."""

import itertools
import os

import msgspec
import numpy as np
import pytest

from spieltisch.decks.forms import named
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import aliased, see
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.engine import kernel
from spieltisch.games.hichaechoc.engine.kernel import DRAW, JOKER, PASS
from spieltisch.games.hichaechoc.state import Draw, Pass, Play, PlayJoker

ACTIONS = int(os.environ.get("SPIELTISCH_LOCKSTEP", "1500"))  # for each way to play; `bench/hichaechoc.py` takes more

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # the first of them all compiles the kernel

WAYS = [
    (seats, {"joker": joker, "play_on": play_on, "cards_per_player": each})
    for seats, joker, play_on, each in itertools.product((2, 3, 5), (False, True), (False, True), (3, 5))
    if play_on is False or seats > 2
]
ALIKE = {  # options that the kernel need not know, and why
    "mode": "it plays assisted games only",
    "contest_price": "nothing is contested in assisted games",
}


def number(action):
    match action:
        case Play(_, reading):
            return reading
        case PlayJoker():
            return JOKER
        case Draw():
            return DRAW
        case Pass():
            return PASS


def same(public, own, hidden, g):
    """Whether everything lies in the same places. Of the pile's order only what is known counts while it is drawn
    from at random; here it is drawn from the end.
    """
    now = g.now
    assert [sorted(np.repeat(np.arange(31), counts).tolist()) for counts in g.counts] == [
        sorted(room.hand) for room in own
    ]
    assert g.held.tolist() == list(public.hands)
    assert g.pile[: now[kernel.PILE]].tolist() == list(hidden.pile)[::-1]
    assert sorted(g.played[: now[kernel.PLAYED]].tolist()) == sorted(public.middle.played)
    assert now[kernel.LAST] == public.middle.top
    assert now[kernel.TOP] == (30 + public.middle.top if public.middle.said is None else public.middle.said)
    assert bool(now[kernel.COVERED]) == public.middle.joker
    assert bool(now[kernel.BOTTOM]) == public.known.bottom
    assert now[kernel.OUT] == len(public.out)
    assert now[kernel.END] == {None: kernel.GOING, "out-of-cards": kernel.OVER, "blocked": kernel.BLOCKED}[public.end]


def test_each_option_is_tried_or_the_kernel_need_not_know_it():
    tried = [msgspec.structs.asdict(rules.Options(**more)) for _, more in WAYS]
    varied = {name for name in rules.Options.__struct_fields__ if len({one[name] for one in tried}) > 1}
    assert varied | set(ALIKE) == set(rules.Options.__struct_fields__)
    assert not varied & set(ALIKE)


@pytest.mark.parametrize(("seats", "more"), WAYS, ids=str)
def test_both_go_the_same_way(seats, more):
    options = rules.Options(mode="assisted", **more)
    dice = FastDice(str((seats, more)))
    paradigms = [named(name) for name in ("hic", "is")]
    g, chance = kernel.game(seats, options), np.ones(1, np.int64)
    done, ends = 0, set()
    while done < ACTIONS:
        deck = aliased(dice.choice(paradigms), dice.shuffle(range(30)))
        state = rules.setup(seats, options, deck)
        f = kernel.forms(state.public.terms.table)
        cards = throw(dice, rules.pending_chance(state))
        state = rules.resolve_chance(state, cards)
        kernel.deal(f, g, np.array(cards), options.cards_per_player)
        while True:
            if done % 29 == 0 or state.public.end:
                same(state.public, state.own, state.hidden, g)
            if state.public.end:
                break
            (seat,) = rules.to_act(state.public)
            assert seat == g.now[kernel.SEAT]
            named_ = {number(action): action for action in rules.legal(see(state, seat))}
            assert kernel.options(f, g) == sum(1 << one for one in named_)
            one = dice.choice(list(named_))
            state = rules.apply(state, seat, named_[one])
            if one == DRAW:
                due = rules.pending_chance(state)
                assert kernel.turn_over(g) == (due is not None)
                if due is not None:
                    outcome = throw(dice, due)
                    g.pile[: len(outcome)] = outcome[::-1]
                    state = rules.resolve_chance(state, outcome)
                kernel.draw(f, g, g.now[kernel.PILE] - 1)
            else:
                kernel.act(f, g, one, chance)
            done += 1
        ends.add(state.public.end)
    assert "out-of-cards" in ends


def test_random_games_are_as_long_as_by_the_rules():
    """The compiled games deal, draw and choose as evenly: actions a game and who gets rid of the cards first."""
    deck, options, dice = named("hic"), rules.Options(mode="assisted"), FastDice(5)
    table = rules.setup(3, options, deck).public.terms.table
    lengths, first = [], [0, 0, 0]
    for _ in range(600):
        state = rules.setup(3, options, deck)
        length = 0
        while True:
            state, _ = resolve(rules, state, lambda chance: throw(dice, chance))
            if state.public.end:
                break
            (seat,) = rules.to_act(state.public)
            state = rules.apply(state, seat, dice.choice(rules.legal(see(state, seat))))
            length += 1
        lengths.append(length)
        first[state.public.out[0]] += 1
    games = 100_000
    actions, out = kernel.playouts(kernel.forms(table), kernel.game(3, options), np.array([*table]), 5, games, 1)
    assert abs(np.mean(lengths) - actions / games) < 4 * np.std(lengths) / len(lengths) ** 0.5
    for seat in range(3):
        share = out[seat] / games
        assert abs(first[seat] / len(lengths) - share) < 4 * (share * (1 - share) / len(lengths)) ** 0.5
