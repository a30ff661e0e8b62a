"""What a register of processing activities (Art. 30 GDPR) says of a server, made from how that server is set up. What
only the school knows stands in brackets.
"""

import contextlib
import datetime as dt
import re
import sqlite3
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from spieltisch import __version__, backup, paths
from spieltisch.decks import library
from spieltisch.decks.exporting.spreadsheets import as_own_csv
from spieltisch.decks.files import Files
from spieltisch.decks.findings import Message, message, say
from spieltisch.decks.inbox import Inbox
from spieltisch.privacy.retention import CLASS_HOURS, KEEP_DAYS
from spieltisch.privacy.stored_data import PLAYERS, STORED
from spieltisch.table.store import sql
from spieltisch.table.store.sqlite import read_only

_BRACKETS = re.compile(r"[:,]? ?\[[^\]]*\]")  # what only the school knows
_LOCAL = {"", "localhost", "127.0.0.1", "::1"}


class Running(Struct, frozen=True):
    """How the server is started, as the options of `spieltisch serve` say; how many days backups are kept, None if that
    is not known.
    """

    folder: Path
    database: str | None = None
    keep_days: int = KEEP_DAYS
    class_hours: int = CLASS_HOURS
    proxies: tuple[str, ...] = ()
    backup_days: int | None = None
    wake: str = ""
    operator: str = ""
    webhook_hosts: tuple[str, ...] = ()
    mail: str = ""


class Line(Struct, frozen=True):
    """A line of the register: of its data also whose they are, where they lie, and until when."""

    part: Message
    text: Message
    whose: Message | None = None
    where: Message | None = None
    until: Message | None = None
    places: tuple[str, ...] = ()


class Said(Struct, frozen=True):
    """Something that is said to whoever plays: what, of whom, until when; "" where that goes without saying."""

    what: str
    whose: str = ""
    until: str = ""


class Section(Struct, frozen=True):
    """A part of the page; `operator`: who runs the server, as they name themselves."""

    head: str
    said: tuple[Said, ...]
    operator: str = ""


def text(running: Running, lang: str) -> str:
    """The register's entry as a text, in `de` or `en`."""
    out, part = [say(_TITLE, lang), "=" * len(say(_TITLE, lang)), ""], None
    for line in lines(running):
        if line.part != part:
            part = line.part
            out += ["", say(part, lang), "-" * len(say(part, lang))]
        out.append(f"- {say(line.text, lang)}")
        if line.whose:
            out.append("  " + say(message("Concerns: {whose}", whose=line.whose), lang))
        if line.where:
            out.append("  " + say(message("Where: {where}", where=line.where), lang))
        if line.until:
            out.append("  " + say(message("Deleted: {until}", until=line.until), lang))
    return "\n".join([*out, ""])


def table(running: Running, lang: str) -> str:
    """The same for spreadsheets: CSV with semicolons, marked as UTF-8."""
    named = (
        message("Part"),
        message("Entry"),
        message("Data subjects"),
        message("Where"),
        message("Deleted"),
        message("Places"),
    )
    rows = [[say(one, lang) for one in named]]
    for line in lines(running):
        said = (
            "" if one is None else say(one, lang) for one in (line.part, line.text, line.whose, line.where, line.until)
        )
        rows.append([*said, ", ".join(line.places)])
    return as_own_csv(rows)


_TITLE = message("Spieltisch: entry for the register of processing activities (Art. 30 GDPR)")
_HEAD = message("About this entry")
_WHO = message("1 Responsible")
_WHY = message("2 Purpose and legal basis")
_DATA = message("3 People and data: where they lie and when they are deleted")
_NOT = message("4 What is not stored")
_TO = message("5 Recipients")
_SAFE = message("6 Measures")
_NOW = message("7 What is stored today")
_UNNAMED = message("The operator of this server is not named here. Ask the person who gave you its address.")


def lines(running: Running) -> Iterator[Line]:
    """The entry, line by line."""
    made = message(
        "Written on {day} by Spieltisch {version} from the server’s settings. This is not legal advice. Fill in"
        " what stands in [brackets]: the program does not know it.",
        day=dt.datetime.now().astimezone().date().isoformat(), version=__version__,
    )  # fmt: skip
    yield Line(_HEAD, made)
    yield from _responsible(running)
    yield Line(_WHO, message("[data protection officer: name, email]"))
    yield Line(_WHY, message("Knowledge games in class: pupils play in small groups and talk about what they know."))
    yield from _kept(running)
    yield from _today(running)


def public(running: Running, lang: str) -> Iterator[Section]:
    """What people may read of it, as a page: without what stands in brackets, and without what lies there now."""
    who = [] if running.operator else [_UNNAMED]
    yield Section(_head(_WHO, lang), tuple(Said(say(one, lang)) for one in who), running.operator)
    part, said = None, []
    for line in _kept(running):
        if line.part != part:
            if part is not None:
                yield Section(_head(part, lang), tuple(said))
            part, said = line.part, []
        if text := _bare(line.text, lang):
            said.append(Said(text, _bare(line.whose, lang), _bare(line.until, lang)))
    assert part is not None
    yield Section(_head(part, lang), tuple(said))


def _head(part: Message, lang: str) -> str:
    """A heading without its number, which is that of the register."""
    return say(part, lang).lstrip("0123456789 ")


def _bare(one: Message | None, lang: str) -> str:
    """What the program itself knows; "" where that is nothing."""
    return "" if one is None else _BRACKETS.sub("", say(one, lang)).strip()


def _responsible(running: Running) -> Iterator[Line]:
    if running.operator:
        yield Line(_WHO, message("Responsible: {operator}", operator=running.operator))
    else:
        yield Line(_WHO, message("[name and address of the school, head teacher, telephone, email]"))


def _kept(running: Running) -> Iterator[Line]:
    """All that both the register and the page say."""
    yield Line(_WHY, message("There are no marks, no profiles and no automated decisions about people."))
    yield Line(_WHY, message("[legal basis, such as your state’s school law]"))
    times = {"days": running.keep_days, "hours": running.class_hours}
    for one in STORED:
        until = message(one.until.text, **times)
        yield Line(_DATA, one.what, one.whose or message("nobody"), _where(one.places[0]), until, one.places)
    yield from _copies(running)
    yield from _around(running)


def _where(place: str) -> Message:
    if place.startswith(("cookie ", "storage ")):
        return message("in the browser")
    return message("in the tables") if "." in place and "/" not in place else message("in the data folder")


def _copies(running: Running) -> Iterator[Line]:
    """Where data live on that the server has deleted."""
    what = message("backups made with spieltisch backup: all of the above as it was then")
    if running.backup_days is None:
        until = message("[how many days you keep backups; set it with --backup-days]")
    else:
        until = message(
            "after {backup} days, so a name can remain up to {sum} days after the last use of its table",
            backup=running.backup_days, sum=running.backup_days + running.keep_days,
        )  # fmt: skip
    yield Line(_DATA, what, PLAYERS, message("[where your backups lie]"), until)
    if running.database is not None:
        what = message("deleted rows until PostgreSQL vacuums them, and its own logs and backups")
        until = message("[as its operator has set it up]")
        yield Line(_DATA, what, PLAYERS, message("in the database"), until)


_NO_ACCOUNTS = message(
    "No accounts, passwords, email addresses, school classes or marks. Players send each other set phrases,"
    " no text of their own."
)
_ONLY_MAIL = message(
    "No accounts, passwords, school classes or marks, and no email addresses but those that players enter to be told"
    " of their turn. Players send each other set phrases, no text of their own."
)
_NEVER = (
    message("Phrases said at a table and who is present: in memory for that moment, never written down."),
    message("Network addresses: in memory until the server stops, to limit requests; never written down."),
    message("The server’s log holds no names, addresses, table codes or keys."),
    message("No page loads anything from elsewhere: no fonts, no statistics, no advertising."),
)
_SEEN = (
    message("At a table, everybody sees names, moves and results. A hidden hand is shown to its seat only."),
    message("Anyone with a table’s code may watch, and look at the finished game."),
    message("The operator of the server can read its files: [name]"),
)
_MACHINE = message("[if somebody else runs the machine: their name, and the contract about it (Art. 28)]")
_NOTHING_ELSE = message("The program sends nothing to third countries. [where the machine stands]")
_GUARDED = (
    message(
        "Seats open only with signed keys. The server refuses guessed codes, other sites’ forms and floods of requests."
    ),
    message("Other users of the machine cannot open the data folder. Deleted rows of its tables are overwritten."),
    message("The server deletes old tables and names by itself, once an hour."),
    message("Backups hold the server’s secret and open every seat. Only their owner can read them."),
    message("A person’s data goes with the table where they played: [who deletes it on request]"),
)


def _around(running: Running) -> Iterator[Line]:
    """What is not kept, who gets something, what guards it."""
    yield Line(_NOT, _ONLY_MAIL if running.mail else _NO_ACCOUNTS)
    yield from (Line(_NOT, one) for one in _NEVER)
    if running.proxies:
        seen = message(
            "The proxy ({proxies}) may log network addresses: [what, and for how long]",
            proxies=", ".join(running.proxies),
        )
        yield Line(_NOT, seen)
    yield from (Line(_TO, one) for one in _SEEN)
    host = "" if running.database is None else urlsplit(running.database).hostname or ""
    if host not in _LOCAL:
        yield Line(_TO, message("The database is on {host}: [who runs it, and the contract about it]", host=host))
    host = urlsplit(running.wake).hostname or ""
    if host not in _LOCAL:
        hints = message(
            "Servers exchange table codes, presence and phrases through the Valkey or Redis on {host}, which"
            " stores nothing: [who runs it, and the contract about it]",
            host=host,
        )
        yield Line(_TO, hints)
    if running.webhook_hosts:
        called = message(
            "If a player enters a web address on {hosts}, that host learns their name, the game, the table’s code and"
            " when it is their turn: [who runs it, and where]",
            hosts=", ".join(one.partition("=")[0] for one in running.webhook_hosts),
        )
        yield Line(_TO, called)
    if running.mail:
        mailed = message(
            "Emails to players go through {host}, which learns their address and name, the game and the table’s code:"
            " [who runs it, and the contract about it]",
            host=urlsplit(running.mail).hostname or "",
        )
        yield Line(_TO, mailed)
    yield Line(_TO, _MACHINE)
    if not running.webhook_hosts and not running.mail:
        yield Line(_TO, _NOTHING_ELSE)
    yield from (Line(_SAFE, one) for one in _GUARDED)
    if running.proxies:
        way = message("The proxy encrypts the traffic between browser and server: [since when, with which certificate]")
    else:
        way = message(
            "Without a proxy, the traffic between browser and server is not encrypted: only for a closed network."
        )
    yield Line(_SAFE, way)


def _today(running: Running) -> Iterator[Line]:
    """What lies in the data folder now."""
    folder = running.folder
    yield Line(_NOW, message("Data folder: {folder}", folder=folder))
    if sys.platform != "win32":
        open_ = stat.S_IMODE(folder.stat().st_mode) & 0o077
        closed = message("Other users of the machine cannot read it.")
        yield Line(
            _NOW,
            message("Other users of the machine can read it. Run: chmod go= {folder}", folder=folder)
            if open_
            else closed,
        )
    if running.database is not None:
        yield Line(_NOW, message("Tables: in PostgreSQL {database}", database=_without_password(running.database)))
    elif (folder / paths.TABLES).is_file():
        with contextlib.suppress(sqlite3.Error), closing(read_only(folder / paths.TABLES)) as db:
            n = db.execute(sql.COUNT).fetchone()[0]
            yield Line(_NOW, message("Tables in {file}: {n}", file=paths.TABLES, n=n))
    yield Line(_NOW, message("Your own decks: {n}", n=len(library.own(folder / paths.DECKS))))
    yield Line(_NOW, message("Reported cards: {n}", n=len(Inbox(folder / paths.DECKS, Files()).all())))
    aside: Sequence[Path] = sorted(folder.glob(f"{backup.BEFORE}*"))
    for one in aside:
        yield Line(_NOW, message("Put aside by a restore, with names in it: {folder}", folder=one.name))


def _without_password(address: str) -> str:
    parts = urlsplit(address)
    where = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{where}{parts.path}" if parts.scheme else "PostgreSQL"
