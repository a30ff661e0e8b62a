"""Permissions: cookies, personal links, spectators, owners, the waiting room."""

import re
from html import unescape

import pytest

from spieltisch.table.log import key_of
from spieltisch.web.core.http.actions import encode
from web.site import form, forms, playing, refused, served

pytestmark = pytest.mark.anyio
GAME = "highest"
HAND = 'class="lhand'


@pytest.fixture(autouse=True)
def _with_the_toy(toys):
    assert GAME in toys


async def waiting_room(site, browser, name="Ada"):
    answer = await browser.post("/tables", data={"game": GAME, "name": name})
    assert answer.status_code == 303
    return answer.headers["location"]


def code(url):
    return url.rpartition("/")[2]


async def setup(site, url):
    return (await site.services.host.table(code(url))).setup


async def test_the_cookie_is_signed_and_no_script_or_other_site_gets_it(tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        answer = await browser.post("/tables", data={"game": GAME})
        cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("spieltisch-"))
        assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
        assert "Secure" not in cookie  # plain http
        url = answer.headers["location"]
        name, value = cookie.split("; ")[0].split("=", 1)
        key = value.partition(".")[0]
        assert len(key) == 22
        assert key not in repr(await setup(site, url))
        assert (await setup(site, url)).chairs[0].key == key_of(key)
        assert (await browser.post(f"{url}/chairs", data={"do": "bot"})).status_code == 303
        browser.cookies.clear()
        browser.cookies.set(name, f"{key}.{'A' * 22}")  # the signature is another one
        assert (await browser.post(f"{url}/start")).status_code == 403


async def test_people_sit_down_rename_leave_and_are_freed(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben, site.browser() as eve:
        url = await waiting_room(site, ada)
        assert (await ben.post("/join", data={"code": f" {code(url).lower()} "})).headers["location"] == url
        assert "sit" in str([one["action"] for one in forms((await ben.get(url)).text)])
        assert (await ben.post(f"{url}/sit", data={"name": " Ben\u202e \n Bär "})).status_code == 303
        assert [chair.name for chair in (await setup(site, url)).chairs[:2]] == ["Ada", "Ben Bär"]
        assert (await ben.post(f"{url}/sit", data={"name": "Ada"})).status_code == 303
        assert (await setup(site, url)).chairs[1].name == "Ada 2"
        assert (await eve.post(f"{url}/chairs", data={"do": "free", "seat": "1"})).status_code == 403
        assert (await ben.post(f"{url}/start")).status_code == 403
        answer = await eve.post(f"{url}/sit", data={"seat": "1"})
        assert answer.status_code == 422
        assert refused(answer.text) == "This seat is taken."
        assert (await ada.post(f"{url}/chairs", data={"do": "free", "seat": "1"})).status_code == 303
        assert (await setup(site, url)).chairs[1].kind == "free"
        assert (await ben.post(f"{url}/move", data={"question": "1", "type": "Keep"})).status_code == 403
        assert (await ben.post(f"{url}/sit", data={})).status_code == 303  # the name is remembered
        assert (await setup(site, url)).chairs[1].name == "Ada 2"
        assert (await ben.post(f"{url}/leave")).headers["location"] == "/"
        assert (await setup(site, url)).chairs[1].kind == "free"


async def test_who_has_no_seat_chooses_one_of_the_free_ones_and_gives_a_name(tmp_path):
    """Whose table it is, a name, the free seats by shape and colour, one button; all the rest is folded."""
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        url = await waiting_room(site, ada)
        page = (await eve.get(url)).text
        assert "<h2>Ada’s table</h2>" in page
        assert [(c["tag"], c.get("name"), c.get("value")) for c in form(page, "/sit")["controls"]] == [
            ("input", "name", ""),
            *(("input", "seat", seat) for seat in "123"),
            ("button", None, None),
        ]
        assert all(words in page for words in ("Square", "red", "Hexagon", "violet", "Diamond", "green"))
        seen = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)  # what is not folded
        assert "qr.svg" not in seen
        assert "Time per turn" not in seen
        # somebody else takes the seat first: the name is still there, another seat is chosen
        assert (await ben.post(f"{url}/sit", data={"name": "Ben", "seat": "1"})).status_code == 303
        answer = await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "1"})
        assert refused(answer.text) == "This seat is taken."
        assert [c.get("value") for c in form(answer.text, "/sit")["controls"]] == ["Eve", "2", "3", None]
        # who has a seat changes the name there, and is offered no other one
        own = form((await ben.get(url)).text, "/sit")
        assert [(c.get("name"), c.get("value")) for c in own["controls"]] == [("name", "Ben"), (None, None)]


async def test_where_every_chair_is_taken_but_there_is_room_a_chair_is_added(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        url = await waiting_room(site, ada)
        for _ in range(2):
            await ada.post(f"{url}/chairs", data={"do": "fewer"})
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        page = (await eve.get(url)).text
        offered = form(page, "/sit")
        assert [c.get("value") for c in offered["controls"] if c.get("name") == "seat"] == [""]
        assert "Hexagon" in page
        assert (await eve.post(f"{url}/sit", data={"name": "Eve", "seat": ""})).status_code == 303
        assert [chair.name for chair in (await setup(site, url)).chairs] == ["Ada", "Ben", "Eve"]


async def test_only_so_many_sit_and_seats_are_added_and_put_away(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = await waiting_room(site, ada)
        for do in ("fewer", "fewer"):
            assert (await ada.post(f"{url}/chairs", data={"do": do})).status_code == 303
        assert len((await setup(site, url)).chairs) == 2
        assert (await ada.post(f"{url}/chairs", data={"do": "fewer"})).status_code == 422
        answer = await ada.post(f"{url}/start")
        assert answer.status_code == 422
        assert "seat is still free" in refused(answer.text)
        for _ in range(3):
            assert (await ada.post(f"{url}/chairs", data={"do": "bot"})).status_code == 303
        chairs = (await setup(site, url)).chairs
        assert [chair.kind for chair in chairs] == ["person", "bot", "bot", "bot"]
        assert len({chair.name for chair in chairs}) == 4
        assert refused((await ada.post(f"{url}/chairs", data={"do": "bot"})).text) == "This game has no more seats."
        assert (await ada.post(f"{url}/chairs", data={"do": "bot", "seat": "17"})).status_code == 422


async def test_options_are_chosen_by_the_owner_and_read_by_others(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await waiting_room(site, ada)
        one = form((await ada.get(url)).text, "/options")
        assert [control["name"] for control in one["controls"] if "name" in control] == ["change", "turn_seconds"]
        assert (await ada.post(f"{url}/options", data={"other": ""})).status_code == 303  # nothing ticked
        assert (await setup(site, url)).top["options"] == {"change": False}
        assert (await ada.post(f"{url}/options", data={"change": "true"})).status_code == 303
        assert (await setup(site, url)).top["options"] == {}
        assert (await setup(site, url)).turn_seconds is None
        assert (await ada.post(f"{url}/options", data={"change": "true", "turn_seconds": "30"})).status_code == 303
        assert (await setup(site, url)).turn_seconds == 30.0
        answer = await ada.post(f"{url}/options", data={"change": "true", "turn_seconds": "3"})
        assert refused(answer.text) == "Choose 5 to 600 seconds, or no limit."
        assert (await ben.post(f"{url}/options", data={})).status_code == 403
        inputs = [c for one in forms((await ben.get(url)).text) for c in one["controls"] if c.get("name") == "change"]
        assert inputs == []


async def test_a_personal_link_opens_the_seat_on_another_device(tmp_path):
    async with served(tmp_path) as site, site.browser() as phone, site.browser() as laptop, site.browser() as eve:
        url = await waiting_room(site, phone)
        page = (await phone.get(url)).text
        key = re.search(r"seat#([\w-]{22})", page).group(1)
        there = await laptop.get(f"{url}/seat")
        assert there.status_code == 200
        assert key not in there.text
        one = form(there.text, f"{url}/seat")
        assert [control["name"] for control in one["controls"] if "name" in control] == ["token"]
        assert (await laptop.post(f"{url}/seat", data={"token": "A" * 22})).status_code == 403
        answer = await laptop.post(f"{url}/seat", data={"token": key})
        assert answer.headers["location"] == url
        assert "HttpOnly" in answer.headers["set-cookie"]
        assert (await laptop.post(f"{url}/sit", data={"name": "Ada L."})).status_code == 303
        assert (await setup(site, url)).chairs[0].name == "Ada L."
        assert key not in (await eve.get(url)).text  # others do not see it


async def test_another_seats_link_asks_before_it_takes_the_place_of_ones_own(tmp_path):
    """Otherwise a link could make Ben's browser forget his seat."""
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        url, table = await playing(site, ada, ben)
        keys = [site.services.seat_cookies.key(one.cookies, table.id) for one in (ada, ben)]
        answer = await ben.post(f"{url}/seat", data={"token": keys[0]})
        assert (answer.status_code, "set-cookie" in answer.headers) == (200, False)
        assert "In this browser you are Ben" in answer.text
        assert site.services.seat_cookies.key(ben.cookies, table.id) == keys[1]
        sure = {c["name"]: c["value"] for c in form(answer.text, f"{url}/seat")["controls"]}
        assert (await ben.post(f"{url}/seat", data=sure)).status_code == 303
        assert site.services.seat_cookies.key(ben.cookies, table.id) == keys[0]
        for key in (keys[0], keys[0]):  # one's own, or with none as yet: at once
            assert (await eve.post(f"{url}/seat", data={"token": key})).status_code == 303


async def test_a_key_can_be_renewed_and_the_old_one_opens_nothing_any_more(tmp_path):
    """Neither a link, a program nor an open page accepts it; the owner keeps their rights."""
    async with served(tmp_path, pause=lambda: 1e6) as site, site.browser() as ada, site.browser() as eve:
        url = (await ada.post("/play", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
        table, api = await site.services.host.table(code(url)), url.replace("/t/", "/api/tables/")
        old = site.services.seat_cookies.key(ada.cookies, table.id)
        assert (await eve.post(f"{url}/seat", data={"token": old})).status_code == 303  # she has seen the address
        async with site.line(url, eve) as line:
            assert HAND in (await line.until(lambda m: "html" in m))["html"]
            assert (await line.do("renew", []))["post"]  # a socket cannot set a cookie
            assert (await eve.get(url)).text.count('id="renew"') == 1
            renewed = await ada.post(f"{url}/renew")
            assert "Your seat has a new address." in renewed.text
            gone = (await line.until(lambda m: "html" in m and HAND not in m["html"]))["html"]
            assert refused(gone).startswith("You no longer have a seat here.")
        assert HAND not in (await eve.get(url)).text
        assert (await eve.post(f"{url}/seat", data={"token": old})).status_code == 403
        assert (await eve.post(f"{url}/renew")).status_code == 403
        new = site.services.seat_cookies.key(ada.cookies, table.id)
        assert new != old
        assert f"seat#{new}" in unescape(renewed.text)
        assert HAND in (await ada.get(url)).text
        assert table.setup.seat_log[-1].deed == "key"
        async with site.program(old) as program:
            assert (await program.get(api)).json()["view"]["own"] is None
        async with site.program(new) as program:
            again = (await program.post(f"{api}/renew")).json()
            assert again["seat"] == 0
        async with site.program(again["token"]) as program:
            assert (await program.get(api)).json()["view"]["own"] is not None
            assert (await program.post(f"{api}/pause")).status_code == 200


async def test_spectators_look_and_cannot_act(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as eve:
        url = (await ada.post("/play", data={"game": GAME})).headers["location"]
        table = await site.services.host.table(code(url))
        page = (await eve.get(url)).text
        assert "action" not in {c.get("name") for one in forms(page) for c in one["controls"]}
        sent = {"question": str(table.question(0)), "action": encode(table.legal(0)[0])}
        seq = table.seq
        assert (await eve.post(f"{url}/move", data=sent)).status_code == 403
        async with site.line(url, eve) as line:
            answer = await line.do("move", list(sent.items()))
            assert answer == {"id": 1, "ok": False, "error": "You have no seat at this table."}
            assert line.page["turn"] is False
        assert table.seq == seq
        assert (await eve.get(f"{url}/screen")).status_code == 200
        assert (await eve.get(f"{url}/qr.svg")).headers["content-type"].startswith("image/svg+xml")
        assert (await eve.get(f"{url}/record")).status_code == 422  # not over


async def finish(site, url):
    table = await site.services.host.table(code(url))
    while table.result is None:
        if table.legal(0):
            await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
        else:
            import asyncio

            await asyncio.sleep(0.001)
    return table


async def test_leaving_lets_a_bot_play_and_one_can_come_back(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": GAME})).headers["location"]
        assert (await ada.post(f"{url}/leave")).status_code == 303
        assert (await setup(site, url)).chairs[0].away
        assert (await ada.post(f"{url}/sit")).status_code == 303
        assert not (await setup(site, url)).chairs[0].away


async def test_closing_and_deleting_are_the_owners(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = (await ada.post("/play", data={"game": GAME})).headers["location"]
        assert (await ben.post(f"{url}/close")).status_code == 403
        assert (await ben.post(f"{url}/delete")).status_code == 403
        assert (await ada.post(f"{url}/close")).status_code == 303
        assert (await ada.get(url)).status_code == 200
        table = await site.services.host.table(code(url))
        sent = {"question": str(table.question(0)), "type": "Keep"}
        assert refused((await ada.post(f"{url}/move", data=sent)).text) == "This table has been closed."
        async with site.line(url, ben) as line:
            await line.until(lambda m: "html" in m)
            gone = await ada.post(f"{url}/delete")
            assert gone.headers["location"] == "/"
            assert "Max-Age=0" in gone.headers["set-cookie"]
            assert (await line.until(lambda m: "goto" in m))["goto"] == url  # which says that there is no such table
        assert (await ada.get(url)).status_code == 404


async def test_who_had_a_seat_at_a_deleted_table_is_told_so_and_has_guessed_nothing(tmp_path):
    async with served(tmp_path, limits=True) as site, site.browser() as ada, site.browser("de") as ben:
        url = await waiting_room(site, ada)
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        await ada.post(f"{url}/delete")
        for _ in range(30):
            page = await ben.get(url)
            assert (page.status_code, f"Der Tisch {code(url)} wurde gelöscht." in page.text) == (404, True)


async def test_who_loses_a_seat_is_told_so_until_they_sit_again(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        url, lost = await waiting_room(site, ada), "You no longer have a seat here."
        await ben.post(f"{url}/sit", data={"name": "Ben", "seat": "1"})
        async with site.line(url, ben) as line, site.line(url, eve) as other:
            await line.until(lambda m: "html" in m)
            await ada.post(f"{url}/chairs", data={"do": "free", "seat": "1"})
            await line.until(lambda m: lost in refused(m.get("html", "")))
            await eve.post(f"{url}/sit", data={"name": "Eve"})
            await line.until(lambda m: lost in refused(m.get("html", "")))  # the next picture says it, too
            await eve.post(f"{url}/leave")
            await ben.post(f"{url}/sit", data={"name": "Ben", "seat": "1"})
            await line.until(lambda m: lost not in m.get("html", lost))
            assert lost not in (await other.until(lambda m: "Ben" in m.get("html", "")))["html"]


async def test_home_shows_my_tables_and_forgets_what_is_gone(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        first = (await ada.post("/play", data={"game": GAME})).headers["location"]
        second = await waiting_room(site, ada)
        page = (await ada.get("/")).text
        assert first in page
        assert second in page
        await site.services.host.delete(code(first))
        answer = await ada.get("/")
        assert first not in answer.text
        assert f"spieltisch-{code(first)}" in answer.headers["set-cookie"]
        assert f"spieltisch-{code(first)}" not in str((await ada.get("/")).request.headers)


async def test_the_owner_chooses_how_well_each_bot_plays(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        answer = await ada.post("/tables", data={"game": "anno-domini", "name": "Ada"})
        url = answer.headers["location"]
        level = {"do": "level", "seat": "1", "level": "novice"}
        assert (await ada.post(f"{url}/chairs", data=level)).status_code == 422  # nobody sits there yet
        assert (await ada.post(f"{url}/chairs", data={"do": "bot", "seat": "1"})).status_code == 303
        assert (await ada.post(f"{url}/chairs", data={"do": "bot", "seat": "2"})).status_code == 303
        await ben.post(f"{url}/sit", data={"name": "Ben", "seat": "3"})
        assert "Kenner" in (await ben.get(url)).text  # if nothing is chosen
        assert "level" not in str(forms((await ben.get(url)).text))
        assert (await ben.post(f"{url}/chairs", data=level)).status_code == 403
        assert (await ada.post(f"{url}/chairs", data=level)).status_code == 303
        words = refused((await ada.post(f"{url}/chairs", data={**level, "level": "best"})).text)
        assert words == "The bots of this game have no such level."
        assert [chair.level for chair in (await setup(site, url)).chairs[1:3]] == ["novice", ""]
        assert "Neuling" in (await ben.get(url)).text
        assert (await ada.post(f"{url}/start")).status_code == 303
        assert "Neuling" in (await ben.get(url)).text  # at the seat
        assert (await ada.post(f"{url}/chairs", data={**level, "level": "chronicler"})).status_code == 422
        known = [await site.services.host.beliefs(code(url), seat) for seat in (1, 2)]
        assert [one.level for one in known] == ["novice", "connoisseur"]
