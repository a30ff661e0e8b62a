"""Whole games against bots through the page: by touch and by keyboard alone, light and dark, German and English."""

import asyncio
import time

import pytest
from msgspec.structs import replace

from browser import checks
from browser.play import (
    MINDS,
    TAPS,
    Person,
    add_bots,
    against_bots,
    drawn,
    number,
    option,
    quick_bots,
    quick_table,
    start,
    submitted,
)
from matrix import many, sampled

TOUCH, KEYS = {"phone": True}, {"phone": False}
LIGHT, DARK = {"dark": False}, {"dark": True}
EN, DE = {"lang": "en"}, {"lang": "de"}

CHANGED = "before => document.querySelector('#move [name=question]').value !== before"

USUAL = [
    ("adaman", TOUCH | LIGHT | DE),
    ("anno-domini", TOUCH | DARK | EN),
    ("trailblaze", TOUCH | LIGHT | EN),
    ("hic-haec-hoc", KEYS | LIGHT | EN),
]
PAIRS = [
    *USUAL,
    ("adaman", KEYS | DARK | EN),
    ("anno-domini", KEYS | LIGHT | DE),
    ("trailblaze", KEYS | DARK | DE),
    ("hic-haec-hoc", TOUCH | DARK | DE),
]

FEW = {"cards_per_player": 3}
# Before landing, games are short ones: options of games against one bot.
SHORT = many({"anno-domini": FEW, "trailblaze": {}, "hic-haec-hoc": FEW}, {})


def words(value):
    return value if isinstance(value, str) else "-".join(
        [("keys", "touch")[value["phone"]], ("light", "dark")[value["dark"]], value["lang"]]
    )  # fmt: skip


class Looker:
    """Looks at each new state that a person comes through."""

    def __init__(self, *, dark):
        self.theme = "dark" if dark else "light"
        self.found = []

    async def __call__(self, me, state):
        self.found += await checks.everything(me.page, state, themes=checks.BOTH)
        await me.page.emulate_media(color_scheme=self.theme)


async def short_game(site, me, game):
    """Begin a game against one bot, with these options."""
    url = await submitted(me.page, "/tables", game=game, name="Ada")
    code = url.rpartition("/")[2]
    await site.services.host.change(code, lambda setup: replace(setup, top=setup.top | {"options": SHORT[game]}))
    await submitted(me.page, f"{url}/chairs", do="bot")
    await submitted(me.page, f"{url}/start")
    await drawn(me.page, url)


@pytest.mark.parametrize(("game", "way"), sampled(PAIRS, USUAL), ids=words)
async def test_a_whole_game_against_bots(site, visit, game, way):
    """In every state axe has no finding, nothing is wider than the screen, no text or target small, none unnamed."""
    async with visit(site.origin, **way) as page:
        me = Person(page, touch=way["phone"], seed=len(game))
        me.look = Looker(dark=way["dark"])
        if game in SHORT:
            await short_game(site, me, game)
        else:
            await against_bots(me, game)
        assert await page.locator("html").get_attribute("lang") == way["lang"]
        await me.game(MINDS[game])
        assert (await page.locator("#over").text_content()).strip()
        table = await site.services.host.table(page.url.rpartition("/")[2])
        assert table.result is not None
        print(game, words(way), me.taps, sorted(me.seen))
        assert all(taps <= TAPS[game][kind] for kind, taps in me.taps.items()), me.taps
        assert not me.look.found, "\n".join(me.look.found)


HIDE = """() => {
  Object.defineProperty(document, 'hidden', { value: true, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
  delete document.hidden;
}"""


# Before landing, `test_stranger.py` answers in the one, `test_device.py` in the other, and the server ends them.
@pytest.mark.parametrize(("mode", "lang"), sampled([("assisted", "fr"), ("strict", "it")], []))
async def test_a_whole_game_of_latin_either_way(site, visit, mode, lang):
    """With the tables of forms open, every declaration is right and nobody objects. In a strict game, everybody may."""
    async with visit(site.origin, phone=True, lang=lang) as page:
        me = Person(page, touch=True, seed=5)
        await quick_table(me, "hic-haec-hoc")
        await option(me, "mode", mode)
        await add_bots(me, 2, 3)
        await start(me)
        await me.game(MINDS["hic-haec-hoc"])
        assert ("contest" in me.seen) == (mode == "strict")


# `test_missing.py` orders this chain with three taps before landing.
@pytest.mark.parametrize("phone", sampled([True, False], []), ids=["touch", "keys"])
async def test_with_one_card_left_a_round_begins_with_an_order(site, visit, phone):
    """Anno Domini with one card each: the first player orders it with two cards of the pile, in three taps."""
    async with visit(site.origin, phone=phone) as page:
        me = Person(page, touch=phone, seed=8)
        await quick_table(me, "anno-domini")
        await number(me, "cards_per_player", 1)
        await add_bots(me, 2, 3)
        await start(me)
        await me.turn(MINDS["anno-domini"])
        assert me.taps == {"open": 3}


async def test_after_the_first_game_a_card_is_laid_by_letting_go(site, visit):
    """Card, place: a press shows it there, letting go lays it, sliding off does not. It can be asked for again."""
    async with visit(site.origin, phone=True) as page:
        me = Person(page, touch=True, seed=8)
        await quick_table(me, "anno-domini")
        await number(me, "cards_per_player", 2)
        await add_bots(me, 1, 2)
        await start(me)
        assert await page.evaluate("localStorage.getItem('confirm')") is None
        await me.game(MINDS["anno-domini"])
        assert me.taps["place"] == 3
        assert await page.evaluate("localStorage.getItem('confirm')") == "no"
        assert await page.locator("#unconfirmed").is_visible()  # what that means is said
        await me.use("#rematch")
        await page.locator("#table.table:not(:has(#over))").wait_for()
        me.taps.clear()
        while "place" not in me.taps:
            assert await me.turn(MINDS["anno-domini"])
        assert me.taps["place"] == 2


async def test_what_lies_unconfirmed_can_be_taken_back(site, visit):
    """And single keys choose, as the list of them says. The page's clock stands still meanwhile."""
    async with visit(site.origin) as page:
        me = Person(page, touch=False)
        await page.goto("/")
        await page.evaluate("localStorage.setItem('confirm', 'no')")
        await page.clock.install()
        await quick_bots(me, "anno-domini")
        await me.wanted()
        await page.clock.pause_at(time.time() + 1)  # two seconds of a busy machine would lay the card
        question = await me.question()
        await page.keyboard.press("2")  # the second card of the hand
        assert await page.locator(".hand9 [name=card]").nth(1).is_checked()
        box = await page.locator(".gap .pick").first.bounding_box()
        await page.mouse.move(box["x"] + 20, box["y"] + 20)
        await page.mouse.down()
        assert await page.locator(".gap .ghost").first.is_visible()
        await page.mouse.move(box["x"] + 200, box["y"] + 20)
        await page.mouse.up()
        assert not await page.locator(".gap .ghost").first.is_visible()
        assert await me.question() == question  # nothing was laid
        gap, bar = page.locator(".gap .pick").first, page.locator("#undobar")
        await gap.click()
        assert "Laid: " in await bar.inner_text()
        await page.locator("#takeback").click()
        assert not await bar.is_visible()
        assert not await page.locator("[name=at]:checked").count()
        assert await me.question() == question
        await gap.click()
        await page.evaluate(HIDE)  # who leaves has laid it
        await sent(page, question, 1000)
        await page.clock.resume()
        await page.keyboard.press("?")
        assert await page.locator("#keys").get_attribute("open") is not None
        assert "Doubt" in await page.locator("#keys").inner_text()
        assert "Objection" not in await page.locator("#keys").inner_text()  # a key of another game
        await page.locator("[data-setting=keys]").uncheck()
        await page.keyboard.press("Escape")
        await me.wanted()
        await page.keyboard.press("3")
        assert not await page.locator(".hand9 [name=card]").nth(2).is_checked()


async def sent(page, question, most):
    """Send the answer to this question while the page lives through this many ms; the server may take longer."""
    for n in range(600):
        if await page.evaluate(CHANGED, question):
            return
        if n * 25 < most:
            await page.clock.run_for(25)
        await asyncio.sleep(0.02)
    pytest.fail("nothing was sent")


async def test_what_lies_is_sent_by_a_second_tap_and_before_the_time_is_up(site, visit):
    """The page's clock stands still: nothing is sent because two seconds have gone by."""
    async with visit(site.origin) as page:
        me = Person(page, touch=False)
        await page.goto("/")
        await page.evaluate("localStorage.setItem('confirm', 'no')")
        await page.clock.install()
        await quick_bots(me, "anno-domini")
        await me.wanted()
        await page.clock.pause_at(time.time() + 1)
        gap, bar, question = page.locator(".gap .pick").first, page.locator("#undobar"), await me.question()
        await page.keyboard.press("1")
        await gap.click()
        assert await bar.is_visible()
        assert await me.question() == question
        await page.locator(".gap .ghost .gtext").first.click()  # where it lies
        await sent(page, question, 1000)

        await page.clock.resume()
        while await me.wanted() == "go on":
            await me.turn(MINDS["anno-domini"])
        code = page.url.rpartition("/")[2]
        await site.services.host.change(code, lambda setup: replace(setup, turn_seconds=60.0))
        await page.locator(".dock .ring").wait_for()
        until = await page.evaluate("import('/static/clock.js').then((it) => Date.now() + it.timeLeft())") / 1000
        await page.clock.set_system_time(until - 1.3)  # without what is due meanwhile, such as asking for the line
        await page.clock.pause_at(until - 1.2)
        question = await me.question()
        await page.keyboard.press("1")
        await gap.click()
        assert await me.question() == question
        await sent(page, question, 1100)


# Before landing, `test_motion.py` and `test_life.py` press controls while a picture changes.
@pytest.mark.whole
async def test_with_motion_a_move_is_not_lost(site, visit):
    """Cards glide: the next tap does not wait for them, and nothing is lost by it."""
    async with visit(site.origin, phone=True, moving=True) as page:
        me = Person(page, touch=True, seed=3)
        await quick_bots(me, "adaman")
        await me.turns(MINDS["adaman"], 4)
