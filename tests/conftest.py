"""What all tests share: the toy games lie among the games."""

import sys
from pathlib import Path

import pytest
from hypothesis import settings

import postgres
from spieltisch import games

TESTS = Path(__file__).parent

settings.register_profile("here", deadline=None)  # how quick a busy machine is says nothing of what is tested
settings.load_profile("here")


@pytest.fixture(scope="session")
def anyio_backend():
    """The server runs on asyncio alone."""
    return "asyncio"


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL server of these tests."""
    found = postgres.programs()
    if found is None:
        pytest.skip(postgres.NEEDED)
    one = postgres.Cluster(found)
    yield one
    one.close()


@pytest.fixture
def toys(monkeypatch):
    """The games with the toys of the tests among them, as with SPIELTISCH_GAMES=tests/toys."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(TESTS / "toys")])
    games.packages.cache_clear()
    yield games.packages()
    games.packages.cache_clear()
    toys = tuple(f"{games.__name__}.{folder.name}" for folder in (TESTS / "toys").iterdir())
    for name in [name for name in sys.modules if name.startswith(toys)]:
        del sys.modules[name]
