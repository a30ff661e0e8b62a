"""How often keys that are made from the server's secret were renewed: what was given out before opens nothing any more.

It lies in a file beside the decks, so that the server and the command line renew alike, also while the server runs.
"""

from pathlib import Path

import msgspec

from spieltisch import paths
from spieltisch.decks.files import Files, read_json, version


class Renewals:
    """The renewals in the file of this folder, written by `files`; without a folder nothing can be renewed."""

    def __init__(self, folder: Path | None, files: Files) -> None:
        self._file = None if folder is None else folder / paths.KEYS
        self._files = files
        self._read: tuple[int, dict[str, int]] = (0, {})

    def signed(self, what: str) -> str:
        """What a key for this is the signature of."""
        times = self._times().get(what, 0)
        return f"{what} #{times}" if times else what

    async def renew(self, *whats: str) -> None:
        """From now on there are other keys for these. OSError, or Unsaved, where that cannot be written, or there is no
        folder.
        """
        if self._file is None:
            raise FileNotFoundError(paths.KEYS)
        written = False
        while not written:  # somebody else may be renewing another one
            times = self._times()
            more = msgspec.json.encode(times | {what: times.get(what, 0) + 1 for what in whats})
            written = await self._files.put(self._file, more, self._read[0])

    def _times(self) -> dict[str, int]:
        """DataError if the file is damaged: no old key comes back to life by that."""
        if self._file is None:
            return {}
        if (now := version(self._file)) != self._read[0]:
            self._read = (now, read_json(self._file, dict[str, int], {}))
        return self._read[1]
