"""Two people with one phone: whole games by touch, with a cover between them where hands are hidden."""

import functools
from collections import Counter
from itertools import pairwise

import pytest

from browser import checks
from browser.play import MINDS, Person, beside, number, option, quick_start, quick_table, start
from browser.test_heights import DRAWN, MISSING
from matrix import many, sampled
from spieltisch.dice import FastDice
from spieltisch.games.hichaechoc.state import JOKER
from spieltisch.table import lobby
from web.site import finished

BY_HAND = many(16, 400)  # times that the two are asked; the server answers the rest

# What the page holds of hands, and which seat it shows.
HOLDS = """() => ({
  forms: [...document.querySelectorAll('#table [data-form]')].map((one) => one.dataset.form),
  seat: document.querySelector('#move [name=as]')?.value ?? null,
  to: document.querySelector('#cover .to')?.textContent ?? null,
})"""


async def two_of_us(page, game, seed=0, *, by_hand=False, **options):
    """Mira opens a table, and Emre joins her on the same device."""
    us = Person(page, touch=True, seed=seed)
    if by_hand:
        await quick_table(us, game, "Mira")
        await beside(us, "Emre")
    else:
        await quick_table(us, game, "Mira", beside="Emre")
    for name, value in options.items():
        await (number if value.isdigit() else option)(us, name, value)
    return us


@pytest.mark.parametrize("more", sampled([{}, {"mode": "assisted"}], [{}]), ids=["strict", "assisted"])
async def test_a_whole_game_with_hidden_hands_goes_from_hand_to_hand(site, visit, more):
    async with visit(site.origin, phone=True, lang="de") as page:
        us, found = await two_of_us(page, "hic-haec-hoc", 4, by_hand=True, cards_per_player="3", **more), []
        if not more:
            await page.set_viewport_size({"width": 390, "height": 2600})  # what the dock half covers is scrolled to
            found += await checks.everything(page, "waiting room", (320, 390))
            await page.set_viewport_size({"width": 390, "height": 664})
        await start(us)
        code = page.url.rpartition("/")[2]
        table = await site.services.host.table(code)
        covers, seats = [], set()
        for _ in range(BY_HAND):
            if (want := await us.wanted()) == "over":
                break
            holds = await page.evaluate(HOLDS)
            if want == "cover":
                covers.append(holds["to"])
                assert holds["forms"] == []
                assert holds["seat"] is None
                if len(covers) == 1 and not more:
                    found += await checks.everything(page, "cover", (320, 390, 1280))
            elif want == "turn":
                seat = int(holds["seat"])
                seats.add(seat)
                hand = [card for card in table.view(seat).own.hand if card >= 0]
                forms = [table.view(seat).public.terms.forms[card] for card in hand]
                assert not Counter(holds["forms"]) - Counter(forms)
            await us.turn(MINDS["hic-haec-hoc"])
        assert set(covers) == {"Gib das Gerät an Mira weiter.", "Gib das Gerät an Emre weiter."}
        assert all(one != two for one, two in pairwise(covers))
        assert seats == {0, 1}
        assert ("contest" in us.seen) == (not more)
        await finished(site, table, FastDice(1))
        await page.locator("#over").wait_for()
        assert (await page.evaluate(HOLDS))["forms"] == []
        assert table.result is not None
        assert not found, "\n".join(found)


OPEN = [("anno-domini", {"cards_per_player": "2"}), ("trailblaze", {})]


@pytest.mark.parametrize(("game", "options"), sampled(OPEN, OPEN[:1]))
async def test_where_hands_lie_open_the_phone_shows_whoever_is_asked(site, visit, game, options):
    async with visit(site.origin, phone=True) as page:
        us = await two_of_us(page, game, 5, **options)
        await start(us)
        table = await site.services.host.table(page.url.rpartition("/")[2])
        for _ in range(many(6, 12)):
            if await us.wanted() == "turn":
                seat = table.to_act[0]
                assert (await page.evaluate(HOLDS))["seat"] == str(seat)
                assert (
                    await page.locator(".turn b").first.text_content() == f"{('Mira', 'Emre')[seat]}, it is your turn."
                )
            if not await us.turn(MINDS[game]):
                break
        assert "cover" not in us.seen


async def test_on_a_desktop_the_cover_leaves_what_is_contested_in_sight(site, visit):
    wanted = ["#lift", ".side-a .lcard", ".side-b .lcard", ".side-b .say-it"]
    async with visit(site.origin, phone=True, width=1280, lang="de") as page:
        await quick_start(Person(page, touch=True), "hic-haec-hoc", "Mira", beside="Emre")
        await page.locator("#lift").tap()
        await page.locator(".lhand label:has(input:not([data-joker]))").first.tap()
        for row in ("case", "number", "gender"):
            await page.locator(f".decl label:has([name={row}])").first.tap()
        await page.locator("#lay").tap()
        await page.locator("#lift").wait_for()
        for height in (800, 720):
            await page.set_viewport_size({"width": 1280, "height": height})
            await page.evaluate(DRAWN, True)
            assert not await page.evaluate(MISSING, [wanted, "", 0]), height


# Names by which two things on the page would glide: a browser then lets nothing glide at all.
TWICE = """() => {
  const all = [...document.querySelectorAll('#table *')].filter((one) => one.checkVisibility());
  const names = all.map((one) => getComputedStyle(one).viewTransitionName).filter((name) => name && name !== 'none');
  return names.filter((name, n) => names.indexOf(name) !== n);
}"""


async def test_a_card_that_both_hold_glides_from_one_hand_only(site, visit):
    """One player holds the same form as the card that another contests, on the same phone."""
    async with visit(site.origin, phone=True, moving=True) as page:
        us = await two_of_us(page, "hic-haec-hoc")
        host, code = site.services.host, page.url.rpartition("/")[2]
        for seed in range(1, 40):
            package = (await host.table(code)).package
            await host.change(code, functools.partial(lobby.without_free_chairs, package))
            await host.start(code, seed.to_bytes(16))
            table = await host.table(code)
            seat = table.to_act[0]
            both = {*table.view(seat).own.hand} & {*table.view(1 - seat).own.hand} - {JOKER}
            if both:
                break
            await page.goto("about:blank")
            await host.delete(code)
            us = await two_of_us(page, "hic-haec-hoc")
            code = page.url.rpartition("/")[2]
        await page.reload()
        await us.wanted()
        await page.locator("#lift").tap()
        card = page.locator(f".lhand label:has(input[value='{both.pop()}'])").first
        await card.tap()
        for row in ("case", "number", "gender"):
            await page.locator(f".decl label:has([name={row}])").first.tap()
        await page.locator("#lay").tap()
        await page.locator("#lift").tap()
        await page.locator("#accept").tap()
        await page.locator(".lhand .card").first.wait_for()
        assert not await page.evaluate(TWICE)
