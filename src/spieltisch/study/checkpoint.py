"""Files in which results are kept line by line, as they are found: what stands there is not found out again."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from spieltisch import progress as bars
from spieltisch.game import Invalid
from spieltisch.study import workers

T = TypeVar("T")
Progress = Callable[[int], None]


class Numbered(Protocol):
    """A result that has its number."""

    @property
    def number(self) -> int: ...


N = TypeVar("N", bound=Numbered)


class KeptFile(Generic[T]):
    """A file of JSON with a line for each result; its first line says of what they are results.

    Opened, it is written to: a folder where one may not write says so before any work is done. A last line without
    its end, left by a full disk or a fall of the power, is dropped and found again. Without a file nothing is kept.
    """

    def __init__(self, file: str | Path | None, about: object, kind: type[T]) -> None:
        """Raises Invalid where the file holds something else, or a line that cannot be read; OSError where it can be
        neither read nor written.
        """
        self.found: list[T] = []
        self._file, self._kind, self._end = None if file is None else Path(file), kind, 0
        if self._file is not None:
            self._open(self._file, msgspec.json.encode(about))

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
                    except msgspec.DecodeError as wrong:
                        where = {"file": file, "number": number}
                        raise Invalid("{file}, line {number}: {reason}", **where, reason=wrong) from None
                self._end += len(line)

    def add(self, several: list[T]) -> None:
        """Write results down. Raises OSError where that cannot be done."""
        if self._file is None:
            return
        with self._file.open("ab") as kept:
            kept.write(b"".join(msgspec.json.encode(one) + b"\n" for one in several))


def gather(
    work: Callable[[Sequence[int]], list[N]],
    numbers: range,
    size: int,
    on: str | int,
    keep: str | Path | None,
    about: object,
    kind: type[N],
) -> list[N]:
    """What `work` finds of these numbers, so many at a time, in their order; or what there is by Ctrl-C. `keep` is a
    file to which each result is added at once; what stands there is not found again. `about` and `kind` are as for
    `KeptFile`, `on` is as for `workers`. Raises what these raise.
    """
    workers.places(on)
    kept = KeptFile(keep, about, kind)
    found = {one.number: one for one in kept.found if one.number in numbers}
    missing = [number for number in numbers if number not in found]
    pieces = [missing[first : first + size] for first in range(0, len(missing), size)]
    collect(found, workers.run(work, pieces, on), len(numbers), kept)
    return [found[number] for number in sorted(found)]


def collect(
    found: dict[int, N],
    pieces: Iterable[list[N]],
    asked: int,
    kept: KeptFile[N],
    progress: Progress | None = None,
) -> None:
    """Add results to those `found`, by their numbers, and write them down as they come. `progress` hears how many of
    those `asked` there are; by default a terminal and a notebook show a bar. Ctrl-C ends it early, and goes on as
    KeyboardInterrupt where nothing was found yet.
    """
    try:
        with bars.progress(asked) if progress is None else nullcontext(progress) as done:
            done(len(found))
            for some in pieces:
                kept.add(some)
                found |= {one.number: one for one in some}
                done(len(found))
    except KeyboardInterrupt:
        if not found:
            raise
