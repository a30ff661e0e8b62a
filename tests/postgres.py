"""A real PostgreSQL for tests: a cluster in a temporary folder, as durable as any, deleted afterwards."""

import contextlib
import getpass
import itertools
import os
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

OLDEST = 15
NEEDED = "needs PostgreSQL 15 or newer (Debian: apt install postgresql)"


def programs():
    """The folder with the newest server's programs; None if there is none, or they are too old."""
    found = {}
    there = shutil.which("postgres")
    for program in [*([Path(there)] if there else []), *Path("/usr/lib/postgresql").glob("*/bin/postgres")]:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if version := re.search(r"\d+", said):
            found[int(version[0])] = program.parent
    return found[max(found)] if found and max(found) >= OLDEST else None


def _owner():
    """The arguments that run a program as a user who may run a server; root may not."""
    if os.geteuid() != 0:
        return {}
    names = {one.pw_name: one for one in pwd.getpwall()}
    one = names.get("postgres") or names["nobody"]
    return {"user": one.pw_uid, "group": one.pw_gid, "extra_groups": []}


def _is_there(pid):
    """Whether a process has not ended yet, even if nobody has waited for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Cluster:
    """One server with its folder; by its socket there, or by TCP at a loopback address of its own."""

    def __init__(self, bin_, *, vacuum=False):
        """Without autovacuum, only the tests write."""
        self.bin = bin_
        self._vacuum = "on" if vacuum else "off"
        self._as = _owner()
        self.user = getpass.getuser() if not self._as else "postgres"
        self._base = tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp")  # a socket's path has to be short
        self.folder = Path(self._base.name)
        if self._as:
            os.chown(self.folder, self._as["user"], self._as["group"])
        self._numbers = itertools.count(1)
        self.data = self.folder / "data"
        self._guarded = []  # roles that need a password
        self.address = f"127.{secrets.randbelow(254) + 1}.{secrets.randbelow(254) + 1}.{secrets.randbelow(254) + 1}"
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", self.user, "-E", "UTF8", "--no-sync",
                  "--locale-provider=icu", "--icu-locale=en", "--locale=C")  # fmt: skip
        self.start()

    @property
    def pid(self):
        """Of the process whose children do all the work."""
        return self._process.pid

    def _run(self, program, *words):
        done = subprocess.run(
            [self.bin / program, *words], cwd=self.folder, capture_output=True, text=True, check=False, **self._as
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self):
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("a") as said:
            alone = ("-c", f"listen_addresses={self.address}", "-c", f"autovacuum={self._vacuum}")
            self._process = subprocess.Popen(
                [self.bin / "postgres", "-D", self.data, "-k", self.folder, *alone],
                cwd=self.folder, stdout=said, stderr=said, **self._as,
            )  # fmt: skip
        deadline = time.monotonic() + 120
        ask = [self.bin / "pg_isready", "-q", "-h", self.folder, "-U", self.user]
        while subprocess.run(ask, check=False).returncode:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.05)

    def kill(self):
        """Stop it as if its machine had lost power, except for the disk's own memory."""
        self._process.send_signal(signal.SIGSTOP)  # it must not fork more children
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self._process.pid)], capture_output=True, text=True, check=False
        ).stdout.split()
        for pid in (self._process.pid, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        deadline = time.monotonic() + 60
        while any(map(_is_there, children)):  # it does not start while another one uses the shared memory
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def restart(self):
        """Restart it like an update: connected clients are told, and it is back at once."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(60)
        self.start()

    def make_role(self, name, password):
        """Create a role with a password, and the administrator's rights to tables."""
        self.sql(f"create role {name} login password '{password}'")
        self.sql(f"grant {self.user} to {name}")
        self._guarded.append(name)
        self.admit(anybody=True)

    def change_password(self, name, password):
        """Existing connections stay, new ones need the new password."""
        self.sql(f"alter role {name} password '{password}'")

    def admit(self, *, anybody):
        """Accept new connections, or none."""
        rule = "trust" if anybody else "reject"
        rules = [f"local all all {rule}", f"host all all 127.0.0.0/8 {rule}", "local replication all trust"]
        if anybody:
            guarded = [(f"local all {one}", f"host all {one} 127.0.0.0/8") for one in self._guarded]
            rules = [f"{words} scram-sha-256" for both in guarded for words in both] + rules
        (self.data / "pg_hba.conf").write_text("\n".join(rules) + "\n")
        self._process.send_signal(signal.SIGHUP)

    def promote(self, standby, look):
        """The standby takes the place and address of this server, which was killed and lost its disk. Returns what
        `look(ask)` finds there before anybody else connects.
        """
        self._run("pg_ctl", "promote", "-D", standby.data)  # pg_promote() can be canceled by what is still replayed
        found = look(standby.ask)
        standby.stop(signal.SIGINT)
        shutil.rmtree(self.data)
        self.data = standby.data
        self.start()
        return found

    def close(self):
        """Stop it without writing what nobody will read."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(60)
        self._base.cleanup()

    def database(self, *, tcp=False):
        """The address of an empty place for tables: a schema, since a whole database takes a second."""
        name = f"t{next(self._numbers)}"
        self.sql(f"create schema {name}")
        host = self.address if tcp else self.folder
        return f"postgresql://{self.user}@/postgres?host={host}&options=-csearch_path%3D{name}"

    def connected(self):
        """A connection of the administrator, in a transaction."""
        import psycopg

        address = f"host={self.folder} user={self.user} dbname=postgres options='-c default_transaction_read_only=off'"
        return psycopg.connect(address)

    def take_connections(self):
        """Take all available connections."""
        import psycopg

        taken = []
        with contextlib.suppress(psycopg.OperationalError):
            while True:
                taken.append(self.connected())
        return taken

    def sql(self, statement):
        """Run this as the administrator, and return the rows."""
        import psycopg

        address = f"host={self.folder} user={self.user} dbname=postgres options='-c default_transaction_read_only=off'"
        with psycopg.connect(address, autocommit=True) as db:
            done = db.execute(statement)
            return done.fetchall() if done.description else []


class Standby:
    """A second server that follows the first one, whose commits all wait for it, or none."""

    def __init__(self, cluster, *, synchronous):
        self._cluster = cluster
        self.folder = cluster.folder / f"s{secrets.token_hex(2)}"
        self.folder.mkdir()
        self.data = self.folder / "data"
        if cluster._as:
            os.chown(self.folder, cluster._as["user"], cluster._as["group"])
        there = f"host={cluster.folder} user={cluster.user} application_name=standby"
        cluster._run("pg_basebackup", "-d", there, "-D", self.data, "-R", "-c", "fast", "--no-sync")
        with (self.folder / "log").open("a") as said:
            self._process = subprocess.Popen(
                [cluster.bin / "postgres", "-D", self.data, "-k", self.folder, "-c", "listen_addresses="],
                cwd=cluster.folder, stdout=said, stderr=said, **cluster._as,
            )  # fmt: skip
        if synchronous:
            cluster.sql("alter system set synchronous_standby_names = 'standby'")
            cluster.sql("select pg_reload_conf()")
        wanted, deadline = ("sync" if synchronous else "async", "streaming"), time.monotonic() + 60
        while cluster.sql("select sync_state, state from pg_stat_replication") != [wanted]:
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.05)

    def ask(self, statement):
        """The rows of a query."""
        import psycopg

        with psycopg.connect(f"host={self.folder} user={self._cluster.user} dbname=postgres", autocommit=True) as db:
            return db.execute(statement).fetchall()

    @contextlib.contextmanager
    def behind(self):
        """Stop receiving the first server's writes. It will not catch up if that server is gone by then."""
        ((pid,),) = self.ask("select pid from pg_stat_wal_receiver")
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for number in (signal.SIGTERM, signal.SIGCONT):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)

    def stop(self, number=signal.SIGQUIT):
        if self._process.poll() is None:
            self._process.send_signal(number)
            self._process.wait(60)
