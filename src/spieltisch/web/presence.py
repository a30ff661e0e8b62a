"""Which pages are open at a table now, at this server."""

import contextlib
from collections import Counter
from collections.abc import Generator

from spieltisch.table.log import key_of


class Presence:
    """Counts the open pages of each table by the keys that they have."""

    def __init__(self) -> None:
        self._looking: Counter[tuple[str, str]] = Counter()

    @contextlib.contextmanager
    def looking(self, code: str, key: str) -> Generator[None]:
        """While a page of the table is open with this key."""
        who = (code, key_of(key))
        self._looking[who] += 1
        try:
            yield
        finally:
            self._looking[who] -= 1
            if not self._looking[who]:
                del self._looking[who]

    def is_here(self, code: str, key_hash: str) -> bool:
        """Whether a page of the table is open with the key that has this hash."""
        return (code, key_hash) in self._looking
