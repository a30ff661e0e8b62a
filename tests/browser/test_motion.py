"""What moves: the deal card by card, cards that are swapped in arcs. A tap ends it; who wants it still has it still."""

import pytest

from browser.play import CHANGING, Person, quick_start
from matrix import sampled

DEAL = """() => [...document.querySelectorAll('.dock.dealt .hand9 > .card')].map((one) => {
  const style = getComputedStyle(one);
  return [style.animationName, parseFloat(style.animationDelay), parseFloat(style.animationDuration)];
})"""
# Every animation but a clock's ring is held at its beginning; how many there are.
HOLD = """() => {
  const held = document.getAnimations().filter((one) => one instanceof CSSAnimation);
  for (const one of held) { one.pause(); one.currentTime = 0; }
  return held.length;
}"""
LEFT = """() => document.getAnimations().filter(
  (one) => one instanceof CSSAnimation && one.playState !== 'finished').length"""
# Where penalty cards lie in their row, and where those are that fly on from there; how wide the page is.
FLIGHTS = """() => {
  const row = document.querySelector('.pen'), left = row.getBoundingClientRect().x - row.offsetLeft;
  return [[...row.children].map((one) => left + one.offsetLeft),
    [...document.querySelectorAll('.flying')].map((one) => one.getBoundingClientRect().x),
    document.documentElement.scrollWidth];
}"""
# The cards that take part in a swap, by their names of transitions, and how.
ARCS = """() => [...document.querySelectorAll('.swapped')].map((one) =>
  [one.style.viewTransitionName.split('-')[0], one.style.viewTransitionClass]).sort()"""


async def two_of_us(page, game):
    """Two people at one page: nothing happens there that they do not do."""
    await quick_start(Person(page, touch=True), game, "Mira", beside="Emre")


@pytest.mark.parametrize("moving", [True, False], ids=["moving", "still"])
async def test_cards_are_dealt_one_after_the_other_and_a_tap_ends_it(site, visit, moving):
    async with visit(site.origin, phone=True, moving=moving) as page:
        await two_of_us(page, "anno-domini")
        dealt = await page.evaluate(DEAL)
        assert len(dealt) == 9
        assert {name for name, _, _ in dealt} == {"deal"}
        delays = [delay for _, delay, _ in dealt]
        if not moving:
            assert all(delay == 0 and length < 0.001 for _, delay, length in dealt)
            return
        assert delays == sorted(delays)
        assert delays[0] < delays[-1] < 0.5
        if await page.evaluate(HOLD):  # else all have arrived before we could look
            assert await page.evaluate(LEFT) > 0
            await page.locator("h1").tap()
            assert await page.evaluate(LEFT) == 0


async def test_who_swaps_sees_two_cards_pass_each_other(site, visit):
    """Their names are numbers of the table; that they were swapped everybody knows."""
    async with visit(site.origin, phone=True, moving=True) as page, visit(site.origin, moving=True) as other:
        ada, ben = Person(page, touch=True), Person(other, touch=False)
        code = await quick_start(ada, "trailblaze", "Ada", (ben, "Ben"))
        for one in (page, other):
            await one.locator("#table.table[data-ready]").wait_for()
            assert await one.evaluate(ARCS) == []
        first = (page, other)[(await site.services.host.table(code)).to_act[0]]
        time = await first.context.new_cdp_session(first)  # it stands still, so that the change does not end meanwhile
        await time.send("Animation.enable")
        await time.send("Animation.setPlaybackRate", {"playbackRate": 0})
        await first.locator("#swap").click()
        await first.locator(".swapped").first.wait_for()
        assert await first.evaluate(ARCS) == [["c", "over"], ["c", "under"]]


@pytest.mark.parametrize("height", sampled([664, 844], [844]))
async def test_a_penalty_counts_when_its_card_arrives(site, visit, height):
    """With time standing still none has arrived; when it goes on, all do. Short pages do not show them lying."""
    async with visit(site.origin, phone=True, moving=True) as page:
        await page.set_viewport_size({"width": 390, "height": height})
        await two_of_us(page, "anno-domini")
        table = await site.services.host.table(page.url.rpartition("/")[2])
        time = await page.context.new_cdp_session(page)
        await page.locator("label:has([name=card])").first.tap()
        await page.locator("label:has(#at-0)").tap()
        await page.locator("#place-0").tap()
        await page.locator("#ask-doubt").tap()
        await page.locator("#do-doubt").wait_for()
        await time.send("Animation.enable")
        await time.send("Animation.setPlaybackRate", {"playbackRate": 0})
        await page.locator("#do-doubt").dispatch_event("click")
        await page.locator(".flying").first.wait_for(state="attached")
        lying, flying, width = await page.evaluate(FLIGHTS)
        if await page.locator(".pen").is_visible():
            assert [round(x) for x in flying] == [round(x) for x in lying]
        assert len(flying) == len(lying)
        assert max(flying) < width - 46
        payer = await page.locator(".pen").get_attribute("data-to")
        paid = await page.locator(".pen span").count()
        count = page.locator(f".seats [data-seat='{payer}'] .cnt .num")
        held = len(table.view(None).public.hands[int(payer)])
        assert await count.text_content() == str(held - paid)
        await time.send("Animation.setPlaybackRate", {"playbackRate": 1})
        await page.locator(".flying").first.wait_for(state="detached")
        await page.wait_for_function(
            "([css, n]) => document.querySelector(css).textContent === n",
            arg=[f".seats [data-seat='{payer}'] .cnt .num", str(held)],
        )


@pytest.mark.parametrize("hand", sampled(["touchscreen", "mouse"], ["touchscreen"]))
async def test_a_tap_counts_while_the_picture_changes(site, visit, hand):
    """With time standing still the change from picture to picture never ends by itself; what is tapped is done."""
    async with visit(site.origin, phone=True, moving=True) as page:
        await two_of_us(page, "trailblaze")
        table = await site.services.host.table(page.url.rpartition("/")[2])
        time = await page.context.new_cdp_session(page)
        await time.send("Animation.enable")
        await time.send("Animation.setPlaybackRate", {"playbackRate": 0})
        first = table.to_act
        await page.locator("#keep").tap()
        await page.wait_for_function(CHANGING)
        assert table.to_act != first
        box = await page.locator("#keep").bounding_box()
        tap = page.touchscreen.tap if hand == "touchscreen" else page.mouse.click
        await tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.locator("#keep").wait_for(state="detached")
