"""Fixtures of the pages' tests."""

import pytest


@pytest.fixture
def anyio_backend():
    return "asyncio"
