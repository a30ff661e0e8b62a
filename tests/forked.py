"""Processes beside a test's site are forked from one that has loaded what they need.

A server starts each anew, which takes a second; so do the tests of such processes and of real servers.
"""

import contextlib
import multiprocessing
import os
from multiprocessing import forkserver
from pathlib import Path

import pytest

from spieltisch import bounded

multiprocessing.set_forkserver_preload(["loaded"])


def _settings():
    """What the product reads of the environment."""
    return {name: value for name, value in os.environ.items() if name.startswith(("SPIELTISCH_", "XDG_", "L", "TZ"))}


class _Forking:
    """Stands in for `multiprocessing` in `bounded`."""

    usual = _settings()

    def get_context(self, way):
        """Settings are read while modules are loaded: with others than usual, they are loaded anew."""
        if _settings() != self.usual:
            return multiprocessing.get_context(way)
        with pytest.MonkeyPatch.context() as here:
            here.setenv("PYTHONPATH", str(Path(__file__).parent))
            forkserver.ensure_running()
        return multiprocessing.get_context("forkserver")


@contextlib.contextmanager
def forking():
    """Let `bounded` fork its processes."""
    before, bounded.multiprocessing = bounded.multiprocessing, _Forking()  # ty: ignore[invalid-assignment]
    try:
        yield
    finally:
        bounded.multiprocessing = before
