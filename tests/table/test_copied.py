"""The files of servers on one database: each has copies in its folder, and no change of one is lost to another."""

import asyncio

import pytest

import stores
from spieltisch import paths
from spieltisch.decks.files import put, version
from spieltisch.decks.inbox import Inbox
from spieltisch.paths import DataError

pytest.importorskip("psycopg", reason="needs the extra postgres")
copied = pytest.importorskip("spieltisch.cluster.copied")

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("place", [stores.postgres], indirect=True)]

SECRET = bytes(range(32))


class Member:
    """One server's folder and its copies."""

    def __init__(self, folder, store):
        self.folder = folder
        self.decks = folder / paths.DECKS
        self.store = store
        self.files = copied.Copied(store, folder)

    async def join(self):
        if not await copied.is_copy(self.store, self.folder):
            await copied.take_over(self.store, self.folder)
        await self.files.follow()
        return self

    def seen(self):
        named = (path for path in self.folder.rglob("*") if path.is_file() and path.name != paths.COPY)
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in named}


@pytest.fixture
def member(tmp_path, again):
    """Makes a server's folder, with what lies in it already."""

    def make(name, **decks):
        folder = paths.open_data_folder(tmp_path / name)
        for deck, body in decks.items():
            put(folder / paths.DECKS / f"{deck}.csv", body)
        return Member(folder, again())

    return make


async def test_each_has_what_another_writes_changes_and_deletes(member):
    one, two = await member("one").join(), await member("two").join()
    deck = one.decks / "rom.csv"
    assert await one.files.put(deck, "one", 0)
    await two.files.follow()
    assert two.seen() == one.seen()
    assert (two.decks / "rom.csv").read_text() == "one"
    assert version(two.decks / "rom.csv") == version(deck)
    assert await two.files.put(two.decks / "rom.csv", "two", version(deck))
    await one.files.follow()
    assert deck.read_text() == "two"
    await one.files.drop(deck)
    await two.files.follow()
    assert two.seen().keys() == one.seen().keys() == {paths.SECRET}
    for path in (one.folder / paths.SECRET, one.folder / paths.COPY):
        assert path.stat().st_mode & 0o077 == 0


async def test_of_two_who_change_one_file_the_second_has_to_look_again(member):
    one, two = await member("one").join(), await member("two").join()
    assert await one.files.put(one.decks / "rom.csv", "", 0)
    await two.files.follow()

    async def count(who):
        path = who.decks / "rom.csv"
        done = False
        while not done:
            was = version(path)
            done = await who.files.put(path, path.read_text() + "x", was)

    await asyncio.gather(*(count(who) for who in (one, two) for _ in range(20)))
    for who in (one, two):
        await who.files.follow()
        assert (who.decks / "rom.csv").read_text() == 40 * "x"


async def test_reports_at_two_servers_are_one_list(member):
    one, two = await member("one").join(), await member("two").join()
    inboxes = [Inbox(who.decks, who.files) for who in (one, two)]
    await asyncio.gather(*(inboxes[n % 2].put("rom", f"c{n % 3}", f"no. {n}", float(n)) for n in range(18)))
    for who in (one, two):
        await who.files.follow()
    assert inboxes[0].all() == inboxes[1].all()
    assert {one.card: (one.times, len(one.words)) for one in inboxes[0].all()} == dict.fromkeys(
        ("c0", "c1", "c2"), (6, 6)
    )
    assert await inboxes[1].done(inboxes[1].all()[0].id)
    await one.files.follow()
    assert len(inboxes[0].all()) == 2


async def test_what_was_deleted_and_made_again_is_another_version(member):
    one, two = await member("one").join(), await member("two").join()
    assert await one.files.put(one.decks / "rom.csv", "old", 0)
    await two.files.follow()
    was = version(two.decks / "rom.csv")
    await one.files.drop(one.decks / "rom.csv")
    assert await one.files.put(one.decks / "rom.csv", "new", 0)
    assert not await two.files.put(two.decks / "rom.csv", "older", was)
    assert (two.decks / "rom.csv").read_text() == "new"  # it has looked, and can be changed now


async def test_a_folder_is_taken_over_and_then_a_copy(member):
    old = member("old", rom="rom", asia="asia")
    put(old.folder / paths.SECRET, SECRET, mode=0o600)
    put(old.decks / paths.KEYS, b'{"host":2}')
    (old.decks / "notes.txt").write_text("of the people who run it")
    before = old.seen()
    await old.join()
    assert old.seen() == before
    new = await member("new").join()
    assert new.seen() == {name: body for name, body in before.items() if not name.endswith("notes.txt")}
    again = await Member(old.folder, old.store).join()  # after a restart
    await new.files.drop(new.decks / "rom.csv")
    await again.files.follow()
    assert not (old.decks / "rom.csv").exists()  # and nobody takes it over once more
    assert not (await Member(old.folder, old.store).join()).seen().keys() - before.keys()
    assert await old.store.file("decks/rom.csv") is None


async def test_two_folders_with_the_same_secret_become_one(member):
    one, two = member("one", rom="rom"), member("two", rom="rom", asia="asia")
    for who in (one, two):
        put(who.folder / paths.SECRET, SECRET)
    await one.join()
    await two.join()
    await one.files.follow()
    assert one.seen() == two.seen()
    assert one.seen().keys() == {paths.SECRET, "decks/rom.csv", "decks/asia.csv"}


@pytest.mark.parametrize("name", [paths.SECRET, "decks/rom.csv"])
async def test_what_the_database_has_already_is_not_replaced(member, name):
    one, two = member("one"), member("two")
    put(one.folder / paths.SECRET, SECRET)
    put(one.folder / name, bytes(range(40)))
    await one.join()
    put(two.folder / name, bytes(range(1, 41)))
    with pytest.raises(DataError, match=f"the file {name} differs"):
        await two.join()
    assert (two.folder / name).read_bytes() == bytes(range(1, 41))
    assert (await one.store.file(name))[1] == bytes(range(40))


async def test_a_secret_that_can_be_guessed_is_not_taken_over(member):
    one = member("one")
    put(one.folder / paths.SECRET, b"short")
    with pytest.raises(DataError, match="has 5 bytes"):
        await one.join()
    assert await one.store.files() == {}


async def test_a_database_that_has_lost_everything_gets_it_from_a_copy(member):
    one = await member("one", rom="rom").join()
    before = one.seen()
    for name in await one.store.files():
        await one.store.drop_file(name)
    assert (await Member(one.folder, one.store).join()).seen() == before
    assert (await one.store.file("decks/rom.csv"))[1] == b"rom"


async def test_servers_that_begin_at_once_have_one_secret(member):
    members = [member(f"m{n}") for n in range(4)]
    await asyncio.gather(*(one.join() for one in members))
    assert len({(one.folder / paths.SECRET).read_bytes() for one in members}) == 1
