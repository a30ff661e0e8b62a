"""The changelog as Keep a Changelog has it, so that people and programs find what concerns them."""

import re
from datetime import date
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CHANGELOG.md").read_text("utf-8")
KINDS = ["Upgrading", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
RELEASES = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"- \S.*[.?]")


def test_releases_stand_newest_first_with_their_dates():
    assert len(re.findall(r"^## ", PAGE, re.MULTILINE)) == len(RELEASES) >= 3
    versions = [tuple(map(int, version.split("."))) for version, *_ in RELEASES]
    assert all(newer > older for newer, older in pairwise(versions))
    (_, when, _), *former = RELEASES
    days = [date.fromisoformat(day) for _, day, _ in former]
    assert when == "not yet released" or date.fromisoformat(when) >= days[0]
    assert all(newer >= older for newer, older in pairwise(days))


def test_each_release_has_each_kind_once_and_in_order():
    for version, _, text in RELEASES:
        kinds = re.findall(r"^### (.+)$", text, re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds], version
        assert "Added" in kinds


def test_an_entry_is_one_line():
    for number, line in enumerate(PAGE.splitlines(), 1):
        if not line.startswith("- "):
            assert not line.startswith((" ", "*", "\t")), number  # neither a second line nor a list of another kind
            continue
        assert len(line) <= 120, number
        assert ENTRY.fullmatch(line), number


def test_no_entry_is_told_twice():
    entries = [line.casefold() for line in PAGE.splitlines() if line.startswith("- ")]
    assert len(entries) > 100
    assert [one for one in entries if entries.count(one) > 1] == []
