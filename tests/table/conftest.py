import importlib
from pathlib import Path

import pytest

import stores
from spieltisch import games
from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.wake import Hub

TOYS = str(Path(__file__).parent / "toys")

games.__path__.append(TOYS)  # for a moment, so that the test modules can import the toys' actions
for toy in ("bids", "climb"):
    importlib.import_module(f"spieltisch.games.{toy}.rules")
games.__path__.remove(TOYS)


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    """The toys are games in these tests only, since other tests look at all games."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, TOYS])
    games.packages.cache_clear()
    yield
    games.packages.cache_clear()


@pytest.fixture(params=stores.ENGINES)
def place(request):
    """Where the tables are stored."""
    return request.param(request)


@pytest.fixture
async def again(place):
    """Opens the same store again, as after a restart or in another process."""
    opened = []

    def open_one(**more):
        opened.append(place.open(**more))
        return opened[-1]

    yield open_one
    for store in opened:
        await store.close()


@pytest.fixture
async def store(again):
    return again()


@pytest.fixture
def hub():
    return Hub()


@pytest.fixture
def host(store, hub):
    return Host(store, hub, pause=lambda: 0.01)


async def seated(host, game, kinds, **options):
    """A running table with these kinds of players; returns its id."""
    setup = await host.open(game, len(kinds), {"options": options})
    for seat, kind in enumerate(kinds):
        await host.replace(setup.id, seat, Chair(f"{kind} {seat}", kind))
    await host.start(setup.id)
    return setup.id


@pytest.fixture
def sit():
    return seated
