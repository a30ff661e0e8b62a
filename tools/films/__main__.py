"""Films what people meet, in real browsers, into `films/`: every frame that a page paints, with its time, and contact
sheets. It prints when the pages of a table showed the same thing.

    python tools/films [--every MS] [--lang en-GB] [--dark] [FILM …]

A frame's name is its time in ms. A contact sheet has a row for each moment (at least `--every` ms apart), with the
pages at that time. `window` makes the READMEs' film and picture, in English and German: twenty seconds with all three
at one table.

- `camera`: films pages, compares them, and makes the sheets; `animation`: joins pictures to a WebP
- `evening`, `screens`: a table with phones and the public screen; `alone`: one person; `school`: a class of 24
- `window`: the READMEs' film
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from alone import maker, solitaire  # noqa: E402
from camera import Studio, sheet  # noqa: E402
from evening import line, rematch, reveal, win  # noqa: E402
from school import teacher  # noqa: E402
from screens import latin, trailblaze  # noqa: E402
from window import NAME, windows  # noqa: E402

from browser.conftest import executable  # noqa: E402
from ports import free_port  # noqa: E402
from web.silence import Silence  # noqa: E402
from web.site import served  # noqa: E402

SCENES = {
    one.__name__: one for one in (reveal, win, rematch, line, trailblaze, latin, solitaire, maker, teacher)
}  # fmt: skip


async def main(given):
    async with async_playwright() as playwright:
        port = free_port()
        known = f"--host-resolver-rules=MAP {NAME} 127.0.0.1:{port}"
        browser = await playwright.chromium.launch(executable_path=executable(), args=[known])
        for name in given.films or [*SCENES, "window"]:
            if name == "window":
                await windows(browser, port)
                continue
            with tempfile.TemporaryDirectory() as folder:
                async with served(Path(folder), ping=10.0, beside=name == "maker") as site, Silence(site.port) as relay:
                    studio = Studio(browser, site, relay, given.lang, dark=given.dark)
                    await SCENES[name](studio)
            for film, pages in studio.films.items():
                await sheet(browser, film, pages, studio.said[film], given.every)
        await browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--every", type=int, default=200, help="ms from row to row of a sheet at least")
    parser.add_argument("--lang", default="de-DE", help="the browsers' language")
    parser.add_argument("--dark", action="store_true", help="in the dark theme")
    parser.add_argument("films", nargs="*", choices=[*SCENES, "window", []])
    asyncio.run(main(parser.parse_args()))
