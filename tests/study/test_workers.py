"""Work in pieces: the same whichever process does it, and nothing lost with a process that dies."""

import multiprocessing
import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from spieltisch.game import Invalid
from spieltisch.study import workers


def doubled(number):
    return 2 * number


def fragile(folder, number):
    """Dies the first time that it is at a fourth piece."""
    try:
        Path(folder, str(number)).touch(exist_ok=False)
    except FileExistsError:
        return number
    if number % 4 == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def deadly(number):
    os.kill(os.getpid(), signal.SIGKILL)


def refused(number):
    raise Invalid("{n} is too many", n=number)


def test_results_come_in_the_order_of_the_pieces_wherever_they_are_made():
    wanted = [2 * number for number in range(40)]
    assert [*workers.run(doubled, range(40))] == wanted
    assert [*workers.run(doubled, range(40), "processes:2")] == wanted


def test_pieces_are_taken_as_they_are_needed():
    taken = []
    results = workers.run(doubled, (taken.append(number) or number for number in range(1000)), 2)
    assert next(results) == 0
    assert len(taken) <= workers.EARLY + 3


def test_the_pieces_of_a_worker_that_dies_are_done_again(tmp_path):
    assert [*workers.run(partial(fragile, tmp_path), range(10), 2)] == [*range(10)]


def test_a_piece_that_always_loses_its_worker_is_given_up():
    with pytest.raises(workers.LostError, match="crashed 3 times"):
        list(workers.run(deadly, [1], 2))


def test_what_the_work_refuses_comes_back_in_its_words():
    with pytest.raises(Invalid, match="7 is too many"):
        list(workers.run(refused, [7], 2))


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("processes:0", "use 1 to 256 processes, not 0"),
        ("processes:two", "processes:N or dask://HOST:PORT"),
        ("dask://nowhere", "processes:N or dask://HOST:PORT"),
        ("ssh://host", "processes:N or dask://HOST:PORT"),
    ],
)
def test_places_that_cannot_be_are_said(on, said):
    with pytest.raises(Invalid, match=said):
        workers.run(doubled, [1], on)


def mortal(folder, numbers):
    """Dies once at its third item. Each item leaves a mark when it begins."""
    for number in numbers:
        mark = Path(folder, f"{number}")
        mark.write_text(mark.read_text() + "x" if mark.exists() else "x")
        if number == 2 and mark.read_text() == "x":
            os.kill(os.getpid(), signal.SIGKILL)
        yield number


def test_what_a_worker_has_told_before_it_died_is_not_done_again(tmp_path):
    with workers.crew(partial(mortal, tmp_path), [range(5)], 2) as crew:
        assert [*crew] == [*range(5)]
    assert [Path(tmp_path, f"{n}").read_text() for n in range(5)] == ["x", "x", "xx", "x", "x"]


def waiting(numbers):
    """The first never ends."""
    for number in numbers:
        if number == 0:
            time.sleep(3600)
        yield number


def test_what_has_ended_is_there_though_the_first_has_not():
    with workers.crew(waiting, [[0], range(1, 9)], 2) as crew:
        results = iter(crew)
        assert [next(results) for _ in range(7)] == [*range(1, 8)]
        time.sleep(1)  # the last one ends without being asked for
        assert crew.stop() == [8]
    assert multiprocessing.active_children() == []


def test_an_error_of_a_worker_says_where_it_happened():
    with pytest.raises(ZeroDivisionError) as found:
        list(workers.run(halved, [0], 2))
    assert "test_workers.py" in found.value.__notes__[0]


def halved(number):
    return 1 / number
