"""The version that `pyproject.toml` gives to what is built: NEXT for a release, NEXT.devN for the Nth commit before it.

So two builds of different commits never share a version, and installing the newer one is an update.
"""

import os
import re
import subprocess
from pathlib import Path

NEXT = "0.3.0"
ROOT = Path(__file__).resolve().parents[1]


def current() -> str:
    """Return the version of this checkout, or of the source archive that this lies in.

    With SPIELTISCH_RELEASE in the environment it is NEXT itself, with SPIELTISCH_VERSION that one.
    """
    if given := os.environ.get("SPIELTISCH_VERSION"):
        return given
    if os.environ.get("SPIELTISCH_RELEASE"):
        return NEXT
    if (ROOT / "PKG-INFO").exists():
        return re.findall(r"(?m)^Version: (.+)$", (ROOT / "PKG-INFO").read_text("utf-8"))[0]
    try:
        counted = subprocess.run(
            ["git", "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # a copy without its history
        counted = "0"
    return f"{NEXT}.dev{counted}"
