"""What is known of random deals, a letter a deal: who wants to know more goes on from there.

The file is text. Its first line says what the deals are (deck, seed, seconds a deal, version of the rules), and every
further one has the letters of a hundred deals, from deal 0 on: `w` can be won, `l` cannot, `u` was not decided in that
time; `W`, `L`, `U` the same of a deal that was not decided at first and then solved for longer. Won and lost are
proven, whoever solves them; only what is not decided hangs on the machine.
"""

from pathlib import Path

import msgspec

from spieltisch.game import Invalid

LETTERS = {True: b"w", False: b"l", None: b"u"}
LINE = 100  # deals


def read(file: Path, about: dict[str, object]) -> bytearray:
    """The letters that stand in a file. Raises Invalid where they are of other deals than those that `about` says, or
    none; OSError where it cannot be read.
    """
    head, *lines = file.read_bytes().splitlines()
    try:
        said = msgspec.json.decode(head, type=dict[str, object])
    except msgspec.DecodeError:
        said = {}
    if {key: said.get(key) for key in about} != about:
        raise Invalid("{file} holds results of something else: {about}", file=file, about=head[:200].decode("latin-1"))
    letters = b"".join(lines)
    if letters.translate(None, b"wluWLU") or any(len(line) != LINE for line in lines[:-1]):
        raise Invalid("{file} holds lines that are not the letters of {n} deals", file=file, n=LINE)
    return bytearray(letters)


class Known:
    """The letters of the deals 0, 1, 2 …, and the file in which every one stands at once, if they are to be kept."""

    def __init__(self, about: dict[str, object], file: Path | None = None) -> None:
        """`about`: what the deals are. Raises what `read` raises; OSError where the file cannot be written."""
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
        """The answer of the next deal, or a second one of a deal that was not decided. Raises OSError where it cannot
        be written.
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
        """Nothing more is added."""
        if self._file is not None:
            self._file.close()
