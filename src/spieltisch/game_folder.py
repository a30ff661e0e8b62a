"""What a game's folder brings: modules, each with a class, and files. What is wrong there is said in a sentence that
names the file, because somebody may be writing their first game.
"""

import functools
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import ModuleType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from spieltisch import extras
from spieltisch.game import Invalid, Refused

T = TypeVar("T")

LONGEST = 60  # characters of a wrong value in an error


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
def told(package: str | Path) -> Generator[None]:
    """Around what runs a game's own code, by its Python package or its folder: its errors become an UnusableGameError
    with the line. An extra that is missing is not the game's fault.
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


def fits(value: Any, shape: Any) -> bool:
    """Whether a value is of this type, as far as that can be seen from outside."""
    origin, inner = get_origin(shape) or shape, get_args(shape)
    if origin is Any or isinstance(origin, TypeVar):
        return True
    if origin is Literal:
        return value in inner
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inner)
    if origin is Callable:
        return callable(value)
    if origin is None:
        return value is None
    if origin is float:
        origin = int | float
    if not isinstance(value, origin) or (isinstance(value, str) and origin is Sequence):
        return False
    if isinstance(value, Mapping):
        return not inner or all(fits(key, inner[0]) and fits(one, inner[1]) for key, one in value.items())
    if isinstance(value, tuple) and origin is tuple and inner[1:] not in ((), (...,)):
        return len(value) == len(inner) and all(map(fits, value, inner))
    return not (inner and isinstance(value, Sequence | AbstractSet)) or all(fits(one, inner[0]) for one in value)


def require_values(part: object, base: type) -> None:
    """Raise UnusableGameError unless the values of this object, or class, have the types that `base` names."""
    cls = part if isinstance(part, type) else type(part)
    for name, shape in _shapes(base).items():
        if not fits(value := getattr(part, name), shape):
            raise UnusableGameError(
                "{file}, line {number}: `{name}` is {value}, but has to be {shape}",
                **_line_of(cls, name), name=name, value=_brief(value), shape=_written(shape),
            )  # fmt: skip


def asked(part: object, base: type[object], method: str, *given: object) -> Any:
    """What a method of a game returns. Raises UnusableGameError unless it is what the method of `base` promises."""
    value, shape = getattr(part, method)(*given), get_type_hints(getattr(base, method))["return"]
    if fits(value, shape):
        return value
    raise UnusableGameError(
        "{file}, line {number}: `{name}` returns {value}, but has to return {shape}",
        **_line_of(type(part), method), name=method, value=_brief(value), shape=_written(shape),
    )  # fmt: skip


def wrong_value(part: object, name: str, reason: Refused) -> UnusableGameError:
    """The error for a value of a game that is refused, with its line."""
    said = f"{name}: {reason}"
    return UnusableGameError("{file}, line {number}: {reason}", **_line_of(type(part), name), reason=said)


@functools.cache
def _shapes(base: type) -> dict[str, Any]:
    return {name: shape for name, shape in get_type_hints(base).items() if hasattr(base, name)}


def _line_of(cls: type, name: str) -> dict[str, object]:
    """The file of a class, and the line where it says what `name` is, or else its first line."""
    try:
        lines, first = inspect.getsourcelines(cls)
    except (OSError, TypeError):
        return {"file": cls.__module__, "number": 1}
    said = (n for n, line in enumerate(lines) if re.match(rf"\s*(async +)?(def +)?{name}\b\s*[:=(]", line))
    return {"file": inspect.getsourcefile(cls), "number": first + next(said, 0)}


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _written(shape: Any) -> str:
    """A type as people write it, without the modules of its parts."""
    plain = isinstance(shape, type) and not get_args(shape)
    return shape.__name__ if plain else re.sub(r"\b\w+\.(?=\w)", "", str(shape))


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


def in_time(seconds: float, folder: Path, use: Callable[[], object]) -> None:
    """Use a game's own code. Raises what it raises, and UnusableGameError, with the line that runs, if it takes longer;
    then it goes on in a thread that keeps nobody waiting.
    """
    raised: list[Exception] = []

    def run() -> None:
        try:
            use()
        except Exception as error:  # noqa: BLE001 - raised below
            raised.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        now = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001 - the one way to see where a thread is
        runs = last_line(traceback.extract_stack(now), folder)
        raise UnusableGameError(
            "{file}, line {number}: this has not ended after {n} seconds",
            file=folder if runs is None else runs.filename, number=runs and runs.lineno, n=round(seconds),
        )  # fmt: skip
    for error in raised:
        raise error


def last_line(calls: Iterable[traceback.FrameSummary], folder: Path) -> traceback.FrameSummary | None:
    """The last of these calls in a game's own code."""
    return next((call for call in reversed([*calls]) if Path(call.filename).is_relative_to(folder)), None)


def _failed(error: Exception, package: str | Path) -> UnusableGameError:
    """The error with the line: the last one of the game's own code that ran."""
    if isinstance(error, SyntaxError):
        file, line, reason = error.filename, error.lineno, error.msg
    else:
        folder = package if isinstance(package, Path) else Path(next(iter(import_module(package).__path__)))
        last = last_line(traceback.extract_tb(error.__traceback__), folder)
        if last is None:
            return unusable(folder, error)
        file, line, reason = last.filename, last.lineno, f"{type(error).__name__}: {_reason(error)}"
    return UnusableGameError("{file}, line {number}: {reason}", file=file, number=line, reason=reason)


def _reason(error: Exception) -> str:
    return f"{error}".partition("\n")[0].strip() or type(error).__name__
