"""Counts the taps for each move of a player who sees only the page, beside the number that the design allows.

python tools/taps.py        # into research/taps.md
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.conftest import executable  # noqa: E402
from browser.play import MINDS, Person, add_bots, against_bots, number, open_table, start  # noqa: E402
from spieltisch import games  # noqa: E402
from spieltisch.dice import FastDice  # noqa: E402
from spieltisch.web.core import opening  # noqa: E402
from spieltisch.web.core.access.actor import Actor  # noqa: E402
from spieltisch.web.core.http.actions import encode  # noqa: E402
from web.site import served  # noqa: E402

TITLES = {
    "adaman": "Adaman", "anno-domini": "Anno Domini", "trailblaze": "Trailblaze", "hic-haec-hoc": "hic – haec – hoc",
}  # fmt: skip
DESIGN: dict[str, dict[str, int]] = {  # taps that the design allows
    "home": {"play against bots": 1, "open a table": 1},
    "anno-domini": {
        "place, confirmed (first game)": 3,
        "place": 2,
        "doubt": 2,
        "open with one card left": 4,
        "rematch": 1,
    },
    "adaman": {"control": 2, "excuse": 2},
    "trailblaze": {"swap or keep": 1, "place": 2, "place with bonus": 4, "place, without bonus": 3},
    "hic-haec-hoc": {"play": 3, "contest or accept": 1},
}
HEAD = """# Taps a move

Counted by `python tools/taps.py`: a person with a thumb at 390 × 664 who sees only the page plays all four games
against bots; the least number of taps a move took. A move is counted from a page that asks for it.

| where | move | design | counted |
| --- | --- | --- | --- |
"""


async def visitor(browser, site, seed=1):
    context = await browser.new_context(
        base_url=site.origin, viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True,
        reduced_motion="reduce", locale="en-GB",
    )  # fmt: skip
    context.set_default_timeout(15_000)
    return Person(await context.new_page(), touch=True, seed=seed)


async def played(me, game, done):
    """Play, game after game, until every wanted move has been counted."""
    await against_bots(me, game)
    for _ in range(400):
        if done(me.taps):
            return
        if not await me.turn(MINDS[game]):
            await against_bots(me, game)
    raise SystemExit(f"{game}: not all moves have come: {me.taps}")


async def small_table(me, cards):
    """Anno Domini against a bot, with this number of cards each."""
    await open_table(me, "anno-domini")
    await number(me, "cards_per_player", cards)
    await add_bots(me, 1, 2)
    await start(me)


async def annodomini(browser, site):
    me = await visitor(browser, site, 8)
    await small_table(me, 2)
    await me.game(MINDS["anno-domini"])
    counted = {"place, confirmed (first game)": me.taps["place"]}
    me.deeds = 0
    await me.use("#rematch")
    await me.page.locator("#table.table:not(:has(#over))").wait_for()
    counted["rematch"] = me.deeds
    me.taps.clear()
    await played(me, "anno-domini", lambda taps: {"place", "doubt"} <= set(taps))
    counted |= {"place": me.taps["place"], "doubt": me.taps["doubt"]}
    while "open" not in me.taps:  # until no bot was quicker
        await small_table(me, 1)
        await me.turn(MINDS["anno-domini"])
    return counted | {"open with one card left": me.taps["open"]}


async def excuse(browser, site):
    """Adaman with the Excuse, from its appearance on."""
    me, package = await visitor(browser, site, 3), games.package("adaman")
    host = site.services.host
    while "excuse" not in me.taps:
        top = {"options": {"extra": ["excuse"]}}
        code, key = await opening.open_table(site.services, package, Actor("", "en"), bots=0, name="Mira", top=top)
        table, dice = await host.table(code), FastDice(code)
        while table.result is None and not all(encode(one).startswith('{"type":"Excuse') for one in table.legal(0)):
            await host.answer(code, 0, table.question(0), package.bot.choose(table.view(0), table.legal(0), dice, None))
        if table.result is None:
            await me.page.goto(f"/t/{code}/seat#{key}")
            await me.page.wait_for_url(f"**/t/{code}")
            await me.turn(MINDS["adaman"])
    return me.taps["excuse"]


async def main():
    counted = {}
    with tempfile.TemporaryDirectory() as folder:
        async with async_playwright() as playwright, served(Path(folder)) as site:
            browser = await playwright.chromium.launch(executable_path=executable())
            me = await visitor(browser, site)
            await against_bots(me, "adaman")
            counted["home"] = {"play against bots": me.deeds}
            me.deeds = 0
            await me.page.goto("/")
            await me.use("form[action$='/tables'] [value='anno-domini']")
            await me.page.wait_for_url("**/t/*")
            counted["home"]["open a table"] = me.deeds
            counted["anno-domini"] = await annodomini(browser, site)
            most = DESIGN["adaman"]["control"]  # more if somebody pays by hand
            await played(me, "adaman", lambda taps: taps.get("control", 99) <= most)
            counted["adaman"] = {"control": me.taps["control"], "excuse": await excuse(browser, site)}
            me = await visitor(browser, site, 10)
            await played(me, "trailblaze", lambda taps: {"swap", "place", "bonus", "without bonus"} <= set(taps))
            counted["trailblaze"] = {
                "swap or keep": me.taps["swap"],
                "place": me.taps["place"],
                "place with bonus": me.taps["place"] + me.taps["bonus"],
                "place, without bonus": me.taps["place"] + me.taps["without bonus"],
            }
            me = await visitor(browser, site, 11)
            await open_table(me, "hic-haec-hoc")  # otherwise a first game against bots would have help
            await me.use("#first-yes")
            await me.page.locator("#first").wait_for(state="detached")
            design = DESIGN["hic-haec-hoc"]["play"]  # more if the top card had no declared reading
            await played(
                me, "hic-haec-hoc", lambda taps: taps.get("play", 99) <= design and "accept or contest" in taps
            )
            counted["hic-haec-hoc"] = {"play": me.taps["play"], "contest or accept": me.taps["accept or contest"]}
            await browser.close()
    rows = [
        f"| {TITLES.get(where, where)} | {move} | {most} | {counted[where].get(move) or '–'} |"
        for where, moves in DESIGN.items()
        for move, most in moves.items()
    ]
    text = HEAD + "\n".join(rows) + "\n"
    (ROOT / "research" / "taps.md").write_text(text, encoding="utf-8")
    print(text)
    over = [
        f"{where}, {move}"
        for where, moves in DESIGN.items()
        for move, most in moves.items()
        if (counted[where].get(move) or 0) > most
    ]
    if over:
        sys.exit(f"more taps than the design allows: {'; '.join(over)}")


if __name__ == "__main__":
    asyncio.run(main())
