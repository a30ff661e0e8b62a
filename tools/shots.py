"""Takes pictures of every screen, in all states of the games, at five widths and in both themes, into `shots/`; also
contact sheets of them, and the README's composed pictures into `docs/img/`.

    python tools/shots.py [--fast] [game …]

`--fast` takes 390 and 1280 px only. The player of a game sees only the page, and plays until its main states have
occurred or a minute is over.
"""

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import async_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.conftest import executable  # noqa: E402
from browser.play import (  # noqa: E402
    MINDS,
    Person,
    add_bots,
    against_bots,
    beside,
    join,
    number,
    open_table,
    option,
    start,
)
from spieltisch import games  # noqa: E402
from spieltisch.dice import FastDice  # noqa: E402
from spieltisch.web.core import opening  # noqa: E402
from spieltisch.web.core.access.actor import Actor  # noqa: E402
from web.site import code as code_of  # noqa: E402
from web.site import finished, served  # noqa: E402

SHOTS, IMAGES = ROOT / "shots", ROOT / "docs" / "img"
WIDTHS = (320, 390, 768, 1280, 1920)
HEIGHT = {320: 568, 390: 664, 768: 1024, 1280: 800, 1920: 1080}
THEMES = ("light", "dark")
STATES = {  # the states to show of each game
    "adaman": {"turn", "chosen", "over"},
    "anno-domini": {"turn", "long chain", "preview", "doubt", "reveal", "over"},
    "trailblaze": {"swap", "turn", "field", "bonus", "reveal", "over"},
    "hic-haec-hoc": {"turn", "declared", "contest", "drawn", "reveal", "over"},
}
FRAMES = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 32px; background: #b9a88f; width: max-content }}
main {{ display: grid; grid-template-columns: {columns}; gap: 28px; align-items: center }}
img {{ display: block; border-radius: 12px; box-shadow: 0 10px 30px #0006 }}
</style><main>{images}</main>"""


SHEET = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 12px; background: #888; display: flex; flex-wrap: wrap; gap: 12px; align-items: start }}
figure {{ margin: 0; font: 11px sans-serif; display: grid; gap: 2px }}
</style>{images}"""


async def shoot(page, name, widths, *, whole=False):
    """Shoot this page as it is now (or `whole`, to its end), at every width and in both themes."""
    before = page.viewport_size
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme)
        for width in widths:
            await page.set_viewport_size({"width": width, "height": HEIGHT[width]})
            await page.screenshot(path=SHOTS / f"{name}-{width}-{theme}.png", animations="disabled", full_page=whole)
    await page.emulate_media(color_scheme="light")
    await page.set_viewport_size(before)


async def visitor(browser, origin, lang="en"):
    context = await browser.new_context(
        base_url=origin, viewport={"width": 1280, "height": 800}, has_touch=True, reduced_motion="reduce",
        locale="de-DE" if lang == "de" else "en-GB",
    )  # fmt: skip
    context.set_default_timeout(15_000)
    return await context.new_page()


async def play(browser, site, game, widths):
    """Play until all main states have occurred, for a minute at most."""
    end, seen = time.monotonic() + 60, set()

    async def look(me, state):
        if state not in seen:
            seen.add(state)
            await shoot(me.page, f"{game}-{state.replace(' ', '-')}", widths)

    seed = 0
    while not STATES[game] <= seen and time.monotonic() < end:
        seed += 1
        page = await visitor(browser, site.origin)
        me = Person(page, touch=True, seed=seed)
        me.look = look
        if game == "hic-haec-hoc":  # otherwise a first game against bots would have help
            await open_table(me, game)
            await me.use("#first-yes")
            await page.locator("#first").wait_for(state="detached")
        await against_bots(me, game)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(10, end - time.monotonic())):
                await me.game(MINDS[game])
        await page.context.close()
    print(f"{game}: {', '.join(sorted(seen))}; not come: {', '.join(sorted(STATES[game] - seen)) or 'nothing'}")


async def begun(page, site, game, **form):
    """A new game against bots, with the options of a form; the page is not opened yet."""
    answer = await page.request.post("/play", form={"game": game, **form}, headers={"origin": site.origin})
    return await site.services.host.table(code_of(answer.url))


async def at(page, address):
    await page.goto(address)
    await page.locator("#table[data-ready]").wait_for()


async def adamans(browser, site, widths):
    """Adaman's three endings, a look back, and the Excuse right after the deal."""
    page, seen = await visitor(browser, site.origin), set()
    for n in range(1, 60):
        if len(seen) == 3:
            break
        table = await begun(page, site, "adaman", deal=str(n))
        await finished(site, table, FastDice(n), blind=bool(n % 2))
        if (how := table.result.end) not in seen:
            seen.add(how)
            await at(page, f"/t/{table.id}")
            await shoot(page, f"adaman-end-{how}", widths)
    await page.goto(f"/t/{table.id}/review", timeout=120_000)  # the server computes it first
    await page.locator("#label").wait_for(timeout=120_000)
    await shoot(page, "adaman-review", widths)
    table = await begun(page, site, "adaman", deal="6", preset="excuse")  # this deal has the Excuse
    await at(page, f"/t/{table.id}")
    await shoot(page, "adaman-excuse", widths)
    await page.context.close()
    print(f"adaman's ends: {', '.join(sorted(seen))}")


async def seldom(browser, site, widths):
    """Rare states: one card left, a spectator, a pause, the cover of a shared device, and the ends of the
    other games.
    """
    page, other = await visitor(browser, site.origin), await visitor(browser, site.origin)
    me = Person(page, touch=True)
    await open_table(me, "anno-domini", "Mira")
    await number(me, "cards_per_player", 1)
    await add_bots(me, 2, 3)
    await start(me)
    await me.wanted()
    await shoot(page, "anno-domini-opening", widths)
    await at(other, page.url)
    await shoot(other, "spectator", widths)
    await site.services.host.change(code_of(page.url), lambda setup: replace(setup, paused=True))
    await at(page, page.url)
    await shoot(page, "paused", widths)
    await open_table(me, "hic-haec-hoc", "Mira")
    await beside(me, "Emre")
    await start(me)
    await page.locator("#lift").wait_for()
    await shoot(page, "cover", widths)
    for game in ("anno-domini", "trailblaze", "hic-haec-hoc"):
        table = await begun(page, site, game)
        await finished(site, table, FastDice(1))
        await at(page, f"/t/{table.id}")
        await shoot(page, f"{game}-end", widths, whole=True)
        if await page.locator("#review").count():
            await page.goto(f"/t/{table.id}/review")
            await shoot(page, f"{game}-review", widths)
    for context in (page.context, other.context):
        await context.close()


async def beyond(browser, site, widths):
    """The pages besides tables, in German: home, decks and one of them, deals, a race, credits."""
    page = await visitor(browser, site.origin, "de")
    for name, address in (("home", "/"), ("decks", "/decks"), ("deals", "/deals/adaman?n=1"), ("credits", "/credits")):
        await page.goto(address)
        await shoot(page, f"{name}-de", widths)
    await page.goto("/decks")
    await page.locator("main a[href*='/decks/']").first.click()
    await page.wait_for_url("**/decks/*")
    await shoot(page, "deck-de", widths)
    await page.goto("/deals/adaman")
    await page.locator("#race").click()
    await page.locator("#mine").wait_for()
    await shoot(page, "race-de", widths)
    await page.context.close()


async def around(browser, site, widths):
    """Home, the waiting room, the public screen, the rules, an assisted game."""
    page, other = await visitor(browser, site.origin), await visitor(browser, site.origin)
    me, guest = Person(page, touch=True), Person(other, touch=True)
    await page.goto("/")
    await shoot(page, "home-first", widths)
    code = await open_table(me, "anno-domini", "Mira")
    await join(guest, code, "Emre")
    await add_bots(me, 2, 4)
    await shoot(page, "waiting", widths)
    await shoot(other, "waiting-guest", widths)
    await start(me)
    await me.turns(MINDS["anno-domini"], 1)
    await shoot(other, "anno-domini-waiting-or-turn", widths)
    await page.locator("[popovertarget=menu]").first.click()
    await shoot(page, "menu", widths)
    await page.goto(f"/t/{code}/screen")
    await shoot(page, "screen", [width for width in widths if width >= 1000])  # narrower ones are redirected
    await page.goto("/")
    await shoot(page, "home", widths)
    for game in MINDS:
        await page.goto(f"/rules/{game}")
        await shoot(page, f"rules-{game}", widths)
    await open_table(me, "hic-haec-hoc", "Mira")
    await option(me, "mode", "assisted")
    await add_bots(me, 2, 3)
    await start(me)
    await me.turns(MINDS["hic-haec-hoc"], 1)
    await me.wanted()
    await shoot(page, "hic-haec-hoc-assisted", widths)


async def lessons_and_replays(browser, site, widths):
    """The beginning of every lesson; finished games, with everything open and as one seat saw them."""
    page = await visitor(browser, site.origin)
    for game in MINDS:
        await page.goto(f"/learn/{game}")
        await shoot(page, f"{game}-lesson", widths)
    for game, eyes in (("anno-domini", ""), ("trailblaze", "&seat=0"), ("hic-haec-hoc", "&seat=0")):
        code, _ = await opening.open_table(site.services, games.package(game), Actor("", "en"), bots=2, name="Mira")
        table = await site.services.host.table(code)
        await finished(site, table, FastDice(3))
        await page.goto(f"/t/{code}/replay?step={table.seq * 2 // 3}{eyes}")
        await page.locator("#run").wait_for()
        await shoot(page, f"{game}-replay", widths)
    await page.context.close()


async def sheets(browser, widths):
    """All pictures of one width and theme on a sheet."""
    page = await browser.new_page(viewport={"width": 1800, "height": 600})
    for width in widths:
        for theme in THEMES:
            files = sorted(SHOTS.glob(f"*-{width}-{theme}.png"))
            shown = f'width="{170 if width < 700 else 340}"'
            images = "".join(f'<figure><img src="{one.as_uri()}" {shown}>{one.stem}</figure>' for one in files)
            with tempfile.NamedTemporaryFile("w", suffix=".html") as html:
                html.write(SHEET.format(images=images))
                html.flush()
                await page.goto(Path(html.name).as_uri())
                await page.screenshot(path=SHOTS / f"sheet-{width}-{theme}.png", full_page=True)
    await page.close()


async def compose(browser, name, files, columns, width, heights):
    """Pictures side by side, as a page."""
    images = "".join(
        f'<img src="{file.as_uri()}" height="{height}">' for file, height in zip(files, heights, strict=True)
    )
    page = await browser.new_page(viewport={"width": width, "height": 600})
    with tempfile.NamedTemporaryFile("w", suffix=".html") as html:
        html.write(FRAMES.format(images=images, columns=columns))
        html.flush()
        await page.goto(Path(html.name).as_uri())
        await page.locator("body").screenshot(path=IMAGES / name)
    await page.close()
    print(f"docs/img/{name}: {(IMAGES / name).stat().st_size // 1000} kB")


def found(width, theme, *names):
    """The first of these pictures that exists."""
    return next((file for name in names if (file := SHOTS / f"{name}-{width}-{theme}.png").exists()), None)


async def compose_all(browser):
    chain = ("anno-domini-long-chain", "anno-domini-preview", "anno-domini-turn")
    tables = [found(390, "light", *chain), found(1280, "light", *chain)]
    if all(tables):
        await compose(browser, "tables.png", tables, "auto auto", 1400, (560, 560))
    every = [
        found(1280, "light", *chain),
        found(1280, "dark", "adaman-chosen"),
        found(1280, "dark", "trailblaze-bonus", "trailblaze-field"),
        found(1280, "light", "hic-haec-hoc-declared"),
    ]
    if all(every):
        await compose(browser, "games.png", every, "auto auto", 1200, (330,) * 4)


async def main(chosen, widths):
    SHOTS.mkdir(exist_ok=True)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        async with async_playwright() as playwright, served(Path(folder)) as site:
            browser = await playwright.chromium.launch(executable_path=executable())
            if not chosen:
                await around(browser, site, widths)
                await lessons_and_replays(browser, site, widths)
                await adamans(browser, site, widths)
                await seldom(browser, site, widths)
                await beyond(browser, site, widths)
            for game in chosen or MINDS:
                await play(browser, site, game, widths)
            await compose_all(browser)
            await sheets(browser, widths)
            await browser.close()
    print(f"{len(list(SHOTS.glob('*.png')))} pictures in shots/")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("games", nargs="*")
    given = parser.parse_args()
    asyncio.run(main(given.games, (390, 1280) if given.fast else WIDTHS))
