"""The confusion map in a browser: it fits the screen, and its cards open."""

from browser import checks
from spieltisch.dice import FastDice
from web.site import code, finished


async def test_the_confusion_map_is_for_everybody(site, visit):
    async with visit(site.origin, lang="de") as page:
        answer = await page.request.post("/play", form={"game": "hic-haec-hoc"}, headers={"origin": site.origin})
        table = await site.services.host.table(code(answer.url))
        await finished(site, table, FastDice(1))
        await page.goto(f"/t/{table.id}")
        await page.locator("#review").click()
        await page.locator(".confusion").wait_for()
        await page.locator(".practice summary").first.click()
        assert await page.locator(".practice li").first.is_visible()
        found = await checks.everything(page, "confusion map", (320, 390, 1280))
        assert not found, "\n".join(found)
