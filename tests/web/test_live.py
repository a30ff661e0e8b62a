"""One socket a page: fragments and sentences as they come, what was missed, forms' fields, refusals, many pages."""

import asyncio
import contextlib
import gc
import json

import pytest
import websockets
from litestar import WebSocket
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.typing import Origin
from websockets.uri import parse_uri

from spieltisch import package
from spieltisch.table.store import Unsaved
from spieltisch.table.store.sqlite import SQLite
from spieltisch.web import wire
from spieltisch.web.core.http.actions import encode
from spieltisch.web.table import messages, socket
from spieltisch.web.table.views import TableViews
from spieltisch.web.wire import frames
from spieltisch.web.wire import line as lines
from web.site import Line, quick_only, served

pytestmark = pytest.mark.anyio


def stop(site, pages):
    """What a server does with its lines when it stops."""
    if wire.is_quick():
        for page in pages:
            page._line.shutdown()
    else:
        site.services.leaving.set()


GAME = "highest"


@pytest.fixture(autouse=True)
def _with_the_toy(toys):
    assert GAME in toys


async def two_at_a_table(site, ada, ben):
    url = (await ada.post("/tables", data={"game": GAME, "name": "Ada"})).headers["location"]
    await ben.post(f"{url}/sit", data={"name": "Ben"})
    return url, await site.services.host.table(url.rpartition("/")[2])


def move(table, seat, n=0):
    return [["question", str(table.question(seat))], ["action", encode(table.legal(seat)[n])]]


async def test_the_waiting_room_is_live_and_leads_to_the_table(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = (await ada.post("/tables", data={"game": GAME, "name": "Ada"})).headers["location"]
        async with site.line(url, ada, seen=0) as line:
            first = await line.until(lambda m: "html" in m)
            assert first["stage"] == "waiting"
            await ben.post(f"{url}/sit", data={"name": "Ben"})
            assert "Ben" in (await line.until(lambda m: "html" in m))["html"]
            assert (await line.do("chairs", [["do", "bot"]]))["ok"]
            assert (await line.do("start", []))["ok"]
            message = (
                line.page
                if line.page["stage"] == "playing"
                else await line.until(lambda m: m.get("stage") == "playing")
            )
            assert message["seq"] == 1


async def test_every_seat_hears_what_happened_and_whose_turn_it_is(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben, site.browser() as eve:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with (
            site.line(url, ada) as first,
            site.line(url, ben) as second,
            site.line(url, eve, screen=True) as third,
        ):
            for line, turn in ((first, True), (second, False), (third, False)):
                page = await line.until(lambda m: "html" in m)
                assert page["turn"] is turn
            assert "Your turn" in first.page["title"]
            assert (await first.do("move", move(table, 0)))["ok"]
            page = await second.until(lambda m: m.get("seq") == 2)
            assert page["turn"]
            assert page["say"].endswith("Du bist am Zug.")  # after what happened
            page = await third.until(lambda m: m.get("seq") == 2)
            assert "Du bist am Zug" not in page.get("say", "")
            assert "/move" not in page["html"] or 'form="move"' not in page["html"]


async def test_a_part_is_sent_once_to_a_page_that_keeps_it(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url) as new, site.line(url, keeps=0) as old:
            for _ in range(2):
                question = {seat: table.question(seat) for seat in table.to_act}
                seat, seq = table.to_act[0], table.seq
                await site.services.host.answer(table.id, seat, question[seat], table.legal(seat)[0])
                heard = [await one.until(lambda m: m.get("seq", 0) > seq) for one in (new, old)]  # noqa: B023 - at once
            assert len(heard[0]["order"]) > len(heard[0]["parts"])
            assert "order" not in heard[1]
            assert heard[0]["html"] == heard[1]["html"]


async def test_a_page_from_an_older_program_is_loaded_anew(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ada, cache=512) as old, site.line(url, screen=True, cache=512) as screen:
            assert (await old.until(lambda m: "goto" in m))["goto"] == f"/t/{table.id}"
            assert (await screen.until(lambda m: "goto" in m))["goto"] == f"/t/{table.id}/screen"


async def test_a_page_goes_on_in_the_language_it_is_written_in(tmp_path):
    """Whatever the socket's headers say: pictures, refusals, what became of a deed and what people say."""
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        url = (await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        await ada.post(f"{url}/start")
        async with site.line(url, ada) as hers, site.line(url, ben) as his:
            pages = [(await line.until(lambda m: m.get("stage") == "playing"))["html"] for line in (hers, his)]
            assert ["Your hand" in page for page in pages] == [True, False]
            assert ["Deine Hand" in page for page in pages] == [False, True]
            assert (await hers.do("say", [["phrase", "1"]]))["ok"]
            own = [m for m in hers.heard if "voice" in m] or [await hers.receive()]
            voices = [own[0], await his.until(lambda m: "voice" in m)]
            assert [voice["voice"]["words"] for voice in voices] == ["That is daring.", "Das ist gewagt."]
            refused = [await line.do("say", [["phrase", "99"]]) for line in (hers, his)]
            assert [one["error"] for one in refused] == ["Choose one of the phrases.", "Wähl einen der Sätze."]


async def test_who_comes_back_gets_what_they_missed_and_nothing_twice(tmp_path, monkeypatch):
    said = lambda _self, news, _public, tr: f"{tr.name(news.seat)} kept." if hasattr(news, "seat") else ""  # noqa: E731
    monkeypatch.setattr(package.Page, "tell", said)
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ada, seen=1) as line:
            await line.ws.send(json.dumps({"ping": 7}))
            assert await line.receive() == {"pong": 7}  # no fragment before: this page has the newest one
        for seat in (0, 1):
            await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[0])
        async with site.line(url, ada, seen=1) as line:
            page = await line.until(lambda m: "html" in m)
            assert page["seq"] == 3
            assert page["say"] == "Ada kept. Ben kept."


async def test_a_slow_page_gets_one_message_for_many_moves(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        table = await site.services.host.table(url.rpartition("/")[2])
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)
            for _ in range(5):
                if table.result is None:
                    await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
            await line.until(lambda m: m.get("seq") == table.seq)
            assert len([m for m in line.heard if "html" in m]) <= 6


async def test_a_move_is_answered_with_what_the_page_shows_then(tmp_path, monkeypatch):
    """One message, not two; and nothing more of it comes afterwards."""
    monkeypatch.setattr(socket, "LULL", 0.0)
    monkeypatch.setattr(socket, "BEHIND", 0)  # however busy the machine is
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ada) as hers, site.line(url, ben) as his:
            for line in (hers, his):
                await line.until(lambda m: "html" in m)
            heard = len(hers.heard)
            answer = await hers.do("move", move(table, 0))
            assert (answer["ok"], answer["seq"]) == (True, 2)
            assert "Waiting" in answer["html"] or "Ben’s turn" in answer["html"]
            await his.until(lambda m: m.get("seq") == 2)  # a frame later
            await hers.ws.send(json.dumps({"ping": 1}))
            await hers.until(lambda m: "pong" in m)
            assert len(hers.heard) == heard + 2


async def test_refusals_come_in_words_and_change_nothing(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ada) as line, site.line(url, ben) as other:
            for fields in (
                [],
                [["question", "1"]],
                [["question", "one"], ["type", "Keep"]],
                [["question", "1"], ["type", "Cheat"]],
                [["question", "1"], ["action", "{"]],
                [["question", "1"], ["action", '{"type":"Keep","more":1,"type":"Keep"}x']],
                [["question", "99"], ["type", "Keep"]],
                [["question", "1"], ["action", "[" * 2000]],
            ):
                answer = await line.do("move", fields)
                assert not answer["ok"], fields
                assert answer["error"]
            assert not (await other.do("move", [["question", "1"], ["type", "Keep"]]))["ok"]
            assert table.seq == 1
            sent = move(table, 0)
            assert (await line.do("move", sent))["ok"]
            assert (await line.do("move", sent))["ok"]  # the same once more: nothing is doubled
            assert table.seq == 2
            assert (await line.do("dance", []))["post"]


async def test_two_pages_of_one_seat_are_both_live(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ada) as one, site.line(url, ada) as two:
            await one.do("move", move(table, 0))
            assert (await two.until(lambda m: m.get("seq") == 2))["html"] == (
                one.page if one.page["seq"] == 2 else await one.until(lambda m: m.get("seq") == 2)
            )["html"]


async def test_a_server_that_comes_back_goes_on_where_it_stopped(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        cookies = ada.cookies
        async with site.line(url, ada) as line:
            assert (await line.do("move", move(table, 0)))["ok"]
    async with served(tmp_path) as site, site.browser() as ada:
        ada.cookies = cookies
        async with site.line(url, ada, seen=1) as line:
            assert (await line.until(lambda m: "html" in m))["seq"] == 2


async def test_whoever_comes_from_another_process_is_shown_no_less_than_there(tmp_path, monkeypatch):
    """That process may have died of its last move, before anybody heard of it."""
    monkeypatch.setattr(SQLite, "shared", True)  # two servers on one file, and no hints between them
    async with served(tmp_path) as one, served(tmp_path) as two, one.browser() as ada, one.browser() as ben:
        url, table = await two_at_a_table(one, ada, ben)
        await ada.post(f"{url}/start")
        async with two.browser() as elsewhere:
            elsewhere.cookies = ada.cookies
            assert 'name="question"' in (await elsewhere.get(url)).text  # in that one's memory from now on
            async with one.line(url, ada, seen=1) as line:
                assert (await line.do("move", move(table, 0)))["ok"]
            async with two.line(url, elsewhere, seen=1) as line:
                assert (await line.until(lambda m: "html" in m))["seq"] == 2
            await ben.post(f"{url}/move", data=dict(move(table, 1)))
            page = await elsewhere.get(url)
            assert 'data-seq="3"' in page.text

            async def fails(_):
                raise Unsaved

            monkeypatch.setattr(two.services.host.store, "newer", fails)
            assert (await elsewhere.get(url)).status_code == 503
            async with websockets.connect(f"ws://127.0.0.1:{two.port}{url}/live", origin=two.origin) as ws:
                with pytest.raises(websockets.ConnectionClosed) as error:
                    await Line(ws).receive()
            assert error.value.rcvd.code == socket.FAILED  # it comes back


async def test_a_table_that_is_not_there_closes_the_line(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        async with websockets.connect(f"ws://127.0.0.1:{site.port}/t/ZZZZZZ/live", origin=site.origin) as ws:
            with pytest.raises(websockets.ConnectionClosed) as error:
                await Line(ws).receive()
        assert error.value.rcvd.code == 4404
        assert ada is not None


async def test_many_pages_come_and_go(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")

        async def look(n):
            async with site.line(url, None) as line:
                await line.until(lambda m: "html" in m)
                if n % 3 == 0:
                    line.ws.transport.abort()

        await asyncio.gather(*(look(n) for n in range(40)))
        async with asyncio.timeout(60):
            while site.services.host.hub.listening(table.id):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)


@quick_only
async def test_an_open_page_holds_nothing_of_its_handshake(tmp_path):
    """No task, nothing of the framework, no head: of each there would be as many as there are pages."""
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, token="canary") as line:
            await line.until(lambda m: "html" in m)
            await line.ws.send('{"ping": 1}')
            await line.until(lambda m: "pong" in m)
            gc.collect()
            held = gc.get_objects()
            tasks = [task for task in asyncio.all_tasks() if "QuickLine.run_asgi" in repr(task)]
            sockets = [one for one in held if isinstance(one, WebSocket)]
            heads = [one for one in held if type(one) is tuple and len(one) == 2
                     and type(one[1]) is bytes and one[1] == b"Bearer canary"]  # fmt: skip
            requests = [one for one in held if isinstance(one, Request) and "authorization" in one.headers]
            assert (tasks, sockets, heads) == ([], [], [])
            assert requests == [line.ws.request]  # the client's own


@quick_only
async def test_what_a_page_sent_as_it_left_is_done_without_a_complaint(tmp_path, monkeypatch, caplog):
    """Its answer may find a line that is just closing; a server's log is for what needs somebody."""
    say = frames.QuickLine.say

    def closing(line, data):
        if b'"ok"' in data and line.conn.state is State.OPEN:
            line.conn.send_close(1001)
        say(line, data)

    monkeypatch.setattr(frames.QuickLine, "say", closing)
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ada) as hers, site.line(url, ben) as his:
            await hers.until(lambda m: "html" in m)
            await hers.ws.send(json.dumps({"id": 1, "to": "move", "fields": move(table, 0)}))
            await hers.ws.close()
            await his.until(lambda m: m.get("seq") == 2)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_page_that_was_not_woken_is_shown_what_it_missed_when_it_asks_for_a_sign(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ben) as line:
            await line.until(lambda m: m.get("seq") == 1)
            await line.drain()
            with monkeypatch.context() as deaf:
                deaf.setattr(site.services.host.hub, "wake", lambda *_: None)
                await ada.post(f"{url}/move", data=dict(move(table, 0)))
            await line.drain()
            assert (table.seq, line.page["seq"]) == (2, 1)
            await line.ws.send('{"ping": 1}')
            assert (await line.until(lambda m: "html" in m))["seq"] == 2


async def test_a_page_that_cannot_be_drawn_is_told_to_come_back_and_the_log_says_why(tmp_path, monkeypatch, caplog):
    """A fault in a picture once ended a page's pictures without a word, and the line looked alive."""
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        async with site.line(url, ben, seen=1) as line:
            with monkeypatch.context() as broken:

                def fault(*_, **__):
                    raise RuntimeError("a fault in a picture")

                broken.setattr(TableViews, "update", fault)
                await ada.post(f"{url}/move", data=dict(move(table, 0)))
                with pytest.raises(websockets.ConnectionClosed) as error:
                    await line.until(lambda _: False)
                assert error.value.rcvd.code == socket.FAILED
        assert "a page could not be told" in caplog.text
        async with site.line(url, ben, seen=1) as line:
            assert (await line.until(lambda m: "html" in m))["seq"] == 2


async def test_a_server_that_stops_answers_what_came_and_says_when_to_come_back(tmp_path, monkeypatch):
    written = asyncio.Event()
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        append = site.services.host.store.append

        async def late(*given):
            await written.wait()
            return await append(*given)

        monkeypatch.setattr(site.services.host.store, "append", late)
        async with site.line(url, ada) as hers, site.line(url, ben) as his:
            await hers.until(lambda m: "html" in m)
            await his.until(lambda m: "html" in m)
            await hers.ws.send(json.dumps({"id": 1, "to": "move", "fields": move(table, 0)}))
            pages = [*site.services.host.hub._watchers[table.id]]
            async with asyncio.timeout(60):
                while not any(page._work for page in pages):  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.005)
            stop(site, pages)
            with pytest.raises(websockets.ConnectionClosed):
                await his.until(lambda m: "seq" in m)
            written.set()
            assert (await hers.until(lambda m: m.get("id") == 1))["ok"]
            with pytest.raises(websockets.ConnectionClosed):
                await hers.receive()
            for line in (hers, his):
                assert (line.ws.close_code, table.seq) == (lines.CLOSING, 2)
                assert 0.0 <= float(line.ws.close_reason) <= 0.1  # of a few connections, told in tenths


@quick_only
@pytest.mark.parametrize("said", [0, 1, 20], ids=["nothing", "who it is", "all it has to say"])
async def test_a_page_that_has_just_come_when_the_server_stops_is_told_so_too(tmp_path, monkeypatch, said):
    there, connect = [], frames.QuickLine.handle_connect

    def noted(self, event):
        there.append(self)
        connect(self, event)

    monkeypatch.setattr(frames.QuickLine, "handle_connect", noted)
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await two_at_a_table(site, ada, ben)
        monkeypatch.setattr(type(site.services), "met", lambda *_: asyncio.sleep(3600))
        address = f"{site.origin.replace('http', 'ws')}{url}/live"
        cookie = "; ".join(f"{one.name}={one.value}" for one in ada.cookies.jar)
        async with websockets.connect(address, origin=Origin(site.origin), additional_headers={"cookie": cookie}) as ws:
            first, *more = [b'{"seen": -1, "lang": "en"}', *(b'{"ping": 1}' for _ in range(20))]
            for message in [first, *more][:said]:
                await ws.send(message.decode())
            there[0].shutdown()
            with contextlib.suppress(websockets.ConnectionClosed):  # it does not know yet
                await ws.send(first.decode())
            with pytest.raises(websockets.ConnectionClosed) as told:
                await ws.recv()
        assert told.value.rcvd.code == lines.CLOSING
        assert 0.0 <= float(told.value.rcvd.reason) <= 0.1


def test_pages_come_back_within_seconds_and_few_of_them_at_once():
    assert max(lines.come_back(4) for _ in range(500)) <= 0.1
    many = [lines.come_back(10_000) for _ in range(2_000)]
    assert (min(many) >= 0.0, max(many) <= lines.SPREAD, min(many) < 0.5, max(many) > lines.SPREAD - 0.5) == (True,) * 4


@pytest.mark.parametrize("piece", [1, 7, 100_000])
async def test_a_line_reads_frames_however_they_are_cut(tmp_path, piece):
    """Byte by byte, several at once, a text in two frames with a ping between; a head that says too much ends it."""
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await two_at_a_table(site, ada, ben)
        await ada.post(f"{url}/start")
        end = ClientProtocol(parse_uri(f"{site.origin.replace('http', 'ws')}{url}/live"), origin=site.origin)
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        heard, pongs = [], 0

        async def send():
            data = b"".join(end.data_to_send())
            size = max(piece, len(data) // 200)
            for at in range(0, len(data), size):
                writer.write(data[at : at + size])
                await asyncio.sleep(0)  # so that they come one by one

        async def until(wanted):
            nonlocal pongs
            async with asyncio.timeout(60):
                while not wanted():
                    end.receive_data(await reader.read(1 << 16))
                    for event in end.events_received():
                        if isinstance(event, Frame) and event.opcode is Opcode.PONG:
                            pongs += 1
                        elif isinstance(event, Frame) and event.opcode in {Opcode.TEXT, Opcode.BINARY}:
                            heard.append(json.loads(bytes(event.data)))

        end.send_request(end.connect())
        await send()
        await until(lambda: end.state is State.OPEN)
        end.send_text(b'{"seen": -1, "lang": "en"}')
        await send()
        await until(lambda: any("parts" in message for message in heard))
        end.send_text(b'{"ping": 1}')
        end.send_text(json.dumps({"ping": 2, "page": "x" * 200}).encode())
        end.send_text(b'{"ping"', fin=False)
        end.send_ping(b"!")
        end.send_continuation(b": 3}", fin=True)
        await send()
        end.send_binary(b'{"ping": 4}')
        end.send_text(json.dumps({"ping": 5, "page": "x" * 65_500}).encode())  # nearly as long as may be
        await send()
        await until(lambda: [message["pong"] for message in heard if "pong" in message] == [1, 2, 3, 4, 5])
        assert pongs == 1
        end.send_text(b"x" * (messages.LONGEST + 1))
        writer.write(b"".join(end.data_to_send())[:14])  # its head says it
        await until(lambda: end.close_rcvd is not None)
        assert end.close_rcvd.code == 1009
        writer.close()
    assert table.seq == 1
