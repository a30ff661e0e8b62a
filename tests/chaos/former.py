"""Former versions of the program from this repository's history, for servers that are older than others."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLES = "src/spieltisch/table/store/sql.py"  # defines the data formats


def _git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, check=True).stdout


def commit_of_format():
    """The commit that introduced the present data format; "" if the history does not reach it."""
    try:
        found = _git("log", "-1", "-G", r"Migration\(", "--format=%H", "--", TABLES).decode().strip()
        _git("cat-file", "-e", f"{found}^:{TABLES}")
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found


def program(commit, folder):
    """Extract the program of a commit into this folder. Returns the folder of its packages."""
    folder = Path(folder)
    with tarfile.open(fileobj=BytesIO(_git("archive", commit, "src"))) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"
