"""Writes playthroughs that are missing, or whose rules have a new version; never others."""

import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from playthroughs.games import GAMES, head, text  # noqa: E402 - found only now

for name in GAMES:
    file = TESTS / "playthroughs" / f"{name}.txt"
    version = f"rules version {head(name).package.rules.version}"
    if not file.exists() or version not in file.read_text(encoding="utf-8").partition("\n")[0]:
        file.write_text(text(name), encoding="utf-8")
        print("wrote", file.relative_to(TESTS.parent))
