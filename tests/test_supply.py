"""What the project is made of: the bill of materials that a release brings along, and the audit of locked packages."""

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from spieltisch import __version__

ROOT = Path(__file__).parents[1]
BILL = json.loads((ROOT / "requirements/spieltisch.cdx.json").read_text("utf-8"))
LOCKED = (ROOT / "requirements/study.txt").read_text("utf-8")

# As pip-audit 2.10 writes it.
SOUND = {"name": "rich", "version": "15.0.0", "vulns": []}
HOLE = {"id": "PYSEC-2026-1", "fix_versions": ["2.5"], "aliases": [], "description": ""}
HOLED = {"name": "multipart", "version": "2.0", "vulns": [HOLE]}
UNKNOWN = {"name": "regex", "skip_reason": "Dependency not found on PyPI and could not be audited: regex"}


def test_the_bill_lists_each_locked_package_with_hashes():
    listed = {(one["name"], one["version"]): {each["content"] for each in one["hashes"]} for one in BILL["components"]}
    wanted, at = {}, None
    for line in LOCKED.splitlines():
        if found := re.match(r"([\w.-]+)==([^\s;]+)", line):
            wanted[at := found.groups()] = set()
        elif found := re.search("sha256:([0-9a-f]+)", line):
            wanted[at].add(found[1])
    assert listed == wanted
    assert len(wanted) > 20
    assert __version__.startswith(BILL["metadata"]["component"]["version"])  # it is of the next release


def test_the_bill_knows_the_licence_of_what_is_installed():
    missing = set()
    for one in BILL["components"]:
        try:
            here = metadata.version(one["name"]) == one["version"]
        except metadata.PackageNotFoundError:
            continue
        if here and not one.get("licenses"):
            missing.add(one["name"])
    assert not missing


@pytest.mark.parametrize(
    ("packages", "status", "said"),
    [
        ([SOUND], 0, "looked up: 1"),
        ([SOUND, HOLED], 1, "multipart 2.0: PYSEC-2026-1, mended in 2.5"),
        ([SOUND, UNKNOWN], 2, "1 of 2 packages could not be looked up"),
        ([HOLED, UNKNOWN], 2, "PYSEC-2026-1"),
    ],
)
def test_an_audit_is_good_only_if_all_was_looked_up(tmp_path, packages, status, said):
    """The tool's answers stand in place of the network's."""
    done = audited(tmp_path, f"echo '{json.dumps({'dependencies': packages, 'fixes': []})}'")
    assert (done.returncode, done.stderr) == (status, "")
    assert said in done.stdout


def test_an_audit_without_a_network_says_so(tmp_path):
    done = audited(tmp_path, "echo Traceback >&2; echo 'ConnectionError: no such host' >&2; exit 1")
    assert done.returncode == 2
    assert "Nothing was checked" in done.stdout
    assert "no such host" in done.stdout


def audited(folder, does):
    (folder / "python").symlink_to(sys.executable)
    (folder / "pip-audit").write_text(f"#!/bin/sh\n{does}\n")
    (folder / "pip-audit").chmod(0o755)
    words = [folder / "python", ROOT / "tools/audit.py", ROOT / "requirements/base.txt"]
    return subprocess.run(words, capture_output=True, text=True, check=False)
