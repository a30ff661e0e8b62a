"""Studies of the games: simulations of bots, a solver, a coach, and data frames of the results.

Programs, commands and workers import it; the server never does. Slow imports wait until they are needed.
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
