"""A finished game step by step: what each seat saw then, by a link that needs no seat, and never before the end."""

import re
from html import unescape

import pytest

from spieltisch import games
from spieltisch.dice import FastDice
from spieltisch.game import Illegal, see
from spieltisch.table import session
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.opening import open_table
from web.site import finished, served

pytestmark = pytest.mark.anyio
GAMES = [*sorted(games.packages()), "highest"]  # and a toy without a page of its own


@pytest.fixture(autouse=True)
def _with_the_toy(toys):
    assert "highest" in toys


async def opened(site, game):
    """A table of it; of a game for one with a deal that is not lost before the first move."""
    package = games.package(game)
    seats = min(3, package.rules.seats[-1])
    code, _key = await open_table(
        site.services, package, Actor("", "en"), bots=seats - 1, name="Ada", deal=7 if seats == 1 else 0
    )
    return await site.services.host.table(code)


@pytest.mark.parametrize("game", GAMES)
async def test_every_step_is_as_every_seat_saw_it(game, tmp_path, monkeypatch):
    """The views of the replay are those of the game; every step can be looked at with any eyes."""
    then, publish = [], session.TableSession.publish

    def watched(run, position, entry):
        publish(run, position, entry)
        if entry.undo:
            then.pop()
        else:
            then.append([see(position.state, seat) for seat in (None, *range(len(run.setup.chairs)))])

    monkeypatch.setattr(session.TableSession, "publish", watched)
    async with served(tmp_path) as site, site.browser("de") as browser:
        table, dice = await opened(site, game), FastDice(game)
        await finished(site, table, dice)
        if table.can_undo:
            await site.services.host.undo(table.id, 0, table.question(0))
            await finished(site, table, dice)
        replay = await site.services.host.replay(table.id)
        n = len(table.setup.chairs)
        seen = [[replay.at(step).view(seat) for seat in (None, *range(n))] for step in range(1, len(replay) + 1)]
        assert seen == then
        assert replay.at(len(replay)).result == table.result
        for step in {1, 2, len(replay) // 2, len(replay) - 1, len(replay)}:
            for eyes in ("", *(f"&seat={seat}" for seat in range(n))):
                answer = await browser.get(f"/t/{table.id}/replay?step={step}{eyes}")
                assert answer.status_code == 200, answer.text
                assert f"Schritt {step} von {len(replay)}" in answer.text
                assert 'form="move"' not in answer.text  # there is nothing to be done
                assert ("Was verdeckt lag" in answer.text) <= (eyes == "")


@pytest.mark.parametrize("game", GAMES)
async def test_a_running_game_has_no_replay(game, tmp_path):
    async with served(tmp_path) as site, site.browser() as browser, site.program() as program:
        table = await opened(site, game)
        for address in ("replay", "replay?step=1", "replay?step=1&seat=0"):
            answer = await browser.get(f"/t/{table.id}/{address}")
            assert answer.status_code == 422
            assert "once the game is over" in answer.text
            assert (await program.get(f"/t/{table.id}/{address}")).json()["status"] == 422
        with pytest.raises(Illegal):
            await site.services.host.replay(table.id)


async def test_with_its_last_move_taken_back_a_game_runs_again(tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        table = await opened(site, "adaman")
        await finished(site, table, FastDice(1))
        assert (await browser.get(f"/t/{table.id}/replay")).status_code == 200
        await site.services.host.undo(table.id, 0, table.question(0))
        assert (await browser.get(f"/t/{table.id}/replay")).status_code == 422


async def test_links_lead_through_the_whole_game(tmp_path):
    """Without scripts: from the deal to the end by "one step on", with the same eyes."""
    async with served(tmp_path) as site, site.browser() as browser:
        table = await opened(site, "anno-domini")
        await finished(site, table, FastDice(2))
        page = (await browser.get(f"/t/{table.id}")).text
        assert re.search(rf'href="/t/{table.id}/replay"', page)
        address, steps = f"/t/{table.id}/replay?step=1&seat=1", 1
        while onward := re.search(r'id="on"\s+href="([^"]*)"', page := (await browser.get(address)).text):
            address, steps = f"/t/{table.id}/replay{unescape(onward[1])}", steps + 1
            assert address.endswith("&seat=1")
        assert steps == len(await site.services.host.replay(table.id))
        assert "wins" in page or "win" in page


@pytest.mark.parametrize("asked", ["step=0", "step=x", "step=9999", "step=-1", "seat=3", "seat=a", "step=1&seat=²"])
async def test_what_is_not_there_is_said(asked, tmp_path):
    async with served(tmp_path) as site, site.browser() as browser:
        table = await opened(site, "anno-domini")
        await finished(site, table, FastDice(2))
        answer = await browser.get(f"/t/{table.id}/replay?{asked}")
        assert answer.status_code == 422
        last = len(await site.services.host.replay(table.id))
        least = f"Choose one from 1 to {last}" if "seat" not in asked else "Seat must be a number from 0 to 2"
        assert least in answer.text


async def test_what_a_step_weighs(tmp_path):
    """The script fetches only what changes with a step."""
    async with served(tmp_path) as site, site.browser() as browser:
        table = await opened(site, "anno-domini")
        await finished(site, table, FastDice(2))
        whole = await browser.get(f"/t/{table.id}/replay?step=3")
        bare = await browser.get(f"/t/{table.id}/replay?step=3", headers={"x-requested-with": "fetch"})
        assert "<html" not in bare.text
        assert bare.text in whole.text
