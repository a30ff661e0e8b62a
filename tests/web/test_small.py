"""A server without numba and numpy: hints, a look back and strong bots, all in plain Python."""

import subprocess
import sys
from pathlib import Path

import pytest

SMALL = r"""
import asyncio, re, sys

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
        async with asyncio.timeout(60):  # on a busy machine it is still being worked out
            while not (await ada.post(f"{url}/hint", data=asked | {"step": "3"})).is_redirect:
                await asyncio.sleep(1)
        table = await site.services.host.table(code(url))
        while table.to_act:
            await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
            table = await site.services.host.table(code(url))
        async with asyncio.timeout(60):
            while 'id="move-1"' not in (looked := (await ada.get(f"{url}/review")).text):
                await asyncio.sleep(0.2)
        moves = (await site.services.host.replay(table.id)).entries[1:]
        told = re.findall(r'id="move-(\d+)".*?<span class="ch [^"]*">(\d+)<.*?(\d+) %<', looked, re.DOTALL)
        assert [int(n) for n, _, _ in told] == [*range(1, len(moves) + 1)], looked
        assert any(before != after for _, before, after in told)
        assert re.search('id="label" class="tag', looked)
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
