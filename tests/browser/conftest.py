"""Fixtures of the browser tests: one Chromium per test process, a real server per test."""

import functools
import shutil
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import async_playwright

from browser.watch import Watch
from web.site import served

HERE = "tests/browser"
# The headless shell needs a quarter less processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@functools.cache
def executable():
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def pytest_collection_modifyitems(items):
    missing = pytest.mark.skip(reason="no Chromium on PATH (Debian: apt install chromium)")
    for item in items:
        if HERE in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.anyio)
            # Six browsers share two cores, so a test that looks a moment too early runs again. pytest lists it
            # ("rerun"), and it should be mended: https://docs.pytest.org/en/stable/explanation/flaky.html
            item.add_marker(pytest.mark.flaky(reruns=1))
            if executable() is None:
                item.add_marker(missing)


@asynccontextmanager
async def launched():
    """Chromium, without a window."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable())
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
async def chromium(anyio_backend):
    async with launched() as browser:
        yield browser


@pytest.fixture
async def site(tmp_path):
    """A server whose bots answer at once."""
    async with served(tmp_path) as running:
        yield running


@asynccontextmanager
async def visiting(chromium, origin, *, phone=False, width=0, dark=False, lang="en", moving=False, **more):
    """A page in a browser context of its own (cookies, size, theme, language). Its complaints fail the test."""
    width = width or (390 if phone else 1280)
    size = {"width": width, "height": 664 if width < 600 else 800}
    context = await chromium.new_context(
        base_url=origin,
        viewport=size,
        has_touch=phone,
        is_mobile=phone,
        color_scheme="dark" if dark else "light",
        locale={"en": "en-GB", "de": "de-DE"}.get(lang, lang),
        reduced_motion="no-preference" if moving else "reduce",
        **more,
    )
    context.set_default_timeout(60_000)  # six browsers may share two slow cores
    watch = Watch(context, origin)
    try:
        page = await context.new_page()
        page.watch = watch
        watch.listen(page)
        yield page
    finally:
        await context.close()
    assert not watch.complaints


@pytest.fixture
def visit(chromium):
    """Opens a browser: `visiting`."""
    return functools.partial(visiting, chromium)
