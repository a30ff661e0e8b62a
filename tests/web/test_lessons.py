"""A first game with guidance: played by forms alone, in both languages; other moves are answered kindly."""

import re

import pytest
from msgspec import Struct

from spieltisch import games
from spieltisch.table.lesson import lesson
from spieltisch.web.core.http.actions import encode
from web.site import refused, served

pytestmark = pytest.mark.anyio
GAMES = sorted(games.packages())


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_leads_to_its_end(game, lang, tmp_path):
    found, tr = lesson(games.package(game)), games.package(game).translator(lang)
    async with served(tmp_path) as site, site.browser(lang) as browser:
        page, mine = await browser.get(f"/learn/{game}"), 0
        for step in range(1, len(found.game) + 1):
            assert page.status_code == 200
            assert tr._(found.said[step - 1])[:40] in page.text
            awaited = found.awaited(step)
            if awaited is None:
                assert 'id="lesson-play"' in page.text
            elif awaited.seat == 0:
                mine += 1
                assert 'form="move"' in page.text
                assert isinstance(awaited.action, Struct)
                sent = {"question": "1", "action": encode(awaited.action)}
                on = await browser.post(f"/learn/{game}/{step}/move", data=sent)
                assert on.status_code == 303
                page = await browser.get(on.headers["location"])
            else:
                assert 'form="move"' not in page.text
                page = await browser.get(re.search(r'id="lesson-on"\s+href="([^"]*)"', page.text)[1])
        assert mine >= 4
        assert await site.services.host.store.setup("") is None  # nothing is kept


@pytest.mark.parametrize("game", GAMES)
async def test_another_move_is_answered_kindly_and_nothing_happens(game, tmp_path):
    found = lesson(games.package(game))
    async with served(tmp_path) as site, site.browser() as browser:
        other = next(action for action in found.game.at(1).legal(0) if action != found.awaited(1).action)
        page = await browser.post(f"/learn/{game}/1/move", data={"question": "1", "action": encode(other)})
        assert "please do what the text says" in refused(page.text)
        assert found.said[0][:40] in page.text
        for sent, status in (({"action": "{}"}, 422), ({}, 422), ({"action": '{"type": 3}'}, 422)):
            page = await browser.post(f"/learn/{game}/1/move", data=sent)
            assert page.status_code == status
            assert refused(page.text)
        page = await browser.post(f"/learn/{game}/{len(found.game)}/move", data={"question": "1"})
        assert refused(page.text) == "It is not your turn."


@pytest.mark.parametrize("where", ["nothing", "adaman/0", "adaman/99", "adaman/x", "anno-domini/²"])
async def test_there_is_no_lesson_there(where, tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        assert (await browser.get(f"/learn/{where}")).status_code in {404, 422}


async def test_home_and_rules_lead_to_the_lessons(tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        home = (await browser.get("/")).text
        for game in GAMES:
            assert f'href="/learn/{game}"' in home
            assert f'href="/learn/{game}"' in (await browser.get(f"/rules/{game}")).text


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_short(game):
    """At most three minutes: a few moves, each with a few words."""
    found, tr = lesson(games.package(game)), games.package(game).translator("de")
    german = [tr._(said) for said in found.said]
    words = sum(len(said.split()) for said in german)
    assert words / 200 + len(found.game) * 4 / 60 < 3  # reading 200 words a minute, 4 seconds a tap
    assert all(len(said) < 330 for said in (*german, *found.said))
