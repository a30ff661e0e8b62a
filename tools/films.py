"""Films the moments of an evening as a phone, a desktop and the screen for all show them: every frame that the browser
paints, with its time, and a sheet of each film to look through, into `films/`.

    python tools/films.py [--every MS] [reveal | win | rematch | line] …

A frame is named by its ms since the film began. A sheet has a row for each moment (`--every` so many ms at least), with
the three pages as they were then.
"""

import argparse
import asyncio
import base64
import contextlib
import shutil
import sys
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import async_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.conftest import executable  # noqa: E402
from browser.play import Person, join, open_table, start  # noqa: E402
from spieltisch.games.annodomini.state import Doubt, Place  # noqa: E402
from web.silence import Silence  # noqa: E402
from web.site import served  # noqa: E402

FILMS = ROOT / "films"
ROWS = 5  # of a sheet
SIZES = {"phone": (390, 844), "desktop": (1280, 800), "screen": (1280, 720)}
SHEET = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 12px; background: #888; font: 12px sans-serif; display: grid; gap: 8px; width: max-content }}
p {{ margin: 0; display: flex; gap: 8px; align-items: start }} b {{ width: 60px }} img {{ height: 300px }}
</style>{rows}"""


class Film:
    """What a page paints, from `begin` to `end`."""

    def __init__(self, page, folder):
        self.page, self.folder, self.frames = page, folder, []

    async def begin(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.tape = await self.page.context.new_cdp_session(self.page)
        self.tape.on("Page.screencastFrame", self._take)
        await self.tape.send("Page.startScreencast", {"format": "jpeg", "quality": 70})

    def _take(self, frame):
        self.frames.append((frame["metadata"]["timestamp"], frame["data"]))
        self.acknowledged = asyncio.ensure_future(
            self.tape.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        )

    async def end(self, since):
        """Write the frames: their files by the ms since then."""
        await self.tape.send("Page.stopScreencast")
        files = {}
        for at, data in self.frames:
            ms = max(0, round((at - since) * 1000))
            files[ms] = self.folder / f"{ms:05}.jpg"
            files[ms].write_bytes(base64.b64decode(data))
        return files


class Evening:
    """Ada at a desk, Ben with a phone, and the screen for all, at one table of Anno Domini."""

    def __init__(self, browser, site, relay):
        self.browser, self.site, self.relay = browser, site, relay

    async def visitor(self, name, origin):
        width, height = SIZES[name]
        context = await self.browser.new_context(
            base_url=origin, viewport={"width": width, "height": height}, locale="de-DE",
            has_touch=name == "phone", is_mobile=name == "phone", color_scheme="dark" if name == "screen" else "light",
        )  # fmt: skip
        return await context.new_page()

    async def begin(self, cards):
        """All have sat down, and the cards are dealt, so many each."""
        origins = {"phone": self.relay.origin}
        self.pages = {name: await self.visitor(name, origins.get(name, self.site.origin)) for name in SIZES}
        self.ada, self.ben = Person(self.pages["desktop"], touch=False), Person(self.pages["phone"], touch=True)
        self.code = await open_table(self.ada, "anno-domini", "Ada")
        await join(self.ben, self.code, "Ben")
        await self.site.services.host.change(
            self.code, lambda setup: replace(setup, top={**setup.top, "options": {"cards_per_player": cards}})
        )
        await start(self.ada)
        await self.pages["screen"].goto(f"/t/{self.code}/screen")
        for page in self.pages.values():
            await page.locator("#table[data-ready]").wait_for()

    async def answer(self, wanted):
        """Whoever is asked answers what is wanted of what is legal."""
        host = self.site.services.host
        table = await host.table(self.code)
        seat, events = table.to_act[0], host._sessions[self.code][0].position.state.hidden.cards
        action = next(one for one in table.legal(seat) if wanted(one, events))
        await host.answer(self.code, seat, table.question(seat), action)

    async def end(self):
        for page in self.pages.values():
            await page.context.close()


def placed(one, _):
    return isinstance(one, Place)


def in_order(one, events):
    return sorted(one.cards, key=lambda card: events[card].span) == [*one.cards]


async def reveal(evening, shot):
    """A chain of five, doubted: it is turned row by row, and somebody draws."""
    await evening.begin(5)
    for _ in range(4):
        await evening.answer(placed)
    await asyncio.sleep(1)
    async with shot():
        await evening.answer(lambda one, _: isinstance(one, Doubt))
        await asyncio.sleep(7)


async def win(evening, shot):
    """The last card lies: whether the last chain is right, and who has won."""
    await evening.begin(1)
    await asyncio.sleep(1)
    async with shot():
        await evening.answer(in_order)
        await asyncio.sleep(16)


async def rematch(evening, shot):
    """Ben wants to play again: the countdown, and the next game by itself."""
    await evening.begin(1)
    await evening.answer(in_order)
    for page in (evening.pages["phone"], evening.pages["desktop"]):
        await page.locator(".table:not(.staging) #over").wait_for()
    await evening.pages["screen"].locator("#over").wait_for(timeout=30_000)
    async with shot():
        await evening.ben.use("#rematch")
        await asyncio.sleep(15)


async def line(evening, shot):
    """The phone's line dies without a word while Ben lays a card, and comes back."""
    await evening.begin(5)
    await evening.answer(placed)
    await evening.pages["phone"].locator("[name=card]").first.wait_for(state="attached")
    async with shot():
        evening.relay.silent = True
        phone = evening.pages["phone"]
        for css in ("[form=move][name=card]", "[name=at]", ".gap:has(:checked) .go"):
            await evening.ben.use(css)
        await asyncio.sleep(20)
        evening.relay.silent = False
        await phone.locator("#line").wait_for(state="detached", timeout=30_000)
        await asyncio.sleep(3)


SCENES = {one.__name__: one for one in (reveal, win, rematch, line)}


def shown(files, at):
    """The frame that is seen at this time."""
    before = [ms for ms in files if ms <= at]
    return files[max(before) if before else min(files)]


async def sheet(browser, name, films, every):
    """A row for each moment at which one of the pages was painted anew, so many on a sheet."""
    moments = []
    for ms in sorted({ms for files in films.values() for ms in files}):
        if not moments or ms >= moments[-1] + every:
            moments.append(ms)
    page = await browser.new_page(viewport={"width": 1300, "height": 600})
    for first in range(0, len(moments), ROWS):
        rows = ""
        for at in moments[first : first + ROWS]:
            images = "".join(f'<img src="{shown(files, at).as_uri()}">' for files in films.values() if files)
            rows += f"<p><b>{at} ms</b>{images}</p>"
        with tempfile.NamedTemporaryFile("w", suffix=".html") as html:
            html.write(SHEET.format(rows=rows))
            html.flush()
            await page.goto(Path(html.name).as_uri())
            await page.screenshot(path=FILMS / f"{name}-{first // ROWS + 1:02}.png", full_page=True)
    await page.close()


async def main(scenes, every):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable())
        for name in scenes:
            with tempfile.TemporaryDirectory() as folder:
                async with served(Path(folder), ping=10.0) as site, Silence(site.port) as relay:
                    evening, films = Evening(browser, site, relay), {}

                    @contextlib.asynccontextmanager
                    async def shot(evening=evening, name=name, films=films):
                        tapes = {who: Film(page, FILMS / name / who) for who, page in evening.pages.items()}
                        for tape in tapes.values():
                            await tape.begin()
                        since = time.time()
                        yield
                        films |= {who: await tape.end(since) for who, tape in tapes.items()}

                    await SCENES[name](evening, shot)
                    await evening.end()
            await sheet(browser, name, films, every)
            print(f"films/{name}-*.png: " + ", ".join(f"{len(files)} frames of {who}" for who, files in films.items()))
        await browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", type=int, default=200, help="ms from row to row of a sheet at least")
    parser.add_argument("scenes", nargs="*", choices=[*SCENES, []])
    given = parser.parse_args()
    asyncio.run(main(given.scenes or SCENES, given.every))
