"""Whole games against bots through the page: by touch and by keyboard alone, light and dark, German and English."""

import pytest

from browser.play import MINDS, Person, against_bots

TOUCH, KEYS = {"phone": True}, {"phone": False}
LIGHT, DARK = {"dark": False}, {"dark": True}
EN, DE = {"lang": "en"}, {"lang": "de"}

PAIRS = [
    ("adaman", TOUCH | LIGHT | DE),
    ("adaman", KEYS | DARK | EN),
    ("anno-domini", TOUCH | DARK | EN),
    ("anno-domini", KEYS | LIGHT | DE),
    ("trailblaze", TOUCH | LIGHT | EN),
    ("trailblaze", KEYS | DARK | DE),
    ("hic-haec-hoc", TOUCH | DARK | DE),
    ("hic-haec-hoc", KEYS | LIGHT | EN),
]


def words(value):
    return value if isinstance(value, str) else "-".join(
        [("keys", "touch")[value["phone"]], ("light", "dark")[value["dark"]], value["lang"]]
    )  # fmt: skip


@pytest.mark.parametrize(("game", "way"), PAIRS, ids=words)
async def test_a_whole_game_against_bots(site, visit, game, way):
    async with visit(site.origin, **way) as page:
        me = Person(page, touch=way["phone"], seed=len(game))
        await against_bots(me, game)
        assert await page.locator("html").get_attribute("lang") == way["lang"]
        await me.game(MINDS[game])
        assert (await page.locator("#over").text_content()).strip()
        table = await site.house.host.table(page.url.rpartition("/")[2])
        assert table.result is not None
