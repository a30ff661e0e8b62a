"""The commands for tables and records; those for decks, simulations and studies have modules of their own."""

import asyncio
import contextlib
import functools
import gc
import inspect
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, CycloptsError, Parameter

from spieltisch import __version__
from spieltisch.cli import settings
from spieltisch.cli.errors import in_words
from spieltisch.cli.output import STANDARD_OUTPUT, File, Output, _, named, read, reason, require_files, write
from spieltisch.privacy.retention import CLASS_HOURS, KEEP_DAYS


def _version() -> str:
    """Return the version and the number of the format in which it stores tables."""
    from spieltisch.table.store import sql

    return f"{__version__}, " + _("data format {n}", n=sql.FORMAT)


app = App(
    name="spieltisch",
    help="Play, teach and study table games on your own server.",
    version=_version,
    error_formatter=in_words,
    config=(settings.require_whole_numbers,),
)
app.command("spieltisch.cli.decks:app", name="deck", help="Check, count, export and import decks.")
app.command(
    "spieltisch.cli.simulate:simulate",
    name="simulate",
    help="Let bots play many games: win rates, seat advantage, lengths.",
)
app.command(
    "spieltisch.cli.arena:arena",
    name="arena",
    help="Play a round robin of bots, programs and models, and rate them.",
)
for _where, _what in {
    "host:link": "Print the address of the host's page, with its key.",
    "host:backup": "Copy all of a server's data into one file.",
    "host:restore": "Restore a server from a backup.",
    "upgrade:upgrade": "Check whether running games can go on under new rules.",
    "privacy:privacy": "Write the entry for a school's register of processing.",
    "doctor:doctor": "Check that a server is in order and can be reached.",
    "host:think": "Play the turns of bots and clocks for servers on one database.",
}.items():
    app.command(f"spieltisch.cli.{_where}", name=_where.partition(":")[2], help=_what, config=settings.SOURCES)
app.command("spieltisch.cli.warm:warm", name="warm", help="Compile the engines of bots and analyses beforehand.")
app.command("spieltisch.cli.language:app", name="language", help="Begin a language, and check one.")
app.command("spieltisch.cli.study:app", name="study", help="Solve games and answer questions about them.")


@app.command(config=settings.SOURCES)
def serve(
    *,
    host: str = "0.0.0.0",  # noqa: S104 - a table is for the people in the same room
    port: int | None = None,
    uds: Path | None = None,
    data: Path | None = None,
    browser: bool = True,
    root_path: str = "",
    trusted_proxy: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    origin: str = "",
    keep_days: int = KEEP_DAYS,
    class_hours: int = CLASS_HOURS,
    database: str | None = None,
    wake: str = "",
    operator: str = "",
    webhook_host: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    mail: str = "",
    mail_from: str = "",
    expect_tables: Annotated[bool, Parameter(negative=())] = False,
    as_root: Annotated[bool, Parameter(negative=())] = False,
    log_format: Literal["auto", "plain", "json"] = "auto",
    log_level: Literal["debug", "info", "warning", "error"] = "info",
    config: Path | None = None,  # noqa: ARG001 - `settings` reads it
) -> int:
    """Start the server.

    Each option can also be set in the environment, --port as SPIELTISCH_PORT, or in a file; see `spieltisch config`.

    Parameters
    ----------
    host
        Address to listen on; 127.0.0.1 for this machine alone.
    port
        Port. By default 8000, or the next free one if 8000 is taken.
    uds
        Unix domain socket to listen on instead, for a proxy on this machine.
    data
        Folder for the tables; the user's data folder by default.
    browser
        Open the browser.
    root_path
        Path under which a proxy serves this, such as /spieltisch.
    trusted_proxy
        Address of a proxy whose X-Forwarded headers the server trusts; repeat it for several.
    origin
        Address at which others reach the server, such as https://games.example.org. Other names are refused.
    keep_days
        Days after which the server deletes finished tables and their names.
    class_hours
        Hours after a lesson's end after which the server deletes the class's names and tables.
    database
        PostgreSQL database (15 or newer) for the tables, such as postgresql:///spieltisch; a file by default.
    wake
        Valkey or Redis, such as redis://127.0.0.1:6379, through which several servers on one database notify each
        other of moves; the database by default.
    operator
        Name and address of the operator, or a link to an imprint, for the privacy page.
    webhook_host
        Host that players may have told when it is their turn, such as hooks.example or nas.lan=10.0.0.5; repeat it for
        several.
    mail
        SMTP server through which players may be told, such as smtps://user:password@mail.example. Set it in the
        environment or the file.
    mail_from
        Address from which mail comes.
    expect_tables
        Refuse to start in a folder without tables, such as an unmounted disk.
    as_root
        Start even as root.
    log_format
        Format of the log: plain or json; auto is plain in a terminal, json elsewhere.
    log_level
        Lowest level that is logged: debug, info, warning or error.
    config
        File with options; by default spieltisch.toml in the user's configuration folder or in /etc.

    """
    gc.disable()  # nothing that is loaded for a start is garbage; a server that is up collects again
    try:
        from spieltisch.web.server.serve import serve as run

        settings.warn_of_passwords(database, wake, mail)
        return run(
            address=host, port=port, uds=uds, data=data, open_browser=browser, root_path=root_path,
            trusted_proxies=trusted_proxy, origin=origin, keep_days=keep_days, class_hours=class_hours,
            database=database, wake=wake, operator=operator, webhook_hosts=webhook_host, mail=mail,
            mail_from=mail_from, expect_tables=expect_tables, as_root=as_root,
            log_format=log_format, log_level=log_level, set_in=settings.places(),
        )  # fmt: skip
    finally:
        gc.enable()


@functools.wraps(serve)
def _config(**options: Any) -> int:
    from spieltisch import paths
    from spieltisch.web.server import start_checks

    asked = {name: options.get(name, one.default) for name, one in inspect.signature(serve).parameters.items()}
    file = settings.file_in_force(asked.pop("config"))
    told = {name.replace("_", "-"): value for name, value in asked.items()}
    if file is None:
        print("#", _("No file with options found. Looked for: {files}", files=", ".join(map(str, settings.files()))))
    else:
        print("#", _("File: {file}", file=file))
    for line in settings.lines(told, {"data": paths.data_folder(), "port": start_checks.PORT}):
        print(line)
    for name in settings.strangers({**told, "config": file}):
        print("#", _("{variable} does not set any option.", variable=name))
    names = {"trusted_proxy": "proxies", "webhook_host": "webhook_hosts"}
    given = {names.get(name, name): value for name, value in asked.items()}
    wanted: dict[str, Any] = {name: given[name] for name in start_checks.Asked.__struct_fields__}
    wanted["as_root"] = True  # the server may run as another user
    if why := start_checks.why_not(start_checks.Asked(**wanted)):
        print(f"spieltisch: {start_checks.with_place(why, settings.places())}", file=sys.stderr)
        return 2
    return 0


_config.__doc__ = (serve.__doc__ or "").replace(
    "Start the server.", "Print the options of `serve` that are in force, and where each was set."
)
app.command(_config, name="config", config=settings.SOURCES)


@app.command
def replay(*files: File, as_json: Annotated[bool, Parameter(name="--json", negative=())] = False) -> int:
    """Replay game records and refuse those that break a rule.

    Parameters
    ----------
    files
        Records to replay; - for standard input.
    as_json
        Print each outcome as a JSON object.

    """
    from spieltisch import record

    require_files("replay", files)
    refused = 0
    for file in files:
        try:
            outcome = record.outcome(record.replay(record.parse(read(file))))
        except Exception as error:  # noqa: BLE001 - whatever is in a file, one line says what is wrong with it
            refused += 1
            print(f"{file}: {reason(error)}", file=sys.stderr)
            continue
        print(json.dumps(outcome, ensure_ascii=False) if as_json else f"{file}: {_for_people(outcome)}")
    return 1 if refused else 0


@app.command
def verify(*files: File, deck: Path | None = None) -> int:
    """Check what was sealed: the dice of finished games, or the cards of a deck that was held out.

    For a record, every shuffle is recomputed from the seed shown at the end.

    Parameters
    ----------
    files
        Records downloaded from a table, or seals from `deck hold-out`; - for standard input.
    deck
        Opened deck of a seal; by default the file named in the seal, beside it.

    """
    from spieltisch import record
    from spieltisch.decks.sealing import check_opened, read_seal

    require_files("verify", files)
    refused = 0
    for file in files:
        try:
            content = read(file)
            if (opened := read_seal(content)) is not None:
                check_opened(opened, (deck or Path(file).parent / Path(opened.file).name).read_bytes())
                print(f"{file}:", _("these are the {n} cards sealed on {day}", n=opened.cards, day=opened.day))
                continue
            seal = record.verify(record.parse(content))
        except Exception as error:  # noqa: BLE001 - as above
            refused += 1
            other = isinstance(error, OSError) and error.filename is not None and str(error.filename) != file
            print(f"{file}: {named(error) if other else reason(error)}", file=sys.stderr)
            continue
        print(f"{file}:", _("every shuffle matches the seal {seal}", seal=seal))
    return 1 if refused else 0


@app.command(name="record", config=settings.SOURCES)
def record_(table: str, *, to: Output = STANDARD_OUTPUT, data: Path | None = None, database: str | None = None) -> int:
    """Write the record of a finished game.

    Parameters
    ----------
    table
        The table's code.
    to
        File to write; printed by default.
    data
        Folder of the tables; the user's data folder by default.
    database
        Database with the tables, if they are not in the folder.

    """
    import msgspec

    from spieltisch import paths
    from spieltisch.table.host import Host
    from spieltisch.table.lobby import code_in
    from spieltisch.table.store import Store
    from spieltisch.table.store.sqlite import SQLite
    from spieltisch.table.wake import Hub

    async def recorded() -> dict[str, object]:
        if database is None:
            store: Store = SQLite(paths.open_data_folder(data) / paths.TABLES)
        else:
            from spieltisch.cluster.postgres import Postgres

            store = Postgres(database)
        try:
            return await Host(store, Hub()).record(code_in(table))
        finally:
            await store.close()

    try:
        found = asyncio.run(recorded())
    except Exception as error:  # noqa: BLE001 - as above
        print(f"{table}: {reason(error)}", file=sys.stderr)
        return 1
    return write(to, f"{msgspec.json.format(msgspec.json.encode(found), indent=1).decode()}\n")


def _for_people(outcome: dict[str, Any]) -> str:
    if not outcome["over"]:
        return _("{game}, not over", game=outcome["game"])
    parts = [_("{game}, over ({end})", game=outcome["game"], end=outcome["end"])]
    if outcome["ranking"]:
        together = _(" and ")
        groups = (together.join(_("seat {seat}", seat=seat) for seat in group) for group in outcome["ranking"])
        parts.append(_("places {order}", order=", ".join(groups)))
    if outcome["scores"]:
        scores = (_("seat {seat}", seat=seat) + f": {score}" for seat, score in outcome["scores"].items())
        parts.append(_("points {each}", each=", ".join(scores)))
    return "; ".join(parts)


def run(words: Sequence[str]) -> int:
    """Run one command and return its exit status. Raises ModuleNotFoundError if it needs an extra that is not
    installed.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        return app(words, exit_on_error=False, print_error=True, result_action="return_value")
    except CycloptsError:
        return 2
