"""How long first answers take: `python bench/cold.py [PYTHON…]`, each of an environment with Spieltisch.

Each question is asked in a process of its own, with an empty cache (cold) and again with the one that was filled since
(warm). Seconds by the clock, from before the import; of a server's questions with the process in which it thinks.
Behind them those of the processor, for busy machines, with the start of Python.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BEGIN = """
import time
begun = time.perf_counter()
import asyncio, random, sys
import spieltisch
from spieltisch import makers

def done(what, game):
    print(f"{what:34}{time.perf_counter() - begun:6.2f} s, {'compiled' if makers.is_compiled(game) else 'plain'}")

def finished():
    match, chance = spieltisch.new("adaman", seed=3), random.Random(3)
    while not match.over:
        match.play(match.bot("thumb"))
    return match

async def served(ask):
    from spieltisch import games
    from spieltisch.table.analysis import AnalysisService
    service = AnalysisService()
    found = await ask(service, games.package("adaman"))
    service.close()

if __name__ == "__main__":
    QUESTION
"""
QUESTIONS = (
    'spieltisch.new("adaman", seed=7).bot("coach"); done("library: strong bot, Adaman", "adaman")',
    'spieltisch.new("hic-haec-hoc", seed=3, mode="assisted").bot("grammaticus"); '
    'done("library: strong bot, hic – haec – hoc", "hichaechoc")',
    'match = spieltisch.new("adaman", seed=7); '
    'asyncio.run(served(lambda service, package: service.advise(package, match.view(0), 300))); '
    'done("server: hint", "adaman")',
    'record = finished().record(); begun = time.perf_counter(); '
    'asyncio.run(served(lambda service, package: service.look_back(package, record, 300))); '
    'done("server: look back", "adaman")',
    'asyncio.run(served(lambda service, package: service.label(package, {"options": {"extra": ["excuse"]}}, 7, 300))); '
    'done("server: can it be won?", "adaman")',
)  # fmt: skip


def main(pythons):
    for python in pythons:
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache", "XDG_DATA_HOME": f"{folder}/data"}
            env.pop("SPIELTISCH_ENGINES", None)
            print(python, flush=True)
            for how in ("cold", "warm"):
                print(how, flush=True)
                ask(python, env, folder)
                begun = time.monotonic()
                if how == "cold" and has_numba(python):
                    subprocess.run([python, "-m", "spieltisch", "warm"], env=env, check=True)
                    print(f"{'compiling all':34}{time.monotonic() - begun:6.2f} s", flush=True)


def ask(python, env, folder):
    for question in QUESTIONS:
        script = Path(folder) / "question.py"  # a file: processes that think begin with it, too
        script.write_text(BEGIN.replace("QUESTION", question), encoding="utf-8")
        before = spent()
        said = subprocess.run([python, script], env=env, check=True, capture_output=True, text=True).stdout.rstrip()
        print(f"{said}; {spent() - before:.2f} s of the processor", flush=True)


def spent():
    """Seconds of the processor of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def has_numba(python):
    return not subprocess.run([python, "-c", "import numba"], capture_output=True, check=False).returncode


if __name__ == "__main__":
    main(sys.argv[1:] or [sys.executable])
