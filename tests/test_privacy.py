"""`spieltisch privacy`: the register against the data really stored, and their deletion in time."""

import csv
import fnmatch
import io
import random
import re
import shlex
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import spieltisch
import stores
from clock import Clock
from spieltisch import games, paths
from spieltisch.classroom.classroom import Classroom, Plan, came
from spieltisch.classroom.classrooms import Classrooms
from spieltisch.cli.app import app
from spieltisch.cli.privacy import privacy
from spieltisch.decks.files import Files
from spieltisch.decks.findings import message, say
from spieltisch.decks.inbox import Inbox, Reports
from spieltisch.decks.library import Library
from spieltisch.privacy import register
from spieltisch.privacy.stored_data import STORED
from spieltisch.table import lobby
from spieltisch.table.host import Host
from spieltisch.table.log import Ask, Chair, Entry, GameOver, SeatChange, TableSetup
from spieltisch.table.reminders import Reminders
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
from spieltisch.web.daily.figures import Day
from spieltisch.web.server.serve import serve
from web.site import served

pytestmark = pytest.mark.anyio
SOURCE = Path(spieltisch.__file__).parent
DAY = 86_400.0
TELL = "is kept and not named: say in spieltisch/privacy/stored_data.py whose it is and when it is deleted"
NAMED = [place for one in STORED for place in one.places]


def fields(kind, found=None):
    """Every field of a struct and of all structs in it."""
    found = set() if found is None else found
    for field in msgspec.structs.fields(kind):
        place = f"{kind.__name__}.{field.name}"
        if place in found:
            continue
        found.add(place)
        for inner in structs(field.type):
            fields(inner, found)
    return found


def structs(type_):
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        return [type_]
    return [one for inner in getattr(type_, "__args__", ()) for one in structs(inner)]


@pytest.fixture(params=stores.ENGINES)
def place(request):
    """Where the tables are kept."""
    return request.param(request)


async def columns(place):
    """The columns of all tables, as the engine itself lists them."""
    store = place.open()
    await store.close()
    if isinstance(store, SQLite):
        return sqlite_columns(place.where)
    import psycopg

    with psycopg.connect(place.where) as db:
        schema = "select table_name, column_name from information_schema.columns where table_schema = current_schema()"
        return {f"{table}.{column}" for table, column in db.execute(schema).fetchall()}


def sqlite_columns(file):
    with closing(sqlite3.connect(file)) as db:
        tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
        return {
            f"{table}.{row[1]}"
            for table in tables
            if not table.startswith("sqlite_")
            for row in db.execute(f"pragma table_info({table})")
        }


# -- nothing is kept that is not named -----------------------------------------------------------------------


async def test_every_column_of_either_engine_is_named(place):
    there = await columns(place)
    assert "plan.body" in there
    named = {one for one in NAMED if re.fullmatch(r"[a-z_]+\.[a-z_]+", one)}
    assert there - named <= {"format.number"}, TELL  # that is of the tables
    of_several = {"pace.written", "gone.id", "gone.written", "gone.at"}  # processes, so not in a file
    assert named - there == (of_several if stores.is_file(place) else set())


def test_every_field_of_what_is_written_is_named():
    there = fields(TableSetup) | fields(Entry) | fields(Classroom) | fields(Reports) | fields(Day) | fields(Reminders)
    named = {one for one in NAMED if re.match(r"[A-Z][A-Za-z]+\.", one)}
    assert named == there, TELL


def test_all_of_it_is_told_in_both_languages_with_its_deletion(tmp_path):
    assert len({*NAMED}) == len(NAMED)
    for lang in ("de", "en"):
        text = register.text(register.Running(tmp_path), lang)
        for one in STORED:
            assert f"- {say(one.what, lang)}\n" in text
            until = say(replace(one.until, values={"days": 30, "hours": 24}), lang)
            assert re.search(rf"- {re.escape(say(one.what, lang))}\n  .*\n  .*\n  .*{re.escape(until)}\n", text)


async def test_every_file_and_cookie_of_a_server_is_named(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/tables", data={"game": "anno-domini"})).headers["location"]
        await ada.post(f"{url}/sit", data={"name": "Ada"})
        await site.services.inbox.put("d", "c", "wrong", 1.0)
        cookies = {f"cookie {one.name}" for one in ada.cookies.jar}
    paths.server_secret(tmp_path)
    with paths.hold_data_folder(tmp_path):
        files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert cookies >= {"cookie spieltisch_name"}
    for one in {*files, *cookies} - {paths.TABLES, f"{paths.TABLES}-wal", f"{paths.TABLES}-shm"}:
        assert any(fnmatch.fnmatch(one, named) for named in NAMED), one


def test_every_cookie_and_storage_in_the_sources_is_named():
    constants = set()
    for file in (SOURCE / "web" / "core" / "access").glob("*.py"):
        constants |= {*re.findall(r'^[A-Z]+ = "(spieltisch[-_][a-z_]*)"', file.read_text("utf-8"), re.MULTILINE)}
    constants |= {
        *re.findall(
            r'^[A-Z]+ = "(spieltisch[-_][a-z_]*)"',
            (SOURCE / "web/core/http/cookies.py").read_text("utf-8"),
            re.MULTILINE,
        )
    }
    assert len(constants) >= 5
    for one in constants:
        assert f"cookie {one}" in NAMED or f"cookie {one}*" in NAMED, one
    kept = set()
    for file in SOURCE.rglob("static/*.js"):
        text = file.read_text("utf-8")
        kept |= {*re.findall(r"(?:local|session)Storage\.(?:[gs]et|remove)Item\([\"`]([a-z-]+)", text)}
        kept |= {*re.findall(r"(?:local|session)Storage\.(?!(?:[gs]et|remove)Item)([a-z]+)", text)}
    assert {f"storage {one}{'*' if one.endswith('-') else ''}" for one in kept} <= {*NAMED}
    assert {"games-", "theme"} <= kept


# -- and it goes when the register says so --------------------------------------------------------------------


def canaries(stage, number):
    """A table with a name of its own in every place for names."""
    name = "Canary" + stage.capitalize()
    chair = Chair(name, "person", "k", lender=Chair(f"{name}Lender", "person", "k"))
    setup = lobby.new_setup(games.package("anno-domini"), 2, None, 0.0, Library())
    return replace(
        setup, id=f"T{number}", stage=stage, chairs=(chair, chair), asks=(Ask(1, 0, f"{name}Ask", "k", 0.0),),
        seat_log=(SeatChange(1, 0.0, 0, 0, "sits", f"{name}New", f"{name}Old", f"{name}By"),),
        evening=(GameOver("T0", "anno-domini", (f"{name}Winner",)),),
    )  # fmt: skip


async def everything(place):
    """All that the engine gives out of its tables."""
    store = place.open()
    bodies = [msgspec.json.encode(await store.setup(one)) for one in await store.ids()]
    logs = [entry for one in await store.ids() for entry in await store.log(one)]
    await store.close()
    return b"".join([*bodies, *logs])


async def test_names_are_gone_after_the_days_also_of_games_that_run(place):
    store = place.open()
    for number, stage in enumerate(("waiting", "playing", "over", "closed")):
        assert await store.create(canaries(stage, number))
        await store.append(f"T{number}", 1, b'{"move": "Canary"}', None, 0.0)
    before = await everything(place)
    assert before.count(b"CanaryPlayingLender") == 2
    await store.forget(30 * DAY)
    assert await store.ids() == ["T1"]
    await store.close()
    after = await everything(place)
    assert after.count(b"Canary") == 1  # the move of the game that still runs
    assert b"CanaryPlaying" not in after


async def test_what_is_forgotten_is_in_no_file_any_more(tmp_path):
    store = SQLite(tmp_path / paths.TABLES)
    for number in range(40):
        assert await store.create(canaries("over", number))
        for seq in range(1, 9):
            await store.append(f"T{number}", seq, b'{"move": "Canary' + b"x" * 900 + b'"}', None, 0.0)
    assert any(b"Canary" in path.read_bytes() for path in tmp_path.iterdir())
    await store.forget(30 * DAY)
    left = {path.name for path in tmp_path.iterdir() if b"Canary" in path.read_bytes()}
    await store.close()
    assert left == set()


async def test_a_table_that_is_deleted_is_in_no_file_an_hour_later(tmp_path):
    store = SQLite(tmp_path / paths.TABLES)
    assert await store.create(canaries("playing", 1))
    await store.delete("T1")
    await store.forget(-1.0)  # as once an hour, with nothing that is old enough
    left = {path.name for path in tmp_path.iterdir() if b"Canary" in path.read_bytes()}
    await store.close()
    assert left == set()


async def test_pseudonyms_of_a_class_are_in_no_file_after_its_hours(tmp_path):
    clock = Clock(1000.0)
    store = SQLite(tmp_path / paths.TABLES)
    rooms = Classrooms(Host(store, Hub(), library=Library(tmp_path / "d"), clock=clock), 5.0)
    room = await rooms.make("8b", "en", Plan("anno-domini", {}), 28)
    for number in range(1, 29):
        room = await rooms.change(room.id, lambda one, number=number: came(one, number, random.Random(number))[0])
    names = [pupil.name.encode() for pupil in room.pupils]
    assert len({*names}) == 28
    assert any(names[0] in path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    clock.time += 4.9 * 3600
    await rooms.forget()
    assert len((await rooms.get(room.id)).pupils) == 28
    clock.time += 0.2 * 3600
    await rooms.forget()
    await store.forget(0.0)
    assert (await rooms.get(room.id)).pupils == ()
    left = {path.name for path in tmp_path.iterdir() for name in names if path.is_file() and name in path.read_bytes()}
    await store.close()
    assert left == set()


async def test_a_report_that_was_taken_out_is_not_in_the_file(tmp_path):
    inbox = Inbox(tmp_path, Files())
    await inbox.put("deck", "card", "Canary says so", 1.0)
    assert await inbox.done(inbox.all()[0].id)
    assert not [path.name for path in tmp_path.iterdir() if b"Canary" in path.read_bytes()]


# -- the command ---------------------------------------------------------------------------------------------


def typed(*words):
    return app(["privacy", *words], exit_on_error=False, print_error=False, result_action="return_value")


def test_the_entry_is_german_and_says_what_was_set(tmp_path, capsys):
    said = (
        "--language",
        "de",
        "--data",
        str(tmp_path),
        "--keep-days",
        "14",
        "--class-hours",
        "5",
        "--backup-days",
        "7",
        "--trusted-proxy",
        "10.1.2.3",
    )
    assert typed(*said) == 0
    text = capsys.readouterr().out
    assert "Verzeichnis von Verarbeitungstätigkeiten" in text
    assert "keine Rechtsberatung" in text
    assert "14 Tage nach der letzten Benutzung" in text
    assert "5 Stunden nach dem Ende des Unterrichts" in text
    assert not re.search("30 Tage|24 Stunden", text)
    assert "bis 21 Tage" in text
    assert "10.1.2.3" in text
    assert "[Rechtsgrundlage" in text
    assert "{" not in text
    for word in ("the ", " of ", "table"):
        assert word not in text.replace("Tabelle", "").replace(str(tmp_path), ""), word


def test_for_spreadsheets_with_every_place(tmp_path, capsys):
    assert typed("--data", str(tmp_path), "--format", "csv", "--language", "en") == 0
    text = capsys.readouterr().out
    assert text.startswith("\ufeffPart;Entry;")
    rows = [*csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";")]
    assert {len(row) for row in rows} == {6}
    places = {place for row in rows[1:] for place in row[5].split(", ") if place}
    assert places >= {*NAMED}
    for row in rows[1:]:
        if row[5]:
            assert all(row[:5]), row


def test_a_database_elsewhere_is_a_recipient_and_its_password_is_not_told(tmp_path, capsys):
    address = "postgresql://school:hush@db.example:5433/play?sslmode=verify-full"
    assert typed("--data", str(tmp_path), "--database", address, "--language", "en") == 0
    text = capsys.readouterr().out
    assert "The database is on db.example" in text
    assert "hush" not in text
    assert "PostgreSQL postgresql://db.example:5433/play" in text


def test_what_carries_the_hints_is_a_recipient_if_it_is_elsewhere(tmp_path, capsys):
    given = ("--data", str(tmp_path), "--database", "postgresql:///play", "--language", "en")
    assert typed(*given, "--wake", "rediss://school:hush@hints.example:6380/1") == 0
    text = capsys.readouterr().out
    assert "through the Valkey or Redis on hints.example, which stores nothing" in text
    assert "hush" not in text
    for here in ("redis://127.0.0.1:6379", "unix:///run/valkey.sock", ""):
        assert typed(*given, "--wake", here) == 0
        assert "Valkey" not in capsys.readouterr().out


def test_hosts_that_are_told_of_turns_are_recipients(tmp_path, capsys):
    given = ("--data", str(tmp_path), "--language", "en")
    assert typed(*given) == 0
    assert "The program sends nothing to third countries." in capsys.readouterr().out
    assert typed(*given, "--webhook-host", "hooks.example", "--webhook-host", "nas.lan=10.0.0.5") == 0
    text = capsys.readouterr().out
    assert "If a player enters a web address on hooks.example, nas.lan, that host learns their name" in text
    assert "The program sends nothing to third countries." not in text
    assert typed(*given, "--mail", "smtps://school:hush@mail.example") == 0
    mailed = capsys.readouterr().out
    assert "Emails to players go through mail.example, which learns their address" in mailed
    assert "hush" not in mailed
    assert ("no email addresses but those" in mailed, "no email addresses but those" in text) == (True, False)


async def test_what_there_is_today(tmp_path, capsys):
    store = SQLite(tmp_path / paths.TABLES)
    await store.create(canaries("over", 1))
    await store.close()
    (tmp_path / paths.DECKS).mkdir()
    (tmp_path / paths.DECKS / "mine.csv").write_text("x", "utf-8")
    (tmp_path / "before-restore-2026-01-01-000000-abc").mkdir()
    assert typed("--data", str(tmp_path), "--language", "en") == 0
    text = capsys.readouterr().out
    assert "Tables in tables.sqlite: 1\n" in text
    assert "Your own decks: 1\n" in text
    assert "Put aside by a restore, with names in it: before-restore-2026-01-01-000000-abc" in text
    assert "Canary" not in text


def test_the_commands_of_the_page(tmp_path, capsys, monkeypatch):
    page = (Path(__file__).parents[1] / "docs/hosting.md").read_text("utf-8")
    block = re.search(r"<!-- typed by tests/test_privacy.py -->\n```sh\n(.*?)```", page, re.DOTALL)[1]
    monkeypatch.setenv("SPIELTISCH_DATA", str(tmp_path))
    for line in block.replace("/var/backups", str(tmp_path)).splitlines():
        assert typed(*shlex.split(line)[3:]) == 0
    assert "Art. 30" in capsys.readouterr().out
    assert (tmp_path / "register.csv").read_text("utf-8").count("\n") > 30


def test_wrong_input_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert privacy(data=tmp_path / "nowhere") == 1
    assert "There is no folder" in capsys.readouterr().err
    assert privacy(data=tmp_path, keep_days=-1) == 1
    assert "0 or more" in capsys.readouterr().err
    (tmp_path / "there").mkdir()
    assert privacy(data=tmp_path, to=tmp_path / "there") == 1
    assert "cannot be written" in capsys.readouterr().err
    assert privacy(data=tmp_path, to=tmp_path / "entry.txt") == 0
    assert "Art. 30" in (tmp_path / "entry.txt").read_text("utf-8")


@pytest.mark.parametrize("lang", ["de", "en"])
async def test_a_page_tells_all_of_it_and_who_runs_the_server(tmp_path, lang):
    operator = "Gymnasium <b>Musterstadt</b>\nWeg 1\nImpressum: https://schule.example/impressum?a=1&b=2."
    more = {"mail": "smtps://me:hush@mail.example", "mail_from": "a@b.example", "webhooks": ("hooks.example",)}
    async with (
        served(tmp_path, keep_days=14.0, class_hours=5.0, operator=operator, **more) as site,
        site.browser(lang) as one,
    ):
        answer = await one.get("/privacy")
        assert answer.status_code == 200
        page = unescape(answer.text)
        times = {"days": 14, "hours": 5}
        for kept in STORED:
            assert say(kept.what, lang) in page
            assert say(message(kept.until.text, **times), lang) in page
            assert kept.whose is None or say(kept.whose, lang) in page
        assert "[" not in re.sub("<[^>]*>", "", page.partition("<main")[2].partition("</main>")[0])
        assert "<b>Musterstadt" not in answer.text
        assert "Gymnasium <b>Musterstadt</b><br>Weg 1<br>" in page
        assert '<a href="https://schule.example/impressum?a=1&b=2" rel="noopener">' in page
        assert str(tmp_path) not in page
        assert "hush" not in page
        assert {"mail.example", "hooks.example"} <= {*re.findall(r"[a-z]+\.example", page)}
        # from every foot, and where pupils come in
        room = (await one.post("/class/new", data=CLASS)).headers["location"]
        for path in ("/", "/credits", "/decks", "/class/new", room, "/rules/adaman"):
            assert 'href="/privacy"' in (await one.get(path)).text, path
        async with site.browser(lang) as pupil:
            assert (await pupil.get(room)).text.count('href="/privacy"') == 2
        table = (await one.post("/play", data={"game": "adaman"})).headers["location"]
        assert 'href="/privacy"' in (await one.get(table)).text


CLASS = {"game": "hic-haec-hoc", "size": "4", "minutes": "45", "strips": "0"}


async def test_a_server_that_names_nobody_says_so(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as one:
        assert "Wer diesen Server betreibt, steht hier nicht." in (await one.get("/privacy")).text


@pytest.mark.parametrize("wrong", ["x" * 1001, "a\x00b", "a\x1b[31mb", "a\u202eb"])
def test_an_operator_is_text_of_a_sensible_length(tmp_path, capsys, wrong):
    assert serve(port=0, data=tmp_path, operator=wrong) == 2
    assert "--operator" in capsys.readouterr().err


def test_the_register_names_the_operator(tmp_path, capsys):
    assert typed("--language", "de", "--data", str(tmp_path), "--operator", "Schule am Weg") == 0
    text = capsys.readouterr().out
    assert "Verantwortlich: Schule am Weg" in text
    assert "[Name und Anschrift" not in text
