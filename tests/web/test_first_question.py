"""The first time somebody opens a table of a game, one question offers what suits beginners."""

import pytest

from web.site import code, served

pytestmark = pytest.mark.anyio


async def test_the_first_table_of_latin_asks_once_and_proposes_help(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada, site.browser("de") as ben:

        async def opened(game="hic-haec-hoc"):
            url = (await ada.post("/tables", data={"game": game, "name": "Ada"})).headers["location"]
            return url, (await site.services.host.table(code(url)))

        url, table = await opened()
        assert "Können alle Latein?" in (await ada.get(url)).text
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        page = (await ben.get(url)).text
        assert "Können alle Latein?" not in page  # who opened the table decides
        assert "Was wird gespielt?" in page  # also for who sits already
        assert "/learn/hic-haec-hoc" in page
        before = table.setup.top
        assert (await ada.post(f"{url}/options", data={"mode": "assisted"})).status_code == 303
        assert table.setup.top == {**before, "options": {"mode": "assisted"}}
        assert "Können alle Latein?" not in (await ada.get(url)).text
        url, table = await opened()  # as last time, and nothing is asked
        assert table.setup.top["options"] == {"mode": "assisted"}
        assert "Können alle Latein?" not in (await ada.get(url)).text
        url, _ = await opened("trailblaze")
        assert 'id="first"' not in (await ada.get(url)).text


async def test_who_knows_latin_says_so_and_plays_as_before(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
        table = await site.services.host.table(code(url))
        before = table.setup.top
        assert "Does everybody here know Latin?" in (await ada.get(url)).text
        assert (await ada.post(f"{url}/options", data={"first": "false"})).status_code == 303
        assert table.setup.top == before
        assert 'id="first"' not in (await ada.get(url)).text


async def test_a_first_game_against_bots_has_help_and_answers_nothing(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada:

        async def opened(to):
            url = (await ada.post(to, data={"game": "hic-haec-hoc"})).headers["location"]
            return url, await site.services.host.table(code(url))

        url, table = await opened("/play")
        assert table.setup.top["options"]["mode"] == "assisted"
        waiting, asked = await opened("/tables")
        assert "mode" not in asked.setup.top["options"]
        assert "Does everybody here know Latin?" in (await ada.get(waiting)).text
        assert 'value="strict"' in (await ada.get(url)).text
        for pressed in ({"mode": "strict"}, {"yes": "true"}):
            await ada.post(f"{url}/anew", data=pressed)
        assert (await site.services.host.table(f"{code(url)}-2")).setup.top["options"]["mode"] == "strict"
        _, again = await opened("/play")
        assert again.setup.top["options"]["mode"] == "strict"
