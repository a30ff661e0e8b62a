"""All the SQL. What is written while people play is plain enough for SQLite and PostgreSQL alike."""

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
        "the tables were written by a newer Spieltisch (format {found}, this one knows {known}): install the newer"
        " one again, or put a backup of before in their place",
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
COUNT_FILES = "select count(*) from file"
IDS = "select id from plan"
GAMES = "select id from plan where id = ? or (id > ? and id < ?)"

# The next tables that were last touched before some time, after this one.
OLD = f"select touched, id from pace where touched < ? and (touched, id) > (?, ?) order by touched, id limit {PAGE}"  # noqa: S608
STAGE = "select stage, body from plan where id = ?"
OLD_DECKS = "delete from deck where used < ? and not exists (select 1 from plan where plan.deck = deck.hash)"
DELETE = ("delete from log where id = ?", "delete from pace where id = ?", "delete from plan where id = ?")

REV = "select rev from plan where id = ?"  # SQLite asks table by table what is new

# PostgreSQL alone: the files that servers share. A version is the time of the database's clock in microseconds, so a
# file that was deleted and made again has a later one.
FILES = "select name, version from file"
FILE = "select version, body from file where name = ?"
_NOW = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"
NEW_FILE = f"insert into file (name, version, body) values (?, {_NOW}, ?) on conflict do nothing returning version"  # noqa: S608
NEXT_FILE = (
    f"update file set version = greatest({_NOW}, version + 1), body = ?"  # noqa: S608 - ours
    " where name = ? and version = ? returning version"
)
DROP_FILE = "delete from file where name = ?"
ALL_FILES = "select name, version, body from file"  # of a copy in a file
GIVEN_FILE = "insert into file (name, version, body) values (?, ?, ?)"
DROP_FILES = "delete from file"
# How many connections there are of a name.
CONNECTED = "select count(*) from pg_stat_activity where datname = current_database() and application_name = ?"
NAMES = (
    "select application_name from pg_stat_activity"
    " where datname = current_database() and starts_with(application_name, ?)"
)
# And an entry with the pace of its table. A plan that somebody deletes meanwhile is waited for, and then not there.
# Plan, log and pace are locked in this order, and tables and numbers in theirs: two processes with the same tables in
# hand wait for each other, but never in a circle.
APPEND = """
with there as materialized (
    select id from plan where id = ? for key share
), written as (
    insert into log (id, seq, entry) select id, ?::integer, ?::bytea from there on conflict do nothing returning id, seq
), paced as (
    update pace set touched = ?, due_at = ?, lease = 0 where id = (select id from written)
)
select id, seq from written
"""
# Turns by the clock of the database, those of `mine` when they are due, others after so many seconds more. Rows that
# somebody is writing are passed over: nobody waits, so nobody waits in a circle. A holder that did not hear what it was
# given takes it once more. A lease need not survive anything, and its commit waits for no disk. There is a row in any
# case, with the time; where nothing is due, nothing is written.
CLAIM = """
with clock as materialized (
    select extract(epoch from clock_timestamp())::double precision as now, set_config('synchronous_commit', 'off', true)
), due as materialized (
    select id from pace
    where (due_at <= (select now from clock) or due_at > (select now from clock) + ?)
        and (lease <= (select now from clock) or holder = ?)
        and (due_at <= (select now from clock) - ? or due_at > (select now from clock) + ? or id = any(?::text[]))
        and id <> all(?::text[])
    order by due_at limit ? for update skip locked
), claimed as (
    update pace set lease = (select now from clock) + ?, holder = ? from due where pace.id = due.id
    returning pace.id, pace.lease
)
select clock.now, claimed.id, claimed.lease from clock left join claimed on true
"""
# Of leases that still stand as they were given, or are their holder's that did not hear how long they were given for;
# 0 seconds gives them back.
RENEW = """
with clock as materialized (
    select extract(epoch from clock_timestamp())::double precision as now, set_config('synchronous_commit', 'off', true)
), held as materialized (
    select pace.id from pace join unnest(?::text[], ?::double precision[]) as given (id, lease) on pace.id = given.id
    where pace.lease = given.lease or (pace.lease > (select now from clock) and pace.holder = ?)
    for update of pace skip locked
)
update pace set lease = (select now from clock) + ? from held where pace.id = held.id returning pace.id, pace.lease
"""
# The leases of all but these processes end.
RELEASE = """
with clock as materialized (
    select extract(epoch from clock_timestamp())::double precision as now, set_config('synchronous_commit', 'off', true)
), held as materialized (
    select id from pace where lease > (select now from clock) and holder <> all(?::text[]) for update skip locked
)
update pace set lease = 0 from held where pace.id = held.id
"""
# Which tables others may have written, or deleted, since a moment (`Postgres.written_since`); one row without a table
# where there are none. The server's start tells one server from the next after a failover: their transactions have
# numbers of their own. Numbers after those that this statement sees came with a copy from another server.
WRITTEN = """
with here as materialized (
    select pg_postmaster_start_time()::text as server, extract(epoch from clock_timestamp())::double precision as now,
        pg_snapshot_xmin(pg_current_snapshot()) as open, pg_snapshot_xmax(pg_current_snapshot()) as next
), found as (
    select id from pace where written >= ?::xid8 and written < (select next from here)
    union all
    select id from gone where written >= ?::xid8 and written < (select next from here)
)
select here.server, here.now, here.open::text, found.id from here left join found on true
"""
NOTE_WRITTEN = "update pace set written = default where id = ?"
# Forgetting locks all plans of its tables first, in the order in which appending locks them. It looks at their pace in
# a statement of its own: that sees what was written while it waited for a lock.
LOCK_PLANS = "select id, stage, body from plan where id = any(?::text[]) order by id for update"
TOUCHED_SINCE = "select id from pace where id = any(?::text[]) and touched >= ?"
# The plan first: whoever is writing an entry is waited for.
DELETE_ALL = tuple(f"delete from {table} where id = any(?::text[])" for table in ("plan", "pace", "log"))  # noqa: S608
FORGET_GONE = "delete from gone where at < clock_timestamp() - make_interval(secs => ?)"
# What is new of tables of which an entry and a revision are known: a row for each that is there, or each new entry.
# Asked so, each table's entries are looked up by their numbers, however many the database takes there to be.
_NEWS = """
select known.id, case when plan.rev <> known.rev then plan.body end, pace.touched, more.seq, more.entry
from {known} as known (id, seq, rev)
join plan on plan.id = known.id join pace on pace.id = known.id
left join lateral (
    select seq, entry from log where log.id = known.id and log.seq > known.seq order by seq offset 0
) as more on true
order by known.id, more.seq
"""
NEWS = _NEWS.format(known="unnest(?::text[], ?::integer[], ?::integer[])")
NEWS_OF_ONE = _NEWS.format(known="(values (?::text, ?::integer, ?::integer))")  # arrays take psycopg long to write
TIME = "select extract(epoch from clock_timestamp())::double precision"
