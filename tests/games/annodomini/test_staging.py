"""When what of a reveal is shown."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from spieltisch.games.annodomini.staging import BRACKET, BREATH, LAST, REST, TURN, staging


@st.composite
def reveals(draw):
    rows = draw(st.integers(1, 60))
    pairs = st.tuples(st.integers(0, rows - 1), st.integers(0, rows - 1)).filter(lambda pair: pair[0] < pair[1])
    return rows, draw(st.lists(pairs, unique=True, max_size=20)) if rows > 1 else []


@given(reveals(), st.booleans())
def test_rows_turn_in_their_order_and_the_verdict_comes_when_all_have_turned(reveal, last_chain):
    rows, wrong = reveal
    shown = staging(rows, wrong, last_chain=last_chain)
    assert len(shown.rows) == rows
    assert all(a < b for a, b in itertools.pairwise(shown.rows))
    assert shown.verdict >= shown.rows[-1] + TURN + REST
    # a pair is marked when both of its rows have turned, and before the verdict
    for (above, below), at in shown.brackets.items():
        assert at >= shown.rows[below] + TURN
        assert at + BRACKET < shown.verdict
        assert shown.marks[above] <= at
    assert set(shown.brackets) == set(wrong)
    assert set(shown.marks) == {row for pair in wrong for row in pair}


def test_at_the_first_wrong_pair_nothing_moves_for_a_breath_and_at_no_other():
    shown = staging(7, [(1, 2), (3, 4)], last_chain=False)
    assert shown.rows[3] - shown.rows[2] == TURN + BREATH + BRACKET
    steps = [b - a for a, b in itertools.pairwise(shown.rows)]
    assert [step for n, step in enumerate(steps) if n != 2] == [350] * 5


def test_long_chains_turn_faster_and_the_last_row_of_a_last_chain_waits():
    assert staging(12, [], last_chain=False).rows[1] - staging(12, [], last_chain=False).rows[0] == 220
    assert staging(30, [], last_chain=False).rows[1] - staging(30, [], last_chain=False).rows[0] == 150
    last = staging(4, [], last_chain=True).rows
    assert (last[3] - last[2], last[2] - last[1]) == (LAST, 350)
