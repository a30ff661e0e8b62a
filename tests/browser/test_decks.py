"""A deck is made by hand in a browser: mended where it is wrong, played with; each page for everybody."""

from browser import checks

TABLE = "date;event\n44 BC;A general is stabbed.\n-490;A runner falls down dead.\n1969;Two people hop over the moon.\n"


async def test_a_deck_from_the_first_line_to_the_table(site, visit):
    async with visit(site.origin, width=390) as page:
        found = []
        await page.goto("/")
        await page.get_by_role("link", name="Decks").click()
        await page.get_by_label("Title").fill("Running")
        await page.get_by_label("Table", exact=True).fill(TABLE)
        found += await checks.everything(page, "decks")
        await page.get_by_role("button", name="Look it over").click()
        await page.get_by_role("heading", name="Line 3").wait_for()
        assert all("422" in one for one in page.watch.complaints)  # the sheet has been refused, nothing else
        page.watch.complaints.clear()
        found += await checks.everything(page, "draft")
        await page.get_by_label("date").fill("490 BC")
        await page.get_by_role("button", name="Look it over again").click()
        await page.get_by_role("heading", name="Running").wait_for()
        for one in await page.locator("details").all():
            await one.locator("summary").click()
        found += await checks.everything(page, "deck")
        link = await page.locator(".seatlink a").get_attribute("href")
        await page.context.clear_cookies()
        await page.goto(link)
        await page.get_by_text("A runner falls down dead.").first.wait_for()
        assert not found, "\n".join(found)
