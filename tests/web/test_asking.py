"""Somebody else's seat in a running game: where hands are hidden it is to be had with leave only, whichever way one
comes; where they lie open, without. What a stranger could do with a table's code is tried here.
"""

import re

import pytest

from spieltisch.web.core.presence import ASKED, LONG, OWNER
from web.site import code, forms, playing, refused, served

pytestmark = pytest.mark.anyio
HAND = 'class="lhand'
LOG = re.compile(r"</time>\s+<span>([^<]*?)(?:\s+<span class=\"dim\">\((.*?)\)</span>)?\s*</span>\s*</li>")
ASKS = "Eve asks for {name}’s seat."


def still(tmp_path, **more):
    """A site whose bots think for ever."""
    return served(tmp_path, pause=lambda: 1e6, **more)


def number(page):
    """What the prompt on this page asks."""
    found = re.search(r'name="ask" value="(\d+)"', page)
    return None if found is None else found[1]


async def admit(browser, url, *, yes=True):
    asked = number((await browser.get(url)).text)
    return await browser.post(f"{url}/admit", data={"ask": asked, "yes": "true" if yes else "false"})


@pytest.mark.parametrize("way", ["form", "script", "socket", "program", "old program"])
async def test_nobody_gets_a_bots_hand_without_leave(way, tmp_path):
    """Eve has only the table's code: no way leads to the seat before Ada agrees."""
    async with still(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as eve:
        url, table = await playing(site, ada, ben, bots=1)
        api, bot = url.replace("/t/", "/api/tables/"), table.setup.chairs[2].name
        fields, token = {"name": "Eve", "seat": "2"}, ""
        if way == "form":
            assert (await eve.post(f"{url}/sit", data=fields)).headers["location"] == url
        elif way == "script":
            assert (await eve.post(f"{url}/sit", json=fields, headers={"accept": "text/html"})).status_code == 200
        elif way == "socket":  # with a key that is known at the table: it has asked before
            await eve.post(f"{url}/sit", data=fields)
            async with site.line(url, eve) as line:
                assert not (await line.do("sit", list(fields.items())))["ok"]
                assert HAND not in line.page.get("html", "")
        else:
            async with site.program() as program:
                to = f"{api if way == 'program' else url}/sit"
                answer = (await program.post(to, json={"name": "Eve", "seat": 2})).json()
                token = answer["token"]
                assert answer["seat"] is None
        assert table.setup.chairs[2].kind == "bot"
        assert HAND not in (await eve.get(url)).text
        async with site.program(token or site.services.seat_cookies.key(eve.cookies, table.id)) as program:
            seen = (await program.get(api)).json()
            assert (seen["seat"], seen["view"]["own"]) == (None, None)
            if way in {"program", "old program"}:
                assert seen["asked"] == 2
        if way == "script":  # which tells nobody the key
            return
        assert number((await ben.get(url)).text) is None
        assert (
            await ben.post(f"{url}/admit", data={"ask": number((await ada.get(url)).text), "yes": "true"})
        ).status_code == 403
        assert (await admit(ada, url)).status_code == 303
        assert (table.setup.chairs[2].name, table.setup.chairs[2].kind, table.setup.asks) == ("Eve", "person", ())
        async with site.program(token or site.services.seat_cookies.key(eve.cookies, table.id)) as program:
            assert (await program.get(api)).json()["view"]["own"] is not None
        assert bot not in table.names


async def test_the_prompt_comes_live_and_the_answer_is_shown_to_both(tmp_path):
    async with still(tmp_path) as site, site.browser() as ada, site.browser("de") as ben, site.browser() as eve:
        url, table = await playing(site, ada, ben, bots=2)
        bots = table.names[2:]
        async with site.line(url, ada) as line, site.line(url, ben) as bens, site.line(url, screen=True) as screen:
            for one in (line, bens, screen):
                await one.until(lambda m: "html" in m)
            await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "2"})
            page = (await eve.get(url)).text
            assert f"You have asked for {bots[0]}’s seat." in page
            assert "Ada has to say yes." in page
            assert "join-in" not in page
            asked = await line.until(lambda m: number(m.get("html", "")))
            assert ASKS.format(name=bots[0]) in asked["html"]
            assert asked["alert"].endswith(ASKS.format(name=bots[0]))
            async with site.line(url, eve) as waiting:
                await waiting.until(lambda m: "html" in m)
                no = await line.do("admit", [["ask", number(asked["html"])], ["yes", "false"]])
                assert (no["ok"], no["note"]) == (True, "Eve knows that you said no.")
                await waiting.until(lambda m: f"The answer was no. {bots[0]}’s seat stays" in m.get("html", ""))
                assert (await waiting.do("sit", [["seat", "3"]]))["error"].startswith("The answer was no.")
            async with site.browser() as joe:
                await joe.post(f"{url}/sit", data={"name": "Joe", "seat": "3"})
                asked = await line.until(lambda m: number(m.get("html", "")))
                async with site.line(url, joe) as waiting:
                    await waiting.until(lambda m: "html" in m)
                    assert (await line.do("admit", [["ask", number(asked["html"])], ["yes", "true"]]))["ok"]
                    await waiting.until(lambda m: HAND in m.get("html", ""))
                said = f"Joe spielt jetzt für {bots[1]}."
                assert said in (await bens.until(lambda m: "Joe" in m.get("say", "")))["say"]
            assert not any("asks for" in m.get("html", "") or "bittet" in m.get("html", "") for m in bens.heard)
            assert not any("asks for" in m.get("html", "") for m in screen.heard)


async def test_nobody_gives_an_absent_persons_seat_away_but_who_may(tmp_path, clock):
    """Ben can neither offer Ada's hand while she is away nor take it on his own device. Her return ends any request."""
    async with (
        still(tmp_path, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
    ):
        url, table = await playing(site, ada, ben)
        await ada.get(url)
        clock.time += LONG
        for seat, do in ((0, "offer"), (0, "keep")):
            assert (await ben.post(f"{url}/chairs", data={"seat": str(seat), "do": do})).status_code == 403
        await ben.post(f"{url}/chairs", data={"do": "person", "name": "Zoe", "seat": "0"})
        await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "0"})
        assert table.names == ("Ada", "Ben")
        assert number((await ben.get(url)).text) is None
        page = (await ada.get(url)).text  # she is back: nobody asks for her seat any more
        assert number(page) is None
        ask = str(table.setup.asks[-1].number)
        answer = await ada.post(f"{url}/admit", data={"ask": ask, "yes": "true"})
        assert refused(answer.text) == "Nobody is asking for this seat any more."
        answer = await eve.post(f"{url}/sit", data={"seat": "0"})
        assert refused(answer.text) == "This seat is taken."


async def test_a_seat_beside_ones_own_needs_leave_too(tmp_path):
    """Otherwise the neighbour would look into a bot's hand."""
    async with still(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben, bots=1)
        beside = {"do": "person", "name": "Zoe", "seat": "2"}
        assert (await ben.post(f"{url}/chairs", data=beside)).status_code == 303
        assert table.setup.chairs[2].kind == "bot"
        assert "Ada has to say yes." in (await ben.get(url)).text
        assert (await admit(ada, url)).status_code == 303
        assert table.setup.chairs[2].name == "Zoe"
        assert table.setup.chairs[2].key == table.setup.chairs[1].key


async def test_who_has_left_may_say_yes_and_who_opened_the_table_gives_seats_to_whoever_comes(tmp_path):
    async with (
        still(tmp_path) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
        site.browser() as joe,
    ):
        url, table = await playing(site, ada, ben, bots=1)
        await ben.post(f"{url}/leave")
        await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "1"})
        assert number((await ada.get(url)).text)
        assert (await admit(ben, url)).status_code == 303
        assert table.setup.chairs[1].name == "Eve"
        assert 'id="offer-2"' not in (await eve.get(url)).text
        assert (await eve.post(f"{url}/chairs", data={"seat": "2", "do": "offer"})).status_code == 403
        assert 'id="offer-2"' in (await ada.get(url)).text
        assert (await ada.post(f"{url}/chairs", data={"seat": "2", "do": "offer"})).status_code == 303
        assert (await joe.post(f"{url}/sit", data={"name": "Joe", "seat": "2"})).status_code == 303
        assert table.names == ("Ada", "Eve", "Joe")


async def test_while_who_opened_the_table_is_away_who_has_sat_longest_decides(tmp_path, clock):
    async with (
        still(tmp_path, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as cy,
        site.browser() as eve,
    ):
        url = (await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
        for name, browser, seat in (("Ben", ben, "2"), ("Cy", cy, "1")):
            clock.time += 1
            await browser.post(f"{url}/sit", data={"name": name, "seat": seat})
        await ada.post(f"{url}/chairs", data={"do": "bot"})
        await ada.post(f"{url}/start")
        table = await site.services.host.table(code(url))
        presence, keys = site.services.presence, {chair.key: chair.name for chair in table.setup.chairs}
        async with site.line(url, ben) as bens, site.line(url, cy) as cys:
            for one in (bens, cys):
                await one.until(lambda m: "html" in m)
            clock.time += OWNER - 1
            await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "3"})
            assert keys[presence.attendance(table.setup).deputy] == "Ada"
            assert number((await ben.get(url)).text) is None
            clock.time += 1  # Ben was the first to sit down, though Cy's seat comes before his
            assert keys[presence.attendance(table.setup).deputy] == "Ben"
            site.services.host.hub.wake(table.id, 0)
            await bens.until(lambda m: number(m.get("html", "")))
            assert number((await cy.get(url)).text) is None
            await ada.get(url)  # she is back
            assert number((await ben.get(url)).text) is None
            assert (await admit(ada, url)).status_code == 303
            assert "Eve" in table.names


@pytest.mark.parametrize("game", ["anno-domini", "trailblaze"])
async def test_where_hands_lie_open_nobodys_leave_is_needed(game, tmp_path, clock):
    async with (
        still(tmp_path, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
        site.browser() as joe,
    ):
        url, table = await playing(site, ada, ben, bots=1, game=game)
        await ben.get(url)
        answer = await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "1"})
        assert refused(answer.text) == "This seat is taken."  # he is here
        assert (await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "2"})).status_code == 303
        clock.time += LONG
        assert (await joe.post(f"{url}/sit", data={"name": "Joe", "seat": "1"})).status_code == 303
        assert table.names == ("Ada", "Joe", "Eve")
        assert (await ben.post(f"{url}/sit")).status_code == 303  # and it is his all the same
        assert table.names == ("Ada", "Ben", "Eve")


async def test_a_stranger_cannot_spam(tmp_path, clock):
    """One question each, four a table, each for two minutes, and not again at once after a no."""
    async with still(tmp_path, clock=clock, limits=True) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben, bots=1)
        strangers = [site.browser() for _ in range(9)]
        eve = strangers[0]
        assert (await eve.post(f"{url}/sit", data={"name": "Eve"})).status_code == 303
        assert refused((await eve.post(f"{url}/sit", data={})).text) == "You have already asked. Please wait."
        await ada.get(url)
        await admit(ada, url, yes=False)
        words = refused((await eve.post(f"{url}/sit", data={})).text)
        assert words == "The answer was no. Please wait before you ask again."
        for one in strangers[1:5]:
            assert (await one.post(f"{url}/sit", data={"name": "Joe"})).status_code == 303
        answer = await strangers[5].post(f"{url}/sit", data={"name": "Joe"})
        assert refused(answer.text) == "Several people are already asking. Please wait a moment."
        assert (await ada.get(url)).text.count('name="ask"') == 4
        clock.time += ASKED
        page = (await ada.get(url)).text
        assert not [one for one in forms(page) if (one["action"] or "").endswith("/admit")]
        assert (await eve.post(f"{url}/sit", data={})).status_code == 303  # the sixth question from this address
        answer = await strangers[6].post(f"{url}/sit", data={})
        assert answer.status_code == 429
        assert len(table.setup.asks) == 1
        for one in strangers:
            await one.aclose()


async def test_every_change_of_seats_is_told_to_all_and_those_who_play_read_the_log(tmp_path, clock):
    async with (
        still(tmp_path, clock=clock) as site,
        site.browser() as ada,
        site.browser("de") as ben,
        site.browser() as eve,
        site.browser() as watching,
    ):
        url, table = await playing(site, ada, ben, bots=1)
        bot = table.setup.chairs[2].name
        await ben.get(url)
        clock.time += LONG
        await ada.post(f"{url}/chairs", data={"seat": "1", "do": "bot"})
        await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "2"})
        await admit(ada, url)
        await ben.get(url)
        changes = ["A bot plays on for Ben.", f"Eve now plays for {bot}.", "Ben is back."]
        for browser in (ada, eve, watching):
            story = (await browser.get(url)).text.partition('class="story')[2].partition("</ol>")[0]
            assert re.findall("<li>(.*?)</li>", story)[:3] == changes[::-1]
        logs = {one: LOG.findall((await one.get(url)).text) for one in (ada, ben, eve, watching)}
        assert logs[watching] == []
        assert [words for words, _ in logs[eve]][:3] == changes[::-1]
        assert logs[ada] == logs[eve]
        assert [by for _, by in logs[ada]][:3] == ["", "Ada", "Ada"]
        assert [words for words, _ in logs[ben]][1] == f"Eve spielt jetzt für {bot}."
