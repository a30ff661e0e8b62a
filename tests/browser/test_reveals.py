"""The timing of reveals in Trailblaze and hic – haec – hoc, on a phone and on the public screen."""

import asyncio
from contextlib import asynccontextmanager

from browser.test_screen import seated
from browser.test_staging import WATCH
from spieltisch.games.hichaechoc.state import Contest, Play
from spieltisch.games.trailblaze.state import Keep, LeaveBonus, Place

# Of these, which can be seen; null when the reveal has already begun to show more than the question.
SHOWN = """(all) => window.seen.length ? null : all.filter((css) => [...document.querySelectorAll(css)].some(
  (one) => one.checkVisibility({ visibilityProperty: true })))"""
ENDED = "() => seen.some(([, what]) => what === 'verdict')"


@asynccontextmanager
async def looking_on(site, visit, game):
    """A table of two at which a phone and the screen for all look on, and how a move is made there."""
    table, host = await seated(site, game, 2), site.services.host

    async def answer(*kinds, column=None):
        for kind in kinds:
            seat = table.to_act[0]
            found = [one for one in table.legal(seat) if isinstance(one, kind)]
            action = next(one for one in found if column is None or one.column == column)
            await host.answer(table.id, seat, table.question(seat), action)

    async with visit(site.origin, phone=True, moving=True) as phone, visit(site.origin, moving=True) as big:
        for page, address in ((phone, f"/t/{table.id}"), (big, f"/t/{table.id}/screen")):
            await page.goto(address)
            await page.locator("#table[data-ready]").wait_for()
            await page.evaluate(WATCH)
        yield (phone, big), answer


async def begun(page, *css):
    await page.locator(".staging .asks").first.wait_for()
    return await page.evaluate(SHOWN, css)


async def test_trailblaze_shows_the_last_stone_before_the_years_and_what_comes_waits(site, visit):
    stone, years = "td:nth-of-type(3) .stone:not(.spent)", [".yr > *", ".flag", "[data-after]", ".where"]
    async with looking_on(site, visit, "trailblaze") as (pages, answer):
        await answer(Keep, Keep, LeaveBonus, Place)
        await answer(Place, column=2)
        for shown in await asyncio.gather(*(begun(page, stone, *years) for page in pages)):
            assert shown in (None, [stone])
        await answer(Keep, Keep, LeaveBonus, Place)  # as quick as bots
        for page in pages:
            await page.wait_for_function(ENDED)
            log, passed = [what for _, what in await page.evaluate("seen")], await page.evaluate("passed")
            assert log == [0, 1, "verdict"][-len(log) :]
            assert {0, 1, "verdict"} == {*log, *passed}
            await page.locator(".asks").first.wait_for(state="detached", timeout=60_000)


async def test_after_an_objection_the_forms_come_row_by_row_and_then_who_was_right(site, visit):
    async with looking_on(site, visit, "hic-haec-hoc") as (pages, answer):
        await answer(Play, Contest)
        for shown in await asyncio.gather(*(begun(page, "[data-after]", ".why p", ".cnt, .cn") for page in pages)):
            assert shown in (None, [])
        for page in pages:
            await page.wait_for_function(ENDED)
            log = await page.evaluate("seen")
            assert [at for at, _ in log] == sorted(at for at, _ in log)
            assert {what for _, what in log} | {*await page.evaluate("passed")} == {0, 1, 2, 3, 4, "verdict"}
            assert log[-1][1] == "verdict"
            assert await page.locator("h1[data-after], [data-after] h1, h2[data-after]").first.is_visible()
            assert await page.locator(".unseen, .unmarked").count() == 0
