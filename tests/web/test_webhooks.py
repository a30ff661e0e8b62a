"""A webhook says whose turn it is: signed, to listed hosts alone, again if it fails, and nothing of the game."""

import asyncio
import contextlib
import hmac
import json
import re
import socket
import ssl
import threading
from html import unescape

import pytest

from clock import Clock
from ports import free_port
from servers import proxies
from spieltisch.game import Invalid
from spieltisch.web.core import outgoing
from spieltisch.web.core.outgoing import Hosts, NotSentError, is_host, post
from web.site import code, playing, refused, served

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def receiver(answers=b"HTTP/1.1 204 No Content\r\n\r\n", tls=None):
    """A real server that answers so (None: never; what repeats: until the other end goes), and what it was sent."""
    heard: list[tuple[dict, bytes]] = []
    hearing = set()

    async def hear(reader, writer):
        hearing.add(asyncio.current_task())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        found = dict(line.split(": ", 1) for line in head[1:] if line) | {"": head[0]}
        if "Content-Length" not in found:  # somebody looks for another test's server, which had this port before
            writer.close()
            return
        heard.append((found, await reader.readexactly(int(found["Content-Length"]))))
        answer = answers(len(heard)) if callable(answers) else answers
        with contextlib.suppress(ConnectionError):
            if isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
            elif answer is not None:
                for piece in answer:
                    writer.write(piece)
                    await writer.drain()
            await reader.read()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async with await asyncio.start_server(hear, "127.0.0.1", 0, ssl=tls) as server:
        yield server.sockets[0].getsockname()[1], heard
        await asyncio.gather(*hearing)


@pytest.fixture(autouse=True)
def by_hand(monkeypatch):
    """Only the test looks for due webhooks."""
    monkeypatch.setattr("spieltisch.table.reminders.POLL", 1e6)


@contextlib.asynccontextmanager
async def calling(folder, *hosts, **more):
    """A server that calls these hosts, and knows its own address."""
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    async with served(folder, port=port, origin=origin, webhooks=hosts, pause=lambda: 60.0, **more) as site:
        yield site


async def hooked(browser, url, where):
    """The secret of the webhook that this player sets."""
    assert (await browser.post(f"{url}/reminders", data={"do": "hook", "address": where})).status_code == 303
    page = unescape((await browser.get(f"{url}/reminders")).text)
    return re.search(r"<code>([^<]*)</code>", page)[1]


async def move(site, table, seat):
    table = await site.services.host.table(table.id)
    await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[0])


async def test_a_turn_is_told_once_signed_and_without_the_game(tmp_path):
    clock = Clock()
    async with (
        receiver() as (port, heard),
        calling(tmp_path, f"127.0.0.1:{port}", clock=clock) as site,
        site.browser() as ada,
        site.browser("de") as ben,
    ):
        url, table = await playing(site, ada, ben)
        where = f"http://127.0.0.1:{port}/turn?x=1"
        hers, his = await hooked(ada, url, where), await hooked(ben, url, where)
        assert hers != his
        for _ in range(3):
            await site.services.reminders.look(code(url))
            clock.time += 60
        ((head, body),) = heard  # Ada alone, and once
        assert head[""] == "POST /turn?x=1 HTTP/1.1"
        signed = hmac.new(hers.encode(), head["X-Spieltisch-Time"].encode() + b"." + body, "sha256").hexdigest()
        assert head["X-Spieltisch-Signature"] == f"sha256={signed}"
        said = json.loads(body)
        link = f"{site.origin}{url}"
        assert said.pop("id").startswith(f"{table.id}.1.")
        assert said == {
            "event": "turn", "game": "hic – haec – hoc", "table": code(url), "name": "Ada", "link": link,
            "text": f"Your turn. hic – haec – hoc, table {code(url)}, Ada {link}",
        }  # fmt: skip
        await move(site, table, 0)
        await site.services.reminders.look(code(url))
        said = json.loads(heard[1][1])
        assert said["text"] == f"Du bist am Zug. hic – haec – hoc, Tisch {code(url)}, Ben {link}"
        assert len(heard) == 2


async def test_who_ends_it_or_gets_a_new_key_is_forgotten(tmp_path):
    async with calling(tmp_path, "hooks.example") as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben)
        kept, people = site.services.reminders, []
        for one in (ada, ben):
            await hooked(one, url, "https://hooks.example/")
            people.append(len((await kept.get(code(url))).people))
        await ben.post(f"{url}/reminders", data={"do": "unhook"})
        people.append(len((await kept.get(code(url))).people))
        await ada.post(f"{url}/renew")
        assert people == [1, 2, 1]
        assert await site.services.host.store.document(f"remind {code(url)}") is None
        # with the table, too
        await hooked(ben, url, "https://hooks.example/")
        await site.services.host.delete(table.id)
        await kept.look(code(url))
        assert await site.services.host.store.document(f"remind {code(url)}") is None


async def test_an_address_that_is_not_called_is_refused_with_its_reason(tmp_path):
    async with calling(tmp_path, "hooks.example") as site, site.browser() as ada, site.browser() as ben:
        url, _ = await playing(site, ada, ben)
        answer = await ada.post(f"{url}/reminders", data={"do": "hook", "address": "https://other.example/x"})
        assert answer.status_code == 422
        assert refused(answer.text) == "This server does not call other.example. Ask the person who runs it."
        assert 'value="https://other.example/x"' in unescape(answer.text)
        async with site.browser() as stranger:
            assert (await stranger.get(f"{url}/reminders")).status_code == 403
            there = {"do": "hook", "address": "https://hooks.example/"}
            answer = await stranger.post(f"{url}/reminders", data=there)
            assert answer.status_code == 403
        alone = (await ada.post("/play", data={"game": "adaman", "deal": "7"})).headers["location"]
        assert (await ada.get(f"{alone}/reminders")).status_code == 422
        assert "/reminders" in (await ada.get(url)).text
    async with served(tmp_path) as site, site.browser() as eve, site.browser() as ben:
        url, _ = await playing(site, eve, ben)
        assert "/reminders" not in (await eve.get(url)).text  # none are listed


def endless(piece):
    while True:
        yield piece


@pytest.mark.parametrize(
    "answer",
    [b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", b"nonsense\r\n", endless(b"x" * 100_000), b"HTTP/1.1 2", None],
    ids=["redirect", "nonsense", "endless", "half", "never"],
)
async def test_only_a_yes_in_time_counts(answer, monkeypatch):
    monkeypatch.setattr(outgoing, "SECONDS", 0.5)
    async with receiver(answer) as (port, heard):
        target = Hosts([f"127.0.0.1:{port}"]).target(f"http://127.0.0.1:{port}/")
        with pytest.raises(OSError):
            await post(target, {}, b"{}")
        assert len(heard) == 1


async def test_a_name_that_leads_into_ones_own_network_is_not_connected_to(monkeypatch):
    """Whatever it was when it was listed or entered: what counts is where it leads when it is connected to."""
    async with receiver() as (port, heard):
        target = Hosts([f"hooks.example:{port}"]).target(f"http://hooks.example:{port}/")
        for inside in ("127.0.0.1", "10.0.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "::1",
                       "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "::7f00:1", "2002:7f00:1::",
                       "224.0.0.1"):  # fmt: skip
            found = [(0, 0, 0, "", ("8.8.8.8", port)), (0, 0, 0, "", (inside, port))]
            monkeypatch.setattr(socket, "getaddrinfo", lambda *_, found=found, **__: found)
            with pytest.raises(NotSentError):
                await post(target, {}, b"{}")
        assert heard == []
        monkeypatch.undo()
        await post(Hosts([f"nas.lan:{port}=127.0.0.1"]).target(f"http://nas.lan:{port}/"), {}, b"{}")
        assert heard[0][0]["Host"] == f"nas.lan:{port}"


async def test_a_resolver_that_hangs_holds_up_nothing(monkeypatch):
    hangs = threading.Event()
    monkeypatch.setattr(outgoing, "SECONDS", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: hangs.wait(30) and [])
    before = threading.active_count()
    with pytest.raises(TimeoutError):
        await post(Hosts(["hooks.example"]).target("https://hooks.example/"), {}, b"{}")
    assert all(one.daemon for one in threading.enumerate()[before:])  # the server can end meanwhile
    hangs.set()


@pytest.mark.skipif(not proxies.FOUND["openssl"], reason="needs openssl (Debian: apt install openssl)")
async def test_a_certificate_has_to_be_valid_for_the_host(tmp_path, monkeypatch):
    file = proxies.certificate(tmp_path)
    monkeypatch.setattr(outgoing, "certificates", lambda: ssl.create_default_context(cafile=file))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(file, tmp_path / "key.pem")
    async with receiver(tls=tls) as (port, heard):
        for host, is_right in (("localhost", True), ("other.example", False)):
            target = Hosts([f"{host}:{port}=127.0.0.1"]).target(f"https://{host}:{port}/")
            with contextlib.nullcontext() if is_right else pytest.raises(ssl.SSLCertVerificationError):
                await post(target, {}, b"{}")
        assert len(heard) == 1


def test_only_listed_hosts_can_be_entered():
    hosts = Hosts(["hooks.example", "other.example:8443", "[::1]:9000", "nas.lan=10.0.0.5"])
    assert hosts.target("https://hooks.example/a?b").path == "/a?b"
    assert hosts.target("https://OTHER.example:8443/").port == 8443
    assert hosts.target("http://[::1]:9000/").address == "::1"
    assert hosts.target("http://nas.lan/").address == "10.0.0.5"
    for wrong in (
        "https://hooks.example:8443/", "https://other.example/", "https://hooks.example.evil/", "ftp://hooks.example/",
        "https://evil/?hooks.example", "https://hooks.example@evil/", "https://a@hooks.example/", "//hooks.example",
        "https://hooks.example/\r\nX: y", "https://hooks.example/ x", "https://hooks.example:x/", "", "https://[::1/",
    ):  # fmt: skip
        with pytest.raises(Invalid):
            hosts.target(wrong)
    assert all(map(is_host, ("a.example", "a:1", "a=1.2.3.4")))
    assert not any(map(is_host, ("*", "a b", "http://a", "a:99999", "a=b", "")))
