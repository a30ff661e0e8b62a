"""The table on a phone's home screen: manifest, icons, colours; what search engines may look at. No service worker."""

import json
import re
import struct
from pathlib import Path

import pytest

from spieltisch.web.home.install import ICONS
from web.site import served

pytestmark = pytest.mark.anyio
STATIC = Path(__file__).parents[2] / "src/spieltisch/web/core/static"


def pixels(png):
    """Width, height and kind of colour of a PNG (6: with transparency)."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, _, kind = struct.unpack(">IIBB", png[16:26])
    return width, height, kind


@pytest.mark.parametrize("base", ["", "/spieltisch"])
@pytest.mark.parametrize(("lang", "named"), [("de", "vier Spiele"), ("en", "four games")])
async def test_a_page_names_a_manifest_in_its_language(tmp_path, base, lang, named):
    async with served(tmp_path, root_path=base) as site, site.browser(lang) as browser:
        page = (await browser.get("/")).text
        (address,) = re.findall('<link rel="manifest" href="([^"]+)"', page)
        assert address.startswith(f"{base}/")
        answer = await browser.get(address.removeprefix(base), headers={"accept-language": "fr"})  # as the page says
        assert answer.headers["content-type"] == "application/manifest+json"
        said = json.loads(answer.text)
        assert (said["lang"], said["start_url"], said["scope"], said["id"]) == (
            lang,
            f"{base}/",
            f"{base}/",
            f"{base}/",
        )
        assert named in said["name"]
        assert said["short_name"] == "Spieltisch"
        assert said["display"] == "standalone"
        assert (await browser.get(said["start_url"].removeprefix(base))).status_code == 200
        for icon in said["icons"]:
            picture = await browser.get(icon["src"].removeprefix(base))
            assert picture.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":
                size = icon["sizes"].partition("x")[0]
                assert [str(side) for side in pixels(picture.content)[:2]] == [size, size]


async def test_the_colours_are_those_of_the_table(tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        page = (await browser.get("/")).text
        sheet = (await browser.get("/static/palette.css")).text
        grounds = re.findall(
            r'<meta name="theme-color" media="\(prefers-color-scheme: (\w+)\)" content="(#\w+)">', page
        )
        assert [light for light, _ in grounds] == ["light", "dark"]
        assert f"--table:   light-dark({grounds[0][1]}, {grounds[1][1]})" in sheet
        said = (await browser.get("/manifest.webmanifest")).json()
        assert said["theme_color"] == said["background_color"] == grounds[0][1]


async def test_the_icons_suit_what_asks_for_them(tmp_path):
    assert {purpose for _, _, purpose in ICONS} == {"any", "maskable"}
    async with served(tmp_path) as site, site.browser() as browser:
        page = (await browser.get("/")).text
        (touch,) = re.findall('<link rel="apple-touch-icon" href="([^"]+)"', page)
        assert pixels((await browser.get(touch)).content) == (180, 180, 2)  # iOS paints what is transparent black
        assert pixels((STATIC / "icon-maskable.png").read_bytes())[2] == 2
        favicon = await browser.get("/favicon.ico")
        assert pixels(favicon.content)[:2] == (32, 32)
        assert favicon.headers["content-type"] == "image/png"


async def test_tables_are_not_for_search_engines(tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        answer = await browser.get("/robots.txt")
        assert answer.headers["content-type"].startswith("text/plain")
        rules = [line.partition(": ")[::2] for line in answer.text.splitlines()]
        assert rules[0] == ("User-agent", "*")
        assert ("Disallow", "/") in rules
        allowed = [path for what, path in rules if what == "Allow"]
        assert not [path for path in allowed if "/t/".startswith(path) or "/api/".startswith(path)]
        for path in ("/", "/credits", "/privacy", "/rules/adaman"):
            assert (await browser.get(path)).status_code == 200
            assert any(re.match(re.escape(one).replace(r"\$", "$"), path) for one in allowed), path


def test_there_is_no_service_worker():
    found = [file.name for file in STATIC.parents[1].rglob("*.js") if "serviceWorker" in file.read_text("utf-8")]
    assert not found
