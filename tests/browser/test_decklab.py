"""The deck lab as its maker meets it: from the deck's page to what should be changed, by itself."""

import pytest

from browser import checks
from web.test_decklab import SHEET


async def test_a_deck_is_examined_from_its_page(site, visit):
    async with visit(site.origin, width=390) as page:
        found = []
        await page.goto("/decks")
        await page.get_by_label("Title").fill("Clocks and kings")
        await page.get_by_label("Spreadsheet", exact=True).fill(SHEET)
        await page.get_by_role("button", name="Check it").click()
        await page.get_by_role("link", name="Deck lab").click()
        found += await checks.everything(page, "before the lab")
        await page.get_by_role("button", name="Examine 8 cards").click()
        bar = page.get_by_role("progressbar", name="Done so far")
        await bar.wait_for()
        found += await checks.everything(page, "the lab at work")
        await page.get_by_role("heading", name="What to change first").wait_for(timeout=90_000)
        found += await checks.everything(page, "what the lab found")
        await page.get_by_role("link", name="1916").click()
        await page.get_by_text("During the First World War").first.wait_for()
        assert not found, "\n".join(found)


# Before landing, `tests/web/test_decklab.py` looks for the element that does it.
@pytest.mark.whole
async def test_without_scripts_the_page_looks_again_by_itself(site, visit):
    async with visit(site.origin, java_script_enabled=False) as page:
        await page.goto("/decks")
        await page.get_by_label("Spreadsheet", exact=True).fill(SHEET)
        await page.get_by_role("button", name="Check it").click()
        await page.get_by_role("link", name="Deck lab").click()
        await page.get_by_role("button", name="Examine 8 cards").click()
        await page.get_by_role("progressbar", name="Done so far").wait_for()
        await page.get_by_role("heading", name="What to change first").wait_for(timeout=90_000)
