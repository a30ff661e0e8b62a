import importlib
from pathlib import Path

import pytest

from spieltisch import games
from spieltisch.table.host import Host
from spieltisch.table.log import Chair
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub

TOYS = str(Path(__file__).parent / "toys")

games.__path__.append(TOYS)  # for a moment, so that the tests' modules can import the toys' actions
for toy in ("bids", "climb"):
    importlib.import_module(f"spieltisch.games.{toy}.rules")
games.__path__.remove(TOYS)


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    """The toys are games here and nowhere else: other tests look at all rooms there are."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, TOYS])
    games.packages.cache_clear()
    yield
    games.packages.cache_clear()


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def store(tmp_path):
    store = SQLite(tmp_path / "tables.db")
    yield store
    await store.close()


@pytest.fixture
def hub():
    return Hub()


@pytest.fixture
def host(store, hub):
    return Host(store, hub, pause=lambda: 0.01)


async def seated(host, game, kinds, **options):
    """A table that has begun, with these kinds of players; its id."""
    setup = await host.open(game, len(kinds), {"options": options})
    for seat, kind in enumerate(kinds):
        await host.replace(setup.id, seat, Chair(f"{kind} {seat}", kind))
    await host.start(setup.id)
    return setup.id


@pytest.fixture
def sit():
    return seated
