"""Where a page stands when something new begins on it: at the top, or where one can choose."""

import pytest

from browser.moments import MOMENTS, shown
from browser.play import Person, quick_join, quick_table, start
from matrix import sampled

BY_ID = {moment.id: moment for moment in MOMENTS}
BOTTOM = "scrollTo(0, document.documentElement.scrollHeight)"
PHONE = {"width": 390, "height": 664}
# Whether a place for the card is in sight, between the bars.
PLACE = """() => [...document.querySelectorAll('.gap .pick')].some((one) => {
  const {top, bottom} = one.getBoundingClientRect();
  return top > 40 && bottom < document.getElementById('dock').getBoundingClientRect().top;
})"""


@pytest.fixture
async def waiting(site, visit):
    """Ada and Ben wait in the waiting room, each with a phone: the pages, the code."""
    async with visit(site.origin, phone=True) as page, visit(site.origin, phone=True) as other:
        ada, ben = Person(page, touch=True), Person(other, touch=True)
        code = await quick_table(ada, "anno-domini", "Ada")
        await quick_join(ben, code, "Ben")
        for one in (page, other):
            await one.set_viewport_size(PHONE)
        yield ada, ben, code


async def test_a_game_begins_at_its_top(waiting):
    """The player who begins has scrolled to the button, the others to anywhere."""
    ada, ben, _ = waiting
    for one in (ada, ben):
        await one.page.evaluate(BOTTOM)
        assert await one.page.evaluate("scrollY") > 50
    await start(ada)
    for one in (ada, ben):
        await one.page.locator("#table.table[data-ready]").wait_for()
        await one.page.wait_for_timeout(300)  # a browser goes back to where it was when all has come
        assert await one.page.evaluate("scrollY") == 0


async def test_a_game_that_cannot_be_loaded_is_tried_again(waiting):
    """The line still tells that the game begins, and the page does not come at the first try."""
    ada, ben, code = waiting
    ben.page.watch.expects = ("ERR_FAILED",)
    failed = []

    async def once(route):
        failed.append(route.request.url)
        await (route.abort() if len(failed) == 1 else route.continue_())

    await ben.page.route(f"**/t/{code}", once)
    await start(ada)
    await ben.page.locator("#table.table[data-ready]").wait_for()
    assert len(failed) > 1


async def test_choosing_a_card_brings_a_place_into_view(site, visit):
    async with visit(site.origin, phone=True) as page:
        await page.set_viewport_size(PHONE)
        await shown(site, page, BY_ID["anno-domini-turn"], "en")
        await page.evaluate(BOTTOM)
        assert not await page.evaluate(PLACE)
        await page.locator(".hand9 label").first.tap()
        assert await page.evaluate(PLACE)


REVEALS = [("anno-domini-reveal", "#begin"), ("hic-haec-hoc-verdict", "#goon")]


@pytest.mark.parametrize(("moment", "button"), sampled([*REVEALS, ("trailblaze-reveal", "#begin")], REVEALS[:1]))
async def test_after_a_reveal_the_table_is_seen_from_its_top(site, visit, moment, button):
    async with visit(site.origin, phone=True) as page:
        await page.set_viewport_size({"width": 375, "height": 553})
        await shown(site, page, BY_ID[moment], "en")
        await page.evaluate(BOTTOM)
        assert await page.evaluate("scrollY") > 0
        await page.locator(button).tap()
        await page.wait_for_function("scrollY === 0", timeout=5_000)
