"""Wrong surroundings: whatever a command meets, it says a sentence, never a traceback."""

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

import valkey
from matrix import sampled
from ports import free_port
from spieltisch import backup, paths
from spieltisch.cli.app import run
from spieltisch.table.host import Host
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub


@pytest.fixture(autouse=True)
def surroundings(monkeypatch, tmp_path):
    """Whatever starts to serve here should not."""
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.chdir(tmp_path)

    def no(*_):
        pytest.fail("it serves")

    monkeypatch.setattr("spieltisch.web.server.serve._serve", no)
    monkeypatch.setattr("spieltisch.web.server.serve.logs.set_up", lambda: None)
    mask = os.umask(0o077)
    yield
    os.umask(mask)


@pytest.fixture
def folder(tmp_path):
    """A server's folder with a table, and a backup of it beside."""
    folder = paths.open_data_folder(tmp_path / "data")
    paths.server_secret(folder)

    async def make():
        store = SQLite(folder / paths.TABLES)
        await Host(store, Hub()).open("adaman", 1)
        await store.close()

    asyncio.run(make())
    (folder / paths.DECKS).mkdir()
    backup.back_up(folder, tmp_path / "good.zip")
    return folder


def told(capsys, words):
    """What a command says, which fails or finds something."""
    if words[0] == "serve":  # its threads outlive the test, and with it the present folder
        words = [str(Path.cwd() / word) if before == "--data" else word for before, word in pairwise(["", *words])]
    try:
        status = run(words)
    except SystemExit as left:
        status = left.code
    heard = capsys.readouterr()
    said = heard.out + heard.err
    assert status, said
    assert "Traceback" not in said
    return said


NOISE = b"noise" + bytes(range(256)) * 40


def a_file(path, body=b"noise"):
    """Something else in the place of a file or folder."""
    if path.is_dir():
        for one in sorted(path.rglob("*"), reverse=True):
            one.rmdir() if one.is_dir() else one.unlink()
        path.rmdir()
    path.write_bytes(body)


def a_folder(path):
    path.unlink(missing_ok=True)
    path.mkdir()


def noise(*names, body=NOISE):
    return lambda folder: a_file(folder.joinpath(*names), body)


def made(*names):
    return lambda folder: a_folder(folder.joinpath(*names))


def newer(folder):
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        db.execute("pragma user_version = 99")


def later(folder):
    with closing(sqlite3.connect(folder / paths.TABLES)) as db:
        db.execute("update pace set touched = ?", (time.time() + 86_400,))
        db.commit()


def other_zip(folder, *names, manifest=b"{}"):
    with zipfile.ZipFile(folder.parent / "bad.zip", "w") as file:
        for name in names:
            file.writestr(name, manifest)


def cut(folder):
    whole = (folder.parent / "good.zip").read_bytes()
    (folder.parent / "bad.zip").write_bytes(whole[: len(whole) // 2])


SERVE = "serve --no-browser --host 127.0.0.1 --port 0 --data data"
TABLES, SECRET, DECKS = paths.TABLES, paths.SECRET, paths.DECKS

# What is wrong, who meets it, and a part of what is said.
FOLDERS = [
    ("the folder is a file", a_file, SERVE, "cannot be used"),
    ("the folder is a file", a_file, "doctor --data data", "There is no folder data"),
    ("the folder is a file", a_file, "backup new.zip --data data", "there are no tables in data"),
    ("the folder is a file", a_file, "restore good.zip --data data", "data: cannot be read or written"),
    ("the folder is a file", a_file, "link --data data", "data: cannot be read or written"),
    ("the folder is a file", a_file, "record ABCDEFGH --data data", "ABCDEFGH: "),
    ("nobody may write there", None, SERVE.replace("data data", "data /proc/nothing"), "cannot be used"),
    ("nobody may write there", None, "restore good.zip --data /proc/nothing", "/proc/nothing: cannot be read or"),
    ("the folder leads nowhere", lambda f: f.with_name("gone").symlink_to("/none"), "link --data gone", "gone: "),
    ("a folder without tables", lambda f: (f / TABLES).unlink(), "backup new.zip --data data", "there are no tables"),
    ("a folder without tables", lambda f: (f / TABLES).unlink(), "upgrade --check --data data", "there are no tables"),
    ("tables that are a folder", made(TABLES), SERVE, "cannot be used: unable to open"),
    ("tables that are a folder", made(TABLES), "upgrade --data data", "there are no tables in data"),
    ("tables that are noise", noise(TABLES), SERVE, "restore it from a backup"),
    ("tables that are noise", noise(TABLES), "doctor --data data", "is damaged: file is"),
    ("tables that are noise", noise(TABLES), "backup n.zip --data data", "not a database"),
    ("tables that are noise", noise(TABLES), "upgrade --data data", "not a database"),
    ("tables that are noise", noise(TABLES), "record ABCDEFGH --data data", "cannot be"),
    ("tables that are empty", noise(TABLES, body=b""), "doctor --data data", "no such table"),
    ("tables that are empty", noise(TABLES, body=b""), "backup new.zip --data data", "no such table"),
    ("a newer version's tables", newer, SERVE, "a newer version of Spieltisch wrote"),
    ("a newer version's tables", newer, "doctor --data data", "a newer version of Spieltisch wrote"),
    ("a newer version's tables", newer, "upgrade --data data", "a newer version of Spieltisch wrote"),
    ("a newer version's tables", newer, "restore good.zip --table A --data data", "a newer version of Spieltisch"),
    ("a secret that is a folder", made(SECRET), SERVE, "secret"),
    ("a secret that is a folder", made(SECRET), "doctor --data data", "data/secret: cannot be"),
    ("a secret that is a folder", made(SECRET), "link --data data", "data/secret: cannot be"),
    ("a secret that is empty", lambda f: a_file(f / SECRET, b""), SERVE, "has 0 bytes, not 32"),
    ("a secret of zeros", lambda f: a_file(f / SECRET, bytes(32)), "link --data data", "holds no random secret"),
    ("a lock that is a folder", made("lock"), SERVE, "lock"),
    ("a lock that is a folder", made("lock"), "doctor --data data", "cannot be written"),
    ("decks that are a file", lambda f: a_file(f / DECKS), SERVE, "decks"),
    ("decks that are a file", lambda f: a_file(f / DECKS), "doctor --data data", "decks"),
    ("keys that are noise", noise(DECKS, paths.KEYS, body=b"\xff"), SERVE, paths.KEYS),
    ("keys that are a folder", made(DECKS, paths.KEYS), "link --data data", paths.KEYS),
    ("reports that are noise", noise(DECKS, paths.REPORTS, body=b"["), "deck reports --data data", paths.REPORTS),
    ("a restore that was interrupted", lambda f: (f / backup.RESTORING).mkdir(), SERVE, "was interrupted"),
    ("a folder with a server's name", lambda f: (f / "server-1").mkdir() or later(f), "doctor --data data", "later"),
    ("a clock that is behind", later, "doctor --data data", "somebody has played later than that. Set the clock"),
    ("a deck that is not there", None, "deck link nothing --data data", "nothing"),
    ("a deck that is a folder", lambda f: (f / DECKS / "a.csv").mkdir(), "deck check data/decks/a.csv", "a.csv"),
    ("a deck that is noise", noise(DECKS, "a.csv", body=os.urandom(99)), "deck check data/decks/a.csv", "a.csv"),
    ("a deck of zeros", noise(DECKS, "a.csv", body=bytes(99)), "deck check data/decks/a.csv", "a.csv"),
    ("no backup", None, "restore nix.zip --data new", "nix.zip: cannot be read or written: No such file"),
    ("no backup", None, "restore nix.zip --table ABCDEFGH --data data", "nix.zip: cannot be read or written: No such"),
    ("a backup that is a folder", None, "restore data --data new", "data: cannot be read or written: Is a directory"),
    ("an empty backup", lambda f: a_file(f.parent / "bad.zip", b""), "restore bad.zip --data new", "not a Spieltisch"),
    ("a noisy backup", lambda f: a_file(f.parent / "bad.zip"), "restore bad.zip --data new", "not a Spieltisch"),
    ("a backup that is cut off", cut, "restore bad.zip --data new", "is not a Spieltisch backup, or it is damaged"),
    ("another zip", lambda f: other_zip(f, "a.txt"), "restore bad.zip --data new", "is not a Spieltisch backup"),
    ("an empty manifest", lambda f: other_zip(f, backup.MANIFEST), "restore bad.zip --data new", "not a Spieltisch"),
    ("a backup of a full folder", None, "restore good.zip --data data", "would be lost: --replace"),
    ("a table that is in no backup", None, "restore good.zip --table ABCDEFGH --data data", "has no table ABCDEFGH"),
    ("a table for no server", None, "restore good.zip --table A --data nowhere", "there are no tables in nowhere"),
    ("a backup that is there", None, "backup good.zip --data data", "good.zip already exists"),
    ("no place for a backup", None, "backup none/new.zip --data data", "cannot be read or written: No such file"),
    ("a folder in a backup's place", None, "backup data --data data --replace", "data already exists"),
    ("a record that is not there", None, "verify none.json", "none.json: cannot be read"),
    ("a record that is noise", lambda f: a_file(f.parent / "a.json"), "replay a.json", "a.json: "),
    ("a host that is none", None, SERVE.replace("127.0.0.1", "no.such.host.invalid"), "is not an address of this"),
    ("a host of others", None, SERVE.replace("127.0.0.1", "192.0.2.1"), "is not an address of this machine"),
    ("hints without a database", None, f"{SERVE} --wake redis://127.0.0.1", "It is for several servers on one"),
    ("an address that is none", None, "doctor --url http://[::1", "is not an address like"),
    ("a port that is none", None, "doctor --url http://127.0.0.1:99999", "is not an address like"),
    ("a name that is none", None, "doctor --url http://no.such.host.invalid", "does not answer"),
    ("a name that is too long", None, f"doctor --url http://{'a' * 70}.example", "does not answer"),
    ("a Valkey with no address", None, "doctor --wake nonsense", "not a Valkey or Redis address"),
    ("a Valkey that is away", None, "doctor --wake redis://:word@127.0.0.1:1", "Valkey does not answer"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "words", "said"), [one[1:] for one in FOLDERS], ids=[f"{a}: {c}" for a, _, c, _ in FOLDERS]
)
def test_wrong_folders_files_and_addresses_are_told(folder, capsys, make, words, said):
    if make is not None:
        make(folder)
    heard = told(capsys, words.split())
    assert said in heard
    assert ":word@" not in heard


SAYS = {
    b"HTTP/1.0 200 OK\r\n\r\nhello": "Something other than Spieltisch",
    b"SSH-2.0-OpenSSH_9.2\r\n": "does not speak HTTP",
    b"\x00\xff\x00": "does not speak HTTP",
    b"": "does not speak HTTP",
    b'HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"status": "ok"}': "Sockets do not get through",
}


@pytest.mark.parametrize(("answer", "said"), SAYS.items(), ids=range(len(SAYS)))
def test_whatever_answers_at_an_address_is_told(capsys, answer, said):
    """Some other server, which closes each connection after its answer."""
    program = (
        "import socket, sys\n"
        "s = socket.create_server(('127.0.0.1', int(sys.argv[1])))\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    c = s.accept()[0]; c.recv(9999); c.sendall(bytes.fromhex(sys.argv[2])); c.close()\n"
    )
    port = free_port()
    other = subprocess.Popen([sys.executable, "-c", program, str(port), answer.hex()], stdout=subprocess.PIPE)
    try:
        other.stdout.readline()
        assert said in told(capsys, ["doctor", "--url", f"http://127.0.0.1:{port}"])
        assert "Valkey" in told(capsys, ["doctor", "--wake", f"redis://127.0.0.1:{port}"])
        address = f"postgresql://ada:word@127.0.0.1:{port}/x"
        heard = told(capsys, ["doctor", "--data", ".", "--database", address])
        assert "the database cannot be used" in heard
        assert "word" not in heard
    finally:
        other.kill()
        other.communicate()


def test_a_port_in_use_is_told(folder, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        words = SERVE.replace("--port 0", f"--port {taken.getsockname()[1]}").split()
        assert "is in use; choose another one with --port" in told(capsys, words)


ENVIRONMENTS = {
    "LC_ALL": "nonsense", "LANG": "C", "TZ": "Nowhere/Odd", "HOME": "/nowhere", "XDG_DATA_HOME": "relative",
    "TMPDIR": "/nowhere", "http_proxy": "http://192.0.2.1:1", "COLUMNS": "0", "TERM": "none",
    "PYTHONIOENCODING": "ascii", "SSL_CERT_FILE": "/nowhere",
}  # fmt: skip


# Three commands in one process: what is in the environment is read at its start or at each use.
COMMANDS = """
import sys
from spieltisch.cli import main

for words in ("doctor", "backup n.zip", "upgrade --check"):
    sys.argv = ["spieltisch", *words.split(), "--data", "data"]
    try:
        main()
    except SystemExit as left:
        if left.code:
            raise
"""


# All of them at once, but that some hide others.
ODD = ("LC_ALL TZ HOME TMPDIR COLUMNS PYTHONIOENCODING SSL_CERT_FILE", "LANG XDG_DATA_HOME http_proxy TERM")


def test_each_odd_environment_is_among_those_at_once():
    assert sorted(" ".join(ODD).split()) == sorted(ENVIRONMENTS)


@pytest.mark.parametrize("names", sampled([*ENVIRONMENTS, *ODD], ODD))
def test_odd_environments_stop_no_command(folder, names, tmp_path):
    odd = {name: ENVIRONMENTS[name] for name in names.split()}
    env = {one: value for one, value in os.environ.items() if one != "LC_ALL"} | odd
    words = [sys.executable, "-c", COMMANDS]
    done = subprocess.run(words, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "n.zip").is_file()


# Databases

psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")


def database(cluster, name, encoding):
    cluster.sql(f"create database {name} encoding '{encoding}' template template0 locale_provider libc locale 'C'")
    return f"postgresql://{cluster.user}@/{name}?host={cluster.folder}"


@pytest.mark.parametrize("words", [SERVE, "doctor --data data", "backup n.zip --data data", "upgrade --data data"])
def test_a_database_without_an_encoding_is_told(cluster, folder, capsys, words):
    (folder / TABLES).unlink()
    name = f"ascii{time.monotonic_ns()}"
    said = told(capsys, [*words.split(), "--database", database(cluster, name, "SQL_ASCII")])
    assert "the database has the encoding SQL_ASCII" in said


def test_a_database_that_lacks_signs_is_told(cluster, folder, capsys):
    (folder / TABLES).unlink()
    address = database(cluster, f"latin{time.monotonic_ns()}", "LATIN1")
    assert "encoding LATIN1 lacks" in told(capsys, ["doctor", "--data", "data", "--database", address])


@pytest.mark.parametrize("words", ["doctor --data data", SERVE, "backup n.zip --data data"])
def test_a_role_without_rights_on_tables_is_told(cluster, folder, capsys, words):
    from spieltisch.cluster.postgres import Postgres

    (folder / TABLES).unlink()
    address, role = cluster.database(), f"r{time.monotonic_ns()}"
    asyncio.run(Postgres(address).close())
    schema = address.rpartition("%3D")[2]
    cluster.sql(f"create role {role} login")
    cluster.sql(f"grant usage, create on schema {schema} to {role}")
    said = told(capsys, [*words.split(), "--database", address.replace(f"//{cluster.user}@", f"//{role}@")])
    assert (
        f"{role} may not read and write these tables: deck, document" if "doctor" in words else "permission denied"
    ) in said


DATABASES = {
    "nonsense": "this is not a database address",
    "postgresql://127.0.0.1:1/x": "the database cannot be used",
    "postgresql://no.such.host.invalid/x": "the database cannot be used",
    "postgresql://{user}@/nowhere?host={folder}": "does not exist",
    "postgresql://nobody_here@/postgres?host={folder}": "does not exist",
    "postgresql://{user}@/postgres?host={folder}&options=-csearch_path%3Dnowhere": "may not create tables here",
}


@pytest.mark.parametrize("address", DATABASES)
@pytest.mark.parametrize("words", ["doctor --data data", SERVE, "upgrade --data data", "restore good.zip --data new"])
def test_wrong_databases_are_told(cluster, folder, capsys, address, words):
    (folder / TABLES).unlink()
    said = told(capsys, [*words.split(), "--database", address.format(user=cluster.user, folder=cluster.folder)])
    assert DATABASES[address] in said or ("search_path" in address and "database" in said)


def test_tables_of_somebody_else_in_a_database_are_told(cluster, folder, capsys):
    (folder / TABLES).unlink()
    address = cluster.database()
    with closing(psycopg.connect(address)) as db:
        db.execute("create table plan (other text)")
        db.commit()
    assert "already exists" in told(capsys, [*SERVE.split(), "--database", address])


# Valkey


@pytest.mark.skipif(valkey.program() is None, reason=valkey.NEEDED)
def test_what_is_wrong_with_a_valkey_is_told(capsys):
    redis = pytest.importorskip("redis")
    one = valkey.Valkey()

    def found():
        status = run(["doctor", "--wake", one.address])
        heard = capsys.readouterr()
        assert "Traceback" not in heard.err
        return status, heard.out

    try:
        with closing(redis.Redis.from_url(one.address)) as client:
            status, said = found()
            assert (status, "notify each other at once through Valkey" in said) == (0, True)
            assert "without a limit" in said
            client.config_set("maxmemory", 64 * 2**20)
            client.config_set("maxmemory-policy", "allkeys-lru")
            assert "(maxmemory-policy allkeys-lru)" in found()[1]
            client.config_set("maxmemory", 1024)
            status, said = found()
            assert (status, "is full" in said, "at once" in said) == (0, True, True)
            client.config_set("maxmemory", 0)
            client.acl_setuser("weak", enabled=True, nopass=True, commands=["+ping", "+info"])
            status = run(["doctor", "--wake", one.address.replace("unix://", "unix://weak:x@")])
            assert (status, "refuses commands" in capsys.readouterr().out) == (1, True)
            client.config_set("requirepass", "right")
            for address in (one.address, one.address.replace("unix://", "unix://:wrong@")):
                status = run(["doctor", "--wake", address])
                said = capsys.readouterr().out
                assert (status, "rejects this name and password" in said, "wrong@" in said) == (1, True, False)
        one.kill()
        status, said = found()
        assert (status, "Valkey does not answer" in said) == (1, True)
    finally:
        one.close()
