"""The story has one order, newest first, on pages that were open and on new ones."""

import re
from html import unescape

import pytest

from spieltisch.dice import FastDice
from spieltisch.web.core.view.outcome import public_story
from spieltisch.web.core.view.viewer import translator_for
from web.site import playing, served

pytestmark = pytest.mark.anyio
MOVES = 8


def story(html):
    """The lines of the log."""
    return [
        unescape(one) for one in re.findall("<li>(.*?)</li>", html.partition('class="story')[2].partition("</ol>")[0])
    ]


@pytest.mark.parametrize("game", ["anno-domini", "trailblaze", "hic-haec-hoc"])
async def test_the_newest_stands_first(tmp_path, game):
    async with (
        served(tmp_path) as site,
        site.browser("de") as ada,
        site.browser("de") as ben,
        site.browser("de") as eve,
    ):
        url, table = await playing(site, ada, ben, game=game)
        dice, tr = FastDice(1), translator_for(table, None, "de")
        async with site.line(url, eve) as line:
            for _ in range(MOVES):
                seat = table.to_act[0]
                await site.services.host.answer(table.id, seat, table.question(seat), dice.choice(table.legal(seat)))
            while line.page.get("seq") != table.seq:
                await line.receive()
            told = [sentence for _, said in public_story(table, tr, 0) for sentence in said][::-1]
            assert len(told) > MOVES // 2
            assert story(line.page["html"]) == story((await eve.get(url)).text) == told
