"""Strict hic – haec – hoc: the page can say “fine” for a player, until they stop it."""

import pytest

from browser.moments import MOMENTS, shown
from browser.test_heights import MISSING

CONTEST = next(one for one in MOMENTS if one.id == "hic-haec-hoc-contest")
QUICK = "Math.random = () => 0; localStorage.setItem('passes', 'yes')"


@pytest.mark.parametrize("stopped", [False, True])
async def test_fine_is_said_by_the_page_unless_one_stops_it(site, visit, stopped):
    async with visit(site.origin, phone=True, lang="de") as page:
        sent = []
        page.on("websocket", lambda line: line.on("framesent", lambda said: sent.append(str(said))))
        await page.add_init_script(QUICK)
        await shown(site, page, CONTEST, "de")
        table = await site.services.host.table(page.url.rpartition("/")[2])
        button = page.locator("#passing button")
        await button.wait_for()
        assert 0 in table.to_act
        await page.set_viewport_size({"width": 375, "height": 553})
        assert not await page.evaluate(MISSING, [["#accept", "#contest", "#passing button"], "", 0])
        assert not any("Accept" in one or "passes" in one for one in sent)  # nobody hears of it before
        if stopped:
            await button.tap()
            await button.wait_for(state="hidden")
            await page.wait_for_timeout(3_500)
            assert 0 in table.to_act
            await page.locator("#accept").tap()
        await page.locator("#accept").wait_for(state="detached", timeout=10_000)
        assert 0 not in table.to_act or not table.is_contest(0)


async def test_whoever_has_not_asked_for_it_answers_alone(site, visit):
    async with visit(site.origin, phone=True) as page:
        await page.add_init_script("Math.random = () => 0")
        await shown(site, page, CONTEST, "en")
        assert not await page.locator("#passing").is_visible()
        await page.locator(".bar [popovertarget=menu]").tap()
        await page.get_by_text("Say “fine” for me").tap()
        assert await page.evaluate("localStorage.getItem('passes')") == "yes"
