"""Several people on one device: no more than one hand at a time leaves the server, and none beneath the cover.

Nobody else plays at these tables, so that whatever view of a seat is asked for is asked for this device.
"""

import random

import pytest

from leaks.test_canaries import _all_of, elsewhere
from matrix import many
from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import viewpoint
from spieltisch.web.core.http.actions import encode
from spieltisch.web.core.view.viewer import Viewer
from web.site import forms, refused, served

pytestmark = pytest.mark.anyio
NAMES = ("Mira", "Emre", "Rana")
HIDDEN = ["hic-haec-hoc", "highest"]


@pytest.fixture(autouse=True)
def _with_the_toy(toys):
    assert "highest" in toys


@pytest.fixture
def looked_at(monkeypatch):
    """The seats with whose eyes anything was drawn or answered since it was last cleared."""
    seats = set()

    def noted(plain):
        def asked(table, seat):
            seats.add(seat)
            return plain(table, seat)

        return asked

    monkeypatch.setattr(Table, "view", noted(Table.view))
    monkeypatch.setattr(Table, "legal", noted(Table.legal))
    return seats


async def together(site, browser, game, n):
    """A table whose first `n` chairs are one device's, and nobody else's."""
    url = (await browser.post("/tables", data={"game": game, "name": NAMES[0]})).headers["location"]
    for name in NAMES[1:n]:
        assert (await browser.post(f"{url}/chairs", data={"do": "person", "name": name})).status_code == 303
    assert (await browser.post(f"{url}/start")).status_code == 303
    table = await site.services.host.table(url.rpartition("/")[2])
    assert len(table.setup.chairs) == n
    return url, table


def pick(control, name):
    return [one["value"] for one in control["controls"] if one.get("name") == name]


@pytest.mark.parametrize("game", HIDDEN)
async def test_a_hand_is_sent_only_after_its_cover_was_lifted(game, tmp_path, looked_at):
    dice = random.Random(game)
    async with served(tmp_path) as site, site.browser() as phone, site.browser() as eve:
        n = min(3, games.package(game).rules.seats[-1])
        url, table = await together(site, phone, game, n)
        key = site.services.seat_cookies.key(phone.cookies, table.id)
        lifted, lifts, moves = None, 0, 0
        async with site.line(url, phone) as line:

            async def look():
                """All that the device gets now; the seat that its page offers to lift the cover for."""
                looked_at.clear()
                await line.drain()
                page = (await phone.get(url)).text
                async with site.program(key) as program:
                    seen = (await program.get(url.replace("/t/", "/api/tables/"))).json()
                await eve.get(url)
                allowed = {lifted} if lifted in table.to_act else set()
                assert looked_at - {None} <= allowed, (looked_at, lifted, table.to_act)
                assert seen["seat"] in {None, *allowed}
                assert (seen["view"]["own"] is None) == (seen["seat"] is None)
                covers = [one for one in forms(page) if one["action"].endswith("/lift")]
                return int(pick(covers[0], "seat")[0]) if covers else None

            while table.result is None and moves < many(60, 120):
                seat = await look()
                assert (seat is None) == (lifted in table.to_act)
                if seat is not None:
                    assert seat in table.to_act
                    for other in range(n):  # nobody plays beneath the cover
                        if other in table.to_act:
                            move = {"question": str(table.question(other)), "as": str(other), "action": "{}"}
                            assert (await phone.post(f"{url}/move", data=move)).status_code == 403
                            assert "error" in await line.do("move", list(move.items()))
                        else:  # and no cover is lifted for who is not asked
                            assert (await phone.post(f"{url}/lift", data={"seat": other})).status_code == 422
                    assert (await eve.post(f"{url}/lift", data={"seat": seat})).status_code == 422
                    lifted, lifts = seat, lifts + 1
                    if lifts % 2:
                        assert (await phone.post(f"{url}/lift", data={"seat": seat})).status_code == 303
                    else:
                        assert (await line.do("lift", [["seat", str(seat)]]))["ok"]
                    assert await look() is None
                question, legal = table.question(lifted), table._session.position.legal(lifted)
                move = [["question", str(question)], ["action", encode(dice.choice(legal))], ["as", str(lifted)]]
                for other in set(table.to_act) - {lifted}:  # a form that was drawn for somebody else
                    strange = [*move[:2], ["as", str(other)]]
                    assert not (await line.do("move", strange))["ok"]
                assert (await line.do("move", move))["ok"]
                moves += 1
                if table.question(lifted) != question or lifted not in table.to_act:
                    again = await line.do("move", move)  # sent once more, as after a break of the line
                    assert again["ok"], again
            await look()
        assert lifts >= n
        assert refused((await phone.get(url)).text) == ""


@pytest.mark.parametrize("game", HIDDEN)
async def test_beneath_the_cover_nothing_hangs_on_any_hand(game, tmp_path):
    """As a spectator sees it: the hands may be other ones, and not a byte of the device's page changes."""
    package, dice = games.package(game), random.Random(game)
    async with served(tmp_path) as site, site.browser() as phone:
        _, table = await together(site, phone, game, min(3, package.rules.seats[-1]))
        mine = tuple(range(len(table.setup.chairs)))
        differed = 0
        for _ in range(30):
            if table.result is not None:
                break
            assert viewpoint(table, mine) is None
            viewer = Viewer(None, "en", owner=True, origin="http://x", key="k" * 22, shared=mine)
            other, differs = elsewhere(table, None, FastDice(str(dice.random())))
            differed += differs
            seen = _all_of(site.services, table, viewer)
            assert seen == _all_of(site.services, other, viewer)
            assert 'id="cover"' in "".join(seen[0])
            seat = dice.choice(table.to_act)
            await site.services.host.answer(table.id, seat, table.question(seat), dice.choice(table.legal(seat)))
        assert differed > 2
