"""Latecomers in a browser: they learn that they watch, get a seat in the next game, and have time to type a name."""

from browser import checks
from browser.play import drawn, submitted
from spieltisch.dice import FastDice
from web.site import finished


async def test_who_comes_late_sits_down_for_the_next_game_or_types_in_peace(site, visit):
    async with (
        visit(site.origin, phone=True) as desk,
        site.browser() as ben,
        visit(site.origin, phone=True, lang="de") as late,
        visit(site.origin, phone=True, lang="de") as later,
    ):
        url = await submitted(desk, "/tables", game="trailblaze", name="Ada")
        code = url.rpartition("/")[2]
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        await submitted(desk, f"{url}/start")
        await late.goto(f"/t/{code}")
        await late.locator("#watching", has_text="Du schaust zu.").wait_for()
        found = await checks.everything(late, "watching", (320, 390))
        await late.locator("#guest").fill("Eve")
        await late.locator("#reserve").tap()
        await late.locator("#watching", has_text="sitzt du als Eve am Tisch").wait_for()
        await finished(site, await site.services.host.table(code), FastDice(1))
        await later.goto(f"/t/{code}")
        await later.locator("#table[data-ready]").wait_for()
        await drawn(desk, f"/t/{code}")
        await desk.locator("#rematch").tap()
        await desk.locator(".sitting", has_text="Eve").wait_for()
        await late.locator("#ready").wait_for()  # goes along, and is asked as all are
        await later.locator("#name").wait_for()
        second = await site.services.host.table(f"{code}-2")
        before = second.setup.countdown.until
        await later.locator("#name").press_sequentially("Fay")
        async with later.expect_navigation():
            await later.locator("#take").tap()
        assert second.setup.countdown is None or second.setup.countdown.until > before
        assert [chair.name for chair in second.setup.chairs] == ["Ben", "Eve", "Ada", "Fay"]
        assert not found, "\n".join(found)
