"""The version that `pyproject.toml` gives to builds: NEXT for a release, NEXT.devN for the Nth commit before it.

So builds of different commits never share a version, and a newer one is an update.
"""

import os
import re
import subprocess
from pathlib import Path

NEXT = "0.3.0"
ROOT = Path(__file__).resolve().parents[1]


def current() -> str:
    """Return the version of this checkout, or of the source archive around it.

    SPIELTISCH_RELEASE in the environment makes it NEXT, SPIELTISCH_VERSION sets it.
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
    except (OSError, subprocess.CalledProcessError):  # a copy without history
        counted = "0"
    return f"{NEXT}.dev{counted}"
