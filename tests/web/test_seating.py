"""Nobody's absence can hold up a game: bots play on, others take seats over, and their people take them back."""

import asyncio
import time

import pytest

from spieltisch.web.http.actions import encode
from spieltisch.web.presence import REQUEST
from web.site import form, forms, playing, refused, served

pytestmark = pytest.mark.anyio
HAND = 'class="lhand'


async def entry(site, table):
    """Wait for the next entry of the log."""
    seq = table.seq
    with site.services.host.hub.listen(table.id) as news:
        async with asyncio.timeout(20):
            while table.seq == seq:
                await news.wait()
    return table.news[-1]


async def test_anybody_at_the_table_lets_a_bot_play_for_who_is_gone_and_they_come_back(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        url, table = await playing(site, ada, ben)
        away = {"seat": "0", "do": "bot"}
        assert (await eve.post(f"{url}/chairs", data=away)).status_code == 403  # who only looks on
        assert (await ben.post(f"{url}/chairs", data=away)).status_code == 303
        told = await entry(site, table)
        assert (told.seat, told.by) == (0, "bot")
        page = (await ada.get(url)).text
        assert "A bot plays for you." in page
        assert not any(control.get("name") == "action" for one in forms(page) for control in one["controls"])
        assert (await ada.post(f"{url}/sit")).status_code == 303
        assert table.setup.chairs[0].name == "Ada"
        assert not table.setup.chairs[0].plays_itself
        assert "A bot plays for you." not in (await ada.get(url)).text
        assert (await ben.post(f"{url}/chairs", data=away)).status_code == 303
        assert (await ben.post(f"{url}/chairs", data={"seat": "0", "do": "wait"})).status_code == 303
        assert not table.setup.chairs[0].away


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
            assert (await line.until(lambda m: "html" in m))["say"] == f"Eve now plays for {bot}."
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
            while "Eve plays on your seat." not in line.page["html"]:
                await line.receive()
            # now it is Eve's seat: only she sees what lies there, only she answers
            assert HAND not in line.page["html"]
            assert HAND not in (await ben.get(url)).text
            assert HAND in (await eve.get(url)).text
            async with site.program(site.services.seat_keys.key(ben.cookies, table.id)) as program:
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
        assert (await joe.post(f"{url}/sit", data={"name": "Joe"})).status_code == 422
        await eve.post(f"{url}/chairs", data={"seat": "1", "do": "offer"})
        assert (await joe.post(f"{url}/sit", data={"name": "Joe"})).status_code == 303
        assert (await eve.post(f"{url}/sit")).status_code == 422  # it was Ben's, so only Ben takes it back
        link = {"token": site.services.seat_keys.key(ben.cookies, table.id)}
        assert (await ben.post(f"{url}/seat", data=link)).status_code == 303
        assert (await ben.post(f"{url}/sit")).status_code == 303
        assert [chair.name for chair in table.setup.chairs] == ["Ada", "Ben"]
