"""Files in which results are kept line by line, as they are found: what stands there is not found out again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from spieltisch.game import Invalid

T = TypeVar("T")


class KeptFile(Generic[T]):
    """A file of JSON with a line for each result; its first line says of what they are results.

    Opened, it is written to: a folder where one may not write says so before any work is done. A last line without
    its end, left by a full disk or a fall of the power, is dropped and found again.
    """

    def __init__(self, file: Path, about: Any, kind: type[T]) -> None:
        """Raises Invalid where the file holds something else, or a line that cannot be read; OSError where it can be
        neither read nor written.
        """
        self._file, self._kind = file, kind
        head = msgspec.json.encode(about)
        self._end = 0
        if file.exists() and not file.is_file():
            raise Invalid("{file} is no file in which results could be kept", file=file)
        self.found: list[T] = list(self._read(head)) if file.exists() else []
        with file.open("ab") as kept:
            if self._end == 0:
                kept.truncate(0)
                kept.write(head + b"\n")
            elif kept.tell() > self._end:
                kept.truncate(self._end)

    def _read(self, head: bytes) -> Iterator[T]:
        with self._file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    return
                if number == 1:
                    if line.rstrip() != head:
                        said = "{file} holds results of something else: {about}"
                        raise Invalid(said, file=self._file, about=line[:200].decode(errors="replace").strip())
                else:
                    try:
                        yield msgspec.json.decode(line, type=self._kind)
                    except msgspec.DecodeError as wrong:
                        said = "{file}, line {number}: {reason}"
                        raise Invalid(said, file=self._file, number=number, reason=wrong) from None
                self._end += len(line)

    def add(self, several: list[T]) -> None:
        """Write results down. Raises OSError where that cannot be done."""
        with self._file.open("ab") as kept:
            kept.write(b"".join(msgspec.json.encode(one) + b"\n" for one in several))
