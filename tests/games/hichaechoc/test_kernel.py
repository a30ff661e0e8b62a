"""The rules, the compiled ones, and those in plain Python on bits, action by action."""

import itertools
import os

import msgspec
import numpy as np
import pytest

from matrix import many, sampled
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import aliased, see
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.engine import kernel
from spieltisch.games.hichaechoc.forms import named, shipped
from spieltisch.games.hichaechoc.plain import kernel as plain
from spieltisch.games.hichaechoc.plain.kernel import DRAW, JOKER, PASS
from spieltisch.games.hichaechoc.state import Draw, Pass, Play, PlayJoker

# For each way to play; `bench/hichaechoc.py` takes more.
ACTIONS = [int(more)] if (more := os.environ.get("SPIELTISCH_LOCKSTEP")) else sampled([150, 1500], [150])

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


def forms_of(table, cards):
    """The forms of cards that are the bits of a number, in order."""
    return sorted(JOKER if card == JOKER else table[card] for card in range(31) if cards >> card & 1)


def same(public, own, hidden, f, g):
    """Whether everything lies in the same places. Of the pile's order only what is known counts: it is drawn from at
    random.
    """
    table, middle = public.terms.table, public.middle
    assert [forms_of(table, hand) for hand in g.hands] == [sorted(room.hand) for room in own]
    under = [JOKER] if public.known.bottom else []
    assert forms_of(table, g.bottom) == under
    assert list(hidden.pile[middle.pile - len(under) :]) == under
    assert forms_of(table, g.pile) == sorted(hidden.pile[: middle.pile - len(under)])
    assert forms_of(table, g.played) == sorted(middle.played)
    assert forms_of(table, g.lying) == [middle.top, *([JOKER] if middle.joker else [])]
    (seat,) = rules.to_act(public) or (None,)
    assert forms_of(table, g.drawn) == ([] if seat is None or own[seat].drawn is None else [own[seat].drawn])
    assert g.stall == public.stall.passes
    assert g.out == len(public.out)
    assert g.end == {None: kernel.GOING, "out-of-cards": kernel.OVER, "blocked": kernel.BLOCKED}[public.end]


class At:
    """Dice that draw this card of a set."""

    def __init__(self, card, cards):
        self.share = (sum(1 for n in range(card) if cards >> n & 1) + 0.5) / cards.bit_count()

    def random(self):
        return self.share


def begun(g):
    """The same game in plain Python."""
    given = {name: int(getattr(g, name)) for name in plain.Game.__slots__ if name not in ("hands", "play_on", "end")}
    return plain.Game(g.hands.tolist(), play_on=g.play_on, **given)


def test_each_option_is_tried_or_the_kernel_need_not_know_it():
    tried = [msgspec.structs.asdict(rules.Options(**more)) for _, more in WAYS]
    varied = {name for name in rules.Options.__struct_fields__ if len({one[name] for one in tried}) > 1}
    assert varied | set(ALIKE) == set(rules.Options.__struct_fields__)
    assert not varied & set(ALIKE)


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize(("seats", "more"), WAYS, ids=str)
def test_both_go_the_same_way(seats, more, actions):
    options = rules.Options(mode="assisted", **more)
    dice = FastDice(str((seats, more)))
    paradigms = [*shipped().values()]
    hands, chance = np.zeros(seats, np.int64), np.ones(1, np.int64)
    done, ends = 0, set()
    while done < actions:
        deck = aliased(dice.choice(paradigms), dice.shuffle(range(30)))
        state = rules.setup(seats, options, deck)
        table = state.public.terms.table
        f = kernel.forms(table)
        order = throw(dice, rules.pending_chance(state))
        state = rules.resolve_chance(state, order)
        cards = np.array(plain.cards(table, order))
        g = kernel.deal(f, hands, options.play_on, cards, options.cards_per_player)
        forms, p = plain.Forms(table), begun(g)
        while True:
            if done % 29 == 0 or state.public.end:
                same(state.public, state.own, state.hidden, f, g)
                same(state.public, state.own, state.hidden, f, p)
            if state.public.end:
                break
            (seat,) = rules.to_act(state.public)
            assert seat == g.seat == p.seat
            named_ = {number(action): action for action in rules.legal(see(state, seat))}
            assert kernel.options(f, g) == p.options(forms) == sum(1 << one for one in named_)
            one = dice.choice(list(named_))
            state = rules.apply(state, seat, named_[one])
            if one == DRAW:
                due = rules.pending_chance(state)
                assert (due is not None) == (not g.pile | g.bottom)
                if due is not None:
                    state = rules.resolve_chance(state, throw(dice, due))
                drawn, (stock, _, _) = state.own[seat].drawn, kernel.stock(g)
                card = next(card for card in range(31) if forms_of(table, stock & 1 << card) == [drawn])
                g = kernel.draw(g, card)
                p.act(forms, DRAW, At(card, int(stock)))
            else:
                g = kernel.act(f, g, one, chance)
                p.act(forms, one, dice)
            done += 1
        ends.add(state.public.end)
    assert "out-of-cards" in ends


RANDOM = [(3, {}), (2, {"joker": True}), (5, {"joker": True})]


@pytest.mark.parametrize(("seats", "more"), sampled(RANDOM, [RANDOM[0], RANDOM[2]]), ids=str)
def test_random_games_go_as_by_the_rules(seats, more):
    """The compiled games deal, draw and choose as evenly: chi-squared of who gets rid of the cards first after how many
    actions.
    """
    options, dice = rules.Options(mode="assisted", **more), FastDice(5)
    start = rules.setup(seats, options, named("hic"))
    by_rules = []
    for _ in range(many(1_500, 3_000)):
        state, length = start, 0
        while True:
            state, _ = resolve(rules, state, lambda chance: throw(dice, chance))
            if state.public.end:
                break
            (seat,) = rules.to_act(state.public)
            state = rules.apply(state, seat, dice.choice(rules.legal(see(state, seat))))
            length += 1
        by_rules.append((*(seat in state.public.out for seat in range(seats)), length))
    f = kernel.forms(start.public.terms.table)
    compiled = []
    for _ in range(60_000):
        length, out = kernel.playouts(f, seats, options.joker, options.play_on, 5, 1, dice.below(1 << 61))
        compiled.append((*(out[:seats] > 0), length))
    assert chi_squared_per_freedom(np.array(by_rules), np.array(compiled)) < 1.75


def chi_squared_per_freedom(some, many):
    """By the winner and the tenth of all lengths."""
    limits = np.quantile(many[:, -1], np.arange(0.1, 1, 0.1))
    found, expected = (
        np.histogramdd(
            np.column_stack([games[:, :-1].argmax(1), np.searchsorted(limits, games[:, -1])]),
            bins=(np.arange(games.shape[1]), np.arange(11)),
        )[0]
        for games in (some, many)
    )
    expected = expected * (len(some) / len(many))
    often = expected > 5
    return ((found - expected)[often] ** 2 / expected[often]).sum() / (often.sum() - 1)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_games_go_on_for_the_places(seats):
    """With everybody but one out of cards at the end, more is played than until the first is."""
    f = kernel.forms(rules.setup(2, rules.Options(mode="assisted"), named("hic")).public.terms.table)
    short, first = kernel.playouts(f, seats, True, False, 5, 20_000, 7)
    long, _ = kernel.playouts(f, seats, True, True, 5, 20_000, 7)
    assert first.sum() == 20_000
    assert (long > 1.2 * short) == (seats > 2)
