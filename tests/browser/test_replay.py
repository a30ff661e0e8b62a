"""A finished game step by step in a browser: the slider, the keys, other eyes, the link."""

import pytest

from browser import checks
from matrix import sampled
from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.opening import open_table
from web.site import finished

AT = """(step) => document.querySelector('#step').value === String(step)
  && (new URL(location.href).searchParams.get('step') ?? '1') === String(step)"""


EYES = [("anno-domini", ""), ("hic-haec-hoc", "&seat=0")]


async def over(site, game):
    """A finished game; its code."""
    bots = min(3, games.package(game).rules.seats[-1]) - 1
    deal = 7 if game == "adaman" else 0  # some deals are lost before the first move
    who = Actor("", "en")
    code, _ = await open_table(site.services, games.package(game), who, bots=bots, name="Ada", deal=deal)
    await finished(site, await site.services.host.table(code), FastDice(3))
    return code


async def at(page, step):
    """Wait until the page shows this step, and its address does."""
    await page.wait_for_function(AT, arg=step)


@pytest.mark.parametrize("phone", [True, False], ids=["touch", "keys"])
async def test_stepping_through_a_game(site, visit, phone):
    code = await over(site, "adaman")
    async with visit(site.origin, phone=phone) as page:
        await page.goto(f"/t/{code}")
        await page.locator("#replay").click()
        await page.wait_for_url("**/replay")
        await page.locator("#run").wait_for()  # the script is there
        last = int(await page.locator("#step").get_attribute("max"))
        await at(page, 1)
        if phone:
            for step, css in ((2, "#on"), (3, "#on"), (2, "#back"), (last, "#last")):
                await page.locator(css).tap()
                await at(page, step)
        else:
            for step, key in ((2, "ArrowRight"), (3, "ArrowRight"), (2, "ArrowLeft"), (last, "End"), (1, "Home")):
                await page.keyboard.press(key)
                await at(page, step)
            await page.locator("#step").focus()
            await page.keyboard.press("ArrowRight")  # the slider's own
            await at(page, 2)
            assert await page.evaluate("document.activeElement.id") == "step"
            await page.locator("#eyes-all").click()
            await page.locator("#truth").wait_for()
            await page.locator("#run").click()  # it plays by itself, until somebody takes over
            await page.wait_for_function("() => document.querySelector('#step').value >= 4")
            await page.locator("#first").click()
            await at(page, 1)
            assert await page.locator("#run").get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize(("game", "eyes"), sampled([*EYES, ("trailblaze", "&seat=1")], EYES[1:]))
async def test_a_link_shows_the_moment_to_anybody_and_for_everybody(site, visit, game, eyes):
    """axe, sizes and names; a step is there before it is asked for."""
    code = await over(site, game)
    async with visit(site.origin, width=1280) as page:
        await page.goto(f"/t/{code}/replay?step=9{eyes}")
        found = await checks.everything(page, "replay", (320, 390, 1280))
        assert not found, "\n".join(found)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        for step in (10, 11, 12):  # each was fetched while the one before was looked at, and is shown from there
            async with page.expect_request(lambda request, step=step: f"step={step + 1}" in request.url):
                await page.locator("#on").click()
            await at(page, step)
        assert len(asked) == len(set(asked))
