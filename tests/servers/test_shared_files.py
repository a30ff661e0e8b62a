"""Two servers with folders of their own on one PostgreSQL: decks, keys, reports and classes are the same at both."""

import asyncio
import html
import re
import signal
import sys
import threading
from contextlib import ExitStack

import httpx
import pytest

from servers.test_database import Server, ask, begun
from spieltisch import paths
from spieltisch.cli.app import run
from spieltisch.cluster.peers import Peers
from spieltisch.decks.files import put
from spieltisch.table.memory import Memory
from spieltisch.table.wake import Hub
from spieltisch.web.server import storage
from web.test_classes import PLAN
from web.test_deckchoice import sheet as deck_of
from web.test_deckpages import sixty
from web.test_reports import revealed

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="kills and signals as Unix has them"),
]


class Browser:
    """Somebody's browser that finds the same site at several servers: its cookies go to each."""

    def __init__(self):
        self._cookies = httpx.Cookies()

    async def _sent(self, server, method, path, **given):
        origin = str(server.client.base_url).rstrip("/")
        headers = {"accept": "text/html", "accept-language": "en", "origin": origin}
        async with httpx.AsyncClient(base_url=origin, timeout=60, cookies=self._cookies, verify=False) as client:
            answer = await client.request(method, path, headers=headers, **given)
            self._cookies = client.cookies
            return answer

    async def get(self, server, path):
        return await self._sent(server, "GET", path)

    async def post(self, server, path, **fields):
        return await self._sent(server, "POST", path, data=fields)

    async def until(self, server, path, wanted):
        """The page as soon as it is as wanted: the other server may not have heard yet."""
        async with asyncio.timeout(30):
            while not wanted(answer := await self.get(server, path)):  # noqa: ASYNC110 - another process writes
                await asyncio.sleep(0.2)
        return answer


def shows(words):
    return lambda answer: answer.status_code == 200 and words in answer.text


def is_gone(answer):
    return answer.status_code == 404


def said(capsys, *words):
    status = run([*map(str, words)])
    heard = capsys.readouterr()
    assert "Traceback" not in heard.err
    return status, (heard.out + heard.err).strip()


async def test_a_deck_made_at_one_server_is_changed_played_and_deleted_at_the_other(tmp_path, cluster):
    database = cluster.database()
    async with Server(tmp_path / "one", database) as one, Server(tmp_path / "two", database) as two:
        ada, ben = Browser(), Browser()
        made = await ada.post(one, "/decks", title="Rome", text=sixty())
        url = made.headers["location"]
        page = (await ada.until(two, url, shows("60 cards"))).text
        assert (await ben.get(two, url)).status_code == 404  # it is nobody else's there, either
        form = dict(re.findall(r'name="(id|date|de|en|series|source)"[^>]* value="([^"]*)"', page))
        changed = await ada.post(two, f"{url}/card", **form | {"de": "Zwei fliegen.", "date": "1903", "en": ""})
        assert changed.status_code == 303, changed.text[-2000:]
        await ada.until(one, f"{url}?at=0", shows("Zwei fliegen."))
        await ada.post(one, f"{url}/share")
        await ben.until(two, url, lambda answer: answer.status_code == 200)
        ids = [one for one in dict.fromkeys(re.findall(r'id="card-([^"]+)"', page)) if one != "new"]
        taken = (ada.post((one, two)[n % 2], f"{url}/remove", id=card) for n, card in enumerate(ids[10:18]))
        assert {answer.status_code for answer in await asyncio.gather(*taken)} == {303}
        for server in (one, two):  # changes at both at once are all kept
            await ada.until(server, url, shows("52 cards"))
        table = (await ben.post(two, f"{url}/play")).headers["location"]
        for _ in range(3):
            await ben.post(two, f"{table}/chairs", do="bot")
        assert (await ben.post(two, f"{table}/start")).status_code == 303
        await ada.until(one, url, shows("uses this deck"))
        assert (await ada.post(two, f"{url}/delete")).status_code == 303
        await ada.until(one, url, is_gone)
        assert (await ben.get(one, table)).status_code == 200  # what lies on a table stays there
    assert not one.log
    assert not two.log
    assert [*(tmp_path / "one" / paths.DECKS).glob("*.csv")] == [*(tmp_path / "two" / paths.DECKS).glob("*.csv")] == []


async def test_keys_are_good_at_both_and_renewed_at_both_and_so_are_decks_by_command(tmp_path, cluster, capsys):
    database, sheet = cluster.database(), tmp_path / "rom.csv"
    sheet.write_text(sixty(), "utf-8")
    folders = tmp_path / "one", tmp_path / "two"
    async with Server(folders[0], database) as one, Server(folders[1], database) as two:
        table, ada, _ben = await begun(one, two)  # a seat's key that one server made opens it at the other
        assert (await ask(two, f"/tables/{table}", ada))["seat"] == 0
        maker, thief, host = Browser(), Browser(), Browser()
        url = (await maker.post(one, "/decks", title="Rome", text=sixty())).headers["location"]
        await maker.until(two, url, shows("60 cards"))
        name = url.rpartition("/")[2]

        def link(folder):
            return said(capsys, "deck", "link", name, "--data", folder)

        assert link(folders[0]) == link(folders[1])
        key = link(folders[0])[1].partition("#")[2]
        assert (await thief.post(two, f"{url}/key", token=key)).status_code == 303
        assert (await thief.get(one, url)).status_code == 200
        assert (await maker.post(two, f"{url}/renew")).status_code == 303
        assert (await maker.get(two, url)).status_code == 200
        await thief.until(one, url, is_gone)
        assert (await maker.get(one, url)).status_code == 200

        status, address = said(capsys, "link", "--data", folders[1])
        old = address.partition("#")[2]
        assert status == 0
        assert (await host.post(one, "/host", token=old)).status_code == 303
        assert (await host.get(two, "/host")).status_code == 200
        renew = ("link", "--renew", "--data", folders[1])
        status, refusal = await asyncio.to_thread(said, capsys, *renew)
        assert (status, "give its address with --database" in refusal) == (1, True)
        status, address = await asyncio.to_thread(said, capsys, *renew, "--database", database)
        assert status == 0
        new = address.partition("#")[2]
        assert new != old
        async with asyncio.timeout(30):
            while (await host.post(one, "/host", token=old)).status_code != 403:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.2)
        assert (await host.post(one, "/host", token=new)).status_code == 303

        words = ("deck", "import", sheet, "--data", folders[0])
        status, refusal = await asyncio.to_thread(said, capsys, *words)
        assert (status, "give its address with --database" in refusal) == (1, True)
        assert (await asyncio.to_thread(said, capsys, *words, "--database", database))[0] == 0
        for server in (one, two):
            await Browser().until(server, "/decks/rom", shows("60 cards"))
    elsewhere = paths.open_data_folder(tmp_path / "elsewhere")
    words = ("deck", "import", sheet, "--data", elsewhere, "--database", database)
    status, refusal = await asyncio.to_thread(said, capsys, *words)
    assert (status, "does not belong to a server of this database" in refusal) == (1, True)
    assert not (elsewhere / paths.DECKS).exists()


@pytest.mark.whole  # in `make test` decks and keys stand for all that two servers share
async def test_reports_and_classes_are_the_same_at_both(tmp_path, cluster, capsys):
    database, folder = cluster.database(), tmp_path / "two"
    async with Server(tmp_path / "one", database) as one, Server(folder, database) as two:
        host, teacher, pupil = Browser(), Browser(), Browser()
        key = said(capsys, "link", "--data", folder)[1].partition("#")[2]
        assert (await host.post(one, "/host", token=key)).status_code == 303
        origin = str(one.client.base_url).rstrip("/")
        sent = {"accept": "text/html", "accept-language": "en", "origin": origin}
        async with httpx.AsyncClient(base_url=origin, headers=sent, timeout=60, verify=False) as reader:
            played, page = await revealed(reader, "events")
            front = html.unescape(re.search(r'name="card"\s+value="([^"]+)"', page)[1])
            answer = await reader.post(f"{played}/report", data={"card": front, "words": "off by one"})
            assert answer.status_code == 200
        await host.until(two, "/host", shows("off by one"))
        assert said(capsys, "deck", "reports", "--data", folder)[1].startswith("1: events ")
        words = ("deck", "reports", "--data", folder, "--database", database, "--done", 1)
        assert (await asyncio.to_thread(said, capsys, *words))[0] == 0
        await host.until(one, "/host", shows("Nothing has been reported."))

        room = (await teacher.post(one, "/class/new", **PLAN, title="Class 7b")).headers["location"]
        led = await teacher.get(two, room)  # the key that one server gave opens it at the other
        assert (led.status_code, "Class 7b" in led.text) == (200, True)
        assert (await pupil.get(two, room)).text != led.text
    assert not one.log
    assert not two.log


async def test_what_lies_in_a_folder_goes_on_when_it_gets_a_database(tmp_path, cluster, capsys):
    """Also what servers of the former version kept there."""
    old = paths.open_data_folder(tmp_path / "old")
    paths.server_secret(old)
    put(old / paths.DECKS / "rom.csv", deck_of(30))
    keys = said(capsys, "deck", "link", "rom", "--data", old)
    database, ada = cluster.database(), Browser()
    async with Server(old, database) as one, Server(tmp_path / "new", database) as two:
        assert said(capsys, "deck", "link", "rom", "--data", tmp_path / "new") == keys
        key = keys[1].partition("#")[2]
        assert (await ada.post(two, "/decks/rom/key", token=key)).status_code == 303
        assert (await ada.get(one, "/decks/rom")).status_code == 200
        await one.end(signal.SIGKILL)
        assert (await ada.post(two, "/decks/rom/delete")).status_code == 303
    async with Server(old, database) as one:  # what was deleted while it was away stays deleted
        assert (await ada.get(one, "/decks/rom")).status_code == 404


def test_servers_that_begin_at_once_on_one_folder_wait_for_each_other(tmp_path, cluster):
    folder, database = paths.open_data_folder(tmp_path), cluster.database()
    with asyncio.Runner() as runner, ExitStack() as held:
        store, *_ = storage.in_database(database, "", folder, held, runner, Memory(Hub()), Peers())
        runner.run(store.close())
    with asyncio.Runner() as runner, ExitStack() as held, ExitStack() as other:
        other.enter_context(paths.hold_data_folder(folder))  # as while it takes over what lies there
        ends = threading.Timer(0.3, other.close)
        ends.start()
        store, *_ = storage.in_database(database, "", folder, held, runner, Memory(Hub()), Peers())
        ends.join()
        runner.run(store.close())
