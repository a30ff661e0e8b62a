"""Work in a process of its own. What strangers send is worked on within limits of time and memory."""

import asyncio
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from threading import Event, Thread
from typing import Any, TypeVar

T = TypeVar("T")

MEMORY = 2**30  # bytes of addresses
_SLICE = 0.2  # seconds after which it is looked whether anybody still waits


class TooMuchError(Exception):
    """The work took too long or too much memory."""


def yield_to_server() -> None:
    """The first thing that a process beside the server does: it is less urgent than serving, and ends with the server,
    not before it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(10)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """A server that is killed tells nobody, and a pool's own pipe stays open: its reader holds the other end, too."""
    server = parent_process()
    assert server is not None
    server.join()
    os._exit(1)


async def within(seconds: float, work: Callable[..., T], *given: object) -> T:
    """What the work returns or raises, done in a process of its own. Both, and what is given, have to be picklable.

    Raises TooMuchError where it takes longer, or more than `MEMORY`. Whoever no longer waits for it ends it.
    """
    unwanted = Event()
    try:
        return await asyncio.to_thread(_run, seconds, work, given, unwanted)
    finally:
        unwanted.set()


def _run(seconds: float, work: Callable[..., Any], given: tuple[object, ...], unwanted: Event) -> Any:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(there, work, given), daemon=True)
    process.start()
    there.close()
    done: bool
    outcome: Any
    try:
        done, outcome = here.recv() if _answered(here, seconds, unwanted) else (False, TooMuchError())
    except EOFError:  # killed, or out of memory
        process.join(1)  # what it says of itself is not cut off
        done, outcome = False, TooMuchError()
    finally:
        here.close()
        process.kill()
        process.join()
    if done:
        return outcome
    raise outcome


def _answered(here: Connection, seconds: float, unwanted: Event) -> bool:
    """Whether an answer has come, or the process ended, within so many seconds and before it was unwanted."""
    until = time.monotonic() + seconds
    while not here.poll(max(0.0, min(_SLICE, until - time.monotonic()))):
        if unwanted.is_set() or time.monotonic() >= until:
            return False
    return True


def _work(answer: Connection, work: Callable[..., Any], given: tuple[object, ...]) -> None:
    yield_to_server()
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    try:
        outcome = (True, work(*given))
    except MemoryError:
        outcome = (False, TooMuchError())
    except Exception as error:  # noqa: BLE001 - raised where it was asked for
        outcome = (False, error)
    answer.send(outcome)
