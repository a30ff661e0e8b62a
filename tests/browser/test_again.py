"""At the end of a game, the next one is one tap away on phones, whatever the scroll position."""

import itertools

import pytest
from msgspec.structs import replace

from browser.moments import PEOPLE, looked_at
from browser.test_heights import DRAWN, MISSING
from browser.test_screen import choose
from matrix import sampled
from spieltisch.dice import FastDice
from web.site import code as code_of

SIZES = ((390, 664), (375, 553), (844, 390))


async def ended(site, me, game):
    """A game of four people (Adaman: of one) that is over; its address. The client `me` has the first seat."""
    host = site.services.host
    if game == "adaman":
        url = (await me.post("/play", data={"game": game, "deal": "3"})).headers["location"]
    else:
        url = (await me.post("/tables", data={"game": game, "name": PEOPLE[0]})).headers["location"]
        for name in PEOPLE[1:]:
            async with site.browser() as other:
                await other.post(f"{url}/sit", data={"name": name})
        await host.change(code_of(url), lambda setup: replace(setup, turn_seconds=0.0, answer_seconds=0.0))
        await host.start(code_of(url), (5).to_bytes(16))
    table, dice = await host.table(code_of(url)), FastDice(5)
    while table.result is None:
        seat = table.to_act[0]
        legal = list(table.legal(seat))
        action = choose(table, legal, dice, None) if game == "trailblaze" else dice.choice(legal)
        await host.answer(table.id, seat, table.question(seat), action)
    return url


@pytest.mark.parametrize(
    ("game", "lang"),
    sampled(
        itertools.product(("anno-domini", "trailblaze", "hic-haec-hoc", "adaman"), ("de", "en")),
        [("anno-domini", "de")],
    ),
)
async def test_play_again_sticks_at_the_foot_of_phones(site, visit, game, lang):
    async with visit(site.origin, phone=True, lang=lang) as page:
        await looked_at(site, page, lang, lambda me: ended(site, me, game))
        there = page.url
        again = page.locator("#rematch")
        assert await again.text_content() == {"de": "Noch einmal", "en": "Play again"}[lang]
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            for top in (0, 300, 99_999):
                await page.evaluate(DRAWN, False)
                await page.evaluate("top => scrollTo({top, behavior: 'instant'})", top)
                assert not await page.evaluate(MISSING, [["#rematch"], "", 0]), (width, height, top)
        await again.tap()
        await page.wait_for_url(lambda now: now != there)
