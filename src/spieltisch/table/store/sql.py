"""The SQL that SQLite and PostgreSQL share, and the formats of the tables in both."""

from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple

from spieltisch.paths import DataError


class Migration(NamedTuple):
    """One step from a format of the tables to the next, for each engine. `makes` is one of the things that it makes: a
    table, an index or a `table.column`. The step is done where that exists.
    """

    makes: str
    sqlite: str
    postgres: str


# In order; the format is their number. A step runs where what it makes is missing, whatever format the database names:
# early versions set that number back when they open tables of a later one. `pace` is narrow because every move writes
# it. PostgreSQL compares ids byte by byte, as SQLite does, not as a language sorts words.
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
    Migration(  # until when somebody takes the turns that are due there; 0: nobody does
        makes="pace.lease",
        sqlite="alter table pace add column lease double precision not null default 0;",
        postgres="alter table pace add column lease double precision not null default 0;",
    ),
    Migration(  # what lies in the data folder of one server, where several share a database; see `copied`
        makes="file",
        sqlite="create table file (name text primary key, version integer not null, body blob not null);",
        postgres='create table file (name text collate "C" primary key, version bigint not null, body bytea not null);',
    ),
    Migration(  # which process takes the turns, so that others need not wait for the end of its lease when it is gone
        makes="pace.holder",
        sqlite="alter table pace add column holder text not null default '';",
        postgres="alter table pace add column holder text not null default '';",
    ),
    # For a million tables. And where several processes write: the transaction that wrote a table last, and which tables
    # are gone. Triggers note both, since processes of the former version may still be at work.
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
SHARED = 4  # the format from which on the database has files, too
OLDER = "an older version has worked on %s, and took it for format %d: this one goes on with format %d"  # in the log


def reached(has: Callable[[str], bool]) -> int:
    """The format of tables of which this says what there is; 0 where there are none."""
    return len([*takewhile(has, (one.makes for one in MIGRATIONS))])


def newer(found: int) -> DataError:
    """The refusal of tables in a format that this version does not know yet."""
    return DataError(
        "a newer version of Spieltisch wrote these tables (format {found}; this version knows {known}): install"
        " the newer version again, or restore a backup from before the update",
        found=found, known=len(MIGRATIONS),
    )  # fmt: skip


def append(n: int) -> str:
    """Write n entries at once; what comes back was first. A table that is gone takes no entries."""
    rows = ", ".join(["(?, ?, ?)"] * n)
    return (
        f"insert into log (id, seq, entry) select * from (values {rows}) as new"  # noqa: S608 - only marks
        " where exists (select 1 from plan where plan.id = new.column1)"
        " on conflict do nothing returning id, seq"
    )


def pace(n: int) -> str:
    """When n tables were touched and are due next; each table once."""
    rows = ", ".join(["(?, ?, ?)"] * n)
    return (
        f"insert into pace (id, touched, due_at) values {rows}"  # noqa: S608 - only marks
        " on conflict (id) do update set touched = excluded.touched, due_at = excluded.due_at, lease = 0"
    )


def touched_last(n: int, skip: int) -> str:
    """The n tables that were touched last, after so many of them. What is skipped is skipped in the index."""
    return (
        "select (select body from plan where plan.id = page.id), touched"  # noqa: S608 - only numbers
        f" from (select id, touched from pace order by touched desc, id desc limit {n:d} offset {skip:d}) as page"
        " order by touched desc, id desc"
    )


# Rows that are read at a time. It stands in the statements, as in those above: PostgreSQL plans each once, without its
# values, and would take a limit that it does not know for a tenth of the table, which it sorts.
PAGE = 50
CREATE = "insert into plan (id, stage, rev, body) values (?, ?, ?, ?) on conflict do nothing returning id"
SAVE = (
    "update plan set stage = ?, rev = ?, deck = ?, seed = coalesce(?, seed), body = ?"
    " where id = ? and rev = ? returning id"
)
PLAN = "select plan.body, pace.touched from plan join pace on pace.id = plan.id where plan.id = ?"
# A page of the games that run, after this id. Pages, since there may be more than the memory should hold.
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
# What is due later than any clock allows was written before the system's clock was set back.
DUE = "select id, due_at from pace where due_at <= ? or due_at > ? order by due_at"
NEWEST = "select max(touched) from pace"
COUNT = "select count(*) from plan"
IDS = "select id from plan"
GAMES = "select id from plan where id = ? or (id > ? and id < ?)"

# The next tables that were last touched before some time, after this one. Who has days for a turn is not forgotten.
OLD = (
    "select touched, id from pace where touched < ? and (due_at is null or due_at < ?) and (touched, id) > (?, ?)"  # noqa: S608
    f" order by touched, id limit {PAGE}"
)
STAGE = "select stage, body from plan where id = ?"
OLD_DECKS = "delete from deck where used < ? and not exists (select 1 from plan where plan.deck = deck.hash)"
DELETE = ("delete from log where id = ?", "delete from pace where id = ?", "delete from plan where id = ?")

REV = "select rev from plan where id = ?"  # SQLite asks table by table what is new

# The files of servers on one database, in a copy of it.
ALL_FILES = "select name, version, body from file"
GIVEN_FILE = "insert into file (name, version, body) values (?, ?, ?)"
DROP_FILES = "delete from file"
