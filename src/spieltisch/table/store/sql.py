"""The SQL that SQLite and PostgreSQL share, and the formats of their tables."""

from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple

from spieltisch.paths import DataError


class Migration(NamedTuple):
    """One step from a format of the tables to the next, for each engine. `makes` is one of its results (a table, an
    index or a `table.column`); if it exists, the step is done.
    """

    makes: str
    sqlite: str
    postgres: str


# In order; the format is their number. A step runs if its result is missing, whatever format the database names,
# because
# early versions set that number back when they open later tables. `pace` is narrow because every move writes it.
# PostgreSQL compares ids byte by byte, like SQLite, not by a language's order.
MIGRATIONS = (
    Migration(
        makes="plan.body",
        sqlite="""
        create table plan (
            id text primary key, stage text not null, rev integer not null,
            deck text, seed blob, body blob not null
        );
        create table pace (id text primary key, touched double precision not null, due_at double precision);
        create index pace_due on pace (due_at) where due_at is not null;
        create table log (
            id text not null, seq integer not null, entry blob not null, primary key (id, seq)
        ) without rowid;
        create table deck (hash text primary key, used double precision not null, body blob not null);
        """,
        postgres="""
        create table plan (
            id text collate "C" primary key, stage text not null, rev integer not null,
            deck text, seed bytea, body bytea not null
        );
        create table pace (id text collate "C" primary key, touched double precision not null, due_at double precision);
        create index pace_due on pace (due_at) where due_at is not null;
        create table log (
            id text collate "C" not null, seq integer not null, entry bytea not null, primary key (id, seq)
        );
        create table deck (hash text primary key, used double precision not null, body bytea not null);
        """,
    ),
    Migration(
        makes="document",
        sqlite="""
        create table document (id text primary key, rev integer not null, due double precision, body blob not null);
        """,
        postgres="""
        create table document (
            id text collate "C" primary key, rev integer not null, due double precision, body bytea not null
        );
        """,
    ),
    Migration(  # until when a process has claimed the turns that are due; 0: none has
        makes="pace.lease",
        sqlite="alter table pace add column lease double precision not null default 0;",
        postgres="alter table pace add column lease double precision not null default 0;",
    ),
    Migration(  # the files of the servers' data folders, if several share a database; see `copied`
        makes="file",
        sqlite="create table file (name text primary key, version integer not null, body blob not null);",
        postgres='create table file (name text collate "C" primary key, version bigint not null, body bytea not null);',
    ),
    Migration(  # which process has the claim, so that others need not wait for its end when that process is gone
        makes="pace.holder",
        sqlite="alter table pace add column holder text not null default '';",
        postgres="alter table pace add column holder text not null default '';",
    ),
    # For a million tables. And for several writers: the transaction that last wrote a table, and the deleted tables.
    # Triggers note both, since processes of the former version may still be running.
    Migration(
        makes="pace_touched",
        sqlite="""
        create index pace_touched on pace (touched, id);
        create index plan_playing on plan (id) where stage = 'playing';
        create index plan_deck on plan (deck) where deck is not null;
        """,
        postgres="""
        alter table pace add column written xid8 not null default pg_current_xact_id();
        create index pace_touched on pace (touched, id);
        create index pace_written on pace (written);
        create index plan_playing on plan (id) where stage = 'playing';
        create index plan_deck on plan (deck) where deck is not null;
        create table gone (
            id text collate "C" not null, written xid8 not null default pg_current_xact_id(),
            at timestamptz not null default clock_timestamp()
        );
        create index gone_written on gone (written);
        create function note_written() returns trigger language plpgsql as $$
        begin
            new.written := pg_current_xact_id();
            return new;
        end $$;
        create trigger written before update of touched on pace for each row execute function note_written();
        create function note_gone() returns trigger language plpgsql set search_path from current as $$
        begin
            insert into gone (id) values (old.id);
            return null;
        end $$;
        create trigger gone after delete on plan for each row execute function note_gone();
        """,
    ),
)
FORMAT = len(MIGRATIONS)  # the number of this version's format
SHARED = 4  # from this format on, the database also has files
OLDER = "an older version has worked on %s, and took it for format %d: this one goes on with format %d"  # for the log


def reached(has: Callable[[str], bool]) -> int:
    """The format of tables; `has` tells what exists. 0 without tables."""
    return len([*takewhile(has, (one.makes for one in MIGRATIONS))])


def newer(found: int) -> DataError:
    """The refusal of tables in a format newer than this version's."""
    return DataError(
        "a newer version of Spieltisch wrote these tables (format {found}; this version knows {known}): install"
        " the newer version again, or restore a backup from before the update",
        found=found, known=len(MIGRATIONS),
    )  # fmt: skip


def append(n: int) -> str:
    """Write n entries at once; it returns those that were first. A deleted table takes no entries."""
    rows = ", ".join(["(?, ?, ?)"] * n)
    return (
        f"insert into log (id, seq, entry) select * from (values {rows}) as new"  # noqa: S608 - only marks
        " where exists (select 1 from plan where plan.id = new.column1)"
        " on conflict do nothing returning id, seq"
    )


def pace(n: int) -> str:
    """Set when n tables were touched and are next due; each table only once."""
    rows = ", ".join(["(?, ?, ?)"] * n)
    return (
        f"insert into pace (id, touched, due_at) values {rows}"  # noqa: S608 - only marks
        " on conflict (id) do update set touched = excluded.touched, due_at = excluded.due_at, lease = 0"
    )


def touched_last(n: int, skip: int) -> str:
    """The n tables that were touched last, after skipping some, which happens in the index."""
    return (
        "select (select body from plan where plan.id = page.id), touched"  # noqa: S608 - only numbers
        f" from (select id, touched from pace order by touched desc, id desc limit {n:d} offset {skip:d}) as page"
        " order by touched desc, id desc"
    )


# Rows that are read at a time. The number is in the statements, as above, because PostgreSQL plans each once without
# its values: it would take an unknown limit for a tenth of the table, and sort that.
PAGE = 50
CREATE = "insert into plan (id, stage, rev, body) values (?, ?, ?, ?) on conflict do nothing returning id"
SAVE = (
    "update plan set stage = ?, rev = ?, deck = ?, seed = coalesce(?, seed), body = ?"
    " where id = ? and rev = ? returning id"
)
PLAN = "select plan.body, pace.touched from plan join pace on pace.id = plan.id where plan.id = ?"
# A page of the running games, after this id. There may be more than fit into memory.
PLAYING = f"select id, body from plan where stage = 'playing' and id > ? order by id limit {PAGE}"  # noqa: S608
RUNNING = "select id from plan where stage = 'playing' order by id"
BODY = "select body from plan where id = ?"
SEED = "select seed from plan where id = ?"
LOG = "select seq, entry from log where id = ? and seq > ? order by seq"
PUT_DECK = "insert into deck (hash, used, body) values (?, ?, ?) on conflict (hash) do update set used = excluded.used"
DECK = "select body from deck where hash = ?"
NEW_DOCUMENT = "insert into document (rev, due, body, id) values (?, ?, ?, ?) on conflict do nothing returning id"
NEXT_DOCUMENT = "update document set rev = ?, due = ?, body = ? where id = ? and rev = ? returning id"
DOCUMENT = "select body from document where id = ?"
DUE_DOCUMENTS = "select id from document where due <= ? order by due"
DROP_DOCUMENT = "delete from document where id = ?"
# Turns later than any clock allows were written before the system's clock was set back.
DUE = "select id, due_at from pace where due_at <= ? or due_at > ? order by due_at"
NEWEST = "select max(touched) from pace"
COUNT = "select count(*) from plan"
IDS = "select id from plan"
GAMES = "select id from plan where id = ? or (id > ? and id < ?)"

# The next tables that were last touched before some time, after this one. Tables with days for a turn are left alone.
OLD = (
    "select touched, id from pace where touched < ? and (due_at is null or due_at < ?) and (touched, id) > (?, ?)"  # noqa: S608
    f" order by touched, id limit {PAGE}"
)
STAGE = "select stage, body from plan where id = ?"
OLD_DECKS = "delete from deck where used < ? and not exists (select 1 from plan where plan.deck = deck.hash)"
DELETE = ("delete from log where id = ?", "delete from pace where id = ?", "delete from plan where id = ?")

REV = "select rev from plan where id = ?"  # SQLite asks for news table by table

# The servers' files on one database, in a copy of it.
ALL_FILES = "select name, version, body from file"
GIVEN_FILE = "insert into file (name, version, body) values (?, ?, ?)"
DROP_FILES = "delete from file"
