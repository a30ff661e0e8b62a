"""Parts that are installed on request: `pip install spieltisch` brings rules, records and bots.

The extras are declared in `pyproject.toml`; here stands which modules each of them brings, so that whoever lacks one
is told its command and not the name of a module.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

MODULES: Mapping[str, tuple[str, ...]] = {
    "cli": ("cyclopts", "platformdirs", "rich"),
    "study": ("minijinja", "numba", "numpy", "openskill"),
    "dask": ("distributed",),
    "environments": ("gymnasium", "pettingzoo", "pyspiel"),
    "print": ("markdown_it", "typst"),
    "serve": (
        *("confusable_homoglyphs", "fsrs", "httptools", "litestar", "multipart", "prometheus_client", "regex"),
        *("segno", "uvicorn", "uvloop", "websockets"),
    ),
    "postgres": ("psycopg", "psycopg_pool", "redis"),
}


class MissingExtraError(ImportError):
    """Something asked for needs an extra that is not installed; the message is the command that installs it."""

    def __init__(self, extra: str) -> None:
        super().__init__(f"this needs another package. Install it with: {command(extra)}")
        self.extra = extra

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.extra,)  # how it comes back from another process


def part_of(package: str, part: str) -> ModuleType | None:
    """Return the module of this name in a package, such as `rules` or `study.commands`; None if it brings none. Raises
    ModuleNotFoundError if that module misses another one.
    """
    name = f"{package}.{part}"
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if f"{missing.name}".startswith(f"{package}.") and f"{name}.".startswith(f"{missing.name}."):
            return None
        raise


def command(extra: str) -> str:
    """The command that installs an extra."""
    return f"pip install 'spieltisch[{extra}]'"


def bringing(missing: ImportError) -> str | None:
    """The extra that brings the module that could not be imported; None if none of them does."""
    if isinstance(missing, MissingExtraError):
        return missing.extra
    top = (missing.name or "").partition(".")[0]
    return next((extra for extra, modules in MODULES.items() if top in modules), None)


@contextmanager
def needed(by: str | None = None) -> Generator[None]:
    """Around imports that an extra brings: MissingExtraError, which names its command, where it is not installed.
    `by`: the extra to name for a module that several bring.
    """
    try:
        yield
    except ImportError as missing:
        extra = bringing(missing)
        if extra is None:
            raise
        raise MissingExtraError(by or extra) from missing
