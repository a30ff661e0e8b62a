"""The laws on hic – haec – hoc."""

import itertools
from collections import Counter
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from games.hichaechoc.tables import HIC, NUMBER, dealt, play
from spieltisch.dice import FastDice, throw
from spieltisch.game import State, aliased, see
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.forms import paradigm
from spieltisch.games.hichaechoc.options import Options
from spieltisch.games.hichaechoc.state import JOKER, Accept, Contest, Draw, Hidden, Own, Play, PlayJoker
from spieltisch.testing import check_game, check_imagination

MANY = paradigm("many", [f"form {number}" for number in range(30)])


def deal(dice: FastDice):
    """Any options; the paradigm of hic or one in which no two forms are alike; the rows in any order."""
    seats = 2 + dice.below(4)
    options = Options(
        mode=dice.choice(("strict", "assisted")),
        joker=bool(dice.below(2)),
        play_on=bool(dice.below(2)),
        contest_price=dice.below(2),
        cards_per_player=3 + dice.below(3),
    )
    deck = HIC if dice.below(4) else MANY
    return seats, options, aliased(deck, dice.shuffle(range(30)))


def lying(state):
    p, m = state.public, state.public.middle
    yield from state.hidden.pile
    yield from m.played
    for own in state.own:
        yield from own.hand
    if m.top is not None:
        yield m.top
    if m.joker:
        yield JOKER
    if p.turn.pending is not None:
        yield p.turn.pending.form


def counts(state):
    p = state.public
    assert p.middle.pile == len(state.hidden.pile)
    assert p.hands == tuple(len(own.hand) for own in state.own)
    for own, known in zip(state.own, p.known.hands, strict=True):
        assert not Counter(known) - Counter(own.hand)
        assert own.drawn is None or own.drawn in own.hand
    assert not p.known.bottom or state.hidden.pile[-1] == JOKER
    assert (p.terms.table is None) == (state.hidden.table is not None)
    drawn = [seat for seat, own in enumerate(state.own) if own.drawn is not None]
    asked = p.turn.pending is None and p.turn.drawn
    assert drawn == ([p.turn.seat] if asked else [])


def quiet(state, seat, action):
    """What tells the others nothing but itself: plays, acceptances, and draws from a pile that is there."""
    if isinstance(action, Draw):
        m = state.public.middle
        return m.pile > 1 or (m.pile == 1 and not state.public.known.bottom)
    return isinstance(action, Play | PlayJoker | Accept)


def test_laws():
    check_game(rules, deal, cards=lying, counts=counts, quiet=quiet, plies=150, examples=60)


def test_the_places_of_unseen_cards_come_equally_often():
    """Four cards are unseen, no two alike: each of the 12 divisions and orders as often as the others."""
    state = rules.setup(2, Options(mode="assisted", cards_per_player=3), MANY)
    state = rules.resolve_chance(state, throw(FastDice(1), rules.pending_chance(state)))
    m, pile = state.public.middle, state.hidden.pile
    hand = tuple(sorted(state.own[1].hand[:2]))  # in which order they came, seat 0 cannot see
    state = replace(
        state,
        public=replace(
            state.public,
            hands=(3, 2),
            middle=replace(m, pile=2, played=(*pile[2:], state.own[1].hand[2])),
        ),
        own=(state.own[0], Own(hand)),
        hidden=Hidden(pile[:2], None),
    )
    worlds = [
        State(state.public, (state.own[0], Own(tuple(sorted(order[:2])))), Hidden(order[2:], None))
        for order in itertools.permutations((*hand, *pile[:2]))
    ]
    assert state in worlds
    check_imagination(rules, see(state, 0), set(worlds))


def spent(state):
    """The same table with the whole pile played: nothing is hidden but the others' hands."""
    m = state.public.middle
    m = replace(m, pile=0, played=(*m.played, *state.hidden.pile))
    return State(replace(state.public, middle=m), state.own, replace(state.hidden, pile=()))


def test_tables_of_forms_come_equally_often():
    """29 cards are written alike: the cell of the other one is each of the 30 equally often."""
    state = rules.setup(2, Options(cards_per_player=3), paradigm("two", ["unus"] + ["omnes"] * 29))
    state = spent(rules.resolve_chance(state, rules.pending_chance(state).items))
    tables = (bytes(0 if cell == at else 1 for cell in range(30)) for at in range(30))
    worlds = [State(state.public, state.own, Hidden((), table)) for table in tables]
    assert state in worlds
    check_imagination(rules, see(state, 0), worlds)


def test_what_a_verdict_shows_is_known_until_the_next_step():
    """The whole table of forms: there is one world only."""
    state = rules.setup(2, Options(cards_per_player=3), paradigm("four", ["a", "b", "c"] + ["d"] * 27))
    state = rules.resolve_chance(state, rules.pending_chance(state).items)
    state = spent(rules.apply(rules.apply(state, 0, Play(3, 0)), 1, Contest()))
    assert state.public.news[0].readings == tuple(range(3, 30))
    check_imagination(rules, see(state, 0), [state])


def test_numbers_tell_nothing_the_same_game_in_any_order_of_the_rows():
    dice = FastDice(5)
    for mode in ("strict", "assisted"):
        order, cards = dice.shuffle(range(30)), dice.shuffle(card.form for card in HIC.cards)
        sides = []
        for deck in (HIC, aliased(HIC, order)):
            state = rules.setup(3, Options(mode=mode), deck)
            number = {form: n for n, form in enumerate(state.public.terms.forms)}
            sides.append(rules.resolve_chance(state, tuple(number[form] for form in cards)))
        for _ in range(30):
            one, two = sides
            assert rules.to_act(one.public) == rules.to_act(two.public)
            if not rules.to_act(one.public):
                break
            seat = rules.to_act(one.public)[0]
            offers = [{name(state, a): a for a in rules.legal(see(state, seat))} for state in sides]
            assert offers[0].keys() == offers[1].keys()
            chosen = dice.choice(sorted(offers[0]))
            sides = [rules.apply(state, seat, offer[chosen]) for state, offer in zip(sides, offers, strict=True)]


def name(state, action):
    if isinstance(action, Play):
        return f"{state.public.terms.forms[action.form]} {action.reading}"
    return type(action).__name__


def test_a_drawn_card_is_imagined_as_drawn():
    state = play(dealt("hunc hanc hīs", "hōs hās hī", top="hic", pile="hārum"), "draw")
    drawn = {rules.imagine(see(state, 1), FastDice(seed)).own[0].drawn for seed in range(100)}
    assert NUMBER["hārum"] in drawn
    assert len(drawn) > 5


def test_the_joker_stands_between_plays():
    names = [name for name in dir(rules) if not name.startswith("_")]
    wrong = SimpleNamespace(**{name: getattr(rules, name) for name in names} | {"grouped": lambda _: True})
    with pytest.raises(AssertionError, match="between those of a kind"):
        check_game(wrong, lambda dice: (5, Options(joker=True), aliased(HIC, dice.shuffle(range(30)))), examples=30)
