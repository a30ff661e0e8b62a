"""Numbered deals in a browser: the label, the statistics of one's own device, quiet mode, a race, looking back."""

import datetime as dt
import functools
import re

import pytest

from browser import checks
from browser.play import look_back
from spieltisch.dice import FastDice
from spieltisch.games.adaman.daily import Daily
from web.site import code, finished

pytestmark = pytest.mark.timeout(600)  # the first answer waits for compiled kernels

COUNTED = "() => [...document.querySelectorAll('[data-kind=all] td')].map((one) => one.textContent)"


async def counted(page):
    """What the page of the deals tells of one's games, as soon as it tells it."""
    await page.goto("/deals/adaman")
    await page.locator("#stats").wait_for()
    return await page.evaluate(COUNTED)


async def test_a_game_counts_once_under_the_label_of_its_deal(site, visit):
    async with visit(site.origin) as page:
        page.set_default_timeout(240_000)
        found = []
        assert await counted(page) == ["0", "0", "–"]
        await page.locator("#n").fill("1")
        await page.locator("#n").press("Enter")
        await page.locator("#deal").wait_for()
        while not await page.locator("#label").count():
            await page.reload()
        assert await page.locator("#label").text_content() == "proven winnable"
        found += await checks.everything(page, "deals", (320, 390, 1280))
        await page.locator("#play").click()
        await page.locator("#table[data-ready]").wait_for()
        table = await site.services.host.table(code(page.url))
        await finished(site, table, FastDice(1))
        await page.locator("#over").wait_for()
        # the label comes as soon as it has been worked out
        await page.wait_for_function("() => Object.values(JSON.parse(localStorage['games-adaman']))[0][1] === 'yes'")
        await look_back(page)
        await page.locator("#label").wait_for()
        won = int(table.result.end == "won")
        assert await counted(page) == ["1", str(won), str(100 * won)]
        assert await page.locator("[data-kind=yes] [data-what=played]").text_content() == "1"
        await page.locator("[data-setting=quiet]").check()
        assert not await page.locator("#stats table").is_visible()
        await page.goto(f"/t/{table.id}")
        await page.locator("#table[data-ready]").wait_for()
        assert await page.locator(".counted").count()
        assert not await page.locator(".counted:visible").count()
        assert not found, "\n".join(found)


async def looked_at(page, n):
    """Wait until this move is looked at, everywhere on the page; where it stands in the course, in percent."""
    await page.wait_for_function("(n) => document.getElementById('step').value === n", arg=str(n))
    await page.wait_for_function("(n) => document.querySelector('.where').textContent.includes(`Zug ${n} von`)", arg=n)
    row = page.locator("#moves > [aria-current]")
    assert await row.locator(".no").text_content() == str(n)
    name = await row.locator("a b").text_content()
    assert name in await page.locator("#look .legend").text_content()
    assert await page.locator(f".dcard.tgt:has-text('{name}')").count() == 1
    assert await page.locator(".dcard.paid").count() >= 1
    before, after = re.split(r"\s*→\s+auf\s+", (await row.locator(".ch").text_content()).strip())
    words = await page.locator("#look .counted").text_content()
    assert f"{before}\u00a0% vor dem Zug, {after} mit ihm." in words
    assert "Mit dem besseren Zug:" not in words or f"Mit dem besseren Zug: {before}\u00a0%." in words
    assert f"move={n}" in page.url
    return float((await page.locator(".plot .now").get_attribute("x1")).rstrip("%"))


async def test_a_game_is_looked_back_at_move_by_move(site, visit):
    """Board, course, list and words go together, by button, slider, key, list and curve; a new try begins anywhere."""
    async with visit(site.origin, lang="de", phone=True) as page:
        page.set_default_timeout(240_000)
        answer = await page.request.post("/play", form={"game": "adaman", "deal": "3"}, headers={"origin": site.origin})
        table = await site.services.host.table(code(answer.url))
        await finished(site, table, FastDice(1))
        await page.goto(f"/t/{table.id}")
        await look_back(page)
        await page.locator("#table[data-ready]").wait_for()
        moves, whole = table.seq - 1, await site.services.host.replay(table.id)
        assert await page.locator("#moves > li").count() == moves
        for change in await page.locator("#moves .ch").all_text_contents():
            before, after = map(int, re.findall(r"\d+", change))
            assert before >= after  # no move is better than the best one
        turning = int(await page.locator("#step").input_value())
        assert f"Zug {turning} war der Wendepunkt." in await page.locator("#look").text_content()

        shows = functools.partial(looked_at, page)
        await page.locator("#step").fill("2")
        await shows(2)
        await page.locator("#first").tap()
        first = await shows(1)
        still = await page.evaluate("scrollY")
        await page.locator("#on").tap()
        assert await shows(2) > first
        assert await page.evaluate("scrollY") == still
        assert await page.evaluate("document.activeElement.id") == "on"
        await page.keyboard.press("ArrowLeft")
        await shows(1)
        await page.locator("#step").fill("3")
        await shows(3)
        await page.locator(f"#move-{moves}").tap()
        await shows(moves)
        await page.locator("#plot").evaluate("(one) => one.scrollIntoView({ block: 'center' })")
        box = await page.locator("#plot").bounding_box()
        await page.touchscreen.tap(box["x"] + box["width"] * 3.5 / moves, box["y"] + box["height"] / 2)
        await shows(4)
        await page.evaluate("scrollTo(0, 0)")
        await page.locator("#turning").tap()
        await shows(turning)
        for found in await checks.everything(page, "look back", (320, 390, 768, 1280)):
            pytest.fail(found)
        await page.locator("#step").fill("3")
        await shows(3)
        await page.locator("#retry").tap()
        await page.locator("#table[data-ready] #dock").wait_for()
        assert table.view(0) == whole.at(3).view(0)


async def test_the_deal_of_the_day_ends_with_its_week_a_row_of_wins_and_a_text_that_tells_no_card(site, visit):
    today, yesterday = (Daily().number(dt.date(2027, 3, day)) for day in (2, 1))
    async with visit(site.origin, lang="de", phone=True) as page:
        page.set_default_timeout(240_000)
        await page.goto("/")
        await page.evaluate(
            "(deal) => { localStorage['games-adaman'] = JSON.stringify({ OLD: [1, 'yes', 0, deal] }) }", yesterday
        )
        answer = await page.request.post(
            "/play", form={"game": "adaman", "deal": str(today)}, headers={"origin": site.origin}
        )
        table = await site.services.host.table(code(answer.url))
        await page.goto(f"/t/{table.id}")
        assert not await page.locator("#daily").count()
        await finished(site, table, FastDice(1))
        await page.locator("#chances").wait_for()
        won = table.result.end == "won"
        assert await page.locator(".ticks7 li").count() == 7
        last = page.locator(".ticks7 li").last
        assert await last.get_attribute("aria-current") == "true"
        assert await last.get_attribute("class") == ("won" if won else "lost")
        assert await page.locator("#row").text_content() == (
            f"Siege in Folge: {2 if won else 0}. Längste Serie: {2 if won else 1}."
        )
        first, least = await page.locator("#chances dd").all_text_contents()
        assert 0 < int(first.removesuffix("\u00a0%")) < 100
        assert await page.locator("#chances > div").nth(1).is_visible() == won
        assert int(least.removesuffix("\u00a0%")) <= 100
        text = await page.locator("#daily [data-copy]").get_attribute("data-copy")
        said, ticks, address = text.splitlines()
        assert f"{table.result.scores[0]} Punkt" in said
        assert ticks == f"– – – – – ✓ {'✓' if won else '✗'}"
        assert address == f"{site.origin}/daily/adaman/2027-03-02"
        names = {card.name["de"] for card in table.view(0).public.deck.cards}
        assert not any(name in said.replace("Adaman", "") for name in names - {"Ende"})
        found = await checks.everything(page, "the day's end", (320, 390, 1280))
        assert not found, "\n".join(found)


async def test_a_deal_that_can_be_won_with_the_cards_that_one_chooses(site, visit):
    async with visit(site.origin, lang="de", phone=True) as page:
        page.set_default_timeout(240_000)
        await page.goto("/deals/adaman")
        await page.locator("#preset").select_option("easy")
        await page.locator("#winnable").tap()
        await page.locator("#table[data-ready]").wait_for()
        table = await site.services.host.table(code(page.url))
        assert table.setup.deal > 0
        assert len(table.view(0).public.deck.cards) > 36


async def test_a_race_shows_how_the_others_stand(site, visit):
    async with visit(site.origin) as page, visit(site.origin, phone=True, lang="de") as other:
        await page.goto("/deals/adaman")
        await page.locator("#race").click()
        await page.locator("#mine").wait_for()
        found = await checks.everything(page, "race", (320, 390, 1280))
        address = await page.locator(".seatlink a").get_attribute("href")
        await other.goto(address)
        await other.locator("#name").fill("Ben")
        await other.locator("#join").tap()
        await other.locator("#table[data-ready]").wait_for()
        await page.locator("#racers li", has_text="Ben").wait_for()  # looked up by itself
        await finished(site, await site.services.host.table(code(other.url)), FastDice(4))
        await page.locator("#racers li", has_text="Ben").locator(".ok, .bad").wait_for()
        await other.locator("#over").wait_for()
        await other.locator("a#race").tap()
        await other.locator("#racers li", has_text="Ben").wait_for()
        assert not found, "\n".join(found)
