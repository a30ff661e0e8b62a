"""Latecomers have a seat in the next game; a deputy stands in for an owner who is away."""

import pytest

from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.table import evening
from spieltisch.web.core.presence import HEIR
from web.site import code, finished, playing, served
from web.test_anew import begun
from web.test_evening import play_on
from web.test_seating import looking

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("late", [False, True])
async def test_who_comes_late_is_told_so_and_sits_in_the_next_game(tmp_path, late):
    """While the game runs, and when it is over; they can change their mind."""
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben, site.browser("de") as eve:
        url, table = await playing(site, ada, ben)
        if late:
            await play_on(site, url)
        page = (await eve.get(url)).text
        assert "Du schaust zu." in page
        assert "Du schaust zu." not in (await ben.get(url)).text
        assert (await ben.post(f"{url}/reserve", data={"name": "Ben"})).status_code == 422
        assert (await eve.post(f"{url}/reserve", data={"name": "Eve"})).status_code == 303
        assert "In der nächsten Partie sitzt du als Eve am Tisch." in (await eve.get(url)).text
        await eve.post(f"{url}/reserve", data={"do": "drop"})
        assert table.setup.guests == ()
        await eve.post(f"{url}/reserve", data={"name": "Ben"})  # a name that there is already
        assert [one.name for one in table.setup.guests] == ["Ben 2"]
        if not late:
            await play_on(site, url)
        await ada.post(f"{url}/rematch")
        second = (await site.services.host.table(f"{code(url)}-2")).setup
        assert sorted(chair.name for chair in second.chairs) == ["Ada", "Ben", "Ben 2"]
        assert second.countdown is not None
        assert (await eve.post(f"{url}-2/ready")).status_code == 303
        assert next(chair for chair in second.chairs if chair.name == "Ben 2").wins == 0


@pytest.mark.parametrize("game", ["hic-haec-hoc", "trailblaze"])
async def test_guests_make_bots_go_and_are_as_many_as_there_are_seats(tmp_path, game):
    most = games.package(game).rules.seats[-1]
    async with served(tmp_path) as site, site.browser() as ada, site.browser() as ben:
        url, table = await playing(site, ada, ben, bots=2, game=game)
        for n in range(most - 1):
            async with site.browser() as guest:
                answer = await guest.post(f"{url}/reserve", data={"name": f"Guest {n}"})
                assert answer.status_code == (303 if n < most - 2 else 422)
                assert ("reserve" in (await guest.get(url)).text) == (n < most - 2)
        await finished(site, table, FastDice(1))
        while (await ada.post(f"{url}/rematch")).status_code != 303:  # a bot’s last move is just being written
            pass
        second = (await site.services.host.table(f"{code(url)}-2")).setup
        assert len(second.chairs) == most
        assert all(chair.kind == "person" for chair in second.chairs)


async def test_who_types_a_name_is_waited_for_but_not_for_ever(tmp_path, clock):
    async with (
        served(tmp_path, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
    ):
        url, _ = await playing(site, ada, ben)
        await play_on(site, url)
        await ada.post(f"{url}/rematch")
        second = await site.services.host.table(f"{code(url)}-2")
        begun = clock.time
        assert second.setup.countdown.until == begun + evening.SECONDS
        assert 'id="typing"' in (await eve.get(f"{url}-2")).text
        waited = []
        for _ in range(12):
            clock.time += 9
            if clock.time >= second.setup.countdown.until:
                break
            await eve.post(f"{url}-2/typing")
            waited.append(second.setup.countdown.until - begun)
        assert waited[0] == 9 + evening.TYPING
        assert max(waited) == evening.LONGEST


async def test_who_has_a_seat_there_is_not_told_to_watch(tmp_path):
    """For people who left or lent the seat: in the game, after it, and before the next one."""
    async with (
        served(tmp_path) as site,
        site.browser("de") as ada,
        site.browser("de") as ben,
        site.browser("de") as cy,
        site.browser("de") as gus,
    ):
        url, table = await begun(site, ada, ben, cy, bots=0)
        ben_left, cy_lent = "Ein Bot spielt für dich.", "Gus spielt auf deinem Platz."

        async def reads(browser, words, address=url):
            page = (await browser.get(address)).text
            assert words in page
            assert "Du schaust zu." not in page
            assert 'name="name"' not in page  # they have one

        await ben.post(f"{url}/leave")
        await cy.post(f"{url}/chairs", data={"seat": "2", "do": "offer"})
        await gus.post(f"{url}/sit", data={"name": "Gus", "seat": "2"})
        await reads(ben, ben_left)
        await reads(cy, cy_lent)
        await finished(site, table, FastDice(1))
        await reads(ben, "Ein Bot hat für dich gespielt. Dein Platz bleibt dir.")
        await reads(cy, cy_lent)
        await ada.post(f"{url}/rematch")
        second = await site.services.host.table(f"{code(url)}-2")
        await reads(ben, "Du machst Pause", f"{url}-2")
        await reads(cy, cy_lent, f"{url}-2")
        await ada.post(f"{url}-2/hold")
        await reads(cy, cy_lent, f"{url}-2")
        await cy.post(f"{url}-2/sit")
        assert "Cy" in second.names
        await reads(ben, "Du machst Pause", f"{url}-2")
        await ben.post(f"{url}-2/sit")
        assert not second.setup.chairs[second.names.index("Ben")].plays_itself


@pytest.mark.parametrize("gone", ["up", "away"])
async def test_who_opened_the_table_is_stood_in_for_until_they_are_back(tmp_path, clock, gone):
    async with (
        served(tmp_path, clock=clock) as site,
        site.browser() as ada,
        site.browser() as ben,
        site.browser() as eve,
    ):
        url, table = await playing(site, ada, ben)
        again = {"game": "trailblaze"}
        async with looking(site, url, ben):
            assert "Ada" in table.names
            if gone == "up":
                await ada.post(f"{url}/leave")
                await ben.get(url)
            else:
                async with looking(site, url, ada):
                    pass
                clock.time += HEIR - 1
                await ben.get(url)
                assert not table.setup.deputy
                clock.time += 2
                await ben.get(url)
            assert table.setup.deputy == table.setup.chairs[1].key
            assert (await eve.post(f"{url}/pause")).status_code == 403
            assert (await ben.post(f"{url}/pause")).status_code == 303
            assert (await ben.post(f"{url}/resume")).status_code == 303
            assert (await ben.post(f"{url}/delete")).status_code == 403  # that is not for somebody else
            assert 'action="/t/' + code(url) + '/delete"' not in (await ben.get(url)).text
            await ada.post(f"{url}/sit")
            await ada.get(url)
            assert not table.setup.deputy
            assert (await ben.post(f"{url}/pause")).status_code == 403
            if gone == "up":
                await ada.post(f"{url}/leave")
                await ben.get(url)
                await play_on(site, url)
                assert 'id="play-trailblaze"' in (await ben.get(url)).text
                assert (await ben.post(f"{url}/rematch", data=again)).status_code == 303
                second = await site.services.host.table(f"{code(url)}-2")
                assert second.setup.game == "trailblaze"
                assert (await ben.post(f"{url}-2/options", data={})).status_code == 303
