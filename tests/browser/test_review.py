"""The confusion map in a browser: it fits the screen, and its cards open."""

from msgspec.structs import replace

from browser import checks
from browser.play import Person, look_back, quick_start
from spieltisch.dice import FastDice
from web.site import code, finished


async def test_awards_stand_in_the_result_itself(site, visit, tmp_path):
    """Also when the picture is drawn anew: then they are not fetched again."""
    async with visit(site.origin, lang="de", phone=True) as page:
        asked = []
        page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/stories") else None)
        answer = await page.request.post("/play", form={"game": "anno-domini"}, headers={"origin": site.origin})
        table = await site.services.host.table(code(answer.url))
        await page.goto(f"/t/{table.id}")
        await finished(site, table, FastDice(1))
        await page.locator(".over #stories .lines li").first.wait_for()
        await page.evaluate("document.querySelector('#stories').id = 'old'")
        again = tuple(replace(chair, name=f"{chair.name}!") for chair in table.setup.chairs)
        await site.services.host.change(table.id, lambda setup: replace(setup, chairs=again))
        await page.locator(".over #stories .lines li").first.wait_for()
        assert len(asked) == 1
        async with page.expect_download() as saved:
            await page.locator("#picture").click()
        file = await saved.value
        await file.save_as(tmp_path / "saved.png")
        content = (tmp_path / "saved.png").read_bytes()
        assert file.suggested_filename == "spieltisch-anno-domini.png"
        assert content.startswith(b"\x89PNG")
        assert int.from_bytes(content[16:20]) == 1080
        assert await page.locator(".over [data-copy]").is_visible()
        found = await checks.everything(page, "awards", (320, 390, 1280))
        assert not found, "\n".join(found)


async def test_the_confusion_map_is_for_everybody(site, visit):
    async with visit(site.origin, lang="de") as page:
        me = Person(page, touch=False)
        found = await quick_start(me, "hic-haec-hoc", bots=2)
        table = await site.services.host.table(found)
        await finished(site, table, FastDice(1))
        await page.goto(f"/t/{table.id}")
        await look_back(page)
        await page.locator(".confusion").wait_for()
        await page.locator(".practice summary").first.click()
        assert await page.locator(".practice li").first.is_visible()
        found = await checks.everything(page, "confusion map", (320, 390, 1280))
        assert not found, "\n".join(found)
