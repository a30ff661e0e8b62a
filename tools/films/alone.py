"""One person alone: a solitaire player, and the maker of a deck."""

import asyncio

from camera import ROOT
from people import PACE, Hinted, Patient, as_hinted

from browser.play import MINDS, against_bots, look_back

SHEET = ROOT / "tests" / "decks" / "sheets" / "klasse-9b.csv"


async def solitaire(studio):
    """The guided game, a whole game on a phone and its look back, statistics; the daily by hints at a desk."""
    pages = {who: await studio.visitor(who) for who in ("phone", "desktop")}
    phone, desk = pages.values()
    me, fan = Patient(phone, touch=True, seed=3), Hinted(desk, touch=False)
    async with studio.shot("solitaire", pages) as say:
        say("home")
        await phone.goto("/")
        await asyncio.sleep(1)
        say("guided")
        await phone.goto("/learn/adaman")
        for css in ("#hint", "#hint", "#hint", "#go", "#undo"):
            await asyncio.sleep(PACE)
            await phone.locator(css).tap()
        await asyncio.sleep(PACE)
        say("a game")
        await against_bots(me, "adaman")
        await me.game(MINDS["adaman"])
        say("its end")
        await asyncio.sleep(2)
        say("look back")
        await look_back(phone)
        await asyncio.sleep(2)
        await phone.goto("/deals/adaman#stats")
        say("statistics")
        await asyncio.sleep(2)
        say("the daily, by hints")
        await desk.goto("/")
        await desk.locator("#dailies a[data-deal][href*=adaman]").click()
        await asyncio.sleep(1)
        await desk.locator("#play").click()
        await desk.locator("#table[data-ready]").wait_for()
        await fan.game(as_hinted)
        say("the daily's end")
        await asyncio.sleep(3)
        say("look back")
        await look_back(desk)
        await asyncio.sleep(2)
    for page in pages.values():
        await page.context.close()


async def maker(studio):
    """A sheet becomes a deck, is examined and played; its key opens it on a phone."""
    pages = {who: await studio.visitor(who) for who in ("desktop", "phone")}
    desk, phone = pages.values()
    async with studio.shot("maker", pages) as say:
        say("decks")
        await desk.goto("/decks")
        await asyncio.sleep(1)
        await desk.locator("input[type=file]").set_input_files(SHEET)
        say("looked over")
        await desk.locator("#make form .btn:not(.sm)").first.click()
        accept = desk.locator("button[name=do][value=all]")
        await accept.wait_for()
        await asyncio.sleep(2)
        say("all accepted")
        await accept.click()
        await desk.locator("#made").wait_for()
        await asyncio.sleep(2)
        key = await desk.locator("#made a").get_attribute("href")
        deck = desk.url
        say("deck lab")
        await desk.locator("#lab").click()
        await desk.locator("form[action$='/lab'] .btn").click()
        await desk.locator(".lab").wait_for(timeout=180_000)
        await asyncio.sleep(2)
        say("by the key, on a phone")
        await phone.goto(key)
        await phone.locator("h1").wait_for()
        await asyncio.sleep(1)
        await phone.locator("#rename summary").tap()
        await asyncio.sleep(1)
        await phone.locator("[name=title_de]").fill("Unsere Weltgeschichte")
        await phone.locator("form[action$='/title'] .btn").tap()
        await asyncio.sleep(2)
        say("played")
        await desk.goto(deck)
        await desk.locator("form[action$='/play'] .btn").click()
        await desk.locator("#table[data-ready]").wait_for()
        await asyncio.sleep(4)
    for page in pages.values():
        await page.context.close()
