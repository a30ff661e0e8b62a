"""Empty machines: a root from Debian's mirror, in which bubblewrap runs commands as an ordinary user."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

MIRROR = "http://deb.debian.org/debian"
SUITE = "trixie"
LEFT_OUT = ("doc", "info", "locale", "man")  # of /usr/share, as in Debian's slim image


def needs(*programs):
    """The marks of slow tests that need root, the network and these programs."""
    return [
        pytest.mark.whole,
        pytest.mark.timeout(3600),
        pytest.mark.skipif(os.geteuid() != 0, reason="needs root"),
        pytest.mark.skipif(not all(map(shutil.which, programs)), reason=f"needs {', '.join(programs)} (apt install)"),
    ]


@contextlib.contextmanager
def open_folder() -> Generator[Path]:
    """A new folder that every user may enter. pytest's own is for one user, and is closed at each start."""
    with tempfile.TemporaryDirectory(prefix="spieltisch-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def debootstrap(target: Path, *packages: str) -> Path:
    """Make a root with these packages and what they need: a folder, or an archive if the name says so."""
    words = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in LEFT_OUT]
    if packages:
        words.append(f"--include={','.join(packages)}")
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", *words, SUITE, str(target), MIRROR]
    subprocess.run(command, check=True)
    return target


def inside(user: int, group: int, *words: str) -> list[str]:
    """The words that run a command as this user. `words` are bubblewrap's, which name a root, then the command."""
    names = ["--reuid", str(user), "--regid", str(group), "--clear-groups"]
    return ["setpriv", *names, "bwrap", "--unshare-pid", "--die-with-parent", "--clearenv", *words]
