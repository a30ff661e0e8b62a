"""Counts the taps that each move takes, by a person who sees only the page, and writes them down beside the design's.

python tools/taps.py        # into docs/taps.md
"""

import asyncio
import contextlib
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.conftest import executable  # noqa: E402
from browser.play import MINDS, Person, add_bots, against_bots, number, open_table, start  # noqa: E402
from web.site import served  # noqa: E402

TITLES = {
    "adaman": "Adaman", "anno-domini": "Anno Domini", "trailblaze": "Trailblaze", "hic-haec-hoc": "hic – haec – hoc",
}  # fmt: skip
DESIGN: dict[str, dict[str, int]] = {  # what the design allows
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

Counted by `python tools/taps.py`: a person with a thumb at 390 × 844 who sees only the page plays all four games
against bots; the least number of taps a move took. A move is counted from a page that asks for it.

| where | move | design | counted |
| --- | --- | --- | --- |
"""


async def visitor(browser, site, seed=1):
    context = await browser.new_context(
        base_url=site.origin, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True,
        reduced_motion="reduce", locale="en-GB",
    )  # fmt: skip
    context.set_default_timeout(15_000)
    return Person(await context.new_page(), touch=True, seed=seed)


async def until(me, game, *wanted):
    """Play until these moves have been made, or the game is over."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(120):
            while not set(wanted) <= set(me.taps) and await me.turn(MINDS[game]):
                pass


async def annodomini(browser, site):
    me = await visitor(browser, site, 8)
    await open_table(me, "anno-domini")
    await number(me, "cards_per_player", 2)
    await add_bots(me, 1, 2)
    await start(me)
    await me.game(MINDS["anno-domini"])
    counted = {"place, confirmed (first game)": me.taps["place"]}
    me.deeds = 0
    await me.use("#rematch")
    await me.page.locator("#table.table:not(:has(#over))").wait_for()
    counted["rematch"] = me.deeds
    me.taps.clear()
    while not {"place", "doubt"} <= set(me.taps):
        await against_bots(me, "anno-domini")
        await until(me, "anno-domini", "place", "doubt")
    counted |= {"place": me.taps.get("place"), "doubt": me.taps.get("doubt")}
    await open_table(me, "anno-domini")
    await number(me, "cards_per_player", 1)
    await add_bots(me, 1, 2)
    await start(me)
    await until(me, "anno-domini", "open")
    return counted | {"open with one card left": me.taps.get("open")}


async def played(browser, site, game, *wanted):
    me = await visitor(browser, site, len(game))
    for _ in range(3):
        await against_bots(me, game)
        await until(me, game, *wanted)
        if set(wanted) <= set(me.taps) | me.seen:
            break
    return me.taps


async def excuse(browser, site):
    """Adaman with the Excuse, until it has come."""
    me = await visitor(browser, site, 3)
    while "excuse" not in me.taps:
        await me.page.goto("/")
        opened = await me.page.request.post("/tables", form={"game": "adaman"}, headers={"origin": site.origin})
        await me.page.goto(opened.url)
        async with me.page.expect_navigation():
            await me.page.locator("[name=preset]").select_option("excuse")
        await start(me)
        await until(me, "adaman", "excuse")
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
            counted["adaman"] = await played(browser, site, "adaman", "control")
            counted["adaman"]["excuse"] = await excuse(browser, site)
            taps = await played(browser, site, "trailblaze", "swap", "place", "bonus", "without bonus")
            both = {"place with bonus": "bonus", "place, without bonus": "without bonus"}
            counted["trailblaze"] = {"swap or keep": taps.get("swap"), "place": taps.get("place")} | {
                words: taps["place"] + taps[kind] for words, kind in both.items() if kind in taps
            }
            taps = await played(browser, site, "hic-haec-hoc", "over")  # to the end
            counted["hic-haec-hoc"] = {"play": taps.get("play"), "contest or accept": taps.get("accept or contest")}
            await browser.close()
    rows = [
        f"| {TITLES.get(where, where)} | {move} | {most} | {counted[where].get(move) or '–'} |"
        for where, moves in DESIGN.items()
        for move, most in moves.items()
    ]
    text = HEAD + "\n".join(rows) + "\n"
    (ROOT / "docs" / "taps.md").write_text(text, encoding="utf-8")
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
