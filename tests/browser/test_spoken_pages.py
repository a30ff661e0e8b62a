"""Pages of the dailies, of “How sure?”, of practice and of reminders as a screen reader would speak them.

They are kept in `spoken/`; cards are called by their order on the page. `SPOKEN=write` writes these texts anew.
"""

import datetime as dt
import os
import re
from types import SimpleNamespace

import pytest

from browser.test_spoken import KEPT
from mail import inbox
from matrix import sampled
from ports import free_port
from spieltisch.decks.library import Library
from spieltisch.web.sure import routes
from web.site import served

DAY = dt.date(2026, 12, 24)
EVENING = dt.datetime(2026, 12, 24, 18, tzinfo=dt.UTC)
HINT = re.compile(r"(- textbox .*:)\n +- /placeholder: .*\n +- text:")  # of a box that is filled; it comes and goes
ROW = re.compile(r"(- listitem:\n +- text: ).*(\n +- group: .*‹card)")  # the date of a card that is turned over


@pytest.fixture(scope="module")
def fronts():
    library = Library()
    return [card.front for name in ("events", "firsts") for card in library.read(name)[1].cards]


class Pages:
    """Compares pages with what is kept, and collects those that differ."""

    def __init__(self, lang, fronts=()):
        self.lang, self.differ, self.names = lang, [], {}
        self._fronts = [front.spoken(lang) for front in fronts]

    async def add(self, page, name):
        """The page as it is spoken; a busy machine may need its time for it."""
        file = KEPT / f"{name}.{self.lang}.txt"
        kept = file.read_text(encoding="utf-8") if file.exists() else ""
        for _ in range(30):
            text = self._masked(await page.locator("main").aria_snapshot())
            if text == kept:
                return
            await page.wait_for_timeout(100)
        if os.environ.get("SPOKEN") == "write":
            file.write_text(text, encoding="utf-8")
        else:
            self.differ.append(f"{name}:\n{text}")

    def _masked(self, text):
        known = [front for front in self._fronts if front in text]
        for n, front in enumerate(sorted(known, key=text.index), start=1):
            text = text.replace(front, f"‹card {n}›")
        for what, name in self.names.items():
            text = text.replace(what, name)
        text = re.sub(r'^( *- )[\'"](.*‹card.*)[\'"](:?)$', r"\1\2\3", text, flags=re.MULTILINE)
        return ROW.sub(r"\1‹date›\2", HINT.sub(r"\1", text)) + "\n"


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["de"]))
async def test_the_pages_of_a_day_as_they_are_spoken(tmp_path, visit, lang, fronts, monkeypatch):
    monkeypatch.setattr(routes, "secrets", SimpleNamespace(token_hex=lambda n: "0" * 2 * n))  # the same chain
    found = Pages(lang, fronts)
    async with (
        served(tmp_path, clock=EVENING.timestamp) as site,
        visit(site.origin, lang=lang, timezone_id="Europe/Berlin") as page,
    ):
        await page.clock.set_fixed_time(EVENING)
        await page.goto("/daily/anno-domini")
        await page.locator("#row:not(:empty)").wait_for()
        await found.add(page, "day")
        for game in ("trailblaze", "hic-haec-hoc"):
            await page.goto(f"/daily/{game}/{DAY}/puzzle")
            await found.add(page, f"puzzle-{game}")
        await page.goto("/sure")
        await page.locator("#curve h2").wait_for()
        await found.add(page, "sure")
        await page.goto("/sure/events")
        await found.add(page, "sure-chain")
        await page.locator("#step-4").click()
        await page.locator("#curve h2").wait_for()
        await found.add(page, "sure-turned")
        await page.goto("/practice")
        await page.locator("#puzzles button").first.wait_for()
        await found.add(page, "practice")
        await page.locator("#puzzles [data-game=adaman]").click()
        await page.locator("#task form").wait_for()
        await found.add(page, "practice-task")
    assert not found.differ, "\n".join(found.differ)


@pytest.mark.parametrize("lang", sampled(["de", "en"], ["en"]))
async def test_the_pages_of_reminders_as_they_are_spoken(tmp_path, visit, lang):
    port, found = free_port(), Pages(lang)
    origin = f"http://127.0.0.1:{port}"
    mailed = {"mail_from": "tisch@games.example", "webhooks": ("hooks.example",)}
    async with (
        inbox() as (box, smtp),
        served(tmp_path, port=port, origin=origin, mail=f"smtp://127.0.0.1:{smtp}", **mailed) as site,
        visit(site.origin, lang=lang) as page,
        site.browser() as ben,
    ):
        table = {"game": "trailblaze", "name": "Ada"}
        answer = await page.request.post("/tables", form=table, headers={"origin": origin})
        assert (await ben.post(f"{answer.url}/sit", data={"name": "Ben"})).status_code == 303
        await page.request.post(f"{answer.url}/start", headers={"origin": origin})
        found.names[answer.url.rpartition("/")[2]] = "CODE"
        await page.goto(f"{answer.url}/reminders")
        await found.add(page, "reminders")
        page.watch.expects = ("422",)
        await page.locator("#hook").fill("https://other.example/")
        await page.keyboard.press("Enter")
        await page.locator("[role=alert]:not(:empty)").wait_for()
        await found.add(page, "reminders-refused")
        await page.locator("#hook").fill("https://hooks.example/turn")
        await page.keyboard.press("Enter")
        await page.locator("#unhook").wait_for()
        found.names[await page.locator("code").text_content()] = "‹secret›"
        await page.locator("#mail").fill("ada@home.example")
        await page.keyboard.press("Enter")
        await page.locator("#unmail").wait_for()
        await found.add(page, "reminders-set")
        link = re.findall(r"http://\S+", box.mails[0].get_content())[-1]
        found.names[link.rpartition("/")[2]] = "‹signature›"
        await page.goto(link)
        await found.add(page, "mail")
        await page.locator("#confirm").click()
        await page.get_by_role("status").wait_for()
        await found.add(page, "mail-confirmed")
    assert not found.differ, "\n".join(found.differ)
