"""The extras as `pyproject.toml` declares them, and the modules that each of them brings."""

import importlib
import pickle
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from spieltisch import cli, extras

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_extras_are_those_that_are_declared():
    assert {*extras.MODULES, "all"} == {*PROJECT["optional-dependencies"]}
    assert [name.partition(">")[0] for name in PROJECT["dependencies"]] == ["msgspec"]


@pytest.mark.parametrize("extra", extras.MODULES)
def test_an_extra_brings_its_modules(extra):
    names = (re.split(r"[\[;>]", name)[0] for name in PROJECT["optional-dependencies"][extra])
    asked = {name.lower().replace("-", "_") for name in names}
    brought = packages_distributions()
    for module in extras.MODULES[extra]:
        assert {name.lower().replace("-", "_") for name in brought[module]} & asked, module


def test_each_module_has_one_extra():
    every = [module for modules in extras.MODULES.values() for module in modules]
    assert len(every) == len({*every})


def test_what_is_missing_is_named_with_its_command():
    for module, extra in (("typst", "print"), ("litestar.handlers", "serve"), ("numba.core", "study")):
        missing = ModuleNotFoundError(f"No module named {module!r}", name=module)
        assert extras.bringing(missing) == extra
    assert extras.bringing(ModuleNotFoundError("No module named 'other'", name="other")) is None
    assert "pip install 'spieltisch[serve]'" in str(extras.MissingExtraError("serve"))


def test_what_several_extras_bring_is_named_by_the_one_that_asks():
    with pytest.raises(extras.MissingExtraError, match=r"spieltisch\[environments\]"), extras.needed("environments"):
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "lacking"),
    [
        *[(module, "numpy") for module in ("aec", "solitaire", "spiel", "tiny", "equilibrium", "sizes")],
        *[("aec", "pettingzoo"), ("solitaire", "gymnasium"), ("spiel", "pyspiel")],
    ],
)
def test_environments_name_the_extra_that_they_need(module, lacking):
    code = f"import sys\nsys.modules[{lacking!r}] = None\nimport spieltisch.study.environments.{module}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1].endswith("pip install 'spieltisch[environments]'")


@pytest.mark.parametrize("extra", ["study", "dask"])
def test_a_command_that_finds_in_its_midst_that_something_is_missing_names_it(extra, monkeypatch, capsys):
    def lacking(_words):
        raise pickle.loads(pickle.dumps(extras.MissingExtraError(extra)))

    monkeypatch.setattr(importlib.import_module("spieltisch.cli.app"), "run", lacking)
    monkeypatch.setattr(sys, "argv", ["spieltisch", "simulate", "hic-haec-hoc"])
    with pytest.raises(SystemExit):
        cli.main()
    assert f"pip install 'spieltisch[{extra}]'" in capsys.readouterr().err


def test_an_error_that_no_extra_would_mend_is_not_hidden(monkeypatch):
    def broken(_words):
        raise ModuleNotFoundError("No module named 'other'", name="other")

    monkeypatch.setattr(importlib.import_module("spieltisch.cli.app"), "run", broken)
    with pytest.raises(ModuleNotFoundError):
        cli.main()
