"""A first game of Latin by somebody who never learnt any: they see bright cards and values, and read one line."""

import itertools

import pytest

from browser.play import Person, against_bots
from browser.test_heights import MISSING
from matrix import sampled
from web.site import code

BRIGHT = ".lhand .pick input"
ROWS = ("case", "number", "gender")


async def combinations(page):
    """What can be said of the chosen card, as the page offers it."""
    rows = [
        await page.locator(f".decl [name={row}]:enabled").evaluate_all("(all) => all.map((one) => one.id)")
        for row in ROWS
    ]
    return itertools.product(*rows)


async def played(page):
    """Whether a bright card could be played without knowing what it means."""
    for n in range(await page.locator(BRIGHT).count()):
        await page.locator(f".lhand .pick:has(#{await page.locator(BRIGHT).nth(n).get_attribute('id')})").tap()
        for said in await combinations(page):
            for one in said:
                await page.locator(f"label:has(#{one})").tap()
            if await page.locator("#fit.ok").count():
                assert not await page.evaluate(MISSING, [["#lay", "#fit", "#newest > .lcard"], "", 0])
                await page.locator("#lay").tap()
                return True
    return False


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_a_stranger_to_latin_plays_a_first_game_to_its_end(site, visit, lang):
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.set_viewport_size({"width": 375, "height": 553})
        me = Person(page, touch=True)
        await against_bots(me, "hic-haec-hoc")
        while (want := await me.wanted()) != "over":
            assert want == "turn"
            question = await me.question()
            if await me.there("#lay"):
                assert not await page.evaluate(MISSING, [["#lay", "#fit", ".lhand", "#newest > .lcard"], "", 0])
                assert await played(page)
            else:
                await page.locator("#draw, #pass").first.tap()
            await page.wait_for_function(
                "(old) => document.querySelector('#over') || "
                "[...document.querySelectorAll('#move input')].map((one) => one.value).join() !== old",
                arg=question,
            )
        assert (await site.services.host.table(code(page.url))).result is not None
