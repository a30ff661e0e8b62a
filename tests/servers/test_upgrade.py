"""A folder of the last version's server goes on under this one: running tables, seats, keys, decks, reports, records.

`data/server-0.1.0.tar.xz` was written by version 0.1.0 (22 November 2026): games of all kinds in the middle, one with a
shared device in hand, one with a seat that was lent, one paused, one with a deck of somebody's own, finished ones, one
that waits; `told.json` says what that version showed of them.
"""

import asyncio
import json
import random
import tarfile
import time
from pathlib import Path

import msgspec
import pytest

from spieltisch import paths
from spieltisch import record as records
from spieltisch.decks import inbox
from web import site as sites
from web.site import form, served

pytestmark = pytest.mark.anyio
DATA = Path(__file__).parent / "data" / "server-0.1.0.tar.xz"


@pytest.fixture
def told(tmp_path):
    """The folder, unpacked in `tmp_path`, and what the old server said of it."""
    with tarfile.open(DATA) as packed:
        packed.extractall(tmp_path, filter="data")
    return json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))


def as_json(value):
    seen = json.loads(json.dumps(msgspec.to_builtins(value), default=str))
    for one in seen.get("public", {}).get("news", ()):
        if one.get("type") == "Judged":
            one.pop("table", None)  # a verdict tells the whole table of forms since then
    return seen


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    """With which that version signed its cookies."""
    monkeypatch.setattr(sites, "SECRET", b"s" * 32)


async def test_every_table_is_as_it_was(tmp_path, told):
    async with served(tmp_path, pause=lambda: 3600.0) as site:  # no bot moves meanwhile
        for name, then in told["tables"].items():
            table = await site.services.host.table(then["code"])
            assert (table.setup.stage, table.seq, list(table.names)) == (then["stage"], then["seq"], then["names"]), (
                name
            )
            if not table.seq:
                continue
            seats = range(len(table.setup.chairs))
            assert [table.question(seat) for seat in seats] == then["questions"], name
            for seat in (None, *seats):
                assert as_json(table.view(seat)) == then["views"]["none" if seat is None else str(seat)], (name, seat)


async def test_finished_games_give_the_same_records(tmp_path, told):
    async with served(tmp_path) as site:
        over = [one for one in told["tables"].values() if one["stage"] == "over"]
        assert len(over) == 2
        for one in over:
            record = await site.services.host.record(one["code"])
            before = one["record"]
            assert as_json(record) == before | {"tags": {"rules": "1"} | before["tags"]}  # says its rules since
            assert records.verify(records.parse(json.dumps(one["record"], ensure_ascii=False).encode()))


async def test_people_come_back_with_their_cookies_and_play_on(tmp_path, told):
    dice = random.Random(1)
    async with served(tmp_path) as site, site.browser("de") as ada, site.browser() as ben, site.browser() as cleo:
        browsers = {"ada": ada, "ben": ben, "cleo": cleo}
        for name, browser in browsers.items():
            browser.cookies.update(told["cookies"][name])
        home = (await ada.get("/")).text
        assert all(one["code"] in home for one in told["tables"].values())
        for name, then in told["tables"].items():
            if then["stage"] != "playing":
                continue
            table = await site.services.host.table(then["code"])
            url = f"/t/{table.id}"
            if table.setup.paused:
                assert (await ada.post(f"{url}/resume")).status_code == 303
            moved, until = 0, time.monotonic() + 60
            while moved < 3 and table.result is None:
                assert time.monotonic() < until, name
                people = [s for s in table.to_act if not table.setup.chairs[s].plays_itself]
                for seat in people[:1]:
                    if any(chair.holding for chair in table.setup.chairs) and not table.setup.chairs[seat].holding:
                        asked = form((await ada.get(url)).text, "/lift")
                        sent = {one["name"]: one["value"] for one in asked["controls"] if "name" in one}
                        assert (await ada.post(asked["action"], data=sent)).status_code == 303
                    question, legal = table.question(seat), table.legal(seat)
                    action = msgspec.json.encode(dice.choice(legal)).decode()
                    sent = {"question": str(question), "action": action, "as": str(seat)}
                    answers = [await browser.post(f"{url}/move", data=sent) for browser in browsers.values()]
                    moved += any(answer.status_code == 303 for answer in answers)
                if not people:  # a bot thinks
                    await asyncio.sleep(0.002)
            assert moved, name
        lent = told["tables"]["lent"]["code"]
        assert (await ben.post(f"/t/{lent}/sit")).status_code == 303  # takes the seat back
        assert (await site.services.host.table(lent)).setup.chairs[1].name == "Ben"


async def test_decks_keys_and_reports_are_there(tmp_path, told):
    inbox.take_over(tmp_path / paths.DECKS)  # as a server does that begins
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as eve:
        ada.cookies.update(told["cookies"]["ada"])
        deck = told["deck"]
        assert "Event 3 happens" in (await ada.get(f"/decks/{deck}")).text
        assert (await eve.get(f"/decks/{deck}")).status_code == 404  # still private
        assert (await eve.post(f"/decks/{deck}/key", data={"token": told["deck_key"]})).status_code == 303
        assert "Event 3 happens" in (await eve.get(f"/decks/{deck}")).text
        assert (await eve.post("/host", data={"token": told["host_key"]})).status_code == 303
        assert "the year?" in (await eve.get("/host")).text
