"""Two phones: one asks for a bot's seat, the other one answers."""

import pytest

from browser.play import Person, quick_start

pytestmark = pytest.mark.anyio


async def test_a_seat_is_asked_for_on_one_phone_and_given_on_the_other(site, visit):
    async with visit(site.origin, phone=True) as mine, visit(site.origin, phone=True) as theirs:
        me = Person(mine, touch=True)
        code = await quick_start(me, "hic-haec-hoc", "Ada", bots=1)
        await theirs.goto(f"/t/{code}")
        await theirs.locator("#table.table[data-ready]").wait_for()
        for answer in ("refuse", "admit"):
            if answer == "admit":  # the first one was refused: somebody else asks
                await theirs.context.clear_cookies()
                await theirs.goto(f"/t/{code}")
            await theirs.locator("#join-in summary").tap()
            await theirs.locator("#newcomer").fill("Eve")
            await theirs.locator("#take-1").tap()
            await theirs.locator("#asked", has_text="Ada has to say yes.").wait_for()
            button = mine.locator(f"[id^={answer}-]")
            await button.wait_for()
            assert "Eve asks for" in await mine.locator("#assertive").text_content()
            await button.tap()
            await button.wait_for(state="detached")
            if answer == "refuse":
                await theirs.locator("#asked", has_text="The answer was no").wait_for()
                assert await theirs.locator(".lhand").count() == 0
        await theirs.locator(".lhand").first.wait_for()
        await mine.locator("nav.seats", has_text="Eve").wait_for()
