"""Decks and reports on paper, where what prints them is installed: pages find the typesetter at run time."""

import importlib
from collections.abc import Callable
from types import ModuleType

from spieltisch import extras
from spieltisch.game import Refused


class CannotPrint(Refused):
    """The extra `print` is not installed."""


def typesetter() -> Callable[..., bytes]:
    """`spieltisch.paper.pdf.typeset`, for decks. Raises CannotPrint if the extra `print` is not installed."""
    return _found("spieltisch.paper.pdf").typeset


def report_printer() -> Callable[..., bytes]:
    """`spieltisch.paper.report.typeset`, for the report of a class. CannotPrint likewise."""
    return _found("spieltisch.paper.report").typeset


def _found(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if extras.bringing(missing) is None:
            raise
        text = "This server cannot print. Whoever runs it installs that with: {command}"
        raise CannotPrint(text, command=extras.command("print")) from None
