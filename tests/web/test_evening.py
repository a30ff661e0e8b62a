"""One evening, one code: games that follow each other, who begins, the countdown, old links, what is counted."""

import asyncio
import re

import pytest
from msgspec.structs import replace

from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.game import Illegal
from spieltisch.table import evening
from spieltisch.table.evening import marks_of
from spieltisch.table.log import Chair, TableSetup
from spieltisch.table.seat_keys import recognizes, seats_of
from spieltisch.web.core.http.actions import encode
from web.site import code, finished, playing, served

pytestmark = pytest.mark.anyio
GAME = "highest"


@pytest.fixture(autouse=True)
def _with_the_toy(toys):
    assert GAME in toys


async def table_of(site, url):
    return await site.services.host.table(code(url))


async def waiting_room(site, *people):
    """A table of the first one's, at which all sit; its address."""
    first, *others = people
    url = (await first.post("/tables", data={"game": GAME, "name": "Ada"})).headers["location"]
    for browser, name in zip(others, ("Ben", "Cy"), strict=False):
        await browser.post(f"{url}/sit", data={"name": name})
    return url


async def over(site, *people):
    """The same, when their first game is over."""
    url = await waiting_room(site, *people)
    await people[0].post(f"{url}/start")
    await play_on(site, url)
    return url


async def begun(site, table):
    """When the game has begun by itself."""
    for _ in range(600):
        if (await site.services.host.store.setup(table)).stage == "playing":
            return
        await asyncio.sleep(0.1)
    raise AssertionError


async def play_on(site, url):
    table = await table_of(site, url)
    while table.result is None:
        for seat in table.to_act:
            await site.services.host.answer(table.id, seat, table.question(seat), table.legal(seat)[0])


async def test_the_next_game_has_the_same_code_people_and_keys_and_the_next_one_begins(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        url = await waiting_room(site, ada, ben)
        assert (await ada.post(f"{url}/rematch")).status_code == 422  # it has not ended
        await ada.post(f"{url}/start")
        await play_on(site, url)
        first = await table_of(site, url)
        assert (await eve.post(f"{url}/rematch")).status_code == 403
        assert (await ben.post(f"{url}/rematch")).headers["location"] == f"{url}/next"
        assert (await ada.post(f"{url}/rematch")).headers["location"] == f"{url}/next"  # she wants it, too
        for browser in (ada, ben, eve):
            assert (await browser.get(f"{url}/next")).headers["location"] == f"{url}-2"
            assert (await browser.get(url)).headers["location"] == f"{url}-2"  # old links lead on
        second = await table_of(site, f"{url}-2")
        assert second.setup.stage == "playing"  # both wanted it: nobody had to wait
        assert [chair.name for chair in second.setup.chairs] == ["Ben", "Ada"]
        assert marks_of(second.setup.chairs) == [1, 0]  # each keeps shape and colour
        assert second.seal != first.seal
        for seat, browser in enumerate((ben, ada)):
            sent = {"question": str(second.question(seat)), "action": encode(second.legal(seat)[0])}
            assert (await browser.post(f"{url}-2/move", data=sent)).status_code == 303
        assert (await eve.post(f"{url}-2/start")).status_code == 403
        assert "game 2" in (await ada.get(f"{url}-2")).text
        # the first one can still be looked at, by its number too, and has its own record
        for address in (url, f"{url}-1"):
            record = (await eve.get(f"{address}/record")).json()
            assert (record["seats"], record["tags"]["seal"]) == (["Ada", "Ben"], first.seal)
            assert (await eve.get(f"{address}/replay")).status_code == 200
        assert (await eve.get(f"{url}-3")).status_code == 404
        assert (await eve.post("/join", data={"code": code(url)})).headers["location"] == url


async def test_whoever_does_nothing_plays_when_the_seconds_are_up(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        url = await over(site, ada, ben)
        async with site.line(url, ben) as line:
            await line.receive()
            await ada.post(f"{url}/rematch")
            while "goto" not in (said := await line.receive()):
                pass
            assert said["goto"] == f"{url}-2"
        page = (await ben.get(f"{url}-2")).text
        assert "Ada will noch einmal." in page
        assert "Du beginnst." in page
        assert 'data-of="10"' in page
        assert "Du bist dabei, auch wenn du nichts tust." in page
        table = await table_of(site, f"{url}-2")
        await begun(site, table.id)
        assert all(not chair.plays_itself for chair in table.setup.chairs)


async def test_who_pauses_keeps_the_seat_and_a_bot_plays_there(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben, site.browser("de") as eve:
        url = await over(site, ada, ben)
        await ada.post(f"{url}/rematch")
        assert (await eve.post(f"{url}-2/ready")).status_code == 403
        await ben.post(f"{url}-2/ready", data={"plays": "false"})
        table = await table_of(site, f"{url}-2")
        assert table.setup.stage == "playing"  # nobody is waited for
        seat = table.names.index("Ben")
        assert (table.setup.chairs[seat].away, table.setup.chairs[seat].left) == (True, True)
        page = (await ben.get(f"{url}-2")).text
        assert 'class="lhand' not in page  # nothing of the hand until they are back
        assert (await ben.post(f"{url}-2/ready")).status_code == 422  # it has begun: they come back as always
        await ben.post(f"{url}-2/sit")
        assert not table.setup.chairs[seat].plays_itself


async def test_where_everybody_pauses_it_waits(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        url = await over(site, ada, ben)
        await ada.post(f"{url}/rematch")
        await ada.post(f"{url}-2/ready", data={"plays": "false"})
        assert "Du machst Pause" not in (await ada.get(f"{url}-2")).text  # in English
        assert "You are taking a break" in (await ada.get(f"{url}-2")).text
        await ada.post(f"{url}-2/ready", data={"plays": "true"})
        assert not (await table_of(site, f"{url}-2")).setup.chairs[1].left
        for browser in (ada, ben):
            await browser.post(f"{url}-2/ready", data={"plays": "false"})
        setup = (await table_of(site, f"{url}-2")).setup
        assert (setup.stage, setup.countdown) == ("waiting", None)


async def test_whoever_opened_the_table_holds_it_for_somebody_who_comes(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as cy:
        url = await over(site, ada, ben)
        await ben.post(f"{url}/rematch")
        assert (await ben.post(f"{url}-2/hold")).status_code == 403
        await ada.post(f"{url}-2/hold")
        await cy.post(f"{url}-2/sit", data={"name": "Cy"})
        setup = (await table_of(site, f"{url}-2")).setup
        assert (setup.stage, setup.countdown) == ("waiting", None)
        assert [chair.name for chair in setup.chairs] == ["Ben", "Ada", "Cy"]
        assert marks_of(setup.chairs) == [1, 0, 2]
        await ada.post(f"{url}-2/start")
        assert (await table_of(site, f"{url}-2")).setup.stage == "playing"


async def test_a_countdown_goes_on_after_a_restart(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await over(site, ada, ben)
        await ada.post(f"{url}/rematch")
    async with served(tmp_path) as site:
        await begun(site, f"{code(url)}-2")


async def test_the_games_of_the_evening_are_counted(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada, site.browser() as ben:
        url = await waiting_room(site, ada, ben)
        await ada.post(f"{url}/start")
        won, first, address = {"Ada": 0, "Ben": 0}, [], url
        for number in range(1, 4):
            table = await table_of(site, address)
            assert {chair.name: chair.wins for chair in table.setup.chairs} == won
            assert "Heute: " not in (await ada.get(address)).text
            await play_on(site, address)
            for seat in table.result.ranking[0]:
                won[table.names[seat]] += 1
            first.append(table.names[table.result.ranking[0][0]])
            page = (await ada.get(address)).text
            said = re.search(r"Heute: ([^<]+)", page)
            assert (said is not None) == (number > 1)
            if said is not None:
                assert set(said[1].split(", ")) == {f"{name} {n}" for name, n in won.items()}
            assert (f'href="{address}/evening"' in page) == (number > 1)
            told = (await ben.get(f"{url}/evening")).text  # by any of its games' addresses
            assert re.findall(r'value="(\d+)">\s*<p><b>Highest</b>: won by (\w+)', told) == [
                (str(n), name) for n, name in enumerate(first, 1)
            ]
            ids = [evening.id_of(code(url), n) for n in range(1, number + 1)]
            assert re.findall(r"/t/([A-Z0-9-]+)/replay", told) == ids
            counted = re.findall(r"(Ada|Ben) (\d)", told.partition("Wins")[2])
            assert {name: int(n) for name, n in counted} == won
            await ada.post(f"{address}/rematch")
            address = (await ada.get(f"{address}/next")).headers["location"]
            await ben.post(f"{address}/ready")
        # who comes anew to a seat has not won yet
        await site.services.host.replace(code(address), 0, Chair("Cy", "person"))
        assert (await table_of(site, address)).setup.chairs[0].wins == 0
        # at home the evening is one table
        assert (await ada.get("/")).text.count(f'href="{url}') == 1


async def test_whoever_opened_the_table_turns_to_assisted_between_games(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben)
        await finished(site, table, FastDice(1), blind=True)
        assert 'value="assisted"' in (await ada.get(url)).text
        assert 'value="assisted"' not in (await ben.get(url)).text
        await ada.post(f"{url}/rematch", data={"mode": "assisted"})
        await ben.post(f"{url}-2/ready")
        assert (await table_of(site, f"{url}-2")).view(0).public.terms.options.mode == "assisted"


async def test_another_game_with_the_same_people_under_the_same_code(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await over(site, ada, ben)
        assert 'value="trailblaze"' in (await ada.get(url)).text
        assert 'value="trailblaze"' not in (await ben.get(url)).text
        assert (await ben.post(f"{url}/rematch", data={"game": "trailblaze"})).status_code == 403
        assert (await ada.post(f"{url}/rematch", data={"game": "chess"})).status_code == 422
        assert (await ada.post(f"{url}/rematch", data={"game": "adaman"})).status_code == 422  # for one
        await ada.post(f"{url}/rematch", data={"game": "trailblaze"})
        table = await table_of(site, f"{url}-2")
        assert (table.package.name, table.setup.stage, table.setup.countdown) == ("trailblaze", "waiting", None)
        assert [chair.name for chair in table.setup.chairs] == ["Ben", "Ada", "", ""]
        await ada.post(f"{url}-2/options", data={"way": "children"})
        chosen = (await table_of(site, f"{url}-2")).setup.top
        await ada.post(f"{url}-2/start")
        await finished(site, await table_of(site, f"{url}-2"), FastDice(1))
        await ada.post(f"{url}-2/rematch", data={"game": GAME})
        await ada.post(f"{url}-3/start")
        await play_on(site, f"{url}-3")
        assert (await table_of(site, f"{url}-3")).setup.stage == "over"
        await ada.post(f"{url}-3/rematch", data={"game": "trailblaze"})  # with what was chosen there last
        assert (await table_of(site, f"{url}-4")).setup.top == chosen


async def test_the_screen_goes_along(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await over(site, ada, ben)
        async with site.line(url, screen=True) as line:
            await line.receive()
            await ada.post(f"{url}/rematch")
            while "goto" not in (said := await line.receive()):
                pass
            assert said["goto"] == f"{url}-2/screen"
        screen = (await ben.get(f"{url}/screen")).headers["location"]
        page = (await ben.get(screen)).text
        assert "Ada wants to play again." in page
        assert "Game 2 of the evening" in page
        assert "<button" not in page
        assert "<form" not in page


async def test_with_the_table_the_whole_evening_is_deleted(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await over(site, ada, ben)
        await ada.post(f"{url}/rematch")
        assert (await ben.post(f"{url}-2/delete")).status_code == 403
        await ada.post(f"{url}-2/delete")
        assert list(await site.services.host.store.games(code(url))) == []
        for address in (url, f"{url}-2"):
            assert (await ada.get(address)).status_code == 404


async def test_a_renewed_key_opens_all_games_of_the_evening_and_the_old_one_none(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await over(site, ada, ben)
        await ada.post(f"{url}/rematch")
        await ben.post(f"{url}-2/ready")
        old = dict(ben.cookies)
        await ben.post(f"{url}-2/renew")
        for address in (url, f"{url}-2"):
            table, keys = await table_of(site, address), site.services.seat_cookies
            assert seats_of(table.setup, keys.key(ben.cookies, table.id))
            assert not recognizes(table.setup, keys.key(old, table.id))


async def test_the_code_leads_on_when_the_first_game_is_forgotten(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url = await over(site, ada, ben)
        await ada.post(f"{url}/rematch")
        await ben.post(f"{url}-2/ready")
        await site.services.host.delete(code(url))  # as when its time is over
        page = await ben.get(url)
        assert page.status_code == 200
        assert f"{url}-2" in page.text
        assert f'href="{url}-2"' in (await ben.get("/")).text


async def test_games_for_one_have_a_code_each(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman"})).headers["location"]
        await finished(site, await table_of(site, url), FastDice(1))
        assert (await ada.post(f"{url}/rematch")).headers["location"] == f"{url}/next"
        other = (await ada.get(f"{url}/next")).headers["location"]
        assert "-" not in other
        assert other != url
        assert (await ada.get(url)).status_code == 200  # it can be tried again: nothing leads away from it
        assert (await table_of(site, other)).setup.stage == "playing"
        assert "spieltisch-" + code(other) in ada.cookies


async def test_a_browser_s_next_table_has_the_options_of_its_last_one(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:

        async def opened(browser, game="anno-domini", at="/tables"):
            return (await table_of(site, (await browser.post(at, data={"game": game})).headers["location"])).setup

        default = await opened(ada)
        url = f"/t/{default.id}"
        await ada.post(f"{url}/options", data={"way": "children"})
        await ada.post(f"{url}/options", data={"seconds": "30", "turn_seconds": "120"})
        chosen = (await table_of(site, url)).setup
        assert chosen.top != default.top
        for at in ("/tables", "/play"):
            again = await opened(ada, at=at)
            assert (again.top, again.answer_seconds, again.turn_seconds) == (chosen.top, 30.0, 120.0)
        assert (await opened(ada, "trailblaze")).top == (await opened(ben, "trailblaze")).top
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        assert (await opened(ben)).top == default.top  # it was not Ben who chose


async def test_options_that_do_not_go_any_more_are_forgotten(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/tables", data={"game": "anno-domini"})).headers["location"]
        table, store = (await table_of(site, url)).setup, site.services.host.store
        for top in ({**table.top, "deck": ["gone"]}, {**table.top, "options": {"of": "long ago"}}):
            now = await store.setup(table.id)
            assert await store.save(replace(now, top=top, rev=now.rev + 1))
            answer = await ada.post("/tables", data={"game": "anno-domini"})
            assert answer.status_code == 303
            opened = (await table_of(site, answer.headers["location"])).setup
            assert opened.top == table.top
            await site.services.host.delete(opened.id)


def test_too_many_people_are_told_and_bots_make_room():
    package = games.package("trailblaze")  # for 6
    people = tuple(Chair(str(n), "person", f"key {n}") for n in range(5))
    bots = tuple(Chair(f"bot {n}", "bot") for n in range(4))
    found = evening.next_chairs(package, TableSetup("ABCD2345", GAME, {}, (*people, *bots)), [0] * 9, 2)
    assert [chair.name for chair in found] == ["1", "2", "3", "4", "bot 0", "0"]
    assert max(marks_of(found)) < 6
    with pytest.raises(Illegal, match="this game is for"):
        evening.next_chairs(package, TableSetup("ABCD2345", GAME, {}, (*people, *people)), [0] * 10, 2)
