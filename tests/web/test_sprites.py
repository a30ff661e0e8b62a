"""Each drawing that a page uses by its name stands in that page."""

import re
import time

import pytest

import spieltisch
from spieltisch import daily
from spieltisch.decks.vocabulary import FIELDS
from web.site import playing, served

pytestmark = pytest.mark.anyio
GAMES = ("adaman", "anno-domini", "hic-haec-hoc", "trailblaze")


def used(html):
    """The names of drawings that a page uses, all of which it has."""
    names = {*re.findall(r'<use href="#([^"]+)"', html)}
    assert names
    assert not names - {*re.findall(r' id="([^"]+)"', html)}
    return names


@pytest.mark.parametrize("game", GAMES[1:])
async def test_a_tables_page_has_every_drawing_it_uses(tmp_path, game):
    async with served(tmp_path) as site, site.browser("en") as ada, site.browser("en") as ben:
        url, _ = await playing(site, ada, ben, game=game)
        for address in (url, f"{url}/screen"):
            used((await ada.get(address)).text)


@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_and_a_notebook_have_them_too(tmp_path, game):
    async with served(tmp_path) as site, site.browser("en") as ada:
        used((await ada.get(f"/learn/{game}")).text)
    match = spieltisch.new(game, seed=4)
    used(match.show(0)._repr_html_().replace("&quot;", '"').replace("&lt;", "<"))


async def test_trailblazes_pages_have_the_picture_of_each_field(tmp_path):
    async with served(tmp_path) as site, site.browser("en") as ada, site.browser("en") as ben:
        url, _ = await playing(site, ada, ben, game="trailblaze")
        for address in (url, "/learn/trailblaze", f"/daily/trailblaze/{daily.today(time.time())}/puzzle"):
            page = (await ada.get(address)).text
            used(page)
            assert {"other", "joker", *FIELDS} <= {*re.findall(r'id="field-(\w+)"', page)}
