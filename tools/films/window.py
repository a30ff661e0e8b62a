"""The READMEs' films and pictures, in English and German: twenty seconds with all three at one table."""

import asyncio
import base64
import functools
import random
import secrets
import tempfile
from pathlib import Path
from types import SimpleNamespace

from animation import Frame, animated
from camera import ROOT, Studio, shown
from evening import Evening, placed

from spieltisch import assets
from spieltisch.table import lobby
from web.silence import Silence
from web.site import served

IMAGES = ROOT / "docs" / "img"
WINDOW = 20_000  # ms
NAME = "spieltisch.local:8000"  # the server's name in the film, as the public screen shows it
DEAL = "10"  # a seed; its cards suit everybody
PAUSE = 180  # ms at least between pictures
MOST = 2_000_000  # bytes of a film
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


async def window(evening, photograph):
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
    await photograph()
    async with evening.studio.shot("window", evening.pages, quality=92):
        await asyncio.sleep(1)
        for css, pause in (("[form=move][name=card]", 1.2), ("[name=at]", 1.2), (".gap:has(:checked) .go", 3)):
            await evening.ben.use(css)
            await asyncio.sleep(pause)
        for css, pause in (("#ask-doubt", 2), ("#do-doubt", 0)):
            await desk.locator(css).click()
            await asyncio.sleep(pause)
        await asyncio.sleep(WINDOW / 1000 - 8)


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
    """The browser resolves the server's name to this port."""
    background = assets.ground()[0]
    for lang, locale in (("en", "en-GB"), ("de", "de-DE")):
        dealt = random.Random(DEAL)
        lobby.secrets = SimpleNamespace(  # ty: ignore[invalid-assignment] - the same deal in both languages
            choice=secrets.choice, token_bytes=dealt.randbytes, randbelow=dealt.randrange
        )
        with tempfile.TemporaryDirectory() as folder:
            async with served(Path(folder), port=port, ping=10.0) as site, Silence(site.port) as relay:
                studio = Studio(browser, site, relay, locale, {"desktop": DESK})
                evening = Evening(studio, f"http://{NAME}")
                await window(evening, functools.partial(photograph, browser, evening, f"one-table-{lang}", background))
                await evening.end()
        await show(browser, studio.films["window"], f"evening-{lang}", background)
