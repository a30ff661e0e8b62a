"""The site that `make docs` builds: no warning, no other host, fit for phones, searched without a server."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlencode, urlsplit

import pytest
from playwright.async_api import async_playwright

import matrix
from browser.checks import WIDER
from browser.conftest import executable

ROOT = Path(__file__).parents[2]
# One or more of each folder, which are looked at on a phone.
PAGES = (
    "index",
    "building",
    "decks",
    "study",
    "api/game",
    "answers/index",
    "decisions/index",
    "decisions/0003-chance-is-explicit",
    "glossary",
    "compared",
    "de/decks",
)

# As `sphinx-build`, without the collector of garbage: a quarter of the time, for half a gigabyte. To draw the same
# navigation on each of a hundred pages takes a third of the time that is left, so `make test` draws it on some.
BUILD = f"""
import gc, sys
import furo
from sphinx.cmd.build import main

gc.disable()
if sys.argv.pop(1) != "whole":
    drawn = furo._compute_navigation_tree
    furo._compute_navigation_tree = lambda page: drawn(page) if page["pagename"] in {PAGES} else ""
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder with the site."""
    built = tmp_path_factory.mktemp("site")
    pages = "whole" if matrix.whole else "some"
    done = subprocess.run(
        [sys.executable, "-c", BUILD, pages,
         "-q", "-W", "--keep-going", "-d", built / "doctrees", "docs", built / "html"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return built / "html"


LOADS = {"src", "srcset", "poster", "data", "action", "background", "manifest", "ping"}


class Addresses(HTMLParser):
    """What a page loads by itself, where its links lead, and which places it has."""

    def __init__(self, text):
        super().__init__()
        self.loaded, self.linked, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.places.add(value)
            elif name in LOADS or (name in ("href", "xlink:href") and tag in ("link", "use", "image", "base")):
                self.loaded.append(value or "")
            elif name == "href":
                self.linked.append(value or "")
            elif name == "style":
                self.loaded += STYLES.findall(value or "")


STYLES = re.compile(r"""(?:url\(|@import)\s*["']?([^"')\s;]+)""")
SCRIPTS = re.compile(r"""["'`](?:https?:|wss?:)?//[\w.-]+""")
# Addresses that scripts of the theme and of Sphinx write, but never load.
NAMED = {'"http://www.w3.org'}


def foreign(address):
    return bool(re.match(r"(?:https?:|wss?:|ftp:)?//", address))


@pytest.fixture(scope="module")
def pages(site):
    return {page: Addresses(page.read_text("utf-8")) for page in sorted(site.rglob("*.html"))}


def test_nothing_is_loaded_from_another_host(site, pages):
    assert len(pages) > 40
    found = [f"{page.relative_to(site)}: {one}" for page, its in pages.items() for one in its.loaded if foreign(one)]
    for sheet in site.rglob("*.css"):
        found += [f"{sheet.name}: {one}" for one in STYLES.findall(sheet.read_text("utf-8")) if foreign(one)]
    for script in site.rglob("*.js"):
        if script.name != "searchindex.js":  # the words of the pages, among them addresses
            found += [f"{script.name}: {one}" for one in SCRIPTS.findall(script.read_text("utf-8")) if one not in NAMED]
    for page in pages:
        for script in re.findall(r"<script[^>]*>(.*?)</script>", page.read_text("utf-8"), re.DOTALL):
            found += [f"{page.relative_to(site)}: {one}" for one in SCRIPTS.findall(script)]
    assert not found
    assert not [*site.rglob("*.woff*"), *site.rglob("*.ttf")]


def test_a_foreign_address_would_be_found():
    page = '<link rel=stylesheet href="//cdn.example/a.css"><a href="https://example"></a><p style="x:url(https://e)">'
    assert [one for one in Addresses(page).loaded if foreign(one)] == ["//cdn.example/a.css", "https://e"]
    assert STYLES.findall("@import 'https://e/a'; b{src:url(\"//e/f\")}") == ["https://e/a", "//e/f"]
    assert SCRIPTS.findall("import('https://e.example/a.js'); fetch(`//e/x`)") == ["'https://e.example", "`//e"]


def test_every_link_leads_somewhere(site, pages):
    for page, its in pages.items():
        for link in its.linked + its.loaded:
            to = urlsplit(link)
            if to.scheme:
                continue
            target = (page.parent / unquote(to.path)).resolve() if to.path else page
            assert target.is_file(), f"{page.relative_to(site)}: {link}"
            if to.fragment and target in pages:
                assert unquote(to.fragment) in pages[target].places, f"{page.relative_to(site)}: {link}"


def test_every_page_of_the_folder_is_in_the_site(site):
    sources = {page.relative_to(ROOT / "docs").with_suffix("") for page in (ROOT / "docs").rglob("*.md")}
    built = {page.relative_to(site).with_suffix("") for page in site.rglob("*.html")}
    assert sources - built == {Path("status")}


# What newcomers ask, and the page that has to be among the first five.
ASKED = [
    ("chance is explicit", "0003-chance-is-explicit"),
    ("how do I put it behind nginx?", "hosting"),
    ("which port?", "start"),
    ("play offline", "start"),
    ("a player left", "start"),
    ("is the shuffle fair?", "start"),
    ("how do I add a bot?", "package"),
    ("what does a class keep?", "teaching"),
    ("how long are names kept?", "hosting"),
    ("how do I make a backup?", "hosting"),
    ("how do I move to another machine?", "hosting"),
    ("can I use Docker?", "hosting"),
    ("which date formats are read?", "decks"),
    ("how do I write my own game?", "fifth-game"),
    ("Kann ich eigene Karten drucken?", "de/decks"),
    ("Handy verbinden", "de/start"),
    ("Wie füge ich einen Bot hinzu?", "de/start"),
    ("Wie leite ich eine Klasse?", "de/teaching"),
    ("Datenschutz Schule", "de/hosting"),
    ("Wie lange werden Namen gespeichert?", "de/hosting"),
    ("Wie mache ich eine Sicherung?", "de/hosting"),
    ("Welcher Port?", "de/hosting"),
    ("Auf einen anderen Rechner umziehen", "de/hosting"),
    ("Fragen für Moodle", "de/decks"),
]


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.skipif(executable() is None, reason="no Chromium on PATH (Debian: apt install chromium)")
async def test_the_site_is_read_from_a_folder(site):
    """On a phone, in both lights, without a server; and searched."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=executable())
        grounds, asked, wrong = set(), [], []
        for light in ("light", "dark"):
            context = await chromium.new_context(viewport={"width": 360, "height": 740}, color_scheme=light)
            page = await context.new_page()
            page.on("request", lambda request: asked.append(request.url))
            page.on("pageerror", lambda error: wrong.append(str(error)))
            for name in PAGES:
                await page.goto((site / f"{name}.html").as_uri())
                assert await page.evaluate(WIDER) == [], name
            grounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert len(grounds) == 2
        for words, to in ASKED:
            await page.goto((site / "search.html").as_uri() + "?" + urlencode({"q": words}))
            await page.get_by_text("Search finished").wait_for()
            hits = await page.locator("#search-results a").evaluate_all("all => all.slice(0, 5).map(a => a.pathname)")
            assert any(hit.endswith(f"/{to}.html") for hit in hits), (words, hits)
        await chromium.close()
    assert not wrong
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]
