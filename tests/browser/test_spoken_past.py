"""A look back at a finished game as a screen reader would speak it: alone, and together as the leader and as another
player hear it. It is kept in `spoken/`, as `test_spoken.py` does with a turn.
"""

import os
import secrets
from types import SimpleNamespace

import pytest

from browser.play import Person, hichaechoc
from browser.test_spoken import KEPT, LISTEN, Protocol, check_announced, masked, spoken
from matrix import sampled
from spieltisch.dice import FastDice
from spieltisch.table import lobby
from web.site import finished

LANGS = sampled(["de", "en"], ["de"])
STEP = 3
ALONE = (
    "The page",
    "One step on, by its button",
    "One step on, by the slider",
    "To the next reveal",
    "As the other player saw it",
    "To the end",
)
TOGETHER = (
    "The leader’s page",
    "The other player’s page",
    "The leader goes one step on",
    "The other player hears",
    "The leader goes one step on, by the slider",
    "The leader shows what the other player saw",
    "The other player hears",
    "The other player asks what would have been",
    "The leader hears",
    "The leader’s page",
    "The other player makes another move",
    "The leader hears",
    "The leader goes back to the game",
    "The other player hears",
)


@pytest.fixture(autouse=True)
def _the_same_dice(monkeypatch):
    fixed = SimpleNamespace(token_bytes=bytes, choice=secrets.choice, randbelow=secrets.randbelow)
    monkeypatch.setattr(lobby, "secrets", fixed)


class Heard(Protocol):
    """Parts of a transcript: pages, and what they announce."""

    def __init__(self, name, names, table, lang):
        self.file = KEPT / f"{name}.{lang}.txt"
        kept = self.file.read_text(encoding="utf-8") if self.file.exists() else ""
        super().__init__(table, lang, kept, names)

    async def page(self, page):
        await self.add(page.locator("body").aria_snapshot)
        await page.evaluate("spoken.splice(0)")

    async def says(self, page):
        """What the page has announced since the last time. The slider says where it is, if it has the focus."""
        slider = "document.activeElement.id === 'step' ? 'slider: ' + document.activeElement.ariaValueText : ''"

        async def both():
            return "\n".join(filter(None, [await page.evaluate(slider), await spoken(page)]))

        await self.add(both)
        check_announced(masked(self.parts[-1], self.table, self.lang), "-")
        await page.evaluate("spoken.splice(0)")

    def end(self):
        if os.environ.get("SPOKEN") == "write":
            self.file.write_text(self.text(), encoding="utf-8")
            self.kept = self.text()
        assert self.text() == self.kept


async def over(site, ada, ben, game="hic-haec-hoc", *, blind=True):
    """A game of Ada and Ben that has ended."""
    headers = {"origin": site.origin}
    answer = await ada.request.post("/tables", form={"game": game, "name": "Ada"}, headers=headers)
    await ben.request.post(f"{answer.url}/sit", form={"name": "Ben"}, headers=headers)
    await ada.request.post(f"{answer.url}/start", headers=headers)
    table = await site.services.host.table(answer.url.rpartition("/")[2])
    await finished(site, table, FastDice(3), blind=blind)
    return table


async def press(page, css, key="Enter"):
    await page.locator(css).focus()
    await page.keyboard.press(key)


@pytest.mark.parametrize("lang", LANGS)
async def test_a_look_back_alone_as_it_is_spoken(site, visit, lang):
    async with visit(site.origin, lang=lang) as page, visit(site.origin) as ben:
        await page.add_init_script(LISTEN)
        table = await over(site, page, ben)
        found = Heard("replay", ALONE, table, lang)
        await page.goto(f"/t/{table.id}/replay?step={STEP}")
        await page.locator("#run:visible").wait_for()
        await found.page(page)
        for css, key in (("#on", "Enter"), ("#step", "ArrowRight"), ("#next", "Enter"), ("#eyes-1", "Enter")):
            await press(page, css, key)
            await found.says(page)
        await press(page, "#last")
        await found.says(page)
        found.end()


@pytest.mark.parametrize("lang", LANGS)
async def test_a_look_back_together_as_it_is_spoken(site, visit, lang):
    async with visit(site.origin, lang=lang) as ada, visit(site.origin, lang=lang) as ben:
        for page in (ada, ben):
            await page.add_init_script(LISTEN)
        table = await over(site, ada, ben)
        found = Heard("together", TOGETHER, table, lang)
        look = f"/t/{table.id}/together"
        headers = {"origin": site.origin}
        await ada.request.post(look, form={"do": "begin"}, headers=headers)
        await ada.request.post(look, form={"do": "step", "step": str(STEP)}, headers=headers)
        for page in (ada, ben):
            await page.goto(look)
            await page.locator("#table[data-ready]").wait_for()
            await found.page(page)
        await press(ada, "#on")
        await found.says(ada)
        await found.says(ben)
        await press(ada, "#step", "ArrowRight")
        await found.says(ada)
        await ben.evaluate("spoken.splice(0)")
        await press(ada, "#eyes-1")
        await found.says(ada)
        await found.says(ben)
        await press(ben, "#whatif")
        await found.says(ben)
        await found.says(ada)
        await found.page(ada)
        player = Person(ben, touch=False)
        player.asked = await player.question()
        await hichaechoc(player)
        await found.says(ben)
        await found.says(ada)
        await press(ada, "#unfork")
        await found.says(ada)
        await found.says(ben)
        found.end()
