"""Checks a PostgreSQL for the servers that keep their tables there: `spieltisch doctor --database`.

It changes nothing: it reads, and sends one message to a channel that nobody else hears.
"""

import secrets
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from psycopg.rows import TupleRow

from spieltisch import paths
from spieltisch.cli.doctor.findings import Finding, clock, formats, logs
from spieltisch.cli.output import _, reason
from spieltisch.cluster import statements
from spieltisch.cluster.cluster import LISTENS, PROOF
from spieltisch.cluster.copied import is_marked
from spieltisch.cluster.copying import format_of
from spieltisch.cluster.database import CONNECTIONS, connected, formats_of
from spieltisch.extras import needed
from spieltisch.paths import DataError
from spieltisch.table.damage import damages
from spieltisch.table.store import sql

with needed():
    import psycopg

SKEW = 1.0  # seconds between the clocks of server and database
_OURS = " from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace"
OWN = CONNECTIONS + 2  # connections of one server at most: for writing and reading, one to send and one to listen

Connection = psycopg.Connection[TupleRow]


def look_over(address: str, folder: Path) -> Generator[Finding]:
    """Check the database at this address, even while servers use it; `folder` is that of one of them."""
    try:
        with connected(address, autocommit=True) as db:
            yield _version(db)
            yield from _encoding(db)
            yield from _durable(db)
            yield from _tables(db)
            yield from _copy(db, folder)
            yield _clocks(db)
            yield _room(db)
            yield _hints(db, address)
    except DataError as error:
        yield Finding("bad", f"{reason(error)}.")


def _all(db: Connection, statement: str, values: Sequence[object]) -> list[Any]:
    """The rows that a statement of `sql` returns."""
    return db.execute(statement.replace("?", "%s").encode(), values, binary=True).fetchall()


def _one(db: Connection, question: str, *values: object) -> Any:
    """The only value of the only row."""
    return db.execute(question.encode(), values).fetchall()[0][0]


def _version(db: Connection) -> Finding:
    version = _one(db, "show server_version").partition(" ")[0]
    n = len(db.execute(statements.NAMES.replace("?", "%s").encode(), (LISTENS,)).fetchall())
    return Finding("good", _("The database is PostgreSQL {version}. Servers connected: {n}.", version=version, n=n))


def _encoding(db: Connection) -> Generator[Finding]:
    """Whether the database stores text in UTF-8."""
    if (found := _one(db, "show server_encoding")) != "UTF8":
        yield Finding("bad", _(
            "The database’s encoding {found} lacks characters that people type. Create a database with encoding"
            " 'UTF8' template template0, and restore a backup into it.", found=found,
        ))  # fmt: skip


def _durable(db: Connection) -> Generator[Finding]:
    """Whether commits survive a power cut, and the loss of the disk."""
    off = [name for name in ("fsync", "full_page_writes") if _one(db, f"show {name}") == "off"]
    for name in off:
        yield Finding(
            "bad", _("{name} is off in the database: a power cut may lose moves. Switch it on in postgresql.conf.",
                     name=name),
        )  # fmt: skip
    if off:
        return
    if standby := _one(db, "show synchronous_standby_names"):
        yield Finding("good", _("A move counts once it is on the disk and on a standby: {names}.", names=standby))
    else:
        yield Finding("good", _("A move counts once it is on the disk. No synchronous standby has a copy."))


def _tables(db: Connection) -> Generator[Finding]:
    """Whether the tables can be read, written and upgraded."""
    rights = ("select", "insert", "update", "delete")
    lacking = " or ".join(f"not has_table_privilege(oid, '{right}')" for right in rights)
    closed = _one(db, f"select string_agg(relname, ', ' order by relname){_OURS} and ({lacking})")
    if closed:
        yield Finding("bad", _(
            "{user} may not read and write these tables: {tables}. Make {user} their owner, or let the server"
            " log in as the user who created them.", user=db.info.user, tables=closed,
        ))  # fmt: skip
        return
    try:
        number = format_of(db)
    except DataError as error:
        yield Finding("bad", f"{reason(error)}.")
        return
    yield from formats(*formats_of(db))
    if _one(db, "show transaction_read_only") == "on":
        yield Finding("bad", _("The database is read-only: it is a standby, or default_transaction_read_only is on."))
        return
    if not _one(db, "select coalesce(has_schema_privilege(current_schema(), 'create'), false)"):
        schema = _one(db, "select coalesce(current_schema(), '?')")
        yield Finding("bad", _(
            "{user} may not create tables here. Make {user} the owner of the database, or grant create on schema"
            " {schema}.",
            user=db.info.user, schema=schema,
        ))  # fmt: skip
        return
    if not number:
        yield Finding("odd", _("There are no tables yet."))
        return
    foreign = _one(db, f"select string_agg(relname, ', '){_OURS} and not pg_has_role(relowner, 'usage')")
    if foreign:
        yield Finding("bad", _("{user} does not own these tables: {tables}. An update could not change them.",
                               user=db.info.user, tables=foreign))  # fmt: skip
        return
    size = _one(db, f"select coalesce(sum(pg_total_relation_size(oid)), 0)::float8{_OURS}")
    yield Finding("good", _("The tables can be read: {n}, {size} MB.", n=_one(db, sql.COUNT), size=f"{size / 1e6:.1f}"))
    yield from logs(damages(lambda statement, values: _all(db, statement, values)))
    yield clock(_one(db, sql.NEWEST))


def _copy(db: Connection, folder: Path) -> Generator[Finding]:
    """Whether the folder is a copy of this database; nothing if the database is still empty."""
    if _one(db, "select to_regclass('file')::text") is None:
        return
    found = db.execute(statements.FILE.replace("?", "%s").encode(), (paths.SECRET,)).fetchone()
    if found is None:
        return
    if is_marked(folder, found[1]):
        yield Finding("good", _("{folder} holds copies from this database: decks, keys, reports.", folder=folder))
    elif (folder / paths.COPY).exists():
        yield Finding(
            "bad", _("{folder} belongs to another database. Choose another folder with --data.", folder=folder)
        )
    else:
        yield Finding("odd", _("{folder} belongs to no database yet. The first server to start here copies its files"
                               " into the database.", folder=folder))  # fmt: skip


def _clocks(db: Connection) -> Finding:
    """The difference between the database's clock and this one, without the time of the query."""
    before = time.time()
    there = _one(db, "select extract(epoch from clock_timestamp())::float8")
    after = time.time()
    apart = max(before - there, there - after, 0.0)
    if apart > SKEW:
        return Finding("odd", _("The clocks of the database and of this machine are {n} seconds apart. Set both by"
                                " NTP.",
                                n=f"{apart:.0f}"))  # fmt: skip
    return Finding("good", _("The clocks of the database and of this machine agree."))


def _room(db: Connection) -> Finding:
    """The number of connections left for this user."""
    free = _one(
        db,
        "select least("
        " current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
        "  - (select count(*) from pg_stat_activity where backend_type = 'client backend'),"
        " (select nullif(datconnlimit, -1) from pg_database where datname = current_database())"
        "  - (select count(*) from pg_stat_activity where datname = current_database()),"
        " (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)"
        "  - (select count(*) from pg_stat_activity where usename = current_user))",
    )
    if free < OWN:
        return Finding("odd", _("The database has only {n} connections left, and a server takes up to {own}: raise"
                                " max_connections.", n=max(free, 0), own=OWN))  # fmt: skip
    return Finding("good", _("The database has {n} connections left; a server takes up to {own}.", n=free, own=OWN))


def _hints(db: Connection, address: str) -> Finding:
    """Whether a message from one connection reaches another; a pooler may swallow it."""
    channel = f"spieltisch_{secrets.token_hex(8)}"
    db.execute(f"listen {channel}".encode())
    with connected(address, autocommit=True) as other:
        other.execute("select pg_notify(%s, '')", (channel,))
    with closing(db.notifies(timeout=PROOF, stop_after=1)) as heard:
        if any(note.channel == channel for note in heard):
            return Finding("good", _("Servers notify each other at once."))
    return Finding("odd", _(
        "Messages between servers get lost, so each server looks for changes only every two seconds. A pooler in"
        " transaction mode causes this: give the servers the database’s own address."
    ))  # fmt: skip
