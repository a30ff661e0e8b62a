"""Between two games: the people who play on, and the countdown, in one column at every size."""

from browser.play import drawn, submitted
from spieltisch.dice import FastDice
from web.site import finished

# What does not stand in the middle, and words that have no room.
ROWS = ".nextgame > :is(.lead, .sitting, .startbar), .startbar > .row"
FAULTS = """(rows) => [...document.querySelectorAll(rows)].flatMap((one) => {
  const box = one.getBoundingClientRect(), off = Math.abs(box.left + box.width / 2 - innerWidth / 2);
  const narrow = one.textContent.trim() && box.width < Math.min(200, innerWidth / 2);
  return off > 9 || narrow ? [`${one.className || one.tagName}: ${box.left}–${box.right} of ${innerWidth}`] : [];
})"""
# Parts of the line above that are seen in part only.
CUT = """() => [...document.querySelectorAll('.bar .where span')].filter((one) => {
  const own = one.getBoundingClientRect(), line = one.parentElement.getBoundingClientRect();
  return own.top < line.bottom - 2 && own.right > line.right + 1;
}).map((one) => one.textContent)"""


async def test_all_stands_in_one_column(site, visit):
    """When the game has begun, its number is never cut: what finds no room beside it is left out."""
    async with visit(site.origin, lang="de") as page, site.browser() as ben:
        url = await submitted(page, "/tables", game="anno-domini", name="Ada")
        code = url.rpartition("/")[2]
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        await submitted(page, f"{url}/start")
        await drawn(page, url)
        await finished(site, await site.services.host.table(code), FastDice(1))
        await ben.post(f"/t/{code}/rematch")
        await page.wait_for_url(f"**/t/{code}-2")
        await page.locator(".nextgame .ring").wait_for()
        for width in (320, 390, 768, 1000, 1280):
            await page.set_viewport_size({"width": width, "height": 700})
            assert await page.evaluate(FAULTS, ROWS) == [], width
        await page.locator("#ready").click()
        await page.locator("#table.table[data-ready]").wait_for()
        for width in (320, 390):
            await page.set_viewport_size({"width": width, "height": 664})
            assert await page.evaluate(CUT) == [], width
            number = await page.locator(".bar .where span", has_text="Partie 2").bounding_box()
            line = await page.locator(".bar .where").bounding_box()
            assert number["y"] < line["y"] + line["height"] / 2
