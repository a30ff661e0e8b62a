"""A page in WebKit, the engine of every browser on an iPhone, driven by WebDriver. It has as much of Playwright's page
as `play.py` needs. Debian has no package of Playwright's WebKit, but has WebKitGTK with its driver.
"""

import asyncio
import fnmatch
import functools
import os
import re
import shutil
import socket
import subprocess
import time
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from playwright.async_api import TimeoutError as TooLong
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options

from ports import free_port

WAIT = 15_000  # milliseconds
ARROW = re.compile(r"\s*(async\s*)?(\([^()]*\)|\w+)\s*=>")
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Space": " ", "Escape": "\ue00c"}
# Complaints of the page itself; WebDriver cannot read the console.
LISTEN = """() => {
  if (window.complaints) return;
  window.complaints = [];
  addEventListener('error', (event) => complaints.push(`${event.message} ${event.filename}:${event.lineno}`));
  addEventListener('unhandledrejection', (event) => complaints.push(`${event.reason}`));
  addEventListener('securitypolicyviolation', (event) => complaints.push(`policy: ${event.violatedDirective}`));
}"""


def programs():
    """The driver, its browser and a screen for it; None if one is missing."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    browser = next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))), None)
    return (driver, str(browser), screen) if driver and browser and screen else None


WINDOW = Path(__file__).parent / "window.py"


@functools.cache
def phone_programs():
    """The same with a window as narrow as a phone; MiniBrowser's bar needs 447 pixels."""
    found, typelib = programs(), "import gi; gi.require_version('WebKit2', '4.1')"
    python = found and subprocess.run(["/usr/bin/python3", "-c", typelib], capture_output=True, check=False)
    return (found[0], str(WINDOW), found[2]) if python and not python.returncode else None


@asynccontextmanager
async def webkit_page(origin, size, folder, *, moving=False):
    """A browser with its settings in the folder. Complaints of its scripts fail the test."""
    async with webkit(programs(), folder, moving=moving) as one:
        one.set_window_size(*size)
        page = WebKitPage(one, origin)
        yield page
        assert not await page.evaluate("window.complaints ?? []")


@asynccontextmanager
async def webkit(driver_browser_screen, folder, *, moving=False):
    """The driver of a browser with its settings in the folder."""
    (settings := folder / "gtk-3.0").mkdir()
    (settings / "settings.ini").write_text(f"[Settings]\ngtk-enable-animations={int(moving)}\n")
    driver, browser, screen = driver_browser_screen
    options = Options()
    options.binary_location = browser
    options.add_argument("--automation")
    port = free_port()
    with (
        _running(screen, "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp") as display,
        _running(driver, f"--port={port}", env=os.environ | _screen(display) | {"XDG_CONFIG_HOME": str(folder)}),
    ):
        await asyncio.to_thread(_listens, port)
        line = RemoteConnection(client_config=ClientConfig(f"http://127.0.0.1:{port}"))
        one = await asyncio.to_thread(webdriver.Remote, line, options=options)
        try:
            yield one
        finally:
            await asyncio.to_thread(one.quit)


def _screen(display):
    return {"DISPLAY": f":{display.stdout.readline().strip()}"}


@contextmanager
def _running(*command, env=None):
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env) as one:
        try:
            yield one
        finally:
            one.terminate()


def _listens(port):
    for _ in range(1200):
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("WebKitWebDriver does not listen")


class WebKitPage:
    """The part of Playwright's page that `Person` uses."""

    def __init__(self, driver, origin):
        self._driver = driver
        self._origin = origin
        self.keyboard = self
        self.context = self

    async def goto(self, path):
        await asyncio.to_thread(self._driver.get, self._origin + path)
        await self.evaluate(LISTEN)

    async def add_cookies(self, cookies):
        """Set the cookies of this origin, and remove all others."""
        await self.goto("/health")
        self._driver.delete_all_cookies()
        for one in cookies:
            self._driver.add_cookie({"name": one["name"], "value": one["value"], "path": "/"})

    async def set_viewport_size(self, size):
        await asyncio.to_thread(self._driver.set_window_size, size["width"], size["height"])

    async def reload(self):
        await asyncio.to_thread(self._driver.refresh)
        await self.evaluate(LISTEN)

    @property
    def url(self):
        return self._driver.current_url

    async def wait_for_url(self, pattern):
        async def there():
            return fnmatch.fnmatch(await self.evaluate("location.href"), pattern)

        await self._until(there, f"no page {pattern}")
        await self.evaluate(LISTEN)

    @asynccontextmanager
    async def expect_navigation(self):
        before = await self.evaluate("performance.timeOrigin")
        yield
        await self.wait_for_function("(before) => performance.timeOrigin !== before", before)
        await self.evaluate(LISTEN)

    async def evaluate(self, script, arg=None):
        text = f"return ({script})(...arguments)" if ARROW.match(script) else f"return ({script})"
        return await asyncio.to_thread(self._driver.execute_script, text, arg)

    async def wait_for_function(self, script, arg=None, timeout=WAIT, polling=50):  # noqa: ASYNC109 - as Playwright has it
        found = None

        async def asked():
            nonlocal found
            found = await self.evaluate(script, arg)
            return found

        await self._until(asked, script, timeout, polling)
        return Found(found)

    async def press(self, key):
        focused = await asyncio.to_thread(lambda: self._driver.switch_to.active_element)
        await asyncio.to_thread(focused.send_keys, KEYS.get(key, key))

    def locator(self, css, *, has_text=""):
        return Locator(self, css, has_text)

    async def _until(self, asked, words, timeout=WAIT, polling=50):  # noqa: ASYNC109 - in milliseconds, too
        end = time.monotonic() + timeout / 1000
        while True:
            if await asked():
                return
            if time.monotonic() > end:
                raise TooLong(words)
            await asyncio.sleep(polling / 1000)


class Found:
    """A finished answer, in the shape of a pending one."""

    def __init__(self, value):
        self._value = value

    async def json_value(self):
        return self._value


class Locator:
    """Elements by a selector, looked up again for each use."""

    def __init__(self, page, css, has_text=""):
        self._page = page
        self._find = f"[...document.querySelectorAll({css!r})].filter((one) => one.textContent.includes({has_text!r}))"
        self._words = css

    @property
    def first(self):
        return self

    async def count(self):
        return await self._page.evaluate(f"{self._find}.length")

    async def wait_for(self, state="visible"):
        asked = (
            f"() => {self._find}.some((one) => one.checkVisibility()) === {'true' if state == 'visible' else 'false'}"
        )
        await self._page.wait_for_function(asked)

    async def is_visible(self):
        return await self._page.evaluate(f"{self._find}[0]?.checkVisibility() ?? false")

    async def is_checked(self):
        return await self.evaluate("(one) => one.checked")

    async def text_content(self):
        return await self.evaluate("(one) => one.textContent")

    async def get_attribute(self, name):
        return await self.evaluate(f"(one) => one.getAttribute({name!r})")

    async def all_text_contents(self):
        return await self.evaluate_all("(all) => all.map((one) => one.textContent)")

    async def evaluate(self, script, timeout=WAIT):  # noqa: ASYNC109 - as Playwright has it
        await self._page.wait_for_function(f"() => {self._find}.length > 0", timeout=timeout)
        return await self._page.evaluate(f"() => ({script})({self._find}[0])")

    async def evaluate_all(self, script, arg=None):
        return await self._page.evaluate(f"(arg) => ({script})({self._find}, arg)", arg)

    async def fill(self, text):
        await self.evaluate("(one) => { one.focus(); one.select(); }")
        await self._page.press(text)

    async def tap(self, timeout=WAIT):  # noqa: ASYNC109 - as Playwright has it
        """Scroll there and click by the browser itself, which refuses a covered element."""
        end = time.monotonic() + timeout / 1000
        where = "nearest"
        while time.monotonic() < end:
            one = await self._page.evaluate(
                f"() => {{ const one = {self._find}[0]; return one?.closest('label') ?? one; }}"
            )
            try:
                if one is not None:
                    await self._page.evaluate(
                        f"(one) => one.scrollIntoView({{ block: '{where}', inline: 'center' }})", one
                    )
                    return await asyncio.to_thread(one.click)
            except ElementClickInterceptedException:
                where = "center"
            except (ElementNotInteractableException, StaleElementReferenceException):
                pass  # it is being redrawn
            await asyncio.sleep(0.05)
        raise TooLong(f"{self._words} cannot be pressed")

    def locator(self, css):
        assert css == "xpath=ancestor::label", "a tap goes to the label in any case"
        return self
