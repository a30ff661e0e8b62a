"""How Adaman's records are written and read; the records under tests/records/adaman show the rest."""

import pytest

from spieltisch import games
from spieltisch import record as records
from spieltisch.dice import FastDice, throw
from spieltisch.game import Illegal, Invalid, Refused, see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.record import PRESETS, Record

RECORD = Record(rules)


def test_presets_are_what_they_are_called():
    sizes = {name: len(RECORD.load({"options": options}, 1)[1].cards) for name, options in PRESETS.items()}
    assert sizes == {"basic": 36, "excuse": 37, "extended": 45, "easy": 41, "hard": 39}
    _, easy = RECORD.load({"options": PRESETS["easy"]}, 1)
    assert sum(card.person for card in easy.cards) == 11
    _, hard = RECORD.load({"options": PRESETS["hard"]}, 1)
    assert sum(card.person for card in hard.cards) == 14


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_written_is_read_again(preset):
    head = RECORD.load({"options": PRESETS[preset]}, 1)
    written = RECORD.dump(*head)
    assert RECORD.load(written, 1) == head
    assert written == {"options": PRESETS[preset]}


def test_a_table_opened_without_choosing():
    assert RECORD.load(RECORD.default, 1) == (rules.Options(), decktet())


@pytest.mark.parametrize(
    "options",
    [None, [], {"extra": None}, {"extra": {}}, {"extra": [1]}, {"extra": [["excuse"]]}, {"extras": []}, {"": 0}],
)
def test_other_options_are_unreadable(options):
    with pytest.raises(Invalid):
        RECORD.load({"options": options}, 1)


def test_without_options():
    with pytest.raises(Invalid, match="options is missing"):
        RECORD.load({}, 1)


def played(seed, preset="extended"):
    """A random game as steps, with the deck's rows in an order of the table's own."""
    options, deck = RECORD.load({"options": PRESETS[preset]}, 1)
    dice = FastDice(seed)
    order = dice.shuffle(range(len(deck.cards)))
    laid = records.aliased(deck, order)
    state, steps = rules.setup(1, options, laid), []
    while True:
        if due := rules.pending_chance(state):
            steps.append((due, throw(dice, due)))
            state = rules.resolve_chance(state, steps[-1][1])
        elif legal := rules.legal(see(state, 0)):
            steps.append((0, dice.choice(legal)))
            state = rules.apply(state, *steps[-1])
        else:
            return options, deck, order, steps, laid, state


@pytest.mark.parametrize("seed", range(40))
def test_a_game_written_and_replayed_is_the_same_game(seed):
    options, deck, order, steps, laid, state = played(seed)
    raw = records.write(games.package("adaman"), options, deck, order, ["Ada"], steps)
    again = records.replay(records.parse(records.text(raw).encode()))
    assert records.outcome(again)["state"] == RECORD.write_state(laid, state)
    assert records.outcome(again)["end"] == state.public.end
    assert len(again.states) == len(steps) + 1


RAW = [None, 0, True, "soldier", [], {}, {"control": []}, {"control": {}, "with": []}, {"with": []},
       {"control": "soldier", "with": "castle"}, {"control": "soldier", "with": [["castle"]]},
       {"control": "soldier", "with": [None]}, {"control": "soldier", "with": {}}, {"excuse": None},
       {"excuse": "soldier", "with": []}, {"Control": "soldier", "with": []}, {"control": "", "with": [""]},
       {"control": "soldier", "payment": ["castle"]}]  # fmt: skip


@pytest.mark.parametrize("raw", RAW, ids=str)
def test_what_is_no_action_is_refused(raw):
    *_, laid, state = played(1)
    with pytest.raises(Refused):
        RECORD.read_action(laid, state, 0, raw)


@pytest.mark.parametrize("outcome", [None, 3, "author", [1], [None], [[]], {}, ["nobody"]], ids=str)
def test_what_is_no_shuffle_is_refused(outcome):
    state = rules.setup(1, rules.Options(), decktet())
    with pytest.raises(Invalid):
        RECORD.read_outcome(decktet(), state, rules.pending_chance(state), {"chance": "shuffle", "outcome": outcome})


def test_a_payment_is_discarded_in_the_order_in_which_it_is_named():
    options, _, _, steps, laid, _ = played(3, "basic")
    state = rules.resolve_chance(rules.setup(1, options, laid), steps[0][1])
    action = max(rules.legal(see(state, 0)), key=lambda action: len(action.payment))
    assert len(action.payment) > 1
    log = []
    RECORD.write_action(laid, state, 0, action, log)
    written = log[0]["action"]
    assert RECORD.read_action(laid, state, 0, written) == (action,)
    (backwards,) = RECORD.read_action(laid, state, 0, written | {"with": written["with"][::-1]})
    after = RECORD.write_state(laid, rules.apply(state, 0, backwards))
    assert after["discarded"] == written["with"][::-1]
    assert after["resources"] == RECORD.write_state(laid, rules.apply(state, 0, action))["resources"]
    with pytest.raises(Illegal, match="only once"):
        RECORD.read_action(laid, state, 0, written | {"with": written["with"] + written["with"][:1]})
