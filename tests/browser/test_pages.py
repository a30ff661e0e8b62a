"""Pages around a game: axe, sizes, names, themes, widths. test_games.py looks at every state of the games."""

import itertools

import pytest

from browser import checks
from browser.play import Person, add_bots, quick_join, quick_table, start
from matrix import sampled

GAMES = ("adaman", "anno-domini", "trailblaze", "hic-haec-hoc")


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_home_table_and_waiting_room_are_for_everybody(site, visit, lang):
    async with visit(site.origin, lang=lang) as page, visit(site.origin, lang=lang, dark=True) as other:
        me, guest = Person(page, touch=False), Person(other, touch=False)
        found, look = [], checks.everything if lang == "de" else checks.sizes  # what axe finds hangs on no language
        code = await quick_table(me, "hic-haec-hoc")
        await quick_join(guest, code, "Ben")
        found += await look(page, "waiting room")
        found += await look(other, "waiting room of a guest")
        await add_bots(me, 1, 3)
        await start(me)
        await other.locator("#table.table[data-ready]").wait_for()
        await page.locator("[popovertarget=menu]").first.click()
        found += await look(page, "menu")
        await page.goto("/")
        found += await look(page, "home")
        page.watch.expects = ("404",)
        await page.goto("/t/NONE99")
        found += await look(page, "no such table")
        await page.goto(f"/t/{code}/screen")
        found += await look(page, "screen", (1280, 1920))
        await page.set_viewport_size({"width": 768, "height": 844})  # drawn anew, as for who only watches
        await page.wait_for_url("**/screen?small=1")
        found += await look(page, "small screen", (320, 390, 768))
        assert not found, "\n".join(found)


@pytest.mark.parametrize(("game", "lang"), sampled(itertools.product(GAMES, ("de", "en")), [("hic-haec-hoc", "de")]))
async def test_rules_are_for_everybody(site, visit, game, lang):
    async with visit(site.origin, lang=lang) as page:
        await page.goto(f"/rules/{game}")
        assert len(await page.locator("main").text_content()) > 800
        look = checks.everything if lang == "de" else checks.sizes  # what axe finds hangs on no language
        assert not await look(page, f"rules of {game}")


# Bytes of all that a browser asks for besides the page.
WEIGHT = "performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0)"


async def test_what_pages_need_besides_is_light_and_not_sent_again(site, visit):
    async with visit(site.origin) as page:
        await page.goto("/", wait_until="networkidle")
        assert await page.evaluate(WEIGHT) < 30_000
    async with visit(site.origin) as page:
        answer = await page.request.post("/play", form={"game": "anno-domini"}, headers={"origin": site.origin})
        for most in (48_000, 12_000):
            await page.goto(answer.url)
            await page.locator("#table[data-ready]").wait_for()
            assert await page.evaluate(WEIGHT) < most
