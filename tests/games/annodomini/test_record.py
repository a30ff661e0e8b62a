"""How records of Anno Domini are read and written (the rules' sentences are shown by tests/records/anno-domini)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.annodomini.tables import deck
from matrix import many
from spieltisch import games
from spieltisch import record as records
from spieltisch.dice import FastDice, throw
from spieltisch.game import Invalid, Refused, see
from spieltisch.games.annodomini import rules
from spieltisch.games.annodomini.record import Record
from spieltisch.games.annodomini.rules import Options

RECORD = Record(rules)

ROOM = games.package("anno-domini")


def test_what_is_written_is_read_again():
    options = Options(3, ((0, 2), (1, 1)), 0, 5, 7)
    cards = deck("1903 | um 1900 | 44 v. Chr. | 1960er | 5.Jh. | 3–7 AD | 1 | 2")
    top = RECORD.dump(options, cards)
    assert top["options"]["fewer_cards"] == {"0": 2, "1": 1}
    assert [card["date"] for card in top["cards"]][:3] == ["1903", "um 1900", "44 v. Chr."]  # as they were written
    assert RECORD.load(top, 2) == (options, cards)


def test_options_that_are_the_default_ones_are_left_out():
    assert RECORD.dump(Options(), deck("1"))["options"] == {}
    assert RECORD.dump(Options(max_rounds=3), deck("1"))["options"] == {"max_rounds": 3}


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_is_written_and_replayed(seed):
    dice = FastDice(seed)
    cards, order = deck(" | ".join(str(1000 + 7 * n) for n in range(24))), tuple(dice.shuffle(range(24)))
    options = Options(2, max_rounds=6)
    state = rules.setup(3, options, records.aliased(cards, order))
    steps = []
    while not state.public.end:
        due = rules.pending_chance(state)
        if due:
            steps.append((due, throw(dice, due)))
            state = rules.resolve_chance(state, steps[-1][1])
        else:
            seat = state.public.turn
            steps.append((seat, dice.choice(rules.legal(see(state, seat)))))
            state = rules.apply(state, *steps[-1])
    raw = records.write(ROOM, options, cards, order, ["A", "B", "C"], steps)
    again = records.replay(records.parse(records.text(raw).encode()))
    assert records.outcome(again)["state"]["pile"] == state.public.pile
    assert records.outcome(again)["ranking"] == [list(group) for group in rules.result(state.public).ranking]
    assert len(raw["log"]) == len(steps)


@pytest.mark.parametrize(
    ("top", "reason"),
    [
        ({"deck": 3}, "deck: "),
        ({"deck": []}, "no deck"),
        ({"deck": ["events", "events"]}, "same id|no deck of events"),
        ({"deck": [["events"]]}, "deck: "),
        ({"cards": {}}, "cards: "),
        ({"cards": [{"id": "e1"}]}, "cards: "),
        ({"cards": [{"id": "e1", "date": 1903}]}, "cards: "),
        ({"cards": [{"id": "e1", "date": "1903", "front": "x"}]}, "cards: "),
        ({"options": {"fewer_cards": []}, "cards": []}, "fewer_cards: "),
        ({"options": {"fewer_cards": {"0": True}}, "cards": []}, "fewer_cards: "),
        ({"options": {"fewer_cards": {"0": "1"}}, "cards": []}, "fewer_cards: "),
        ({"options": {"fewer_cards": {"+1": 1}}, "cards": []}, "no seat"),
        ({"options": {"series": "a"}, "deck": "events"}, "series: "),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(top, reason):
    with pytest.raises(Invalid, match=reason):
        RECORD.load({"options": {}} | top, 2)


WORDS = ("place", "at", "doubt", "open", "id", "date", "0", "series")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 40) | st.sampled_from(["0", "1", "place", "open", "doubt", "", "\n"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["place", "at", "doubt", "open", "id", "date", "0", "series"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@settings(max_examples=many(50, 150), deadline=None, database=None, derandomize=True)
@given(json_values, json_values)
def test_any_json_is_read_or_refused_with_a_reason(raw, more):
    cards = deck("1 | 2 | 3 | 4 | 5 | 6")
    state = rules.resolve_chance(rules.setup(2, Options(cards_per_player=2), cards), tuple(range(6)))
    attempts = [
        lambda: [rules.apply(state, 0, action) for action in RECORD.read_action(cards, state, 0, raw)],
        lambda: RECORD.read_outcome(cards, state, None, {"chance": more, "outcome": raw}),
        lambda: RECORD.load({"options": {"fewer_cards": raw}, "cards": more}, 2),
        lambda: RECORD.load({"options": more if isinstance(more, dict) else {}, "deck": raw}, 2),
    ]
    for attempt in attempts:
        try:
            attempt()
        except Refused as refusal:
            assert str(refusal)  # noqa: PT017 - a refusal is right here, anything else is not
