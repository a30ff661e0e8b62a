"""Former versions of the program, from this repository's history, for servers that are older than others."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLES = "src/spieltisch/table/store/sql.py"  # where each data format is


def _git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, check=True).stdout


def commit_of_format():
    """The commit that made the present data format; "" without a history that goes so far back."""
    try:
        found = _git("log", "-1", "-G", r"Migration\(", "--format=%H", "--", TABLES).decode().strip()
        _git("cat-file", "-e", f"{found}^:{TABLES}")
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found


def program(commit, folder):
    """Put the program of a commit into this folder; where its packages are."""
    folder = Path(folder)
    with tarfile.open(fileobj=BytesIO(_git("archive", commit, "src"))) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"
