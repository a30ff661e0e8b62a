"""Looking back together in browsers: one leads, a phone and the screen follow, somebody tries another move."""

import pytest

from browser import checks
from browser.play import Person, annodomini, hichaechoc, quick_join, quick_table, start
from browser.test_heights import MISSING
from matrix import sampled
from spieltisch.dice import FastDice
from web.site import finished

SHOWS = "(words) => document.querySelector('#said, .tvlook')?.textContent.includes(words)"


@pytest.mark.parametrize("game", sampled(["anno-domini", "hic-haec-hoc"], ["hic-haec-hoc"]))
async def test_two_phones_and_a_screen_look_back(site, visit, game):
    async with (
        visit(site.origin, phone=True) as ada,
        visit(site.origin, phone=True, lang="de", dark=True) as ben,
        visit(site.origin) as tv,
    ):
        me = Person(ada, touch=True)
        code = await quick_table(me, game)
        await quick_join(Person(ben, touch=True), code, "Ben")
        await start(me)
        table = await site.services.host.table(code)
        await tv.goto(f"/t/{code}/screen")
        await finished(site, table, FastDice(3))
        n = len(await site.services.host.replay(code))
        await ada.locator("#together").tap()
        for page, to in ((ada, "together"), (ben, "together"), (tv, "together/screen")):
            await page.wait_for_url(f"**/{to}")
            await page.locator("#table[data-ready]").wait_for()

        async def all_at(step, tried=""):
            for page, words in ((ada, "Step {} of {}"), (ben, "Schritt {} von {}"), (tv, "Step {} of {}")):
                await page.wait_for_function(SHOWS, arg=words.format(step, n) + tried)

        async def look(what):
            found = [one for page in (ada, ben) for one in await checks.sizes(page, what)]
            found += [f"{what}: {one}" for page in (ada, ben, tv) for one in await checks.axe(page)]
            assert not found, "\n".join(found)

        await ada.locator("#on").tap()
        await all_at(2)
        slide = "(one) => { one.value = 3; one.dispatchEvent(new Event('input', {bubbles: true})); }"
        await ada.locator("#step").evaluate(slide)
        await all_at(3)
        assert await ben.locator("#step, #end").count() == 0
        await look("led")
        for width, height in ((375, 553), (320, 568), (844, 390), (667, 331)):
            await ada.set_viewport_size({"width": width, "height": height})
            await ada.evaluate(checks.SETTLED)
            assert not await ada.evaluate(MISSING, [["#said", "#step", "#on", "#whatif", "#end"], "", 0])
        # Ben looks on his own, and comes back
        await ben.locator("#own").tap()
        await ben.wait_for_url("**/replay?step=3")
        await ada.locator("#back").tap()
        await ben.locator("#follow a").tap()
        await ben.wait_for_url("**/together")
        await all_at(2)
        # what if: all see that it did not happen
        await ben.locator("#whatif").tap()
        await ada.locator("#fork", has_text="This did not happen.").wait_for()
        await tv.locator(".tvlook.tried", has_text="This did not happen.").wait_for()
        await ben.locator("#fork", has_text="Das ist nicht passiert.").wait_for()
        await look("a fork")
        player = Person(ben, touch=True)
        player.asked = await player.question()
        await {"anno-domini": annodomini, "hic-haec-hoc": hichaechoc}[game](player)
        await all_at(2, " + 1")
        await ada.locator("#untry").tap()
        await all_at(2)
        await ada.locator("#unfork").tap()
        await tv.locator(".tvlook:not(.tried)").wait_for()
        await ada.locator("#end").tap()
        for page, to in ((ada, code), (ben, code), (tv, f"{code}/screen")):
            await page.wait_for_url(f"**/t/{to}")
