"""`doctor`, `upgrade --check` and `restore --table` where a running game is damaged, with either engine."""

import os

import pytest

from matrix import sampled
from servers import test_new_rules as rules
from spieltisch import backup, paths
from spieltisch.cli.app import run
from spieltisch.table.log import Chair

place, using, seated = rules.place, rules.using, rules.seated
ENTRY = "update log set entry = ? where id = ? and seq = ?"


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")


async def moved(host, code, n=3):
    """So many moves more."""
    table = await host.table(code)
    for _ in range(n):
        seat = table.to_act[0]
        await host.answer(code, seat, table.question(seat), table.legal(seat)[0])


async def two_games(host):
    codes = [(await seated(host, "hic-haec-hoc", 2)).id for _ in range(2)]
    for code in codes:
        await moved(host, code)
    return codes


def rows(place):
    return [place[0].ask(f"select * from {name} order by 1, 2") for name in ("plan", "pace", "log", "deck")]


def of_table(place, code):
    rows = {
        "plan": "*",
        "pace": "id, touched, due_at, lease, holder",
        "log": "*",
    }  # when it was written is another matter
    return [place[0].ask(f"select {rows[name]} from {name} where id = ? order by 2", code) for name in rows]


@pytest.fixture
def saved(place, tmp_path):
    """Two games, in a backup that was made after three moves; then three more were made in each."""
    codes = using(place, two_games)
    assert run(["backup", str(tmp_path / "copy.zip"), *place[1]]) == 0
    then = [of_table(place, code) for code in codes]

    async def go_on(host):
        for code in codes:
            await moved(host, code)

    using(place, go_on)
    return tmp_path / "copy.zip", codes, then


def told(capsys, *words):
    capsys.readouterr()
    status = run([*map(str, words)])
    heard = capsys.readouterr()
    return status, heard.out + heard.err


def test_commands_name_the_table_that_is_damaged(place, saved, capsys):
    _, (code, other), _ = saved
    status, said = told(capsys, "doctor", *place[1])
    assert "✓ The logs of all running games can be read." in said
    place[0].do(ENTRY, b"\xff\x00", code, 5)
    status, said = told(capsys, "doctor", *place[1])
    assert status == 1
    assert f"✗ Table {code} is damaged at entry 5" in said
    assert f"spieltisch restore FILE --table {code}" in said
    assert other not in said
    status, said = told(capsys, "upgrade", "--check", *place[1])
    assert status == 1
    assert f"{code}: hic-haec-hoc is damaged at entry 5" in said
    assert "previous version" not in said
    assert "1 under the same rules" in said


@pytest.mark.parametrize("how", sampled(["entry", "gap", "seed", "deck", "setup", "gone"], ["entry", "setup", "gone"]))
def test_one_table_is_put_back_and_goes_on(place, saved, capsys, how):
    file, (code, other), then = saved
    place[0].do(*{
        "entry": (ENTRY, os.urandom(40), code, 7),
        "gap": ("delete from log where id = ? and seq = 6", code),
        "seed": ("update plan set seed = ? where id = ?", os.urandom(16), code),
        "deck": ("update deck set body = ?", os.urandom(90)),
        "setup": ("update plan set body = ? where id = ?", os.urandom(90), code),
        "gone": ("delete from plan where id = ?", code),
    }[how])  # fmt: skip
    kept = of_table(place, other)
    status, said = told(capsys, "restore", file, "--table", f" {code.lower()}", *place[1])
    assert status == 0, said
    assert f"{code}: entries: 4, as they were on" in said
    assert of_table(place, code) == then[0]
    assert of_table(place, other) == kept
    assert told(capsys, "doctor", *place[1])[1].count("damaged") == 0
    assert told(capsys, "upgrade", "--check", *place[1])[0] == 0
    using(place, lambda host: moved(host, code, 2))
    using(place, lambda host: moved(host, other, 2))
    before = [one for one in place[2].iterdir() if one.name.startswith(backup.BEFORE)]
    assert len(before) == (how != "gone")
    assert ("is now in" in said) == (how != "gone")


def test_what_was_there_is_put_aside(place, saved, capsys):
    file, (code, _), _ = saved
    place[0].do(ENTRY, b"noise", code, 6)
    was = of_table(place, code)
    assert told(capsys, "restore", file, "--table", code, *place[1])[0] == 0
    [aside] = [one for one in place[2].iterdir() if one.name.startswith(backup.BEFORE)]
    there = rules.stores.Place(aside / paths.TABLES, rules.stores.SQLite)
    assert of_table((there,), code)[2] == was[2]
    assert len(there.ask("select id from plan")) == 1
    assert (aside / paths.TABLES).stat().st_mode & 0o077 == 0


def test_a_table_that_is_well_and_further_stays(place, saved, capsys):
    file, (code, _), then = saved
    before = rows(place)
    status, said = told(capsys, "restore", file, "--table", code, *place[1])
    assert status == 1
    assert f"{code} is intact here and differs from the backup (entries here: 7, there: 4): --replace" in said
    assert rows(place) == before
    assert told(capsys, "restore", file, "--table", code, "--replace", *place[1])[0] == 0
    assert of_table(place, code) == then[0]


def test_a_table_whose_chairs_changed_since_stays(place, saved, capsys):
    file, (code, _), _ = saved
    assert told(capsys, "restore", file, "--table", code, "--replace", *place[1])[0] == 0
    assert told(capsys, "restore", file, "--table", code, *place[1])[0] == 0  # it is as in the backup
    using(place, lambda host: host.replace(code, 0, Chair("Ada", "person")))
    assert told(capsys, "restore", file, "--table", code, *place[1])[0] == 1


def test_what_a_backup_does_not_have_is_refused(place, saved, capsys, tmp_path):
    file, (code, _), _ = saved
    before = rows(place)
    status, said = told(capsys, "restore", file, "--table", "NONESUCH", *place[1])
    assert (status, f"{file} has no table NONESUCH" in said) == (1, True)
    assert rows(place) == before
    place[0].do(ENTRY, b"noise", code, 6)
    assert told(capsys, "backup", tmp_path / "worse.zip", *place[1])[0] == 0
    before = rows(place)
    status, said = told(capsys, "restore", tmp_path / "worse.zip", "--table", code, "--replace", *place[1])
    assert (status, "too (entry 6)" in said) == (1, True)
    (tmp_path / "noise.zip").write_bytes(os.urandom(999))
    for name, words in (("none.zip", "none.zip"), ("noise.zip", "is not a Spieltisch backup")):
        status, said = told(capsys, "restore", tmp_path / name, "--table", code, *place[1])
        assert (status, words in said) == (1, True)
    assert rows(place) == before


def test_one_table_is_put_back_only_while_no_server_runs(place, saved, capsys):
    file, (code, _), _ = saved
    before = rows(place)
    with paths.hold_data_folder(place[2]):
        status, said = told(capsys, "restore", file, "--table", code, "--replace", *place[1])
    assert (status, "is using" in said) == (1, True)
    if "--database" in place[1]:

        async def at_work(host):
            await host.store.count()
            return told(capsys, "restore", file, "--table", code, "--replace", *place[1])

        status, said = using(place, at_work)
        assert (status, "servers are using the database" in said) == (1, True)
    assert rows(place) == before


def test_a_table_of_one_engine_is_put_back_into_the_other(place, saved, capsys, tmp_path):
    file, (code, _), then = saved
    third = tmp_path / "third"
    assert told(capsys, "restore", file, "--data", third)[0] == 0  # a file, whatever the backup was made of
    there = rules.stores.Place(third / paths.TABLES, rules.stores.SQLite)
    there.do("delete from log where id = ? and seq = 2", code)
    assert told(capsys, "restore", file, "--table", code, "--data", third)[0] == 0
    assert of_table((there,), code) == then[0]
