"""First games by somebody who was told nothing. In Latin they see bright cards and values, and read one line; on their
first visit they play a game of the day and copy its result.
"""

import itertools

import pytest

from browser.play import Person, against_bots, annodomini
from browser.test_heights import MISSING
from matrix import many, sampled
from spieltisch.dice import FastDice
from web.site import code, finished

BRIGHT = ".lhand .pick input"
ROWS = ("case", "number", "gender")
BY_HAND = many(4, 400)  # questions that they answer; the server answers the others
MINUTES, A_TAP, A_BOT = 7, 6, 3  # a stranger reads and taps in so many seconds; a bot pauses and its card is looked at


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
        for _ in range(BY_HAND):
            if (want := await me.wanted()) == "over":
                break
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
        await finished(site, await site.services.host.table(code(page.url)), FastDice(1))
        await page.locator("#over").wait_for()


async def tapped(page, css):
    """Tap what must be in sight without scrolling."""
    await page.locator(css).first.wait_for()
    assert not await page.evaluate(MISSING, [[css], "", 0])
    await page.locator(css).first.tap()


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["en"]))
async def test_a_first_visit_leads_to_a_daily_and_a_text_to_share(site, visit, lang):
    async with visit(site.origin, phone=True, lang=lang, permissions=["clipboard-read", "clipboard-write"]) as page:
        await page.set_viewport_size({"width": 375, "height": 553})
        await page.goto("/")
        await tapped(page, "#dailies a[href*=anno-domini]")
        await tapped(page, "#play")
        await page.locator("#table[data-ready]").wait_for()
        me, taps = Person(page, touch=True, seed=3), 2
        for _ in range(BY_HAND):
            if (want := await me.wanted()) == "over":
                break
            me.asked, me.deeds = await me.question(), 0
            if want == "go on":
                await tapped(page, "#begin")
            else:
                if not await me.there(".orders"):
                    assert not await page.evaluate(MISSING, [[".placing > .grow"], "", 0])  # it says what to do
                await annodomini(me)
            taps += me.deeds + (want == "go on")
        table = await site.services.host.table(code(page.url))
        await finished(site, table, FastDice(1))
        bots = sum(entry.by == "bot" for entry in (await site.services.host.replay(table.id)).entries)
        assert taps * A_TAP + bots * A_BOT < MINUTES * 60
        await page.locator("[data-claimed]:not(:empty)").wait_for()
        await tapped(page, "#daily [data-copy]")
        text = await page.evaluate("navigator.clipboard.readText()")
        assert text.splitlines()[-1].startswith(f"{site.origin}/daily/anno-domini/")
        await page.goto("/")
        await page.locator("#dailies a[href*=anno-domini]:is(.won, .lost)").wait_for()
