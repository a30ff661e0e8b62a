"""A server without numba and numpy: hints, a look back and strong bots, all in plain Python."""

import subprocess
import sys
from pathlib import Path

import pytest

SMALL = """
import asyncio, sys

MISSING = {"llvmlite", "numba", "numpy"}

class Blocked:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked)  # in the processes that think, too: they begin with this file
sys.path.insert(0, sys.argv[1]) if len(sys.argv) > 1 else None

from pathlib import Path
from web.site import code, form, served

async def main(folder):
    folder.mkdir()
    async with served(folder) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        page = (await ada.get(url)).text
        asked = {one["name"]: one["value"] for one in form(page, "/hint")["controls"] if one.get("name")}
        hint = await ada.post(f"{url}/hint", data=asked | {"step": "3"})
        assert hint.is_redirect, hint.text
        table = await site.services.host.table(code(url))
        while table.to_act:
            await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
            table = await site.services.host.table(code(url))
        looked = (await ada.get(f"{url}/review")).text
        assert '<path class="line"' in looked or "Move 1" in looked, looked[:3000]
    assert not MISSING & {name.partition(".")[0] for name in sys.modules}

if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[2])))
    print("served")
"""


@pytest.mark.slow
def test_what_is_served_needs_neither_numba_nor_numpy(tmp_path, monkeypatch):
    monkeypatch.delenv("SPIELTISCH_ENGINES")
    script = tmp_path / "small.py"
    script.write_text(SMALL)
    tests = str(Path(__file__).parents[1])
    words = [sys.executable, script, tests, tmp_path / "data"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "served\n"), done.stderr
