"""What the types allow and forbid. Files under `right/` pass the type checker; files under `wrong/` have lines marked
`# error`, and the type checker must find an error on exactly these: a bot that looks into the hidden room does not even
pass the type check. The checker is ty; mypy and pyright, in strict mode, check what people write who use the library.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spieltisch
from matrix import sampled

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
TY = shutil.which("ty", path=str(BIN)) or "ty"
SCRIPTS = sorted(HERE.glob("*/a_*_script*.py"))
STRICT = {
    "mypy": [BIN / "mypy", "--strict", "--config-file=", "--no-color-output"],
    "pyright": [BIN / "basedpyright", "--pythonpath", sys.executable],  # it brings its own Node
}


def checked(paths, *strict):
    """What the type checker says of these files, which it reads together: each alone would need the whole library."""
    run = subprocess.run(
        [TY, "check", "--python", sys.prefix, "--output-format", "concise", *strict, *paths],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return run.stdout + run.stderr


def files(folder):
    found = sorted((HERE / folder).glob("*.py"))
    assert found
    return found


def test_the_type_checker_accepts():
    said = checked(files("right"), "--error", "all")
    assert "All checks passed" in said, said


def test_the_public_library_shows_no_any(tmp_path):
    """Whatever `import spieltisch` brings has a type: a function, a class, and all members of a match."""
    match = [name for name in dir(spieltisch.Match) if not name.startswith("_")]
    shown = [f"spieltisch.{name}" for name in spieltisch.__all__] + [f"match.{name}" for name in match]
    shown += ["spieltisch.games()", "match.legal[0]", "match.state.public.news", "match.package.page.prepare"]
    lines = ["from typing_extensions import reveal_type", "import spieltisch", 'match = spieltisch.new("adaman")']
    script = tmp_path / "shown.py"
    script.write_text("\n".join([*lines, *(f"reveal_type({one})" for one in shown)]))
    said = checked([script])
    revealed = dict(re.findall(r"shown\.py:(\d+):\d+: info\[revealed-type\] Revealed type: `(.*)`", said))
    assert len(revealed) == len(shown), said
    assert not [kind for kind in revealed.values() if re.search(r"\b(Any|Unknown)\b", kind)], said


def marked(path):
    """The lines that are marked as errors."""
    return {number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# error")}


def test_the_type_checker_refuses():
    said = checked(files("wrong"))
    found = {(name, int(line)) for name, line in re.findall(r"(\w+\.py):(\d+):\d+: error", said)}
    for path in files("wrong"):
        assert marked(path), "a file under wrong/ marks its errors"
        assert {line for name, line in found if name == path.name} == marked(path), said


@pytest.mark.slow
@pytest.mark.parametrize("checker", sampled(STRICT, ["pyright"]))
def test_others_agree_in_strict_mode(checker, tmp_path, pytestconfig):
    for path in SCRIPTS:
        shutil.copy(path, tmp_path)
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    words = [*STRICT[checker], *(path.name for path in SCRIPTS)]
    kept = os.environ | {"MYPY_CACHE_DIR": str(pytestconfig.cache.mkdir("mypy"))}
    run = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path, env=kept)
    found = {(name, int(line)) for name, line in re.findall(r"(\w+\.py):(\d+)(?::\d+ -|:) error", run.stdout)}
    assert found == {(path.name, line) for path in SCRIPTS for line in marked(path)}, run.stdout + run.stderr
