"""A lesson with 24: the teacher's page, the wall and one pupil's phone; the others have clients without pages."""

import asyncio
import contextlib
import re

from people import Patient

from browser.play import MINDS
from spieltisch.dice import FastDice
from spieltisch.game import Refused

PUPILS = 24
CODES = re.compile(r'class="num code">([A-Z0-9]{5}) ([A-Z0-9]{5})<')
THINK = 1.5  # seconds, of a pupil
LOOKS = {
    "here": "text('.cstats span:first-child, .tvlobby ~ .tvf .missing b')",
    "tables": "shown('.ct, .cseats > li').length || ''",
    "pause": "shown('.is-paused').length || /Paus/.test(text('.tvf .missing b, .paused')) ? 'paused' : ''",
    "slide": "text('.stepped .slide h2, .dlooked h2')",
}


async def _alone(site, table, name):
    """A table plays; the pupil with this name has a page of their own."""
    dice, host = FastDice(table.id), site.services.host
    while table.setup.stage == "playing":
        await asyncio.sleep(THINK * dice.random())
        for seat in table.to_act:
            if table.setup.chairs[seat].name != name and not table.setup.paused:
                legal = table.legal(seat)
                action = table.package.bot.choose(table.view(seat), legal, dice, await host.beliefs(table.id, seat))
                with contextlib.suppress(Refused):
                    await host.answer(table.id, seat, table.question(seat), action)


async def _played(me):
    with contextlib.suppress(Exception):  # the lesson ends in the middle of anything
        await me.game(MINDS["anno-domini"])


async def _come(site, lead, phone, url):
    """Everybody comes with a strip; the first one's name."""
    await lead.goto(f"{url}/strips")
    await asyncio.sleep(2)
    first, *others = ["".join(one) for one in CODES.findall(await lead.content())]
    await lead.goto(url)
    await phone.goto(f"{url}/strip#{first}")
    await phone.locator("#name").wait_for()
    for strip in others:
        async with site.browser() as pupil:
            assert (await pupil.post("/join", data={"code": strip})).status_code == 303
    await asyncio.sleep(2)
    return (await phone.locator("h1").text_content()).strip()


async def _prepared(lead):
    """The address of the class."""
    await lead.goto("/")
    await asyncio.sleep(1)
    await lead.locator("[href$='/class/new']").first.click()
    await lead.locator("label:has(#game-anno-domini)").click()
    await lead.locator("#strips").fill(str(PUPILS))
    await asyncio.sleep(1)
    await lead.locator(".classform .btn.main").click()
    await lead.locator("#class[data-ready]").wait_for()
    return "/class/" + lead.url.rpartition("/")[2]


async def _looked_back(lead):
    await lead.locator("#debrief").click()
    await lead.locator(".stepped .slide").first.wait_for()
    await asyncio.sleep(2)
    while await lead.locator("#on:enabled").count():
        await lead.keyboard.press("ArrowRight")
        await asyncio.sleep(1)
    await lead.locator("#leave").click()


async def _over(lead, running):
    """The last round; tables that do not end are stopped."""
    await lead.locator("#do-last").click()
    await asyncio.wait(running, timeout=90)
    await asyncio.sleep(3)
    if await lead.locator("#do-stop").count():
        await lead.locator("#do-stop").click()
        await asyncio.sleep(2)


async def teacher(studio):
    """From home to the end of the lesson: prepared, seated, begun together, paused, looked back at, reported."""
    site = studio.site
    pages = {who: await studio.visitor(who, looks=LOOKS) for who in ("teacher", "screen", "phone")}
    lead, wall, phone = pages.values()
    lead.on("dialog", lambda dialog: dialog.accept())
    async with studio.shot("teacher", pages) as say:
        say("prepared")
        url = await _prepared(lead)
        await wall.goto(f"{url}/wall")
        say("they come")
        name = await _come(site, lead, phone, url)
        say("assigned")
        await lead.locator("#deal-random").click()
        await phone.wait_for_url("**/t/*")
        await phone.locator("#table[data-ready]").wait_for()
        await asyncio.sleep(3)
        say("all begin")
        await lead.locator("#do-resume").click()
        room = await site.services.classes.get(url.rpartition("/")[2])
        tables = [await site.services.host.table(one.id) for one in room.tables]
        running = [asyncio.create_task(_alone(site, one, name)) for one in tables]
        mine = asyncio.create_task(_played(Patient(phone, touch=True)))
        await asyncio.sleep(20)
        say("pause")
        await lead.locator("#do-pause").click()
        await asyncio.sleep(3)
        say("they go on")
        await lead.locator("#do-resume").click()
        await asyncio.sleep(10)
        say("last round")
        await _over(lead, running)
        say("look back")
        await _looked_back(lead)
        say("report")
        await lead.locator("#report").click()
        await lead.locator("#all").wait_for()
        await asyncio.sleep(2)
        say("end of the lesson")
        await lead.locator(".cback").click()
        await lead.locator("#more summary").click()
        await asyncio.sleep(1)
        await lead.locator("form[action$='/next'] .btn").click()
        await asyncio.sleep(3)
    for one in (mine, *running):
        one.cancel()
    studio.compare(pages, "teacher")
    for page in pages.values():
        await page.context.close()
