"""Deals by their number: labels before the first move, not in the middle; races; the cards that one chooses."""

import datetime as dt
import html
import re
import secrets
from types import SimpleNamespace

import pytest

from spieltisch import dice, games
from spieltisch.dice import FastDice
from spieltisch.games.adaman.daily import Daily
from spieltisch.table import lobby
from spieltisch.web.core import opening
from spieltisch.web.core.renderer import qr
from web.site import code, finished, forms, served

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]  # the first of them all compiles the kernels


async def label(browser, number, preset=""):
    """What the page says of a deal, as soon as it is worked out."""
    while True:
        page = await browser.get(f"/deals/adaman?n={number}&preset={preset}")
        assert page.status_code == 200
        if 'role="status"' not in page.text:
            found = re.search(r'id="label"[^>]*>([^<]+)<', page.text)
            return found and found[1]


async def test_a_label_stands_beside_the_number_and_nowhere_in_the_middle_of_the_game(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        today = Daily().number(dt.date(2027, 3, 1))
        assert await label(ada, today) == "proven winnable"
        found = {number: await label(ada, number) for number in range(1, 13)}
        assert set(found.values()) == {"proven winnable", "proven lost"}
        lost = next(number for number, said in found.items() if said == "proven lost")
        assert await label(ben, lost) == "nachweislich verloren"
        url = (await ada.post("/play", data={"game": "adaman", "deal": str(lost)})).headers["location"]
        assert await label(ada, lost) == "proven lost"  # no move has been made
        table = await site.services.host.table(code(url))
        await site.services.host.answer(table.id, 0, table.question(0), table.legal(0)[0])
        assert await label(ada, lost) is None
        for page in (url, "/"):
            assert "proven lost" not in (await ada.get(page)).text
        await finished(site, table, FastDice(1))
        assert await label(ada, lost) == "proven lost"


async def test_with_other_cards_it_is_another_deal(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        sent = {"game": "adaman", "deal": "5", "preset": "extended"}
        url = (await ada.post("/play", data=sent)).headers["location"]
        table = await site.services.host.table(code(url))
        assert len(table.view(0).public.deck.cards) == 45
        assert table.setup.deal == 5
        page = (await ada.get("/deals/adaman?n=x")).text
        assert (await ada.get("/deals/adaman?deal=x")).text == page
        assert "one to twelve digits" in page
        assert (await ada.get("/deals/anno-domini")).status_code == 404
        assert (await ada.get("/deals/nothing")).status_code == 404


async def test_a_race_is_the_same_deal_for_all_who_have_the_link(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben, site.browser() as eve:
        there = (await ada.post("/play", data={"game": "adaman", "race": "new", "name": "Ada"})).headers["location"]
        assert there.endswith("/race")
        page = (await ben.get(there)).text
        form = next(one for one in forms(page) if any(c.get("name") == "race" for c in one["controls"]))
        sent = {c["name"]: c.get("value", "") for c in form["controls"] if c.get("name")} | {"name": "Ben"}
        url = (await ben.post("/play", data=sent)).headers["location"]
        first = await site.services.host.table(code(there.removesuffix("/race")))
        second = await site.services.host.table(code(url))
        assert first.setup.deal == second.setup.deal > 0
        one, other = (t.view(None).public for t in (first, second))
        for row in ("capital", "resources", "palace"):
            assert [one.deck.cards[n].id for n in getattr(one, row)] == [
                other.deck.cards[n].id for n in getattr(other, row)
            ]
        await finished(site, second, FastDice(2))
        told = [(await one.get(f"{url}/race")).text for one in (ada, ben, eve)]
        for page in told:
            assert "Ada" in page
            assert "Ben" in page
            rows = re.findall(r"<li>\s*<b>(\w+)</b>", page)
            assert rows == ["Ben", "Ada"]  # who has ended stands before who still plays
        assert 'id="mine"' in told[0]
        assert 'id="join"' in told[2]
        assert "/race" in (await ben.get(url)).text
        alone = (await eve.post("/play", data={"game": "adaman"})).headers["location"]
        assert (await eve.get(f"{alone}/race")).status_code == 422
        answer = await eve.post("/play", data={"game": "adaman", "race": code(alone)})
        assert answer.status_code == 422


async def test_a_race_has_a_first_move(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.browser() as ada:
        lost, numbers = 0, iter(range(1, 200))
        monkeypatch.setattr(lobby.secrets, "randbelow", lambda most: next(numbers) - 1)
        while not lost:  # somebody who asks for a number gets its deal, lost or not
            number = next(numbers)
            url = (await ada.post("/play", data={"game": "adaman", "deal": str(number)})).headers["location"]
            lost = 0 if (await site.services.host.table(code(url))).to_act else number
        numbers = iter([lost, lost, 7])
        there = (await ada.post("/play", data={"game": "adaman", "race": "new"})).headers["location"]
        assert (await site.services.host.table(code(there.removesuffix("/race")))).setup.deal == 7


async def test_a_game_without_a_number_has_a_first_move(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.browser() as ada:
        for number in range(1, 200):
            url = (await ada.post("/play", data={"game": "adaman", "deal": str(number)})).headers["location"]
            if not (await site.services.host.table(code(url))).to_act:
                break
        lost, good = dice.numbered("adaman", number), dice.numbered("adaman", 7)
        drawn = iter([lost, lost, good])
        dice_of_tables = SimpleNamespace(choice=secrets.choice, token_bytes=lambda _: next(drawn))
        monkeypatch.setattr(lobby, "secrets", dice_of_tables)
        url = (await ada.post("/play", data={"game": "adaman"})).headers["location"]
        table = await site.services.host.table(code(url))
        assert table.to_act
        assert table.setup.header.seal == dice.seal(good)


async def test_games_of_several_have_no_numbers(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        for game in games.packages():
            answer = await ada.post("/play", data={"game": game, "race": "new"})
            assert answer.status_code == (303 if game == "adaman" else 422)


async def test_a_deal_that_can_be_won_is_found_and_none_is_promised_that_cannot(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben:
        drawn = iter([7, 8, 9, 10, 11, 12, 1])
        said = {number: await label(ada, number) == "proven winnable" for number in (7, 8, 9, 10, 11, 12, 1)}
        first = next(number for number, won in said.items() if won)
        monkeypatch.setattr(lobby, "random_deal", lambda *_: next(drawn))
        sent = {"game": "adaman", "deal": "winnable"}
        for more, racing in (({}, False), ({"race": "new"}, True)):  # a race begins with its own page
            url = (await ada.post("/play", data=sent | more)).headers["location"]
            table = await site.services.host.table(code(url.removesuffix("/race")))
            assert said[table.setup.deal]
            assert bool(table.setup.race) == racing
            assert racing or table.setup.deal == first
        for game in ("adaman", "hic-haec-hoc"):  # in no time, and of a game of which nothing is known
            monkeypatch.setattr(opening, "PATIENCE", 0.0 if game == "adaman" else 45.0)
            answer = await ben.post("/play", data=sent | {"game": game})
            assert answer.status_code == 422
            assert "keine gewinnbare Partie" in answer.text


async def test_a_race_is_entered_by_a_picture_too(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/play", data={"game": "adaman", "race": "new"})).headers["location"]
        page = (await ada.get(url)).text
        (address,) = re.findall(r'class="small seatlink">\s*<a href="([^"]+)"', page)
        assert qr(html.unescape(address)) in page


@pytest.mark.parametrize("preset", ["excuse", "extended"])
async def test_a_new_game_is_of_the_kind_that_was_chosen_last(tmp_path, preset):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:

        async def opened(browser, **sent):
            url = (await browser.post("/play", data={"game": "adaman"} | sent)).headers["location"]
            return await site.services.host.table(code(url))

        first = await opened(ada, preset=preset)
        cards = len(first.view(0).public.deck.cards)
        assert cards > 36
        assert f'<option value="{preset}" selected>' in (await ada.get("/deals/adaman")).text
        await opened(ada, deal=str(Daily().number(dt.date(2027, 3, 1))))  # the deal of the day is no choice of cards
        await opened(ada, deal="5", preset="easy")  # nor is one of somebody else
        assert len((await opened(ada)).view(0).public.deck.cards) == cards
        assert len((await opened(ada, preset="basic")).view(0).public.deck.cards) == 36
        assert len((await opened(ada)).view(0).public.deck.cards) == 36
        assert len((await opened(ben)).view(0).public.deck.cards) == 36


async def test_who_wants_deals_that_can_be_won_gets_them_next_time_and_after_the_game(tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.browser() as ada:
        asked = []

        async def winnable(_package, top, number, _seconds):
            asked.append((top.get("options", {}), number))
            return True

        monkeypatch.setattr(site.services.analysis, "label", winnable)
        sent = {"game": "adaman", "deal": "winnable", "preset": "excuse"}
        url = (await ada.post("/play", data=sent)).headers["location"]
        await finished(site, await site.services.host.table(code(url)), FastDice(1))
        onward = (await ada.get((await ada.post(f"{url}/rematch")).headers["location"])).headers["location"]
        again = (await ada.post("/play", data={"game": "adaman"})).headers["location"]
        for n, there in enumerate((url, onward, again)):
            setup = (await site.services.host.table(code(there))).setup
            assert setup.winnable
            assert asked[n] == (setup.top["options"], setup.deal) == ({"extra": ["excuse"]}, setup.deal)
        url = (await ada.post("/play", data={"game": "adaman", "preset": "excuse"})).headers["location"]
        assert (await site.services.host.table(code(url))).setup.deal == 0
        assert len(asked) == 3
