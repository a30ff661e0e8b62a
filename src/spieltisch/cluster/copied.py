"""The data folder of a server as a copy of the database's files: own decks, renewals, reports, the secret.

Readers read the copy. Writers write into the database, then into the copy. Other servers learn of it by a hint
(`peers.Part`), or look every `FOLLOW` seconds. A copy's modification time is its version in the database, so nothing
else has to be remembered. When a server first gets a database, the database takes over what its folder has; the file
`paths.COPY` marks that.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from spieltisch import paths
from spieltisch.cluster.polling import poll
from spieltisch.cluster.postgres import Postgres
from spieltisch.decks.files import Files, put, shared, version
from spieltisch.paths import DataError

T = TypeVar("T")

FOLLOW = 2.0  # seconds


class Copied(Files):
    """The files of several servers, with their copies in this server's data folder. `await run()` never ends."""

    def __init__(self, store: Postgres, folder: Path, tell: Callable[[str], None] = lambda _: None) -> None:
        """`tell` sends words to all other servers."""
        self._store = store
        self._folder = folder
        self._one = asyncio.Lock()  # so that a file written during a look is not taken for a deleted one
        self._look = asyncio.Event()
        self._tell = tell

    async def put(self, path: Path, content: str | bytes, was: int) -> bool:
        """Like `Files.put`. If another server wrote first, the folder then has its file."""
        body = content.encode() if isinstance(content, str) else content
        async with self._one:
            made = await self._store.put_file(self._name(path), body, was)
            if made:
                await asyncio.to_thread(self._copy, path, body, made)
            else:
                await self._follow()
        if made:
            self._tell("news")
        return bool(made)

    async def drop(self, path: Path) -> None:
        """Delete the file, here at once and elsewhere soon."""
        async with self._one:
            await self._store.drop_file(self._name(path))
            await asyncio.to_thread(path.unlink, missing_ok=True)
        self._tell("news")

    async def run(self) -> None:
        """Follow what other servers write until it is cancelled."""
        await poll(self.follow, self._look, FOLLOW, "what other servers have written beside the tables is not followed")

    async def follow(self) -> None:
        """Update the folder from the database. Raises Unsaved if the database does not answer, or OSError."""
        async with self._one:
            await self._follow()

    async def _follow(self) -> None:
        here = await asyncio.to_thread(self._here)  # first: these files are in the database, unless deleted
        there = await self._store.files()
        for name in here.keys() - there.keys():
            (self._folder / name).unlink(missing_ok=True)
        for name, made in there.items():
            if here.get(name) != made and (found := await self._store.file(name)) is not None:
                await asyncio.to_thread(self._copy, self._folder / name, found[1], found[0])

    def _here(self) -> dict[str, int]:
        return {self._name(path): version(path) for path in shared(self._folder)}

    def _copy(self, path: Path, body: bytes, made: int) -> None:
        put(path, body, made, 0o600)
        for one in (path.parent, path):
            paths.share_owner(one, self._folder)

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()

    # What other servers say

    def hear_from(self, process: str, words: str) -> None:  # noqa: ARG002
        """Another server has written something."""
        self._look.set()

    def repeat(self) -> None:
        """New servers look by themselves."""

    def keep(self, processes: set[str]) -> None:
        """Files do not depend on who is alive."""


def is_marked(folder: Path, secret: bytes) -> bool:
    """Whether this folder is marked as a copy of the database with this secret."""
    file = folder / paths.COPY
    return file.is_file() and file.read_text("ascii") == _mark(secret)


def mark(folder: Path, secret: bytes) -> None:
    """Mark this folder as a copy from now on."""
    put(folder / paths.COPY, _mark(secret), mode=0o600)
    paths.share_owner(folder / paths.COPY, folder)


def _mark(secret: bytes) -> str:
    return hashlib.sha256(secret).hexdigest()


async def is_copy(store: Postgres, folder: Path) -> bool:
    """Whether this folder is a copy of this database."""
    found = await store.file(paths.SECRET)
    return found is not None and is_marked(folder, found[1])


async def take_over(store: Postgres, folder: Path) -> None:
    """Put the folder's files into the database; the folder is a copy from then on. No other process may use the folder.

    Raises DataError, without a change, if the database has another file of the same name.
    """
    if (folder / paths.SECRET).is_file():
        paths.read_secret(folder)  # a guessable one is refused
    for path in shared(folder):
        name, body = path.relative_to(folder).as_posix(), path.read_bytes()
        made = await store.put_file(name, body, 0)
        if not made and (found := await store.file(name)) is not None and found[1] != body:
            raise DataError(
                "the file {name} differs between the database and {folder}: move the one in the folder away, or"
                " choose another folder with --data",
                name=name, folder=folder,
            )  # fmt: skip
    await store.put_file(paths.SECRET, secrets.token_bytes(paths.SECRET_BYTES), 0)  # unless the database has one
    found = await store.file(paths.SECRET)
    assert found is not None
    mark(folder, found[1])


async def changed(address: str, folder: Path, work: Callable[[Files], Awaitable[T]]) -> T:
    """Run a command's `work` that writes shared files, and return its result.

    `folder` is that of one of the servers. Raises DataError if the database cannot be used, or the folder is not its
    copy.
    """
    store = Postgres(address)
    try:
        if not await is_copy(store, folder):
            raise DataError("{folder} does not belong to a server of this database", folder=folder)
        files = Copied(store, folder)
        await files.follow()
        return await work(files)
    finally:
        await store.close()
