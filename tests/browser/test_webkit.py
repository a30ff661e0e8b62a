"""Whole games in WebKit, and a table at which WebKit and Chromium sit together."""

import asyncio

import pytest

from browser.play import MINDS, Person, against_bots, join, number, open_table, start
from browser.webkit import programs, webkit_page

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(programs() is None, reason="no WebKit (Debian: apt install webkit2gtk-driver xvfb)"),
]


@pytest.mark.whole
@pytest.mark.parametrize("game", MINDS)
async def test_a_whole_game_against_bots(site, tmp_path, game):
    """One of them with all that moves: a press while a picture changes has been lost here before."""
    moving = game == "hic-haec-hoc"
    async with webkit_page(site.origin, (480, 900), tmp_path, moving=moving) as page:
        assert await page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches") != moving
        me = Person(page, touch=True, seed=len(game))
        await against_bots(me, game)
        await me.game(MINDS[game])
        assert (await page.locator("#over").text_content()).strip()
        table = await site.services.host.table(page.url.rpartition("/")[2])
        assert table.result is not None
        mine = [one for one in (await site.services.host.replay(table.id)).entries if (one.seat, one.by) == (0, "seat")]
        assert me.sent == len(mine) > (0 if game == "adaman" else 3)  # Adaman may be lost by the second move


async def test_an_iphone_and_another_phone_at_one_table(site, visit, tmp_path):
    """WebKit, in which all moves, opens the table and Chromium joins; both play a whole game."""
    async with (
        webkit_page(site.origin, (480, 900), tmp_path, moving=True) as mine,
        visit(site.origin, phone=True, lang="en") as other,
    ):
        ada, ben = Person(mine, touch=True, seed=1), Person(other, touch=True, seed=2)
        code = await open_table(ada, "hic-haec-hoc")
        await number(ada, "cards_per_player", 3)
        await join(ben, code, "Ben")
        await start(ada)
        mind = MINDS["hic-haec-hoc"]
        await asyncio.gather(ada.game(mind), ben.game(mind))
        table = await site.services.host.table(code)
        assert table.result is not None
        entries = (await site.services.host.replay(table.id)).entries
        assert ada.sent == sum((one.seat, one.by) == (0, "seat") for one in entries) > 3
        for page in (mine, other):
            assert (await page.locator("#over").text_content()).strip()
