"""What goes on at a table besides the moves: phrases and who mutes them, the tab that shows whose turn it is."""

from browser import checks
from browser.play import Person, add_bots, join, open_table, start


async def look(page):
    """Nothing for axe to find, nothing too small or unnamed on a small phone."""
    return await checks.axe(page) + await checks.sizes(page, "talk", (320,))


async def test_a_table_of_people_is_alive(site, visit):
    """What one says stands beside the seat of the others, in their language, unless they mute it."""
    async with (
        visit(site.origin) as page,
        visit(site.origin, phone=True, lang="de") as other,
    ):
        ada, ben = Person(page, touch=False), Person(other, touch=True)
        code = await open_table(ada, "hic-haec-hoc", "Ada")
        await join(ben, code, "Ben")
        await add_bots(ada, 1, 3)
        await start(ada)
        await other.locator("#table.table").wait_for()
        icons = [await one.locator("link[rel=icon]").get_attribute("href") for one in (page, other)]
        assert ["turn" in icon for icon in icons] == [True, False]

        # what Ada says stands beside her seat, and is read out, in German; who mutes it does not
        await page.locator("#say").click()
        found = await look(page)
        await page.locator("#say-1").click()
        assert "Ada Das ist gewagt." in await other.locator(".voice").text_content()
        assert await other.locator("#polite").text_content() == "Ada: Das ist gewagt."
        await other.locator("#say").tap()
        await other.locator("[data-setting=voices]").uncheck()
        await other.locator("#talk [popovertarget=talk]").tap()
        await other.locator(".voice").wait_for(state="detached", timeout=10_000)
        await page.locator("#say").click()
        await page.locator("#say-2").click()
        await page.locator(".voice", has_text="Are you sure?").wait_for()
        assert await other.locator(".voice").count() == 0
        assert not found, "\n".join(found)
