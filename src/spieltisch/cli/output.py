"""What commands share: files on the command line, reasons in one line."""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from spieltisch.extras import MissingExtraError, command
from spieltisch.game_folder import UnusableGameError
from spieltisch.i18n import common_catalog, package_catalog, system_language
from spieltisch.i18n import in_system_language as _
from spieltisch.languages import LANGUAGES
from spieltisch.paths import DataError

if TYPE_CHECKING:
    from spieltisch.game import Refused

# One of the languages there are.
Tag = Literal[*LANGUAGES]  # ty: ignore[invalid-type-form] - folders name them all
Spoken = Annotated[Tag | None, Parameter(help="Language of the output; this machine's by default.")]
# Where long work runs. `--jobs N`, its old name, still works.
On = Annotated[str, Parameter(name=("--on", "--jobs"))]
# The number of deals or games; the number of a deal.
Count = Annotated[int, Parameter(validator=Number(gte=1, lte=10_000_000))]
DealNumber = Annotated[int, Parameter(validator=Number(gte=0))]
# A file to write; "-", which looks like an option, is standard output.
CsvFile = Annotated[Path, Parameter(name="--csv", allow_leading_hyphen=True)]
JsonFile = Annotated[Path, Parameter(name="--json", allow_leading_hyphen=True)]


def _is_file(_kind: object, files: str | Path | tuple[str, ...]) -> None:
    for file in map(str, files if isinstance(files, tuple) else (files,)):
        if file.startswith("-") and file != "-":
            raise ValueError(unknown(file))


# A file to read; "-", which looks like an option, is standard input.
File = Annotated[str, Parameter(allow_leading_hyphen=True, validator=_is_file)]
# A file to write; "-", the default of most, is standard output.
Output = Annotated[Path, Parameter(allow_leading_hyphen=True, validator=_is_file)]
STANDARD_OUTPUT = Path("-")


def unknown(option: str) -> str:
    """What is said of an option that a command does not have."""
    return _("There is no option {option} here.", option=option)


def require_files(command: str, files: tuple[str, ...]) -> None:
    """Leave with status 2 if no file is named."""
    if not files:
        print(f"spieltisch {command}:", _("name at least one FILE"), file=sys.stderr)
        sys.exit(2)


def require_writable(*files: Path | None, folder: Path | None = None, used: Sequence[Path | str | None] = ()) -> None:
    """Leave with status 1 if one of these files cannot be written, so that people learn it before hours of work, and
    with status 2 if one of them is named twice or is among those `used` for something else, which it would replace.
    `folder` will be created, with its parents.
    """
    taken = {Path(file).resolve() for file in used if file is not None}
    to_be_made = () if folder is None else (folder, *folder.parents)
    for file in files:
        if file is None or file == STANDARD_OUTPUT:
            continue
        try:
            if file.is_file() or not file.exists():  # not a pipe or /dev/null
                if file.resolve() in taken:
                    print(f"{file}: " + _("named twice; use another file for each option"), file=sys.stderr)
                    sys.exit(2)
                taken.add(file.resolve())
            if file.parent in to_be_made and not file.parent.exists():
                continue
            if not file.exists():
                file.touch()
                file.unlink()
            elif file.is_file() or file.is_dir():  # not a pipe, which would end when it is closed
                file.open("ab").close()
        except OSError as error:
            print(unwritten(file, error), file=sys.stderr)
            sys.exit(1)


def unwritten(file: str | Path, error: OSError) -> str:
    """Why this file cannot be written."""
    return f"{file}: " + _("cannot be written: {reason}", reason=error.strerror or error)


def reason(error: Exception) -> str:
    """The reason of an error, in one printable line."""
    from spieltisch.game import Refused

    if isinstance(error, MissingExtraError):
        return _("--database needs another package. Install it with: {command}", command=command(error.extra))
    if isinstance(error, Refused):
        text = refusal(error)
    elif isinstance(error, DataError):
        text = _(error.text, **error.values)
    elif isinstance(error, OSError):
        text = _("cannot be read: {reason}", reason=error.strerror or error)
    else:
        text = _("cannot be read: {reason}", reason=f"{type(error).__name__}: {error}")
    return _printable(text) or type(error).__name__


def _printable(text: str) -> str:
    """The text in one printable line; it may quote what somebody wrote."""
    return "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))


def named(error: Exception) -> str:
    """Why a command stops, in one printable line, with the file that could not be read or written."""
    if not isinstance(error, OSError) or isinstance(error, DataError) or error.filename is None:
        return reason(error)
    why = _("cannot be read or written: {reason}", reason=error.strerror or error)
    return _printable(f"{error.filename}: {why}")


def refusal(error: "Refused") -> str:
    """A refusal, and those it quotes, in the language of this machine, as the site or the game that refuses says it."""
    from spieltisch.decks.findings import Message, say
    from spieltisch.game import Refused
    from spieltisch.games import packages

    lang = system_language()
    known = () if isinstance(error, UnusableGameError) else packages().values()
    catalogs = (common_catalog(lang), *(package_catalog(package.folder, lang) for package in known))
    text = next((said for one in catalogs if (said := one.gettext(error.text)) != error.text), error.text)
    values = {name: say(one, lang) if isinstance(one, Message | Refused) else one for name, one in error.values.items()}
    return text.format_map(values) if values else text


def refuse(command: str, wrong: Exception, file: Path | None = None) -> int:
    """Print in a line why a command of the laboratory stops. Returns the exit status. `file` is what it reads or
    writes.
    """
    from spieltisch.game import Refused

    if isinstance(wrong, OSError):
        reason = _("cannot be read or written: {reason}", reason=wrong.strerror or wrong)
        text = f"{wrong.filename or file}: {reason}"
    else:
        text = refusal(wrong) if isinstance(wrong, Refused) else str(wrong)
    print(f"spieltisch {command}: {text}", file=sys.stderr)
    return 1


def stopped(
    command: str,
    played: int,
    asked: int,
    why: OSError | None = None,
    keep: Path | None = None,
    *,
    deals: bool = False,
    spent: bool = False,
) -> int:
    """Print that not all games were played, or not all `deals` solved, because of an error (`why`), a budget that is
    `spent`, or Ctrl-C. Returns the exit status. What the file `keep` has is not done again.
    """
    done = {"n": played, "all": asked}
    told = [_("stopped after {n} of {all} deals", **done) if deals else _("stopped after {n} of {all} games", **done)]
    if why is not None:
        told.insert(0, unwritten(why.filename, why))
    elif spent:
        told.append(_("the budget is spent"))
    elif keep is not None:
        told.append(_("run the same command to continue"))
    print(f"spieltisch {command}: {'; '.join(told)}", file=sys.stderr)
    return 1 if why is not None or not played else 130


def json_options(text: str) -> dict[str, object]:
    """A game's options from JSON on the command line. Raises Invalid, with what would be right, for any other text."""
    from spieltisch.game import Invalid

    try:
        options = json.loads(text)
    except (ValueError, RecursionError):
        options = None
    if not isinstance(options, dict):
        raise Invalid("options are a JSON object, such as {example}", example='{"mode": "assisted"}')
    return options


def print_lines(lines: Iterable[str]) -> None:
    """Print these lines."""
    for line in lines:
        print(line)


def print_table(rows: Iterable[Sequence[str]]) -> None:
    """Print rows in columns, each as wide as its longest cell. Cells are not read as markup."""
    from rich.console import Console  # slow to import, and few commands print tables
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2), pad_edge=True)
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def read(file: str) -> bytes:
    """The content of a file, or of standard input for "-". Raises OSError."""
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def write(file: Path, text: str) -> int:
    """Write a text to a file, or to standard output for "-". Returns the exit status."""
    if file == STANDARD_OUTPUT:
        print(text, end="")
        return 0
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        print(unwritten(file, error), file=sys.stderr)
        return 1
    return 0
