"""What pages use if an extra has installed it: the typesetter and the lab. Both run in a process of their own.

The web imports these packages here only, and late. `pyproject.toml` lists each import.
"""

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from spieltisch import extras
from spieltisch.decks.check import open_deck
from spieltisch.game import Invalid, Refused
from spieltisch.i18n import N_, Terms


class CannotPrint(Refused):
    """The extra `print` is not installed."""


def require_printer() -> None:
    """Raise CannotPrint unless the extra `print` is installed."""
    if importlib.util.find_spec("typst") is None:
        text = N_("This server cannot print. The host can install that with: {command}")
        raise CannotPrint(text, command=extras.command("print"))


def print_deck(path: Path, lang: str, paper: Literal["a4", "letter"], terms: Terms) -> bytes:
    """Return the deck in this file as a PDF. The typesetter never gives memory back: do not run this in the server."""
    from spieltisch.paper import pdf  # noqa: PLC0415 - installed on request

    return pdf.typeset(open_deck(path), lang, paper, terms)


def print_report(said: bytes) -> bytes:
    """Return a class report (JSON) as a PDF: see `spieltisch.paper.class_report.typeset`. As above."""
    from spieltisch.paper import class_report  # noqa: PLC0415 - installed on request

    return class_report.typeset(msgspec.json.decode(said))


def examine_deck(path: Path, games: int, links: Mapping[str, str], tell: Callable[[int], None]) -> dict[str, str]:
    """Return what the lab finds, by language: see `study.lab.page.in_each`. Raises Invalid without the lab."""
    try:
        from spieltisch.study.lab import page  # noqa: PLC0415 - installed on request
    except ModuleNotFoundError as missing:
        if extras.bringing(missing) is None:
            raise
        raise Invalid(
            "This server has no lab. The host can install it with: {command}", command=extras.command("study")
        ) from None
    return page.in_each(path, games, links, tell)
