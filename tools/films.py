"""Films the moments of an evening on a phone, a desktop and the public screen, into `films/`: every frame that the
browser paints, with its time, and a contact sheet of each film.

    python tools/films.py [--every MS] [reveal | win | rematch | line | window] …

A frame's name is its time in ms. A contact sheet has a row for each moment (at least `--every` ms apart), with the
three pages at that time. `window` makes the READMEs' film and picture, in English and German: twenty seconds with all
three at one table.
"""

import argparse
import asyncio
import base64
import contextlib
import random
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

from msgspec.structs import replace
from playwright.async_api import async_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from animation import Frame, animated  # noqa: E402

from browser.conftest import executable  # noqa: E402
from browser.play import Person, join, open_table, start  # noqa: E402
from ports import free_port  # noqa: E402
from spieltisch import assets  # noqa: E402
from spieltisch.games.annodomini.state import Doubt, Place  # noqa: E402
from spieltisch.table import lobby  # noqa: E402
from web.silence import Silence  # noqa: E402
from web.site import served  # noqa: E402

FILMS = ROOT / "films"
IMAGES = ROOT / "docs" / "img"
WINDOW = 20_000  # ms
NAME = "spieltisch.local:8000"  # the server's name in the film, as the public screen shows it
DEAL = "10"  # a seed; its cards suit everybody
PAUSE = 180  # ms at least between pictures
MOST = 2_000_000  # bytes of a film
ROWS = 5  # of a sheet
SIZES = {"phone": (390, 664), "desktop": (1280, 800), "screen": (1280, 720)}
# The position of the three in the window (x, y, width), the desktop's own size, and the scale of all.
PLACES = {"screen": (24, 24, 640), "desktop": (120, 412, 448), "phone": (704, 120, 288)}
DESK, GROUND = (1024, 640), (1012, 716)
# Draws them on linoleum, each in its frame, and returns the changed rectangle as WebP.
DRAW = """async ({ pictures, places, size, scale, quality, background }) => {
  const canvas = (window.canvas ??= new OffscreenCanvas(size[0] * scale, size[1] * scale));
  const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.imageSmoothingQuality = "high";
  pen.fillStyle = background;
  pen.fillRect(0, 0, ...size);
  for (const [name, address] of Object.entries(pictures)) {
    const picture = await createImageBitmap(await (await fetch(address)).blob());
    const [x, y, width] = places[name], height = (width * picture.height) / picture.width;
    const edge = name === "phone" ? 10 : 8, round = name === "phone" ? 30 : 8;
    pen.fillStyle = "#17211e";
    if (name === "screen") pen.fillRect(x + width / 2 - 70, y + height, 140, 22);
    if (name === "desktop") pen.fillRect(x - 44, y + height + 4, width + 88, 10);
    pen.beginPath();
    pen.roundRect(x - edge, y - edge, width + 2 * edge, height + 2 * edge, round);
    pen.fill();
    pen.save();
    pen.beginPath();
    pen.roundRect(x, y, width, height, name === "phone" ? 22 : 3);
    pen.clip();
    pen.drawImage(picture, x, y, width, height);
    pen.restore();
  }
  const [w, h] = [canvas.width, canvas.height], now = new Uint32Array(pen.getImageData(0, 0, w, h).data.buffer);
  let [left, top, right, bottom] = [w, h, -1, -1];
  for (let i = 0; i < now.length; i++)
    if (!window.before || now[i] !== window.before[i]) {
      const x = i % w, y = (i - x) / w;
      left = Math.min(left, x), right = Math.max(right, x), top = Math.min(top, y), bottom = Math.max(bottom, y);
    }
  window.before = now;
  if (right < 0) return null;
  (left -= left % 2), (top -= top % 2);
  const part = new OffscreenCanvas(right - left + 1, bottom - top + 1);
  part.getContext("2d", { alpha: false }).drawImage(canvas, -left, -top);
  const bytes = await (await part.convertToBlob({ type: "image/webp", quality })).arrayBuffer();
  const webp = btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
  return { webp, x: left, y: top, width: part.width, height: part.height };
}"""
SHEET = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 12px; background: #888; font: 12px sans-serif; display: grid; gap: 8px; width: max-content }}
p {{ margin: 0; display: flex; gap: 8px; align-items: start }} b {{ width: 60px }} img {{ height: 300px }}
</style>{rows}"""


class Film:
    """The frames that a page paints, from `begin` to `end`."""

    def __init__(self, page, folder, quality=70):
        self.page, self.folder, self.quality, self.frames = page, folder, quality, []

    async def begin(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.tape = await self.page.context.new_cdp_session(self.page)
        self.tape.on("Page.screencastFrame", self._take)
        await self.tape.send("Page.startScreencast", {"format": "jpeg", "quality": self.quality})

    def _take(self, frame):
        self.frames.append((frame["metadata"]["timestamp"], frame["data"]))
        self.acknowledged = asyncio.ensure_future(
            self.tape.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        )

    async def end(self, since):
        """Write the frames, as files by their ms since `since`."""
        await self.tape.send("Page.stopScreencast")
        files = {}
        for at, data in self.frames:
            ms = max(0, round((at - since) * 1000))
            files[ms] = self.folder / f"{ms:05}.jpg"
            files[ms].write_bytes(base64.b64decode(data))
        return files


class Evening:
    """Ada at a desk, Ben with a phone, and the public screen, at one table of Anno Domini."""

    def __init__(self, browser, site, relay, lang="de-DE", desk=SIZES["desktop"], screen=None):
        self.browser, self.site, self.relay, self.lang = browser, site, relay, lang
        self.origins = {"phone": relay.origin, "desktop": site.origin, "screen": screen or site.origin}
        self.sizes = SIZES | {"desktop": desk}

    async def visitor(self, name, origin):
        width, height = self.sizes[name]
        context = await self.browser.new_context(
            base_url=origin, viewport={"width": width, "height": height}, locale=self.lang,
            has_touch=name == "phone", is_mobile=name == "phone", color_scheme="dark" if name == "screen" else "light",
        )  # fmt: skip
        return await context.new_page()

    async def begin(self, cards):
        """Seat everybody and deal this number of cards to each."""
        self.pages = {name: await self.visitor(name, self.origins[name]) for name in SIZES}
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
        """Let whoever is asked take the first legal action of a wanted kind."""
        host = self.site.services.host
        table = await host.table(self.code)
        seat, events = table.to_act[0], host.memory.session(self.code).position.state.hidden.cards
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
    """A doubted chain of five turns row by row, and somebody draws."""
    await evening.begin(5)
    for _ in range(4):
        await evening.answer(placed)
    await asyncio.sleep(1)
    async with shot():
        await evening.answer(lambda one, _: isinstance(one, Doubt))
        await asyncio.sleep(7)


async def win(evening, shot):
    """The last card is laid: is the last chain right, and who has won?"""
    await evening.begin(1)
    await asyncio.sleep(1)
    async with shot():
        await evening.answer(in_order)
        await asyncio.sleep(16)


async def rematch(evening, shot):
    """Ben wants to play again: the countdown, and the next game begins."""
    await evening.begin(1)
    await evening.answer(in_order)
    for page in (evening.pages["phone"], evening.pages["desktop"]):
        await page.locator(".table:not(.staging) #over").wait_for()
    await evening.pages["screen"].locator("#over").wait_for(timeout=30_000)
    async with shot():
        await evening.ben.use("#rematch")
        await asyncio.sleep(15)


async def line(evening, shot):
    """The phone's connection dies silently while Ben lays a card, and comes back."""
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


async def window(evening, shot):
    """Ben lays a card on his phone, Ada doubts the chain at her desk, and the public screen turns it."""
    await evening.begin(4)
    host = evening.site.services.host
    while len((table := await host.table(evening.code)).view(None).public.chain) < 3 or table.to_act[0] != 1:
        await evening.answer(placed)
    phone, desk = evening.pages["phone"], evening.pages["desktop"]
    await phone.locator("[name=card]").first.wait_for(state="attached")
    for page in (phone, desk):
        await page.locator("#ask-sound [value=no]").first.dispatch_event("click")  # a low phone asks later
    await asyncio.sleep(1.5)
    async with shot():
        await asyncio.sleep(1)
        for css, pause in (("[form=move][name=card]", 1.2), ("[name=at]", 1.2), (".gap:has(:checked) .go", 3)):
            await evening.ben.use(css)
            await asyncio.sleep(pause)
        for css, pause in (("#ask-doubt", 2), ("#do-doubt", 0)):
            await desk.locator(css).click()
            await asyncio.sleep(pause)
        await asyncio.sleep(WINDOW / 1000 - 8)


SCENES = {one.__name__: one for one in (reveal, win, rematch, line, window)}


def shown(files, at):
    """The frame that is visible at this time."""
    before = [ms for ms in files if ms <= at]
    return files[max(before) if before else min(files)]


async def sheet(browser, name, films, every):
    """A row for each moment at which one of the pages was painted again, several to a sheet."""
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


def _address(file):
    return "data:image/jpeg;base64," + base64.b64encode(file.read_bytes()).decode()


async def show(browser, films, name, background):
    """Join the films of the three pages into one, with a picture of its best moment."""
    page = await browser.new_page()
    await page.goto("about:blank")
    given = {"places": PLACES, "size": GROUND, "background": background}
    moments, frames = [], []
    for ms in sorted({0, *(ms for files in films.values() for ms in files if ms < WINDOW)}):
        if not moments or ms >= moments[-1] + PAUSE:
            moments.append(ms)
    for at, until in zip(moments, [*moments[1:], WINDOW], strict=True):
        pictures = {who: _address(shown(films[who], at)) for who in PLACES}
        drawn = await page.evaluate(DRAW, given | {"pictures": pictures, "scale": 1, "quality": 0.6})
        if drawn is None and frames:
            frames[-1] = frames[-1]._replace(ms=frames[-1].ms + until - at)
        elif drawn is not None:
            frames.append(Frame(base64.b64decode(drawn.pop("webp")), **drawn, ms=until - at))
    file = IMAGES / f"{name}.webp"
    file.write_bytes(animated(frames, *GROUND))
    size = file.stat().st_size
    print(f"docs/img/{file.name}: {len(frames)} pictures, {size // 1000} kB")
    await page.close()
    assert size <= MOST, "too large: fewer pictures, or a lower quality"


async def photograph(browser, evening, name, background):
    """The three at this moment, drawn larger."""
    page = await browser.new_page()
    pictures = {}
    for who, one in evening.pages.items():
        taken = await one.screenshot(type="jpeg", quality=95)
        pictures[who] = "data:image/jpeg;base64," + base64.b64encode(taken).decode()
    given = {"places": PLACES, "size": GROUND, "background": background, "pictures": pictures}
    drawn = await page.evaluate(DRAW, given | {"scale": 1.6, "quality": 0.85})
    (IMAGES / f"{name}.webp").write_bytes(base64.b64decode(drawn["webp"]))
    print(f"docs/img/{name}.webp: {(IMAGES / f'{name}.webp').stat().st_size // 1000} kB")
    await page.close()


async def windows(browser, port):
    """The READMEs' films and pictures. The browser resolves the server's name to this port."""
    background = assets.ground()[0]
    for lang, locale in (("en", "en-GB"), ("de", "de-DE")):
        dealt = random.Random(DEAL)
        lobby.secrets = SimpleNamespace(  # ty: ignore[invalid-assignment] - the same deal in both languages
            choice=secrets.choice, token_bytes=dealt.randbytes, randbelow=dealt.randrange
        )
        with tempfile.TemporaryDirectory() as folder:
            async with served(Path(folder), port=port, ping=10.0) as site, Silence(site.port) as relay:
                evening, films = Evening(browser, site, relay, locale, DESK, f"http://{NAME}"), {}

                @contextlib.asynccontextmanager
                async def shot(evening=evening, films=films, lang=lang):
                    await photograph(browser, evening, f"one-table-{lang}", background)
                    tapes = {who: Film(page, FILMS / lang / who, 92) for who, page in evening.pages.items()}
                    for tape in tapes.values():
                        await tape.begin()
                    since = time.time()
                    yield
                    films |= {who: await tape.end(since) for who, tape in tapes.items()}

                await window(evening, shot)
                await evening.end()
        await show(browser, films, f"evening-{lang}", background)


async def main(scenes, every):
    async with async_playwright() as playwright:
        port = free_port()
        known = f"--host-resolver-rules=MAP {NAME} 127.0.0.1:{port}"
        browser = await playwright.chromium.launch(executable_path=executable(), args=[known])
        for name in scenes:
            if name == "window":
                await windows(browser, port)
                continue
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
