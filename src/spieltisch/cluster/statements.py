"""The SQL that PostgreSQL alone understands; what both engines share is in `table.store.sql`."""

# The files that servers share. A version is the time of the database's clock in microseconds, so a file that was
# deleted and made again has a later one.
FILES = "select name, version from file"
FILE = "select version, body from file where name = ?"
_NOW = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"
NEW_FILE = f"insert into file (name, version, body) values (?, {_NOW}, ?) on conflict do nothing returning version"  # noqa: S608
NEXT_FILE = (
    f"update file set version = greatest({_NOW}, version + 1), body = ?"  # noqa: S608 - ours
    " where name = ? and version = ? returning version"
)
DROP_FILE = "delete from file where name = ?"
COUNT_FILES = "select count(*) from file"
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
