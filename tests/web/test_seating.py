"""Nobody's absence can hold up a game: bots play on, others take seats over, and their people take them back."""

import asyncio
import contextlib
import re
import time

import pytest

from spieltisch.web.core.http.actions import encode
from spieltisch.web.core.presence import LONG, REQUEST
from web.site import code, form, forms, playing, refused, served

pytestmark = pytest.mark.anyio
HAND = 'class="lhand'


async def entry(site, table):
    """Wait for the next entry of the log."""
    seq = table.seq
    with site.services.host.hub.listen(table.id) as news:
        async with asyncio.timeout(60):
            while table.seq == seq:
                await news.wait()
    return table.news[-1]


@contextlib.asynccontextmanager
async def looking(site, url, browser, **more):
    """A page's line; the server has heard when it ends."""
    async with contextlib.AsyncExitStack() as stack:
        line = await stack.enter_async_context(site.line(url, browser, **more))
        await line.until(lambda m: "html" in m)
        yield line
        with site.services.host.hub.listen(code(url)) as news:
            await stack.aclose()
            await news.wait()


async def test_anybody_at_the_table_lets_a_bot_play_for_who_is_gone_and_they_are_back_by_themselves(tmp_path, clock):
    """A sleeping phone stops nobody: after a minute a bot plays, and the phone plays again when it wakes."""
    async with (
        served(tmp_path, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
    ):
        url, table = await playing(site, ada, ben)
        away = {"seat": "0", "do": "bot"}
        async with looking(site, url, ada):
            pass
        clock.time += LONG
        assert (await eve.post(f"{url}/chairs", data=away)).status_code == 403  # who only looks on
        assert 'id="bot-0"' in (await ben.get(url)).text
        assert (await ben.post(f"{url}/chairs", data=away)).status_code == 303
        told = await entry(site, table)
        assert (told.seat, told.by) == (0, "bot")
        async with site.line(url, ben) as bens:
            await bens.until(lambda m: "html" in m)
            async with site.line(url, ada) as line:  # it wakes: only its line comes back
                assert "Ada is back." in (await bens.until(lambda m: "back" in m.get("say", "")))["say"]
                assert "A bot plays for you." not in (await line.until(lambda m: "html" in m))["html"]
        assert not table.setup.chairs[0].plays_itself
        assert table.setup.chairs[0].name == "Ada"


@pytest.mark.parametrize("way", ["page", "program"])
async def test_who_has_no_socket_is_back_with_the_next_request(way, tmp_path, clock):
    async with served(tmp_path, clock=clock) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben)
        await ben.get(url)
        clock.time += LONG
        assert (await ada.post(f"{url}/chairs", data={"seat": "1", "do": "bot"})).status_code == 303
        assert table.setup.chairs[1].plays_itself
        async with site.program(site.services.seat_cookies.key(ben.cookies, table.id)) as program:
            seen = await (ben.get(url) if way == "page" else program.get(url.replace("/t/", "/api/tables/")))
        assert seen.status_code == 200
        assert not table.setup.chairs[1].plays_itself
        if way == "program":
            assert seen.json()["view"]["own"] is not None


async def test_a_bot_is_never_put_in_for_somebody_who_is_here(tmp_path, clock):
    """Not even by the owner, and not for a program or a page without script that asked within the last minute."""
    async with served(tmp_path, clock=clock) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben)
        away, words = {"seat": "1", "do": "bot"}, "A bot can play for somebody after one minute away."

        async def refuses():
            assert refused((await ada.post(f"{url}/chairs", data=away)).text) == words
            assert 'id="bot-1"' not in (await ada.get(url)).text
            assert not table.setup.chairs[1].plays_itself

        await refuses()
        async with site.program(site.services.seat_cookies.key(ben.cookies, table.id)) as program:
            await program.get(url.replace("/t/", "/api/tables/"))
        clock.time += LONG - 1
        await refuses()
        async with looking(site, url, ben):
            clock.time += 10 * LONG
            await refuses()
        clock.time += LONG - 1  # the socket has ended: marked as away, but not for long
        await refuses()
        clock.time += 1
        assert (await ada.post(f"{url}/chairs", data=away)).status_code == 303


@pytest.mark.parametrize("to", ["leave", "chairs"])
async def test_who_has_left_sees_nothing_more_of_that_hand(to, tmp_path):
    """Whether they leave the table or let a bot play for them: neither on pages and sockets, nor as a program."""
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben)
        api, go = url.replace("/t/", "/api/tables/"), [["seat", "1"], ["do", "bot"]] if to == "chairs" else []
        key = site.services.seat_cookies.key(ben.cookies, table.id)
        async with site.line(url, ben) as line, site.program(key) as program:
            assert HAND in (await line.until(lambda m: "html" in m))["html"]
            assert (await ben.post(f"{url}/{to}", data=dict(go))).status_code == 303
            while "A bot plays for you." not in line.page["html"]:
                await line.receive()
            assert HAND not in line.page["html"]
            for address in (url, f"{url}/record", f"{url}/replay?step=1&seat=1"):
                assert HAND not in (await ben.get(address)).text
            seen = (await program.get(api)).json()
            assert (seen["seat"], seen["legal"], seen["view"]["own"]) == (None, [], None)
            while table.to_act != (1,):
                seat = table.to_act[0]
                await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[-1])
            move = {"question": str(table.question(1)), "action": encode(table.legal(1)[-1])}
            assert (await ben.post(f"{url}/move", data=move)).status_code == 403
            # neither a look nor anybody else brings them back; they do it themselves
            assert table.setup.chairs[1].plays_itself
            answer = await ada.post(f"{url}/chairs", data={"seat": "1", "do": "wait"})
            assert refused(answer.text) == "Ben has left. A bot plays until they come back."
            assert (await line.do("sit", []))["ok"]
            while HAND not in line.page["html"]:
                await line.receive()
            assert (await ben.post(f"{url}/move", data=move)).status_code == 303


async def test_who_comes_late_takes_over_a_bots_seat(tmp_path):
    async with (
        served(tmp_path, pause=lambda: 60.0) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
        site.browser() as joe,
    ):
        url, table = await playing(site, ada, ben, bots=1)
        page = (await eve.get(url)).text
        assert HAND not in page
        seats = [c.get("value") for c in form(page, "/sit")["controls"] if c.get("name") == "seat"]
        assert seats == ["2"]
        bot = table.setup.chairs[2].name
        async with site.line(url, ada, seen=table.seq) as line:
            assert (await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "2"})).status_code == 303
            asked = re.search(r'name="ask" value="(\d+)"', (await line.until(lambda m: "html" in m))["html"])
            assert (await line.do("admit", [["ask", asked[1]], ["yes", "true"]]))["ok"]
            while f"Eve now plays for {bot}." not in [m.get("say") for m in line.heard]:
                await line.receive()
        assert HAND in (await eve.get(url)).text
        assert (table.setup.chairs[2].name, table.setup.chairs[2].kind) == ("Eve", "person")
        answer = await joe.post(f"{url}/sit", data={"name": "Joe", "seat": "2"})
        assert refused(answer.text) == "This seat is taken."
        answer = await joe.post(f"{url}/sit", data={"name": "Joe"})
        assert refused(answer.text) == "All seats are taken."


async def test_a_seat_is_given_to_a_guest_and_back_and_its_hand_goes_with_it(tmp_path):
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben)
        async with site.browser() as eve, site.line(url, ben) as line:
            await line.until(lambda m: "html" in m)
            assert HAND in line.page["html"]
            # Ben is here: nobody else may give his seat, and with it his hand, away
            answer = await ada.post(f"{url}/chairs", data={"seat": "1", "do": "offer"})
            assert refused(answer.text) == "Ben is here: only Ben can give this seat away."
            assert "seat" not in [c.get("name") for one in forms((await eve.get(url)).text) for c in one["controls"]]
            assert (await line.do("chairs", [["seat", "1"], ["do", "offer"]]))["ok"]
            assert (await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "1"})).status_code == 303
            while "Eve is playing in your seat." not in line.page["html"]:
                await line.receive()
            # now it is Eve's seat: only she sees what lies there, only she answers
            assert HAND not in line.page["html"]
            assert HAND not in (await ben.get(url)).text
            assert HAND in (await eve.get(url)).text
            async with site.program(site.services.seat_cookies.key(ben.cookies, table.id)) as program:
                seen = (await program.get(url.replace("/t/", "/api/tables/"))).json()
                assert (seen["seat"], seen["legal"], seen["view"]["own"]) == (None, [], None)
            while table.to_act != (1,):
                seat = table.to_act[0]
                await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[-1])
            move = {"question": str(table.question(1)), "action": encode(table.legal(1)[-1])}
            assert (await ben.post(f"{url}/move", data=move)).status_code == 403
            assert (await ben.get("/")).text.count(url)  # the way back is not lost
            # Ben comes back
            assert (await ben.post(f"{url}/sit")).status_code == 303
            assert (table.setup.chairs[1].name, table.setup.chairs[1].lender) == ("Ben", None)
            assert HAND in (await ben.get(url)).text
            assert HAND not in (await eve.get(url)).text
            assert (await eve.post(f"{url}/move", data=move)).status_code == 403
            assert (await ben.post(f"{url}/move", data=move)).status_code == 303


async def test_who_is_gone_gets_the_seat_back_even_from_a_guest_of_a_guest(tmp_path):
    later = 0.0
    async with (
        served(tmp_path, pause=lambda: 60.0, clock=lambda: time.time() + later) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
        site.browser() as joe,
    ):
        url, table = await playing(site, ada, ben)
        await ben.get(url)
        later = REQUEST
        assert (await ada.post(f"{url}/chairs", data={"seat": "1", "do": "offer"})).status_code == 303
        assert (await eve.post(f"{url}/sit", data={"name": "Eve"})).status_code == 303
        await eve.post(f"{url}/chairs", data={"seat": "1", "do": "offer"})
        assert (await eve.post(f"{url}/chairs", data={"seat": "1", "do": "keep"})).status_code == 303
        await joe.post(f"{url}/sit", data={"name": "Joe"})  # he asks only
        assert table.setup.chairs[1].name == "Eve"
        await eve.post(f"{url}/chairs", data={"seat": "1", "do": "offer"})
        assert (await joe.post(f"{url}/sit", data={"name": "Joe"})).status_code == 303
        assert table.setup.chairs[1].name == "Joe"
        assert (await eve.post(f"{url}/sit")).status_code == 422  # it was Ben's, so only Ben takes it back
        link = {"token": site.services.seat_cookies.key(ben.cookies, table.id)}
        assert (await ben.post(f"{url}/seat", data=link)).status_code == 303
        assert (await ben.post(f"{url}/sit")).status_code == 303
        assert [chair.name for chair in table.setup.chairs] == ["Ada", "Ben"]
