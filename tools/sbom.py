"""Writes the bill of materials of the installation: `python tools/sbom.py requirements/base.txt TARGET`.

It is CycloneDX 1.6 without a date, so the same locked requirements give the same file. `make lock` writes it, and the
wheel includes it (PEP 770). Licences come from the installed packages, so packages for other systems have none here.
"""

import importlib.metadata
import json
import re
import sys
import tomllib
import uuid
from pathlib import Path

from version import NEXT

LOCKED = re.compile(
    r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\]+?))? \\$((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+)", re.MULTILINE
)


def bill(locked: str, project: dict) -> dict:
    """The content of a locked file as CycloneDX."""
    parts = [component(*found) for found in LOCKED.findall(locked)]
    purl = f"pkg:pypi/{project['name']}@{NEXT}"
    root = {"type": "application", "bom-ref": purl, "name": project["name"], "version": NEXT}
    root |= {"description": project["description"], "licenses": [{"expression": project["license"]}], "purl": purl}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, purl + locked)}",
        "version": 1,
        "metadata": {"component": root},
        "components": parts,
        "dependencies": [
            {"ref": purl, "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
    }


def component(name: str, version: str, only: str, hashes: str) -> dict:
    """One locked package. Each hash is that of one of its files: an archive or a wheel."""
    purl = f"pkg:pypi/{name}@{version}"
    sums = [{"alg": "SHA-256", "content": one} for one in re.findall("[0-9a-f]{64}", hashes)]
    made = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, "hashes": sums}
    if licences := licences_of(name, version):
        made["licenses"] = licences
    if only:
        made["properties"] = [{"name": "spieltisch:only_if", "value": only}]
    return made


def licences_of(name: str, version: str) -> list[dict]:
    """The licences of an installed package; none if this version is not installed."""
    try:
        told = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return []
    if told.version != version:
        return []
    if expression := told.metadata.get("License-Expression"):
        return [{"expression": expression}]
    named = [one.rpartition(" :: ")[2] for one in told.metadata.get_all("Classifier") or [] if "License ::" in one]
    short = [one for one in [told.metadata.get("License") or ""] if one and len(one) < 60 and "\n" not in one]
    return [{"license": {"name": one}} for one in named or short]


def main(locked: str, target: str) -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    made = json.dumps(bill(Path(locked).read_text("utf-8"), project), ensure_ascii=False, indent=1)
    Path(target).write_text(f"{made}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
