"""A match over a game's actions must handle all of them."""

from typing import assert_never

from spieltisch.games.hichaechoc.rules import Action, Play


def words(action: Action) -> str:
    if isinstance(action, Play):
        return "plays"
    assert_never(action)  # error
