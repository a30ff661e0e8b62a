"""How often keys that are made from the server's secret were renewed: what was given out before opens nothing any more.

It lies in a file beside the decks, so that the server and the command line renew alike, also while the server runs.
"""

from pathlib import Path

import msgspec

from spieltisch.decks.library import put

FILE = "keys.json"


class Renewals:
    """The renewals in the file of this folder; without a folder nothing can be renewed."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / FILE
        self._read: tuple[int, dict[str, int]] = (0, {})

    def signed(self, what: str) -> str:
        """What a key for this is the signature of."""
        times = self._times().get(what, 0)
        return f"{what} #{times}" if times else what

    def renew(self, what: str) -> None:
        """From now on there is another key for this. OSError where that cannot be written, or there is no folder."""
        if self._file is None:
            raise FileNotFoundError(FILE)
        times = self._times()
        put(self._file, msgspec.json.encode(times | {what: times.get(what, 0) + 1}))

    def _times(self) -> dict[str, int]:
        """ValidationError for a file that somebody has damaged: no old key comes back to life by that."""
        if self._file is None:
            return {}
        try:
            changed = self._file.stat().st_mtime_ns
        except FileNotFoundError:
            return {}
        if changed != self._read[0]:
            self._read = (changed, msgspec.json.decode(self._file.read_bytes(), type=dict[str, int]))
        return self._read[1]
