"""New rules, and games that run: none is lost, none is changed. A planted game changes its rules under tables.

Its former rules are what lay in its folder before, moved to `former/v1`. In version 2, whoever holds a card of the
highest rank keeps it: that changes what was offered at some tables, and nothing at others.
"""

import asyncio
import importlib
import re
import shutil
import sys
from pathlib import Path

import pytest
from msgspec.json import encode

import stores
from spieltisch import games, paths
from spieltisch import record as records
from spieltisch.cli.app import run
from spieltisch.dice import FastDice
from spieltisch.game import Stale
from spieltisch.game_folder import UnusableGameError
from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.wake import Hub
from web.site import served

TOYS = Path(__file__).parents[1] / "toys"
OFFER = "    return (Keep(), Change()) if view.public.options.change else (Keep(),)\n"
KEEPS = "    if view.own is not None and view.public.ranks[view.own.card or 0] == max(view.public.ranks):\n" \
        "        return (Keep(),)\n"  # fmt: skip
OTHERS = {"adaman": 1, "anno-domini": 3, "hic-haec-hoc": 2, "trailblaze": 2}


class Makers:
    """The maker of the planted game, who replaces one version by the next."""

    def __init__(self, folder, monkeypatch):
        self.folder = folder / "games" / "planted"
        shutil.copytree(TOYS / "highest", self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        self.write(self.rules().replace('name = "highest"', 'name = "planted"'))
        monkeypatch.setattr(games, "__path__", [*games.__path__, str(self.folder.parent)])
        self.install()

    def rules(self):
        return (self.folder / "rules.py").read_text(encoding="utf-8")

    def write(self, text, place=""):
        (self.folder / place).mkdir(parents=True, exist_ok=True)
        (self.folder / place / "__init__.py").touch()
        (self.folder / place / "rules.py").write_text(text, encoding="utf-8")

    def change(self, *, number=2, keep=True):
        old = self.rules()
        assert OFFER in old
        if keep:
            (self.folder / "former").mkdir()
            (self.folder / "former" / "__init__.py").touch()
            self.write(old, "former/v1")
        self.write(old.replace("version = 1", f"version = {number}").replace(OFFER, KEEPS + OFFER))
        self.install()

    def install(self):
        """As after a restart with what lies there now."""
        shutil.rmtree(self.folder / "__pycache__", ignore_errors=True)
        for name in [name for name in sys.modules if name.startswith(f"{games.__name__}.planted")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        games.packages.cache_clear()


@pytest.fixture
def makers(tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    yield Makers(tmp_path, monkeypatch)
    monkeypatch.undo()
    games.packages.cache_clear()
    for name in [name for name in sys.modules if name.startswith(f"{games.__name__}.planted")]:
        del sys.modules[name]


@pytest.fixture(params=stores.ENGINES)
def place(request, tmp_path):
    """Where the tables are kept, the words that tell a command, and the folder."""
    folder = paths.open_data_folder(tmp_path / "data")
    paths.server_secret(folder)
    if request.param is stores.sqlite:
        return stores.Place(folder / paths.TABLES, stores.SQLite), ["--data", str(folder)], folder
    there = stores.postgres(request)
    return there, ["--data", str(folder), "--database", there.where], folder


def using(place, work):
    """What comes of work with a host on the tables, opened anew."""

    async def use():
        store = place[0].open()
        try:
            return await work(Host(store, Hub(), pause=lambda: 3600.0))
        finally:
            await store.close()

    return asyncio.run(use())


async def seated(host, game, n):
    setup = await host.open(game, n)
    for seat in range(n):
        await host.replace(setup.id, seat, Chair(f"P{seat}", "person"))
    return await host.start(setup.id)


async def move(host, table, dice):
    seat = table.to_act[0]
    await host.answer(table.id, seat, table.question(seat), dice.choice(table.legal(seat)))


async def planted(host):
    """Tables of the planted game: some where the player to act held a highest card, some where not yet."""
    changed, same, dice = [], [], FastDice(5)
    while len(changed) < 3 or len(same) < 3:
        table, met = await seated(host, "planted", 4), False
        for _ in range(3):
            seat = table.to_act[0]
            view = table.view(seat)
            met = met or view.public.ranks[view.own.card] == max(view.public.ranks)
            if table.seq < 3:
                await move(host, table, dice)
        kind = changed if met else same
        if len(kind) < 3:
            kind.append(table.id)
        else:
            await host.close(table.id)
    return changed, same


async def others(host):
    """Games whose rules nobody has touched, in the middle."""
    codes, dice = [], FastDice(6)
    for game, n in OTHERS.items():
        while True:
            table = await seated(host, game, n)
            while table.seq < 7 and table.result is None:
                await move(host, table, dice)
            if table.result is None:
                break
        codes.append(table.id)
    return codes


async def played_out(host, codes):
    """Every one of these games is played to its end."""
    dice = FastDice(7)
    for code in codes:
        table = await host.table(code)
        while table.result is None and table.seq < 400:
            await move(host, table, dice)
        assert table.seq == 400 or table.setup.stage == "over"


def upgraded(capsys, place, *words):
    status = run(["upgrade", *place[1], *words])
    told = capsys.readouterr()
    assert told.err == ""
    return status, told.out.splitlines()


@pytest.mark.slow
def test_tables_that_a_change_does_not_touch_go_on_and_the_others_finish_as_they_began(place, makers, capsys):
    changed, same = using(place, planted)
    untouched = using(place, others)
    before = using(place, lambda host: views(host, changed + same))
    makers.change()

    kept = rows(place)
    for _ in range(2):  # looking changes nothing
        status, told = upgraded(capsys, place, "--check")
        assert status == 0
        assert told[-4:] == [
            "Running games: 10", "  4 under the same rules",
            "  3 can move to the new rules, which change nothing so far",
            "  3 finish under the rules they began with",
        ]  # fmt: skip
        named = [re.fullmatch(r"(\w+): planted finishes under version 1 of its rules; the new ones differ at entry "
                              r"[1-3]: what seat [1-3] may do", line)[1] for line in told[:-4]]  # fmt: skip
        assert named == sorted(changed)
        assert rows(place) == kept

    assert using(place, lambda host: views(host, changed + same)) == before  # a server that nobody told goes on, too
    status, told = upgraded(capsys, place)
    assert (status, "  3 moved to the new rules" in told) == (0, True)
    assert using(place, lambda host: views(host, changed + same)) == before

    async def versions(host):
        return [(await host.table(code)).setup.header.version for code in changed + same]

    assert using(place, versions) == [1] * 3 + [2] * 3
    assert upgraded(capsys, place, "--check")[1][-3:-1] == ["Running games: 10", "  7 under the same rules"]

    async def goes_on(host):
        await played_out(host, changed + same + untouched)
        for code in changed + same:
            told = await host.record(code)
            assert told["tags"]["rules"] == ("1" if code in changed else "2")
            assert records.replay(told).states  # each under the rules that it was played under
            assert len(await host.replay(code)) == 5
        record = await host.record(changed[0])
        assert records.top(record).package.rules.version == 1
        for others_tags in ({}, {"rules": "of this house"}):
            assert records.top(record | {"tags": others_tags}).package.rules.version == 2
        with pytest.raises(records.InvalidRecord, match="in version 7 are not kept"):
            records.replay(record | {"tags": {"rules": "7"}})
        table = await seated(host, "planted", 2)
        assert table.setup.header.version == 2
        for code in (*changed, *same):  # those who finished under old rules are looked at under them
            assert (await host.table(code)).package.rules.version == (1 if code in changed else 2)

    using(place, goes_on)


async def views(host, codes):
    """What everybody sees and may do."""
    seen = {}
    for code in codes:
        table = await host.table(code)
        told = [encode((table.view(seat), table.question(seat), table.legal(seat))) for seat in range(4)]
        seen[code] = (table.seq, table.fresh, told)
    return seen


def rows(place):
    async def read(host):
        store = host.store
        return {code: (await store.setup(code), list(await store.log(code))) for code in sorted(await store.ids())}

    return using(place, read)


def test_no_page_of_a_table_under_old_rules_is_an_error(tmp_path, makers, capsys):
    folder = paths.open_data_folder(tmp_path / "data")
    here = stores.Place(folder / paths.TABLES, stores.SQLite), ["--data", str(folder)], folder
    changed, same = using(here, planted)
    makers.change()

    async def look():
        async with served(folder, pause=lambda: 0.0) as site, site.browser() as guest:
            host, dice, pages = site.services.host, FastDice(3), 0
            for code in changed + same:
                table = await host.table(code)
                assert table.package.rules.version == 1
                while True:
                    for url in (f"/t/{code}", f"/t/{code}/screen", "/"):
                        page = await guest.get(url)
                        assert page.status_code == 200, (url, page.text)
                        assert "under different rules" not in page.text
                        pages += 1
                    if table.result is not None:
                        break
                    await host.replace(code, table.to_act[0], Chair("Bot", "bot"))  # who thinks under the old rules
                    with host.hub.listen(code) as news:
                        async with asyncio.timeout(60):
                            while table.result is None and table.setup.chairs[table.to_act[0]].kind == "bot":
                                await news.wait()
                assert (await guest.get(f"/t/{code}/replay")).status_code == 200
                assert (await guest.get(f"/t/{code}/record")).status_code == 200
            return pages, dice

    assert asyncio.run(look())[0] >= 6 * 4


def test_rules_that_are_not_kept_and_rules_that_only_claim_to_be_the_same_are_named(place, makers, capsys):
    changed, same = using(place, planted)

    async def against_new_rules(host):  # somebody has changed a highest card
        while True:
            table = await seated(host, "planted", 2)
            view = table.view(0)
            if view.public.ranks[view.own.card] == max(view.public.ranks):
                action = next(one for one in table.legal(0) if type(one).__name__ == "Change")
                await host.answer(table.id, 0, table.question(0), action)
                return table.id
            await host.close(table.id)

    code = using(place, against_new_rules)
    makers.change(number=1, keep=False)
    status, told = upgraded(capsys, place, "--check")
    assert f"{code}: planted cannot go on; version 1 of its rules, entry 2: the rules refuse a move" in told
    assert status == 1
    assert {line[: line.index(":")] for line in told if "cannot go on;" in line} <= {code, *changed}

    makers.write(makers.rules().replace("version = 1", "version = 2"))
    makers.install()
    kept = rows(place)
    for words in (["--check"], []):
        status, told = upgraded(capsys, place, *words)
        lost = [line for line in told if "entry 0: the rules of planted in version 1 are not kept" in line]
        assert (status, len(lost)) == (1, 7)
    assert rows(place) == kept

    async def looked_at(host):
        table = await host.table(same[0])
        with pytest.raises(Stale, match="under different rules"):
            await host.answer(table.id, 0, 1, None)

    using(place, looked_at)


def test_what_stands_in_the_way_is_said(place, makers, capsys, tmp_path):
    using(place, lambda host: seated(host, "planted", 2))
    with paths.hold_data_folder(place[2]):
        assert run(["upgrade", *place[1]]) == 1
        assert "is using" in capsys.readouterr().err
        assert run(["upgrade", *place[1], "--check"]) == 0
        assert "Running games: 1\n  1 under the same rules\n" in capsys.readouterr().out
    assert run(["upgrade", "--data", str(tmp_path / "nowhere")]) == 1
    assert "give the server’s folder with --data" in capsys.readouterr().err
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_keeps_other_rules_than_its_name_says_is_refused(makers):
    makers.change()
    shutil.move(makers.folder / "former" / "v1", makers.folder / "former" / "v3")
    makers.install()
    with pytest.raises(UnusableGameError, match=r"former/v3 does not keep former rules of planted"):
        games.packages()
