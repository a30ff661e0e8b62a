"""Reads data sets by their metadata in Croissant, as others will: build/croissant/bin/python tools/croissant.py FOLDER…

Each FOLDER has a `metadata.json`. Status 1 where mlcroissant finds an error in one, or does not read every row.
"""

import csv
import sys
from pathlib import Path

import mlcroissant  # ty: ignore[unresolved-import] - in an environment of its own: requirements/croissant.txt


def check(folder):
    """What is wrong with a data set; nothing if all is well."""
    try:
        read = mlcroissant.Dataset(str(folder / "metadata.json"))
        (records,) = read.metadata.record_sets
        rows = sum(1 for _ in read.records(records.uuid))
    except Exception as wrong:  # noqa: BLE001 - whatever it is, it is said
        return f"{type(wrong).__name__}: {wrong}"
    (file,) = folder.glob("*.csv")
    with file.open(encoding="utf-8", newline="") as lines:
        held = sum(1 for _ in csv.reader(lines)) - 1
    return "" if rows == held else f"{rows} of {held} rows were read"


if __name__ == "__main__":
    found = {folder: check(Path(folder)) for folder in sys.argv[1:]}
    for folder, wrong in found.items():
        print(f"{folder}: {wrong or 'well'}")
    sys.exit(any(found.values()))
