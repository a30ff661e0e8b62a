"""Where files are: the user's folders on this system, and the files in a server's data folder."""

import contextlib
import math
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Generator
from pathlib import Path

TABLES = "tables.sqlite"  # all tables with their logs
DECKS = "decks"  # the user's own decks, a folder
KEYS = "keys.json"  # beside the decks: how often keys were renewed
REPORTS = "reports.json"  # beside the decks: reported cards
USES = "uses.json"  # beside the decks: until when browser-made ones are kept
SECRET = "secret"  # noqa: S105 - the name of a file
SECRET_BYTES = 32
RANDOM = 12  # different bytes at least: 32 random ones hardly ever have fewer than 26
COPY = "copy"  # marks a folder as a copy of a database's files, with the SHA-256 of that database's secret
BACKED_UP = "backed-up"  # written after each backup
VERSION = "version"  # the newest version of the program that has served here
LOCK = "lock"  # held by the process that uses the folder
WAIT = 0.1  # seconds between attempts at a file that another process holds
SERVER = "server-"  # plus a process's number: its address on this machine; held as long as it serves


def data_folder() -> Path:
    """The folder for tables and decks where a user's data belongs on this system. It need not exist."""
    import platformdirs  # noqa: PLC0415 - the core, which reads decks, goes without

    return platformdirs.user_data_path("spieltisch", appauthor=False)


def cache_folder() -> Path:
    """The folder for data that can be made again, such as compiled kernels. It need not exist."""
    import platformdirs  # noqa: PLC0415 - the core goes without

    return platformdirs.user_cache_path("spieltisch", appauthor=False)


class DataError(OSError):
    """The data folder, or a copy of it, cannot be used. `text` is the reason and the remedy, to be translated; `values`
    fill its braces.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(text.format_map(values))
        self.text = text
        self.values = values


def only_copies(folder: Path) -> DataError:
    """The refusal to write into a folder with copies of a database's files."""
    return DataError("{folder} holds copies from a database: give its address with --database", folder=folder)


def two_places(folder: Path) -> DataError:
    """The refusal of a folder with tables in a file, although they are in a database."""
    return DataError(
        "with a database, nobody would see the tables in {file}: move that file away, or choose another"
        " folder with --data",
        file=folder / TABLES,
    )  # fmt: skip


def open_data_folder(folder: Path | None = None) -> Path:
    """Open the folder, by default `data_folder()`, and create it if need be. Other users cannot look into it.

    Raises OSError if it cannot be created.
    """
    folder = folder or data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    keep_private(folder)
    return folder


def keep_private(path: Path) -> None:
    """Take other users' rights to a file or folder of ours away. Other users' files stay as they are."""
    with contextlib.suppress(PermissionError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(mode & 0o700)


def share_owner(path: Path, folder: Path) -> None:
    """Give a file that the system's administrator writes into a server's folder to the server's user."""
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = folder.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def server_secret(folder: Path) -> bytes:
    """The secret in a data folder, 32 bytes, which signs keys and cookies. The first call makes it, readable only for
    this user.

    Raises DataError for a secret that is too short or not random, since anybody who guessed it could sign keys; OSError
    if it cannot be read or written.
    """
    file = folder / SECRET
    if not file.exists():
        draft = folder / f"{SECRET}.{secrets.token_hex(4)}"
        draft.touch(mode=0o600)
        with draft.open("wb") as out:
            out.write(secrets.token_bytes(SECRET_BYTES))
            out.flush()
            os.fsync(out.fileno())
        try:
            file.hardlink_to(draft)  # if two servers start at once, one makes the secret
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        sync(folder)
    keep_private(file)
    return read_secret(folder)


def read_secret(folder: Path) -> bytes:
    """The existing secret. Raises DataError as above; OSError if it cannot be read."""
    file = folder / SECRET
    secret = file.read_bytes()
    if len(secret) < SECRET_BYTES:
        raise DataError(
            "the file {file} has {found} bytes, not {wanted}: restore it from a backup. Without a backup, delete"
            " it: the server makes a new one, but old keys, links and seats stop working",
            file=file, found=len(secret), wanted=SECRET_BYTES,
        )  # fmt: skip
    if len({*secret}) < RANDOM:
        raise DataError(
            "the file {file} holds no random secret: restore it from a backup. Without a backup, delete it: the"
            " server makes a new one, but old keys, links and seats stop working",
            file=file,
        )
    return secret


def unusable(file: Path | str, error: Exception | str) -> DataError:
    """The refusal of a database in a file that SQLite cannot use."""
    return DataError(
        "the file {file} cannot be used: {error}. Check its permissions and the space on the disk. If both are"
        " fine, the file is damaged: restore it from a backup",
        file=file, error=error,
    )  # fmt: skip


@contextlib.contextmanager
def hold_data_folder(folder: Path, *, shared: bool = False) -> Generator[None]:
    """Hold the data folder while this is open, against all others, or `shared` with others that share it. The system
    releases it if this process is killed.

    Raises DataError, naming the other process, if it is held; OSError if the lock file cannot be written.
    """
    with (folder / LOCK).open("a+", encoding="ascii") as file:
        try:
            _lock(file.fileno(), shared=shared)
        except OSError:
            file.seek(0)
            raise DataError(
                "another Spieltisch server (process {process}) is using {folder}: stop it first, or choose"
                " another folder with --data",
                process=file.read(20).strip() or "?", folder=folder,
            ) from None  # fmt: skip
        keep_private(folder / LOCK)
        share_owner(folder / LOCK, folder)
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


@contextlib.contextmanager
def tell_server(folder: Path, address: str) -> Generator[None]:
    """Note in the folder, while this is open, this process's address on this machine."""
    for file in folder.glob(f"{SERVER}*"):
        with contextlib.suppress(OSError):
            if not is_held(file):  # its process was killed
                file.unlink(missing_ok=True)
    file, draft = folder / f"{SERVER}{os.getpid()}", folder / f".{SERVER}{os.getpid()}"
    with draft.open("w", encoding="utf-8") as out:
        _lock(out.fileno(), shared=False)
        out.write(address)
        out.flush()
        draft.replace(file)  # others may find it only once it is held
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # Windows deletes no open file
                file.unlink()


def newer_version(folder: Path, version: str) -> str:
    """The newest version that has served on this folder; "" if it is not newer than this one, or unknown."""
    try:
        served = (folder / VERSION).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
    there, here = _order(served), _order(version)
    return served if there is not None and here is not None and there > here else ""


def note_version(folder: Path, version: str) -> None:
    """Note that this version serves on the folder, unless a newer one has. Raises OSError if that cannot be written."""
    if newer_version(folder, version) or _order(version) is None:
        return
    draft = folder / f"{VERSION}.{secrets.token_hex(4)}"
    draft.touch(mode=0o600)
    draft.write_text(f"{version}\n", encoding="ascii")
    draft.replace(folder / VERSION)


def _order(version: str) -> tuple[float, ...] | None:
    """A sort key for versions such as 0.3.0.dev811 and 0.3.0; None for others."""
    found = re.fullmatch(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:\.dev(\d{1,9}))?", version, re.ASCII)
    if found is None:
        return None
    *release, build = found.groups()
    return (*map(float, release), math.inf if build is None else float(build))


def servers(folder: Path) -> dict[int, str]:
    """The processes that now serve on this folder, with their addresses on this machine."""
    found = {}
    for file in sorted(folder.glob(f"{SERVER}*")):
        number = file.name[len(SERVER) :]
        with contextlib.suppress(OSError):  # another user's
            if number.isdecimal() and is_held(file):
                found[int(number)] = file.read_text(encoding="utf-8", errors="replace")
    return found


@contextlib.contextmanager
def hold(file: Path) -> Generator[None]:
    """Hold this file while this is open, and create it if need be; wait for a process that holds it. Raises OSError if
    it cannot be written.
    """
    with file.open("a+", encoding="ascii") as held:
        while True:
            try:
                _lock(held.fileno(), shared=False)
            except OSError:
                time.sleep(WAIT)
            else:
                break
        yield


def is_held(file: Path) -> bool:
    """Whether a living process has locked this file. Raises OSError if it cannot be read."""
    with file.open(encoding="utf-8") as held:
        try:
            _lock(held.fileno(), shared=True)
        except OSError:
            return True
    return False


def _lock(file: int, *, shared: bool) -> None:
    """Lock the file. Raises OSError if another process has locked it. Windows has no shared locks."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - Windows alone has it

        os.lseek(file, 1 << 20, os.SEEK_SET)  # a locked range cannot be read, so not where the number is
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - Windows does not have it

        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def sync(folder: Path) -> None:
    """Make the folder's list survive a power cut; Windows has no such call."""
    if sys.platform != "win32":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
