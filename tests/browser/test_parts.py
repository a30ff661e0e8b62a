"""A phone that hears every move shows what it would show if it were loaded anew."""

import pytest
from msgspec.structs import replace

from browser.moments import PEOPLE
from matrix import sampled
from spieltisch.dice import FastDice
from web.site import code as code_of

SHOWN = ".chain, .hand9, .opp, .board, .tbcards, .bigcard, .spick, .lhand, .answers, .decl, .story, .where, .turn b"
COMPARED = """async (shown) => {
  const loaded = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const texts = (page) => [...page.querySelectorAll(shown)].map((one) => one.textContent.replace(/\\s+/g, " "));
  return [texts(document.getElementById("table")), texts(loaded.getElementById("table"))];
}"""
MOVES = 40
GAMES = ("anno-domini", "trailblaze", "hic-haec-hoc")


# `tests/web/test_parts.py` puts all kinds of pictures together; before landing one game shows that phones do so, too.
@pytest.mark.parametrize("game", sampled(GAMES, ["trailblaze"]))
async def test_a_phone_shows_after_many_moves_what_a_reload_shows(site, visit, game):
    host, dice = site.services.host, FastDice(game)
    async with visit(site.origin, phone=True, lang="de") as page:
        async with site.browser("de") as me:
            url = (await me.post("/tables", data={"game": game, "name": PEOPLE[0]})).headers["location"]
            for name in PEOPLE[1:]:
                async with site.browser() as other:
                    await other.post(f"{url}/sit", data={"name": name})
            await host.change(code_of(url), lambda setup: replace(setup, turn_seconds=0.0, answer_seconds=0.0))
            table = await host.start(code_of(url), (5).to_bytes(16))
            kept = {**me.cookies, "spieltisch_lang": "de"}
            await page.context.add_cookies([{"name": one, "value": kept[one], "url": site.origin} for one in kept])
        await page.goto(url)
        await page.locator("#table[data-ready]").wait_for()
        for moves in range(MOVES):
            if not table.to_act:
                break
            seat = table.to_act[0]
            await host.answer(table.id, seat, table.question(seat), dice.choice(table.legal(seat)))
            if table.package.page.reveal_seconds(table.view(0).public) or table.result is not None:
                continue  # it is shown row by row
            if moves % 4:
                continue
            if await page.locator(".staging").count():
                await page.keyboard.press("Escape")
            await page.locator(f'#news[data-seq="{table.seq}"]').wait_for(state="attached")
            phone, loaded = await page.evaluate(COMPARED, SHOWN)
            assert phone == loaded
