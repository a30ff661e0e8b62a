"""Known results of random deals, one letter for each, so that later runs can continue.

The file is text. Its first line says what the deals are (deck, seed, seconds for each deal, version of the rules).
Every further line has the letters of a hundred deals, from deal 0 on: `w` winnable, `l` not winnable, `u` undecided in
that time. `W`, `L`, `U` mean the same for a deal that was undecided at first and then solved for longer. Wins and
losses are proven, whichever machine solved them; only undecided deals depend on the machine.
"""

from pathlib import Path

import msgspec

from spieltisch.game import Invalid

LETTERS = {True: b"w", False: b"l", None: b"u"}
LINE = 100  # deals


def read(file: Path, about: dict[str, object]) -> bytearray:
    """The letters in a file. Raises Invalid if they belong to other deals than `about`, or are not letters; OSError if
    the file cannot be read.
    """
    head, *lines = file.read_bytes().splitlines() or [b""]
    try:
        said = msgspec.json.decode(head, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        said = {}
    if {key: said.get(key) for key in about} != about:
        raise Invalid("{file} holds results of something else: {about}", file=file, about=head[:200].decode("latin-1"))
    letters = b"".join(lines)
    if letters.translate(None, b"wluWLU") or any(len(line) != LINE for line in lines[:-1]):
        raise Invalid("{file} holds lines that are not the letters of {n} deals", file=file, n=LINE)
    return bytearray(letters)


class Known:
    """The letters of the deals 0, 1, 2 …, and the file to which each is written at once, if there is one."""

    def __init__(self, about: dict[str, object], file: Path | None = None) -> None:
        """`about` says what the deals are. Raises what `read` raises; OSError if the file cannot be written."""
        self.letters, self._file = bytearray(), None
        if file is None:
            return
        head = msgspec.json.encode(about) + b"\n"
        if file.exists() and file.stat().st_size:
            self.letters = read(file, about)
        self._file = file.open("r+b" if file.exists() else "wb", buffering=0)
        self._file.write(head)
        self._begin = len(head)

    def add(self, deal: int, winnable: bool | None) -> None:
        """Add the answer for the next deal, or a second answer for an undecided one. Raises OSError if it cannot be
        written.
        """
        letter = LETTERS[winnable]
        if deal == len(self.letters):
            self.letters += letter
        else:
            self.letters[deal : deal + 1] = letter.upper()
        if self._file is not None:
            first = deal - deal % LINE
            self._file.seek(self._begin + first + first // LINE)
            self._file.write(bytes(self.letters[first : first + LINE]) + b"\n")

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
