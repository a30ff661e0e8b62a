"""Draws the icons that phones and old browsers need as PNG, from `static/icon.svg`, the table with its four seats:

    python tools/icons.py      (or: make icons)

The background is that of the table in the dark theme; the oak is the icon's own. A maskable icon stays within the
circle of 80 % that every system shows (W3C, Web Application Manifest).
"""

import asyncio
import re
import sys
from pathlib import Path

from playwright.async_api import async_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from browser.conftest import executable  # noqa: E402
from spieltisch import assets  # noqa: E402

STATIC = ROOT / "src/spieltisch/web/core/static"
ICONS = {  # pixels, the drawing's share of them, the background's radius (None: no background)
    "icon-32.png": (32, 1.0, None),
    "icon-180.png": (180, 0.74, 0),  # for iOS, which rounds it
    "icon-192.png": (192, 0.74, 0.22),
    "icon-512.png": (512, 0.74, 0.22),
    "icon-maskable.png": (512, 0.64, 0),
}


def drawn(size: int, part: float, round_: float | None) -> str:
    """The icon as SVG."""
    shapes = re.search(r"<svg[^>]*fill=\"(#\w+)\">(.*)</svg>", (STATIC / "icon.svg").read_text("utf-8"), re.DOTALL)
    scale, edge = size * part / 24, size * (1 - part) / 2
    ground = ""
    if round_ is not None:
        ground = f'<rect width="{size}" height="{size}" rx="{size * round_:g}" fill="{assets.ground()[1]}"/>'
    table = f'<g fill="{shapes[1]}" transform="translate({edge:g} {edge:g}) scale({scale:g})">{shapes[2]}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{ground}{table}</svg>'


async def main() -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable())
        for name, (size, part, round_) in ICONS.items():
            page = await browser.new_page(viewport={"width": size, "height": size})
            await page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawn(size, part, round_)}")
            await page.screenshot(path=STATIC / name, omit_background=round_ != 0)
            await page.close()
            print(f"{name}: {(STATIC / name).stat().st_size} bytes")
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
