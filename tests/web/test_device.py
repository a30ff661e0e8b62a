"""Several people on one device: they sit down beside each other, hand it on, leave together and play again."""

import random
import re

import pytest

from spieltisch.table.log import key_of
from spieltisch.web.core.http.actions import encode
from web.site import code, form, forms, refused, served

pytestmark = pytest.mark.anyio
COVER, HAND = 'id="cover"', 'class="lhand'


async def beside(site, browser, *names, game="hic-haec-hoc", bots=0):
    """A table at which all these people share one device; its address and the table."""
    url = (await browser.post("/tables", data={"game": game, "name": names[0]})).headers["location"]
    for name in names[1:]:
        assert (await browser.post(f"{url}/chairs", data={"do": "person", "name": name})).status_code == 303
    for _ in range(bots):
        await browser.post(f"{url}/chairs", data={"do": "bot"})
    assert (await browser.post(f"{url}/start")).status_code == 303
    return url, await site.services.host.table(code(url))


async def lift(browser, url):
    """Lift the cover that the page shows, by its form; the page then."""
    asked = form((await browser.get(url)).text, "/lift")
    sent = {one["name"]: one["value"] for one in asked["controls"] if "name" in one}
    assert (await browser.post(asked["action"], data=sent)).status_code == 303
    return (await browser.get(url)).text


async def test_who_comes_along_sits_down_with_the_same_device(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        url = (await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
        setup = (await site.services.host.table(code(url))).setup
        most, free = 5, len(setup.chairs) - 1
        assert (await eve.post(f"{url}/chairs", data={"do": "person", "name": "Eve"})).status_code == 422
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        assert (await ben.post(f"{url}/chairs", data={"do": "person", "name": "Ben"})).status_code == 303
        page = (await ben.get(url)).text
        assert ">on this device<" in page
        assert ">on this device<" not in (await ada.get(url)).text
        table = await site.services.host.table(code(url))
        key = key_of(site.services.seat_cookies.key(ben.cookies, table.id))
        assert [(c.name, c.key == key) for c in table.setup.chairs[:3]] == [
            ("Ada", False),
            ("Ben", True),
            ("Ben 2", True),
        ]
        # whoever brought them along may free their seat again; others may not, but for who opened the table
        assert (await ben.post(f"{url}/chairs", data={"do": "free", "seat": "0"})).status_code == 403
        assert (await ben.post(f"{url}/chairs", data={"do": "free", "seat": "2"})).status_code == 303
        assert table.setup.chairs[2].kind == "free"
        for _ in range(most - 2):
            assert (await ada.post(f"{url}/chairs", data={"do": "person", "name": "Al"})).status_code == 303
        assert free < len(table.setup.chairs) == most
        answer = await ada.post(f"{url}/chairs", data={"do": "person", "name": "Al"})
        assert refused(answer.text) == "All seats are taken."
        assert 'id="beside"' not in answer.text
        # all of a device get up together
        await ada.post(f"{url}/leave")
        assert [chair.name for chair in table.setup.chairs if chair.kind == "person"] == ["Ben"]
        assert (await ada.post("/tables", data={"game": "adaman"})).status_code == 303


async def test_two_people_play_on_one_device_by_plain_forms(tmp_path):
    """One hand after the other, the cover between them; whose turn it is, is said by name."""
    dice = random.Random(3)
    async with served(tmp_path) as site, site.browser() as phone:
        url, table = await beside(site, phone, "Mira", "Emre")
        names, shown, covers = ("Mira", "Emre"), None, 0
        for _ in range(60):
            if table.result is not None:
                break
            page = (await phone.get(url)).text
            seat = table.to_act[0]
            contest = table.package.silence in table.legal(seat)
            said = f"{names[seat]}, your answer is needed." if contest else f"{names[seat]}, it is your turn."
            assert said in page
            assert (COVER in page) == (seat != shown) == (HAND not in page)
            if seat != shown:
                assert [one for one in forms(page) if one["action"].endswith("/say")] == []
                page, shown, covers = await lift(phone, url), seat, covers + 1
            assert said in page
            sent = {one["name"]: one["value"] for one in form(page, "/move")["controls"] if one.get("type") == "hidden"}
            assert sent == {"question": str(table.question(seat)), "as": str(seat)}
            action = encode(dice.choice(table.legal(seat)))
            assert (await phone.post(f"{url}/move", data=sent | {"action": action})).status_code == 303
        assert covers > 5
        assert table.turns == ()


async def test_the_same_number_of_a_question_is_not_the_same_seat(tmp_path):
    """When two on a device are asked about the same card, the answer of one does not count for the other."""
    async with served(tmp_path) as site, site.browser() as phone, site.browser() as ben:
        url = (await phone.post("/tables", data={"game": "hic-haec-hoc", "name": "Mira"})).headers["location"]
        await phone.post(f"{url}/chairs", data={"do": "person", "name": "Emre"})
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        await phone.post(f"{url}/start")
        table = await site.services.host.table(code(url))
        while set(table.to_act) != {0, 1}:
            seat = table.to_act[0]
            plays = [one for one in table.legal(seat) if "reading" in encode(one)] if seat == 2 else []
            action = (plays or table.legal(seat))[-1]
            await site.services.host.answer(table.id, seat, table.question(seat), action)
        question = str(table.question(0))
        assert table.question(0) == table.question(1)
        assert table.clock(0) is table.clock(1) is None  # who shares a device has time
        fine = [["question", question], ["action", '{"type":"Accept"}'], ["as", "0"]]
        async with site.line(url, phone) as line:
            await line.until(lambda m: "html" in m)
            assert line.page["turn"]
            assert (await line.do("lift", [["seat", "0"]]))["ok"]
            while 'id="accept"' not in line.page["html"]:
                await line.receive()
            assert (await line.do("move", fine))["ok"]
            while COVER not in line.page["html"]:
                await line.receive()
            assert (await line.do("lift", [["seat", "1"]]))["ok"]
            assert (await line.do("move", fine))["ok"]
            assert table.to_act == (1,)
            assert (await line.do("move", [*fine[:2], ["as", "1"]]))["ok"]
            assert 1 not in table.to_act or table.question(1) != int(question)


@pytest.mark.parametrize("game", ["anno-domini", "trailblaze"])
async def test_where_hands_lie_open_nothing_is_covered(game, tmp_path):
    dice = random.Random(game)
    async with served(tmp_path) as site, site.browser() as phone:
        url, table = await beside(site, phone, "Mira", "Emre", game=game)
        acted = set()
        while len(acted) < 2 or table.seq < 8:
            seat = table.to_act[0]
            acted.add(seat)
            page = (await phone.get(url)).text
            assert COVER not in page
            assert f"{('Mira', 'Emre')[seat]}, " in page
            assert f'name="as" value="{seat}"' in page
            move = {"question": str(table.question(seat)), "action": encode(dice.choice(table.legal(seat)))}
            assert (await phone.post(f"{url}/move", data=move | {"as": str(1 - seat)})).status_code in {409, 422}
            assert (await phone.post(f"{url}/move", data=move | {"as": str(seat)})).status_code == 303


async def test_a_device_leaves_comes_back_and_plays_again(tmp_path):
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as phone:
        url, table = await beside(site, phone, "Mira", "Emre", bots=1)
        assert HAND in await lift(phone, url)
        assert re.search("Your turn|Your answer is needed", (await phone.get("/")).text)
        # a bot plays for Emre: Mira goes on without any cover
        await phone.post(f"{url}/chairs", data={"seat": "1", "do": "bot"})
        page = (await phone.get(url)).text
        assert "A bot plays for you." not in page
        assert HAND in page
        await phone.post(f"{url}/chairs", data={"seat": "1", "do": "wait"})
        # both have gone, both come back
        await phone.post(f"{url}/leave")
        assert [chair.away for chair in table.setup.chairs] == [True, True, False]
        page = (await phone.get(url)).text
        assert "A bot plays for you." in page
        assert COVER not in page
        assert HAND not in page
        await phone.post(f"{url}/sit")
        assert [chair.away for chair in table.setup.chairs] == [False, False, False]
        while table.result is None:
            seat = table.to_act[0]
            await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[0])
        page = (await phone.get(url)).text
        assert 'id="rematch"' in page
        assert COVER not in page
        assert HAND not in page
        again = (await phone.post(f"{url}/rematch")).headers["location"]
        again = (await phone.get(again)).headers["location"]
        page = (await phone.get(again)).text
        assert COVER in page
        assert HAND not in page


async def test_who_comes_to_a_device_later_takes_over_a_seat(tmp_path):
    """A bot's, or one that its person gives away and may take back; from then on a cover lies between the hands."""
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as phone, site.browser() as ben:
        url = (await phone.post("/tables", data={"game": "hic-haec-hoc", "name": "Mira"})).headers["location"]
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        await phone.post(f"{url}/chairs", data={"do": "bot"})
        await phone.post(f"{url}/start")
        table = await site.services.host.table(code(url))
        page = (await phone.get(url)).text
        assert HAND in page
        assert re.findall(r'id="person-(\d)"', page) == ["2"]  # Ben plays himself
        join = {"do": "person", "name": "Emre"}
        assert (await phone.post(f"{url}/chairs", data=join | {"seat": "1"})).status_code == 422
        assert (await phone.post(f"{url}/chairs", data=join | {"seat": "2"})).status_code == 303
        assert [chair.name for chair in table.setup.chairs] == ["Mira", "Ben", "Emre"]
        page = (await phone.get(url)).text
        assert COVER in page
        assert HAND not in page
        assert 'id="person-' not in page
        assert (await phone.post(f"{url}/chairs", data=join)).status_code == 422  # nobody makes room
        await ben.post(f"{url}/chairs", data={"seat": "1", "do": "offer"})
        assert (await phone.post(f"{url}/chairs", data={"do": "person", "name": "Ida", "seat": "1"})).status_code == 303
        assert "Ida is playing in your seat." in (await ben.get(url)).text
        await ben.post(f"{url}/sit")
        assert [chair.name for chair in table.setup.chairs] == ["Mira", "Ben", "Emre"]
