"""All benchmarks, one after the other, each against its plain peer or its bound: `make bench`."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

NAMES = (
    *("hichaechoc", "adaman", "adaman_study", "table", "web", "paced", "faults", "bots", "levels", "environments"),
    *("simulate", "routes", "phones", "floods"),
)

for name in (*NAMES, "paper"):
    file = HERE / f"{name}.py"
    about = file.read_text(encoding="utf-8").splitlines()[0].strip('"')
    print(f"== {name}: {about}", flush=True)
    subprocess.run([sys.executable, file], check=True)
