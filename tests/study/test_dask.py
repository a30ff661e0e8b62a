"""The same on a Dask cluster: a real scheduler with two workers that are processes of their own."""

import os
import signal

import pytest

from spieltisch.arena import arena
from spieltisch.game import Invalid
from spieltisch.study import simulate, workers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # what Dask and its own libraries have outgrown is theirs to mend
]


@pytest.fixture(autouse=True)
def distributed():
    return pytest.importorskip("distributed")  # not while all test processes collect


def test_games_are_the_same_on_a_cluster_that_loses_a_worker(tmp_path, distributed):
    told = []

    def lose_one(done):
        told.append(done)
        if done == 12:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)

    here = simulate("trailblaze", "novice,random", 40, 3, records=tmp_path / "here")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, worker_dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address.replace("tcp", "dask", 1)
        there = simulate(
            "trailblaze", "novice,random", 40, 3, on=address, records=tmp_path / "there", progress=lose_one
        )
        met = [arena("trailblaze", ["novice", "random"], 4, on=on) for on in (1, address)]
    assert there.played == here.played
    assert met[0].json() == met[1].json()
    files = [{file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("here", "there")]
    assert files[0] == files[1]
    assert told == [*range(41)]


def test_where_no_scheduler_answers_it_is_said(monkeypatch):
    monkeypatch.setattr(workers, "CONNECTING", 0.2)
    with pytest.raises(Invalid, match=r"no Dask scheduler answers at dask://127\.0\.0\.1:9"):
        list(workers.run(abs, [1], "dask://127.0.0.1:9"))
