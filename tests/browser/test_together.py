"""Looking back together in browsers: one leads, a phone and the screen follow, somebody tries another move."""

import msgspec
import pytest
from msgspec.structs import replace

import matrix
from browser import checks
from browser.play import Person, annodomini, drawn, hichaechoc
from browser.test_evening import gone_on
from browser.test_heights import MISSING
from browser.test_screen import look as look_at
from browser.test_screen import seated
from browser.test_spoken_past import over
from matrix import many, sampled
from spieltisch.dice import FastDice
from spieltisch.game import Refused
from spieltisch.table.log import LookBack
from web.site import finished

SHOWS = "(words) => document.querySelector('#said, .tvlook')?.textContent.includes(words)"


@pytest.mark.parametrize("game", sampled(["anno-domini", "hic-haec-hoc"], ["hic-haec-hoc"]))
async def test_two_phones_and_a_screen_look_back(site, visit, game):
    async with (
        visit(site.origin, phone=True) as ada,
        visit(site.origin, phone=True, lang="de", dark=True) as ben,
        visit(site.origin) as tv,
    ):
        code = (await over(site, ada, ben, game, blind=False)).id
        for page, to in ((ada, code), (ben, code), (tv, f"{code}/screen")):
            await drawn(page, f"/t/{to}")
        n = len(await site.services.host.replay(code))
        await ada.locator("#together").tap()
        for page, to in ((ada, "together"), (ben, "together"), (tv, "together/screen")):
            await gone_on(page, f"{code}/{to}")

        async def all_at(step):
            for page, words in ((ada, "Step {} of {}"), (ben, "Schritt {} von {}"), (tv, "Step {} of {}")):
                await page.wait_for_function(SHOWS, arg=words.format(step, n))

        async def look(what):
            found = [one for page in (ada, ben) for one in await checks.sizes(page, what)]
            looked_at = many((ada, ben), (ada, ben, tv))  # the next test looks at such screens before landing
            found += [f"{what}: {one}" for page in looked_at for one in await checks.axe(page)]
            assert not found, "\n".join(found)

        await ada.locator("#on").tap()
        await all_at(2)
        slide = "(one) => { one.value = 3; one.dispatchEvent(new Event('input', {bubbles: true})); }"
        await ada.locator("#step").evaluate(slide)
        await all_at(3)
        assert await ben.locator("#step, #end").count() == 0
        await look("led")
        for width, height in ((375, 553), (320, 568), (844, 390), (667, 331)):
            await ada.set_viewport_size({"width": width, "height": height})
            await ada.evaluate(checks.SETTLED)
            assert not await ada.evaluate(MISSING, [["#said", "#step", "#on", "#whatif", "#end"], "", 0])
        # Ben looks on his own, and comes back
        await ben.locator("#own").tap()
        await ben.wait_for_url("**/replay?step=3")
        await ada.locator("#back").tap()
        await ben.locator("#follow a").tap()
        await ben.wait_for_url("**/together")
        await all_at(2)
        # what if: all see that it did not happen
        await ben.locator("#whatif").tap()
        await ada.locator("#fork", has_text="This did not happen.").wait_for()
        await tv.locator(".tvlook.tried", has_text="This did not happen.").wait_for()
        await ben.locator("#fork", has_text="Das ist nicht passiert.").wait_for()
        await look("a fork")
        player = Person(ben, touch=True)
        player.asked = await player.question()
        await {"anno-domini": annodomini, "hic-haec-hoc": hichaechoc}[game](player)
        for page, words in ((ada, "1 other move"), (ben, "1 anderer Zug"), (tv, "1 other move")):
            await page.wait_for_function(SHOWS, arg=words)
        await ada.locator("#untry").tap()
        await ada.wait_for_function("() => !document.querySelector('#said').textContent.includes('other move')")
        await ada.locator("#unfork").tap()
        await tv.locator(".tvlook:not(.tried)").wait_for()
        await ada.locator("#end").tap()
        for page, to in ((ada, code), (ben, code), (tv, f"{code}/screen")):
            await page.wait_for_url(f"**/t/{to}")


def tried(replay, step, enough):
    """Moves from this step on until `enough` says so, or the game is over."""
    found, dice = (), FastDice(2)
    while not enough(now := replay.what_if(step, found)) and now.to_act:
        for action in sorted(now.legal(now.to_act[0]), key=lambda _: dice.random()):
            try:
                replay.what_if(step, new := (*found, msgspec.to_builtins(action)))
            except Refused:
                continue
            found = new
            break
    return found


SEEN = """([step, others]) => {
  const found = document.querySelector('.tvlook b')?.textContent.match(/\\d+/g) ?? [];
  return found[0] === String(step) && (found[2] ?? '0') === String(others);
}"""


@pytest.mark.parametrize(
    ("game", "people", "lang"),
    sampled(
        [("anno-domini", 4, "de"), ("trailblaze", 6, "de"), ("hic-haec-hoc", 4, "de"), ("hic-haec-hoc", 4, "en")],
        [("trailblaze", 6, "de")],
    ),
)
async def test_the_screen_of_a_look_back_is_whole(site, visit, game, people, lang):
    """At steps with much to say, at reveals, at the end, and where that did not happen."""
    table, host = await seated(site, game, people), site.services.host
    await finished(site, table, FastDice(5))
    replay = await host.replay(table.id)

    def reveals(now):
        return table.package.page.is_marked(now.view(None).public.news)

    shown = [step for step in range(2, len(replay)) if reveals(replay.at(step))]
    before = shown[0] - 1
    moments = [(step, None) for step in (1, before, *shown[:2], shown[-1], len(replay))]
    moments += [(before, tried(replay, before, enough)) for enough in (lambda _: True, reveals)]
    moments.append((shown[-1] - 1, tried(replay, shown[-1] - 1, lambda now: now.result is not None)))
    async with visit(site.origin, lang=lang, dark=True) as page:
        found, first = [], table.setup.chairs[0].key

        async def go(step, others):
            look = LookBack(first, step=step, tried=others)
            await host.change(table.id, lambda setup: replace(setup, look=look))

        await go(2, None)
        await page.goto(f"/t/{table.id}/together/screen")
        await page.locator("#table[data-ready]").wait_for()
        for step, others in moments:
            await go(step, others)
            await page.wait_for_function(SEEN, arg=[step, len(others or ())])
            where = f"step {step}, {'as it was' if others is None else len(others)}"
            await look_at(page, found, where)
            if matrix.whole or step in {1, shown[0], len(replay)} or others == ():  # else it is the same kind of page
                found += [f"{where}: {one}" for one in await checks.axe(page)]
            assert await page.locator(".tv.forked").count() == (others is not None)
        assert not found, "\n".join(found)


async def test_a_press_while_the_server_is_gone_says_so(site, visit):
    async with visit(site.origin, phone=True) as page, visit(site.origin) as ben:
        table = await over(site, page, ben)
        page.watch.expects = ("ERR_FAILED",)
        begin = {"form": {"do": "begin"}, "headers": {"origin": site.origin}}
        await page.request.post(f"/t/{table.id}/together", **begin)
        await page.goto(f"/t/{table.id}/together")
        await page.route("**/together", lambda route: route.abort())
        await page.locator("#on").tap()
        await page.locator("#refusal", has_text="Connection lost.").wait_for()
        await page.unroute("**/together")
        await page.locator("#on").tap()
        await page.wait_for_function(SHOWS, arg="Step 2 of")
        assert not await page.locator("#refusal").text_content()
