"""Faults planted into a server before a run: the checker must find each, or it is broken.

Each changes the server inside its process before it serves; the product knows nothing of it.
"""

import asyncio
import contextlib
import math
import os
import random
import signal
import sqlite3
import tempfile
from collections.abc import Callable

import msgspec

from chaos.served import put
from spieltisch.table import patience, turns, wake
from spieltisch.table import session as sessions
from spieltisch.table.host import Host
from spieltisch.table.log import read_entry
from spieltisch.table.session import TableSession
from spieltisch.table.store import Unsaved, sqlite
from spieltisch.web.core.readiness import Readiness
from spieltisch.web.server.serve import Server
from spieltisch.web.table import api
from spieltisch.web.wire.frames import QuickLine

PLANTED = {}  # by name: the function that plants it


class Fault(msgspec.Struct, frozen=True):
    """A planted fault: the conditions that may find it, and the run in which it shows."""

    plant: Callable[[], object]
    found_by: tuple[str, ...]
    faults: tuple[str, ...] = ()
    store: str = "postgres"
    words: tuple[str, ...] = ()

    def __call__(self):
        self.plant()


def planted(*found_by, **more):
    def named(plant):
        PLANTED[plant.__name__] = Fault(plant, found_by, **more)
        return plant

    return named


def wrapped(owner, name, wrap):
    """Replace an attribute by `wrap` of its value."""
    put(owner, name, wrap(getattr(owner, name)))


def stores():
    from spieltisch.cluster.postgres import Postgres
    from spieltisch.table.store.sqlite import SQLite

    return (SQLite, Postgres)


@planted("acknowledged", "prefix", faults=("kill",), store="sqlite")
def acknowledge_before_commit():
    """An entry is acknowledged at once, and written half a second later."""

    def wrap(append):
        def early(self, *given):
            loop = asyncio.get_running_loop()
            loop.call_later(0.5, lambda: append(self, *given))
            done = loop.create_future()
            done.set_result(True)
            return done

        return early

    for store in stores():
        wrapped(store, "append", wrap)


@planted("acknowledged", "prefix", "replayed")
def swallow_a_conflict():
    """The second writer of an entry is told that it was written."""

    def wrap(append):
        async def first(self, *given):
            await append(self, *given)
            return True

        return first

    for store in stores():
        wrapped(store, "append", wrap)


@planted("at_most_once", words=("--again", "1", "--tables", "24", "--seconds", "15"))
def retry_as_something_new():
    """A repeated move is taken for an answer to the next question, if possible."""

    def wrap(verdict):
        def again(self, seat, question, action):
            said = verdict(self, seat, question, action)
            position = self.position
            return None if said == "taken" and action in position.legal(seat) else said

        return again

    wrapped(TableSession, "verdict", wrap)


@planted("prefix", "own_writes", "converged")
def read_from_a_stale_cache():
    """A program sometimes gets a picture that is some entries old."""

    def wrap(snapshot):
        kept = {}

        def stale(table, viewer, *given):
            made = snapshot(table, viewer, *given)
            old = kept.setdefault((table.id, viewer.seat), [])
            old.append(made)
            return random.choice(old[-4:])

        return stale

    wrapped(api, "snapshot", wrap)


@planted("turns")
def fire_a_timer_twice():
    """A clock that has answered also answers the seat's next question."""

    def wrap(take):
        async def twice(self, table, turn):
            taken = await take(self, table, turn)
            for seat in table.to_act if turn.by == "clock" else ():
                action = turns.unanswered(table.package, table.legal(seat))
                if action is not None:
                    await self._host.answer(table.id, seat, table.question(seat), action, "clock")
            return taken

        return twice

    wrapped(turns.TurnRunner, "_take", wrap)


@planted("prefix", "own_writes", "converged", "turns")
def lose_wake_ups_without_polling():
    """Other processes' writes are neither heard nor polled, even on request."""
    from spieltisch.cluster import cluster

    put(cluster, "POLL", math.inf)
    put(cluster.Cluster, "_follow", lambda *_: None)
    put(Host, "latest", Host.table)


@planted("levels", store="sqlite", faults=("lines_cut",))
def leak_a_listener():
    """Listeners who have gone are still told."""

    def wrap(among):
        def kept(all_, table, one):
            all_.setdefault(table, set()).add(one)
            return among({}, table, one)

        return kept

    wrapped(wake, "_among", wrap)


@planted("numbered", "acknowledged", "prefix", "replayed", "turns")
def number_by_a_counter_of_its_own():
    """An entry whose number is taken gets the next number."""

    def wrap(append):
        async def counted(self, table, seq, entry, due_at, at):
            while not await append(self, table, seq, entry, due_at, at):
                seq += 1
            return True

        return counted

    for store in stores():
        wrapped(store, "append", wrap)


@planted("turns", words=("--seconds", "10", "--tables", "16"))
def clock_of_the_process():
    """Each reading of the clock is off by up to half a minute."""

    def wrap(init):
        def shaken(self, *given, **more):
            init(self, *given, **more)
            clock = self.clock
            self.clock = lambda: clock() + 30 * (int(clock()) % 2)

        return shaken

    wrapped(Host, "__init__", wrap)


@planted("prefix", "secrets")
def send_the_other_seats_picture():
    """A seat sometimes gets its neighbour's picture."""

    def wrap(view):
        def other(self, seat):
            if seat is not None and random.random() < 0.05:
                seat = (seat + 1) % len(self.setup.chairs)
            return view(self, seat)

        return other

    wrapped(sessions.TableSession, "view", wrap)


@planted("parted", faults=("restart",))
def drop_the_drain():
    """A server that is asked to stop is gone at once."""
    put(Server, "handle_exit", lambda *_: os.kill(os.getpid(), signal.SIGKILL))


@planted("prefix", "own_writes", "replayed", "converged", faults=("kill",), store="sqlite")
def apply_twice_on_replay():
    """Reading a log repeats its last action, if the rules allow something like it."""

    def wrap(follow):
        def twice(self, bodies):
            followed = follow(self, bodies)
            if followed and len(bodies) > 1 and self.position is not None and self.position.to_act:
                seat = self.position.to_act[0]
                self.publish(*self.step(seat, self.position.legal(seat)[0], "seat"))
            return followed

        return twice

    wrapped(TableSession, "follow", wrap)


@planted("named", store="sqlite", faults=("entry_damaged",))
def skip_what_is_damaged():
    """An unreadable entry is left out, and the game continues."""

    def wrap(follow):
        def skipping(self, bodies):
            readable = []
            for body in bodies:
                with contextlib.suppress(ValueError):
                    read_entry(body)
                    readable.append(body)
            return follow(self, readable)

        return skipping

    wrapped(TableSession, "follow", wrap)


@planted("served", store="sqlite", faults=("tmp_full",))
def spill_into_tmp():
    """Each commit is also written into a temporary file."""

    def wrap(commit):
        def spilling(db, batch):
            with tempfile.TemporaryFile() as copy:
                copy.write(repr(batch).encode())
                copy.flush()
                return commit(db, batch)

        def told(db, batch):
            try:
                return spilling(db, batch)
            except OSError as error:
                return [], sqlite3.OperationalError(str(error))

        return told

    wrapped(sqlite, "_commit", wrap)


@planted("answered", faults=("stopped_behind_proxy",), words=("--front", "--tables", "8"))
def never_ask_a_server():
    """The proxy does not ask whether a server is ready: `Front.running`."""


@planted("numbered", "replayed", "prefix", faults=("late_standby_promoted",))
def go_on_after_a_failover():
    """Nobody checks whether the promoted standby has what this server has in memory."""
    from spieltisch.cluster.postgres import Postgres

    put(Postgres, "_turn", lambda _: None)


def databases():
    from spieltisch.cluster import database

    return database


@planted("answered", faults=("table_locked",), words=("--seconds", "15"))
def wait_without_an_end():
    """A wait for a lock has no limit, and neither has a request."""
    database = databases()
    for name in ("LOCKED", "SLOW"):
        put(database, name, 3600.0)
    put(database.Database.write, "__defaults__", (3600.0,))
    put(patience, "PATIENCE", 3600.0)
    put(patience.deadline.__wrapped__, "__defaults__", (3600.0,))


@planted("ready", faults=("table_locked",), words=("--seconds", "15"))
def say_ready_in_any_case():
    """Readiness is reported without a check."""

    async def yes(_self):
        return ""

    put(Readiness, "why_not", yes)


@planted("ready", faults=("connections_ended",), words=("--seconds", "10"))
def stay_unready_for_ever():
    """A failed check is remembered for good."""

    def wrap(look):
        said = []

        async def remembered(self):
            said.append(await look(self))
            return next(filter(None, said), "" if len(said) < 4 else "It failed once.")

        return remembered

    wrapped(Readiness, "_look", wrap)


@planted("refused", faults=("swallowed",), words=("--seconds", "15", "--tables", "16", "--quiet", "1"))
def take_unknown_for_no():
    """People are told that nothing has changed although nobody knows. Answers of the database take a while, so that
    some are lost.
    """
    from spieltisch.cluster import postgres

    put(databases(), "Unknown", Unsaved)

    def wrap(append):
        async def slowly(db, batch, *, again):
            written = await append(db, batch, again=again)
            await db.execute("select pg_sleep(0.3)")
            return written

        return slowly

    wrapped(postgres, "_append", wrap)


@planted("acknowledged", "prefix", faults=("table_locked",), words=("--seconds", "15"))
def take_a_timeout_for_yes():
    """A write that timed out counts as written."""
    from spieltisch.cluster import postgres

    def wrap(append):
        async def done(db, batch, *, again):
            try:
                return await append(db, batch, again=again)
            except Exception as error:
                if getattr(error, "sqlstate", None) in {"55P03", "57014"}:
                    return [True] * len(batch)
                raise

        return done

    wrapped(postgres, "_append", wrap)


@planted("acknowledged", "prefix", "replayed", faults=("database_killed",), words=("--tables", "16"))
def commit_without_waiting():
    """A move counts before it is on the disk."""

    def wrap(configure):
        async def hasty(self, db):
            await configure(self, db)
            await db.execute("select set_config('synchronous_commit', 'off', false)")

        return hasty

    wrapped(databases().Database, "_configure", wrap)


@planted("turns", faults=("kill",), words=("--seconds", "12", "--tables", "16", "--quiet", "14"))
def hold_turns_for_ever():
    """The claims of a dead process stay with it. It dies with some, since turns take a while."""
    from spieltisch.cluster import postgres

    put(turns, "LEASE", 3600.0)

    async def kept(*_):
        return None

    put(postgres.Postgres, "release", kept)

    def wrap(take):
        async def slowly(self, table, turn):
            await asyncio.sleep(0.3)
            return await take(self, table, turn)

        return slowly

    wrapped(turns.TurnRunner, "_take", wrap)


@planted("turns", words=("--seconds", "15"))
def answer_too_late():
    """A clock gives everybody four seconds more."""

    def wrap(take):
        async def later(self, table, turn):
            if turn.by == "clock":
                await asyncio.sleep(4)
            return await take(self, table, turn)

        return later

    wrapped(turns.TurnRunner, "_take", wrap)


@planted("parted", faults=("restart",))
def stop_without_a_word():
    """Pages are not told to return."""
    put(QuickLine, "end", lambda self: self.close(1000))


@planted("acknowledged", "prefix", "numbered", "replayed")
def lose_one_move_in_twenty():
    """A move is acknowledged, but not written."""

    def wrap(append):
        async def mostly(self, *given):
            return True if random.random() < 0.05 else await append(self, *given)

        return mostly

    for store in stores():
        wrapped(store, "append", wrap)


@planted("converged", words=("--sticky",))
def never_look():
    """Nobody looks for what other processes have written, and hints go astray. A page shows it only if somebody asks
    the same server, so people stay with theirs.
    """
    from spieltisch.cluster import cluster

    async def nothing(_self):
        return

    put(cluster.Cluster, "look", nothing)
    put(cluster.Cluster, "_follow", lambda *_: None)


@planted("levels", store="sqlite", faults=("lines_cut",))
def keep_who_has_gone():
    """Pages that have gone are still told."""
    put(QuickLine, "connection_lost", lambda *_: None)
