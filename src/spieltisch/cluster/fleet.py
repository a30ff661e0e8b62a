"""Reports of all processes on one database, when one of them asks. Each is named, and they can be summed up."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlencode

from spieltisch.table.host import Host
from spieltisch.table.store import sql

PATIENCE = 1.0  # seconds for the answers
ASK = "?"

Said = Mapping[str, str]  # a process's report, by name


def of(host: Host, name: str, version: str) -> Said:
    """The report of this process about the tables that it has in memory."""
    return {
        "name": name, "version": version, "format": str(sql.FORMAT), "tables": str(host.memory.counts().total()),
        "moves": str(host.moves.total()), "late": f"{host.hub.late:.4f}",
    }  # fmt: skip


class Fleet:
    """A `peers.Part`. `here` returns this process's report; `tell` sends words to all others."""

    def __init__(self, here: Callable[[], Said], tell: Callable[[str], None] = lambda _: None) -> None:
        self._here = here
        self._tell = tell
        self._others: set[str] = set()
        self._said: dict[str, Said] = {}
        self._news = asyncio.Event()
        self._one = asyncio.Lock()  # a second caller must not get the answers of the first

    async def ask(self) -> list[Said]:
        """The reports of all processes, this one first; {} for those that do not answer."""
        async with self._one:
            self._said = said = {}
            self._tell(ASK)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    while self._others - said.keys():
                        self._news.clear()
                        await self._news.wait()
        others = [said.get(process, {}) for process in self._others | said.keys()]
        return [self._here(), *sorted(others, key=lambda one: (not one, one.get("name", "")))]

    def hear_from(self, process: str, words: str) -> None:
        """Another process asks, or answers."""
        if words == ASK:
            self._tell(urlencode(self._here()))
        else:
            self._said[process] = dict(parse_qsl(words))
            self._news.set()

    def repeat(self) -> None:
        """Nothing is sent unless somebody asks."""

    def keep(self, processes: set[str]) -> None:
        """Note which other processes are alive."""
        self._others = processes
        self._news.set()
