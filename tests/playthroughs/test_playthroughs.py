"""Games that a person can read, step by step and room by room. They change only with a raised rules version."""

from pathlib import Path

import pytest

from playthroughs.games import GAMES, text

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name):
    assert text(name) == (HERE / f"{name}.txt").read_text(encoding="utf-8"), (
        "the same game has come out otherwise: raise the rules' version and run tools/write_playthroughs.py, or mend it"
    )
