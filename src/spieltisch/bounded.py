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


async def within(
    seconds: float, work: Callable[..., T], *given: object, hear: Callable[[Any], None] | None = None
) -> T:
    """What the work returns or raises, done in a process of its own. Both, and what is given, have to be picklable.

    With `hear` the work is given one thing more, a function: what it is called with is heard here, in another thread,
    while the work goes on. Raises TooMuchError where it takes longer, or more than `MEMORY`. Whoever no longer waits
    for it ends it.
    """
    unwanted = Event()
    try:
        return await asyncio.to_thread(_run, seconds, work, given, unwanted, hear)
    finally:
        unwanted.set()


def _run(
    seconds: float,
    work: Callable[..., Any],
    given: tuple[object, ...],
    unwanted: Event,
    hear: Callable[[Any], None] | None,
) -> Any:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(there, work, given, hear is not None), daemon=True)
    process.start()
    there.close()
    done: bool
    outcome: Any
    try:
        done, outcome = _answer(here, seconds, unwanted, hear)
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


def _answer(here: Connection, seconds: float, unwanted: Event, hear: Callable[[Any], None] | None) -> tuple[bool, Any]:
    """Whether the work was done, and what came of it; TooMuchError if that takes longer or is no longer wanted. What is
    told before is heard. EOFError if the process ended without an answer.
    """
    until = time.monotonic() + seconds
    while not unwanted.is_set() and (left := until - time.monotonic()) > 0:
        if here.poll(min(_SLICE, left)):
            done, said = here.recv()
            if done is not None:
                return done, said
            if hear is not None:
                hear(said)
    return False, TooMuchError()


def _work(answer: Connection, work: Callable[..., Any], given: tuple[object, ...], telling: bool) -> None:
    yield_to_server()
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    if telling:
        given = (*given, lambda said: answer.send((None, said)))
    try:
        outcome = (True, work(*given))
    except MemoryError:
        outcome = (False, TooMuchError())
    except Exception as error:  # noqa: BLE001 - raised where it was asked for
        outcome = (False, error)
    answer.send(outcome)
