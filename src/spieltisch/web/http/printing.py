"""Decks on paper, where what prints them is installed: pages do not know the typesetter, they find it at run time."""

import importlib
from collections.abc import Callable

from spieltisch import extras
from spieltisch.game import Refused


class CannotPrint(Refused):
    """The extra `print` is not installed."""


def typesetter() -> Callable[..., bytes]:
    """`spieltisch.paper.pdf.typeset`. Raises CannotPrint if the extra `print` is not installed."""
    try:
        return importlib.import_module("spieltisch.paper.pdf").typeset
    except ModuleNotFoundError as missing:
        if extras.bringing(missing) is None:
            raise
        text = "This server cannot print. Whoever runs it installs that with: {command}"
        raise CannotPrint(text, command=extras.command("print")) from None
