"""A game begins anew with help once everybody at the table has agreed; bots agree."""

import pytest
from msgspec.structs import replace

from web.site import code, served

pytestmark = pytest.mark.anyio
HELP, YES, NO = {"mode": "assisted"}, {"yes": "true"}, {"yes": "false"}


async def begun(site, *people, bots=1):
    """A strict table at which all sit, begun; its address and itself."""
    first, *others = people
    url = (await first.post("/tables", data={"game": "hic-haec-hoc", "name": "Ada"})).headers["location"]
    for browser, name in zip(others, ("Ben", "Cy"), strict=False):
        await browser.post(f"{url}/sit", data={"name": name})
    for _ in range(bots):
        await first.post(f"{url}/chairs", data={"do": "bot"})
    await first.post(f"{url}/start")
    return url, await site.services.host.table(code(url))


async def test_help_comes_when_all_have_agreed(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser("de") as ben, site.browser() as eve:
        url, table = await begun(site, ada, ben)
        assert 'id="anew-assisted"' in (await ben.get(url)).text
        assert "Propose to start again with help" in (await ada.get(url)).text
        assert (await eve.post(f"{url}/anew", data=HELP)).status_code == 403
        assert (await ben.post(f"{url}/anew", data=YES)).status_code == 422  # nobody proposes it
        assert (await ben.post(f"{url}/anew", data=HELP)).status_code == 303
        page = (await ada.get(url)).text
        assert "Ben proposes to start again: assisted, for learning." in page
        assert 'id="anew-yes"' in page
        page = (await ben.get(url)).text
        assert "Du schlägst vor, neu anzufangen: mit Hilfe, zum Lernen." in page
        assert "Wir warten auf Ada." in page
        assert 'id="anew-yes"' not in page
        assert 'id="anew"' not in (await eve.get(url)).text
        await ben.post(f"{url}/anew", data=YES)  # one's own yes counts once
        assert table.setup.stage == "playing"
        async with site.line(url, ben) as line:
            await line.receive()
            assert (await ada.post(f"{url}/anew", data=YES)).headers["location"] == f"{url}/next"
            await line.until(lambda message: message.get("goto") == f"{url}-2")
        second = await site.services.host.table(f"{code(url)}-2")
        assert second.setup.stage == "playing"
        assert second.setup.top["options"]["mode"] == "assisted"
        assert sorted(chair.wins for chair in second.setup.chairs) == [0, 0, 0]
        assert {"Ada", "Ben"} < set(second.names)
        assert table.setup.stage == "closed"
        assert second.setup.anew is None
        page = (await ada.get(f"{url}-2/evening")).text
        assert "This game was ended early." in page
        assert f"{url}/replay" not in page


async def test_one_no_ends_it_and_everybody_reads_whose(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser() as cy:
        url, table = await begun(site, ada, ben, cy, bots=0)
        await ada.post(f"{url}/anew", data=HELP)
        await ben.post(f"{url}/anew", data=YES)
        await cy.post(f"{url}/anew", data=NO)
        for browser, reads in ((ada, True), (ben, True), (cy, False)):
            assert ("Cy would rather play on." in (await browser.get(url)).text) == reads
        assert (await ben.post(f"{url}/anew", data=YES)).status_code == 422
        await ben.post(f"{url}/anew", data={"yes": ""})
        assert table.setup.anew is None
        await ada.post(f"{url}/anew", data=HELP)
        await ada.post(f"{url}/anew", data=NO)
        assert table.setup.anew is None  # taken back
        assert (table.setup.stage, table.setup.rematch) == ("playing", "")


async def test_who_left_is_not_waited_for_and_one_press_begins_nothing(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await begun(site, ada, ben)
        await ada.post(f"{url}/anew", data=HELP)
        await ben.post(f"{url}/leave")
        assert table.setup.stage == "playing"
        assert 'id="anew-yes"' in (await ada.get(url)).text
        await ada.post(f"{url}/anew", data=YES)
        second = await site.services.host.table(f"{code(url)}-2")
        assert second.setup.stage == "playing"
        assert second.setup.chairs[second.names.index("Ben")].left


async def test_in_a_class_and_after_the_end_nothing_is_proposed(tmp_path):
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await begun(site, ada, ben)
        await site.services.host.change(table.id, lambda setup: replace(setup, classroom="KLASSE7777"))
        assert (await ada.post(f"{url}/anew", data=HELP)).status_code == 422
        await site.services.host.change(table.id, lambda setup: replace(setup, classroom=""))
        await site.services.host.close(table.id)
        assert (await ada.post(f"{url}/anew", data=HELP)).status_code == 422
        assert table.setup.anew is None


async def test_programs_propose_and_agree_to_a_new_start(tmp_path):
    async with served(tmp_path) as site, site.program() as anybody:
        first = (await anybody.post("/api/tables", json={"game": "hic-haec-hoc", "name": "Ada"})).json()
        at = f"/api/tables/{first['table']}"
        second = (await anybody.post(f"{at}/sit", json={"name": "Ben"})).json()
        async with site.program(first["token"]) as ada, site.program(second["token"]) as ben, site.program() as eve:
            await ada.post(f"{at}/start")
            assert (await ben.post(f"{at}/anew", json={"yes": True})).status_code == 422  # nobody proposes it
            for one, known in ((ada, [{"option": "mode", "value": "assisted"}]), (eve, [])):
                assert (await one.get(at)).json()["may_propose"] == known
            wanted = {"option": "mode", "value": "assisted"}
            assert (await eve.post(f"{at}/anew", json=wanted)).status_code == 403
            for wrong in ({"option": "mode", "value": "latin"}, {"option": "seats", "value": "2"}, {"yes": "x"}):
                assert (await ada.post(f"{at}/anew", json=wrong)).status_code in {400, 422}
            assert (await ada.post(f"{at}/anew", json=wanted)).json()["rematch"] == ""
            proposed = {**wanted, "by": 0, "undecided": [1], "refused": None}
            assert (await ben.get(at)).json()["new_start"] == proposed
            assert (await eve.get(at)).json()["new_start"] is None
            await ben.post(f"{at}/anew", json={"yes": False})
            assert (await ada.get(at)).json()["new_start"] == {**proposed, "undecided": [], "refused": 1}
            await ada.post(f"{at}/anew", json={})  # read, and put away
            assert (await ada.get(at)).json()["new_start"] is None
            await ben.post(f"{at}/anew", json=wanted)
            code = (await ada.post(f"{at}/anew", json={"yes": True})).json()["rematch"]
            assert code == f"{first['table']}-2"
            now = (await ben.get(f"/api/tables/{code}")).json()
            assert (now["stage"], now["may_propose"]) == ("playing", [{"option": "mode", "value": "strict"}])
            assert now["seat"] is not None
