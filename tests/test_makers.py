"""The choice of makers: compiled engines if they are ready, plain Python until then or without numba."""

import importlib
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from spieltisch import games, makers
from spieltisch.bots import await_engine
from spieltisch.extras import MissingExtraError


@pytest.fixture
def cold(tmp_path, monkeypatch):
    """Nothing is compiled, as far as anybody can see; what would compile is only noted."""
    monkeypatch.delenv(makers.CHOICE)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    for known in ("_begun", "_there", "_reading", "_read"):
        monkeypatch.setattr(makers, known, set())
    asked, ended = [], threading.Event()

    def run(words, **_how):
        asked.append(words)
        ended.set()
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", run)
    return SimpleNamespace(asked=asked, ended=ended)


def thinker():
    return makers.module("hichaechoc", "search").__name__.split(".")[-2]


def test_plain_python_thinks_until_the_engine_is_compiled(cold):
    assert makers.progress() == makers.Progress(True, False, False, 0)
    assert [thinker() for _ in range(3)] == ["plain"] * 3
    assert cold.ended.wait(10)
    assert cold.asked == [[sys.executable, "-m", "spieltisch", "warm", "hichaechoc"]]  # once
    makers._mark("hichaechoc").touch()
    assert not makers.progress().compiled
    makers._mark("adaman").touch()
    assert makers.progress().compiled


def test_plain_python_thinks_while_what_was_compiled_is_read(cold, monkeypatch):
    asked, goes_on = [], threading.Event()

    def ready():
        asked.append(thinker())
        assert goes_on.wait(30)

    monkeypatch.setattr(importlib.import_module("spieltisch.games.hichaechoc.ready"), "ready", ready)
    monkeypatch.setattr(makers, "FIRST_ANSWER", 0.01)
    makers.folder().mkdir(parents=True)
    makers._mark("hichaechoc").touch()
    assert [thinker() for _ in range(3)] == ["plain"] * 3
    (reading,) = [one for one in threading.enumerate() if one.name == "reading"]
    goes_on.set()
    reading.join(30)
    assert thinker() == "engine"
    assert asked == ["engine"]  # once, by the thread that reads
    assert not cold.asked


COMPILING = """
import sys
from spieltisch.cli import main
from spieltisch.games.hichaechoc import ready
from spieltisch.makers import module

ready.ready = lambda: print(module("hichaechoc", "search").__name__)
sys.argv = ["spieltisch", "warm", "hic-haec-hoc"]
main()
"""


def test_what_compiles_asks_the_engine(tmp_path, monkeypatch):
    monkeypatch.delenv(makers.CHOICE)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    said = subprocess.run([sys.executable, "-c", COMPILING], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert said.splitlines()[0] == "spieltisch.games.hichaechoc.engine.search"
    assert said.splitlines()[1].startswith("hic-haec-hoc: compiled in ")


def test_a_command_waits_for_what_was_compiled(cold):
    makers.folder().mkdir(parents=True)
    makers._mark("hichaechoc").touch()
    makers.compile_here("hichaechoc")
    assert thinker() == "engine"


def test_it_is_told_how_far_the_compiler_is(cold):
    makers.compile_aside()
    assert cold.ended.wait(10)
    with makers._held():
        for n in range(3):
            (makers.folder() / f"one{n}.nbi").touch()
        assert makers.progress() == makers.Progress(True, False, True, 3)
    assert not makers.progress().now


def test_while_a_process_compiles_no_other_one_begins(cold):
    with makers._held():
        assert thinker() == "plain"
        assert not cold.asked
    assert thinker() == "plain"
    assert cold.ended.wait(10)


def test_of_several_processes_one_compiles(cold, monkeypatch):
    """The processes that waited find it compiled."""
    called, ready = [], importlib.import_module("spieltisch.games.hichaechoc.ready")
    monkeypatch.setattr(ready, "ready", lambda: called.append(thinker()))
    makers.folder().mkdir(parents=True)
    waiting = [threading.Thread(target=makers.compile_here, args=("hichaechoc",)) for _ in range(3)]
    with makers._held():
        for one in waiting:
            one.start()
        assert not called
    for one in waiting:
        one.join(30)
    assert called == ["engine"]
    assert thinker() == "engine"


def test_who_waits_is_told_for_what(cold, monkeypatch, capsys):
    ready = importlib.import_module("spieltisch.games.hichaechoc.ready")
    monkeypatch.setattr(ready, "ready", lambda: None)
    package = games.package("hic-haec-hoc")
    for level in ("magister", "random", ""):
        await_engine(package, level)
    assert capsys.readouterr().err == ""
    for _ in range(2):
        await_engine(package, "grammaticus")
    assert capsys.readouterr().err.count("hichaechoc") == 1


def test_where_numba_is_missing_plain_python_thinks(cold, monkeypatch):
    monkeypatch.setattr(makers, "_is_found", lambda: False)
    monkeypatch.setattr(makers, "version", lambda name: pytest.fail(f"there is no {name}"))
    assert thinker() == "plain"
    makers.compile_aside()
    assert not makers.is_compiled("adaman")
    assert makers.progress() == makers.Progress(False, False, False, 0)
    assert not cold.asked
    with pytest.raises(MissingExtraError, match=r"spieltisch\[study\]"):
        makers.compile_here("adaman")


def test_where_nothing_can_be_kept_nothing_is_compiled_again_and_again(cold, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert thinker() == "plain"
    assert not cold.asked


def test_it_can_be_said_who_thinks(cold, monkeypatch):
    for choice, maker in (("plain", "plain"), ("compiled", "engine")):
        monkeypatch.setenv(makers.CHOICE, choice)
        assert thinker() == maker
    assert not cold.asked


def test_both_makers_have_the_same_names():
    for game, names in (("adaman", ("coach", "solver")), ("hichaechoc", ("search",))):
        for name in names:
            wanted = {"coach": "coach", "solver": "solver", "search": "best"}[name]
            for maker in ("plain", "engine"):
                assert callable(getattr(importlib.import_module(f"spieltisch.games.{game}.{maker}.{name}"), wanted))
