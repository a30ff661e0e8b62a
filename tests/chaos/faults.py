"""Faults in servers, databases and connections while people play. Each is noted when it begins and when it heals."""

import asyncio
import contextlib
import os
import resource
import signal
import subprocess

import postgres
from chaos import checker
from chaos.clients import WAIT, Program
from chaos.http import Client
from chaos.witness import damaged
from spieltisch.table.log import tag
from spieltisch.table.turns import LEASE

FAULTS = {}  # by name: the function, and the stores it is for


def fault(*stores):
    def named(one):
        FAULTS[one.__name__] = (one, stores or ("sqlite", "postgres"))
        return one

    return named


@contextlib.asynccontextmanager
async def noted(run, what, place):
    """One thing at a time fails at a place, such as a server with its connection or the database, because the end of
    one fault would end another.
    """
    async with run.places[place], _noted(run, what, place):
        yield


@contextlib.asynccontextmanager
async def _noted(run, what, place):
    """The same at a place that is held already."""
    pid = next((server.pid for server in run.servers if server.name == place), 0)
    run.history.note("fault", what=what, process=place, pid=pid)
    run.counts[what] += 1
    try:
        yield
    finally:
        run.history.note("heal", what=what, process=place)


def one_of(run):
    free = [server for server in run.servers if not run.places[server.name].locked()]
    return run.dice.choice(free or run.servers)


async def _lasts(run):
    """Wait for a while: mostly short, for many faults; sometimes longer than a claim lasts."""
    kinds = [(0.1, 1.0), (1.0, 3.0), (LEASE, LEASE + 2.0)]
    chances = [0.75, 0.2, 0.05]
    if run.asked.seconds < 15:
        del kinds[2], chances[2]
    elif run.asked.faults is not None:
        chances[2] = 1.0  # of a few faults one at least lasts long
    await asyncio.sleep(run.dice.uniform(*run.dice.choices(kinds, chances)[0]))


async def _started(run, server, order=""):
    """Start a server again while its database is well, since otherwise it ends with a message. It starts as this
    version if the tables are too new for its former one.
    """
    if server.nursery is run.oldest:
        server.nursery = run.nursery
    async with run.places["database"]:
        await _begun(server, order)


async def _begun(server, order=""):
    """Start a server like a service manager, again and again: a pooler admits nobody for a second."""
    for _ in range(3):
        try:
            return await server.start(order)
        except RuntimeError as error:
            if "the database cannot be used" not in str(error):
                raise
            await asyncio.sleep(1)
    return await server.start(order)


async def _killed(run, what):
    server = one_of(run)
    async with noted(run, what, server.name):
        if what == "kill":
            await server.kill()
        else:
            server.order(what)
            try:
                await server.gone(3)
            except TimeoutError:  # nothing was written there in the meantime
                await server.kill()
        await _started(run, server)


@fault()
async def kill(run):
    """F1: at any moment."""
    await _killed(run, "kill")


@fault()
async def kill_before(run):
    """F1: before a waiting commit."""
    await _killed(run, "kill before")


@fault()
async def kill_between(run):
    """F1: between the commit and its acknowledgement."""
    await _killed(run, "kill between")


@fault()
async def kill_after(run):
    """F1: after the acknowledgement."""
    await _killed(run, "kill after")


@fault()
async def pause(run):
    """F2: a process is suspended and wakes as if nothing had happened."""
    server = one_of(run)
    async with noted(run, "pause", server.name):
        server.signal(signal.SIGSTOP)
        await _lasts(run)
        server.signal(signal.SIGCONT)


@fault("front")
async def stopped_behind_proxy(run):
    """F21: a process is suspended for long, and the documented proxy leaves it out."""
    if run.front is None:
        return
    server = one_of(run)
    async with noted(run, "stopped behind the proxy", server.name):
        server.signal(signal.SIGSTOP)
        await asyncio.sleep(checker.LEFT_OUT + 1.5 * WAIT)
        server.signal(signal.SIGCONT)


@fault()
async def restart(run):
    """F3: all processes are stopped and started again, one after the other."""
    for server in run.servers:
        async with noted(run, "stop", server.name):
            if (status := await server.stop()) != 0:
                run.odd.append(f"{server.name} was asked to stop and ended with {status}. It waited:\n{server.stuck}")
            await _started(run, server)


@fault()
async def entry_damaged(run):
    """F17: a server dies, and the disk has lost a table's newest entry; the server starts again."""
    server = one_of(run)
    async with noted(run, "entry damaged", server.name), run.places["database"]:
        await server.kill()
        players = [one for one in run.people if isinstance(one, Program) and one.name.startswith(one.table)]
        players = [one for one in players if one.seen > 3 and not one.gone]
        one = run.dice.choice(players) if players else None
        noise = run.dice.choice((b"", run.dice.randbytes(60), bytes(60), b'{"seat":0,"action":{"ty'))
        kept = None if one is None else await asyncio.to_thread(damaged, run.where, one.table, noise)
        if kept is not None:
            run.history.note("lost", table=one.table, seq=kept, what="damaged")
            run.halt(one.table)
        await _begun(server)
        if kept is not None:
            await _named(run, server, one, kept)
            run.give_up(one.table)


async def _named(run, server, one, kept):
    """Note what a newly started server says about a damaged table."""
    client = Client("127.0.0.1", authorization=f"Bearer {one.token}", accept="application/json")
    path, said = f"/api/tables/{one.table}", ""
    try:
        shown = await client.ask(server.port, "GET", path, seconds=WAIT)
        move = {"question": kept, "action": {"type": "Accept"}}
        refused = await client.ask(server.port, "POST", f"{path}/move", move, seconds=WAIT)
        seq, said = shown.json().get("seq", -1), refused.text
    except OSError as error:
        seq, said = -1, repr(error)
    finally:
        client.close()
    logged = f"table {tag(one.table)} is damaged from entry {kept + 1} on"
    is_told = "is damaged" in said
    if logged not in server.said.read_text(encoding="utf-8", errors="replace"):
        said, is_told = f"its log lacks “{logged}”", False
    run.history.note("named", table=one.table, process=server.name, seq=seq, what=said, value=float(is_told))


@fault()
async def program_changed(run):
    """F18: an update was bad, so the former program replaces a server for a while. The tables are the same."""
    if run.former is None:  # without the program's history
        return
    server = one_of(run)
    async with run.places["program"], noted(run, "program changed", server.name):
        for nursery in (run.former, run.nursery):
            if (status := await server.stop()) != 0:
                run.odd.append(f"{server.name} was replaced and ended with {status}. It waited:\n{server.stuck}")
            server.nursery = nursery
            await _started(run, server)
            if nursery is run.former:
                await _lasts(run)


@fault("old")
async def updated(run):
    """F18: servers of the version before the present tables are replaced one by one, while both versions serve."""
    old = [server for server in run.servers if server.nursery is run.oldest and not run.places[server.name].locked()]
    if not old:
        return
    server = old[0]
    async with noted(run, "updated", server.name):
        await server.stop()
        await _started(run, server)
        late = run.another(server)
        late.nursery = run.oldest
        async with run.places["database"]:
            await _must_refuse(run, late, "an old program on new tables", "a newer version of Spieltisch wrote")


@fault("postgres")
async def database_killed(run):
    """F4."""
    async with noted(run, "database killed", "database"):
        await asyncio.to_thread(run.cluster.kill)
        await asyncio.sleep(run.dice.uniform(0.0, 2.0))
        await asyncio.to_thread(run.cluster.start)


@fault("postgres")
async def standby_promoted(run):
    """F22: the database is lost, and a synchronous standby takes its place, so nothing is lost."""
    await _promoted(run, "standby promoted", synchronous=True)


@fault("postgres")
async def late_standby_promoted(run):
    """F22: the same with an asynchronous standby: what it lacks is lost, and named. No former program serves then,
    since it does not read tables again.
    """
    async with run.places["program"]:
        if all(server.nursery is run.nursery for server in run.servers):
            await _promoted(run, "late standby promoted", synchronous=False)


async def _promoted(run, what, *, synchronous):
    async with run.places["database"]:  # nothing fails until then, and no other standby takes this one's place
        standby = await asyncio.to_thread(postgres.Standby, run.cluster, synchronous=synchronous)
        await _promote(run, what, standby, synchronous=synchronous)


async def _promote(run, what, standby, *, synchronous):
    try:
        async with _noted(run, what, "database"):
            before = await asyncio.to_thread(run.entries, run.cluster.sql)
            with contextlib.nullcontext() if synchronous else standby.behind():
                await asyncio.sleep(run.dice.uniform(0.2, 1.0))
                await asyncio.to_thread(run.cluster.kill)
            kept = await asyncio.to_thread(run.cluster.promote, standby, run.entries)
            if not synchronous:
                run.lose(kept, before)
    finally:
        await asyncio.to_thread(standby.stop)


@fault("postgres")
async def connections_ended(run):
    """F5."""
    async with noted(run, "connections ended", "database"):
        await run.sql("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()")


@fault("postgres")
async def idle_ended(run):
    """F5: idle ones, whose end is noticed only at the next query."""
    async with noted(run, "idle ended", "database"):
        await run.sql("select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle'")


@fault("postgres")
async def database_restarted(run):
    """F4: within a second, like an update."""
    async with noted(run, "database restarted", "database"):
        await asyncio.to_thread(run.cluster.restart)


@fault("postgres")
async def rows_locked(run):
    """F14: an administrator's script, or another kind of backup."""
    rows = f"select * from {run.schema}.plan natural join {run.schema}.pace order by id for update"  # as servers do
    await _locked(run, "rows locked", rows)


@fault("postgres")
async def table_locked(run):
    """F14."""
    await _locked(run, "table locked", f"lock table {run.schema}.log, {run.schema}.format")


async def _locked(run, what, statement):
    async with noted(run, what, "database"):
        with await asyncio.to_thread(run.cluster.connected) as db:
            await asyncio.to_thread(db.execute, statement)
            await asyncio.sleep(12.0 if run.asked.seconds >= 15 else 6.0)
            await asyncio.to_thread(db.rollback)


@fault("postgres")
async def other_defaults(run):
    """F15: an administrator's defaults for other programs reach existing and new connections."""
    wanted = {"statement_timeout": "'30ms'", "idle_session_timeout": "'700ms'",
              "default_transaction_isolation": "'serializable'", "lock_timeout": "'1ms'"}  # fmt: skip
    async with noted(run, "other defaults", "database"):
        for name, value in wanted.items():
            await run.sql(f"alter system set {name} = {value}")
        await run.sql("select pg_reload_conf()")
        await _lasts(run)
        for name in wanted:
            await run.sql(f"alter system reset {name}")
        await run.sql("select pg_reload_conf()")


@fault("postgres")
async def connections_taken(run):
    """F16: others take all connections of the database, and one of ours is lost."""
    async with noted(run, "connections taken", "database"):
        taken = await asyncio.to_thread(run.cluster.take_connections)
        try:
            one_of_proxies(run).cut()
            await asyncio.sleep(run.dice.uniform(0.5, 3.0))
        finally:
            for db in taken:
                await asyncio.to_thread(db.close)


@fault("postgres")
async def nobody_admitted(run):
    """F16: existing connections stay, new ones are refused."""
    async with noted(run, "nobody admitted", "database"):
        run.cluster.admit(anybody=False)
        one_of_proxies(run).cut()
        await _lasts(run)
        run.cluster.admit(anybody=True)


@fault("postgres")
async def password_changed(run):
    """F16: the role's password changes, and the servers' password file follows later. No server restarts."""
    if run.pooler:  # it has the password
        return
    async with noted(run, "password changed", "database"):
        await asyncio.to_thread(run.change_password)
        one_of_proxies(run).cut()
        await _lasts(run)
        run.tell_password()


def one_of_proxies(run):
    return run.dice.choice([*run.proxies.values()])


@fault("postgres")
async def cut(run):
    """F6: one process's connections to the database break."""
    server = one_of(run)
    async with noted(run, "cut", server.name):
        run.proxies[server.name].cut()


@fault("postgres")
async def swallowed(run):
    """F6: half-open connections, until a keep-alive ends them."""
    server = one_of(run)
    proxy = run.proxies[server.name]
    async with noted(run, "swallow", server.name):
        proxy.swallow()
        await _lasts(run)
        proxy.heal()


@fault("postgres")
async def stalled(run):
    """F7: nothing passes for a while."""
    server = one_of(run)
    proxy = run.proxies[server.name]
    async with noted(run, "stall", server.name):
        proxy.stall()
        await _lasts(run)
        proxy.heal()


@fault("postgres")
async def slow(run):
    """F7: 200 ms ± 200 ms each way, sometimes three seconds."""
    server = one_of(run)
    proxy = run.proxies[server.name]
    async with noted(run, "slow", server.name):
        proxy.latency, proxy.stalls = (0.0, 0.4), (0.01, 3.0)
        await _lasts(run)
        proxy.heal()


@fault("postgres")
async def hints_lost(run):
    """F8: the connections that carry hints are ended, and again after each reconnection."""
    async with noted(run, "hints lost", "database"):
        for _ in range(3):
            named = "application_name ~ '^spieltisch (listens|tells)'"
            await run.sql(f"select pg_terminate_backend(pid) from pg_stat_activity where {named}")
            await asyncio.sleep(run.dice.uniform(0.1, 0.5))


@fault("pooler")
async def pooler_killed(run):
    """F19: the pooler dies with all connections, and starts again after a while."""
    async with noted(run, "pooler killed", "database"):
        run.pooler.kill()
        await _lasts(run)
        await asyncio.to_thread(run.pooler.start)


@fault("wake")
async def wake_killed(run):
    """F8: the broker for hints is gone for a while."""
    async with noted(run, "wake killed", "wake"):
        run.wake.kill()
        await _lasts(run)
        await asyncio.to_thread(run.wake.start)


@fault()
async def clock_jumps(run):
    """F9: the system's clock jumps while a process runs, without effect, and is set right. With a database's clock, a
    wrong clock at a process's start has no effect either.
    """
    server, wrong = one_of(run), f"clock {run.dice.choice((-30, 30))}"
    async with noted(run, "clock", server.name):
        if run.cluster is not None and run.dice.random() < 0.5:
            await server.kill()
            await _started(run, server, wrong)
        else:
            server.order(wrong)
        await _lasts(run)
        server.order("clock 0")


@fault()
async def thought_killed(run):
    """F10: the process in which a server's bots think is killed."""
    server = one_of(run)
    async with noted(run, "thought killed", server.name):
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(server.pid)], capture_output=True, text=True, check=False
        ).stdout.split()
        for pid in map(int, found):  # children of a process that we have started
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@fault()
async def lines_cut(run):
    """F11: a third of all sockets, at random, are closed."""
    async with noted(run, "lines cut", "lines"):
        for page in run.pages:
            if run.dice.random() < 0.3:
                page.cut()


@fault("postgres")
async def database_read_only(run):
    """F12."""
    async with noted(run, "read only", "database"):
        await run.sql("alter system set default_transaction_read_only = on")
        await run.sql("select pg_reload_conf()")
        await asyncio.sleep(run.dice.uniform(0.1, 2.0))
        await run.sql("alter system reset default_transaction_read_only")
        await run.sql("select pg_reload_conf()")


@fault("sqlite")
async def disk_full(run):
    """F12: no file of the process can grow."""
    server = one_of(run)
    async with noted(run, "disk full", server.name):
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
        await asyncio.sleep(run.dice.uniform(0.1, 2.0))
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@fault()
async def tmp_full(run):
    """F20: the disk for temporary files is full. Playing and reading need none of them."""
    if run.tmp is None:  # only root can mount one
        return
    server, file = one_of(run), run.tmp / "full"
    async with noted(run, "tmp full", server.name), run.places["database"]:
        filling, client = asyncio.create_task(_filled(file)), Client("127.0.0.1", accept="*/*")
        await asyncio.sleep(0.1)
        try:
            for path in ("/", "/rules/adaman", "/decks", "/decks/template/xlsx", "/ready"):
                said = await _status(client, server, path)
                run.history.note("served", process=server.name, what=f"{path}: {said}", value=float(said == "200"))
            await _lasts(run)
            said = await _status(client, server, path)  # it may have looked before the disk was full
            run.history.note("served", process=server.name, what=f"{path}: {said}", value=float(said == "200"))
        finally:
            client.close()
            filling.cancel()
            file.unlink(missing_ok=True)


async def _filled(file):
    """Fill this file's disk, and again whenever space is freed."""
    with file.open("ab", buffering=0) as full:
        while True:
            with contextlib.suppress(OSError):
                while full.write(bytes(4096)):
                    pass
            await asyncio.sleep(0.005)


async def _status(client, server, path):
    """The status of a server's response, or why there is none."""
    try:
        # The first look at decks waits for a process of low priority, and this machine is as busy as it can be.
        return str((await client.ask(server.port, "GET", path, seconds=4 * WAIT)).status)
    except OSError as error:
        return repr(error)


@fault("sqlite")
async def second_server(run):
    """A second server on the same folder refuses with a clear sentence."""
    server = one_of(run)
    async with noted(run, "second server", server.name):
        await _must_refuse(run, run.another(server), "a second server on the folder", "is using")


async def _must_refuse(run, server, what, words):
    """Check that a server which may not start ends with a sentence that has these words."""
    try:
        await server.start()
    except RuntimeError as refused:
        if words not in str(refused):
            run.odd.append(f"{what} says {refused}")
    else:
        run.odd.append(f"{what} starts")
        await server.kill()
