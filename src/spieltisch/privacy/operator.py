"""Who runs a server, as they name themselves: text of some lines, in which addresses of the web are links."""

import re
import unicodedata

LONGEST = 1_000  # characters
_LINK = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:!?)]")


def is_fit(text: str) -> bool:
    """Whether this can stand on a page: not too long, and nothing in it but text and line breaks."""
    return len(text) <= LONGEST and not any(unicodedata.category(sign) in {"Cc", "Cf"} for sign in text if sign != "\n")


def parts(text: str) -> list[list[tuple[str, bool]]]:
    """The lines of a text, each in parts that are links or not."""
    return [_parts(line) for line in text.strip().splitlines()]


def _parts(line: str) -> list[tuple[str, bool]]:
    found, at = [], 0
    for link in _LINK.finditer(line):
        found += [(line[at : link.start()], False), (link[0], True)]
        at = link.end()
    return [(part, is_link) for part, is_link in [*found, (line[at:], False)] if part]
