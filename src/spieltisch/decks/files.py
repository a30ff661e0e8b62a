"""Files that a server writes while it runs, beside its tables: own decks, how often keys were renewed, reported cards.

Whoever reads one reads it in the data folder. Whoever writes one says which version it was made of: of two who do so at
once, the second has to look again. Several servers on one database share these files: see `cluster.copied`.
"""

import asyncio
import os
import tempfile
import time
from pathlib import Path
from threading import Lock
from typing import TypeVar

import msgspec

from spieltisch import paths

T = TypeVar("T")
D = TypeVar("D")
_one = Lock()  # a file is written, in some thread, as the version that was seen


class Files:
    """The files of one server: what lies in its folder is all that there is."""

    async def put(self, path: Path, content: str | bytes, was: int) -> bool:
        """Write the file, whole or not at all; False, and nothing is written, if it is no longer the version that it
        `was` (0: there is none). OSError, or Unsaved, where it cannot be written.
        """
        return await asyncio.to_thread(_put_after, path, content, was)

    async def drop(self, path: Path) -> None:
        """The file is gone."""
        await asyncio.to_thread(path.unlink, missing_ok=True)


def shared(folder: Path) -> list[Path]:
    """The files in a data folder that servers on one database share, the secret among them."""
    decks = folder / paths.DECKS
    named = (folder / paths.SECRET, decks / paths.KEYS, decks / paths.REPORTS, decks / paths.USES)
    return [*(path for path in named if path.is_file()), *sorted(decks.glob("*.csv"))]


def read_json(path: Path, shape: type[T], otherwise: D) -> T | D:
    """Return what the file holds, or `otherwise` if there is none. DataError, naming the file, if it is damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=shape)
    except FileNotFoundError:
        return otherwise
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors, as is that of UTF-8
        raise paths.unusable(path, error) from error


def version(path: Path) -> int:
    """The version of a file: when it was written, in microseconds since 1970; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns // 1000
    except FileNotFoundError:
        return 0


def _put_after(path: Path, content: str | bytes, was: int) -> bool:
    with _one:
        if version(path) != was:
            return False
        put(path, content)
    return True


def put(path: Path, content: str | bytes, made: int = 0, mode: int = 0o644) -> None:
    """Write the file, whole or not at all, as the version `made` (0: now, but later than the one that is there); `mode`
    is for a new one.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = made or max(time.time_ns() // 1000, version(path) + 1)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.utime(name, ns=(made * 1000, made * 1000))
        Path(name).chmod(path.stat().st_mode & 0o777 if path.exists() else mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
