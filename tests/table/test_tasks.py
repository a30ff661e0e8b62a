"""Tasks end, also those that lose a cancellation."""

import asyncio

import pytest

from spieltisch.table import tasks

pytestmark = pytest.mark.anyio


async def test_tasks_end_however_they_do(monkeypatch):
    monkeypatch.setattr(tasks, "GOODBYE", 0.01)
    seen = []

    async def obeys():
        try:
            await asyncio.sleep(3600)
        finally:
            seen.append("obeys")

    async def fails():
        raise ValueError

    async def loses_one():
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            seen.append("lost")
        await asyncio.sleep(3600)

    begun = [asyncio.create_task(one()) for one in (obeys, fails, loses_one)]
    await asyncio.sleep(0)
    async with asyncio.timeout(60):
        await tasks.end(begun)
    assert [task.cancelled() for task in begun] == [True, False, True]
    assert sorted(seen) == ["lost", "obeys"]
    await tasks.end([])
