"""A table beyond its moves: phrases and muting, and the tab that shows whose turn it is."""

import asyncio

import pytest
from msgspec.structs import replace

from browser import checks
from browser.play import CHANGING, Person, drawn, quick_start, quick_table, submitted
from matrix import sampled
from spieltisch.dice import FastDice
from spieltisch.web.core.http.actions import encode
from spieltisch.web.table.commands import COMMANDS
from web.site import finished

# What the page plays is written down: the pitch of every note, in hertz.
HEAR = """window.heard = [];
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (when) {
  window.heard.push(this.frequency.value);
  start.call(this, when);
};"""
# Whether these notes were the last ones.
HEARD = "(notes) => String(window.heard.slice(-notes.length)) === String(notes)"
# A browser that takes its time to begin the first transition, as WebKit may.
SLOW = """() => {
  const begin = document.startViewTransition;
  document.startViewTransition = function (put) {
    window.slow = "asked";
    const later = (window.gone ?? new Promise((done) => { window.goOn = done; })).then(put);
    return begin.call(this, () => later.then(() => { window.slow = "begun"; }));
  };
}"""
# Whether the page asks this question, or none.
WAITS = """(question) => question === (document.querySelector('[form=move]:not(:disabled)')
  && document.querySelector('#move [name=question]').value)"""


async def look(page):
    """Nothing for axe to find, nothing too small or unnamed on a small phone."""
    return await checks.axe(page) + await checks.sizes(page, "talk", (320,))


async def test_a_table_of_people_is_alive(site, visit):
    """What one says stands beside the seat of the others, in their language, unless they mute it."""
    async with (
        visit(site.origin) as page,
        visit(site.origin, phone=True, lang="de") as other,
    ):
        ada, ben = Person(page, touch=False), Person(other, touch=True)
        await quick_start(ada, "hic-haec-hoc", "Ada", (ben, "Ben"), bots=1)
        icons = [await one.locator("link[rel=icon]").get_attribute("href") for one in (page, other)]
        assert ["turn" in icon for icon in icons] == [True, False]

        # what Ada says stands beside her seat, and is read out, in German; who mutes it does not
        await page.locator("#say").click()
        found = await look(page)
        await page.locator("#say-1").click()
        assert "Ada Das ist gewagt." in await other.locator(".voice").text_content()
        assert await other.locator("#polite").text_content() == "Ada: Das ist gewagt."
        await other.locator("#say").tap()
        await other.locator("[data-setting=voices]").uncheck()
        await other.locator("#talk [popovertarget=talk]").tap()
        await other.locator(".voice").wait_for(state="detached")
        await page.locator("#say").click()
        await page.locator("#say-2").click()
        await page.locator(".voice", has_text="Are you sure?").wait_for()
        assert await other.locator(".voice").count() == 0
        assert not found, "\n".join(found)


@pytest.mark.parametrize("when", ["at rest", "just before the picture changes", "while the picture changes"])
async def test_a_press_is_not_lost_when_the_table_moves_on_under_it(site, visit, when):
    """What is new waits until the finger is lifted, then it is there; so is what the press was for."""
    moving = when != "at rest"
    async with visit(site.origin, phone=True, moving=moving) as page, site.browser() as ada, site.browser() as cleo:
        url = (await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
        code = url.rpartition("/")[2]
        await submitted(page, f"{url}/sit", name="Ben")
        await cleo.post(f"{url}/sit", data={"name": "Cleo"})
        await ada.post(f"{url}/start")
        table = await site.services.host.table(code)

        async def answer(who, seat):
            action = encode(table.legal(seat)[0])
            await who.post(f"{url}/move", data={"question": table.question(seat), "action": action})

        await drawn(page, url)
        if when == "while the picture changes":  # time stands still: the change never ends by itself
            time = await page.context.new_cdp_session(page)
            await time.send("Animation.enable")
            await time.send("Animation.setPlaybackRate", {"playbackRate": 0})
        await answer(ada, 0)
        fine = page.locator("#accept")
        await fine.wait_for()
        await page.evaluate("window.pressed = document.querySelector('#accept')")
        if when == "while the picture changes":
            await page.wait_for_function(CHANGING)
        elif moving:
            await page.wait_for_function(f"() => !({CHANGING})()")
            await page.evaluate(SLOW)
        box = await fine.bounding_box()
        await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if when == "just before the picture changes":
            await answer(cleo, 2)
            await page.wait_for_function("() => window.slow === 'asked'")
            await page.mouse.down()
            await page.evaluate("window.gone = Promise.resolve(), window.goOn()")
            await page.wait_for_function("() => window.slow === 'begun'")
        else:
            await page.mouse.down()
            await answer(cleo, 2)
        await page.wait_for_function("() => document.querySelector('#polite').textContent.includes('Cleo')")
        assert await page.evaluate("window.pressed.isConnected")
        await page.mouse.up()
        await fine.wait_for(state="detached")
        assert not await page.evaluate("window.pressed.isConnected")
        assert table.view(None).public.turn.seat == 1  # all have accepted: it is Ben's turn


@pytest.mark.parametrize("moving", sampled([True, False], [True]), ids=["moving", "still"])
async def test_who_likes_hears_a_turn_and_the_end(site, visit, moving):
    """Not a note unless sounds are on; then two rising ones for a turn of one's own, and four at the end."""
    async with visit(site.origin, moving=moving) as page, site.browser() as ben:
        await page.add_init_script(HEAR)
        url = await submitted(page, "/tables", game="anno-domini", name="Ada")
        code, few = url.rpartition("/")[2], {"cards_per_player": 3, "max_rounds": 1}
        await site.services.host.change(code, lambda setup: replace(setup, top=setup.top | {"options": few}))
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        await submitted(page, f"{url}/start")
        await drawn(page, url)
        table = await site.services.host.table(code)

        async def answer():
            seat = table.to_act[0]
            move = {"question": str(table.question(seat)), "action": encode(table.legal(seat)[0])}
            if seat == 0:
                await page.request.post(f"{site.origin}{url}/move", form=move, headers={"origin": site.origin})
            else:
                await ben.post(f"{url}/move", data=move)
            await page.wait_for_function(WAITS, arg=str(table.question(0)) if 0 in table.to_act else None)

        while table.to_act == (0,):
            await answer()
        while table.to_act == (1,):
            await answer()
        assert await page.evaluate("window.heard") == []
        await page.evaluate("localStorage.sound = 'yes'")
        while table.to_act == (0,):
            await answer()
        while table.to_act == (1,):
            await answer()
        await page.wait_for_function(HEARD, arg=[523, 784])  # when the picture is there, which may be after the form
        await finished(site, table, FastDice(1))
        await page.locator("#over").wait_for()
        await page.wait_for_function(HEARD, arg=[523, 659, 784, 1047])


async def test_what_was_pressed_shows_that_it_is_on_its_way_though_its_place_was_drawn_anew(site, visit, monkeypatch):
    """A button without a name of its own is not found again: then the dock is busy, or nothing, and no script fails."""
    done = COMMANDS["chairs"]

    async def slowly(*given):
        await asyncio.sleep(1)
        return await done(*given)

    monkeypatch.setitem(COMMANDS, "chairs", slowly)
    async with visit(site.origin) as page, site.browser() as eve:
        me = Person(page, touch=False)
        code = await quick_table(me, "anno-domini", "Ada")
        await page.locator(".wseat.empty [name=do][value=bot]").last.click()
        await eve.post(f"/t/{code}/sit", data={"name": "Eve"})
        await page.locator(".wlist b.nm", has_text="Eve").wait_for()
        await page.wait_for_function("() => document.querySelectorAll('.wseat.empty').length === 1")
