"""A browser takes the manifest and the icons as they are, under the content-security policy and below a path."""

import pytest

from matrix import sampled
from web.site import served


@pytest.mark.parametrize("base", sampled(["", "/spieltisch"], ["/spieltisch"]))
async def test_a_browser_accepts_the_manifest(tmp_path, visit, base):
    async with served(tmp_path, root_path=base) as site, visit(site.origin, phone=True, lang="de") as page:
        tape = await page.context.new_cdp_session(page)
        await page.goto(f"{base}/")
        said = await tape.send("Page.getAppManifest")
        assert said["url"].startswith(f"{site.origin}{base}/manifest.webmanifest")
        assert said["errors"] == []
        assert '"lang":"de"' in said["data"]
        assert (await tape.send("Page.getInstallabilityErrors"))["installabilityErrors"] == []


async def test_the_bar_of_a_phone_follows_the_chosen_theme(site, visit):
    shown = "[...document.querySelectorAll('meta[name=theme-color]')].find(m => matchMedia(m.media).matches).content"
    async with visit(site.origin, phone=True) as page:
        await page.goto("/")
        light = await page.evaluate(shown)
        await page.emulate_media(color_scheme="dark")
        dark = await page.evaluate(shown)
        assert light != dark
        await page.evaluate("showTheme(localStorage.theme = 'light')")
        assert await page.evaluate(shown) == light
        await page.goto("/credits")
        assert await page.evaluate(shown) == light
