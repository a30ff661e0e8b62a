"""Where files lie: the user's folders on this system, and what lies in the data folder of a server."""

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
DECKS = "decks"  # the folder of the user's own decks
KEYS = "keys.json"  # beside the decks: how often keys were renewed
REPORTS = "reports.json"  # beside the decks: cards that were reported
USES = "uses.json"  # beside the decks: until when those made in the browser are kept
SECRET = "secret"  # noqa: S105 - the name of a file
SECRET_BYTES = 32
RANDOM = 12  # different bytes at least: of 32 random ones hardly ever fewer than 26 are
COPY = "copy"  # says of which database's files those in the folder are copies, by its secret's SHA-256
BACKED_UP = "backed-up"  # written when a backup has been made
VERSION = "version"  # names the newest version of the program that has served here
LOCK = "lock"  # held by the process that is at work on the folder
WAIT = 0.1  # seconds between two looks at a file that another process holds
SERVER = "server-"  # and the number of a process: at which address of this machine it serves; held as long as it does


def data_folder() -> Path:
    """The folder for tables and decks where a user's data belongs on this system. It need not exist."""
    import platformdirs  # noqa: PLC0415 - the core, which reads decks, goes without

    return platformdirs.user_data_path("spieltisch", appauthor=False)


def cache_folder() -> Path:
    """The folder for what can be made again, such as compiled kernels. It need not exist."""
    import platformdirs  # noqa: PLC0415 - the core goes without

    return platformdirs.user_cache_path("spieltisch", appauthor=False)


class DataError(OSError):
    """The data folder, or a copy of it, cannot be used. `text` says what is wrong and what helps, to be translated;
    `values` fill its braces.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(text.format_map(values))
        self.text = text
        self.values = values


def only_copies(folder: Path) -> DataError:
    """The refusal to write into a folder with copies of what a database has."""
    return DataError("{folder} holds copies from a database: give its address with --database", folder=folder)


def two_places(folder: Path) -> DataError:
    """The refusal of a folder with tables in a file, where they are in a database."""
    return DataError(
        "with a database, nobody would see the tables in {file}: move that file away, or choose another"
        " folder with --data",
        file=folder / TABLES,
    )  # fmt: skip


def open_data_folder(folder: Path | None = None) -> Path:
    """The folder, by default `data_folder()`, made if it is not there, so that no other user can look into it.

    Raises OSError where it cannot be made.
    """
    folder = folder or data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    keep_private(folder)
    return folder


def keep_private(path: Path) -> None:
    """Take away what other users may do with a file or folder of ours; what is somebody else's stays as it is."""
    with contextlib.suppress(PermissionError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(mode & 0o700)


def share_owner(path: Path, folder: Path) -> None:
    """What the system's administrator writes into the folder of a server belongs to that server's user."""
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = folder.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def server_secret(folder: Path) -> bytes:
    """The secret in a data folder, 32 bytes, that signs keys and cookies. Made at the first call, readable for this
    user only.

    Raises DataError for a secret that is shorter or not random: whoever guessed it could sign keys. OSError if it can
    be neither read nor written.
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
            file.hardlink_to(draft)  # of two servers that start at once, one makes the secret
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        sync(folder)
    keep_private(file)
    return read_secret(folder)


def read_secret(folder: Path) -> bytes:
    """The secret that is there. DataError as above; OSError where it cannot be read."""
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
    """Meanwhile no other process may hold this folder, unless both share it. The system lets go of it also where this
    process is killed.

    Raises DataError, naming the other process, where one holds it; OSError where the file cannot be written.
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
    """Meanwhile the folder says at which address of this machine this process serves."""
    for file in folder.glob(f"{SERVER}*"):
        with contextlib.suppress(OSError):
            if not is_held(file):  # of a process that was killed
                file.unlink(missing_ok=True)
    file, draft = folder / f"{SERVER}{os.getpid()}", folder / f".{SERVER}{os.getpid()}"
    with draft.open("w", encoding="utf-8") as out:
        _lock(out.fileno(), shared=False)
        out.write(address)
        out.flush()
        draft.replace(file)  # found only when it is held
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # Windows deletes no file that is open
                file.unlink()


def newer_version(folder: Path, version: str) -> str:
    """The newest version that has served on this folder; "" if it is not newer than this one, or nobody knows."""
    try:
        served = (folder / VERSION).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
    there, here = _order(served), _order(version)
    return served if there is not None and here is not None and there > here else ""


def note_version(folder: Path, version: str) -> None:
    """Note that this version serves on the folder, unless a newer one has. OSError if that cannot be written."""
    if newer_version(folder, version) or _order(version) is None:
        return
    draft = folder / f"{VERSION}.{secrets.token_hex(4)}"
    draft.touch(mode=0o600)
    draft.write_text(f"{version}\n", encoding="ascii")
    draft.replace(folder / VERSION)


def _order(version: str) -> tuple[float, ...] | None:
    """What sorts versions such as 0.3.0.dev811 and 0.3.0; None for others."""
    found = re.fullmatch(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:\.dev(\d{1,9}))?", version, re.ASCII)
    if found is None:
        return None
    *release, build = found.groups()
    return (*map(float, release), math.inf if build is None else float(build))


def servers(folder: Path) -> dict[int, str]:
    """The processes that serve on this folder now, each with its address on this machine."""
    found = {}
    for file in sorted(folder.glob(f"{SERVER}*")):
        number = file.name[len(SERVER) :]
        with contextlib.suppress(OSError):  # another user's
            if number.isdecimal() and is_held(file):
                found[int(number)] = file.read_text(encoding="utf-8", errors="replace")
    return found


@contextlib.contextmanager
def hold(file: Path) -> Generator[None]:
    """Meanwhile no other process holds this file, which is made if need be; waits for one that does. OSError where it
    cannot be written.
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
    """Whether a process that lives has locked this file; OSError where it cannot be read."""
    with file.open(encoding="utf-8") as held:
        try:
            _lock(held.fileno(), shared=True)
        except OSError:
            return True
    return False


def _lock(file: int, *, shared: bool) -> None:
    """OSError where another process has locked this file. Windows shares nothing."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - Windows alone has it

        os.lseek(file, 1 << 20, os.SEEK_SET)  # what is locked there cannot be read: not where the number stands
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - Windows does not have it

        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def sync(folder: Path) -> None:
    """What the folder lists survives a power cut; Windows has no such call."""
    if sys.platform != "win32":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
