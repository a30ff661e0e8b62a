"""Counts the modules that a picture and a posted form pass through, in real requests to an application in this process.

    python tools/walks.py [--path]

A stay is the time in one of our modules until another is entered or returned to. A return is a stay in a module that
had been left before, as after every call of a helper. It counts the modules of `spieltisch.web`, then its rooms and the
parts of `core`, then all of `spieltisch`. It also counts calls from one floor of the import contracts down to another,
and up: middleware and callbacks call up without an import. The table is one of hic – haec – hoc with bots that wait,
and everything has been drawn once, as on a running server. It also works on versions before there were rooms, without
their floors.
"""

import asyncio
import sys
import tempfile
import tomllib
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import httpx

import spieltisch
from spieltisch.table.host import Host
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub

ROOT = Path(spieltisch.__file__).parent
ORIGIN = "http://localhost"


def application(host):
    """The application, in versions before and after there were rooms."""
    from spieltisch.web.app import create

    try:
        from spieltisch.web.core.services import Services, Settings
    except ImportError:
        from spieltisch.web.services import Services, Settings
    return create(Services(host, Settings(secret=b"s" * 32)))


class Walk:
    """The modules of ours that are entered while this is open, in order."""

    def __init__(self):
        self.steps = []
        self.calls = []  # from, to
        self._stack = []
        self._names = {}

    def _name(self, file):
        if file not in self._names:
            path = Path(file)
            inside = path.is_relative_to(ROOT)
            self._names[file] = ".".join(path.relative_to(ROOT).with_suffix("").parts) if inside else None
        return self._names[file]

    def _event(self, frame, event, _arg):
        if event not in {"call", "return"} or (name := self._name(frame.f_code.co_filename)) is None:
            return
        if event == "call":
            if self._stack:
                self.calls.append((self._stack[-1], name))
            self._stack.append(name)
        elif self._stack:
            self._stack.pop()
        if self._stack:
            self.steps.append(self._stack[-1])

    def __enter__(self):
        sys.setprofile(self._event)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)


def stays(steps: list[str], of: Callable[[str], str | None]) -> list[str]:
    return [name for name, _ in groupby(filter(None, map(of, steps)))]


def module(step):
    return step if step.startswith("web.") else None


def room(step):
    """The name directly below `web`; for `core` with its part."""
    parts = step.split(".")
    return None if parts[0] != "web" else ".".join(parts[1:3]) if parts[1] == "core" else parts[1]


def floors():
    """The floor of each room and part of `core`, from the import contracts, counted from the top."""
    contracts = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = {one["containers"][0]: one["layers"] for one in contracts if one.get("containers")}
    web, core = layers.get("spieltisch.web", ()), layers.get("spieltisch.web.core", ())
    below = [" | ".join(f"core.{part}" for part in parts.split(" | ")) for parts in core]
    return {part: n for n, parts in enumerate([*web, *below]) for part in parts.split(" | ")}


def told(what, walk):
    print(f"{what}:")
    for name, of in (("modules of web", module), ("rooms", room), ("modules of spieltisch", str)):
        found = stays(walk.steps, of)
        print(f"  {name}: {len(set(found))} in {len(found)} stays, {len(found) - len(set(found))} returns")
    at = floors()
    known = [(at.get(room(a)), at.get(room(b)), a, b) for a, b in walk.calls]
    down = [one for one in known if None not in one[:2] and one[0] < one[1]]
    up = [one for one in known if None not in one[:2] and one[0] > one[1]]
    by = ", ".join(sorted({f"{a} to {b}" for _, _, a, b in up}))
    print(f"  calls to a floor below: {len(down)}, above: {len(up)}{f' ({by})' if by else ''}")
    if "--path" in sys.argv:
        print("  " + " ".join(stays(walk.steps, module)))


async def settled():
    for _ in range(5):
        await asyncio.sleep(0.002)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        host = Host(SQLite(Path(folder) / "tables.sqlite"), Hub(), pause=lambda: 3600.0)
        transport = httpx.ASGITransport(app=application(host))
        headers = {"accept": "text/html", "origin": ORIGIN, "accept-language": "de"}
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as ada:
            url = (await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
            for _ in range(2):
                await ada.post(f"{url}/chairs", data={"do": "bot"})
            assert (await ada.post(f"{url}/start")).status_code == 303
            table = await host.table(url.rpartition("/")[2])

            def simple(seat):
                """Draw or pass: an action without fields."""
                return next(one for one in table.legal(seat) if not one.__struct_fields__)

            async def bots():
                while 0 not in table.to_act:
                    seat = table.to_act[0]
                    await host.answer(table.id, seat, table.question(seat), simple(seat), "bot")
                await settled()

            async def post():
                fields = {"question": str(table.question(0)), "type": type(simple(0)).__name__}
                return await ada.post(f"{url}/move", data=fields)

            for _ in range(4):
                await bots()
                assert (await post()).status_code == 303
                await ada.get(url)
            await bots()
            with Walk() as picture:
                answer = await ada.get(url)
            assert 'data-stage="playing"' in answer.text
            await settled()
            with Walk() as form:
                answer = await post()
            assert answer.status_code == 303
        await host.store.close()
    told("a picture (GET, a new entry since the last one)", picture)
    told("a posted form (a move)", form)


asyncio.run(main())
