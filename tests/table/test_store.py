"""What every store keeps to, whatever the engine, on real files and a real server."""

import asyncio
import contextlib
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

import stores
from spieltisch.table.log import Chair, Header, TableSetup
from spieltisch.table.store import sql
from spieltisch.table.store.sqlite import SQLite, _commit, _connect, opened

pytestmark = pytest.mark.anyio

NOW = time.time()  # by which a database's own clock goes, too
FILE = pytest.mark.parametrize("place", [stores.sqlite], indirect=True)


def until(store, seconds):
    """The end of a lease of this many seconds: by the database's clock or the caller's."""
    return pytest.approx((time.time() if store.shared else NOW) + seconds, abs=30)


def setup(id_="ABCDEF", touched=10.0, **more):
    chairs = (Chair("Livia", "person", "hash"), Chair())
    return TableSetup(id_, "bids", {"options": {}}, chairs, touched=touched, **more)


async def test_a_plan_is_kept_as_it_is(store, again):
    assert await store.create(setup())
    assert await store.setup("ABCDEF") == setup()
    assert await again().setup("ABCDEF") == setup()
    assert await store.setup("NOBODY") is None


async def test_an_id_is_given_once(store):
    assert await store.create(setup())
    assert not await store.create(setup(lang="de"))
    assert (await store.setup("ABCDEF")).lang == ""


async def test_of_two_revisions_made_from_the_same_one_the_first_is_kept(store, again):
    await store.create(setup())
    assert await store.save(setup(lang="de", rev=1))
    assert not await again().save(setup(lang="en", rev=1))
    assert (await store.setup("ABCDEF")).lang == "de"
    assert not await store.save(setup("NOBODY", rev=1))


async def test_a_seed_is_kept_apart_and_stays(store):
    await store.create(setup())
    assert await store.seed("ABCDEF") is None
    await store.save(setup(rev=1), seed=b"16 random bytes!")
    await store.save(setup(rev=2))
    assert await store.seed("ABCDEF") == b"16 random bytes!"


async def test_entries_come_back_in_order(store, again):
    await store.create(setup())
    for seq in range(1, 12):
        assert await store.append("ABCDEF", seq, b"%d" % seq, None, 11.0)
    assert list(await store.log("ABCDEF")) == [b"%d" % seq for seq in range(1, 12)]
    assert list(await again().log("ABCDEF", after=9)) == [b"10", b"11"]
    assert (await store.setup("ABCDEF")).touched == 11.0


async def test_what_is_new_of_tables(store):
    for id_ in ("ABCDEF", "GHIJKL"):
        await store.create(setup(id_))
    await store.append("ABCDEF", 1, b"one", None, 11.0)
    await store.append("ABCDEF", 2, b"two", None, 11.0)
    await store.save(setup("GHIJKL", rev=1))
    new = {"ABCDEF": (None, [b"one", b"two"]), "GHIJKL": (await store.setup("GHIJKL"), [])}
    assert await store.newer({"ABCDEF": (0, 0), "GHIJKL": (0, 0), "NOBODY": (0, 0)}) == new
    assert await store.newer({"ABCDEF": (1, 0)}) == {"ABCDEF": (None, [b"two"])}
    assert await store.newer({"ABCDEF": (2, 0), "GHIJKL": (0, 1)}) == dict.fromkeys(new, (None, []))
    assert await store.newer({}) == {}


async def test_a_number_is_taken_once(store, again):
    await store.create(setup())
    other = again()
    sent = [s.append("ABCDEF", 1, b"%d" % i, None, 1.0) for i in range(20) for s in (store, other)]
    assert sorted(await asyncio.gather(*sent)) == [False] * 39 + [True]
    assert len(await store.log("ABCDEF")) == 1


async def test_a_big_batch_is_told_one_by_one(store):
    ids = [f"T{n:05}" for n in range(150)]
    await asyncio.gather(*(store.create(setup(i)) for i in ids))
    await store.append(ids[7], 1, b"was first", None, 1.0)
    taken = await asyncio.gather(*(store.append(i, 1, i.encode(), 5.0, 2.0) for i in ids))
    assert taken == [i != ids[7] for i in ids]
    assert [list(await store.log(i)) for i in ids] == [[b"was first" if i == ids[7] else i.encode()] for i in ids]


async def test_a_table_that_is_gone_takes_nothing(store):
    await store.create(setup())
    await store.append("ABCDEF", 1, b"1", 5.0, 1.0)
    await store.delete("ABCDEF")
    assert not await store.append("ABCDEF", 2, b"2", None, 1.0)
    assert await store.setup("ABCDEF") is None
    assert list(await store.log("ABCDEF")) == []
    assert await store.claim(9, 1.0, NOW) == {}


async def test_what_is_due_is_claimed_by_one_the_longest_due_first(store, again):
    for id_, due_at in (("A", NOW - 5), ("B", NOW - 30), ("C", None), ("D", NOW + 3_000)):
        await store.create(setup(id_))
        await store.append(id_, 1, b"", due_at, 1.0)
    other = again() if store.shared else store
    assert await store.claim(1, 60.0, NOW) == {"B": until(store, 60.0)}
    assert set(await other.claim(9, 60.0, NOW)) == {"A"}
    assert await store.claim(9, 60.0, NOW) == {}
    await store.append("B", 2, b"", NOW - 1, 1.0)  # a claim ends with an entry, or with another setup
    await store.save(setup("C", rev=1), due_at=NOW - 2)
    assert list(await other.claim(9, 60.0, NOW)) in (["C", "B"], ["B", "C"])
    await store.append("B", 3, b"", None, 1.0)
    assert await store.claim(9, 60.0, NOW) == {}


async def test_tables_that_are_not_ones_own_are_left_to_others_for_a_while(store):
    for id_, due_at in (("A", NOW - 5_000), ("B", NOW - 2), ("C", NOW - 2)):
        await store.create(setup(id_), due_at)
    assert set(await store.claim(9, 60.0, NOW, ["B"], 3_000.0)) == {"A", "B"}


async def test_a_claim_is_held_on_to_given_back_or_ends_and_a_later_one_stands(store):
    for id_ in ("A", "B"):
        await store.create(setup(id_), NOW - 5)
    held = await store.claim(9, 60.0, NOW)
    longer = await store.renew(held, 90.0, NOW)
    assert all(longer[id_] > held[id_] for id_ in "AB")
    assert await store.renew(held, 900.0, NOW) == {}  # it stands no longer as it was given
    assert set(await store.renew({"A": longer["A"]}, 0.0, NOW)) == {"A"}
    assert set(await store.claim(9, -1.0, NOW + 1)) == {"A"}  # is over at once
    assert set(await store.claim(9, 60.0, NOW + 2)) == {"A"}
    await store.append("A", 1, b"", NOW - 1, 1.0)
    assert await store.renew(longer, 60.0, NOW) == {"B": until(store, 60.0)}
    assert await store.renew({}, 60.0, NOW) == {}


async def test_of_many_who_claim_at_once_each_table_has_one(store, again):
    for n in range(40):
        await store.create(setup(f"T{n}"), NOW - 5)
    stores = [store, again(), again()] if store.shared else [store]
    got = await asyncio.gather(*(one.claim(7, 60.0, NOW) for one in stores for _ in range(8)))
    assert sorted(id_ for claimed in got for id_ in claimed) == sorted(f"T{n}" for n in range(40))


async def test_the_clock_goes_as_that_of_all(store, again):
    before, now, after = again().clock(), store.clock(), again().clock()
    assert abs(before - now) < 5
    assert abs(now - after) < 5
    assert abs(now - time.time()) < 5  # here all is on one machine
    assert store.clock() >= now


async def test_old_tables_are_forgotten_with_their_names(store):
    header = Header("bids", 1, 2, {}, "used", "seal")
    await store.put_deck("used", b"deck", 1.0)
    await store.put_deck("nobody's", b"deck", 1.0)
    for stage in ("waiting", "playing", "over", "closed"):
        await store.create(setup(stage, stage=stage, header=header))
        await store.save(setup(stage, stage=stage, header=header, rev=1))
    await store.create(setup("new", stage="over"))
    await store.append("new", 1, b"", None, 99.0)
    assert set(await store.forget(50.0)) == {"waiting", "playing", "over", "closed"}
    assert [await store.setup(stage) for stage in ("waiting", "over", "closed")] == [None] * 3
    assert [chair.name for chair in (await store.setup("playing")).chairs] == ["", ""]
    assert (await store.setup("playing")).chairs[0].key == "hash"
    assert await store.setup("new") is not None
    assert await store.deck("used") == b"deck"
    assert await store.deck("nobody's") is None
    assert list(await store.forget(50.0)) == []


async def test_decks_are_kept_by_their_hash(store, again):
    await store.put_deck("hash", b"deck", 1.0)
    await store.put_deck("hash", b"deck", 2.0)
    assert await again().deck("hash") == b"deck"
    assert await store.deck("other") is None


async def test_a_caller_who_leaves_holds_up_nobody(store):
    await store.create(setup())
    sent = asyncio.ensure_future(store.append("ABCDEF", 1, b"1", None, 1.0))
    sent.cancel()
    assert await store.append("ABCDEF", 2, b"2", None, 1.0)
    assert list(await store.log("ABCDEF")) == [b"1", b"2"]


async def test_what_fails_is_told_and_the_next_one_goes_on(store):
    await store.create(setup())
    with pytest.raises(Exception, match=r"not supported|type"):
        await store.append("ABCDEF", 1, object(), None, 1.0)
    assert await store.append("ABCDEF", 1, b"1", None, 1.0)
    assert await store.save(msgspec.structs.replace(setup(), rev=1))


async def test_what_was_due_before_the_clock_was_set_back_is_due(store):
    await store.create(setup())
    assert await store.save(setup(rev=1), due_at=NOW + 3_600)
    assert await store.claim(9, 60.0, NOW) == {}
    assert await store.save(setup(rev=2), due_at=NOW + 2 * 86_400)
    assert set(await store.claim(9, 60.0, NOW, (), 3_000.0)) == {"ABCDEF"}


async def test_when_a_table_was_last_touched(store):
    assert await store.newest() is None
    await store.create(setup())
    assert await store.newest() == 10.0


@FILE
async def test_the_file_shrinks_when_tables_are_forgotten_and_moves_are_written_meanwhile(store, again, tmp_path):
    body = b"x" * 2000
    for n in range(400):
        await store.create(setup(f"OLD{n:03}", stage="over", touched=1.0))
        await asyncio.gather(*(store.append(f"OLD{n:03}", seq, body, None, 1.0) for seq in range(1, 21)))
    await store.create(setup("NEW", touched=1e9))
    await store.close()
    store = again()
    file = next(tmp_path.glob("*.db"))
    full = file.stat().st_size
    assert full > 400 * 20 * 2000
    forgetting = asyncio.create_task(store.forget(2.0))
    written = 0
    while not forgetting.done():
        written += await store.append("NEW", written + 1, b"move", None, 1e9)
    assert len(await forgetting) == 400
    assert written > 5  # it did not wait for all that
    assert len(await store.log("NEW")) == written
    await store.close()
    assert file.stat().st_size < full / 20


async def test_a_file_of_a_former_version_learns_to_shrink(tmp_path):
    with closing(sqlite3.connect(tmp_path / "old.db")) as db:
        db.execute("pragma journal_mode = wal")
        for statement in filter(None, map(str.strip, sql.MIGRATIONS[0].sqlite.split(";"))):
            db.execute(statement)
        db.execute("pragma user_version = 1")
        db.executemany("insert into deck values (?, 0, zeroblob(5000))", [(str(n),) for n in range(500)])
        db.commit()
    before = (tmp_path / "old.db").stat().st_size
    store = SQLite(tmp_path / "old.db")
    await store.create(setup("NEW", touched=1e9))
    await store.forget(1.0)
    await store.close()
    assert (tmp_path / "old.db").stat().st_size < before / 10


async def test_the_games_of_an_evening_are_found_by_their_code_in_order(store):
    for id_ in ("ABCDEF", "ABCDEF-2", "ABCDEF-10", "ABCDEF-9", "ABCDE", "ABCDEFG", "ABCDEFG-2"):
        assert await store.create(setup(id_))
    assert await store.games("ABCDEF") == ["ABCDEF", "ABCDEF-2", "ABCDEF-9", "ABCDEF-10"]
    await store.delete("ABCDEF")
    assert (await store.games("ABCDEF"))[0] == "ABCDEF-2"
    assert await store.games("NOBODY") == []


async def test_a_new_table_may_be_due(store):
    assert await store.create(setup("LATER"), NOW + 3_600)
    assert await store.create(setup("NOW"), NOW - 1)
    assert await store.create(setup("NEVER"))
    assert set(await store.claim(9, 60.0, NOW)) == {"NOW"}


async def test_of_a_document_each_revision_is_written_once_and_the_newest_is_read(store, again):
    other = again()
    assert await store.document("class/KM4T7") is None
    assert await store.put_document("class/KM4T7", 1, "Grüße".encode(), None)
    assert not await other.put_document("class/KM4T7", 1, b"another", None)
    assert sorted(await asyncio.gather(*(s.put_document("class/KM4T7", 2, b"2", 5.0) for s in (store, other)))) == [
        False,
        True,
    ]
    assert await other.document("class/KM4T7") == b"2"
    assert not await store.put_document("class/NOONE", 2, b"", None)
    await store.drop_document("class/KM4T7")
    assert await other.document("class/KM4T7") is None
    assert not await store.put_document("class/KM4T7", 3, b"3", None)


async def test_documents_are_due_in_order_and_once_they_say_when(store):
    for name, due in (("a", 9.0), ("b", None), ("c", 3.0)):
        assert await store.put_document(name, 1, b"", due)
    assert list(await store.due_documents(2.0)) == []
    assert list(await store.due_documents(9.0)) == ["c", "a"]
    assert list(await store.due_documents(9.0, "a")) == ["a"]
    assert await store.put_document("c", 2, b"", None)
    assert list(await store.due_documents(9.0)) == ["a"]


async def test_games_that_run_are_read_one_after_the_other(store):
    for n in range(2 * sql.PAGE + 1):
        await store.create(setup(f"T{n:03}", stage="playing"))
        await store.create(setup(f"O{n:03}", stage="over"))
    assert [one.id async for one in store.playing()] == [f"T{n:03}" for n in range(2 * sql.PAGE + 1)]


async def test_moves_are_written_while_many_tables_are_forgotten(store):
    old = [setup(f"OLD{n:03}", stage=("over", "playing")[n % 2], touched=float(n % 3)) for n in range(400)]
    assert all(await asyncio.gather(*map(store.create, [*old, setup("NEW", touched=1e9)])))
    forgetting, left = asyncio.create_task(store.forget(5.0)), []
    while not forgetting.done():
        assert await store.append("NEW", len(left) + 1, b"move", None, 1e9)
        left.append(await store.count())
    assert len({*await forgetting}) == 400
    assert any(201 < n < 401 for n in left)  # however slow the machine is: a move came between two slices
    assert await store.count() == 201
    assert not any(chair.name for one in await store.touched_last(201) for chair in one.chairs if one.id != "NEW")
    assert list(await store.forget(5.0)) == []


async def test_the_tables_that_were_touched_last_come_page_by_page(store):
    for n in range(30):
        await store.create(setup(f"T{n:02}", touched=float(n // 2)))
    pages = [one.id for skip in (0, 10, 20, 30) for one in await store.touched_last(10, skip)]
    assert pages == [f"T{n:02}" for n in reversed(range(30))]


def temporary_files(_=None):
    """The temporary files of SQLite that this process holds open."""
    names = []
    for one in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # of the folder itself
            names.append(str(one.readlink()))
    return [name for name in names if "etilqs" in name]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux lists open files")
async def test_a_large_commit_needs_no_disk_for_temporary_files(tmp_path):
    path = tmp_path / "tables.sqlite"
    opened(path).close()
    with closing(_connect(str(path))) as db:
        ids = [f"{n:06d}" for n in range(600)]
        db.executemany("insert into plan (id, stage, rev, body) values (?, 'playing', 1, '')", ((one,) for one in ids))
        for seq in (1, 2, 3):
            entries = [(one, seq, bytes(3000), None, 1.0) for one in ids]
            assert _commit(db, [*entries, temporary_files]) == ([*[True] * len(ids), []], None)
