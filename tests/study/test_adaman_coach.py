"""The coach of Adaman, which does not know the pile."""

import functools
import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from matrix import many, sampled
from spieltisch.dice import FastDice, throw
from spieltisch.game import aliased, see
from spieltisch.games.adaman import coaching, rules
from spieltisch.games.adaman.coaching import bits
from spieltisch.games.adaman.decktet import decktet, extras
from spieltisch.games.adaman.engine import coach, judge, kernel, value
from spieltisch.games.adaman.plain import coach as plain
from spieltisch.games.adaman.study import learn, strength, teach
from spieltisch.games.adaman.study.strength import Trial
from spieltisch.study import simulate

LEVELS = (("coach", 20), ("thumb", 200))
ADVISORS = {"compiled": coach, "plain": plain}
DECKS = {"basic": (), "excuse": ("excuse",), "some": ("light-keeper", "watchman", "consul"), "all": extras()}
pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels


@pytest.fixture(scope="module")
def teacher():
    """The compiled one, for tests of what it is made of."""
    return coach.coach()


@pytest.fixture(scope="module", params=ADVISORS)
def advisor(request):
    """Either."""
    return ADVISORS[request.param].coach()


def four_moves(advise, number):
    """What is advised in the first four positions of a deal."""
    dice = FastDice(number)
    state, said = dealt(dice), []
    for _ in range(4):
        advice = advise()(state.public, FastDice(number), 200)
        said.append(advice)
        if not advice:
            break
        state = rules.apply(state, 0, advice[0].action)
    return said


@pytest.mark.parametrize(
    ("maker", "deals"),
    sampled([("compiled", 24), ("plain", 3), ("plain", 24)], [("compiled", 24), ("plain", 3)]),
)
def test_in_many_threads_each_is_advised_as_alone(maker, deals):
    advise = lambda: ADVISORS[maker].coach().advise  # noqa: E731
    alone = [four_moves(advise, number) for number in range(deals)]
    with ThreadPoolExecutor(12) as threads:
        assert list(threads.map(functools.partial(four_moves, advise), range(deals))) == alone


def chances(advisor, public, actions, dice, games):
    return [sum(parts) / len(parts) for parts in zip(*advisor.try_out(public, actions, dice, games), strict=True)]


def dealt(dice, extra=()):
    deck = decktet(extra)
    state = rules.setup(1, rules.Options(tuple(extra)), deck)
    return rules.resolve_chance(state, throw(dice, rules.pending_chance(state)))


@pytest.mark.parametrize(
    ("deck", "maker"),
    sampled(itertools.product(DECKS, ADVISORS), [*((deck, "compiled") for deck in DECKS), ("excuse", "plain")]),
)
def test_it_advises_legal_moves_until_the_end(deck, maker):
    advisor, extra, dice = ADVISORS[maker].coach(), DECKS[deck], FastDice(1)
    for _ in range(many(3, 6)):
        state = dealt(dice, extra)
        while rules.to_act(state.public):
            view = see(state, 0)
            advice = advisor.advise(view.public, dice, 60)
            assert 1 <= len(advice) <= coach.COMPARED
            legal = rules.legal(view)
            assert all(one.action in legal for one in advice)
            assert all(0 <= one.chance <= 1 for one in advice)
            assert len({one.action for one in advice}) == len(advice)
            (again,) = chances(advisor, view.public, [advice[0].action], dice, 100)
            assert abs(advice[0].chance - coaching.likely(again)) < 0.35
            state = rules.apply(state, 0, advice[0].action)
        assert advisor.advise(state.public, dice) == []


def test_it_plays_a_deal_until_no_move_is_possible(advisor):
    cards = FastDice("2026/0").shuffle(range(36))
    won, said = advisor.play(decktet(), cards, 4, 0)
    assert not won
    assert len(said) > 5


def test_it_advises_by_the_view_alone(advisor):
    """With the pile in another order the advice is the same: the same chances to the last digit."""
    state = dealt(FastDice(2))
    other = rules.imagine(see(state, 0), FastDice(3))
    assert other.hidden != state.hidden
    assert advisor.advise(state.public, FastDice(4), 200) == advisor.advise(other.public, FastDice(4), 200)


def test_what_is_known_of_a_position_is_what_would_be_worked_out(teacher):
    """Cached and computed values agree to the last digit in single playouts, and the cache saves work."""
    room, known = teacher.workspace[0]
    for seed in range(4):
        state = dealt(FastDice(seed))
        for _ in range(4):
            state = rules.apply(state, 0, teacher.advise(state.public, FastDice(seed), 60)[0].action)
        public, actions = state.public, rules.legal(see(state, 0))[:4]
        own = teacher.numbers(public.deck)
        moves = np.array([teacher._move(own, action) for action in actions])
        capital, held, rest = coaching._rows(public, own)
        won, worked = [], []
        for forgets in (False, True):
            pile, rng, found = coach.cards_of(rest), np.full(1, 2 * seed + 1), np.zeros(len(moves))
            ways, before = coach.new_ways(known, len(moves)), known.last[0]
            for _ in range(400):
                if forgets:
                    known.ways[:] = 0
                given = teacher.worth, teacher.nets, room, known, ways, capital, held, pile, moves
                coach.go_on(*given, 1, rng, found)
            won.append(found.tolist())
            worked.append(known.last[0] - before)
        assert won[0] == won[1]
        assert 0 < worked[0] < worked[1]


def test_the_order_in_which_a_table_lays_out_the_deck_changes_no_advice(advisor):
    pile, order = FastDice(2).shuffle(range(36)), FastDice(3).shuffle(range(36))
    state = rules.resolve_chance(rules.setup(1, rules.Options(), decktet()), pile)
    laid = rules.setup(1, rules.Options(), aliased(decktet(), order))
    other = rules.resolve_chance(laid, tuple(order.index(card) for card in pile))
    advice, same = (advisor.advise(one.public, FastDice(4), 200) for one in (state, other))
    assert [(one.action.target, {*one.action.payment}, one.chance) for one in advice] == [
        (order[one.action.target], {order[card] for card in one.action.payment}, one.chance) for one in same
    ]
    assert all(one.action in rules.legal(see(other, 0)) for one in same)
    few = [one.action for one in advice[:3]], [one.action for one in same[:3]]
    found = [
        chances(advisor, one.public, actions, FastDice(5), 100)
        for one, actions in zip((state, other), few, strict=True)
    ]
    assert found[0] == found[1]


def test_it_is_the_best_of_the_levels():
    coached, thumbed = (simulate("adaman", level, n, 5).figures.standings[0].wins for level, n in LEVELS)
    assert coached.low > thumbed.high


def test_what_a_move_is_worth_is_what_the_net_says_of_the_table_after_it(teacher):
    """The sums that the moves of a position share are right: worked out anew for each they come to the same, where the
    Excuse waits, too.
    """
    dice, ws, net, w = FastDice(6), value.workspace(), teacher.nets.value, teacher.worth
    waiting = 0
    for _ in range(60):
        cards = range(45) if waiting else range(36)
        pile = np.left_shift(1, np.array(dice.shuffle(cards)))
        at, capital, held = kernel.refill(w, pile, 0, 0, 0)
        rest = sum(pile[at:].tolist())
        if waiting and not (capital | held) & w.excuse:
            continue
        waiting += 1
        count = value.evaluate_moves(w, net, ws, capital, held, rest)
        targets, payments = np.zeros((2, kernel.MOST), np.int64)
        assert count == kernel.moves(w, capital, held, targets, payments)
        assert set(zip(ws.targets[:count], ws.payments[:count], strict=True)) == set(
            zip(targets[:count], payments[:count], strict=True)
        )
        for target, payment, like in zip(ws.targets[:count], ws.payments[:count], ws.logits[:count], strict=True):
            after = kernel.move(w, pile[:at], at, capital, held, target, payment)  # nothing is turned up
            places = *after[1:], rest
            hidden = net.bias + sum(
                net.rows[place, card] for place in range(3) for card in range(45) if int(places[place]) >> card & 1
            )
            assert np.maximum(hidden, 0) @ net.out + net.end[0] == pytest.approx(like, abs=1e-3)
    assert waiting > 5


def test_the_judge_is_asked_for_the_moves_that_the_value_likes_best(teacher):
    """What it says is what its net says of the table after the move: worked out from the rules it comes to the same."""
    dice, room, (quick, net), w = FastDice(8), judge.workspace(), teacher.nets, teacher.worth
    cards, waiting = decktet(extras()).cards, 0
    for turn in range(60):
        pile = np.left_shift(1, np.array(dice.shuffle(range(45) if turn % 2 else range(36))))
        at, capital, held = kernel.refill(w, pile, 0, 0, 0)
        rest = sum(pile[at:].tolist())
        waiting += bool((capital | held) & w.excuse)
        count = value.evaluate_moves(w, quick, room.ws, capital, held, rest)
        liked = sorted(zip(room.ws.logits[:count], room.ws.targets[:count], room.ws.payments[:count], strict=True))
        few = judge.refine(w, net, room, capital, held, rest, count, 5)
        assert few == min(5, count)
        judged = {*zip(room.ws.targets[:few], room.ws.payments[:few], strict=True)}
        assert judged == {(target, payment) for _, target, payment in liked[::-1][:few]}
        for target, payment, like in zip(room.ws.targets[:few], room.ws.payments[:few], room.ws.logits, strict=False):
            capital_after, held_after = kernel.move(w, pile[:at], at, capital, held, target, payment)[1:]
            lie = {
                place: [n for n in range(45) if int(bits_) >> n & 1]
                for place, bits_ in enumerate((capital_after, held_after, rest))
            }
            own = [cards[n] for n in lie[1] if not cards[n].person and cards[n].kind != "excuse"]
            lie[judge.PAYABLE] = [
                n
                for n in [*lie[0], *lie[1]]
                if (n in lie[0] or cards[n].person)
                and cards[n].kind != "excuse"
                and sum(card.value for card in own if {*card.suits} & {*cards[n].suits}) >= cards[n].value
            ]
            hidden = net.bias + sum(net.rows[place, n] for place, row in lie.items() for n in row)
            first = np.maximum(hidden, 0)
            inner = np.maximum(net.between @ first + net.inner_bias, 0)
            assert first @ net.out + inner @ net.inner_out + net.end[0] == pytest.approx(like, abs=2e-3)
    assert waiting > 3


def test_hidden_units_that_are_changed_are_those_that_are_worked_out_anew(teacher):
    dice, net = FastDice(7), teacher.nets.value
    changed, anew = np.zeros((2, value.UNITS), np.float32)
    for _ in range(5):
        lies = [dice.below(3) for _ in range(36)]
        moved = [dice.below(3) if dice.below(4) == 0 else place for place in lies]
        before, after = (
            [bits([card for card in range(36) if at[card] == place]) for place in range(3)] for at in (lies, moved)
        )
        value.units(net, *before, changed)
        for place in range(3):
            value.change(net, place, before[place] & ~after[place], after[place] & ~before[place], changed)
        value.units(net, *after, anew)
        assert np.allclose(changed, anew, atol=1e-4)


def test_thinking_wins_more_than_the_value_alone_and_the_value_more_than_chance():
    """Of the same deals; chance wins hardly one in a hundred thousand."""
    deals = range(many(120, 200))
    alone = strength.strength(Trial(5, 0), strength.run(Trial(5, 0), deals, 1))
    thinking = strength.strength(Trial(5, 100), strength.run(Trial(5, 100), deals, 1))
    assert alone.won.mean > 0.4
    assert thinking.won.mean > alone.won.mean
    again = strength.run(Trial(5, 100), range(40, 60), 1)
    assert [one.won for one in again] == [one.won for one in strength.outcomes(Trial(5, 100), range(40, 60))]


def test_what_it_says_comes_true():
    """Of the moves whose chance it holds to lie between a quarter and three, as many games are won."""
    deals = many(100, 200)
    said = [(chance, one.won) for one in strength.run(Trial(6, 300), range(deals), 1) for chance in one.said]
    unsure = [(chance, won) for chance, won in said if 0.25 < chance < 0.75]
    assert len(unsure) > deals
    assert np.mean([chance for chance, _ in unsure]) == pytest.approx(np.mean([won for _, won in unsure]), abs=0.1)
    assert [coaching.likely(chance) for chance in (0.0, 1.0)] == [0, 1]
    assert coaching.likely(0.2) < coaching.likely(0.3)


def test_its_regret_are_the_deals_lost_that_can_be_won():
    ends = [True, False, False, False, True, False, False]
    played = [strength.Outcome(number, won, (0.5,), 0.1) for number, won in enumerate(ends, 10)]
    found = strength.strength(Trial(1, 1), played, b"l" * 10 + b"wwwlWU")
    assert (found.regret.mean, found.regret.n) == (0.5, 4)
    assert "of 4 deals that can be won it lost 50.00%" in strength.as_text(found)
    assert "can be won" not in strength.as_text(strength.strength(Trial(1, 1), played))


def test_learning_learns():
    """From the margins alone some 20 in 100 are won; after a few thousand games more."""
    worth = kernel.worth(decktet())
    net = learn.begin(worth)
    ws, state = value.workspace(), np.full(1, 7)
    before = learn.practise(worth, 36, net, ws, 2000, 0.0, state)
    for _ in range(3):
        learn.practise(worth, 36, net, ws, 3000, 0.01, state)
    assert learn.practise(worth, 36, net, ws, 2000, 0.0, state) > before + 60


@pytest.mark.whole
def test_the_judge_is_taught_what_the_coach_found():
    """It comes nearer to what was found where it was taught, and elsewhere it comes no further away: of so few games
    it learns little for others, and how much hangs on the last bits of sums.
    """
    w, quick = kernel.worth(decktet(extras())), value.read()
    net, room, came, state = teach.begin(quick), judge.workspace(), coach.known(), np.full(1, 9)
    nets = judge.Nets(quick, net)
    tables, chances, won = teach.lessons(w, 36, nets, room, came, 200, 30, state)
    others, found, _ = teach.lessons(w, 36, nets, room, came, 60, 30, state)
    assert 80 < won < 170
    assert 0 <= chances.min() < 0.1
    assert 0.9 < chances.max() <= 1

    def away():
        said = [[judged(w, net, room, *table) for table in some] for some in (tables, others)]
        return [np.mean((np.array(one) - there) ** 2) for one, there in zip(said, (chances, found), strict=True)]

    before = away()
    for _ in range(3):
        teach.learn(w, net, room, tables, chances, np.arange(len(tables)), 0.003)
    taught, other = np.divide(away(), before)
    assert taught < 0.8
    assert other < 1.1


def judged(w, net, room, capital, held, rest):
    judge.lay(net, capital, held, rest, room.hidden)
    judge.add(net, judge.PAYABLE, judge.payable(w, capital, held), room.hidden)
    return value.chance(judge.logit(net, room.hidden, room.inner))


def test_it_learns_from_all_decks():
    """The basic cards are always there; alone in a third of the decks, all 45 come now and then."""
    worth, state, cards = kernel.worth(decktet(extras())), np.full(1, 5), np.zeros(45, np.int64)
    decks = [sum(cards[: learn.any_deck(worth, 36, state, cards)].tolist()) for _ in range(3000)]
    basic = (1 << 36) - 1
    assert all(deck & basic == basic for deck in decks)
    assert 0.3 < np.mean([deck == basic for deck in decks]) < 0.4
    assert (1 << 45) - 1 in decks
    assert basic | 1 << 44 in decks
    assert {*range(36, 45)} <= {bit for deck in decks for bit in range(36, 45) if deck >> bit & 1}


@pytest.mark.parametrize("kind", [value, judge])
def test_what_was_learnt_is_kept(kind, tmp_path):
    net = learn.begin(kernel.worth(decktet())) if kind is value else teach.begin(value.read())
    value.write(net._asdict(), tmp_path / "net.npz")
    for part, again in zip(net, kind.read(tmp_path / "net.npz"), strict=True):
        assert again.dtype == np.float32
        assert np.allclose(part, again, atol=1e-3, rtol=1e-3)
