"""Work in pieces: in this process, in several, or on a Dask cluster. The results are the same everywhere."""

import re
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from spieltisch import extras
from spieltisch.game import Invalid, Refused

P = TypeVar("P")
R = TypeVar("R")

AHEAD = 3  # pieces for each process, so that none waits for this one
TRIES = 3  # times that a piece is begun
MOST = 256  # processes
CONNECTING = 10  # seconds
ALONE = 60  # seconds after which a cluster is asked whether it has workers at all


class LostError(Refused):
    """The same piece of work lost its worker again and again."""


def places(on: str | int) -> int | str:
    """Return the number of processes (1: this one), or the address of a Dask scheduler.

    `on` is N, "processes:N" or "dask://HOST:PORT". Raises Invalid, with a correction, for anything else.
    """
    said = str(on).strip()
    if found := re.fullmatch(r"(?:processes:)?(\d{1,9})", said):
        if 1 <= (count := int(found[1])) <= MOST:
            return count
        raise Invalid("use 1 to {most} processes, not {n}", n=count, most=MOST)
    if found := re.fullmatch(r"dask://([^/\s]+:\d+)/?", said):
        return f"tcp://{found[1]}"
    raise Invalid("work runs on processes:N or dask://HOST:PORT, not on {on}", on=repr(said))


def run(work: Callable[[P], R], pieces: Iterable[P], on: str | int = 1) -> Iterator[R]:
    """Yield the result of `work` for each piece, in order, as soon as it is there.

    `work` must depend on its piece alone and be picklable. `on` is as for `places`. Pieces of a worker that dies are
    started again. Raises Invalid for a wrong `on` or if no scheduler answers, LostError if a piece loses its worker
    three times, MissingExtraError if Dask is not installed, and what `work` raises.
    """
    where = places(on)
    if where == 1:
        return map(work, pieces)
    return _in_processes(work, pieces, where) if isinstance(where, int) else _on_dask(work, pieces, where)


def _in_processes(work: Callable[[P], R], pieces: Iterable[P], count: int) -> Iterator[R]:
    left, tries = iter(pieces), 1
    ahead: deque[tuple[P, Future[R] | None]] = deque()  # None: to be begun
    pool = _pool(count)
    try:
        while True:
            ahead.extend((piece, None) for piece in islice(left, AHEAD * count - len(ahead)))
            if not ahead:
                return
            try:
                for place, (piece, future) in enumerate(ahead):
                    if future is None:
                        ahead[place] = piece, pool.submit(work, piece)
                first = ahead[0][1]
                assert first is not None
                found = first.result()
            except BrokenProcessPool:
                if tries == TRIES:
                    raise LostError("the worker processes crashed {n} times at the same task", n=TRIES) from None
                tries += 1
                pool.shutdown()
                pool = _pool(count)
                ahead = deque((piece, future if _is_there(future) else None) for piece, future in ahead)
                continue
            tries = 1
            ahead.popleft()
            yield found
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(count: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, initializer=_leave_interrupts)


def _leave_interrupts() -> None:
    """Ignore Ctrl-C, which reaches all processes of a terminal. The main process decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _is_there(future: Future[R] | None) -> bool:
    return future is not None and future.done() and not future.cancelled() and future.exception() is None


def _on_dask(work: Callable[[P], R], pieces: Iterable[P], address: str) -> Iterator[R]:
    with extras.needed():
        from distributed import Client, KilledWorker  # noqa: PLC0415 - an extra brings it
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except OSError:
        raise Invalid("no Dask scheduler answers at {address}", address=address.replace("tcp", "dask", 1)) from None
    with client:
        left, ahead = iter(pieces), deque()
        while True:
            cores = max(1, sum(client.ncores().values()))
            for piece in islice(left, max(0, AHEAD * cores - len(ahead))):
                ahead.append(client.submit(work, piece, pure=False))
            if not ahead:
                return
            try:
                found = ahead[0].result(timeout=ALONE)
            except KilledWorker:
                raise LostError("the cluster’s workers kept crashing at the same task") from None
            except TimeoutError:
                if ahead[0].done() or client.ncores():
                    continue
                raise LostError("the cluster had no worker for up to {n} seconds", n=ALONE) from None
            ahead.popleft()
            yield found
