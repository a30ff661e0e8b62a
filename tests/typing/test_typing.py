"""What the types forbid: each file under `wrong/` has lines marked `# error`, and the type checker must find
an error on exactly these. So a bot that looks into the hidden room does not even pass the type check.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TY = shutil.which("ty", path=str(Path(sys.executable).parent)) or "ty"


@pytest.mark.parametrize("path", sorted((HERE / "wrong").glob("*.py")), ids=lambda p: p.stem)
def test_the_type_checker_refuses(path):
    run = subprocess.run(
        [TY, "check", "--python", sys.prefix, "--output-format", "concise", path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = {int(line) for line in re.findall(rf"{path.name}:(\d+):\d+: error", run.stdout)}
    marked = {number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# error")}
    assert marked, "a file under wrong/ marks its errors"
    assert found == marked, run.stdout + run.stderr
