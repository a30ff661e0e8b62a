"""What a class looks at together, on a projector and on a phone: slide by slide with arrow keys alone."""

import random

import pytest

from browser import checks
from browser.test_classes import TV
from matrix import sampled
from spieltisch import games
from web.site import code, finished
from web.test_classes import PLAN

SHOWN = ".slide:not([hidden])"
# Whether nothing has to be scrolled sideways; the heads of rows that stand on more than one line.
FITS = """() => [...document.querySelectorAll('.slide:not([hidden]) .scroll-x')].every(
  (one) => one.scrollWidth <= one.clientWidth)"""
BROKEN = """() => [...document.querySelectorAll('.slide:not([hidden]) tbody th')].filter(
  (one) => one.clientHeight > 1.5 * parseFloat(getComputedStyle(one).lineHeight)).map((one) => one.textContent)"""


async def over(site, page, game):
    """The address of a class of this browser whose games are over; bots played all of them, with errors."""

    async def post(path, **fields):
        return await page.request.post(path, form=fields, headers={"origin": site.origin}, max_redirects=0)

    plan = PLAN | {"game": game, "size": "2", "same": "1", "title": "Klasse 7b"}
    plan[f"{game}:level"] = next(iter(games.package(game).bot.levels))
    url = (await post("/class/new", **plan)).headers["location"]
    await post(f"{url}/demo")
    await post(f"{url}/deal", way="number", dealt="")
    await post(f"{url}/resume")
    for one in (await site.services.classes.get(code(url))).tables:
        await finished(site, await site.services.host.table(one.id), random.Random(1))
    await post(f"{url}/stop")
    return url


@pytest.mark.slow
async def test_the_map_of_forms_finds_room_on_a_phone(site, visit):
    async with visit(site.origin, lang="de", phone=True) as page:
        await page.goto(f"{await over(site, page, 'hic-haec-hoc')}/debrief")
        await page.locator(".stepped .slide").first.wait_for()
        await page.keyboard.press("ArrowRight")
        await page.locator(f"{SHOWN} [lang=la]").first.wait_for()
        assert await page.locator(f"{SHOWN} .bad").count()
        assert await page.evaluate(FITS)


@pytest.mark.slow
async def test_a_class_steps_through_what_it_erred_on_with_arrow_keys(site, visit):
    async with visit(site.origin, lang="de", dark=True) as page:
        url = await over(site, page, "trailblaze")
        await page.set_viewport_size({"width": 1280, "height": 720})
        await page.goto(url)
        await page.locator("#debrief").click()
        await page.locator(".stepped .slide").first.wait_for()
        found = await checks.everything(page, "a table of all tables", (320, 1280, 1920))
        for width, height in ((320, 568), (390, 664), (1280, 720)):
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate(FITS), width
        assert not await page.evaluate(BROKEN)
        last = await page.locator(".slide").count()
        assert last > 2
        assert not await page.evaluate(TV)
        for key, at in (("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 1), ("End", last)):
            await page.keyboard.press(key)
            await page.locator("#at", has_text=f"{at} von {last}").wait_for()
        assert await page.locator(f"{SHOWN} .answer").is_visible()
        assert not await page.evaluate(TV)
        found += await checks.everything(page, "a card", (320, 1280))
        # the answer is turned over first
        await page.keyboard.press("ArrowLeft")
        assert await page.locator(f"{SHOWN} .front").is_visible()
        assert not await page.locator(f"{SHOWN} .answer").is_visible()
        await page.keyboard.press("ArrowRight")
        assert await page.locator(f"{SHOWN} .answer").is_visible()
        await page.reload()
        await page.locator("#at", has_text=f"{last} von {last}").wait_for()
    assert not found, "\n".join(found)


CUT = """() => [...document.querySelectorAll('.dlooked, .dlooked .slide, .dlooked .scroll-x')].filter((one) =>
  one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"""


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(["anno-domini", "hic-haec-hoc", "trailblaze"], ["hic-haec-hoc"]))
async def test_the_wall_follows_who_leads_the_class(site, visit, game):
    async with visit(site.origin, lang="de") as page, visit(site.origin, lang="de") as wall:
        url = await over(site, page, game)
        await wall.set_viewport_size({"width": 1280, "height": 720})
        await wall.goto(f"{url}/wall")
        await wall.locator(".cseats").wait_for()
        await page.goto(url)
        await page.locator("#debrief").click()
        await page.locator(".stepped .slide").first.wait_for()
        slides = await page.locator(".slide").count()
        for n in range(1, slides + 1):
            await wall.locator(f".dlooked #slide-{n}").wait_for()
            title = await page.locator(f"{SHOWN} h2").text_content()
            assert await wall.locator(".dlooked h2").text_content() == title
            assert not await wall.evaluate(CUT), title
            assert not await wall.evaluate(TV), title
            if await page.locator(f"{SHOWN} .dback").count():
                assert not await wall.locator(".answer").count()
                await page.locator("#on").click()
                await wall.locator(".dlooked .answer").wait_for()
                assert not await wall.evaluate(CUT), title
            if n < slides:
                await page.keyboard.press("ArrowRight")
        await page.locator("#leave").click()
        await page.wait_for_url(f"**{url}")
        await wall.locator(".cseats").wait_for()


@pytest.mark.slow
async def test_slides_show_every_event_of_every_chain(site, visit):
    async with visit(site.origin, lang="de") as page:
        url = await over(site, page, "anno-domini")
        await page.goto(f"{url}/debrief")
        await page.set_viewport_size({"width": 390, "height": 664})
        head = page.locator(f"{SHOWN} thead th").last
        assert await head.evaluate("(one) => getComputedStyle(one).writingMode") == "horizontal-tb"
        room = await site.services.classes.get(code(url))
        text = await page.evaluate("() => [...document.querySelectorAll('.dgrid td')].map((one) => one.textContent)")
        shown = " ".join(text)
        for table in room.tables:
            game = await site.services.host.replay(table.id, broken_off=True)
            rounds = [n.reveal for entry in game.news for n in entry.news if hasattr(n, "reveal")]
            assert rounds
            for reveal in rounds[:3]:
                assert all(row.front["de"] in shown and row.date["de"] in shown for row in reveal.rows)
