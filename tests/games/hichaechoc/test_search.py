"""What the search knows of a view, and the worlds that it thinks of."""

import subprocess
import sys

import numpy as np
import pytest

from games.hichaechoc.tables import HIC, NUMBER, dealt, play, used_up
from matrix import many
from spieltisch import makers
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import see
from spieltisch.games.hichaechoc import ready, rules
from spieltisch.games.hichaechoc.engine import kernel, search
from spieltisch.games.hichaechoc.engine.kernel import JOKER, PASS
from spieltisch.games.hichaechoc.imagine import unseen
from spieltisch.games.hichaechoc.options import Options
from spieltisch.games.hichaechoc.plain import search as plain
from spieltisch.games.hichaechoc.state import Draw, Pass

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # the first of them all compiles the kernel

TABLE = bytes(NUMBER[form] for form in HIC.forms())
FORMS = kernel.forms(TABLE)


def cards(*sets):
    """The forms of cards that are the bits of numbers, in order."""
    return sorted(JOKER if card == JOKER else TABLE[card] for bits in sets for card in range(31) if bits >> card & 1)


def world(beliefs, seed, careful=0):
    hands, rng = np.zeros(len(beliefs.missing), np.int64), np.full(1, seed * 99991 + 7, np.int64)
    return search.sample_world(FORMS, hands, beliefs, rng, careful)


@pytest.mark.parametrize(("seats", "joker"), [(2, False), (2, True), (3, True)])
def test_it_sees_what_can_be_played_and_every_card_lies_somewhere(seats, joker):
    dice = FastDice(seats)
    for seed in range(40):
        state = rules.setup(seats, Options(mode="assisted", joker=joker), HIC)
        while True:
            state, _ = resolve(rules, state, lambda chance: throw(dice, chance))
            if not rules.to_act(state.public):
                break
            (seat,) = rules.to_act(state.public)
            view = see(state, seat)
            legal = rules.legal(view)
            beliefs = search.known(view, TABLE)
            g = world(beliefs, seed)
            if Draw() not in legal:
                assert kernel.options(FORMS, g) == sum(1 << search.number(action) for action in legal)
            assert cards(g.hands[seat]) == sorted(view.own.hand)
            assert [hand.bit_count() for hand in g.hands.tolist()] == list(state.public.hands)
            everything = [*g.hands.tolist(), g.pile, g.bottom, g.played, g.lying]
            assert cards(*everything) == sorted(state.public.terms.cards)
            assert sum(everything) == (1 << 30 + joker) - 1
            state = rules.apply(state, seat, dice.choice(legal))


def passed():
    """The view of the next player after somebody has drawn and passed."""
    state = play(dealt("hīs hīs hīs", "hunc hanc hōs", top="hic", pile="hārum", mode="assisted"), "draw", "pass")
    return see(state, 1)


def fits(form):
    """How many readings of the form go on an undeclared hic."""
    return int(FORMS.alike[TABLE.index(form)] & FORMS.on[kernel.CARDS + TABLE.index(NUMBER["hic"])]).bit_count()


def test_who_drew_and_passed_held_nothing_that_fits():
    beliefs = search.known(passed(), TABLE)
    assert beliefs.drew == 0
    for seed in range(50):
        g = world(beliefs, seed, careful=100)
        held = cards(g.hands[0])
        assert len(held) == 4
        assert not any(fits(form) for form in held)
        assert sorted([*held, *cards(g.pile)]) == unseen(passed())


def test_a_fitting_card_just_drawn_may_have_been_kept():
    """A random player keeps the card as often as playing it in any one way, and the worlds are weighted by that."""
    beliefs, lying = search.known(passed(), TABLE), unseen(passed())
    plain = sum(not fits(form) for form in lying) - 3
    kept = sum(1 / (fits(form) + 1) for form in lying if fits(form))
    share, n = kept / (kept + plain), 4000
    found = sum(any(fits(form) for form in cards(world(beliefs, seed).hands[0])) for seed in range(n)) / n
    assert abs(found - share) < 4 * (share * (1 - share) / n) ** 0.5


def test_who_passed_without_drawing_kept_nothing():
    state = play(used_up(dealt("hīs hīs hīs", "hunc hanc hōs", top="hic", mode="assisted")), "pass")
    beliefs = search.known(see(state, 1), TABLE)
    assert beliefs.drew == search.NOBODY
    for seed in range(20):
        assert not any(fits(form) for form in cards(world(beliefs, seed).hands[0]))


def test_after_drawing_it_may_pass():
    state = play(dealt("hīs hīs hīs", "hunc hanc hōs", top="hic", pile="haec", mode="assisted"), "draw")
    view = see(state, 0)
    options = rules.legal(view)
    assert Pass() in options
    bits = sum(1 << search.number(option) for option in options)
    assert bits >> PASS & 1
    assert kernel.options(FORMS, search.known(view, TABLE).game) == bits
    assert search.known(view, TABLE).drew == search.NOBODY
    assert search.best(view, options, TABLE, FastDice(1)) in options


def test_both_searches_choose_alike():
    """Choices differ only where options are equally good."""
    same, choices, dice, games = 0, 0, FastDice(3), many(8, 12)
    for _ in range(games):
        state, _ = resolve(rules, rules.setup(2, Options(mode="assisted"), HIC), lambda due: throw(dice, due))
        while not state.public.end:
            view = see(state, rules.to_act(state.public)[0])
            legal = rules.legal(view)
            if len(legal) > 2 and Draw() not in legal:
                one, other = (maker.best(view, legal, TABLE, FastDice(1)) for maker in (search, plain))
                assert other in legal
                choices += 1
                same += one == other
            state, _ = resolve(rules, rules.apply(state, view.seat, dice.choice(legal)), lambda due: throw(dice, due))
    assert choices > many(16, 25)
    assert same > 0.6 * choices


def test_what_serves_tables_does_not_bring_the_compiler():
    code = (
        "import sys; from spieltisch import games; import spieltisch.web.server.serve; "
        "games.packages(); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "spieltisch.games.hichaechoc.bot" in loaded
    assert "numba" not in loaded


def test_what_the_grammarian_thinks_with_is_compiled_once_after_an_installation(monkeypatch):
    """What `make setup` calls makes a choice by the search, as a table does: the same kernels, for the same types."""
    monkeypatch.setenv(makers.CHOICE, "compiled")
    found, best = [], search.best
    monkeypatch.setattr(search, "best", lambda *given: found.append(given) or best(*given))
    ready.ready()
    ((view, options, table, _),) = found
    assert len(options) > 1
    assert len(table) == len(TABLE)
    assert view.seat in rules.to_act(view.public)
