"""Work in pieces: in this process, in several, or on a Dask cluster. The results are the same everywhere."""

import contextlib
import os
import re
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from multiprocessing import Pipe, Process, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar, cast

from spieltisch import extras
from spieltisch.game import Invalid, Refused

P = TypeVar("P")
R = TypeVar("R")

AHEAD = 3  # items for each core of a cluster, so that none waits for the network
EARLY = 100  # results that wait for a slower one before them
TRIES = 3  # times that an item is begun
MOST = 256  # processes
CONNECTING = 10  # seconds
ALONE = 60  # seconds after which a cluster is asked whether it has workers at all
ENDING = 3.0  # seconds in which workers end the programs they started, before they are killed


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


def run(work: Callable[[P], R], items: Iterable[P], on: str | int = 1, size: int = 1) -> Iterator[R]:
    """Yield the result of `work` for each item, in order, as soon as it is there.

    `work` must depend on its item alone and be picklable. `on` is as for `places`; processes get `size` items at a
    time. Items of a worker that dies are started again. Raises Invalid for a wrong `on` or if no scheduler answers,
    LostError if an item loses its worker three times, MissingExtraError if Dask is not installed, and what `work`
    raises.
    """
    return _in_order(crew(partial(_numbered, work), batches(enumerate(items), size), on))


def _numbered(work: Callable[[P], R], items: Sequence[tuple[int, P]]) -> Iterator[tuple[int, R]]:
    for number, item in items:
        yield number, work(item)


def _in_order(them: "Crew[Any, tuple[int, R]]") -> Iterator[R]:
    early: dict[int, R] = {}
    wanted = 0
    with them:
        for number, found in them:
            early[number] = found
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1
            them.early = len(early)


def batches(items: Iterable[P], size: int) -> Iterator[list[P]]:
    """Yield the items in lists of this size; the last may be shorter."""
    left = iter(items)
    while batch := [*islice(left, size)]:
        yield batch


@contextlib.contextmanager
def held(number: int) -> Generator[None]:
    """Let this signal wait until the end of the block, so that nothing is left half done. A second one does not."""
    if threading.current_thread() is not threading.main_thread():
        yield  # others get no signals
        return
    before, came = signal.getsignal(number), False

    def note(*given: Any) -> None:
        nonlocal came
        if came and callable(before):
            before(*given)
        came = True

    signal.signal(number, note)
    try:
        yield
    finally:
        signal.signal(number, before)
        if came:
            signal.raise_signal(number)


class Crew(Generic[P, R]):
    """Works on pieces, which are lists of items. Iterating yields each result as it comes, in any order.

    `work` yields a result for each item of a piece, in order. No piece is taken before somebody is free to begin it.
    Leaving the `with` block ends all work. While `early`, the results that wait for another one, are many, no new
    piece begins.
    """

    early = 0

    def __init__(self, work: Callable[[Sequence[P]], Iterable[R]], pieces: Iterable[Sequence[P]]) -> None:
        self._work, self._pieces = work, iter(pieces)

    def __iter__(self) -> Iterator[R]:
        for piece in self._pieces:
            yield from self._work(piece)

    def stop(self) -> list[R]:
        """End what is under way, and return the results that nobody has got yet."""
        return []

    def __enter__(self) -> "Crew[P, R]":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def crew(
    work: Callable[[Sequence[P]], Iterable[R]],
    pieces: Iterable[Sequence[P]],
    on: str | int = 1,
    ahead: int = AHEAD,
) -> Crew[P, R]:
    """Return those who work on these pieces. `on` is as for `places`; each core of a cluster has `ahead` items."""
    where = places(on)
    if where == 1:
        return Crew(work, pieces)
    return _Processes(work, pieces, where) if isinstance(where, int) else _Cluster(work, pieces, where, ahead)


class _Task(Generic[P]):
    """The rest of a piece. The first item has lost this many workers."""

    def __init__(self, items: Sequence[P]) -> None:
        self.items, self.lost = deque(items), 0


class _Worker(Generic[P, R]):
    """A process that works on one piece after the other."""

    def __init__(self, work: Callable[[Sequence[P]], Iterable[R]]) -> None:
        self.task: _Task[P] = _Task(())
        self.line, other = Pipe()
        self.process = Process(target=_serve, args=(work, other), daemon=True)
        self.process.start()
        other.close()

    def begin(self, task: _Task[P]) -> None:
        self.task = task
        with contextlib.suppress(OSError):  # it has died, as reading will show
            self.line.send([*task.items])


class _Processes(Crew[P, R]):
    """Several processes. Each ends with this one, however that ends."""

    def __init__(self, work: Callable[[Sequence[P]], Iterable[R]], pieces: Iterable[Sequence[P]], count: int) -> None:
        super().__init__(work, pieces)
        self._count = count
        self._again: list[_Task[P]] = []  # their workers died
        self._busy: dict[Connection, _Worker[P, R]] = {}
        self._idle: list[_Worker[P, R]] = []
        self._arrived: deque[R] = deque()

    def __iter__(self) -> Iterator[R]:
        while self._hand_out():
            for line in _readable(self._busy):
                with held(signal.SIGINT):
                    self._hear(line)
            while self._arrived:
                yield self._arrived.popleft()

    def _hand_out(self) -> bool:
        """Give each free process a piece. Returns whether any is at work."""
        while len(self._busy) < self._count and (task := self._task()) is not None:
            with held(signal.SIGINT):  # also for the new process, until it ignores it
                worker = self._idle.pop() if self._idle else _Worker(self._work)
                self._busy[worker.line] = worker
                worker.begin(task)
        return bool(self._busy)

    def _task(self) -> _Task[P] | None:
        if self._again:
            return self._again.pop()
        piece = next(self._pieces, None) if self.early < EARLY else None
        return None if piece is None else _Task(piece)

    def _hear(self, line: Connection) -> None:
        """Take what a worker has sent: a result, an error, or word that the piece is done."""
        worker = self._busy[line]
        try:
            is_result, said = line.recv()
        except (EOFError, OSError):
            del self._busy[line]
            self._replace(worker)
            return
        if is_result:
            worker.task.items.popleft()
            worker.task.lost = 0
            self._arrived.append(said)
        elif said is None:
            self._idle.append(self._busy.pop(line))
        else:
            raise said

    def _replace(self, worker: _Worker[P, R]) -> None:
        """Let another worker do what this one, which has died, was about to do."""
        worker.process.join()
        worker.line.close()
        if not worker.task.items:
            return
        worker.task.lost += 1
        if worker.task.lost == TRIES:
            raise LostError("the worker processes crashed {n} times at the same task", n=TRIES)
        self._again.append(worker.task)

    def stop(self) -> list[R]:
        lines, workers = [*self._busy], [*self._busy.values(), *self._idle]
        self._busy, self._idle = {}, []
        try:
            for worker in workers:
                worker.process.terminate()
            late = time.monotonic() + ENDING
            while lines and (left := late - time.monotonic()) > 0:
                for line in _readable(lines, left):
                    try:
                        is_result, said = line.recv()
                    except (EOFError, OSError):
                        lines.remove(line)
                        continue
                    if is_result:
                        self._arrived.append(said)
            for worker in workers:
                worker.process.join(max(0.0, late - time.monotonic()))
        finally:
            for worker in workers:
                worker.process.kill()
                worker.process.join()
                worker.line.close()
        found, self._arrived = [*self._arrived], deque()
        return found


def _readable(lines: Iterable[Connection], seconds: float | None = None) -> list[Connection]:
    """The lines that have something to read, or whose other end is closed."""
    return cast("list[Connection]", wait([*lines], seconds))


def _serve(work: Callable[[Sequence[P]], Iterable[R]], line: Connection) -> None:
    """Work on the pieces that come, and send each result as it is there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the main one decides
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):  # nobody is there any more
        while True:
            piece = line.recv()
            try:
                for found in work(piece):
                    with held(signal.SIGTERM):
                        line.send((True, found))
                line.send((False, None))
            except Exception as error:  # noqa: BLE001 - raised where the result was asked for
                error.add_note("".join(traceback.format_exception(error)))
                line.send((False, error))


def _leave(*_: object) -> None:
    """Leave all blocks, so that programs are ended and files deleted."""
    raise SystemExit(1)


def _end_with_parent() -> None:
    """End this process when its parent is gone. A killed parent tells nobody, and with several processes, siblings
    hold the other end of its pipes.
    """
    parent, number = parent_process(), os.getppid()
    assert parent is not None
    while parent.is_alive() and os.getppid() == number:
        parent.join(1)
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):  # not on Windows
        signal.pthread_kill(main, signal.SIGTERM)
        time.sleep(ENDING)
    os._exit(1)


class _Cluster(Crew[P, R]):
    """The workers of a Dask cluster. Their results come one by one, so each item is a task."""

    def __init__(
        self, work: Callable[[Sequence[P]], Iterable[R]], pieces: Iterable[Sequence[P]], address: str, ahead: int
    ) -> None:
        super().__init__(work, pieces)
        self._address, self._each = address, ahead
        self._client: Any = None
        self._ahead: list[Any] = []

    def __iter__(self) -> Iterator[R]:
        with extras.needed():
            from distributed import Client, KilledWorker  # noqa: PLC0415 - an extra brings it
            from distributed import wait as until  # noqa: PLC0415
        try:
            self._client = Client(self._address, timeout=CONNECTING, set_as_default=False)
        except OSError:
            where = self._address.replace("tcp", "dask", 1)
            raise Invalid("no Dask scheduler answers at {address}", address=where) from None
        items = chain.from_iterable(self._pieces)
        while True:
            cores = max(1, sum(self._client.ncores().values()))
            free = self._each * cores - len(self._ahead) if self.early < EARLY else 0
            for item in islice(items, max(0, free)):
                self._ahead.append(self._client.submit(_listed, self._work, item, pure=False))
            if not self._ahead:
                return
            try:
                with self._client.as_current():
                    until(self._ahead, timeout=ALONE, return_when="FIRST_COMPLETED")
            except TimeoutError:
                if self._client.ncores():
                    continue
                raise LostError("the cluster had no worker for up to {n} seconds", n=ALONE) from None
            for future in [one for one in self._ahead if one.done()]:
                self._ahead.remove(future)
                try:
                    yield from future.result()
                except KilledWorker:
                    raise LostError("the cluster’s workers kept crashing at the same task") from None

    def stop(self) -> list[R]:
        found = [one for future in self._ahead if future.status == "finished" for one in future.result()]
        self._ahead = []
        if self._client is not None:
            self._client.close()
            self._client = None
        return found


def _listed(work: Callable[[Sequence[P]], Iterable[R]], item: P) -> list[R]:
    return [*work([item])]
