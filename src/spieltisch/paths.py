"""Where files lie: the user's folders on this system, and what lies in the data folder of a server."""

import secrets
from pathlib import Path

import platformdirs

TABLES = "tables.sqlite"  # all tables with their logs
DECKS = "decks"  # the folder of the user's own decks
SECRET = "secret"  # noqa: S105 - the name of a file


def data_folder() -> Path:
    """The folder for tables and decks where a user's data belongs on this system. It need not exist."""
    return platformdirs.user_data_path("spieltisch", appauthor=False)


def cache_folder() -> Path:
    """The folder for what can be made again, such as compiled kernels. It need not exist."""
    return platformdirs.user_cache_path("spieltisch", appauthor=False)


def open_data_folder(folder: Path | None = None) -> Path:
    """Make the folder, by default `data_folder()`, if it is not there, so that no other user can look into it.

    Raises OSError where it cannot be made.
    """
    folder = folder or data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def server_secret(folder: Path) -> bytes:
    """The secret in a data folder, 32 bytes, that signs keys and cookies. Made at the first call, readable for this
    user only.

    Raises OSError where it can be neither read nor written.
    """
    file = folder / SECRET
    if not file.exists():
        draft = folder / f"{SECRET}.{secrets.token_hex(4)}"
        draft.touch(mode=0o600)
        draft.write_bytes(secrets.token_bytes(32))
        try:
            file.hardlink_to(draft)  # of two servers that start at once, one makes the secret
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return file.read_bytes()
