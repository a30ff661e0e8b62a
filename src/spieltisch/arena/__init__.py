"""The arena: players of every kind meet in a fixed round robin, and are rated.

A player is a bot of ours, one of OpenSpiel's, a program (a process that speaks JSON lines, or one that plays at a
table by HTTP, as people's programs do), or a language model that is asked in words. All get views only. Never here:
rules, anything that a server needs.
"""

from spieltisch.arena.address import DownError
from spieltisch.arena.contest import Asking, Contest, contest
from spieltisch.arena.play import Played
from spieltisch.arena.player import Player, player
from spieltisch.arena.report import Report
from spieltisch.arena.standings import Budget, Row, Standings, UnwrittenError, arena

__all__ = [
    "Asking",
    "Budget",
    "Contest",
    "DownError",
    "Played",
    "Player",
    "Report",
    "Row",
    "Standings",
    "UnwrittenError",
    "arena",
    "contest",
    "player",
]
