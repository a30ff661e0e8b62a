"""The arena: players of every kind meet in a fixed round robin, and are rated.

A player is a bot of ours, one of OpenSpiel's, or a program: a process that speaks JSON lines, or one that plays at a
table by HTTP, as people's programs do. All get views only. Never here: rules, anything that a server needs.
"""

from spieltisch.arena.contest import Contest, contest
from spieltisch.arena.play import Played
from spieltisch.arena.player import Player, player
from spieltisch.arena.standings import Row, Standings, UnwrittenError, arena

__all__ = ["Contest", "Played", "Player", "Row", "Standings", "UnwrittenError", "arena", "contest", "player"]
