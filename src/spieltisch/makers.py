"""Chooses what computes for a game: its `engine`, compiled by numba, or its `plain`, the same in plain Python.

An engine is compiled once per version and cached for the user. Until it is loaded, or without the extra `study`, the
plain maker answers: at once, and a little weaker. The environment variable SPIELTISCH_ENGINES changes that: `plain`
never uses numba, `compiled` waits for it.

`spieltisch warm` compiles all engines ahead of time.

A game's `engine.batch` plays many games at once, for environments alone. It is compiled apart, when one is made.
"""

import contextlib
import functools
import hashlib
import logging
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct

from spieltisch import paths
from spieltisch.extras import MissingExtraError
from spieltisch.i18n import N_
from spieltisch.i18n import in_system_language as _

CHOICE = "SPIELTISCH_ENGINES"
LOCK = "lock"  # held by the process that compiles
FIRST_ANSWER = 2.0  # seconds at most; a thread that loads an engine would slow it, and both would be late
_FOREGROUND = N_("Compiling the engine of {game}: once per version, one or two minutes.")
_BACKGROUND = N_(
    "Compiling the engine of {game} in the background: once per version, one or two minutes. Until then plain Python "
    "answers."
)
_BATCH = N_("Compiling {game} for many games at once: once per version, half a minute.")
_HERE = Path(__file__).parent
_begun: set[str] = set()  # engines that this process has had compiled in another one
_there: set[str] = set()  # compiled engines, as far as this process knows
_reading: set[str] = set()  # engines that a thread is loading from the cache
_read: set[str] = set()  # engines that this process uses
_thread = threading.local()  # its `game`: whose engine this thread compiles or loads

log = logging.getLogger(__name__)


class Progress(Struct, frozen=True):
    """The state of the engines: `compiled`, or being compiled `now` with `done` functions so far; neither without the
    extra, or before anybody has asked.
    """

    installed: bool
    compiled: bool
    now: bool
    done: int


@functools.cache
def engines() -> list[str]:
    """The games with an engine."""
    return sorted(folder.parent.name for folder in _HERE.glob("games/*/engine"))


@functools.cache
def batches() -> list[str]:
    """The games of which many can be played at once."""
    return sorted(file.parent.parent.name for file in _HERE.glob("games/*/engine/batch.py"))


def module(game: str, name: str) -> Any:
    """The game's module of this name, from the maker that can answer now. The first call has the engine compiled in
    another process, or loaded by a thread.
    """
    maker = "plain"
    if is_installed():
        mine = getattr(_thread, "game", None) == game
        if game in _read or mine or os.environ.get(CHOICE) == "compiled":
            maker = "engine"
        elif is_compiled(game):
            _read_aside(game)
        else:
            compile_aside(game)
    return import_module(f"spieltisch.games.{game}.{maker}.{name}")


def is_installed() -> bool:
    """Whether numba is installed and may be used."""
    return os.environ.get(CHOICE) != "plain" and _is_found()


@functools.cache
def _is_found() -> bool:
    try:
        return all(find_spec(name) is not None for name in ("numba", "platformdirs", "cyclopts"))
    except ImportError:
        return False


def is_compiled(game: str) -> bool:
    """Whether the game's engine is in the cache and may be used."""
    if not is_installed():
        return False
    if game not in _there and _mark(game).exists():
        _there.add(game)
    return game in _there


def progress() -> Progress:
    """The progress of all engines, whichever process compiles them."""
    if not is_installed():
        return Progress(False, False, False, 0)
    if all(map(is_compiled, engines())):
        return Progress(True, True, False, 0)
    return Progress(True, False, _is_held(), sum(1 for _ in folder().rglob("*.nbi")))


def compile_aside(*games: str) -> None:
    """Have these engines, or all, compiled in another process, which may outlive this one. Does nothing while a process
    compiles.
    """
    if not is_installed() or os.environ.get(CHOICE) == "compiled":
        return
    wanted = [game for game in games or engines() if game not in _begun and not is_compiled(game)]
    if wanted and _can_be_kept() and not _is_held():
        _begun.update(wanted)
        if not log.hasHandlers():  # a program or a notebook, which has no log
            _say(_BACKGROUND, wanted)
        threading.Thread(target=_compile_aside, args=(wanted,), name="compiling", daemon=True).start()


def _compile_aside(games: Sequence[str]) -> None:
    log.info("compiling the engines of %s; plain Python answers until then", ", ".join(games))
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-m", "spieltisch", "warm", *games],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True, check=False,
    )  # fmt: skip
    if done.returncode:
        log.error("the engines of %s cannot be compiled: %s", ", ".join(games), done.stderr.decode()[-2000:])
    else:
        log.info("the engines of %s are compiled", ", ".join(games))


def _read_aside(game: str) -> None:
    """Load the engine from the cache in a thread. The process does not end before, since numba cannot be stopped."""
    if game not in _reading:
        _reading.add(game)
        threading.Thread(target=_read_later, args=(game,), name="reading").start()


def _read_later(game: str) -> None:
    main = threading.main_thread()
    main.join(FIRST_ANSWER)
    if main.is_alive():
        _ask_all(game)


def _ask_all(game: str) -> None:
    """Call all functions of this game's engine, which compiles or loads them."""
    _thread.game = game
    try:
        import_module(f"spieltisch.games.{game}.ready").ready()
    finally:
        del _thread.game
    _read.add(game)


def read_here(game: str) -> bool:
    """Use the engine from now on if it is compiled, and return whether it is. The first question loads it."""
    if is_compiled(game):
        _read.add(game)
    return game in _read


def compile_here(game: str) -> None:
    """Compile an engine, or wait for another process to do so. If that takes time, a line on standard error says so.
    Raises MissingExtraError without the extra `study`.
    """
    if os.environ.get(CHOICE) == "plain":
        return
    if not _is_found():
        raise MissingExtraError("study")
    if read_here(game):
        return
    _say(_FOREGROUND, [game])
    with _held():
        if not is_compiled(game):
            _ask_all(game)
            with contextlib.suppress(OSError):
                _mark(game).touch()
    _there.add(game)
    _read.add(game)


def compile_batch(game: str, ask: Callable[[], object]) -> None:
    """Compile what plays many games at once by `ask`, which calls it all, or wait for another process to do so. If that
    takes time, a line on standard error says so.
    """
    name = f"{game}-batch"
    if is_compiled(name):
        return
    _say(_BATCH, [game])
    with _held():
        if not is_compiled(name):
            ask()
            with contextlib.suppress(OSError):
                _mark(name).touch()
    _there.add(name)


def _say(text: str, games: Sequence[str]) -> None:
    print(_(text, game=", ".join(games)), file=sys.stderr, flush=True)  # noqa: T201 - to people who wait


@functools.cache
def sources() -> str:
    """The hash of all kernels' sources, so that a change in one module never meets the old code of another."""
    found = hashlib.sha256()
    for file in _kernels():
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


@functools.cache
def _kernels() -> list[Path]:
    users = [file for file in _HERE.rglob("*.py") if b"\nfrom spieltisch.compiled import" in file.read_bytes()]
    return [*sorted(users), _HERE / "compiled.py"]


@functools.cache
def _stamps() -> str:
    """Numba's stamp for a source besides its text, so that an update of other modules recompiles all."""
    return repr([(str(file), (found := file.stat()).st_mtime_ns, found.st_size) for file in _kernels()])


def folder() -> Path:
    """The folder of numba's cache."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else paths.cache_folder() / sources()


def _mark(game: str) -> Path:
    """The file that marks an engine as completely cached: for these sources, this Python and numba, and this machine,
    since code is compiled for a processor.
    """
    tag = f"{sources()}-{_stamps()}-{sys.implementation.cache_tag}-{version('numba')}-{platform.node()}"
    return folder() / f"{game}-{hashlib.sha256(tag.encode()).hexdigest()[:16]}.compiled"


def _can_be_kept() -> bool:
    try:
        folder().mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder(), os.W_OK)


def _is_held() -> bool:
    """Whether a process compiles now."""
    try:
        return paths.is_held(folder() / LOCK)
    except OSError:  # nobody has yet
        return False


@contextlib.contextmanager
def _held() -> Generator[None]:
    """Keep other processes from compiling while this is open, if the system has locks."""
    if not _can_be_kept():
        yield
        return
    with paths.hold(folder() / LOCK):
        yield
