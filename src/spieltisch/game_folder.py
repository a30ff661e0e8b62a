"""What a game's folder brings: modules, each with a class, and files. What is wrong there is said in a sentence that
names the file, because somebody may be writing their first game.
"""

import traceback
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import msgspec
from msgspec import Struct

from spieltisch import extras
from spieltisch.game import Invalid, Refused

T = TypeVar("T")


class UnusableGameError(Invalid):
    """Something in a game's folder is missing or wrong."""


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """What `box.toml` says. Its texts are messages, translated like all others."""

    title: str = ""
    glyph: str = "logo"  # an id of the sprite
    accent: str = ""  # the class of the accent colour
    cls: str = msgspec.field(default="", name="class")  # of the page
    place: float = 99  # on the home page
    minutes: int = 0
    pitch: str = ""
    credit: str = ""


@contextmanager
def told(package: str) -> Generator[None]:
    """Around what runs a game's own code: its errors become an UnusableGameError with the line. An extra that is
    missing is not the game's fault.
    """
    try:
        yield
    except UnusableGameError:
        raise
    except Exception as error:
        if isinstance(error, ImportError) and extras.bringing(error) is not None:
            raise
        raise _failed(error, package) from error


def class_in(module: ModuleType, name: str, base: type[T]) -> type[T]:
    """Return the class of this name. Raises UnusableGameError unless it extends `base`."""
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, base):
        return found
    raise UnusableGameError(
        "{file} needs a class {name} that extends {base}",
        file=module.__file__, name=name, base=f"{base.__module__}.{base.__name__}",
    )  # fmt: skip


def box_of(folder: Path) -> Box:
    """What the folder's `box.toml` says. Raises UnusableGameError if it cannot be read."""
    file = folder / "box.toml"
    try:
        return msgspec.toml.decode(file.read_bytes(), type=Box) if file.is_file() else Box()
    except (ValueError, OSError) as error:
        raise unusable(file, error) from error


def unusable(file: Path, error: Exception) -> UnusableGameError:
    """The error that says why this file cannot be used."""
    said = isinstance(error, Refused | ValueError | OSError)  # others say little without their name
    reason = _reason(error) if said else f"{type(error).__name__}: {_reason(error)}"
    return UnusableGameError("{file}: {reason}", file=file, reason=reason)


def _failed(error: Exception, package: str) -> UnusableGameError:
    """The error with the line: the last one of the game's own code that ran."""
    if isinstance(error, SyntaxError):
        file, line, reason = error.filename, error.lineno, error.msg
    else:
        ran = traceback.extract_tb(error.__traceback__)
        folder = next(iter(import_module(package).__path__))
        last = ([frame for frame in ran if Path(frame.filename).is_relative_to(folder)] or ran)[-1]
        file, line, reason = last.filename, last.lineno, f"{type(error).__name__}: {_reason(error)}"
    return UnusableGameError("{file}, line {number}: {reason}", file=file, number=line, reason=reason)


def _reason(error: Exception) -> str:
    return f"{error}".partition("\n")[0].strip() or type(error).__name__
