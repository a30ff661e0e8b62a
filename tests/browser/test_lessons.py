"""The four lessons, played through by touch on a phone; a try of one's own; the search in the rules."""

import asyncio

import pytest

from browser import checks
from matrix import sampled
from spieltisch import games
from spieltisch.games.hichaechoc.forms import CELLS
from spieltisch.table.lesson import lesson


def taps(awaited):
    """What is tapped for a move, in order."""
    action = awaited.action
    match type(action).__name__:
        case "Control":  # the payment is proposed
            return [f"#t-{action.target}", "#go"]
        case "Place" if hasattr(action, "at"):
            return [f"#card-{action.card}", f"#at-{action.at}", f"#place-{action.at}"]
        case "Doubt":
            return ["#ask-doubt", "#do-doubt"]
        case "Open":  # the last one has no choice left
            return [*(f"#tap-{card}" for card in action.cards[:-1]), "#open"]
        case "Place":
            return [f".board [value='{action.row},{action.column}']", "#lay"]
        case "Bonus":
            return [f'.board [value*=\'"row":{action.row},"column":{action.column}\']', "#lay"]
        case "Play":
            said = zip(("case", "number", "gender"), CELLS[action.reading], strict=True)
            return [f"[name=form][value='{action.form}']", *(f"#{row}-{value}" for row, value in said), "#lay"]
        case name:
            return [f"#{name.lower()}"]


@pytest.mark.parametrize("game", sampled(sorted(games.packages()), ["anno-domini"]))
async def test_a_lesson_is_played_through_by_touch(site, visit, game):
    found, tr = lesson(games.package(game)), games.package(game).translator("de")
    async with visit(site.origin, phone=True, lang="de") as page:
        await page.goto("/")
        await page.locator(f"a[href='/learn/{game}']").tap()
        await page.locator("[data-ready]").wait_for()
        for step in range(1, len(found.game)):
            words = await page.locator("#lesson p").text_content()
            assert words.split(" ", 1)[1] == tr._(found.said[step - 1])
            awaited = found.awaited(step)
            for css in taps(awaited) if awaited.seat == 0 else ["#lesson-on"]:
                control = page.locator(css).first
                if await control.get_attribute("type") in {"radio", "checkbox"}:
                    control = control.locator("xpath=ancestor::label")
                await control.tap()
            await page.wait_for_url(f"**/learn/{game}/{step + 1}")
            await page.locator("[data-ready]").wait_for()
        found = await checks.everything(page, "lesson", (320, 390, 1280))
        assert not found, "\n".join(found)
        await page.locator("#lesson-play").tap()
        await page.wait_for_url("**/t/*")


async def test_who_taps_before_the_script_has_come_gets_the_payment_too(site, visit):
    async with visit(site.origin, phone=True) as page:
        here = asyncio.Event()

        async def late(route):
            await here.wait()
            await route.continue_()

        await page.route("**/adaman/script.js*", late)
        await page.goto("/learn/adaman", wait_until="commit")
        await page.locator("label:has([name=target]:not([data-preset='']))").first.tap()
        here.set()
        await page.locator("[data-ready]").wait_for()
        assert await page.locator("[name=payment]:checked").count() > 0


# Whether what is found has a colour of its own, where it stands.
MARKED = """() => [...CSS.highlights.get('found')].every(({ startContainer: { parentElement: one } }) =>
  getComputedStyle(one, '::highlight(found)').backgroundColor !== getComputedStyle(one).backgroundColor)"""


async def test_the_rules_are_searched(site, visit):
    async with visit(site.origin) as page:
        await page.goto("/rules/adaman")
        await page.locator("#find").fill("Excuse")
        assert 0 < await page.locator("#rules > h2:visible").count() < await page.locator("#rules > h2").count()
        assert await page.evaluate(MARKED)
        await page.locator("#find").fill("xyzzy")
        assert await page.locator("#found").text_content() == "Not found."
        await page.goto("/rules/hic-haec-hoc")
        await page.locator("#find").fill("HORUM")  # it says hōrum
        assert await page.locator("#rules > h2:visible").count() < await page.locator("#rules > h2").count()
        assert await page.locator("#found").text_content() == ""
        assert await page.evaluate("[...CSS.highlights.get('found')].every((one) => `${one}` === 'hōrum')")
        await page.locator("#find").fill("")
        assert await page.locator("#rules > [hidden]").count() == 0
