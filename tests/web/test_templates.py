"""Templates are filled in before they are compiled: pages stay as the engine draws them from their files."""

import html
import random

import pytest

from spieltisch import games
from spieltisch.decks.library import Library
from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub
from spieltisch.web.core import renderer
from spieltisch.web.core.precompiled import flat
from spieltisch.web.core.presence import Presence
from spieltisch.web.core.view.fragments import FragmentCache
from spieltisch.web.core.view.viewer import Viewer
from spieltisch.web.table.views import TableViews

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("game", ["adaman", "anno-domini", "hic-haec-hoc", "trailblaze"])
async def test_pages_are_as_the_engine_draws_them(tmp_path, game):
    host, dice = Host(SQLite(tmp_path / "tables.sqlite"), Hub()), random.Random(game)
    package, presence = games.package(game), Presence()
    assert flat(renderer.own_file(package, "templates", "table.html"), renderer.source).count("{% block") == 0
    quick, plain = (
        TableViews(drawing, FragmentCache(drawing, presence), Library(), host.clock, presence)
        for drawing in (renderer.Renderer(), renderer.Renderer(fresh=True))
    )
    seats = min(3, package.rules.seats[-1])
    setup = await host.open(game, seats)
    for seat in range(seats):
        await host.replace(setup.id, seat, Chair(f"P{seat}", "person"))
    table = await host.start(setup.id)
    drawn = 0
    while table.to_act and drawn < 60:
        seat = dice.choice(table.to_act)
        await host.answer(table.id, seat, table.question(seat), dice.choice(table.legal(seat)))
        for viewer in (Viewer(0, "de"), Viewer(None, "en"), Viewer(None, "de", screen="big")):
            here, there = (renderer.html_of(views.fragment(table, viewer)) for views in (quick, plain))
            assert "".join(html.unescape(here).split()) == "".join(html.unescape(there).split())
            drawn += 1
    await host.rest()
    await host.store.close()
