"""Print decks and reports, if the extra `print` is installed, in a process of its own.

The typesetter never gives memory back, so it must not run in the server.
"""

import importlib
import importlib.util
from pathlib import Path
from typing import Literal

import msgspec

from spieltisch import extras
from spieltisch.decks.check import open_deck
from spieltisch.game import Refused
from spieltisch.i18n import Terms


class CannotPrint(Refused):
    """The extra `print` is not installed."""


def require_printer() -> None:
    """Raise CannotPrint unless the extra `print` is installed."""
    if importlib.util.find_spec("typst") is None:
        text = "This server cannot print. Whoever runs it installs that with: {command}"
        raise CannotPrint(text, command=extras.command("print"))


def print_deck(path: Path, lang: str, paper: Literal["a4", "letter"], terms: Terms) -> bytes:
    """Return the deck in this file as a PDF."""
    return importlib.import_module("spieltisch.paper.pdf").typeset(open_deck(path), lang, paper, terms)


def print_report(said: bytes) -> bytes:
    """Return a class report (JSON) as a PDF: see `spieltisch.paper.report.typeset`."""
    return importlib.import_module("spieltisch.paper.report").typeset(msgspec.json.decode(said))
