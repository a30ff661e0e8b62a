"""Sounds and vibration: asked once, in the first game, and never again."""

from browser.play import MINDS, Person, quick_bots, quick_start
from spieltisch.dice import FastDice
from web.site import code, finished

HEARD = """
window.heard = [];
window.AudioContext = class {
  currentTime = 0;
  destination = null;
  resume() {}
};
window.OscillatorNode = class {
  constructor(context, { frequency }) { heard.push(frequency); }
  connect(other) { return other; }
  start() {}
  stop() {}
};
window.GainNode = class {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  connect(other) { return other; }
};
navigator.vibrate = (pattern) => heard.push(pattern);
"""


async def visitor(page):
    await page.add_init_script(HEARD)
    await page.set_viewport_size({"width": 390, "height": 844})  # without a browser's bars, as from the home screen
    me = Person(page, touch=True, seed=3)
    await quick_bots(me, "anno-domini")
    await me.wanted()
    return me


async def test_who_says_yes_hears_it_at_once_and_at_each_turn(site, visit):
    async with visit(site.origin, phone=True) as page:
        me = await visitor(page)
        asked = page.locator("#ask-sound")
        assert await asked.is_visible()
        assert await page.evaluate("heard") == []
        await asked.locator("[value=yes]").tap()
        assert not await asked.is_visible()
        assert await page.evaluate("heard") == [[60, 40, 60], 523, 784]  # so that they know what it is
        await me.turn(MINDS["anno-domini"])
        await me.wanted()
        await page.wait_for_function("() => heard.filter((one) => one === 784).length === 2")
        await page.locator("[popovertarget=menu]").first.tap()
        for name in ("sound", "buzz"):
            assert await page.locator(f"[data-setting={name}]").is_checked()
        await page.locator("label:has([data-setting=buzz])").tap()
        await page.reload()
        assert await page.evaluate("[localStorage.sound, localStorage.buzz]") == ["yes", "no"]
        assert not await asked.is_visible()


async def test_who_says_no_or_nothing_is_left_in_peace(site, visit):
    async with visit(site.origin, phone=True) as page:
        me = await visitor(page)
        await page.locator("#ask-sound [value=no]").tap()
        await me.turn(MINDS["anno-domini"])
        await me.wanted()
        assert not await page.locator("#ask-sound").is_visible()
        assert await page.evaluate("heard") == []
    async with visit(site.origin, phone=True) as page:
        await visitor(page)
        await finished(site, await site.services.host.table(code(page.url)), FastDice(1))
        await page.locator("#over").wait_for()
        assert await page.evaluate("localStorage.sound") == "no"  # the first game is over
        assert await page.evaluate("heard") == []
    async with visit(site.origin) as page:  # who plays alone knows whose turn it is
        await quick_bots(Person(page, touch=False), "adaman")
        assert not await page.locator("#ask-sound").count()


async def test_on_a_short_page_it_is_asked_while_one_waits(site, visit):
    async with visit(site.origin, phone=True) as page, visit(site.origin, phone=True) as other:
        ada, ben = Person(page, touch=True), Person(other, touch=True)
        table = await quick_start(ada, "anno-domini", "Ada", (ben, "Ben"))
        (seat,) = (await site.services.host.table(table)).to_act
        acts, waits = (page, other) if seat == 0 else (other, page)
        await acts.locator("[form=move]").first.wait_for()
        assert not await acts.locator("#ask-sound").is_visible()
        assert await waits.locator("#ask-sound").is_visible()
