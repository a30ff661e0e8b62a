"""Builds a release and says what to push: `make release`, in a checkout without changes.

`dist/` gets the wheel, the source archive, the bill of materials, constraints, and SHA256SUMS. All dates in them are
the commit's (SOURCE_DATE_EPOCH), so the same commit gives the same bytes anywhere. It publishes nothing.
"""

import datetime as dt
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from version import NEXT

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PINNED = re.compile(r"^([A-Za-z0-9][^ ]*==[^\\]*[^ \\]) *\\$", re.MULTILINE)
HEADING = re.compile(r"^## \[(.+?)\] - (.+)$", re.MULTILINE)


def constraints(locked: str) -> str:
    """The versions it was tested with, for pip's `-c`."""
    return "".join(f"{one}\n" for one in PINNED.findall(locked))


def not_ready(changelog: str, status: str, bill: str) -> list[str]:
    """The reasons why this checkout is not a release yet."""
    version, when = HEADING.findall(changelog)[0]
    found = []
    if version != NEXT:
        found.append(f"CHANGELOG.md begins with {version}, and tools/version.py says {NEXT}.")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", when):
        found.append(f"CHANGELOG.md gives {version} no day: write {dt.datetime.now(dt.UTC):%Y-%m-%d}.")
    if status:
        found.append("There are changes that are not committed.")
    if f'"pkg:pypi/spieltisch@{NEXT}"' not in bill:
        found.append("The bill of materials is of another version: make lock.")
    return found


def build(target: Path, epoch: str) -> list[Path]:
    """Build wheel and source archive of this checkout, with all dates set to `epoch`, and the other files
    of a release.
    """
    environment = os.environ | {"SOURCE_DATE_EPOCH": epoch, "SPIELTISCH_RELEASE": "1"}
    words = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(target)]
    subprocess.run(words, cwd=ROOT, check=True, env=environment, stdout=subprocess.DEVNULL)
    (target / "constraints.txt").write_text(constraints((ROOT / "requirements/study.txt").read_text("utf-8")), "utf-8")
    shutil.copy(ROOT / "requirements/spieltisch.cdx.json", target / f"spieltisch-{NEXT}.cdx.json")
    files = sorted(target.iterdir())
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (target / "SHA256SUMS").write_text(sums, "utf-8")
    return [*files, target / "SHA256SUMS"]


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    changelog, bill = (ROOT / "CHANGELOG.md", ROOT / "requirements/spieltisch.cdx.json")
    if why := not_ready(changelog.read_text("utf-8"), git("status", "--porcelain"), bill.read_text("utf-8")):
        print("This is no release yet:", *why, sep="\n- ", file=sys.stderr)
        return 1
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    files = build(DIST, git("show", "--no-patch", "--format=%ct", "HEAD"))
    print(f"Spieltisch {NEXT} of {git('rev-parse', 'HEAD')}:")
    for file in files:
        print(f"  dist/{file.name}  {file.stat().st_size // 1000} kB")
    archives = " ".join(f"dist/{file.name}" for file in files if file.suffix in {".whl", ".gz"})
    print(f"To push, when all is well:\n  git tag --annotate v{NEXT} --message 'Spieltisch {NEXT}'")
    print(f"  git push origin v{NEXT}\n  {Path(sys.executable).parent}/uv publish {archives}")
    print("  and all files of dist/ beside the tag")
    return 0


if __name__ == "__main__":
    sys.exit(main())
