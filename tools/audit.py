"""Looks all locked packages up for known vulnerabilities: `python tools/audit.py requirements/base.txt …`.

Its status is 0 only if every package was found and none is vulnerable. pip-audit alone also returns 0 for packages that
it could not look up.
"""

import json
import subprocess
import sys
from pathlib import Path

AUDIT = Path(sys.executable).with_name("pip-audit")
SHOWN = 8  # packages


def told(report: dict) -> tuple[list[str], int]:
    """The lines of pip-audit's report, and the status: 1 for known vulnerabilities, 2 for packages that it could not
    look up.
    """
    found = {(one["name"], one.get("version", "")): one for one in report["dependencies"]}
    bad = [
        f"{name} {version}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version yet'}"
        for (name, version), one in sorted(found.items())
        for hole in one.get("vulns", ())
    ]
    unknown = sorted(name for (name, _), one in found.items() if "skip_reason" in one)
    if unknown:
        named = ", ".join([*unknown[:SHOWN], *(["…"] if len(unknown) > SHOWN else [])])
        bad.append(f"{len(unknown)} of {len(found)} packages could not be looked up: {named}")
        return bad, 2
    return bad or [f"Packages looked up: {len(found)}. None has a known vulnerability."], 1 if bad else 0


def main(*locked: str) -> int:
    words = [str(AUDIT), "--format", "json", "--disable-pip", "--progress-spinner", "off"]
    asked = subprocess.run(
        [*words, *(word for file in locked for word in ("-r", file))], capture_output=True, text=True, check=False
    )
    try:
        lines, status = told(json.loads(asked.stdout))
    except json.JSONDecodeError:
        last = asked.stderr.strip().splitlines()[-1:]
        lines, status = ["Nothing was checked: the register of vulnerabilities could not be asked.", *last], 2
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
