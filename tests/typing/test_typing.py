"""What the types allow and forbid. Files under `right/` pass the type checker; files under `wrong/` have lines marked
`# error`, and the type checker must find an error on exactly these: a bot that looks into the hidden room does not even
pass the type check.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TY = shutil.which("ty", path=str(Path(sys.executable).parent)) or "ty"


def errors(path):
    """The lines of a file where the type checker finds an error, and what it says."""
    run = subprocess.run(
        [TY, "check", "--python", sys.prefix, "--output-format", "concise", path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return {int(line) for line in re.findall(rf"{path.name}:(\d+):\d+: error", run.stdout)}, run.stdout + run.stderr


@pytest.mark.parametrize("path", sorted((HERE / "right").glob("*.py")), ids=lambda p: p.stem)
def test_the_type_checker_accepts(path):
    found, said = errors(path)
    assert not found, said
    assert "All checks passed" in said


@pytest.mark.parametrize("path", sorted((HERE / "wrong").glob("*.py")), ids=lambda p: p.stem)
def test_the_type_checker_refuses(path):
    found, said = errors(path)
    marked = {number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# error")}
    assert marked, "a file under wrong/ marks its errors"
    assert found == marked, said
