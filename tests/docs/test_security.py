"""The page on what may go wrong names tests that there are."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "security.md"


def test_every_test_it_names_is_there():
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text("utf-8")))
    there = {
        name for file in TESTS.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    }
    assert len(named) > 30
    assert not named - there
