"""Checkpoint files: results are appended line by line, so an interrupted computation continues where it stopped."""

import shutil
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from spieltisch import progress as bars
from spieltisch.game import Invalid, Refused
from spieltisch.i18n import N_
from spieltisch.study import workers

R = TypeVar("R")
T = TypeVar("T")
Progress = Callable[[int], None]


class Numbered(Protocol):
    """A result with a number."""

    @property
    def number(self) -> int: ...


N = TypeVar("N", bound=Numbered)


class KeptFile(Generic[T]):
    """A JSON Lines file of results. Its first line describes the computation.

    Opening it writes to it, so a read-only folder fails before any work is done. An incomplete last line, left by a
    full disk or a power cut, is dropped and computed again. With `file` None, nothing is kept.
    """

    def __init__(self, file: str | Path | None, about: object, kind: type[T]) -> None:
        """Raises Invalid if the file holds other results or an unreadable line, OSError if it cannot be read or
        written.
        """
        self.found: list[T] = []
        self.file, self._kind, self._end = None if file is None else Path(file), kind, 0
        if self.file is not None:
            self._open(self.file, msgspec.json.encode(about))
        self.is_empty = not self.found

    def _open(self, file: Path, head: bytes) -> None:
        if file.exists():
            if not file.is_file():
                raise Invalid("{file} is not a file, so it cannot keep results", file=file)
            self.found += self._read(file, head)
        with file.open("ab") as kept:
            if self._end == 0:
                kept.truncate(0)
                kept.write(head + b"\n")
            elif kept.tell() > self._end:
                kept.truncate(self._end)

    def _read(self, file: Path, head: bytes) -> Iterator[T]:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    return
                if number == 1:
                    if line.rstrip() != head:
                        about = line[:200].decode(errors="replace").strip()
                        raise Invalid("{file} holds results of something else: {about}", file=file, about=about)
                else:
                    try:
                        yield msgspec.json.decode(line, type=self._kind)
                    except (msgspec.DecodeError, RecursionError) as wrong:
                        where = {"file": file, "number": number}
                        raise Invalid("{file}, line {number}: {reason}", **where, reason=wrong) from None
                self._end += len(line)

    def add(self, several: list[T]) -> None:
        """Append results. Raises OSError if that fails."""
        if self.file is None:
            return
        with self.file.open("ab") as kept:
            kept.write(b"".join(msgspec.json.encode(one) + b"\n" for one in several))
        self.is_empty = False

    def sort(self) -> None:
        """Put the results in the order of their numbers, so that the file is the same wherever they were computed.

        If there is no room for a second file, it stays as it is: it has all results, too.
        """
        if self.file is None:
            return
        file = self.file.resolve()
        head, *lines = file.read_bytes().splitlines(keepends=True)
        in_order = sorted(lines, key=lambda line: msgspec.json.decode(line, type=_Line).number)
        if in_order == lines:
            return
        part = file.with_name(file.name + ".part")
        try:
            part.write_bytes(head + b"".join(in_order))
            shutil.copymode(file, part)
            part.replace(file)
        except OSError:
            part.unlink(missing_ok=True)


class _Line(msgspec.Struct):
    number: int


def gather(
    work: Callable[[Sequence[int]], Iterable[N]],
    numbers: range,
    size: int,
    on: str | int,
    keep: str | Path | None,
    about: object,
    kind: type[N],
) -> list[N]:
    """Return the results of `work` for these numbers, in order. After Ctrl-C, return those found so far.

    `work` gets `size` numbers at a time. `keep` is a checkpoint file: results in it are not computed again. `about` and
    `kind` are as for `KeptFile`, `on` as for `workers`. Raises what these raise.
    """
    workers.places(on)
    kept = KeptFile(keep, about, kind)
    found = {one.number: one for one in kept.found if one.number in numbers}
    missing = [number for number in numbers if number not in found]
    collect(found, arriving(workers.crew(work, workers.batches(missing, size), on), kept), len(numbers), kept)
    return [found[number] for number in sorted(found)]


def _itself(result: Any) -> Any:
    return result


def arriving(crew: workers.Crew[Any, R], kept: KeptFile[N], made: Callable[[R], N] = _itself) -> Generator[N]:
    """Yield each result of the crew as it comes, in any order, once the checkpoint has it.

    `made` turns what the crew brings into a result, and may write other files first. After Ctrl-C or a refusal,
    results that are there already are kept and yielded, too. A refusal then says where they are.
    """

    def keep(brought: R) -> N:
        with workers.held(signal.SIGINT):
            result = made(brought)
            kept.add([result])
            return result

    with crew:
        try:
            yield from map(keep, crew)
        except OSError:  # nothing more can be written
            raise
        except GeneratorExit:
            for brought in crew.stop():
                keep(brought)
            raise
        except BaseException as wrong:
            for brought in crew.stop():
                yield keep(brought)
            if isinstance(wrong, Refused) and kept.file is not None and not kept.is_empty:
                where = N_("{reason}; results so far are in {file}")
                raise type(wrong)(where, reason=wrong, file=kept.file) from wrong
            raise


def collect(
    found: dict[int, N],
    results: Iterable[N],
    asked: int,
    kept: KeptFile[N],
    progress: Progress | None = None,
) -> None:
    """Add these results to `found` by their numbers. Once all are there, sort the checkpoint that has them.

    `progress` gets the number of results out of `asked`; by default terminals and notebooks show a bar. Ctrl-C ends it
    early. If nothing has been found by then, it raises KeyboardInterrupt.
    """
    try:
        with bars.progress(asked) if progress is None else nullcontext(progress) as done:
            done(len(found))
            for one in results:
                found[one.number] = one
                done(len(found))
        if len(found) == asked:
            kept.sort()
    except KeyboardInterrupt:
        if not found:
            raise
