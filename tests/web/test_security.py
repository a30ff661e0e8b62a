"""Other sites' forms and sockets, headers, limits, sub-path and proxies."""

import asyncio
import contextlib
import json

import httpx
import pytest
import websockets

from clock import Clock
from spieltisch.games import packages
from spieltisch.web.core import renderer
from spieltisch.web.core.http.client import counted
from spieltisch.web.core.http.rate_limits import HELD, LIMITS, OWN, Limit, RateLimits
from web.site import form, refused, served
from web.test_classes import PLAN

pytestmark = pytest.mark.anyio
GAME = "adaman"


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({}, True),  # a program
        ({"cookie": "spieltisch_lang=de"}, False),  # a browser that hides where the form comes from
    ],
)
async def test_forms_of_other_sites_are_refused(headers, allowed, tmp_path):
    async with served(tmp_path) as site, httpx.AsyncClient(base_url=site.origin) as client:
        for path in ("/play", "/tables", "/language", "/join"):
            answer = await client.post(path, data={"game": GAME, "lang": "de", "code": "ABC"}, headers=headers)
            assert (answer.status_code != 403) is allowed, path
            client.cookies.clear()
        for path in ("/api/play", "/api/tables", "/api/tables/ABC/sit"):
            answer = await client.post(path, json={"game": GAME}, headers=headers)
            assert (answer.status_code != 403) is allowed, path
            client.cookies.clear()
        own = await client.post("/play", data={"game": GAME}, headers={"origin": site.origin})
        assert own.status_code == 303


async def test_sockets_of_other_sites_are_refused(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": GAME})).headers["location"]
        for origin in ("https://evil.example", "null"):
            with pytest.raises(websockets.InvalidStatus) as error:
                async with site.line(url, ada, origin=origin):
                    pass
            assert error.value.response.status_code == 403
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)


async def test_every_answer_has_the_headers(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": GAME})).headers["location"]
        for path in (
            "/",
            url,
            f"{url}/screen",
            "/nowhere",
            "/t/ZZZZZZ",
            "/rules/adaman",
            "/schema/openapi.json",
            "/api/openapi.json",
        ):
            answer = await ada.get(path)
            assert "default-src 'self'" in answer.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "same-origin"
            assert answer.headers["cache-control"] == "no-store", path
            assert "server" not in answer.headers
            assert " style=" not in answer.text
            assert "<script>" not in answer.text


def is_bare(sent, written):
    """Whether what is sent is what is written, line by line, without comments."""
    lines = iter([line.strip() for line in written.splitlines()])
    said = [line.strip() for line in sent.splitlines()]
    comments = any(line.startswith((b"//", b"/*")) for line in said)
    return not comments and len(said) > 0.8 * written.count(b"\n") and all(line in lines for line in said)


async def test_static_files_are_kept_by_their_hash(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        page = (await ada.get("/")).text
        start = page.index("/static/parts.css?")
        answer = await ada.get(page[start : page.index('"', start)])
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"] == "text/css; charset=utf-8"
        assert (await ada.get("/static/parts.css")).headers["cache-control"] == "no-cache"
        for accepted, packed in (("gzip, br", "gzip"), ("identity", None)):
            found = await ada.get("/static/parts.css", headers={"accept-encoding": accepted})
            assert found.headers.get("content-encoding") == packed
            assert found.headers["vary"] == "accept-encoding"
            written = (renderer.STATIC / "parts.css").read_bytes()
            assert found.content == written if packed is None else is_bare(found.content, written)
        for path in ("/static/..%2fapp.py", "/static/../app.py", "/static/%2e%2e%2fapp.py", "/static/nothing"):
            assert (await ada.get(path)).status_code == 404


async def test_a_game_brings_static_files_and_nothing_else_of_it_is_served(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": GAME})).headers["location"]
        page = (await ada.get(url)).text
        for file, kind in (("style.css", "text/css"), ("script.js", "text/javascript")):
            start = page.index(f"/static/{GAME}/{file}?")
            answer = await ada.get(page[start : page.index('"', start)])
            assert is_bare(answer.content, (packages()[GAME].folder / "static" / file).read_bytes())
            again = await ada.get(f"/static/{GAME}/{file}", headers={"if-none-match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")  # who has it is not sent it again
            assert answer.headers["content-type"].startswith(kind)
            assert "immutable" in answer.headers["cache-control"]
        hidden = (
            "rules.py",
            "..%2frules.py",
            "../rules.py",
            "%2e%2e/rules.py",
            "box.toml",
            "table.html",
            "",
            ".",
            "%2e%2e",
        )
        for path in (*hidden, "../templates/table.html", "..%2ftemplates%2ftable.html", "static/style.css"):
            assert (await ada.get(f"/static/{GAME}/{path}")).status_code == 404, path
        for folder in ("nogame", "..", "%2e%2e", "web", "games"):
            assert (await ada.get(f"/static/{folder}/style.css")).status_code == 404, folder


async def test_too_much_at_once_is_refused_in_words(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": GAME})).headers["location"]
        assert (await ada.post("/play", data={"game": GAME, "name": "x" * 70_000})).status_code == 413
        many = [("type", "Control"), ("question", "1")] + [("payment", "1")] * 300
        body = "&".join(f"{k}={v}" for k, v in many)
        form_type = {"content-type": "application/x-www-form-urlencoded"}
        assert (await ada.post(f"{url}/move", content=body, headers=form_type)).status_code == 422
        multipart = await ada.post(f"{url}/move", files={"a": b"b"})
        assert multipart.status_code == 415
        async with site.line(url, ada) as line:
            await line.ws.send("{" * 1000)
            with pytest.raises(websockets.ConnectionClosed):
                await line.until(lambda m: False)


def wrong(n):
    return f"/t/Z{n:03}".replace("0", "Z").replace("1", "Y")


async def test_wrong_codes_of_a_browser_shut_out_nobody_else(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada, site.browser() as eve:
        site.services.limits._clock = lambda: 0.0
        url = (await ada.post("/tables", data={"game": GAME})).headers["location"]
        seen = [await eve.get(wrong(n)) for n in range(350)]
        assert [one.status_code for one in seen[:21]] == [404] * 21
        assert {one.status_code for one in seen[21:]} == {429}
        assert seen[0].headers["set-cookie"].startswith("spieltisch_tries=")
        assert "HttpOnly" in seen[0].headers["set-cookie"]
        assert not any("set-cookie" in one.headers for one in seen[1:])
        assert (await eve.get(url)).status_code == 429  # nothing is learned by going on
        async with site.browser() as bob:
            assert (await bob.get(url)).status_code == 200


async def test_a_holder_of_a_key_has_limits_of_their_own(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada, site.browser() as eve:
        site.services.limits._clock = lambda: 0.0
        url = (await ada.post("/tables", data={"game": GAME})).headers["location"]
        for kind in ("get", "post", "command", "socket"):
            site.services.limits.charge(kind, "127.0.0.1", LIMITS[kind].burst)  # strangers have used all of it
        assert (await eve.get("/")).status_code == 429
        eve.cookies.set(f"spieltisch-{url.rpartition('/')[2]}", "A" * 22 + "." + "B" * 22)
        assert (await eve.get(url)).status_code == 429
        assert (await ada.get(url)).status_code == 200
        assert (await ada.post(f"{url}/sit", data={"name": "Ada"})).status_code == 303
        async with site.line(url, ada) as line:
            await line.until(lambda m: "html" in m)
        statuses = [(await ada.get(url)).status_code for _ in range(int(OWN["get"].burst))]
        assert (statuses[0], statuses[-1]) == (200, 429)


def test_all_keys_of_an_address_have_a_bound():
    limits = RateLimits(clock=lambda: 0.0)
    burst = int(OWN["get"].burst)
    taken = [limits.take("get", "here", f"key {n // burst}") for n in range((HELD + 2) * burst)]
    assert taken == [True] * (HELD * burst) + [False] * (2 * burst)
    assert limits.take("get", "here")  # of strangers
    assert limits.take("get", "there", "another key")
    assert not limits.take("get", "there", "key 0")


async def test_keys_of_classes_decks_and_of_the_host_are_recognized(tmp_path):
    async with served(tmp_path) as site, site.browser() as teacher, site.browser() as pupil, site.browser() as host:
        holder = site.services.holders.holder
        room = (await teacher.post("/class/new", data=PLAN)).headers["location"]
        await pupil.post(f"{room}/join")
        await host.post("/host", data={"token": site.services.deck_keys.host_key()})
        sheet = b"date,event\n1492,Columbus sails west\n1789,The Bastille is stormed\n"
        deck = (await teacher.post("/decks", files={"file": ("d.csv", sheet)}, data={"title": "Two"})).headers[
            "location"
        ]
        deck = deck.partition("?")[0]
        jars = {name: dict(one.cookies) for name, one in (("teacher", teacher), ("pupil", pupil), ("host", host))}
        code = room.rpartition("/")[2]
        assert holder(f"{room}/live", jars["teacher"]) == f"teacher {code}"
        assert holder(room, jars["pupil"]) == f"pupil {code} 1"
        assert holder(room, jars["host"]) == ""
        assert holder("/host", jars["host"]) == "host"
        assert holder("/host", jars["pupil"]) == ""
        assert holder(deck, jars["teacher"]) == f"deck {deck.rpartition('/')[2]}"
        assert holder(deck, jars["pupil"]) == ""
        assert holder("/class/AAAAA", {"spieltisch_pupil": "AAAAA.1.made-up"}) == ""
        assert [holder(path, jars["teacher"]) for path in ("/", "/decks", "/t", "/class/", "/static/x")] == [""] * 5


async def test_guessing_codes_and_opening_tables_has_a_limit(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as eve, contextlib.AsyncExitStack() as stack:
        site.services.limits._clock = lambda: 0.0  # nothing fills up again while this slow machine asks
        ada = await stack.enter_async_context(site.browser())
        url = (await ada.post("/tables", data={"game": GAME})).headers["location"]
        burst = int(LIMITS["guess"].burst)
        seen = []
        for n in range(burst + 10):
            eve.cookies.clear()  # as a program does that does not want to be counted
            seen.append((await eve.get(wrong(n))).status_code)
        assert seen[:burst] == [404] * burst
        assert seen[-1] == 429
        # what is right is no longer found either, so that nothing is learned by going on
        assert (await eve.get(url)).status_code == 429
        answer = await eve.post("/join", data={"code": "QQQQQQ"})
        assert answer.status_code == 429
        assert refused(answer.text)
        opened = [(await eve.post("/tables", data={"game": GAME})).status_code for _ in range(70)]
        assert opened[0] == 303
        assert opened[-1] == 429
        good = [n for n, status in enumerate(opened) if status == 303]
        assert len(good) >= 59


async def test_right_codes_cannot_be_tried_all_day_either(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada, site.browser() as eve:
        site.services.limits._clock = lambda: 0.0
        url = (await ada.post("/tables", data={"game": GAME})).headers["location"]
        assert len(url.rpartition("/")[2]) == 8
        seen = [(await eve.get(url)).status_code for _ in range(310)]
        assert (seen[0], seen[-1]) == (200, 429)
        assert (await ada.get(url)).status_code == 200  # who has a key there is at home


async def test_a_class_behind_one_address_is_never_refused(tmp_path):
    """64 phones join by a code, load their pages anew and open their sockets, all within the limits of one moment."""
    async with served(tmp_path, limits=True) as site, contextlib.AsyncExitStack() as stack:
        site.services.limits._clock = lambda: 0.0
        urls = []
        for _ in range(13):  # tables of five
            host = await stack.enter_async_context(site.browser())
            url = (await host.post("/tables", data={"game": "hic-haec-hoc", "seats": "5"})).headers["location"]
            urls.append(url)
        for n in range(64):
            phone = await stack.enter_async_context(site.browser())
            url = urls[n // 5]
            assert (await phone.get("/")).status_code == 200
            assert (await phone.post("/join", data={"code": url.rpartition("/")[2]})).status_code == 303
            page = await phone.get(url)
            assert page.status_code == 200
            if n % 5 < 4:  # the fifth one looks on
                sat = await phone.post(f"{url}/sit", data={"name": f"P{n}"})
                assert sat.status_code == 303, sat.text
            assert (await phone.get(url)).status_code == 200
            for _ in range(2):  # and once more, as phones do that were in a pocket
                line = await stack.enter_async_context(site.line(url, phone))
                await line.until(lambda m: "html" in m)


async def test_hints_have_a_limit(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada:
        site.services.limits._clock = lambda: 0.0
        url = (await ada.post("/play", data={"game": GAME})).headers["location"]
        for _ in range(60):
            site.services.limits.take("hint", "127.0.0.1")
        assert (await ada.post(f"{url}/hint", data={"question": "1"})).status_code == 429
        assert "hinted" not in (await ada.get(f"{url}?hint=1&step=1")).text


def test_what_was_used_up_comes_back():
    clock = Clock(0.0)
    limits = RateLimits({"a": Limit(2, 0.5)}, clock=clock)
    assert [limits.take("a", "x") for _ in range(3)] == [True, True, False]
    assert limits.take("a", "y")
    clock.time = 2.0
    assert [limits.take("a", "x") for _ in range(2)] == [True, False]


async def test_a_sub_path_is_in_every_address(tmp_path):
    async with (
        served(tmp_path, root_path="/games") as site,
        site.browser() as ada,
        httpx.AsyncClient(base_url=site.origin) as bare,
    ):
        home = (await ada.get("/")).text  # the client's base has the sub-path
        for part in home.split('href="')[1:] + home.split('action="')[1:] + home.split('src="')[1:]:
            assert part.startswith(("/games/", "#")), part[:40]
        answer = await ada.post("/play", data={"game": GAME})
        location = answer.headers["location"]
        assert location.startswith("/games/t/")
        assert "Path=/games" in answer.headers["set-cookie"]
        page = await bare.get(location, headers={"cookie": "; ".join(f"{k}={v}" for k, v in ada.cookies.items())})
        assert form(page.text, "/move")["action"] == f"{location}/move"
        assert f'data-live="{location}/live"' in page.text
        # a proxy may take the sub-path off before it passes the request on
        stripped = await bare.get(location.removeprefix("/games"))
        assert stripped.status_code == 200
        assert f'data-live="{location}/live"' in stripped.text
        async with site.line(location, ada) as line:
            await line.until(lambda m: "html" in m)
        to = await ada.post("/language", data={"lang": "de", "back": "/t/X"})
        assert to.headers["location"] == "/games/t/X"


async def test_a_trusted_proxy_names_scheme_host_and_client(tmp_path):
    told = {"x-forwarded-proto": "https", "x-forwarded-host": "play.example", "x-forwarded-for": "203.0.113.9"}
    sent = {**told, "origin": "https://play.example", "host": "inside:8000"}
    async with served(tmp_path, proxies=("*",)) as site, httpx.AsyncClient(base_url=site.origin) as client:
        answer = await client.post("/play", data={"game": GAME}, headers=sent)
        assert answer.status_code == 303
        assert "; Secure" in answer.headers["set-cookie"]
        page = (await client.get(answer.headers["location"], headers=told)).text
        assert "https:&#x2f;&#x2f;play.example&#x2f;t&#x2f;" in page
        odd = {"x-forwarded-host": 'evil.example/"><b>', "host": "play.example"}
        assert "evil" not in (await client.get(answer.headers["location"], headers=odd)).text
    for n, proxies in enumerate([(), ("10.1.2.3",)]):  # none is named, or another one
        (tmp_path / str(n)).mkdir()
        async with (
            served(tmp_path / str(n), proxies=proxies) as site,
            httpx.AsyncClient(base_url=site.origin) as client,
        ):
            assert (await client.post("/play", data={"game": GAME}, headers=sent)).status_code == 403
            answer = await client.post("/play", data={"game": GAME})
            assert "play.example" not in (await client.get(answer.headers["location"], headers=told)).text


async def test_a_form_of_the_same_host_without_its_encryption_is_another_sites(tmp_path):
    async with served(tmp_path) as site, httpx.AsyncClient(base_url=site.origin) as client:
        other = site.origin.replace("http://", "https://")
        assert (await client.post("/play", data={"game": GAME}, headers={"origin": other})).status_code == 403


@pytest.mark.parametrize(
    ("address", "as_"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::6", "2001:db8:1:2::/64"),
        ("2001:db8::6", "2001:db8::/64"),
        ("::1", "::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_a_household_is_counted_as_one(address, as_):
    assert counted(address) == as_


async def test_what_breaks_off_or_has_no_end_is_no_error_of_the_server(tmp_path, caplog):
    async with served(tmp_path) as site, httpx.AsyncClient(base_url=site.origin) as client:
        for path in ("a" * 300, "a" * 5000, f"{GAME}/{'a' * 300}", "a%00b"):
            assert (await client.get(f"/static/{path}")).status_code == 404
        for path, kind in (("/play", "application/x-www-form-urlencoded"), ("/decks/new", "multipart/form-data")):
            _, writer = await asyncio.open_connection("127.0.0.1", site.port)
            head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\ncontent-length: 900\r\n\r\ngame="
            writer.write(head.encode())
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.close()
        await asyncio.sleep(0.1)
        assert (await client.get("/health")).status_code == 200
    assert "Traceback" not in caplog.text


async def test_who_still_waits_when_the_server_has_no_more_time_is_told_so(tmp_path, monkeypatch, caplog):
    asked = asyncio.Event()

    async def hangs(_table):
        asked.set()
        await asyncio.Event().wait()

    async with httpx.AsyncClient(headers={"accept": "application/json"}, timeout=60, verify=False) as client:
        async with served(tmp_path) as site:
            monkeypatch.setattr(site.services.host, "latest", hangs)
            waiting = asyncio.create_task(client.get(f"{site.origin}/api/tables/ABCDEFGH"))
            await asked.wait()
        answer = await waiting  # the server has stopped
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    assert "Please try again" in answer.json()["detail"]
    assert "Exception in ASGI" not in caplog.text


async def test_the_language_follows_the_browser_and_the_switch(tmp_path):
    async with served(tmp_path) as site, site.browser("sw, de-CH;q=0.8, en;q=0.5") as ada:
        assert '<html lang="de">' in (await ada.get("/")).text
        for target, leads in (
            ("/rules/x", "/rules/x"),
            ("//evil.example", "/"),
            ("/\\evil.example", "/"),
            ("https://e.x", "/"),
        ):
            answer = await ada.post("/language", data={"lang": "en", "back": target})
            assert answer.headers["location"] == leads
        assert '<html lang="en">' in (await ada.get("/")).text
        assert (await ada.post("/language", data={"lang": "xx"})).status_code == 400
    async with served(tmp_path) as site, site.browser("sw") as ada:
        assert '<html lang="en">' in (await ada.get("/")).text


async def test_health(tmp_path):
    async with served(tmp_path) as site, httpx.AsyncClient(base_url=site.origin) as client:
        assert json.loads((await client.get("/health")).text) == {"status": "ok"}
