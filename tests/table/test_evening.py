"""Seats and marks from game to game."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from spieltisch import games
from spieltisch.table.evening import code_of, id_of, in_order, marks_of, next_chairs, sat_before
from spieltisch.table.log import Chair, TableSetup

PACKAGE = games.package("anno-domini")
CHAIRS = st.lists(st.builds(Chair, mark=st.none() | st.integers(0, 11)), max_size=10).filter(
    lambda chairs: len(kept := [one.mark for one in chairs if one.mark is not None]) == len(set(kept))
)


@given(CHAIRS)
def test_everybody_has_a_mark_of_their_own_and_keeps_the_one_they_had(chairs):
    marks = marks_of(chairs)
    assert len(set(marks)) == len(chairs)
    assert all(chair.mark in {None, mark} for chair, mark in zip(chairs, marks, strict=True))
    if all(chair.mark is None for chair in chairs):
        assert marks == list(range(len(chairs)))


@given(st.integers(2, 10), st.integers(1, 12))
def test_over_an_evening_each_begins_in_turn_and_is_found_again(n, rounds):
    chairs = tuple(Chair(f"p{i}", "person", f"key {i}") for i in range(n))
    first, now = chairs, chairs
    for number in range(1, rounds + 1):
        now = next_chairs(PACKAGE, TableSetup("ABCD2345", "anno-domini", {}, now), [number] * n, 2)
        assert now[0].name == f"p{number % n}"
        assert {chair.name: mark for chair, mark in zip(now, marks_of(now), strict=True)} == {
            chair.name: seat for seat, chair in enumerate(first)
        }
        assert [first[seat].name for seat in sat_before(now, first) if seat is not None] == [one.name for one in now]
        assert {chair.wins for chair in now} == {number}


def test_who_came_later_did_not_sit_there_before():
    before = (Chair("Ada", "person", "a"), Chair("Wren", "bot"))
    now = (Chair("Wren", "bot", mark=1), replace(before[0], mark=0), Chair("Cy", "person", "c"))
    assert sat_before(now, before) == [1, 0, None]


@given(st.integers(1, 3000))
def test_the_code_is_found_from_the_id_of_each_game(number):
    assert code_of(id_of("ABCD2345", number)) == "ABCD2345"
    assert in_order([id_of("AB", number + 1), id_of("AB", number)]) == [id_of("AB", number), id_of("AB", number + 1)]
