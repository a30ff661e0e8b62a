"""Studies of the games: bots that play by the thousand, a solver, a coach, and frames of what came of it.

Imported by programs, commands and workers, never by the server. What is slow to load is loaded when it is asked for.
"""

from spieltisch.games.adaman.study.deals import Advice, Solution, coach, deal, solve, solve_many
from spieltisch.study.recorded import BrokenRecordWarning, Records, records
from spieltisch.study.simulation import Simulation, simulate

__all__ = [
    "Advice",
    "BrokenRecordWarning",
    "Records",
    "Simulation",
    "Solution",
    "coach",
    "deal",
    "records",
    "simulate",
    "solve",
    "solve_many",
]
