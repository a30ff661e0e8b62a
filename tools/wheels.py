"""Prints the machines for which all locked packages have wheels, so that no compiler is needed: `python
tools/wheels.py`.

It queries the package index and installs nothing. It needs uv, and pip for platforms that uv cannot name.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
UV = Path(sys.executable).with_name("uv")
PYTHON = "3.13"
LISTS = {"serve": "`[serve]`", "base": "`[postgres,print,serve]`", "study": "with `[study]`"}
BY_UV = {
    "x86_64, glibc": "x86_64-unknown-linux-gnu",
    "x86_64, musl": "x86_64-unknown-linux-musl",
    "aarch64, glibc": "aarch64-unknown-linux-gnu",
    "aarch64, musl": "aarch64-unknown-linux-musl",
}
BY_PIP = {
    "armv7, glibc": ("manylinux2014_armv7l", "manylinux_2_17_armv7l", "manylinux_2_31_armv7l"),
    "armv7, musl": ("musllinux_1_1_armv7l", "musllinux_1_2_armv7l"),
}


def commands():
    """The command for each machine, without the list of packages."""
    dry = ["--dry-run", "--quiet", "--target", "build/nowhere", "--python-version", PYTHON, "--no-deps"]
    wheels = ["--only-binary", ":all:", "--require-hashes"]
    for name, platform in BY_UV.items():
        yield name, [UV, "pip", "install", *dry, *wheels, "--python-platform", platform]
    for name, tags in BY_PIP.items():
        platforms = [word for tag in tags for word in ("--platform", tag)]
        yield name, [sys.executable, "-m", "pip", "install", *dry, *wheels, *platforms]


def main():
    print(f"| machine | {' | '.join(LISTS.values())} |\n|{' --- |' * (1 + len(LISTS))}")
    for name, command in commands():
        told = []
        for which in LISTS:
            words = [*command, "--requirement", ROOT / "requirements" / f"{which}.txt"]
            found = subprocess.run(words, cwd=ROOT, check=False, capture_output=True)
            told.append("no" if found.returncode else "yes")
        print(f"| {name} | {' | '.join(told)} |", flush=True)


if __name__ == "__main__":
    main()
