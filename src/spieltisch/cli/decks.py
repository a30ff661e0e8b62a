"""The commands `spieltisch deck …`: check, count, export and import decks.

Exit status: 0, 1 if a deck has errors or cannot be read, 2 for a wrong command line.
"""

import contextlib
import datetime as dt
import json
import sqlite3
import sys
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from spieltisch import paths
from spieltisch.cli.host import written
from spieltisch.cli.output import STANDARD_OUTPUT, Output, Spoken, print_lines, print_table
from spieltisch.cli.output import reason as in_one_line
from spieltisch.cli.settings import SOURCES
from spieltisch.decks import check as over
from spieltisch.decks import library
from spieltisch.decks.base_kind import kinds
from spieltisch.decks.dates import is_day
from spieltisch.decks.deck import Deck
from spieltisch.decks.exporting import terminal
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.exporting.stats import stats
from spieltisch.decks.files import put, version
from spieltisch.decks.findings import errors, message, say
from spieltisch.decks.importing.columns import taken_in
from spieltisch.decks.importing.renewal import renewed
from spieltisch.decks.importing.sheets import read_file
from spieltisch.decks.importing.work import asked_of
from spieltisch.extras import MissingExtraError
from spieltisch.game import Illegal, Invalid, Refused
from spieltisch.i18n import N_, system_language
from spieltisch.languages import LANGUAGES, LATIN
from spieltisch.paths import DataError

if TYPE_CHECKING:
    from spieltisch.table.log import TableSetup

AsJson = Annotated[bool, Parameter(name="--json", negative=(), help="Print it as JSON.")]
Database = Annotated[str | None, Parameter(help="The server's --database, to count running games with the deck.")]
Written = Annotated[str | None, Parameter(help="The server's --database, if the server has one.")]
Data = Annotated[
    Path | None, Parameter(help="Folder that holds your own decks in `decks`; the user's data folder by default.")
]


Form = Literal[*EXPORTS]  # ty: ignore[invalid-type-form] - one table names them all
Kinds = Literal[*kinds()]  # ty: ignore[invalid-type-form] - games name them all
FORMATS = "; ".join(f"{name}: {one.about}" for name, one in EXPORTS.items())

app = App(name="deck", help="Check, count, export and import decks.", config=SOURCES)
app.command("spieltisch.cli.lab:lab", name="lab", help="Play a deck with bots, read its cards, and suggest changes.")
app.command(
    "spieltisch.cli.admin:link", name="link", help="Print the address that opens a deck in the browser, backs included."
)
app.command("spieltisch.cli.admin:reports", name="reports", help="List cards that players reported as wrong.")


def folder_of(data: Path | None) -> Path:
    """The folder of a user's own decks."""
    return (data or paths.data_folder()) / paths.DECKS


@app.command
def check(
    *names: str,
    notes: Annotated[bool, Parameter(negative=())] = False,
    as_json: AsJson = False,
    language: Spoken = None,
    data: Data = None,
) -> int:
    """Check decks: what is wrong, in which line, and how to fix it.

    Parameters
    ----------
    names
        Decks or files (CSV, XLSX, ODS); all shipped decks by default.
    notes
        Show notes too.

    """
    lang = language or system_language()
    decks, refused = _opened(names, data, lang, over.checked)
    found: dict[str, list[dict[str, object]]] = {}
    for deck in decks:
        if as_json:
            found[deck.name] = [terminal.plain(one, lang) for one in deck.found]
            continue
        print_lines(terminal.findings(deck, lang, notes=notes))
    if as_json:
        print(json.dumps(found, ensure_ascii=False, indent=1))
    return 1 if refused or any(errors([*deck.found]) for deck in decks) else 0


@app.command(name="stats")
def stats_(
    *names: str,
    as_json: AsJson = False,
    language: Spoken = None,
    data: Data = None,
) -> int:
    """Count the cards of decks by century, notation, field, region, goal, level, series and language.

    Parameters
    ----------
    names
        Decks or files; all shipped decks by default.

    """
    lang = language or system_language()
    decks, refused = _opened(names, data, lang)
    counted = {deck.name: stats(deck.table, deck.kind) for deck in decks}
    if as_json:
        print(
            json.dumps(
                {name: terminal.plain_counts(one) for name, one in counted.items()}, ensure_ascii=False, indent=1
            )
        )
    else:
        for deck in decks:
            print_lines(terminal.counts(deck, counted[deck.name], lang))
    return 1 if refused else 0


@app.command
def sources(*names: str, data: Data = None, language: Spoken = None) -> int:
    """Print the sources of the cards, in Markdown.

    Parameters
    ----------
    names
        Decks or files; all shipped decks by default.

    """
    from spieltisch.decks.exporting.credits import document

    decks, refused = _opened(names, data, language or system_language())
    print(document(decks), end="")
    return 1 if refused else 0


@app.command
def export(
    name: str,
    *,
    form: Annotated[Form, Parameter(name="--format", help=FORMATS)] = "csv",
    to: Output = STANDARD_OUTPUT,
    language: Spoken = None,
    data: Data = None,
    database: Database = None,
) -> int:
    """Export a deck for spreadsheets, programs or flashcards.

    Parameters
    ----------
    name
        Deck or file.
    to
        File to write; printed by default.

    """
    lang = language or system_language()
    decks, refused = _opened([name], data, lang)
    if refused:
        return 1
    _tell_in_use(decks[0], data, database, lang)
    try:
        made = EXPORTS[form].made(decks[0], lang)
        if to == STANDARD_OUTPUT and isinstance(made, bytes):
            raise Invalid("this is written to a file: name it with --to")
    except Refused as reason:
        return refuse(decks[0].name, reason, lang)
    return _given(made, to, lang)


@app.command(name="import")
def import_(
    file: Path,
    *,
    name: str = "",
    title: str = "",
    kind: Kinds | None = None,
    to: Path | None = None,
    replace: Annotated[bool, Parameter(negative=())] = False,
    sure: Annotated[bool, Parameter(negative=())] = False,
    dry_run: Annotated[bool, Parameter(negative=())] = False,
    language: Spoken = None,
    data: Data = None,
    database: Written = None,
) -> int:
    """Import a sheet as a deck: CSV, XLSX or ODS with two columns or more. One error stops it all.

    An existing deck of that name is updated: cards keep their ids, and none appears twice.

    Parameters
    ----------
    file
        The sheet.
    name
        Name of the deck; the file's name by default.
    title
        Title of the deck at the table.
    kind
        Kind of its cards, such as events (Anno Domini) or firsts (Trailblaze); by default read from its columns.
    to
        File to write; by default the deck joins your own.
    replace
        Remove cards from the deck that are not in the sheet.
    sure
        Accept doubtful dates too: spans over 200 years, days in these months.
    dry_run
        Only print what would happen.

    """
    lang = language or system_language()
    called = library.slug(name or (to or file).stem)
    try:
        if to is None and called in library.shipped():
            raise Invalid("a shipped deck is called {name}: choose another name with --name", name=called)
        target = to or folder_of(data) / f"{called}.csv"
        was = version(target)
        old = over.open_deck(target) if was else None
        sheet = taken_in(read_file(file), kind or (old.kind if old else None))
        if old and old.kind != sheet.kind:
            raise Invalid("{name} is a deck of another kind", name=called)
        done = renewed(sheet, called, old.table if old else None, title=title, replace=replace)
        deck = over.looked_at(Deck(called, sheet.kind, done.table), sheet)
    except (Refused, OSError) as reason:
        return refuse(str(file), reason, lang)
    print_table(terminal.dates(deck, lang))
    print_lines(terminal.findings(deck, lang))
    if errors([*deck.found]):
        print(say(message("Nothing was taken in. Mend these lines and try again."), lang))
        return 1
    if not sure and (asked := [*asked_of(deck, done)]):
        print_lines(terminal.asked(asked, lang))
        print(say(message("Nothing was taken in. If that is meant so, say it with --sure."), lang))
        return 1
    print_lines(terminal.fates(done, lang))
    if dry_run:
        return 0
    if to is not None:
        return _put(target, deck.text(), lang)
    try:
        if not written(target.parent.parent, database, lambda files: files.put(target, deck.text(), was)):
            raise Illegal("This deck has just been changed; please look again.")
    except (Refused, MissingExtraError, OSError) as reason:
        return refuse(str(target), reason, lang)
    print(say(message("written: {file}", file=target), lang))
    return 0


@app.command
def errata(
    name: str,
    *,
    since: Path,
    day: str = "",
    to: Output = STANDARD_OUTPUT,
    language: Spoken = None,
    data: Data = None,
) -> int:
    """Write the corrections of a deck since an older version, for `deck apply-errata` on other servers.

    Parameters
    ----------
    name
        Deck or file.
    since
        The older version, as a file.
    day
        Date of the corrections, such as 2026-11-28; today by default.
    to
        File to write; printed by default.

    """
    from spieltisch.decks import errata as corrections

    lang = language or system_language()
    try:
        if day and not is_day(day):
            raise Invalid("{day} is not a day; write it as 2026-11-28", day=day)
        new = over.open_deck(library.find(name, folder_of(data)))
        found = corrections.errata(over.open_deck(since), new, day or dt.datetime.now(tz=dt.UTC).date().isoformat())
    except (Refused, OSError) as reason:
        return refuse(name, reason, lang)
    return _given(found.text(), to, lang)


@app.command(name="apply-errata")
def apply_errata(file: Path, *, language: Spoken = None, data: Data = None, database: Written = None) -> int:
    """Apply corrections to a deck, all or none. Running games keep their cards.

    The corrected copy of a shipped deck joins your own decks until a release ships another version.

    Parameters
    ----------
    file
        Corrections from `deck errata`.

    """
    from spieltisch.decks import errata as corrections

    lang = language or system_language()
    try:
        folder = folder_of(data)
        done = corrections.taken_in(folder, file.read_bytes())
        target = folder / f"{done.name}.csv"
        if not written(target.parent.parent, database, lambda files: files.put(target, done.text, done.was)):
            raise Illegal("This deck has just been changed; please look again.")
    except (Refused, MissingExtraError, OSError) as reason:
        return refuse(str(file), reason, lang)
    print(say(message("{name}, corrected cards: {n}", name=done.name, n=done.cards), lang))
    return 0


@app.command(name="hold-out")
def hold_out(name: str, *, to: Path = Path(), language: Spoken = None, data: Data = None) -> int:
    """Seal a deck: its hash can be published now, its cards opened later. `spieltisch verify` compares them.

    Writes NAME.held-out.csv, which stays secret until then, and NAME.seal.json, which holds no card.

    Parameters
    ----------
    name
        Deck or file.
    to
        Folder for the two files; the current one by default.

    """
    import secrets

    from spieltisch.decks.sealing import sealed

    lang = language or system_language()
    try:
        deck = over.checked(library.find(name, folder_of(data)))
        text, seal = sealed(deck, dt.datetime.now(tz=dt.UTC).date().isoformat(), secrets.token_bytes(16), name)
        files = {to / seal.file: text, to / f"{deck.name}.seal.json": seal.text()}
        for file in files:
            if file.exists():
                raise Invalid("{file} is there already. Name another folder with --to.", file=file)
    except (Refused, OSError) as reason:
        return refuse(name, reason, lang)
    return max(_put(file, content, lang) for file, content in files.items())


@app.command
def control(
    name: str,
    how: Literal["renamed", "shifted"],
    *,
    seed: int = 1,
    to: Output = STANDARD_OUTPUT,
    language: Spoken = None,
    data: Data = None,
) -> int:
    """Make a control deck, to measure what a player knows by heart.

    Parameters
    ----------
    name
        Deck or file with events.
    how
        renamed: the same dates, words without meaning. shifted: the same words, each with another card's date.
    seed
        Seed for the numbers or the dates.
    to
        File to write; printed by default.

    """
    from spieltisch.decks.control import control as made

    lang = language or system_language()
    try:
        found = made(over.open_deck(library.find(name, folder_of(data))), how, seed)
    except (Refused, OSError) as reason:
        return refuse(name, reason, lang)
    return _given(found.text(), to, lang)


@app.command(name="print")
def print_(
    name: str,
    *,
    paper: Literal["a4", "letter"] = "a4",
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    series: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    names: Literal[*LANGUAGES, LATIN] | None = None,  # ty: ignore[invalid-type-form] - the same
    order: Literal["german", "british"] | None = None,
    sure: Annotated[bool, Parameter(negative=())] = False,
    language: Spoken = None,
    data: Data = None,
    database: Database = None,
) -> int:
    """Make a PDF of a deck: nine cards a page with their backs, everything else the game needs, and its rules.

    Print it double-sided, flipped on the long edge, and cut along the marks.

    Parameters
    ----------
    name
        Deck or file.
    paper
        a4 or letter.
    output
        File to write; NAME.pdf by default.
    series
        Only cards of these series.
    names
        Language of the grammar terms, Latin included; the cards' language by default.
    order
        Order of the cases: german (nominative, genitive, dative …) or british (nominative, accusative, genitive …);
        as schools teach it in the cards' language by default.
    sure
        Print it even if boxes replace characters that the fonts lack.

    """
    from spieltisch.i18n import Terms
    from spieltisch.paper import pdf

    lang = language or system_language()
    decks, refused = _opened([name], data, lang)
    if refused:
        return 1
    _tell_in_use(decks[0], data, database, lang)
    target = output or Path(f"{decks[0].name}.pdf")
    try:
        terms = Terms(names or "", order or "")
        made = pdf.typeset(pdf.part(decks[0], series), lang, paper, terms, sure=sure)
        target.write_bytes(made)
    except (Refused, OSError) as reason:
        return refuse(name if isinstance(reason, Refused) else str(target), reason, lang)
    print(say(message("written: {file}", file=target), lang))
    return 0


def _opened(
    names: Sequence[str], data: Path | None, lang: str, opened: Callable[[Path], Deck] = over.open_deck
) -> tuple[list[Deck], int]:
    """The decks of these names, and the number of those that cannot be read, which are reported."""
    decks, refused = [], 0
    for name in names or library.shipped():
        try:
            decks.append(opened(library.find(name, folder_of(data))))
        except (Refused, OSError) as reason:
            refused += refuse(name, reason, lang)
    return decks, refused


def _tell_in_use(deck: Deck, data: Path | None, database: str | None, lang: str) -> None:
    """Warn if a running game uses the deck: its players should not see the backs."""
    from spieltisch.table.store import sqlite

    with contextlib.suppress(sqlite3.Error):  # no tables here, or of another version
        file = folder_of(data).parent / paths.TABLES
        running = sqlite.playing(file) if database is None else _in_database(database)
        if any(deck.name in setup.decks for setup in running):
            text = N_("{name} is in use in a running game. Its players should not see the backs.")
            print(terminal.printable(say(message(text, name=deck.name), lang)), file=sys.stderr)


def _in_database(address: str) -> Generator["TableSetup"]:
    """The running games in a database; none, and a message, if it cannot be used."""
    try:
        from spieltisch.cluster.database import playing

        yield from playing(address)
    except (DataError, MissingExtraError) as error:
        print(f"--database: {in_one_line(error)}", file=sys.stderr)


def refuse(name: str, reason: Refused | MissingExtraError | OSError, lang: str) -> int:
    """Print why something cannot be used. Returns the exit status 1."""
    if isinstance(reason, DataError | MissingExtraError):
        reason = Invalid(in_one_line(reason))
    elif isinstance(reason, OSError):
        reason = Invalid("cannot be read: {reason}", reason=reason.strerror or str(reason))
    print(terminal.printable(f"{name}: {say(reason, lang)}"), file=sys.stderr)
    return 1


def _given(content: str | bytes, to: Path, lang: str) -> int:
    """Write this to a file or to standard output. Returns the exit status."""
    if to != STANDARD_OUTPUT:
        return _put(to, content, lang)
    print(content, end="")
    return 0


def _put(path: Path, content: str | bytes, lang: str) -> int:
    try:
        put(path, content)
    except OSError as reason:
        return refuse(str(path), reason, lang)
    print(say(message("written: {file}", file=path), lang))
    return 0
