"""The camera: every frame that pages paint, when they show what they show, and contact sheets."""

import asyncio
import base64
import contextlib
import shutil
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILMS = ROOT / "films"
ROWS = 5  # of a sheet
SIZES = {
    "phone": (390, 664), "other": (390, 664), "desktop": (1280, 800), "teacher": (1366, 768), "screen": (1280, 720),
}  # fmt: skip
SHEET = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 12px; background: #888; font: 12px sans-serif; display: grid; gap: 8px; width: max-content }}
p {{ margin: 0; display: flex; gap: 8px; align-items: start }} b {{ width: 90px }} img {{ height: 300px }}
</style>{rows}"""
# Notes when what a page shows of a kind changes, by the clock of this machine. `looks`: JavaScript for each kind; "" is
# nothing.
SEEN = """
const looks = {looks}, last = {{}};
const shown = (css) => [...document.querySelectorAll(css)].filter((one) =>
  one.checkVisibility({{ visibilityProperty: true, opacityProperty: true }}));
const text = (css) => shown(css)[0]?.textContent.trim() ?? '';
const look = () => {{
  for (const [kind, what] of Object.entries(looks)) {{
    const now = String(what() ?? '');
    if (now !== (last[kind] ?? '')) window.noted(Date.now(), kind, now);
    last[kind] = now;
  }}
  requestAnimationFrame(look);
}};
requestAnimationFrame(look);
"""


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


class Studio:
    """Opens pages of a site, and films them. `relay` passes everything on to the site, until it is silent."""

    def __init__(self, browser, site, relay, lang="de-DE", sizes=None, *, dark=False):
        self.browser, self.site, self.relay, self.lang, self.dark = browser, site, relay, lang, dark
        self.sizes, self.films, self.said = SIZES | (sizes or {}), {}, {}

    async def visitor(self, size, origin="", looks=None):
        """A page of this size; `looks` tell what of it is written down (`SEEN`)."""
        (width, height), phone = self.sizes[size], size in {"phone", "other"}
        context = await self.browser.new_context(
            base_url=origin or self.site.origin, viewport={"width": width, "height": height}, locale=self.lang,
            has_touch=phone, is_mobile=phone, color_scheme="dark" if self.dark or size == "screen" else "light",
        )  # fmt: skip
        context.set_default_timeout(120_000)
        page = await context.new_page()
        if looks:
            page.seen = []
            await page.expose_function("noted", lambda *one: page.seen.append(one))
            looked = "".join(f"{kind}: () => {what}, " for kind, what in looks.items())
            await page.add_init_script(SEEN.format(looks=f"{{{looked}}}"))
        return page

    @contextlib.asynccontextmanager
    async def shot(self, name, pages, quality=70):
        """Film these pages as long as it lasts. Yields what says the moment, for the sheets."""
        films = {who: Film(page, FILMS / name / who, quality) for who, page in pages.items()}
        for one in films.values():
            await one.begin()
        since, said = time.time(), self.said.setdefault(name, [])
        yield lambda words: said.append((round((time.time() - since) * 1000), words))
        self.films[name] = {who: await one.end(since) for who, one in films.items()}
        print(f"films/{name}: " + ", ".join(f"{len(files)} frames of {who}" for who, files in self.films[name].items()))

    def compare(self, pages, first):
        """Print when `first` showed what it shows, and how long before (-) or after it the others did, in seconds."""
        seen = {}
        for who, page in pages.items():
            for at, kind, what in page.seen:
                if what:
                    seen.setdefault((kind, what), {}).setdefault(who, at)
        begun = min((at for times in seen.values() for at in times.values()), default=0)
        for (kind, what), times in sorted(seen.items(), key=lambda one: min(one[1].values())):
            if first in times and len(times) > 1:
                others = ", ".join(f"{who} {(one - times[first]) / 1000:+.2f}" for who, one in times.items())
                print(f"  {(times[first] - begun) / 1000:7.2f} s  {kind:8} {what[:40]:40}  {others}")


def shown(files, at):
    """The frame that is visible at this time."""
    before = [ms for ms in files if ms <= at]
    return files[max(before) if before else min(files)]


async def sheet(browser, name, films, said, every):
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
            words = next((words for ms, words in reversed(said) if ms <= at), "")
            rows += f"<p><b>{at} ms<br>{words}</b>{images}</p>"
        with tempfile.NamedTemporaryFile("w", suffix=".html") as html:
            html.write(SHEET.format(rows=rows))
            html.flush()
            await page.goto(Path(html.name).as_uri())
            await page.screenshot(path=FILMS / f"{name}-{first // ROWS + 1:02}.png", full_page=True)
    await page.close()
