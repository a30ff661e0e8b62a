"""Where the options of a server come from: the command line, the environment, one file, or the default, in this order.

Commands for the care of a server read the same sources for the options that they share with `serve`.
"""

import json
import os
import re
import sys
import tomllib
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import get_args

from cyclopts import App, ArgumentCollection, CoercionError, CycloptsError, Token
from cyclopts.config import Dict, Env

from spieltisch.cli.output import _

PREFIX = "SPIELTISCH_"
FILE = "spieltisch.toml"
CONFIG = "--config"  # names another file; only `serve` and `config` have it
# Options with the same meaning in all commands that have them.
SHARED = {
    "--class-hours", "--data", "--database", "--keep-days", "--mail", "--mail-from", "--operator", "--trusted-proxy",
    "--wake", "--webhook-host",
}  # fmt: skip
SEVERAL = {"--trusted-proxy", "--webhook-host"}  # options that may be repeated
# Variables that are not options of a server.
OTHERS = {f"{PREFIX}{name}" for name in ("GAMES", "LANGUAGES", "LOCKSTEP", "RELEASE", "SEED", "VERSION", "WIRE")}
HIDDEN = "•••"  # in place of a password
_PASSWORD = re.compile(r"(?<=:)(?!//).+(?=@)|(?<=password=)[^\s&]+")  # also with signs that should be escaped
CLI = "cli"  # cyclopts' name for the command line

_found: dict[str, str] = {}  # options of the last command line, and where each was set


def places() -> dict[str, str]:
    """Return where each option was set that is not on the command line: the name of a variable, or a file."""
    return {name: place for name, place in _found.items() if place != CLI}


def files() -> list[Path]:
    """Return the files to look for if none is named: the user's own, then the machine's."""
    import platformdirs

    machine = Path("/etc") if sys.platform == "linux" else platformdirs.site_config_path("spieltisch", appauthor=False)
    return [platformdirs.user_config_path("spieltisch", appauthor=False) / FILE, machine / FILE]


def file_in_force(named: str | Path | None = None) -> Path | None:
    """Return the file to read: the named one, or else the first that exists."""
    if named := named or os.environ.get(variable(CONFIG)):
        return Path(named)
    return next((file for file in files() if file.is_file()), None)


def variable(option: str) -> str:
    """Return the variable that sets this option: SPIELTISCH_PORT for --port."""
    return PREFIX + option.removeprefix("--").replace("-", "_").upper()


def from_environment(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Read options from variables. Empty ones do not count, since compose files pass them."""
    chosen = _chosen(arguments)
    Env(PREFIX, command=False, source="the environment")(app, commands, chosen)
    for argument in chosen:
        argument.tokens[:] = [token for token in argument.tokens if token.value or not _is_variable(token.keyword)]


def from_file(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Read options from the file."""
    named = next((argument.tokens for argument in arguments if argument.name == CONFIG), [])
    path = file_in_force(named[0].value if named else None)
    if path is None:
        return
    chosen = _chosen(arguments)
    known = {argument.name for argument in chosen} - {CONFIG}
    taken: dict[str, object] = {}
    for key, value in _read(path).items():
        option = f"--{key.replace('_', '-')}"
        if option in known and not isinstance(value, dict):
            taken[option[2:]] = [value] if option in SEVERAL and isinstance(value, str) else value
        elif isinstance(value, dict) or len(chosen) == len(arguments):  # only `serve` has all of them
            raise CycloptsError(msg=_("The file {file} sets an unknown option: {key}.", key=key, file=path))
    taken = {key: value for key, value in taken.items() if value != ""}
    Dict(taken, source=str(path), use_commands_as_keys=False)(app, commands, chosen)


def note_places(_app: App, _commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Note where each option was set."""
    _found.clear()
    for argument in arguments:
        for token in argument.tokens[:1]:
            _found[argument.name] = place_of(token)


def require_whole_numbers(_app: App, _commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Refuse a fraction where a whole number is needed. cyclopts would round 0.5 to 0."""
    for argument in arguments:
        if int not in (argument.hint, *get_args(argument.hint)):
            continue
        for token in argument.tokens:
            if _is_fraction(token.value):
                raise CoercionError(argument=argument, token=token, target_type=int)


# The first source of an option wins.
SOURCES = (from_environment, from_file, note_places, require_whole_numbers)


def warn_of_passwords(database: str | None, wake: str, mail: str = "") -> None:
    """Warn if an address on the command line shows its password to everybody on this machine."""
    for option, address in (("--database", database), ("--wake", wake), ("--mail", mail)):
        if _found.get(option) == CLI and _PASSWORD.search(address or ""):
            told = {"option": option, "variable": variable(option), "file": FILE}
            print(_("{option} shows a password to everyone who can list processes. Set {variable} instead, or write"
                    " it into {file}.", **told), file=sys.stderr)  # fmt: skip


def lines(options: Mapping[str, object], defaults: Mapping[str, object]) -> Generator[str]:
    """Yield a line for each option, as in a file, with the source of its value. Passwords are hidden."""
    told = {name: defaults.get(name, "") if value is None else value for name, value in options.items()}
    for name in ("database", "wake", "mail"):
        told[name] = _PASSWORD.sub(HIDDEN, str(told[name]))
    written = {name: f"{name} = {_toml(value)}" for name, value in told.items()}
    width = max(map(len, written.values()))
    for name, line in written.items():
        place = _found.get(f"--{name}")
        source = _("command line") if place == CLI else place or _("default")
        yield f"{line:{width}}  # {source}"


def strangers(options: Mapping[str, object]) -> list[str]:
    """Return variables with our prefix that set none of these options, such as a misspelt one."""
    known = OTHERS | {variable(name) for name in options}
    return sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)


def _chosen(arguments: ArgumentCollection) -> ArgumentCollection:
    """The options that may be set outside the command line: all of `serve`, and those that other commands share with
    it.
    """
    if any(argument.name == CONFIG for argument in arguments):
        return arguments
    return ArgumentCollection(argument for argument in arguments if argument.name in SHARED)


def place_of(token: Token) -> str:
    """Where a value comes from: the name of a variable, a file, or the command line."""
    return (token.keyword or "") if _is_variable(token.keyword) else token.source


def _is_fraction(value: str) -> bool:
    try:
        return not float(value).is_integer()
    except ValueError:
        return False


def _is_variable(keyword: str | None) -> bool:
    return (keyword or "").startswith(PREFIX)


def _read(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        why = str(error)
    except OSError as error:
        why = error.strerror or str(error)
    raise CycloptsError(msg=_("The file {file} cannot be read: {why}.", file=file, why=why))


def _toml(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str | Path):
        return json.dumps(str(value), ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
