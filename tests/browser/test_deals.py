"""Numbered deals in a browser: the label, the statistics of one's own device, quiet mode, a race, looking back."""

import pytest

from browser import checks
from spieltisch.dice import FastDice
from web.site import code, finished

pytestmark = pytest.mark.timeout(600)  # the first answer waits for compiled kernels

COUNTED = "() => [...document.querySelectorAll('[data-kind=all] td')].map((one) => one.textContent)"


async def test_a_game_counts_once_under_the_label_of_its_deal(site, visit):
    async with visit(site.origin) as page:
        page.set_default_timeout(240_000)
        found = []
        await page.goto("/deals/adaman")
        assert await page.evaluate(COUNTED) == ["0", "0", "–"]
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
        await page.locator("#review").click()
        await page.locator("#label").wait_for()
        found += await checks.everything(page, "review", (320, 390, 1280))
        await page.goto("/deals/adaman")
        won = int(table.result.end == "won")
        assert await page.evaluate(COUNTED) == ["1", str(won), str(100 * won)]
        assert await page.locator("[data-kind=yes] [data-what=played]").text_content() == "1"
        await page.locator("[data-setting=quiet]").check()
        assert not await page.locator("#stats table").is_visible()
        await page.goto(f"/t/{table.id}")
        await page.locator("#table[data-ready]").wait_for()
        assert await page.locator(".counted").count()
        assert not await page.locator(".counted:visible").count()
        assert not found, "\n".join(found)


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
