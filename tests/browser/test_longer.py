"""In a language 40 % longer than English, from a folder outside the package: pages hold their structure."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from browser import checks
from browser.play import Person, drawn, quick_bots, quick_join, quick_table, start, submitted
from tongues.xx import make


async def reads_it(page, origin):
    """The visitor has chosen the language."""
    await page.context.add_cookies([{"name": "spieltisch_lang", "value": "xx", "url": origin}])


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """A server in a process of its own, which finds the language when it starts."""
    folder = tmp_path_factory.mktemp("longer")
    with _serving(folder / "data", make(folder / "languages" / "xx")) as origin:
        yield origin


@contextmanager
def _serving(data, folder):
    command = [sys.executable, "-m", "spieltisch", "serve", "--no-browser", "--host", "127.0.0.1", "--port", "0"]
    env = {**os.environ, "SPIELTISCH_LANGUAGES": str(folder.parent)}
    with subprocess.Popen([*command, "--data", data], stdout=subprocess.PIPE, text=True, env=env) as server:
        try:
            yield re.search(r"http://\S+", server.stdout.readline())[0].rstrip("/").replace("localhost", "127.0.0.1")
        finally:
            server.send_signal(signal.SIGTERM)


LOST = "54"  # a deal of Adaman in which no move is possible


async def test_a_game_and_its_pages_hold_longer_words(elsewhere, visit):
    async with visit(elsewhere, phone=True) as page, visit(elsewhere, phone=True) as other:
        await reads_it(page, elsewhere)
        await reads_it(other, elsewhere)
        me, guest, found = Person(page, touch=True, seed=4), Person(other, touch=True, seed=5), []
        for path in ("/", "/languages", "/rules/hic-haec-hoc", "/class/new"):
            await page.goto(path)
            assert await page.locator("html").get_attribute("lang") == "xx"
            found += await checks.sizes(page, path)
        code = await quick_table(me, "hic-haec-hoc")
        found += await checks.sizes(page, "waiting room")
        await quick_join(guest, code, "Ben")
        await start(me)
        found += await checks.sizes(page, "table")
        await page.locator("[popovertarget=menu]").first.click()
        found += await checks.sizes(page, "menu")
        await quick_bots(guest, "adaman")
        found += await checks.sizes(other, "adaman")
        await drawn(other, await submitted(other, "/play", game="adaman", deal=LOST))
        await other.locator("#over").wait_for()
        found += await checks.sizes(other, "adaman, over")
        assert not found, "\n".join(found)


BACK = re.compile(r"//[^/]*/credits$")  # the address of the list ends alike


async def test_each_language_is_chosen_from_a_list(elsewhere, visit):
    async with visit(elsewhere, phone=True) as page:
        await reads_it(page, elsewhere)
        await page.goto("/credits")
        await page.locator("#language").tap()
        await page.wait_for_url(re.compile("/languages"))
        found = await checks.axe(page)
        assert [one for one in found if "lang-valid" not in one and "valid-lang" not in one] == []  # axe knows no xx
        await page.get_by_role("button", name="English", exact=True).first.tap()
        await page.wait_for_url(BACK)
        assert await page.locator("html").get_attribute("lang") == "en"
        await page.locator("#language").focus()
        await page.keyboard.press("Enter")
        await page.wait_for_url(re.compile("/languages"))
        await page.get_by_role("button", name="Deutsch", exact=True).first.focus()
        await page.keyboard.press("Enter")
        await page.wait_for_url(BACK)
        assert await page.locator("html").get_attribute("lang") == "de"
