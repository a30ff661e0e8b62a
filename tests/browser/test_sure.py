"""How sure? In a browser: two taps from home, keys, a slider, the curve, a file; and at a table before a doubt."""

import json

import pytest

from browser import checks
from browser.play import Person, quick_start
from matrix import sampled
from spieltisch.decks.vocabulary import EPOCHS, FIELDS
from spieltisch.games.annodomini.state import Doubt, Open, Place
from web.site import code

LISTENS = ".switch:visible"  # a page's scripts show it as they begin to listen to keys
KEPT = "() => JSON.parse(localStorage.getItem('sure') ?? '{}')"
# In all fields and times, so that the longest of their names is there, whatever the chain that comes on top is about.
MANY = {f"events/{n:012x}": [80, n % 20 < 11, [*EPOCHS], [*FIELDS]] for n in range(24)}


BROKEN = """() => {
  const found = [], range = document.createRange();
  for (const node of [...document.querySelectorAll('.steps b')].map((one) => one.firstChild))
    for (const { index, 0: word } of node.data.matchAll(/\\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (range.getClientRects().length > 1) found.push(word);
    }
  return found;
}"""


@pytest.mark.parametrize("lang", sampled(["de", "en", "fr", "it"], ["en"]))
async def test_no_word_of_the_steps_is_broken(site, visit, lang):
    async with visit(site.origin, phone=True, lang=lang) as page:
        await page.goto("/sure/events")
        for width in (360, 375, 390, 414):
            await page.set_viewport_size({"width": width, "height": 664})
            assert await page.evaluate(BROKEN) == [], width


async def test_two_taps_from_home_and_the_first_claim_counts(site, visit):
    async with visit(site.origin, phone=True, lang="de", dark=True) as page:
        await page.goto("/")
        await page.locator("a[href$='/sure/events']").tap()
        found = await checks.everything(page, "a chain", (320, 390, 1280))
        url = page.url
        await page.locator("#step-4").tap()
        await page.locator("#curve h2").wait_for()
        found += await checks.everything(page, "a chain turned over", (320, 390, 1280))
        assert "Noch 24 Schätzungen" in await page.locator("#curve").text_content()
        [(at, claim)] = (await page.evaluate(KEPT)).items()
        assert url.endswith(f"/sure/{at}")
        assert claim[0] == 75
        await page.goto(f"{url}/5")
        await page.locator("#curve h2").wait_for()
        assert (await page.evaluate(KEPT))[at] == claim
        assert not found, "\n".join(found)


async def test_by_keyboard_a_chain_after_the_other(site, visit):
    async with visit(site.origin) as page:
        await page.goto("/sure/events")
        await page.locator("#percent").focus()
        for _ in range(4):
            await page.keyboard.press("ArrowRight")
        assert await page.locator("output").text_content() == "70\u00a0%"
        assert await page.locator("[data-paid]").text_content() == "Right: +64 points. Wrong: −96 points."
        await page.locator("#claim").press("Enter")
        await page.locator("#curve h2").wait_for()
        await page.locator(LISTENS).wait_for()
        await page.keyboard.press("n")
        await page.locator("#step-1").wait_for()
        await page.locator(LISTENS).wait_for()
        await page.keyboard.press("1")
        await page.locator("#curve h2").wait_for()
        assert [one[0] for one in (await page.evaluate(KEPT)).values()] == [70, 5]
        await page.locator("[data-setting=keys]").uncheck()
        await page.keyboard.press("n")
        assert await page.locator("#next").is_visible()


async def test_the_curve_comes_with_the_25th_claim_and_goes_along_in_a_file(site, visit, tmp_path):
    async with visit(site.origin, phone=True) as page, visit(site.origin) as other:
        await page.goto("/sure")
        await page.evaluate("(all) => localStorage.setItem('sure', JSON.stringify(all))", MANY)
        await page.goto("/sure/events")
        assert "curve" not in await page.locator("h1").text_content()
        await page.locator("#step-5").tap()
        await page.locator("#curve svg").wait_for()
        assert "When you say 80 %, you are right 62 % of the time." in await page.locator("#curve").text_content()
        await page.goto("/sure")
        await page.locator("#curve svg").wait_for()
        found = await checks.everything(page, "the curve", (320, 390, 1280))
        async with page.expect_download() as saved:
            await page.locator("[data-take]").tap()
        file = tmp_path / "claims.json"
        await (await saved.value).save_as(file)
        assert len(json.loads(file.read_text())["claims"]) == 25
        await other.goto("/sure")
        await other.locator("#curve h2").wait_for()
        await other.locator("#bring").set_input_files(file)
        await other.locator("#brought:not(:empty)").wait_for()
        assert await other.locator("#brought").text_content() == "New guesses added: 25"
        await other.locator("#curve svg").wait_for()
        file.write_text('{"claims": {"a": [400, true]}}')
        other.watch.expects = ("422",)
        await other.locator("#bring").set_input_files(file)
        await other.wait_for_function("() => document.querySelector('#brought').textContent.includes('no guesses')")
        assert len(await other.evaluate(KEPT)) == 25
        await other.locator("[data-forget]").click()
        await other.wait_for_function("() => !document.querySelector('#curve svg')")
        assert await other.evaluate(KEPT) == {}
        assert not found, "\n".join(found)


async def test_before_a_doubt_nobody_hears_how_sure_one_is(site, visit):
    """The number reaches neither the server nor other players. Its own device shows it once the chain is
    turned over.
    """
    async with visit(site.origin, phone=True) as page, visit(site.origin) as other:
        me, guest = Person(page, touch=True), Person(other, touch=False)
        await quick_start(me, "anno-domini", "Ada", (guest, "Ben"))
        host = site.services.host
        table = await host.table(code(page.url))
        while 0 not in table.to_act or not any(isinstance(one, Doubt) for one in table.legal(0)):
            seat = table.to_act[0]
            action = next(one for one in table.legal(seat) if isinstance(one, Place | Open))
            await host.answer(table.id, seat, table.question(seat), action)
        await page.locator("#ask-doubt").tap()
        await page.locator("#surely summary").tap()
        found = await checks.sizes(page, "the sheet of a doubt", (320, 390, 1280)) + await checks.axe(page)
        sent = []
        page.on("request", lambda one: sent.append(f"{one.url} {one.post_data or ''}"))
        await page.evaluate(
            """() => {
              const send = WebSocket.prototype.send;
              window.sent = [];
              WebSocket.prototype.send = function (text) { window.sent.push(text); return send.call(this, text); };
            }"""
        )
        await page.locator("#surely-percent").fill("15")
        assert await page.locator("#surely output").text_content() == "15\u00a0%"
        await page.locator("#do-doubt").tap()
        await page.locator("#surely-said:visible").wait_for()
        [doubt] = [json.loads(one) for one in await page.evaluate("window.sent") if '"move"' in one]
        assert {name for name, _ in doubt["fields"]} == {"question", "action"}
        assert not any("15" in one for one in sent if "/live" not in one and "/static/" not in one), sent
        right = not (await host.table(table.id)).view(0).public.revealed.wrong
        [(at, claim)] = (await page.evaluate(KEPT)).items()
        assert at.startswith(f"/t/{table.id}/")
        assert claim[:2] == [15, right]
        assert ("−189 points" if right else "+91 points") in await page.locator("#surely-said").text_content()
        await other.locator("[data-after]").first.wait_for()
        assert await other.locator("#surely-said, [data-doubted]").count() == 0
        assert await other.evaluate(KEPT) == {}
        assert not found, "\n".join(found)


async def test_without_scripts_a_chain_is_judged_all_the_same(site, visit):
    async with visit(site.origin, phone=True, java_script_enabled=False) as page:
        page.watch.expects = (" csp",)
        await page.goto("/sure/events")
        await page.locator("#step-2").tap()
        await page.locator("#points").wait_for()
        await page.locator("#next").tap()
        await page.locator("#claim").tap()
        assert "50 %" in await page.locator("main").text_content()
        await page.locator("noscript").wait_for(state="attached")


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_what_it_means_is_for_everybody(site, visit, lang):
    async with visit(site.origin, lang=lang) as page:
        await page.goto("/sure")
        await page.locator("#curve h2").wait_for()
        found = await checks.everything(page, "how sure may you be", (320, 390, 768, 1280))
        assert not found, "\n".join(found)


async def test_what_cannot_be_read_or_drawn_is_told(site, visit):
    async with visit(site.origin, phone=True) as page:
        page.watch.expects = ("422", "ERR_FAILED")
        for broken in ("{", "[]", '{"events/1": 7}'):
            await page.goto("/sure")
            await page.evaluate("(text) => localStorage.setItem('sure', text)", broken)
            await page.reload()
            await page.locator("#curve .note", has_text="can’t be read").wait_for()
            await page.locator("[data-forget]").tap()
            await page.locator("#curve .note").wait_for(state="detached")
            await page.locator("#curve h2").wait_for()
        await page.route(
            "**/sure", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
        )
        await page.reload()
        await page.locator("#curve .note", has_text="No connection.").wait_for()
