"""The command: `python -m lesson`."""

import argparse
import asyncio
import contextlib
import sys
import tempfile
from pathlib import Path

import pytest

from browser.conftest import launched
from lesson.found import Found
from lesson.lesson import GAMES, whole_lesson


async def _lesson(said, n) -> Found:
    """The lesson with this number, from 0; each has the next game."""
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        chromium = await stack.enter_async_context(launched()) if said.browsers else None
        return await whole_lesson(
            Path(folder), patch, said.pupils, said.changes, game=GAMES[n % len(GAMES)], pace=said.pace, seed=n,
            chromium=chromium, browsers=said.browsers,
        )  # fmt: skip


def main():
    """Hold lessons and print the results; the status is 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m lesson", description=__doc__)
    parser.add_argument("pupils", type=int, nargs="?", default=28)
    parser.add_argument("changes", type=int, nargs="?", default=280, help="drops, loads and changes of phone")
    parser.add_argument("lessons", type=int, nargs="?", default=1, help="of the three games in turn")
    parser.add_argument("--browsers", type=int, default=0, help="of the phones: then teacher and wall are, too")
    parser.add_argument("--pace", type=float, default=0.3, help="the most seconds that a pupil thinks")
    said, wrong = parser.parse_args(), 0
    for n in range(said.lessons):
        found = asyncio.run(_lesson(said, n))
        print(*([f"{n + 1}, {GAMES[n % len(GAMES)]}: {found.line()}"] if said.lessons > 1 else found.lines()), sep="\n")
        sys.stdout.flush()
        wrong += bool(found.failures())
    if said.lessons > 1:
        print(f"{said.lessons} lessons, {wrong} of them not as they have to be")
    sys.exit(bool(wrong))


main()
