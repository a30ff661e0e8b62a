"""The pages where a player says how they are told of their turn."""

import re

from browser import checks
from mail import inbox
from ports import free_port
from web.site import served


async def test_the_page_of_reminders_is_for_everybody(tmp_path, visit):
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    mailed = {"mail_from": "tisch@games.example", "webhooks": ("hooks.example", "nas.lan=10.0.0.5")}
    async with (
        inbox() as (box, smtp),
        served(tmp_path, port=port, origin=origin, mail=f"smtp://127.0.0.1:{smtp}", **mailed) as site,
        visit(site.origin) as page,
        site.browser() as ben,
    ):
        table = {"game": "trailblaze", "name": "Ada"}
        answer = await page.request.post("/tables", form=table, headers={"origin": origin})
        assert (await ben.post(f"{answer.url}/sit", data={"name": "Ben"})).status_code == 303
        await page.request.post(f"{answer.url}/start", headers={"origin": origin})
        await page.goto(answer.url)
        await page.locator("#table.table[data-ready]").wait_for()
        await page.locator("[popovertarget=menu]").first.click()
        await page.locator("#tell summary").click()
        await page.locator("#tell a").click()
        found = await checks.everything(page, "nothing set")
        page.watch.expects = ("422",)
        await page.locator("#hook").fill("https://other.example/")
        await page.keyboard.press("Enter")
        await page.get_by_role("alert").get_by_text("does not call other.example").wait_for()
        await page.locator("#hook:focus").wait_for()
        assert await page.locator("#hook[aria-invalid=true][aria-describedby^=hook-refused]").count() == 1
        found += await checks.everything(page, "refused")
        await page.locator("#hook").fill(f"https://hooks.example/{'x' * 200}")
        await page.keyboard.press("Enter")
        await page.locator("#unhook").wait_for()
        await page.locator("#mail").fill("ada@home.example")
        await page.keyboard.press("Enter")
        await page.locator("#unmail").wait_for()
        found += await checks.everything(page, "set, not confirmed")
        back = page.url
        await page.goto(re.findall(r"http://\S+", box.mails[0].get_content())[-1])
        found += await checks.everything(page, "link in a mail")
        await page.locator("#confirm").click()
        await page.get_by_role("status").wait_for()
        found += await checks.everything(page, "confirmed")
        await page.goto(back)
        found += await checks.everything(page, "set")
        await page.locator("#unhook").click()
        await page.locator("#hook").wait_for()
        assert not found, "\n".join(found)
