"""The SQL for PostgreSQL alone; what both engines share is in `table.store.sql`."""

# The files that servers share. A version is the database's time in microseconds, so a file that is deleted and
# created again has a later one.
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
# The number of connections of a name.
CONNECTED = "select count(*) from pg_stat_activity where datname = current_database() and application_name = ?"
NAMES = (
    "select application_name from pg_stat_activity"
    " where datname = current_database() and starts_with(application_name, ?)"
)
# An entry, and the pace of its table. It waits for a plan that is being deleted, and then does not find it.
# Plan, log and pace are locked in this order, tables and numbers in theirs. So two processes with the same tables may
# wait for each other, but never in a circle.
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
# Turns by the database's clock: those of `mine` when they are due, others some seconds later. Rows that somebody is
# writing are skipped, so no statement waits. A holder that missed its answer gets the lease again. A lease may get lost
# in a crash, so its commit does not wait for a disk. One row always comes, with the time; if nothing is due, nothing is
# written.
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
# Renews leases that are as they were given, or belong to a holder that missed their length; 0 seconds gives them back.
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
# Ends the leases of all other processes.
RELEASE = """
with clock as materialized (
    select extract(epoch from clock_timestamp())::double precision as now, set_config('synchronous_commit', 'off', true)
), held as materialized (
    select id from pace where lease > (select now from clock) and holder <> all(?::text[]) for update skip locked
)
update pace set lease = 0 from held where pace.id = held.id
"""
# Tables that others may have written or deleted since a moment (`Postgres.written_since`); one row without a table if
# there are none. The start time tells one database server from the next after a failover, whose transactions are
# numbered anew. Numbers above those that this statement can see came with a copy from another server.
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
# Forgetting first locks all plans of its tables, in the same order as appending. It reads their pace in a statement of
# its own, which sees what was written while it waited for a lock.
LOCK_PLANS = "select id, stage, body from plan where id = any(?::text[]) order by id for update"
TOUCHED_SINCE = "select id from pace where id = any(?::text[]) and touched >= ?"
# The plan first, which waits for anybody who is writing an entry.
DELETE_ALL = tuple(f"delete from {table} where id = any(?::text[])" for table in ("plan", "pace", "log"))  # noqa: S608
FORGET_GONE = "delete from gone where at < clock_timestamp() - make_interval(secs => ?)"
# The news of tables whose entry and revision are known: a row for each table that exists, or for each new entry. In
# this form the planner always looks entries up by their numbers, whatever its estimates.
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
NEWS_OF_ONE = _NEWS.format(known="(values (?::text, ?::integer, ?::integer))")  # psycopg takes long to encode arrays
TIME = "select extract(epoch from clock_timestamp())::double precision"
