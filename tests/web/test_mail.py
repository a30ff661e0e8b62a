"""Mail says whose turn it is, only to addresses whose owners confirmed them, and nothing of the game."""

import asyncio
import contextlib
import itertools
import re
import smtplib
import ssl

import pytest

from clock import Clock
from mail import inbox, tls
from ports import free_port
from servers import proxies
from spieltisch.cli.doctor import mail as doctor
from spieltisch.table.log import DAY
from spieltisch.web.core import mailing
from spieltisch.web.core.mailing import compose, is_address, send, server_at
from web.site import code, playing, refused, served

pytestmark = pytest.mark.anyio
FROM = "tisch@games.example"


@pytest.fixture(autouse=True)
def by_hand(monkeypatch):
    """Only the test looks for due mail."""
    monkeypatch.setattr("spieltisch.table.reminders.POLL", 1e6)


@contextlib.asynccontextmanager
async def mailing_site(folder, port, **more):
    """A server that sends mail through this port, and knows its own address."""
    own = free_port()
    async with served(
        folder, port=own, origin=f"http://127.0.0.1:{own}", mail=f"smtp://127.0.0.1:{port}", mail_from=FROM,
        pause=lambda: 60.0, **more,
    ) as site:  # fmt: skip
        yield site


async def asked(browser, url, address="ada@home.example"):
    return await browser.post(f"{url}/reminders", data={"do": "mail", "address": address})


def links(mail):
    return re.findall(r"http://\S+", mail.get_content())


async def look(site, url):
    await site.services.reminders.look(code(url))


async def stored(site, url):
    return await site.services.host.store.document(f"remind {code(url)}")


@pytest.mark.parametrize("game", ["hic-haec-hoc", "trailblaze"])
async def test_an_address_is_mailed_once_its_owner_confirmed_it(tmp_path, game):
    clock = Clock(1_796_860_800.0)
    async with (
        inbox() as (box, port),
        mailing_site(tmp_path, port, clock=clock) as site,
        site.browser() as ada,
        site.browser("de") as ben,
        site.browser() as owner,
    ):
        url, table = await playing(site, ada, ben, game=game)
        assert (await asked(ada, url)).status_code == 303
        assert "ada@home.example" in (await ada.get(f"{url}/reminders")).text
        (mail,) = box.mails
        assert (mail["To"], mail["From"], mail["Subject"]) == (
            "ada@home.example", f"Spieltisch <{FROM}>", "Confirm your address",
        )  # fmt: skip
        assert "Ada" not in mail.get_content()  # nothing that a player has typed
        (_, link) = links(mail)
        # nothing else is mailed, also after somebody's mail program has opened the link
        assert (await owner.get(link)).status_code == 200
        clock.time += 600
        await look(site, url)
        assert len(box.mails) == 1
        assert (await owner.post(link, data={"do": "confirm"})).status_code == 303
        clock.time += 60
        await look(site, url)
        await look(site, url)
        (_, mail) = box.mails
        title = {"hic-haec-hoc": "hic – haec – hoc", "trailblaze": "Trailblaze"}[game]
        assert mail["Subject"] == f"Your turn. {title}, table {code(url)}, Ada"
        assert mail.get_content().splitlines() == [
            mail["Subject"], f"{site.origin}{url}", "", "Stop these emails:", link,
        ]  # fmt: skip
        assert mail["List-Unsubscribe"] == f"<{link}>"
        assert mail["Message-ID"].startswith(f"<{table.id}.1.")
        assert mail["Auto-Submitted"] == "auto-generated"
        # what a mail program sends with its own button
        async with site.browser(origin="") as program:
            del program.headers["origin"]
            answer = await program.post(link, data={"List-Unsubscribe": "One-Click"})
            assert "The server has forgotten your address" in answer.text
        assert await stored(site, url) is None
        assert (await owner.get(link)).status_code == 404
        assert "ada@home.example" not in (await ada.get(f"{url}/reminders")).text


async def test_only_a_turn_that_waits_is_mailed(tmp_path):
    clock = Clock(1_796_860_800.0)
    async with (
        inbox() as (box, port),
        mailing_site(tmp_path, port, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
    ):
        url, table = await playing(site, ada, ben)
        await asked(ada, url)
        await ada.post(links(box.mails.pop())[1], data={"do": "confirm"})
        await look(site, url)
        clock.time += 240
        await look(site, url)
        await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
        clock.time += 240
        await look(site, url)
        assert not [mail for mail in box.mails if ".1." in mail["Message-ID"]]  # the first turn was quick
        if 0 not in table.to_act:
            assert box.mails == []


async def test_an_address_is_forgotten_with_its_names_and_if_nobody_confirms(tmp_path):
    clock = Clock(1_796_860_800.0)
    async with (
        inbox() as (box, port),
        mailing_site(tmp_path, port, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
    ):
        url, _ = await playing(site, ada, ben)
        await asked(ada, url)
        clock.time += DAY - 100
        await look(site, url)
        assert b"ada@home.example" in await stored(site, url)
        clock.time += 200
        await look(site, url)
        assert await stored(site, url) is None
        await asked(ada, url)
        await ada.post(links(box.mails[-1])[1], data={"do": "confirm"})
        clock.time += 60
        await look(site, url)
        assert b"ada@home.example" in await stored(site, url)
        clock.time += 60
        await site.services.host.forget(clock.time)  # as after --keep-days
        await look(site, url)
        assert await stored(site, url) is None
        await site.services.host.store.forget(-1.0)  # as once an hour
        assert not [one for one in tmp_path.iterdir() if one.is_file() and b"ada@home" in one.read_bytes()]


async def test_nobody_can_have_others_mailed_often(tmp_path):
    async with (
        inbox() as (box, port),
        mailing_site(tmp_path, port, limits=True) as site,
        site.browser() as ada,
        site.browser() as ben,
    ):
        url, _ = await playing(site, ada, ben)
        answers = [(await asked(ada, url, address)).status_code for address in 5 * ["a@b.example", "A@b.example"]]
        assert answers == [303] * 3 + [429] * 7
        for n in range(20):
            await asked(ada, url, f"{n}@b.example")
        assert len(box.mails) < 13


async def test_what_cannot_be_mailed_is_said_and_not_kept(tmp_path):
    async with mailing_site(tmp_path, free_port()) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await playing(site, ada, ben)
        answer = await asked(ada, url, "ada@home")
        assert (answer.status_code, refused(answer.text)) == (422, "This is not an email address.")
        assert 'value="ada@home"' in answer.text
        answer = await asked(ada, url)  # nobody listens at that port
        assert answer.status_code == 503
        assert refused(answer.text) == "The email could not be sent. Check the address, or try again later."
        assert await stored(site, url) is None
        assert (await ada.get(f"{url}/mail/{'x' * 22}")).status_code == 404
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await playing(site, ada, ben)
        assert (await asked(ada, url)).status_code == 422  # this server sends none
        assert 'id="mail"' not in (await ada.get(f"{url}/reminders")).text


# -- the mail server ----------------------------------------------------------------------------------------------


def letter(server):
    return compose(server, "ada@home.example", "Dein Zug – über Ääch", "Grüße\n" + "x" * 1200, id_="1", at=0.0)


@pytest.mark.skipif(not proxies.FOUND["openssl"], reason="needs openssl (Debian: apt install openssl)")
@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_mail_goes_through_tls_with_a_valid_certificate(tmp_path, monkeypatch, scheme):
    context, file = tls(tmp_path)
    monkeypatch.setattr(mailing, "_NEAR", set())
    options = {"secure": context} if scheme == "smtps" else {"tls_context": context, "require_starttls": True}
    async with inbox(**options) as (box, port):
        server = server_at(f"{scheme}://localhost:{port}", FROM)
        with pytest.raises(ssl.SSLCertVerificationError):
            await send(server, letter(server))
        monkeypatch.setattr(mailing, "certificates", lambda: ssl.create_default_context(cafile=file))
        await send(server, letter(server))
        (mail,) = box.mails
        assert mail["Subject"] == "Dein Zug – über Ääch"
        assert mail.get_content().splitlines() == ["Grüße", "x" * 1200]
    async with inbox() as (box, port):
        server = server_at(f"smtp://localhost:{port}", FROM)
        with pytest.raises(smtplib.SMTPNotSupportedError):  # no mail in the clear
            await send(server, letter(server))
        assert box.mails == []


@pytest.mark.skipif(not proxies.FOUND["openssl"], reason="needs openssl (Debian: apt install openssl)")
async def test_a_password_is_told_through_tls_only(tmp_path, monkeypatch):
    context, file = tls(tmp_path)
    monkeypatch.setattr(mailing, "_NEAR", set())
    monkeypatch.setattr(mailing, "certificates", lambda: ssl.create_default_context(cafile=file))
    tried = []

    def is_right(_mechanism, login, password):
        tried.append((login, password))
        return password == b"p@ss w"

    options = {"tls_context": context, "require_starttls": True, "auth_required": True, "auth_callback": is_right}
    async with inbox(**options) as (box, port):
        server = server_at(f"smtp://me%40x.example:p%40ss%20w@localhost:{port}", FROM)
        await send(server, letter(server))
        assert tried == [(b"me@x.example", b"p@ss w")]
        assert len(box.mails) == 1
        wrong = server._replace(password="wrong")
        with pytest.raises(smtplib.SMTPAuthenticationError):
            await send(wrong, letter(wrong))
        told = await asyncio.to_thread(lambda: [*doctor.look_over(f"smtp://me:wrong@localhost:{port}", FROM)])
        assert [one.level for one in told] == ["bad"]
        assert "rejects this name and password" in told[0].text or "Passwort ab" in told[0].text
        told = await asyncio.to_thread(lambda: [*doctor.look_over(f"smtp://me:p%40ss%20w@localhost:{port}", FROM)])
        assert [one.level for one in told] == ["good"]
        assert len(box.mails) == 1  # a look sends nothing
    async with inbox() as (box, port):
        told = await asyncio.to_thread(lambda: [*doctor.look_over(f"smtp://localhost:{port}", FROM)])
        assert [one.level for one in told] == ["bad"]  # it offers no TLS
        monkeypatch.undo()
        told = await asyncio.to_thread(lambda: [*doctor.look_over(f"smtp://localhost:{port}", FROM)])
        assert [one.level for one in told] == ["good"]  # on the same machine it need not


@pytest.mark.parametrize("greeting", [(), [b"554 no\r\n"], itertools.repeat(b"2")], ids=["silent", "no", "drip"])
async def test_a_mail_server_that_does_not_serve_holds_up_nothing(greeting, monkeypatch):
    monkeypatch.setattr(mailing, "WAIT", 0.3)
    monkeypatch.setattr(mailing, "SECONDS", 1.0)

    over = asyncio.Event()

    async def greet(_reader, writer):
        for piece in itertools.takewhile(lambda _: not over.is_set(), greeting):
            writer.write(piece)
            await asyncio.sleep(0.1)
        await over.wait()
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as there:
        server = server_at(f"smtp://127.0.0.1:{there.sockets[0].getsockname()[1]}", FROM)
        begun = asyncio.get_running_loop().time()
        with pytest.raises(OSError):
            await send(server, letter(server))
        assert asyncio.get_running_loop().time() - begun < 3
        over.set()
        await asyncio.sleep(0.2)


def test_addresses():
    for right in ("a@b.example", "a.b+c_d@x-y.b.example", "x'y@b.example"):
        assert is_address(right), right
    for wrong in ("a@b", "a b@c.example", "a@b.example\n", "a@b.example,c@d.example", "<a@b.example>", "ä@b.example",
                  "a@b..example", "@b.example", "a" * 65 + "@b.example", "a@b.example>", ""):  # fmt: skip
        assert not is_address(wrong), wrong
    assert server_at("smtp://m.example", FROM)[:3] == ("m.example", 587, False)
    assert server_at("smtps://m.example:4650", FROM)[:3] == ("m.example", 4650, True)
    assert server_at("smtps://u%40x:p%3Aw@m.example", FROM)[3:5] == ("u@x", "p:w")
    for wrong in ("m.example", "http://m.example", "smtp://", "smtp://m.example/x", "smtp://u@m.example",
                  "smtp://m.example:x", "smtp://m.example?tls=0", "smtp://u:%C3%A4@m.example", ""):  # fmt: skip
        with pytest.raises(ValueError, match=r"^address$"):
            server_at(wrong, FROM)


def test_a_closed_port_is_told(monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    (found,) = doctor.look_over(f"smtp://127.0.0.1:{free_port()}", FROM)
    assert (found.level, "does not answer: " in found.text) == ("bad", True)
