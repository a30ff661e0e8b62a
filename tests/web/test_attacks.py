"""The attacks that anybody can try on a server of their own: none succeeds."""

import importlib.util
from pathlib import Path

import pytest

from spieltisch.web import wire
from web.site import served

pytestmark = pytest.mark.anyio

# What is run by hand is no package that could be imported.
_spec = importlib.util.spec_from_file_location("attacks", Path(__file__).parents[2] / "bench" / "attacks.py")
assert _spec is not None
assert _spec.loader is not None
attacks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(attacks)


async def test_no_attack_succeeds(tmp_path):
    async with served(tmp_path, limits=True, pause=lambda: 1e6) as site:
        told = []
        unbounded = () if wire.is_quick() else ("more connections than one address may hold",)
        assert {*await attacks.run(site.origin, told.append)} <= {*unbounded}
        assert len(told) == len(attacks.ATTACKS)


async def test_on_a_server_without_limits_those_that_hang_on_them_succeed(tmp_path):
    """So a script that tries nothing would be found out."""
    async with served(tmp_path, limits=False, pause=lambda: 1e6) as site:
        stranger = attacks.Stranger(site.origin)
        assert await attacks.codes(stranger) == "1000 guesses"
