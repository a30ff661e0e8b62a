"""Records are read and written; anything else is refused with a reason."""

import json

import msgspec
import pytest

from games.trailblaze.decks import many
from spieltisch import games, record
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.dice import FastDice, throw
from spieltisch.game import Invalid, Refused, aliased, see
from spieltisch.games.trailblaze import rules
from spieltisch.games.trailblaze.rules import Options
from spieltisch.games.trailblaze.state import Bonus, Keep, Place, Swap

codec = games.package("trailblaze").record


def played(seed, options, deck, seats, most=10_000):
    """A random game at a table whose rows are laid out in another order: the steps, that order, the end."""
    dice = FastDice(seed)
    order = dice.shuffle(range(len(deck.cards)))
    state, steps = rules.setup(seats, options, aliased(deck, order)), []
    while len(steps) < most:
        due, acting = rules.pending_chance(state), rules.to_act(state.public)
        if due is not None:
            outcome = throw(dice, due)
            steps.append((due, outcome))
            state = rules.resolve_chance(state, outcome)
        elif acting:
            action = dice.choice(rules.legal(see(state, acting[0])))
            steps.append((acting[0], action))
            state = rules.apply(state, acting[0], action)
        else:
            break
    return steps, order, state


@pytest.mark.parametrize("seed", range(12))
def test_a_written_game_replays_to_the_same_end(seed):
    options = Options(("fresh", "stays")[seed % 2], (4, 12, 1)[seed % 3])
    deck = many(4 + seed * 5) if seed else many(4)
    seats = 2 + seed % 5 if seed else 3
    steps, order, state = played(seed, options, deck, seats)
    names = [f"S{n}" for n in range(seats)]
    written = record.write(games.package("trailblaze"), options, deck, order, names, steps)
    again = record.replay(record.parse(record.text(written).encode()))
    told = record.outcome(again)
    assert told["over"]
    assert told["state"] == codec.write_state(aliased(deck, order), state)
    assert tuple(told["scores"].values()) == rules.result(state.public).scores


def test_load_and_dump_are_inverse():
    deck = Library().deck("firsts", kind_of("firsts"))
    for options in (Options(), Options("stays", 12)):
        again, cards = codec.load(codec.dump(options, deck), 2)
        assert again == options
        assert [(c.id, c.year) for c in cards.cards] == [(c.id, c.year) for c in deck.cards]
        assert [(p.start, p.end) for p in cards.periods] == [(p.start, p.end) for p in deck.periods]
    assert codec.dump(Options(), deck)["options"] == {}


def test_the_default_table():
    options, deck = codec.load(codec.default, 2)
    assert options == Options()
    assert deck.id == "firsts"
    assert rules.setup(6, options, deck)


def test_own_stone_and_bonus_stone_are_one_entry():
    log = []
    state = rules.resolve_chance(rules.resolve_chance(rules.setup(2, Options(), many(9)), 0), tuple(range(9)))
    for action in (Swap(), Keep(), Place(2, 1, 3), Bonus(1, 5)):
        seat = state.public.turn
        codec.write_action(many(9), state, seat, action, log)
        state = rules.apply(state, seat, action)
    entry = {"place": {"pattern": "p2", "row": 1, "column": 3}, "bonus": {"row": 1, "column": 5}}
    assert log[2:] == [{"seat": 0, "action": entry}]


JUNK = (None, True, 0, -1, 10**17, "", "p1", "p01", "p٣", "p", [], [[]], {}, {"x": 1}, ["c0"], {"row": 1}, "joker")


def shaken(value, junk):
    """The value with one part of it replaced by junk, or left out, in every place."""
    yield junk
    if isinstance(value, dict):
        for key in value:
            for part in shaken(value[key], junk):
                yield value | {key: part}
            yield {k: value[k] for k in value if k != key}
        yield value | {"zzz": junk}
    if isinstance(value, list):
        for n, item in enumerate(value):
            for part in shaken(item, junk):
                yield [*value[:n], part, *value[n + 1 :]]


def test_whatever_comes_is_read_or_refused():
    steps, order, _ = played(5, Options(), many(6, of=4), 2, most=9)
    whole = record.write(games.package("trailblaze"), Options(), many(6, of=4), order, ["A", "B"], steps)
    for junk in JUNK:
        for raw in shaken(json.loads(json.dumps(whole)), junk):
            try:
                record.outcome(record.replay(raw))
            except record.InvalidRecord as refusal:
                assert str(refusal)  # noqa: PT017 - the reason can be said


def test_whatever_action_comes_is_read_or_refused():
    deck = many(6, of=4)
    state = rules.resolve_chance(rules.resolve_chance(rules.setup(2, Options(), deck), 0), tuple(range(6)))
    whole = {"place": {"pattern": "p1", "row": 1, "column": 0}, "bonus": {"row": 1, "column": 1}}
    for junk in JUNK:
        raws = [raw for old in (whole, {"swap": True}, {"replace": "p1"}) for raw in shaken(old, junk)]
        for raw in raws:
            try:
                for action in codec.read_action(deck, state, 0, raw):
                    msgspec.json.encode(action)
                    rules.apply(state, 0, action)
            except Refused as refusal:
                assert str(refusal)  # noqa: PT017 - the reason can be said


def test_a_deck_that_holds_a_year_twice_in_periods_cannot_be_made():
    top = codec.dump(Options(), many(4))
    top["periods"][3]["from"] -= 1
    with pytest.raises(Invalid, match="period 4 has to begin in 1930"):
        codec.load(top, 2)
