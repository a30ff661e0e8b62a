"""Work in a process of its own. Input from strangers is processed within limits of time and memory."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from threading import Event, Thread
from typing import Any, TypeVar

T = TypeVar("T")

MEMORY = 2**30  # bytes of address space
LOWERED = 10  # the priority of long work, as nice counts
REST = 60.0  # seconds until an idle `Worker` ends its process, which has loaded much
_WAITING = ThreadPoolExecutor(16, "waiting")  # threads of their own, so that long work keeps no others waiting
_SLICE = 0.2  # seconds between checks whether anybody still waits


class TooMuchError(Exception):
    """The work took too long or too much memory."""


def _belong_to_server() -> None:
    """The first act of a process beside the server: it ends with the server, not before."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_server, daemon=True).start()


def _yield_to_server() -> None:
    """Lower the priority of this process, since people who play go first."""
    if sys.platform != "win32" and os.getpriority(os.PRIO_PROCESS, 0) < LOWERED:
        os.setpriority(os.PRIO_PROCESS, 0, LOWERED)


def _end_with_server() -> None:
    """A killed server tells nobody, and a pool's own pipe stays open because its reader also has the other end."""
    server = parent_process()
    assert server is not None
    server.join()
    os._exit(1)


async def aside(work: Callable[..., T], *given: object, large: bool) -> T:
    """Return or raise what `work(*given)` does; in a thread if it is `large`, so that the event loop continues. Only
    for our own data, since a thread cannot be stopped.
    """
    return await asyncio.to_thread(work, *given) if large else work(*given)


async def apart(work: Callable[..., T], *given: object, seconds: float | None = None) -> T:
    """Return or raise what `work(*given)` does in a thread that ends with the server, finished or not. Raises
    TooMuchError after this many seconds; the thread continues, since nothing can stop it.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[tuple[bool, Any]] = loop.create_future()

    def told(done: bool, what: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has been closed
            loop.call_soon_threadsafe(lambda: outcome.done() or outcome.set_result((done, what)))

    def run() -> None:
        try:
            told(True, work(*given))
        except Exception as error:  # noqa: BLE001 - raised where it was asked for
            told(False, error)
        except BaseException as error:  # noqa: BLE001 - as `sys.exit`, which would end the server
            told(False, RuntimeError(repr(error)))

    Thread(target=run, name="apart", daemon=True).start()
    try:
        async with asyncio.timeout(seconds):
            done, what = await outcome
    except TimeoutError:
        raise TooMuchError from None
    if done:
        return what
    raise what


async def within(
    seconds: float,
    work: Callable[..., T],
    *given: object,
    hear: Callable[[Any], None] | None = None,
    spent: Callable[[float], None] | None = None,
) -> T:
    """Return or raise what the work does in a process of its own. The work, its arguments and its result must be
    picklable.

    With `hear` the work gets one more argument, a function; whatever it is called with is heard here, in another
    thread, during the work. `spent` is told the processor seconds it took. Raises TooMuchError for more than `seconds`
    or `MEMORY`. If the caller is cancelled, the process ends.
    """
    unwanted = Event()
    try:
        return await asyncio.get_running_loop().run_in_executor(
            _WAITING, _run, seconds, work, given, unwanted, hear, spent
        )
    finally:
        unwanted.set()


def _run(
    seconds: float,
    work: Callable[..., Any],
    given: tuple[object, ...],
    unwanted: Event,
    hear: Callable[[Any], None] | None,
    spent: Callable[[float], None] | None,
) -> Any:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(there, work, given, hear is not None), daemon=True)
    process.start()
    there.close()
    begun, used = time.monotonic(), None
    done: bool
    outcome: object
    try:
        done, outcome, used = _answer(here, seconds, unwanted, hear)
    except EOFError:  # killed, or out of memory
        process.join(1)  # let it finish its last words
        done, outcome = False, TooMuchError()
    finally:
        here.close()
        process.kill()
        process.join()
        if spent is not None:
            spent(time.monotonic() - begun if used is None else used)
    if done:
        return outcome
    raise outcome


def _answer(
    here: Connection, seconds: float, unwanted: Event, hear: Callable[[Any], None] | None
) -> tuple[bool, Any, float | None]:
    """Return whether the work succeeded, its result, and its processor seconds. Raises TooMuchError if it takes too
    long or nobody wants it any more, EOFError if the process ended without an answer. Messages before that are heard.
    """
    until = time.monotonic() + seconds
    while not unwanted.is_set() and (left := until - time.monotonic()) > 0:
        if here.poll(min(_SLICE, left)):
            done, said, used = here.recv()
            if done is not None:
                return done, said, used
            if hear is not None:
                hear(said)
    return False, TooMuchError(), None


def limit_memory() -> None:
    """Let this process have at most `MEMORY`; more raises MemoryError."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


def _work(answer: Connection, work: Callable[..., Any], given: tuple[object, ...], telling: bool) -> None:
    _belong_to_server()
    _yield_to_server()
    limit_memory()
    if telling:
        given = (*given, lambda said: answer.send((None, said, None)))
    try:
        outcome = (True, work(*given))
    except MemoryError:
        outcome = (False, TooMuchError())
    except Exception as error:  # noqa: BLE001 - raised where it was asked for
        outcome = (False, error)
    answer.send((*outcome, time.process_time()))


class Worker:
    """A process beside the server for work that would delay the tables even in a thread. It does one thing after
    another, starts with the first, and ends after `REST` idle seconds. `limited`: within `MEMORY`.

    After its first work its priority is lowered, unless all of it is `urgent`. On a machine that is fully used, a
    process with the lowered priority needs half a minute only to load what it works with, and somebody waits for it.
    """

    def __init__(self, *, limited: bool = False, urgent: bool = False) -> None:
        self._begin = _begin_limited if limited else _belong_to_server
        self._urgent = urgent
        self._pool: ProcessPoolExecutor | None = None
        self._open = 0  # pieces of work
        self._rest: asyncio.TimerHandle | None = None

    async def do(self, work: Callable[..., T], *given: object, seconds: float | None = None) -> T:
        """Return or raise what `work(*given)` does. Raises BrokenProcessPool if the process died, and TooMuchError
        after this many seconds, which ends the process; the next work starts another one.
        """
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=self._begin)
        if self._rest is not None:
            self._rest.cancel()
        pool, loop = self._pool, asyncio.get_running_loop()
        self._open += 1
        try:
            async with asyncio.timeout(seconds):
                if self._urgent:
                    return await loop.run_in_executor(pool, work, *given)
                return await loop.run_in_executor(pool, _then_yield, work, *given)
        except TimeoutError:
            if self._pool is pool:
                self.end()
            raise TooMuchError from None
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise
        finally:
            self._open -= 1
            if not self._open:
                self._rest = loop.call_later(REST, self.end)

    def end(self) -> None:
        """Kill the process and drop waiting work. Later work starts another process."""
        if self._rest is not None:
            self._rest.cancel()
        if self._pool is not None:
            # Long work would hold up the end. Python 3.14 has a public way, `kill_workers`.
            for process in list(self._pool._processes.values()):  # noqa: SLF001
                process.kill()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _begin_limited() -> None:
    _belong_to_server()
    limit_memory()


def _then_yield(work: Callable[..., T], *given: object) -> T:
    """Return or raise what the work does, and yield to the server from then on."""
    try:
        return work(*given)
    finally:
        _yield_to_server()
