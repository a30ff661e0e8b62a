"""A process that only takes turns of bots and clocks, to help servers whose bots think for long."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterable

from spieltisch.table.host import Host
from spieltisch.table.tasks import end
from spieltisch.table.turns import TurnRunner


async def work(
    host: Host, beside: Iterable[Callable[[], Coroutine[object, object, None]]], ready: Callable[[], object]
) -> None:
    """Take whatever is due at the tables of this host until somebody stops the process; first call `ready`.

    What runs `beside` connects it to the other processes. At the end it gives unfinished turns back, for others to
    take.
    """
    stopped = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stopped.set)
    runner = TurnRunner(host, patience=0.0)
    tasks = [asyncio.create_task(run()) for run in (*beside, runner.run)]
    ready()
    await asyncio.wait([*tasks, ended := asyncio.create_task(stopped.wait())], return_when=asyncio.FIRST_COMPLETED)
    await end([*tasks, ended])
    await host.stop(1.0)
