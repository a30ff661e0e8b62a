"""Tables of every format go on, also where an early version has set the number of the format back."""

import itertools
import sqlite3
from contextlib import closing

import pytest

import stores
from spieltisch.paths import DataError
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.store import sql
from spieltisch.table.store.sqlite import SQLite

pytestmark = pytest.mark.anyio

NEWEST = len(sql.MIGRATIONS)
EARLIER = [*itertools.combinations_with_replacement(range(1, NEWEST + 1), 2)][:-1]


def setup(id_, **more):
    return TableSetup(id_, "bids", {"options": {}}, (Chair("Livia", "person", "hash"), Chair()), touched=1.0, **more)


def do(place, *statements):
    """These statements, in the place where a store keeps its tables."""
    if stores.is_file(place):
        with closing(sqlite3.connect(place.where)) as db:
            rows = [db.execute(one).fetchall() for one in statements]
            db.commit()
        return rows[-1]
    psycopg = pytest.importorskip("psycopg", reason="needs the extra postgres")
    with psycopg.connect(place.where) as db:
        found = [db.execute(one) for one in statements]
        return found[-1].fetchall() if found[-1].description else []


def say_format(place, number):
    """What a version of that format leaves there."""
    do(place, f"pragma user_version = {number}" if stores.is_file(place) else f"update format set number = {number}")


def said_format(place):
    return do(place, "pragma user_version" if stores.is_file(place) else "select number from format")[0][0]


@pytest.mark.parametrize(("said", "there"), EARLIER)
async def test_tables_of_any_format_go_on_whatever_number_they_name(place, again, monkeypatch, caplog, said, there):
    with monkeypatch.context() as before:
        before.setattr(sql, "MIGRATIONS", sql.MIGRATIONS[:there])
        await place.open().close()
    do(place, "insert into plan (id, stage, rev, body) values ('A', 'playing', 0, '{}')")
    do(place, "insert into pace (id, touched) values ('A', 1)")
    say_format(place, said)
    store = again()
    assert await store.append("A", 1, b"one", 5.0, 2.0)
    assert list(await store.log("A")) == [b"one"]
    assert set(await store.claim(9, 60.0, 10.0)) == {"A"}
    assert await store.put_document("class/A", 1, b"body", None)
    assert said_format(place) == NEWEST
    assert ("an older version has worked on" in caplog.text) == (said < there)


async def test_an_older_version_may_work_in_between_again_and_again(place, again):
    for seq in range(1, 4):
        store = again()
        await store.create(setup("A"))
        assert await store.append("A", seq, b"%d" % seq, None, 1.0)
        await store.close()
        say_format(place, 1)
    assert list(await again().log("A")) == [b"1", b"2", b"3"]


async def test_a_newer_format_is_refused_and_stays_as_it_is(place):
    await place.open().close()
    say_format(place, NEWEST + 1)
    with pytest.raises(DataError, match="a newer version of Spieltisch wrote"):
        place.open()
    assert said_format(place) == NEWEST + 1


async def test_a_backup_of_a_database_that_was_set_back_has_all_of_it(cluster, tmp_path):
    copying = pytest.importorskip("spieltisch.cluster.copying", reason="needs the extra postgres")
    from spieltisch.cluster.postgres import Postgres

    place = stores.Place(cluster.database(), Postgres)
    store = place.open()
    await store.create(setup("A"))
    await store.put_document("class/A", 1, b"body", None)
    await store.put_file("decks/a.csv", b"deck", 0)
    await store.close()
    say_format(place, 1)
    copying.to_file(place.where, tmp_path / "copy.db")
    copy = SQLite(tmp_path / "copy.db")
    assert await copy.document("class/A") == b"body"
    assert await copy.setup("A") == setup("A")
    await copy.close()
    assert copying.require_idle(place.where) == 2
