"""`backup`, `restore`, `doctor`, `record` and `deck export` with tables in a real PostgreSQL."""

import asyncio
import contextlib
import re
import sqlite3
import sys
import time
from contextlib import closing
from urllib.parse import quote

import pytest

import pgbouncer
from spieltisch import backup, extras, paths
from spieltisch import record as records
from spieltisch.cli.app import run
from spieltisch.cli.doctor import running
from spieltisch.decks.files import put
from spieltisch.dice import FastDice
from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.store import sql
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
from spieltisch.web.core.services import Services, Settings

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")
connections = pytest.importorskip("spieltisch.cluster.database")
engine = pytest.importorskip("spieltisch.cluster.postgres")
copied = pytest.importorskip("spieltisch.cluster.copied")
copying = pytest.importorskip("spieltisch.cluster.copying")
look = pytest.importorskip("spieltisch.cli.doctor.database")

TABLES = {"plan": "*", "pace": "id, touched, due_at, lease, holder", "log": "*", "deck": "*"}


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.setattr(running, "FILES_LOW", 1)


@pytest.fixture
def database(cluster):
    return cluster.database()


@pytest.fixture
def folder(tmp_path):
    folder = paths.open_data_folder(tmp_path / "data")
    paths.server_secret(folder)
    return folder


async def played(store, games=2, moves=10):
    """Games that have begun at tables of this store, with some moves each; their codes."""
    host, dice, codes = Host(store, Hub(), pause=lambda: 3600.0), FastDice(1), []
    for _ in range(games):
        setup = await host.open("hic-haec-hoc", 2)
        for seat in (0, 1):
            await host.replace(setup.id, seat, Chair(f"Adä{seat}", "person"))
        table = await host.start(setup.id)
        codes.append(setup.id)
        while table.seq < moves and table.result is None:
            seat = table.to_act[0]
            await host.answer(table.id, seat, table.question(seat), dice.choice(table.legal(seat)))
    return codes


def filled(store, **more):
    """Play some games at this store and close it. Returns their codes."""

    async def fill():
        try:
            return await played(store, **more)
        finally:
            await store.close()

    return asyncio.run(fill())


def kept(where):
    """All rows of all tables, in a file or a database, without what a database alone has."""
    opened = psycopg.connect(where) if isinstance(where, str) else sqlite3.connect(where / paths.TABLES)
    with closing(opened) as db:
        found = {table: db.execute(f"select {what} from {table}").fetchall() for table, what in TABLES.items()}
        return {table: sorted(map(repr, rows)) for table, rows in found.items()}


def said(capsys, *words):
    status = run([*map(str, words)])
    heard = capsys.readouterr()
    assert "Traceback" not in heard.err
    return status, heard.out + heard.err


def test_a_backup_of_either_engine_is_put_back_into_either(tmp_path, folder, database, cluster, capsys):
    codes, other = filled(engine.Postgres(database)), cluster.database()
    before = kept(database)
    assert len(before["plan"]) == len(codes) == 2
    assert len(before["log"]) >= 10
    copy, again = tmp_path / "copy.zip", tmp_path / "again.zip"
    assert said(capsys, "backup", copy, "--data", folder, "--database", database)[0] == 0
    assert kept(database) == before

    file, third = tmp_path / "file", tmp_path / "third"
    assert said(capsys, "restore", copy, "--data", file) == (
        0, f"{file}: tables: 2, as they were on {backup_made(copy)}\n",
    )  # fmt: skip
    assert kept(file) == before
    assert (file / paths.SECRET).read_bytes() == (folder / paths.SECRET).read_bytes()
    assert said(capsys, "backup", again, "--data", file)[0] == 0
    assert said(capsys, "restore", again, "--data", third, "--database", other)[0] == 0
    assert kept(other) == before
    assert sorted(one.name for one in third.iterdir()) == ["copy", "lock", "secret"]

    async def goes_on(store):
        host = Host(store, Hub(), pause=lambda: 3600.0)
        table = await host.table(codes[0])
        seat = table.to_act[0]
        await host.answer(table.id, seat, table.question(seat), table.legal(seat)[0])
        await store.close()

    for store in (SQLite(file / paths.TABLES), engine.Postgres(other)):
        asyncio.run(goes_on(store))


def backup_made(file):
    with backup._opened(file) as (_, manifest):
        return manifest.made


def test_a_backup_of_a_former_format_is_brought_up_to_date(tmp_path, folder, database, cluster, monkeypatch):
    """An operator makes the backup after the update and before the start."""
    with monkeypatch.context() as before:
        before.setattr(sql, "MIGRATIONS", sql.MIGRATIONS[:1])
        engine.Postgres(database)
        with closing(psycopg.connect(database)) as db:
            db.execute("insert into plan values ('A', 'over', 1, null, null, '{}')")
            db.execute("insert into pace values ('A', 1.5, null)")
            db.execute("insert into log values ('A', 1, '{}')")
            db.commit()
    backup.back_up(folder, tmp_path / "copy.zip", database=database)
    with backup._opened(tmp_path / "copy.zip") as (_, manifest):
        assert (manifest.tables_format, manifest.tables) == (1, 1)
    with closing(psycopg.connect(database)) as db:
        assert db.execute("select number from format").fetchall() == [(1,)]  # a copy changes nothing
    other, file = cluster.database(), tmp_path / "file"
    backup.restore(tmp_path / "copy.zip", tmp_path / "third", database=other)
    backup.restore(tmp_path / "copy.zip", file)
    SQLite(file / paths.TABLES)
    assert kept(other) == kept(file)
    with closing(psycopg.connect(other)) as db:
        assert db.execute("select number from format").fetchall() == [(len(sql.MIGRATIONS),)]


def test_a_backup_has_the_files_of_a_database_as_a_folder_has_them(tmp_path, folder, database, cluster):
    put(folder / paths.DECKS / "rom.csv", "the old one")
    put(folder / paths.DECKS / paths.KEYS, b"{}")
    other, plain, third = cluster.database(), tmp_path / "plain", tmp_path / "third"

    async def newer():
        store = engine.Postgres(database)
        await copied.take_over(store, folder)
        was = (await store.files())["decks/rom.csv"]
        await store.put_file("decks/rom.csv", b"the newer one", was)  # at another server: no copy of it here yet
        await store.close()
        return was

    def files(address):
        with closing(psycopg.connect(address)) as db:
            return {name: (made, body) for name, made, body in db.execute("select name, version, body from file")}

    was = asyncio.run(newer())
    backup.back_up(folder, tmp_path / "copy.zip", database=database)
    backup.restore(tmp_path / "copy.zip", plain)
    assert (plain / paths.DECKS / "rom.csv").read_text() == "the newer one"
    assert (plain / paths.DECKS / paths.KEYS).read_bytes() == b"{}"
    assert not (plain / paths.COPY).exists()
    assert b"newer one" not in (plain / paths.TABLES).read_bytes()

    backup.restore(tmp_path / "copy.zip", third, database=other)
    assert {name: body for name, (_, body) in files(other).items()} == {
        paths.SECRET: (folder / paths.SECRET).read_bytes(),
        "decks/rom.csv": b"the newer one",
        "decks/keys.json": b"{}",
    }
    assert all(made > was for made, _ in files(other).values())  # so copies elsewhere are made anew
    assert copied.is_marked(third, (folder / paths.SECRET).read_bytes())

    before = files(other)
    backup.back_up(third, tmp_path / "again.zip", database=other)
    with closing(psycopg.connect(other)) as db:
        db.execute("update file set body = 'the newest one' where name = 'decks/rom.csv'")
        db.commit()
    _, aside = backup.restore(tmp_path / "again.zip", third, database=other, replace=True)
    assert (aside / paths.DECKS / "rom.csv").read_text() == "the newest one"
    assert {name: body for name, (_, body) in files(other).items()} == {
        name: body for name, (_, body) in before.items()
    }


def test_a_copy_while_people_play_is_one_moment(tmp_path, folder, database):
    async def play():
        store = engine.Postgres(database)
        (code,) = await played(store, games=1, moves=3)
        acknowledged, copies, begun, stop = [], [], asyncio.Event(), asyncio.Event()

        async def write():
            seq = 100
            while not stop.is_set():
                assert all(
                    await asyncio.gather(*(store.append(code, seq + n, b"{}", None, float(seq)) for n in range(9)))
                )
                seq += 9
                acknowledged.append(seq - 1)
                begun.set()

        writing = asyncio.create_task(write())
        while len(copies) < 4:
            await begun.wait()
            least, file = acknowledged[-1], tmp_path / f"{len(copies)}.sqlite"
            await asyncio.to_thread(backup.copy_tables, folder, database, file)
            copies.append((least, file))
        stop.set()
        await writing
        await store.close()
        return copies

    for least, file in asyncio.run(play()):
        with closing(sqlite3.connect(file)) as db:
            seqs = [seq for (seq,) in db.execute("select seq from log where seq >= 100 order by seq")]
            ((touched,),) = db.execute("select touched from pace").fetchall()
        assert seqs == [*range(100, seqs[-1] + 1)]
        assert seqs[-1] >= least
        assert (len(seqs) % 9, touched) == (0, seqs[-1] - 8)  # batches whole, and the pace of the same moment


def test_what_is_in_the_database_is_put_aside(tmp_path, folder, database, cluster, capsys):
    first, other = filled(engine.Postgres(database), games=1), cluster.database()
    copy = tmp_path / "copy.zip"
    backup.back_up(folder, copy, database=database)
    filled(engine.Postgres(other))
    before = kept(other)
    words = ("restore", copy, "--data", folder, "--database", other)
    status, why = said(capsys, *words)
    assert (status, "the database already holds tables or decks (2)" in why) == (1, True)
    assert kept(other) == before

    async def at_work():
        store = engine.Postgres(other)
        await store.count()
        heard = await asyncio.to_thread(run, [*map(str, words), "--replace"])
        await store.close()
        return heard

    assert asyncio.run(at_work()) == 1
    assert "servers are using the database (connections: " in capsys.readouterr().err
    assert kept(other) == before

    status, told = said(capsys, *words, "--replace")
    (aside,) = folder.glob(f"{backup.BEFORE}*")
    assert status == 0
    assert str(aside) in told
    assert kept(aside) == before
    assert kept(other) == kept(database)
    assert first[0] in kept(other)["plan"][0]


def test_a_restore_that_breaks_off_leaves_the_database_as_it_was(tmp_path, folder, database, cluster, monkeypatch):
    filled(engine.Postgres(database), games=1)
    backup.back_up(folder, tmp_path / "copy.zip", database=database)
    other = cluster.database()
    filled(engine.Postgres(other), games=1)
    before, shape, new = kept(other), copying._shape, tmp_path / "new"
    assert not new.exists()

    def breaks_off(db):
        yield next(shape(db))
        raise OSError("no room")

    put_aside = backup._put_aside

    def and_then(*given):
        aside = put_aside(*given)
        monkeypatch.setattr(copying, "_shape", breaks_off)
        return aside

    monkeypatch.setattr(backup, "_put_aside", and_then)
    with pytest.raises(OSError, match="no room"):
        backup.restore(tmp_path / "copy.zip", new, replace=True, database=other)
    assert kept(other) == before
    with pytest.raises(paths.DataError, match="interrupted"):
        backup.require_whole(new)
    monkeypatch.undo()
    backup.restore(tmp_path / "copy.zip", new, replace=True, database=other)
    assert kept(other) == kept(database)


def test_both_engines_keep_the_same(database, tmp_path):
    """Else a backup would leave something behind."""
    engine.Postgres(database)
    with closing(psycopg.connect(database)) as db:
        there = {}
        for table, column in db.execute(
            "select table_name, column_name from information_schema.columns where table_schema = current_schema()"
        ):
            there.setdefault(table, set()).add(column)
    with closing(sqlite3.connect(tmp_path / "file")) as db:
        copying.make_tables(db, len(sql.MIGRATIONS))
        here = {table: set(columns) for table, columns in copying._shape(db)}
    assert there.pop("format") == {"number"}
    del there["gone"]  # a note for other servers, not a thing that is kept
    assert {table: columns & there.get(table, set()) for table, columns in here.items()} == here
    assert there.keys() == here.keys()


@pytest.mark.parametrize("command", ["backup", "restore", "doctor", "record", "export"])
def test_an_address_that_is_wrong_is_said_in_one_line(command, tmp_path, folder, database, capsys):
    copy = tmp_path / "copy.zip"
    engine.Postgres(database)
    backup.back_up(folder, copy, database=database)
    words = {
        "backup": ("backup", tmp_path / "next.zip"), "restore": ("restore", copy), "doctor": ("doctor",),
        "record": ("record", "ABCD"), "export": ("deck", "export", "firsts", "--to", tmp_path / "firsts.csv"),
    }[command]  # fmt: skip
    for address, why in (
        ("mysql://ada:hush@/x", "should look like postgresql:///spieltisch"),
        ("postgresql://ada:hush@/x?host=/nowhere", "that it runs"),
    ):
        status, told = said(capsys, *words, "--data", folder, "--database", address)
        assert why in told
        assert "hush" not in told
        assert status == (command != "export")  # the deck is handed out all the same
    if command in {"backup", "restore", "doctor", "record"}:
        with closing(psycopg.connect(database)) as db:
            db.execute("update format set number = 99")
            db.commit()
        status, told = said(capsys, *words, "--data", folder, "--database", database)
        assert (status, "newer version of Spieltisch wrote these tables (format 99" in told) == (1, True)


def test_what_is_missing_is_said(tmp_path, folder, database, capsys, monkeypatch):
    copy = tmp_path / "copy.zip"
    words = ("backup", copy, "--data", folder, "--database", database)
    assert "there are no tables in the database" in said(capsys, *words)[1]
    engine.Postgres(database)
    nowhere = said(capsys, "backup", copy, "--data", tmp_path / "nowhere", "--database", database)
    assert nowhere == (1, f"spieltisch backup: there is no secret in {tmp_path / 'nowhere'}: give the server’s"
                          " folder with --data.\n")  # fmt: skip
    assert not copy.exists()
    assert said(capsys, *words)[0] == 0
    (folder / paths.TABLES).touch()
    assert "nobody would see the tables" in said(capsys, *words, "--replace")[1]
    assert "nobody would see the tables" in said(capsys, "restore", *words[1:], "--replace")[1]
    (folder / paths.TABLES).unlink()
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for name in ("connection", "database", "postgres", "copying"):
        monkeypatch.delitem(sys.modules, f"spieltisch.cluster.{name}")
    monkeypatch.delitem(sys.modules, "spieltisch.cli.doctor.database")
    monkeypatch.delattr("spieltisch.cli.doctor.database")
    for command in (words, ("restore", *words[1:]), ("doctor", *words[2:]), ("record", "ABCD", *words[4:])):
        status, told = said(capsys, *command, *(["--replace"] if command[0] in {"backup", "restore"} else []))
        assert (status, extras.command("postgres") in told) == (1, True)


def test_a_finished_game_of_a_database_is_printed_as_a_record(database, tmp_path, capsys):
    codes = filled(engine.Postgres(database), games=1, moves=10_000)
    status, printed = said(capsys, "record", codes[0].lower(), "--database", database)
    assert status == 0
    assert records.verify(records.parse(printed.encode()))
    assert said(capsys, "record", "ABCD", "--database", database) == (1, "ABCD: There is no table ABCD.\n")


def test_who_hands_out_a_deck_is_told_of_games_in_a_database(database, tmp_path, capsys):
    async def begin():
        store = engine.Postgres(database)
        host = Host(store, Hub(), pause=lambda: 3600.0)
        setup = await host.open("anno-domini", 2)
        for seat in (0, 1):
            await host.replace(setup.id, seat, Chair("Ada", "person"))
        names = (await host.start(setup.id)).setup.decks
        await store.close()
        return names

    words = ("deck", "export", "events", "--to", tmp_path / "out.csv", "--data", tmp_path, "--database", database)
    assert "in use in a running game" not in said(capsys, *words)[1]
    assert "events" in asyncio.run(begin())
    assert "events is in use in a running game" in said(capsys, *words)[1]


def test_metrics_are_told_of_a_database_and_when_it_is_away(database, monkeypatch):
    async def scraped():
        store = engine.Postgres(database)
        await played(store, games=2, moves=3)
        services = Services(Host(store, Hub()), Settings(b"s" * 32))
        there = (await services.metrics.text()).decode()

        async def away(*_):
            raise psycopg.OperationalError("connection refused")

        monkeypatch.setattr(connections, "PATIENCE", 0.1)
        monkeypatch.setattr(store.database, "_lent", away)
        gone = (await services.metrics.text()).decode()
        monkeypatch.undo()
        await store.close()
        return there, gone

    there, gone = asyncio.run(scraped())
    assert "spieltisch_tables_stored 2.0\n" in there
    assert 'spieltisch_database_connections{state="used"} 0.0\n' in there
    assert "spieltisch_database_waiting 0.0\n" in there
    assert "spieltisch_database_lost_seconds 0.0\n" in there
    waits = re.search(r"^spieltisch_database_wait_seconds_count (\d+)", there, re.MULTILINE)
    assert waits is not None
    assert int(waits[1]) >= 3
    lost = re.search(r"^spieltisch_database_lost_seconds (.+)", gone, re.MULTILINE)
    assert lost is not None
    assert float(lost[1]) > 0
    assert "spieltisch_store_waiting 0.0\n" in there
    assert "spieltisch_tables_stored" not in gone  # it is not known, and not none
    assert "spieltisch_store_waiting 0.0\n" in gone


# -- doctor


def findings(capsys, folder, address):
    """The exit status with the good, odd and bad findings."""
    status, told = said(capsys, "doctor", "--data", folder, "--database", address)
    lines = told.splitlines()
    return status, {sign: [line[2:] for line in lines if line[0] == sign] for sign in "✓!✗"}


def test_a_database_in_order(folder, database, capsys):
    codes = filled(engine.Postgres(database))
    before = kept(database)
    status, found = findings(capsys, folder, database)
    assert (status, found["✗"], found["!"]) == (0, [], [f"No server is using {folder}."])
    told = " ".join(found["✓"])
    for part in ("PostgreSQL 1", f"can be read: {len(codes)}", "agree", "notify each other at once",
                 "counts once it is on the disk. No synchronous standby", "a server takes up to 10"):  # fmt: skip
        assert part in told, part
    assert kept(database) == before


def test_whether_the_folder_is_a_copy_of_this_database_is_told(folder, database, capsys):
    async def takes_over():
        store = engine.Postgres(database)
        await copied.take_over(store, folder)
        await store.close()

    def about_folder():
        status, found = findings(capsys, folder, database)
        return status, {sign: [line for line in lines if "database" in line and str(folder) in line]
                        for sign, lines in found.items()}  # fmt: skip

    assert about_folder() == (0, {"✓": [], "!": [], "✗": []})  # no server has begun there
    asyncio.run(takes_over())
    status, said_of = about_folder()
    assert (status, len(said_of["✓"]), said_of["!"], said_of["✗"]) == (0, 1, [], [])
    (folder / paths.COPY).write_text("of another", "ascii")
    status, said_of = about_folder()
    assert (status, "another database" in said_of["✗"][0]) == (1, True)
    (folder / paths.COPY).unlink()
    status, said_of = about_folder()
    assert (status, "no database yet" in said_of["!"][0]) == (0, True)


def test_what_is_wrong_with_a_database_is_found(folder, cluster, database, capsys, monkeypatch):
    assert "There are no tables yet." in findings(capsys, folder, database)[1]["!"]
    engine.Postgres(database)
    schema = database.rpartition("%3D")[2]
    for name, rights in (("nobody_here", ""), ("maker", f"grant all on schema {schema} to maker"), ("few", "")):
        cluster.sql(f"drop role if exists {name}")
        cluster.sql(f"create role {name} login connection limit {4 if name == 'few' else -1}")
        if rights:
            cluster.sql(rights)
    try:

        def as_(name):
            status, found = findings(capsys, folder, database.replace(f"//{cluster.user}@", f"//{name}@"))
            return status, " ".join(found["✗"]), " ".join(found["!"])

        status, bad, _ = as_("nobody_here")
        assert (status, "cannot be used" in bad or "may not create tables" in bad) == (1, True)
        cluster.sql(f"grant select on all tables in schema {schema} to maker")
        status, bad, _ = as_("maker")
        assert (status, "maker may not read and write these tables: " in bad) == (1, True)
        cluster.sql(f"grant all on all tables in schema {schema} to maker")
        status, bad, _ = as_("maker")
        assert (status, "maker does not own these tables: " in bad) == (1, True)
        cluster.sql(f"grant all on schema {schema} to few")
        cluster.sql(f"grant select on all tables in schema {schema} to few")
        assert "has only 3 connections left, and a server takes up to 10" in as_("few")[2]
    finally:
        for name in ("nobody_here", "maker", "few"):
            cluster.sql(f"drop owned by {name}")
            cluster.sql(f"drop role {name}")

    only_read = database + quote(" -cdefault_transaction_read_only=on")
    assert "is read-only" in " ".join(findings(capsys, folder, only_read)[1]["✗"])
    monkeypatch.setattr(look, "SKEW", -1.0)
    assert "are 0 seconds apart" in " ".join(findings(capsys, folder, database)[1]["!"])
    monkeypatch.undo()
    with closing(psycopg.connect(database)) as db:
        db.execute("insert into pace (id, touched, due_at) values ('x', %s, null)", (time.time() + 86_400,))
        db.commit()
    assert "somebody has played later than that" in " ".join(findings(capsys, folder, database)[1]["✗"])
    monkeypatch.setattr(connections, "OLDEST", 99)
    assert ": Spieltisch needs 99 or newer" in " ".join(findings(capsys, folder, database)[1]["✗"])


def test_a_database_that_is_not_durable_is_found(folder, cluster, database, capsys):
    try:
        cluster.sql("alter system set full_page_writes = off")
        cluster.sql("select pg_reload_conf()")
        deadline = time.monotonic() + 60
        while cluster.sql("show full_page_writes") != [("off",)]:
            assert time.monotonic() < deadline
        status, found = findings(capsys, folder, database)
        assert (status, [one for one in found["✗"] if "full_page_writes is off" in one] != []) == (1, True)
    finally:
        cluster.sql("alter system reset full_page_writes")
        cluster.sql("select pg_reload_conf()")


@pytest.mark.skipif(not pgbouncer.program(), reason=pgbouncer.NEEDED)
@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_pooler_that_swallows_hints_is_found(mode, folder, cluster, capsys, monkeypatch):
    monkeypatch.setattr(look, "PROOF", 0.5 if mode == "transaction" else look.PROOF)
    with contextlib.closing(pgbouncer.PgBouncer(cluster, mode)) as pooler:
        found = findings(capsys, folder, pooler.address)[1]
    assert ("pooler in transaction mode" in " ".join(found["!"])) == (mode == "transaction")
    assert ("Servers notify each other at once." in found["✓"]) == (mode == "session")
