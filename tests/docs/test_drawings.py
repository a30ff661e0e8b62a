"""The drawings of docs/building.md show the packages that there are, each on its floor."""

import re
import tomllib
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[2]


def floors(container):
    """The floors of a package by the contracts in pyproject.toml, from top to bottom."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = [one["layers"] for one in contracts if one.get("containers") == [container]]
    return [{name.strip() for name in layer.split("|")} for layer in layers]


def drawn(name):
    """The names in a drawing with their heights, from top to bottom."""
    text = (ROOT / "docs" / "img" / f"{name}.svg").read_text("utf-8")
    found = re.findall(r'<text x="[\d.]+" y="([\d.]+)"[^>]*>([^<]+)', text)
    return sorted((float(y), words) for y, words in found), text


def test_the_house_has_every_package_on_its_floor():
    house = [floor for floor in floors("spieltisch") if floor != {"__main__"}]
    names, text = drawn("house")
    assert [{*floor.split(", ")} for floor in re.search("bottom: (.+?)[.]", text)[1].split("; ")] == house
    rows = [{name for _, name in row} for _, row in groupby(names, key=lambda one: one[0])]
    assert sorted(name for row in rows for name in row) == sorted(name for floor in house for name in floor)
    at = [next(n for n, floor in enumerate(house) if row <= floor) for row in rows]
    assert at == sorted(at)


def test_every_room_of_the_web_is_drawn():
    (rooms,) = [floor for floor in floors("spieltisch.web") if "home" in floor]
    assert rooms <= {name for _, name in drawn("wings")[0]}
